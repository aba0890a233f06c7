//! The local variables of frames that stand still.

use std::collections::HashMap;
use std::time::Instant;

use jni::Env;
use jni::objects::{JObject, JThread};
use jvmti::sys::Error;
use jvmti::{FrameInfo, LocalVariableEntry, MethodId, MutfString};

use super::limits::Limits;
use super::parts::Parts;
use super::stacks::Stack;
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::vm::capacity::Room;

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
type Tables = HashMap<MethodId, Vec<LocalVariableEntry>>;

/// The variables that are in scope in each frame of the threads that are suspended, by whomever: of the frames on top
/// first, since the VM walks to each from there, so that deep ones are dear. They have time until `until`, and the others
/// are told of what is missing then. Nothing at all after the deadline.
#[expect(clippy::too_many_arguments, reason = "each is one of what there is")]
pub(super) fn read<'l>(
    jni: &Env<'l>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'l>],
    stacks: &[Stack],
    suspended: &[Error],
    limits: &Limits,
    until: Option<Instant>,
) -> Outcome<Option<Vec<Local<'l>>>> {
    let mut tables = Tables::new();
    let mut locals = Vec::new();
    let stands_still = |row: &usize| {
        let result = suspended.get(*row);
        result.is_some_and(|result| matches!(*result, Error::NONE | Error::THREAD_SUSPENDED))
    };
    let mut rows: Vec<usize> = (0..threads.len()).filter(stands_still).collect();
    for depth in 0.. {
        rows.retain(|&row| stacks[row].frames.len() > depth);
        if rows.is_empty() {
            break;
        }
        for &row in &rows {
            if limits.are_past() {
                return Ok(None);
            }
            if until.is_some_and(|until| Instant::now() > until) {
                limits.give_up(Parts::LOCALS);
                return Ok(Some(locals));
            }
            let frame = &stacks[row].frames[depth];
            // A native frame has no variables.
            if frame.location < 0 {
                continue;
            }
            let place = [row as i32, depth as i32];
            let table = tables
                .entry(frame.method)
                .or_insert_with(|| env.local_variable_table(frame.method).unwrap_or_default());
            for variable in table.iter().filter(|one| in_scope(one, frame)) {
                // What cannot be read, in a frame of compiled code perhaps, hides no other.
                let read = value(jni, env, &threads[row], depth as u32, variable);
                room.made(jni, 1)?;
                locals.extend(read.ok().map(|value| Local {
                    place,
                    name: variable.name.clone(),
                    signature: variable.signature.clone(),
                    value,
                }));
            }
        }
    }
    Ok(Some(locals))
}

fn in_scope(variable: &LocalVariableEntry, frame: &FrameInfo) -> bool {
    let since = frame.location - variable.start_location;
    (0..i64::from(variable.length)).contains(&since)
}

fn value<'l>(
    jni: &Env<'l>,
    env: &Inside,
    thread: &JThread<'_>,
    depth: u32,
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
