//! The local variables of frames that stand still.

use std::collections::HashMap;

use jni::Env;
use jni::objects::JObject;
use jvmti::sys::{Error, jvmtiFrameInfo};
use jvmti::{LocalVariableEntry, MethodId, MutfString};

use super::Stack;
use crate::failure::Outcome;
use crate::gate::Inside;
use crate::natives::make_room;

/// A variable with its value at one moment.
pub(crate) struct Local<'l> {
    /// The index of the thread, and the depth of the frame.
    pub(crate) place: [i32; 2],
    pub(crate) name: MutfString,
    pub(crate) signature: MutfString,
    value: Value<'l>,
}

/// What a variable holds: the bits of a primitive value, or a reference.
enum Value<'l> {
    Bits(i64),
    Object(Option<JObject<'l>>),
}

impl<'l> Local<'l> {
    /// The bits of a primitive value; 0 for a reference.
    pub(crate) fn bits(&self) -> i64 {
        match self.value {
            Value::Bits(bits) => bits,
            Value::Object(_) => 0,
        }
    }

    /// The object of a reference.
    pub(crate) fn object(&self) -> Option<&JObject<'l>> {
        match &self.value {
            Value::Bits(_) => None,
            Value::Object(object) => object.as_ref(),
        }
    }
}

/// The variables of each method that has been seen; none for one that was compiled without.
type Tables = HashMap<usize, Vec<LocalVariableEntry>>;

/// The variables that are in scope in each frame of the threads that were suspended.
pub(super) fn read<'l>(
    jni: &Env<'l>,
    env: &Inside,
    threads: &[JObject<'l>],
    stacks: &[Stack],
    suspended: &[Error],
) -> Outcome<Vec<Local<'l>>> {
    let mut tables = Tables::new();
    let mut locals = Vec::new();
    for (index, thread) in threads.iter().enumerate() {
        if suspended.get(index) != Some(&Error::NONE) {
            continue;
        }
        let frames = stacks.get(index).map_or(&[][..], |stack| &stack.frames);
        for (depth, frame) in frames.iter().enumerate() {
            // A native frame has no variables.
            if frame.location < 0 {
                continue;
            }
            let place = [index as i32, depth as i32];
            read_frame(jni, env, thread, frame, place, &mut tables, &mut locals)?;
        }
    }
    Ok(locals)
}

fn read_frame<'l>(
    jni: &Env<'l>,
    env: &Inside,
    thread: &JObject<'_>,
    frame: &jvmtiFrameInfo,
    place: [i32; 2],
    tables: &mut Tables,
    locals: &mut Vec<Local<'l>>,
) -> Outcome<()> {
    let table = tables.entry(frame.method.addr()).or_insert_with(|| {
        // SAFETY: the frame is on the stack of a thread that stands still, so its method is loaded.
        let method = unsafe { MethodId::from_raw(frame.method) };
        env.local_variable_table(method).unwrap_or_default()
    });
    for variable in table {
        let since = frame.location - variable.start_location;
        if !(0..i64::from(variable.length)).contains(&since) {
            continue;
        }
        // What cannot be read, in a frame of compiled code perhaps, does not hide the others.
        if let Ok(value) = value(jni, env, thread, place[1], variable) {
            locals.push(Local {
                place,
                name: variable.name.clone(),
                signature: variable.signature.clone(),
                value,
            });
        }
        make_room(jni, 1)?;
    }
    Ok(())
}

fn value<'l>(
    jni: &Env<'l>,
    env: &Inside,
    thread: &JObject<'_>,
    depth: i32,
    variable: &LocalVariableEntry,
) -> jvmti::Result<Value<'l>> {
    let thread = Some(thread);
    let slot = variable.slot;
    let signature = variable.signature.to_string();
    Ok(match signature.as_bytes().first() {
        Some(b'L' | b'[') => Value::Object(env.local_object(jni, thread, depth, slot)?),
        Some(b'J') => Value::Bits(env.local_long(thread, depth, slot)?),
        Some(b'F') => Value::Bits(i64::from(env.local_float(thread, depth, slot)?.to_bits())),
        Some(b'D') => Value::Bits(
            env.local_double(thread, depth, slot)?
                .to_bits()
                .cast_signed(),
        ),
        _ => Value::Bits(i64::from(env.local_int(thread, depth, slot)?)),
    })
}
