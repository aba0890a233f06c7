//! The local variables of frames that stand still.

use std::collections::HashMap;
use std::time::Instant;

use jni::Env;
use jni::objects::JThread;
use jvmti::sys::Error;
use jvmti::{LocalVariableEntry, MethodId, MutfString};

use super::limits::Limits;
use super::parts::Parts;
use super::stacks::Stack;
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::variables::{self, Value, in_scope};
use crate::vm::capacity::Room;

/// A variable with its value at one moment.
pub(crate) struct Local<'l> {
    /// The index of the thread, and the depth of the frame.
    pub(crate) place: [i32; 2],
    pub(crate) name: MutfString,
    pub(crate) signature: MutfString,
    pub(crate) value: Value<'l>,
}

/// The variables of each method that has been seen.
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
                .or_insert_with(|| variables::table(env, frame.method).unwrap_or_default());
            for variable in table.iter().filter(|one| in_scope(one, frame.location)) {
                // What cannot be read, in a frame of compiled code perhaps, hides no other.
                let read = variables::value(jni, env, Some(&threads[row]), depth as u32, variable);
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
