//! The threads that tell what is recorded, one for each environment.

use std::cell::Cell;
use std::ffi::CStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jni::Env;

use crate::failure::Outcome;
use crate::vm::daemon;

const NAME: &CStr = c"jvmtools-events";

/// So many may be on their way out: who opens and closes without pause would have thousands of them on a busy machine.
const LEAVING: usize = 16;
/// How long they are waited for, once: somebody may have suspended them, or a listener may never return.
const PATIENCE: Duration = Duration::from_millis(100);

thread_local! {
    /// For which environment this thread tells; 0: for none.
    static TELLS: Cell<u64> = const { Cell::new(0) };
}

/// For which environment the thread tells that ends the VM.
static ENDING: AtomicU64 = AtomicU64::new(0);

static ALL: (Mutex<All>, Condvar) = (Mutex::new(All::NONE), Condvar::new());

struct All {
    threads: usize,
    /// So many on their way out were waited for in vain.
    stuck: usize,
}

impl All {
    const NONE: Self = Self {
        threads: 0,
        stuck: 0,
    };

    /// Whether too many are on their way out, where so many environments are `open`.
    fn are_many(&mut self, open: usize) -> bool {
        let leaving = self.threads.saturating_sub(open);
        self.stuck = self.stuck.min(leaving);
        leaving >= LEAVING + self.stuck
    }

    fn give_up(&mut self, open: usize) {
        self.stuck = self.threads.saturating_sub(open);
    }

    fn leave(&mut self) {
        self.threads -= 1;
    }
}

/// Of each thread that is there, until it is detached, or may have other work.
struct There(());

impl There {
    fn begin() -> Self {
        all().threads += 1;
        Self(())
    }
}

impl Drop for There {
    fn drop(&mut self) {
        all().leave();
        ALL.1.notify_all();
    }
}

/// Who wants another one, where so many environments are `open`, waits a moment if many are on their way out.
pub(super) fn make_room(open: impl Fn() -> usize) {
    let waited = ALL
        .1
        .wait_timeout_while(all(), PATIENCE, |all| all.are_many(open()));
    let (mut all, waited) = waited.unwrap_or_else(PoisonError::into_inner);
    if waited.timed_out() {
        all.give_up(open());
    }
}

/// Has a thread do the telling for that environment until it is closed.
pub(super) fn begin(handle: u64, tell: impl FnOnce(&mut Env<'_>) + Send + 'static) -> Outcome<()> {
    let there = There::begin();
    let who = move || TELLS.set(handle);
    daemon::spawn(NAME.to_owned(), who, move |jni| {
        tell(jni);
        there
    })
}

fn all() -> MutexGuard<'static, All> {
    ALL.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// For which environment the calling thread tells; 0: for none.
pub(super) fn tells() -> u64 {
    TELLS.try_with(Cell::get).unwrap_or(0)
}

/// The calling thread is about to end the VM.
pub(super) fn end_the_vm() {
    ENDING.store(tells(), Ordering::SeqCst);
}

/// Whether it is the one for that environment who does.
pub(super) fn ends_the_vm(handle: u64) -> bool {
    ENDING.load(Ordering::SeqCst) == handle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_never_leave_are_waited_for_once() {
        let mut all = All::NONE;
        all.threads = 30;
        assert!(all.are_many(10));
        all.give_up(10);
        assert!(!all.are_many(10));
        all.threads += LEAVING;
        assert!(all.are_many(10), "others leave as well");
        for _ in 0..all.threads - 12 {
            all.leave();
        }
        assert!(!all.are_many(10));
        all.threads += LEAVING;
        assert!(all.are_many(10), "those who were stuck have left");
    }

    #[test]
    fn who_has_left_late_is_not_stuck_because_others_are_open() {
        let mut all = All::NONE;
        all.threads = 1_000 + LEAVING;
        all.give_up(1_000);
        for _ in 0..LEAVING {
            all.leave();
        }
        assert!(!all.are_many(1_000));
        all.threads += LEAVING;
        assert!(all.are_many(1_000));
    }
}
