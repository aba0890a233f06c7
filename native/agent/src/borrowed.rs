//! Capabilities that an environment holds only while calls that need them are inside, and
//! `can_suspend` as long as threads are suspended: who has suspended can resume.
//!
//! Several threads may need the same one at once: the first has the steward acquire it, the last has
//! him give it back. Those between them only count.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jni::Env;
use jvmti::sys::{Capabilities, Capability};

use crate::changes;
use crate::failure::{Failure, Outcome};
use crate::gate::{self, Inside, Me};
use crate::{ledger, startup, steward, suspension};

/// What is held for calls, by environment and capability.
static BORROWED: Mutex<BTreeMap<(u64, u8), Calls>> = Mutex::new(BTreeMap::new());

/// How many calls count on a capability.
enum Calls {
    Counted(u32),
    /// It is being relinquished.
    GivenUp,
}

/// Makes `env` hold `wanted` until as many [`give_back`].
pub(crate) fn borrow(jni: &Env<'_>, env: &Inside, wanted: Capabilities) -> Outcome<()> {
    let handle = env.handle();
    if count_if_held(handle, &wanted) {
        return Ok(());
    }
    steward::ask(
        jni,
        move |jni| {
            changes::grant(jni, handle.cast_signed(), &wanted)?;
            let mut borrowed = lock();
            for one in wanted.iter() {
                count_up(&mut borrowed, (handle, one.0));
            }
            Ok(())
        },
        move |jni, ()| {
            count_down(handle, &wanted);
            let _ = settle(jni, handle);
        },
    )
}

/// Counts a [`borrow`] of `lent` down, and has relinquished what nobody counts on any more.
pub(crate) fn give_back(jni: &Env<'_>, handle: u64, lent: Capabilities) -> Outcome<()> {
    count_down(handle, &lent);
    let idle = !unused(handle).is_empty();
    if !idle || ledger::may_hold(handle) || suspension::is_under_way(handle) {
        return Ok(());
    }
    match steward::have_done(jni, move |jni| settle(jni, handle)) {
        // It is owed, and no reason to say that the caller's own deed had failed.
        Err(Failure::Stalled(_)) => Ok(()),
        done => done,
    }
}

/// What is held for no call, and could be given to another environment.
pub(crate) fn idle(jni: &mut Env<'_>) -> Outcome<Capabilities> {
    let mut idle = Capabilities::empty();
    for handle in handles() {
        if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle.cast_signed()) {
            idle = idle.union(&free_of(jni, &env)?);
        }
    }
    Ok(idle)
}

/// Relinquishes what of `wanted` is held for no call. Only by the steward.
pub(crate) fn reclaim(jni: &mut Env<'_>, wanted: &Capabilities) -> Outcome<()> {
    for handle in handles() {
        if !unused(handle).intersection(wanted).is_empty() {
            settle(jni, handle)?;
        }
    }
    Ok(())
}

/// Relinquishes what `handle` holds for no call. Only by the steward.
fn settle(jni: &mut Env<'_>, handle: u64) -> Outcome<()> {
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
    startup::take_back();
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
    if unused.contains(Capability::CAN_SUSPEND) && changes::keeps_suspended(jni, env)? {
        unused.remove(Capability::CAN_SUSPEND);
    }
    Ok(unused)
}

/// What `handle` holds and no call counts on.
fn unused(handle: u64) -> Capabilities {
    let borrowed = lock();
    let of = borrowed.range((handle, u8::MIN)..=(handle, u8::MAX));
    of.filter(|(_, calls)| !matches!(calls, Calls::Counted(1..)))
        .map(|((_, one), _)| Capability(*one))
        .collect()
}

fn count_if_held(handle: u64, wanted: &Capabilities) -> bool {
    let mut borrowed = lock();
    let is_held =
        |one: Capability| matches!(borrowed.get(&(handle, one.0)), Some(Calls::Counted(_)));
    let held = wanted.iter().all(is_held);
    if held {
        for one in wanted.iter() {
            count_up(&mut borrowed, (handle, one.0));
        }
    }
    held
}

fn count_up(borrowed: &mut BTreeMap<(u64, u8), Calls>, place: (u64, u8)) {
    let more = match borrowed.get(&place) {
        Some(Calls::Counted(calls)) => calls + 1,
        Some(Calls::GivenUp) | None => 1,
    };
    borrowed.insert(place, Calls::Counted(more));
}

fn count_down(handle: u64, lent: &Capabilities) {
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
