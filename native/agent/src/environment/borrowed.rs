//! Capabilities that an environment holds only while calls that need them are inside, and
//! `can_suspend` as long as threads are suspended: who has suspended can resume.
//!
//! Several threads may need the same one at once: the first has the steward acquire it, the last has
//! him give it back. Those between them only count.

use jni::Env;
use jvmti::sys::Capabilities;

use crate::environment::gate::Inside;
use crate::environment::{changes, loans, queue, undone};
use crate::failure::{Failure, Outcome};
use crate::vm::steward;

/// Makes `env` hold `wanted` until as many [`give_back`].
pub(crate) fn borrow(jni: &Env<'_>, env: &Inside, wanted: Capabilities) -> Outcome<()> {
    let (handle, caller) = (env.handle(), caller(jni));
    let may_join = queue::is_empty()
        || loans::is_inside(handle, &wanted, caller)
        || loans::lasts(handle, &wanted, queue::POLITE)
        // Others are refused until it has resumed, which this call may be about to do.
        || undone::may_keep_until_resumed(handle);
    if may_join && loans::count_if_held(handle, &wanted, caller) {
        return Ok(());
    }
    changes::obtain(
        jni,
        handle,
        wanted,
        move |_| loans::count_up(handle, &wanted, caller),
        move |jni, ()| {
            loans::count_down(handle, &wanted, caller);
            let _ = loans::settle(jni, handle);
        },
    )
}

/// Counts a [`borrow`] of `lent` down, and has relinquished what nobody counts on any more.
pub(crate) fn give_back(jni: &Env<'_>, handle: u64, lent: Capabilities) -> Outcome<()> {
    loans::count_down(handle, &lent, caller(jni));
    let idle = !loans::unused(handle).is_empty();
    if !idle || undone::may_keep_suspended(handle) {
        return Ok(());
    }
    match steward::have_done(jni, move |jni| loans::settle(jni, handle)) {
        // It is owed, and no reason to say that the caller's own deed had failed.
        Err(Failure::Stalled(_)) => Ok(()),
        done => done,
    }
}

fn caller(jni: &Env<'_>) -> loans::Caller {
    jni.get_raw().addr()
}
