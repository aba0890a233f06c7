//! One process-wide lock around every change of capabilities.
//!
//! On 17 two threads that change different solo capabilities at once lose one for the life of the
//! VM, so adding, relinquishing and disposing take turns. A thread that is suspended inside such a
//! call keeps its turn until it is resumed; closing therefore waits at most a bound for its own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::environment;

static TAKEN: Mutex<bool> = Mutex::new(false);
static GIVEN_BACK: Condvar = Condvar::new();
static DEFERRED: AtomicBool = AtomicBool::new(false);

/// The turn of one thread.
pub(crate) struct Turn(());

/// Waits for the turn.
pub(crate) fn take() -> Turn {
    let mut taken = lock();
    while *taken {
        taken = GIVEN_BACK
            .wait(taken)
            .unwrap_or_else(PoisonError::into_inner);
    }
    *taken = true;
    Turn(())
}

/// Waits for the turn, at most `bound`. Without it, whoever has the turn now finishes what is
/// closed when giving it back.
pub(crate) fn take_within(bound: Duration) -> Option<Turn> {
    let deadline = Instant::now() + bound;
    let mut taken = lock();
    while *taken {
        let Some(left) = deadline.checked_duration_since(Instant::now()) else {
            defer();
            return None;
        };
        (taken, _) = GIVEN_BACK
            .wait_timeout(taken, left)
            .unwrap_or_else(PoisonError::into_inner);
    }
    *taken = true;
    Some(Turn(()))
}

/// Whoever gives the turn back next finishes what is closed.
pub(crate) fn defer() {
    DEFERRED.store(true, Ordering::SeqCst);
}

impl Drop for Turn {
    fn drop(&mut self) {
        *lock() = false;
        GIVEN_BACK.notify_one();
        if DEFERRED.swap(false, Ordering::SeqCst) {
            environment::finish_deferred();
        }
    }
}

fn lock() -> MutexGuard<'static, bool> {
    TAKEN.lock().unwrap_or_else(PoisonError::into_inner)
}
