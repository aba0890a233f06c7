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
    if may_join(handle, &wanted, caller) && loans::count_if_held(handle, &wanted, caller) {
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

/// Whether a call need not stay behind those who wait.
fn may_join(handle: u64, wanted: &Capabilities, caller: loans::Caller) -> bool {
    queue::is_empty()
        || loans::is_inside(handle, wanted, caller)
        || loans::lasts(handle, wanted, queue::POLITE)
        // Others are refused until it has resumed, which this call may be about to do.
        || undone::may_keep_until_resumed(handle)
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

#[cfg(test)]
mod tests {
    use jvmti::sys::Capability;

    use super::*;
    use crate::environment::undone::Undone;

    // Of no environment.
    const KEEPS: u64 = u64::MAX - 10;
    const OTHER: u64 = u64::MAX - 11;

    struct Suspended;

    impl Undone for Suspended {
        fn may_keep_until_resumed(&self, handle: u64) -> bool {
            handle == KEEPS
        }
    }

    #[test]
    fn who_has_suspended_resumes_before_those_who_wait() {
        undone::name(&[&Suspended]);
        // No other test waits for it.
        let wanted: Capabilities = [Capability::CAN_SIGNAL_THREAD].into_iter().collect();
        let waits = queue::Place::last();
        waits.wait(u64::MAX - 12, wanted);
        assert!(!may_join(OTHER, &wanted, 1));
        assert!(
            may_join(KEEPS, &wanted, 1),
            "it waits behind those who wait until it has resumed"
        );
        loans::count_up(OTHER, &wanted, 1);
        assert!(may_join(OTHER, &wanted, 1), "it is inside already");
        loans::count_down(OTHER, &wanted, 1);
    }
}
