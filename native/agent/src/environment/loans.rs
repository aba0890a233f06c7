//! Who counts on which capability of an environment that holds it for calls alone.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jni::Env;
use jvmti::sys::{Capabilities, Capability};

use crate::environment::gate::{self, Inside, Me};
use crate::environment::{held, undone};
use crate::failure::Outcome;

/// What is held for calls, by environment and capability.
static BORROWED: Mutex<BTreeMap<(u64, u8), Calls>> = Mutex::new(BTreeMap::new());

/// How many calls count on a capability.
enum Calls {
    Counted(u32),
    /// It is being relinquished.
    GivenUp,
}

/// What is held for no call, and could be given to another environment.
pub(super) fn idle(jni: &mut Env<'_>) -> Outcome<Capabilities> {
    let mut idle = Capabilities::empty();
    for handle in handles() {
        if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle.cast_signed()) {
            idle = idle.union(&free_of(jni, &env)?);
        }
    }
    Ok(idle)
}

/// Relinquishes what of `wanted` is held for no call. Only by the steward.
pub(super) fn reclaim(jni: &mut Env<'_>, wanted: &Capabilities) -> Outcome<()> {
    for handle in handles() {
        if !unused(handle).intersection(wanted).is_empty() {
            settle(jni, handle)?;
        }
    }
    Ok(())
}

/// Relinquishes what `handle` holds for no call. Only by the steward.
pub(super) fn settle(jni: &mut Env<'_>, handle: u64) -> Outcome<()> {
    let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle.cast_signed()) else {
        lock().retain(|(of, _), _| *of != handle);
        return Ok(());
    };
    let free = free_of(jni, &env)?;
    let given_up = begin_to_give_up(handle, &free);
    let done = env.relinquish_capabilities(&given_up);
    for one in given_up.iter() {
        lock().remove(&(handle, one.0));
    }
    held::take_back();
    Ok(done?)
}

/// Marks those of `free` on which nobody has begun to count since. Until they are relinquished they
/// are still told as to be had, and nobody counts on them.
fn begin_to_give_up(handle: u64, free: &Capabilities) -> Capabilities {
    let mut borrowed = lock();
    let unused = |one: &Capability| match borrowed.get_mut(&(handle, one.0)) {
        Some(calls @ Calls::Counted(0)) => {
            *calls = Calls::GivenUp;
            true
        }
        _ => false,
    };
    free.iter().filter(unused).collect()
}

/// What `env` holds for no call, without what it needs to resume.
fn free_of(jni: &mut Env<'_>, env: &Inside) -> Outcome<Capabilities> {
    let mut unused = unused(env.handle());
    if unused.contains(Capability::CAN_SUSPEND) && undone::keeps_suspended(jni, env)? {
        unused.remove(Capability::CAN_SUSPEND);
    }
    Ok(unused)
}

/// What `handle` holds and no call counts on.
pub(super) fn unused(handle: u64) -> Capabilities {
    let borrowed = lock();
    let of = borrowed.range((handle, u8::MIN)..=(handle, u8::MAX));
    of.filter(|(_, calls)| !matches!(calls, Calls::Counted(1..)))
        .map(|((_, one), _)| Capability(*one))
        .collect()
}

/// Counts one call more on each of `wanted`, if all of them are held.
pub(super) fn count_if_held(handle: u64, wanted: &Capabilities) -> bool {
    let mut borrowed = lock();
    let is_held =
        |one: Capability| matches!(borrowed.get(&(handle, one.0)), Some(Calls::Counted(_)));
    let held = wanted.iter().all(is_held);
    if held {
        count_each_up(&mut borrowed, handle, wanted);
    }
    held
}

/// Counts one call more on each of `wanted`.
pub(super) fn count_up(handle: u64, wanted: &Capabilities) {
    count_each_up(&mut lock(), handle, wanted);
}

fn count_each_up(borrowed: &mut BTreeMap<(u64, u8), Calls>, handle: u64, wanted: &Capabilities) {
    for one in wanted.iter() {
        let place = (handle, one.0);
        let more = match borrowed.get(&place) {
            Some(Calls::Counted(calls)) => calls + 1,
            Some(Calls::GivenUp) | None => 1,
        };
        borrowed.insert(place, Calls::Counted(more));
    }
}

/// Counts one call less on each of `lent`.
pub(super) fn count_down(handle: u64, lent: &Capabilities) {
    let mut borrowed = lock();
    for one in lent.iter() {
        if let Some(Calls::Counted(calls)) = borrowed.get_mut(&(handle, one.0)) {
            *calls = calls.saturating_sub(1);
        }
    }
}

/// The environments that borrow.
fn handles() -> Vec<u64> {
    let mut handles: Vec<_> = lock().keys().map(|(handle, _)| *handle).collect();
    handles.dedup();
    handles
}

fn lock() -> MutexGuard<'static, BTreeMap<(u64, u8), Calls>> {
    BORROWED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_counts_on_what_is_being_given_up() {
        // Of no environment.
        let handle = u64::MAX;
        let one = Capability::CAN_SUSPEND;
        let wanted: Capabilities = [one].into_iter().collect();
        assert!(!count_if_held(handle, &wanted));
        count_up(handle, &wanted);
        assert!(count_if_held(handle, &wanted));
        count_down(handle, &wanted);
        assert!(begin_to_give_up(handle, &wanted) == Capabilities::empty());
        count_down(handle, &wanted);
        assert!(begin_to_give_up(handle, &wanted) == wanted);
        assert!(!count_if_held(handle, &wanted), "it is being relinquished");
        assert!(unused(handle) == wanted, "it is still told as to be had");
        lock().remove(&(handle, one.0));
    }
}
