//! The thread that resumes what was suspended for a time: when its action has ended, or its deadline
//! has passed.
//!
//! It alone resumes them, so that each is resumed once and nobody resumes late what was suspended
//! after it; and nobody can suspend it. It calls ResumeThreadList and nothing else: it allocates
//! nothing, logs nothing, and takes no lock that anybody holds across a call into the VM.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Global;

use crate::failure::{Failure, Outcome};
use crate::thread::suspended::Suspension;
use crate::vm::daemon::Daemon;
use crate::vm::steward::pass_through_vm;

/// How long to wait for it, and how often the one who waits passes the VM meanwhile.
const ROUNDS: u32 = 10;
const ROUND: Duration = Duration::from_millis(500);

static WATCHDOG: Daemon = Daemon::new(c"jvmtools-watchdog", watch_for_ever);
static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());
/// Rung when something is to be resumed earlier than was known.
static BELL: Condvar = Condvar::new();
/// Rung when something is over.
static OVER: Condvar = Condvar::new();

/// A suspension, and when it is to end.
struct Watched {
    due: Instant,
    suspension: Arc<Suspension>,
}

/// The watchdog's thread, which is started if it is not there yet.
pub(crate) fn thread() -> Outcome<&'static Global<JThread<'static>>> {
    WATCHDOG.thread()
}

/// Ends `suspension` at `deadline`, unless [`end`] comes first.
pub(crate) fn watch(deadline: Instant, suspension: Arc<Suspension>) {
    lock().push(Watched {
        due: deadline,
        suspension,
    });
    BELL.notify_one();
}

/// Ends the suspension `token` and waits until that is done; false: it was over before, because it
/// took too long.
pub(crate) fn end(jni: &Env<'_>, token: i64) -> Outcome<bool> {
    let Some(suspension) = end_soon(token) else {
        return Ok(false);
    };
    for _ in 0..ROUNDS {
        let is_under_way = |watched: &[Watched]| {
            watched.iter().any(|one| one.is(token)) || suspension.has_some_apart()
        };
        if wait_while(ROUND, is_under_way) {
            return Ok(suspension.ended_in_time());
        }
        // What this thread is to throw waits until it is over.
        let _ = pass_through_vm(jni);
    }
    Err(stalled())
}

/// It has not resumed what it should.
pub(super) fn stalled() -> Failure {
    Failure::Stalled(
        "jvmtools-watchdog, the thread of the library that resumes, has not done so for seconds; \
         another tool may have suspended it"
            .to_owned(),
    )
}

/// Has the suspension `token` ended.
pub(crate) fn end_soon(token: i64) -> Option<Arc<Suspension>> {
    let mut watched = lock();
    let one = watched.iter_mut().find(|one| one.is(token))?;
    one.suspension.end_in_time();
    one.due = Instant::now();
    BELL.notify_one();
    Some(Arc::clone(&one.suspension))
}

/// Has every suspension that `which` names ended, too early for its action, and waits for that at
/// most `bound`.
pub(crate) fn expire(bound: Duration, which: impl Fn(&Suspension) -> bool) -> bool {
    for one in lock().iter_mut().filter(|one| which(&one.suspension)) {
        one.due = Instant::now();
    }
    BELL.notify_one();
    wait_while(bound, |watched| {
        watched.iter().any(|one| which(&one.suspension))
    })
}

/// What is suspended for a time, and is not over.
pub(crate) fn suspensions() -> Vec<Arc<Suspension>> {
    let watched = lock();
    let suspensions = watched.iter().map(|one| &one.suspension);
    suspensions.map(Arc::clone).collect()
}

/// Waits until `suspension` is over, but at most `bound`; whether it is.
pub(crate) fn wait_for(suspension: &Suspension, bound: Duration) -> bool {
    let token = suspension.token();
    wait_while(bound, |watched| watched.iter().any(|one| one.is(token)))
}

/// Whoever waits until something is over looks again.
pub(super) fn look_again() {
    // Nobody is between looking and waiting.
    drop(lock());
    OVER.notify_all();
}

/// False: `bound` has passed.
fn wait_while(bound: Duration, condition: impl Fn(&[Watched]) -> bool) -> bool {
    let waited = OVER.wait_timeout_while(lock(), bound, |watched| condition(watched));
    !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
}

fn watch_for_ever(_: &mut Env<'_>) {
    let mut watched = lock();
    loop {
        let now = Instant::now();
        match watched.iter().min_by_key(|one| one.due) {
            Some(next) if next.due <= now => {
                let suspension = Arc::clone(&next.suspension);
                suspension.begin_to_end();
                drop(watched);
                suspension.resume();
                let token = suspension.token();
                // Not under the lock, should it be the last to know of it.
                drop(suspension);
                watched = lock();
                let at = watched.iter().position(|one| one.is(token));
                let done = at.map(|at| watched.swap_remove(at));
                drop(watched);
                OVER.notify_all();
                drop(done);
                watched = lock();
            }
            Some(next) => {
                let left = next.due - now;
                (watched, _) = BELL
                    .wait_timeout(watched, left)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            None => watched = BELL.wait(watched).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

impl Watched {
    fn is(&self, token: i64) -> bool {
        self.suspension.token() == token
    }
}

fn lock() -> MutexGuard<'static, Vec<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}
