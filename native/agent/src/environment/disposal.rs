//! Environments that take the VM long to dispose, for it looks at each of their tags.
//!
//! One thread does that, one environment after the other: others wait for the steward, the end of the
//! VM among them, and there may be as many environments as a program forgets.

use std::collections::VecDeque;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jvmti::OwnedEnv;

use crate::vm::{daemon, image};

static QUEUE: Mutex<Queue> = Mutex::new(Queue {
    waiting: VecDeque::new(),
    is_attended: false,
});

struct Queue {
    waiting: VecDeque<Disposal>,
    /// Whether there is a thread that will look once more.
    is_attended: bool,
}

struct Disposal {
    env: OwnedEnv,
    then: Box<dyn FnOnce() + Send>,
}

/// Whether a thread other than the steward may dispose it. Before 21 that changes what the VM has left of the capabilities that
/// one environment can have, without a lock, though it holds none: nobody would get them any more.
pub(super) fn may_be_apart(env: &jvmti::Env) -> bool {
    image::feature(env).is_ok_and(|feature| feature >= 21)
}

/// Disposes an environment, and does what comes `then`, in the thread for that. Only by the steward.
pub(super) fn begin(env: OwnedEnv, then: impl FnOnce() + Send + 'static) {
    let then = Box::new(then);
    let mut queue = lock();
    queue.waiting.push_back(Disposal { env, then });
    let was_attended = mem::replace(&mut queue.is_attended, true);
    drop(queue);
    if !was_attended {
        attend();
    }
}

fn attend() {
    let begun = daemon::spawn(c"jvmtools-disposal".to_owned(), daemon::become_one, |_| {
        dispose_all()
    });
    if begun.is_err() {
        dispose_all();
    }
}

fn dispose_all() {
    while let Some(next) = next() {
        // Whatever becomes of one: the others wait for this thread.
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let _ = next.env.dispose();
            (next.then)();
        }));
    }
}

/// The thread has done its work if there is none.
fn next() -> Option<Disposal> {
    let mut queue = lock();
    let next = queue.waiting.pop_front();
    queue.is_attended = next.is_some();
    next
}

fn lock() -> MutexGuard<'static, Queue> {
    QUEUE.lock().unwrap_or_else(PoisonError::into_inner)
}
