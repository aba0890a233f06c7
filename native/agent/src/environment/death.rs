//! The end of the VM.
//!
//! Once the phase is dead every resume is refused, and an exiting thread that is suspended then never
//! comes to the end. So VMDeath, which still is in the live phase, resumes everything, and nothing is
//! suspended after it. Nor is any listener told, and those that are being told it waits for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use jni::sys::JNIEnv;
use jvmti::sys;

use crate::environment::slots::Me;
use crate::environment::{listening, undone};
use crate::failure::{Failure, Outcome};
use crate::vm::{kept_threads, last_moments, steward};

/// How long the VM's end waits; those who resume wait for nobody.
const PATIENCE: Duration = Duration::from_secs(2);

static NEAR: AtomicBool = AtomicBool::new(false);

/// Fails once the VM is about to end.
pub(crate) fn require_far() -> Outcome<()> {
    match NEAR.load(Ordering::SeqCst) {
        true => Err(Failure::Ending),
        false => Ok(()),
    }
}

/// VMDeath, on the exiting thread. It waits in native code, so that it does no harm if that thread is
/// suspended meanwhile: it is resumed with the others.
pub(crate) unsafe extern "system" fn vm_death(_env: *mut sys::Env, jni: *mut JNIEnv) {
    NEAR.store(true, Ordering::SeqCst);
    if steward::running().is_none() {
        return;
    }
    undone::end_the_vm();
    resume_all(steward::owe, PATIENCE);
    // Who was suspended in a listener goes on by now.
    listening::end(Me::new(jni), PATIENCE);
    last_moments::begin();
    steward::wake();
    kept_threads::wake();
    undone::wake_all();
}

/// Has everything resumed by whoever is `owed` it, and waits for that.
fn resume_all(owe: impl FnOnce(Box<dyn FnOnce() + Send>), patience: Duration) {
    let done = Arc::new((Mutex::new(false), Condvar::new()));
    let to = Arc::clone(&done);
    owe(Box::new(move || {
        undone::undo_all();
        *to.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        to.1.notify_all();
    }));
    let waiting = done.0.lock().unwrap_or_else(PoisonError::into_inner);
    drop(done.1.wait_timeout_while(waiting, patience, |done| !*done));
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Instant;

    use super::*;

    #[test]
    fn the_end_comes_when_all_is_resumed() {
        let for_ever = Duration::from_secs(3600);
        resume_all(|deed| drop(thread::spawn(deed)), for_ever);
    }

    #[test]
    fn while_nothing_is_resumed_the_end_waits_but_not_for_ever() {
        let patience = Duration::from_millis(200);
        let began = Instant::now();
        let never_done = drop;
        resume_all(never_done, patience);
        assert!(
            began.elapsed() >= patience,
            "VMDeath returns before all is resumed"
        );
    }
}
