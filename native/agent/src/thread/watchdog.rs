//! The thread that resumes what was suspended for a time: when its action has ended, or its deadline
//! has passed.
//!
//! It alone resumes them, so that each is resumed once and nobody resumes late what was suspended
//! after it; and nobody can suspend it. It calls ResumeThreadList and nothing else: it allocates
//! nothing, logs nothing, and takes no lock that anybody holds across a call into the VM. It waits for nobody but the
//! steward while he writes to a thread or has it leave a frame, and with a bound.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Global;

use crate::failure::{Failure, Outcome};
use crate::thread::resumptions::ResumingUnnamed;
use crate::thread::schedule::Schedule;
use crate::thread::suspended::Suspension;
use crate::vm::daemon::Daemon;
use crate::vm::last_moments;
use crate::vm::patience::{Patience, ROUND};
use crate::vm::steward::pass_through_vm;

static WATCHDOG: Daemon = Daemon::new(c"jvmtools-watchdog", watch_for_ever);
static WATCHED: Mutex<Schedule<Arc<Suspension>>> = Mutex::new(Schedule::new());
/// Rung when something is to be resumed earlier than was known.
static BELL: Condvar = Condvar::new();
/// How much it has done: grows with each suspension that is over, and with each part of a long one.
static DONE: AtomicU64 = AtomicU64::new(0);

/// The watchdog's thread, which is started if it is not there yet.
pub(crate) fn thread() -> Outcome<&'static Global<JThread<'static>>> {
    WATCHDOG.thread()
}

/// Ends `suspension` at `deadline`, unless [`end`] comes first.
pub(crate) fn watch(deadline: Instant, suspension: Arc<Suspension>) {
    lock().add(suspension.token(), deadline, suspension);
    BELL.notify_one();
}

/// Ends the suspension `token` and waits until that is done; false: it was over before, because it
/// took too long.
pub(crate) fn end(jni: &Env<'_>, token: i64) -> Outcome<bool> {
    let Some(suspension) = end_soon(token) else {
        return Ok(false);
    };
    let mut patience = Patience::new(done());
    loop {
        if suspension.wait_until_all_run(ROUND) {
            return Ok(suspension.ended_in_time());
        }
        // What this thread is to throw waits until it is over.
        let _ = pass_through_vm(jni);
        if patience.is_over(done()) {
            return Err(stalled());
        }
    }
}

/// It has not resumed what it should.
pub(super) fn stalled() -> Failure {
    Failure::Stalled(
        "jvmtools-watchdog, the thread of the library that resumes, has not done so for seconds, \
         and what is suspended for a time stands until it does: it has more to do than it can, or \
         another tool has suspended it, which has to resume it"
            .to_owned(),
    )
}

/// Has the suspension `token` ended.
pub(crate) fn end_soon(token: i64) -> Option<Arc<Suspension>> {
    let mut watched = lock();
    let suspension = Arc::clone(watched.hasten(token, Instant::now())?);
    suspension.end_in_time();
    drop(watched);
    BELL.notify_one();
    Some(suspension)
}

/// Has every suspension that `which` names ended, too early for its action, and waits for that at
/// most `bound`. Only by the steward, so that there are no more of them meanwhile.
pub(crate) fn expire(bound: Duration, which: impl Fn(&Suspension) -> bool) -> bool {
    let now = Instant::now();
    let mut ending = suspensions();
    ending.retain(|one| which(one));
    for one in &ending {
        lock().hasten(one.token(), now);
    }
    BELL.notify_one();
    ending
        .iter()
        .all(|one| one.wait_until_over(bound.saturating_sub(now.elapsed())))
}

/// What is suspended for a time, and is not over.
pub(crate) fn suspensions() -> Vec<Arc<Suspension>> {
    lock().all().map(Arc::clone).collect()
}

