//! The local variables of a frame: which are in scope where it is, and what each holds.
//!
//! A frame is named by its thread and its depth, and means something only while the thread stands still. From 21 on the VM
//! refuses a thread that is neither suspended nor the current one; before, it reads wherever that happens to be. Here it is
//! asked for on every JDK.

use std::slice;

use jni::Env;
use jni::objects::{JObject, JThread};
use jvmti::sys::{self, Capability};
use jvmti::{FrameInfo, LocalVariableEntry, MethodId, MutfString};

use crate::environment::gate::Inside;
use crate::failure::{Failure, Outcome};
use crate::thread::resumptions::{Resumptions, WatchdogCalls};
use crate::thread::transition;
use crate::thread::virtual_thread::is_alive;
use crate::vm::capacity::Room;

/// `Modifier.STATIC`.
pub(super) const STATIC: i32 = 0x8;

/// What a variable holds: the bits of a primitive value, or a reference.
pub(crate) enum Value<'l> {
    Bits(i64),
    Object(Option<JObject<'l>>),
}

impl<'l> Value<'l> {
    /// The bits of a primitive value; 0 for a reference.
    pub(crate) fn bits(&self) -> i64 {
        match self {
            Self::Bits(bits) => *bits,
            Self::Object(_) => 0,
        }
    }

    /// The object of a reference.
    pub(crate) fn object(&self) -> Option<&JObject<'l>> {
        match self {
            Self::Bits(_) => None,
            Self::Object(object) => object.as_ref(),
        }
    }
}

/// A variable with what it holds, or why that is not known.
pub(crate) struct Variable<'l> {
    pub(crate) name: MutfString,
    pub(crate) signature: MutfString,
    pub(crate) slot: u16,
    pub(crate) value: jvmti::Result<Value<'l>>,
}

/// A frame that stands still, and the variables that are in scope there.
pub(crate) struct Scope<'l> {
    pub(crate) frame: FrameInfo,
    pub(crate) variables: Vec<Variable<'l>>,
}

/// How often what may be of two moments is read.
const TRIES: usize = 16;

const FUNCTION: &str = "GetLocalObject";

/// The variables of a frame of `thread`, which is suspended, or of the current one: all of one moment. One that cannot be
/// read hides no other; a native method has none.
pub(crate) fn read<'l>(
    jni: &mut Env<'l>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
    depth: u32,
) -> Outcome<Scope<'l>> {
    let room = &mut Room::default();
    let Some(thread) = thread else {
        return read_once(jni, env, room, None, depth);
    };
    for _ in 0..TRIES {
        let resumptions = Resumptions::from_now_on(1);
        let watchdog = WatchdogCalls::so_far();
        let scope = read_once(jni, env, room, Some(thread), depth)?;
        let was_resumed = resumptions.among(jni, room, env, slice::from_ref(thread))?;
        if was_resumed == [false] && !watchdog.are_more() {
            return Ok(scope);
        }
    }
    Err(has_gone_on().into())
}

fn read_once<'l>(
    jni: &mut Env<'l>,
    env: &Inside,
    room: &mut Room,
    thread: Option<&JThread<'_>>,
    depth: u32,
) -> Outcome<Scope<'l>> {
    ensure_still(jni, env, FUNCTION, thread)?;
    let located = |frame| renamed(FUNCTION, frame);
    let frame = located(env.frame_location(thread, depth))?;
    let mut variables = Vec::new();
    if frame.location >= 0 {
        for one in table(env, frame.method)? {
            if in_scope(&one, frame.location) {
                let value = value(jni, env, thread, depth, &one);
                room.made(jni, 1)?;
                variables.push(Variable {
                    name: one.name,
                    signature: one.signature,
                    slot: one.slot,
                    value,
                });
            }
        }
    }
    ensure_still(jni, env, FUNCTION, thread)?;
    if located(env.frame_location(thread, depth))? != frame {
        return Err(has_gone_on().into());
    }
    Ok(Scope { frame, variables })
}

/// It went on meanwhile, and was suspended again.
fn has_gone_on() -> jvmti::Error {
    jvmti::Error::new(FUNCTION, sys::Error::THREAD_NOT_SUSPENDED)
}

/// Refuses to ask for a frame of a thread that runs, after what the VM refuses first.
pub(crate) fn ensure_still(
    jni: &mut Env<'_>,
    env: &Inside,
    function: &'static str,
    thread: Option<&JThread<'_>>,
) -> Outcome<()> {
    ensure_holds(env, function, Capability::CAN_ACCESS_LOCAL_VARIABLES)?;
    match thread {
        Some(thread) if !is_current(jni, env, thread)? => {
            ensure_suspended(jni, env, function, thread)
        }
        _ => Ok(()),
    }
}

pub(super) fn ensure_holds(
    env: &Inside,
    function: &'static str,
    capability: Capability,
) -> Outcome<()> {
    match env.capabilities()?.contains(capability) {
        true => Ok(()),
        false => Err(jvmti::Error::new(function, sys::Error::MUST_POSSESS_CAPABILITY).into()),
    }
}

