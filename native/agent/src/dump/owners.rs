//! Who owns what others are blocked on, as the monitor tells: for a VM that does not tell it of the thread.

use std::collections::HashMap;

use jni::Env;
use jni::objects::{JObject, JThread};
use jvmti::sys::ThreadState;

use super::stacks::Stack;
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::vm::capacity::Room;

/// The thread that owns the monitor on which each thread is blocked. For each monitor the VM stops
/// all threads and lists those that wait, so it is asked once.
pub(super) fn read<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    env: &Inside,
    contended: &[Option<JObject<'l>>],
    stacks: &[Stack],
) -> Outcome<Vec<Option<JThread<'l>>>> {
    // The rows of monitors that were asked, by hash code.
    let mut asked: HashMap<i32, Vec<usize>> = HashMap::new();
    let mut owners: Vec<Option<JThread<'l>>> = Vec::with_capacity(contended.len());
    for (row, (monitor, stack)) in contended.iter().zip(stacks).enumerate() {
        let blocked = stack.state.contains(ThreadState::BLOCKED_ON_MONITOR_ENTER);
        let Some(monitor) = monitor.as_ref().filter(|_| blocked) else {
            owners.push(None);
            continue;
        };
        let alike = asked.entry(env.object_hash_code(monitor)?).or_default();
        let owner = match same(jni, contended, alike, monitor)? {
            Some(other) => copy(jni, room, owners[other].as_ref())?,
            None => {
                alike.push(row);
                ask(jni, room, env, monitor)?
            }
        };
        owners.push(owner);
    }
    Ok(owners)
}

/// The row among `rows` that has `monitor` too.
fn same(
    jni: &Env<'_>,
    contended: &[Option<JObject<'_>>],
    rows: &[usize],
    monitor: &JObject<'_>,
) -> Outcome<Option<usize>> {
    for &row in rows {
        if let Some(other) = &contended[row]
            && jni.is_same_object(other, monitor)?
        {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

fn copy<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    thread: Option<&JThread<'_>>,
) -> Outcome<Option<JThread<'l>>> {
    room.made(jni, 1)?;
    Ok(thread.map(|thread| jni.new_local_ref(thread)).transpose()?)
}

fn ask<'l>(
    jni: &Env<'l>,
    room: &mut Room,
    env: &Inside,
    monitor: &JObject<'_>,
) -> Outcome<Option<JThread<'l>>> {
    let usage = env.object_monitor_usage(jni, monitor)?;
    room.made(jni, 1 + usage.waiters.len() + usage.notify_waiters.len())?;
    Ok(usage.owner)
}