fn watch_for_ever(jni: &mut Env<'_>) {
    let mut watched = lock();
    loop {
        let now = Instant::now();
        match watched.first() {
            Some((due, suspension)) if due <= now => {
                let suspension = Arc::clone(suspension);
                let_go(watched, suspension, a_part);
                watched = lock();
            }
            _ if last_moments::have_begun() => {
                drop(watched);
                last_moments::rest(jni, last_moments::MOMENT);
                watched = lock();
            }
            Some((due, _)) => {
                let left = due - now;
                (watched, _) = BELL
                    .wait_timeout(watched, left)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            None => watched = BELL.wait(watched).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

/// For the last moments of the VM.
pub(crate) fn wake() {
    drop(lock());
    BELL.notify_all();
}

/// Ends `suspension`, which is due.
fn let_go(
    watched: MutexGuard<'_, Schedule<Arc<Suspension>>>,
    suspension: Arc<Suspension>,
    a_part: impl Fn(&mut dyn FnMut()),
) {
    suspension.begin_to_end();
    drop(watched);
    // Whatever becomes of it: all others that are suspended wait for this thread.
    let _ = catch_unwind(AssertUnwindSafe(|| suspension.resume(a_part)));
    let removed = lock().remove(suspension.token());
    go_on();
    suspension.tell_over();
    // Not under the lock, should it be the last to know of it.
    drop((removed, suspension));
}

fn done() -> u64 {
    DONE.load(Ordering::SeqCst)
}

/// Resumes a part of them, but none that the steward is just writing to.
fn a_part(resume: &mut dyn FnMut()) {
    let resuming = ResumingUnnamed::begin();
    resume();
    drop(resuming);
    go_on();
}

/// A part of what takes long is done.
fn go_on() {
    DONE.fetch_add(1, Ordering::SeqCst);
}

fn lock() -> MutexGuard<'static, Schedule<Arc<Suspension>>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;
    use crate::thread::resumptions::{ALONE, Pinned};
    use crate::thread::suspended::on_paper::{inside, suspended, threads};
    use crate::vm::paper::with_jni;

    #[test]
    fn an_action_that_ends_while_its_threads_are_resumed_has_taken_too_long() {
        with_jni(|jni| {
            let env = inside();
            let one = suspended(jni, &env, &[1, 2]);
            let parts = AtomicU64::new(0);
            let_go(lock(), Arc::clone(&one), |part| {
                part();
                one.end_in_time();
                parts.fetch_add(1, Ordering::SeqCst);
            });
            assert!(parts.into_inner() > 0);
            assert!(one.wait_until_all_run(Duration::ZERO));
            assert!(
                !one.ended_in_time(),
                "told as in time, though its threads ran before it ended"
            );
        });
    }

    #[test]
    fn an_action_that_ends_before_they_are_resumed_was_in_time() {
        with_jni(|jni| {
            let env = inside();
            let one = suspended(jni, &env, &[1, 2]);
            one.end_in_time();
            let_go(lock(), Arc::clone(&one), |part| part());
            assert!(one.ended_in_time());
        });
    }

    #[test]
    fn a_panic_while_some_are_resumed_keeps_no_others_suspended() {
        with_jni(|jni| {
            let env = inside();
            let one = suspended(jni, &env, &[1, 2]);
            let_go(lock(), Arc::clone(&one), |_| panic!("of a resumption"));
            assert!(one.wait_until_all_run(Duration::ZERO));
        });
    }

    #[test]
    fn nobody_is_resumed_whom_the_steward_writes_to() {
        const LONGER_THAN_HE_MAY_LOOK: Duration = Duration::from_millis(200);
        let _one_at_a_time = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        with_jni(|jni| {
            let env = inside();
            let one = suspended(jni, &env, &[1]);
            let pinned = Pinned::now(jni, &threads(jni, &[1])[0]).unwrap().unwrap();
            assert!(pinned.asks());
            let (resumed, told) = mpsc::channel();
            let steward = thread::spawn(move || {
                let early = told.recv_timeout(LONGER_THAN_HE_MAY_LOOK);
                drop(pinned);
                early.is_ok()
            });
            let_go(lock(), one, a_part);
            let _ = resumed.send(());
            assert!(!steward.join().unwrap(), "it was resumed meanwhile");
        });
    }
}