pub(super) fn is_current(jni: &Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<bool> {
    let current = env.current_thread(jni)?;
    let is_current = jni.is_same_object(&current, thread)?;
    jni.delete_local_ref(current);
    Ok(is_current)
}

/// Refuses a thread, not the current one, that is not alive or runs.
pub(super) fn ensure_suspended(
    jni: &mut Env<'_>,
    env: &Inside,
    function: &'static str,
    thread: &JThread<'_>,
) -> Outcome<()> {
    let refusal = |code| Err(Failure::Jvmti(jvmti::Error::new(function, code)));
    if !is_alive(jni, env, thread)? {
        return refusal(sys::Error::THREAD_NOT_ALIVE);
    }
    if !transition::stands_still(jni, env, thread)? {
        return refusal(sys::Error::THREAD_NOT_SUSPENDED);
    }
    Ok(())
}

/// The answer of a function that was asked on behalf of another one.
pub(crate) fn renamed<T>(function: &'static str, answer: jvmti::Result<T>) -> jvmti::Result<T> {
    answer.map_err(|refusal| jvmti::Error::new(function, refusal.code))
}

/// The variables of a method that is not native: what its class file says, or else its parameters.
pub(crate) fn table(env: &Inside, method: MethodId) -> jvmti::Result<Vec<LocalVariableEntry>> {
    match env.local_variable_table(method) {
        Ok(table) if !table.is_empty() => Ok(table),
        Err(error) if error.code != sys::Error::ABSENT_INFORMATION => Err(error),
        _ => parameters(env, method),
    }
}

/// Whether a variable has a value there: its range is half-open, though HotSpot takes the end for a part of it.
pub(crate) fn in_scope(variable: &LocalVariableEntry, location: i64) -> bool {
    (0..i64::from(variable.length)).contains(&(location - variable.start_location))
}

/// What `variable` holds.
pub(crate) fn value<'l>(
    jni: &Env<'l>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
    depth: u32,
    variable: &LocalVariableEntry,
) -> jvmti::Result<Value<'l>> {
    let slot = variable.slot;
    let signature = variable.signature.to_bytes();
    Ok(match signature.first() {
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

/// `this` and the parameters, which are called as reflection calls them without a name.
fn parameters(env: &Inside, method: MethodId) -> jvmti::Result<Vec<LocalVariableEntry>> {
    let (_, signature, _) = env.method_name(method)?;
    let is_static = env.method_modifiers(method)? & STATIC != 0;
    Ok(parameters_of(&signature.to_string(), is_static))
}

fn parameters_of(signature: &str, is_static: bool) -> Vec<LocalVariableEntry> {
    let mut slot = 0;
    let mut all = Vec::new();
    let mut add = |name: &str, signature: &str| {
        all.push(LocalVariableEntry {
            start_location: 0,
            length: i32::MAX,
            name: MutfString::from(name),
            signature: MutfString::from(signature),
            generic: None,
            slot,
        });
        slot += if matches!(signature, "J" | "D") { 2 } else { 1 };
    };
    if !is_static {
        add("this", "Ljava/lang/Object;");
    }
    for (number, one) in parameter_types(signature).into_iter().enumerate() {
        add(&format!("arg{number}"), one);
    }
    all
}

/// The descriptors of the parameters that a method's has.
pub(super) fn parameter_types(signature: &str) -> Vec<&str> {
    let types = signature.trim_start_matches('(');
    let mut types = types.split_once(')').map_or("", |(types, _)| types);
    let mut all = Vec::new();
    while let Some(element) = types.find(|c| c != '[') {
        let is_object = types[element..].starts_with('L');
        let end = match is_object {
            true => types.find(';').unwrap_or(types.len() - 1),
            false => element,
        };
        let (one, rest) = types.split_at(end + 1);
        all.push(one);
        types = rest;
    }
    all
}

/// How many slots a method gets its parameters in, the receiver included.
pub(super) fn parameter_slots(signature: &str, is_static: bool) -> usize {
    let slots = parameter_types(signature).into_iter().map(|one| match one {
        "J" | "D" => 2,
        _ => 1,
    });
    usize::from(!is_static) + slots.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use jvmti::{LocalVariableEntry, MutfString};

    use super::{in_scope, parameter_slots, parameters_of};

    fn texts(signature: &str, is_static: bool) -> Vec<String> {
        let parameters = parameters_of(signature, is_static);
        let text = |one: &LocalVariableEntry| [one.name.to_string(), one.signature.to_string()];
        let text = |one: &LocalVariableEntry| format!("{} {}", one.slot, text(one).join(" "));
        parameters.iter().map(text).collect()
    }

    #[test]
    fn parameters_take_their_slots() {
        assert_eq!(
            texts("(IJ[[JLjava/lang/String;D[Lx/Y;Z)V", true),
            [
                "0 arg0 I",
                "1 arg1 J",
                "3 arg2 [[J",
                "4 arg3 Ljava/lang/String;",
                "5 arg4 D",
                "7 arg5 [Lx/Y;",
                "8 arg6 Z"
            ]
        );
        assert_eq!(
            texts("(J)J", false),
            ["0 this Ljava/lang/Object;", "1 arg0 J"]
        );
        assert!(texts("()V", true).is_empty());
    }

    #[test]
    fn parameters_that_are_wide_take_two_slots() {
        assert_eq!(
            parameter_slots("(IJ[[JLjava/lang/String;D[Lx/Y;Z)V", true),
            9
        );
        assert_eq!(parameter_slots("(J)J", false), 3);
        assert_eq!(parameter_slots("()D", true), 0);
    }

    #[test]
    fn a_range_is_half_open() {
        let variable = LocalVariableEntry {
            start_location: 3,
            length: 4,
            name: MutfString::from("x"),
            signature: MutfString::from("I"),
            generic: None,
            slot: 0,
        };
        let inside: Vec<i64> = (0..10).filter(|&at| in_scope(&variable, at)).collect();
        assert_eq!(inside, [3, 4, 5, 6]);
    }
}
