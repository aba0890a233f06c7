//! Who counts on which capability of an environment that holds it for calls alone.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jvmti::sys::{Capabilities, Capability};

use crate::environment::gate::{self, Inside, Me};
use crate::environment::{held, queue, undone};
use crate::failure::Outcome;

/// What is held for calls, by environment and capability.
static BORROWED: Mutex<BTreeMap<(u64, u8), Calls>> = Mutex::new(BTreeMap::new());

/// The thread of a call, by its JNI environment. A virtual thread may go on with another one.
pub(super) type Caller = usize;

/// The calls that count on a capability.
enum Calls {
    Counted(Vec<(Caller, Instant)>),
    /// It is being relinquished.
    GivenUp,
}

impl Calls {
    fn are_inside(&self) -> bool {
        self.any(|_| true)
    }

    fn any(&self, which: impl Fn(&(Caller, Instant)) -> bool) -> bool {
        matches!(self, Self::Counted(callers) if callers.iter().any(which))
    }
}

/// What is held for no call, or for calls that give it back when they end: others can have it, at once
/// or soon.
pub(super) fn passing(jni: &mut Env<'_>) -> Outcome<Capabilities> {
    let mut passing = Capabilities::empty();
    for handle in handles() {
        if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle.cast_signed()) {
            passing = passing.union(&passing_of(jni, &env)?);
        }
    }
    Ok(passing)
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
        Some(calls @ Calls::Counted(_)) if !calls.are_inside() => {
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

/// What `env` holds for no call, or for calls that give it back when they end, without what it needs to
/// resume later.
fn passing_of(jni: &mut Env<'_>, env: &Inside) -> Outcome<Capabilities> {
    let mut passing = of(env.handle(), |_| true);
    // What is suspended for a time runs again before the call ends that suspends it.
    if passing.contains(Capability::CAN_SUSPEND) && undone::keeps_until_resumed(jni, env)? {
        passing.remove(Capability::CAN_SUSPEND);
    }
    Ok(passing)
}

/// What `handle` holds and no call counts on.
pub(super) fn unused(handle: u64) -> Capabilities {
    of(handle, |calls| !calls.are_inside())
}

fn of(handle: u64, which: impl Fn(&Calls) -> bool) -> Capabilities {
    let borrowed = lock();
    let of = borrowed.range((handle, u8::MIN)..=(handle, u8::MAX));
    of.filter(|(_, calls)| which(calls))
        .map(|((_, one), _)| Capability(*one))
        .collect()
}

/// Whether a call of `caller` counts on one of `wanted`: what it asks for now, it asks for inside that.
pub(super) fn is_inside(handle: u64, wanted: &Capabilities, caller: Caller) -> bool {
    let is_among = |calls: &Calls| calls.any(|(one, _)| *one == caller);
    !of(handle, is_among).intersection(wanted).is_empty()
}

/// Whether a call that counts on one of `wanted` has been inside for longer than `bound`: perhaps it stands still.
pub(super) fn lasts(handle: u64, wanted: &Capabilities, bound: Duration) -> bool {
    let is_long = |calls: &Calls| calls.any(|(_, since)| since.elapsed() > bound);
    !of(handle, is_long).intersection(wanted).is_empty()
}

/// Counts one call more on each of `wanted`, if all of them are held.
pub(super) fn count_if_held(handle: u64, wanted: &Capabilities, caller: Caller) -> bool {
    let mut borrowed = lock();
    let is_held =
        |one: Capability| matches!(borrowed.get(&(handle, one.0)), Some(Calls::Counted(_)));
    let held = wanted.iter().all(is_held);
    if held {
        count_each_up(&mut borrowed, handle, wanted, caller);
    }
    held
}

/// Counts one call more on each of `wanted`.
pub(super) fn count_up(handle: u64, wanted: &Capabilities, caller: Caller) {
    count_each_up(&mut lock(), handle, wanted, caller);
}

fn count_each_up(
    borrowed: &mut BTreeMap<(u64, u8), Calls>,
    handle: u64,
    wanted: &Capabilities,
    caller: Caller,
) {
    let call = (caller, Instant::now());
    for one in wanted.iter() {
        let calls = borrowed.entry((handle, one.0));
        match calls.or_insert(Calls::GivenUp) {
            Calls::Counted(callers) => callers.push(call),
            calls @ Calls::GivenUp => *calls = Calls::Counted(vec![call]),
        }
    }
}

/// Counts one call less on each of `lent`.
pub(super) fn count_down(handle: u64, lent: &Capabilities, caller: Caller) {
    let mut last = false;
    let mut borrowed = lock();
    for one in lent.iter() {
        if let Some(Calls::Counted(callers)) = borrowed.get_mut(&(handle, one.0)) {
            let place = callers.iter().rposition(|(one, _)| *one == caller);
            // Or a virtual thread's, under another name.
            let any = callers.len().checked_sub(1);
            if let Some(place) = place.or(any) {
                callers.swap_remove(place);
            }
            last |= callers.is_empty();
        }
    }
    drop(borrowed);
    if last {
        queue::ring();
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
        assert!(!count_if_held(handle, &wanted, 1));
        count_up(handle, &wanted, 1);
        assert!(count_if_held(handle, &wanted, 2));
        assert!(is_inside(handle, &wanted, 1) && is_inside(handle, &wanted, 2));
        assert!(lasts(handle, &wanted, Duration::ZERO));
        assert!(!lasts(handle, &wanted, Duration::from_secs(3600)));
        count_down(handle, &wanted, 1);
        assert!(!is_inside(handle, &wanted, 1));
        assert!(begin_to_give_up(handle, &wanted) == Capabilities::empty());
        count_down(handle, &wanted, 3);
        assert!(!is_inside(handle, &wanted, 2), "it has another name now");
        assert!(begin_to_give_up(handle, &wanted) == wanted);
        assert!(
            !count_if_held(handle, &wanted, 1),
            "it is being relinquished"
        );
        assert!(unused(handle) == wanted, "it is still told as to be had");
        lock().remove(&(handle, one.0));
    }
}
