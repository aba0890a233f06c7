//! Who owns what others are blocked on, as the monitor tells: where no thread tells that it is its own. A virtual
//! thread does not before JDK 23; and the VM lists neither what it has locked itself, such as the class loader
//! that it asks for a class, nor what frames below the first 1,024 have entered.

use std::collections::HashMap;

use jni::Env;
use jni::objects::{JObject, JThread};
use jvmti::sys::ThreadState;

use super::limits::{Forecast, Limits};
use super::parts::Parts;
use super::stacks::Stack;
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::vm::capacity::Room;

/// The thread that owns the monitor on which each thread is blocked, unless the monitor is one of `told`. For each the
/// VM stops all threads and lists those that wait, so it is asked once. From 23 on it names platform threads only
/// (JDK-8328083). Nothing at all if some are left to be asked after the deadline; while threads go on, of some.
pub(super) fn read<'l, 'm>(
    jni: &mut Env<'l>,
    room: &mut Room,
    env: &Inside,
    contended: &[Option<JObject<'l>>],
    stacks: &[Stack],
    told: impl Iterator<Item = &'m JObject<'m>>,
    limits: &Limits,
) -> Outcome<Option<Vec<Option<JThread<'l>>>>> {
    let is_blocked = |stack: &Stack| stack.state.contains(ThreadState::BLOCKED_ON_MONITOR_ENTER);
    if !stacks.iter().any(is_blocked) {
        return Ok(Some(contended.iter().map(|_| None).collect()));
    }
    let forecast = Forecast::of(limits, 0);
    let told = ByHash::of(env, told)?;
    // The rows of monitors that were asked, by hash code.
    let mut asked: HashMap<i32, Vec<usize>> = HashMap::new();
    let mut owners: Vec<Option<JThread<'l>>> = Vec::with_capacity(contended.len());
    for (row, (monitor, stack)) in contended.iter().zip(stacks).enumerate() {
        let Some(monitor) = monitor.as_ref().filter(|_| is_blocked(stack)) else {
            owners.push(None);
            continue;
        };
        let hash = env.object_hash_code(monitor)?;
        if told.contains(jni, hash, monitor)? {
            owners.push(None);
            continue;
        }
        let alike = asked.entry(hash).or_default();
        let owner = match same(jni, contended, alike, monitor)? {
            Some(other) => copy(jni, room, owners[other].as_ref())?,
            None if forecast.is_late(0) => match limits.give_up(Parts::OWNERS) {
                true => return Ok(None),
                false => None,
            },
            None => {
                alike.push(row);
                ask(jni, room, env, monitor)?
            }
        };
        owners.push(owner);
    }
    Ok(Some(owners))
}

/// Objects by their hash code.
struct ByHash<'m>(HashMap<i32, Vec<&'m JObject<'m>>>);

impl<'m> ByHash<'m> {
    fn of(env: &Inside, objects: impl Iterator<Item = &'m JObject<'m>>) -> Outcome<Self> {
        let mut all: HashMap<i32, Vec<_>> = HashMap::new();
        for object in objects {
            all.entry(env.object_hash_code(object)?)
                .or_default()
                .push(object);
        }
        Ok(Self(all))
    }

    fn contains(&self, jni: &Env<'_>, hash: i32, object: &JObject<'_>) -> Outcome<bool> {
        for one in self.0.get(&hash).into_iter().flatten() {
            if jni.is_same_object(one, object)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
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
