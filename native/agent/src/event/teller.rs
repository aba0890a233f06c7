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
/// How long they are waited for: somebody may have suspended them.
const PATIENCE: Duration = Duration::from_millis(100);

thread_local! {
    /// For which environment this thread tells; 0: for none.
    static TELLS: Cell<u64> = const { Cell::new(0) };
}

/// For which environment the thread tells that ends the VM.
static ENDING: AtomicU64 = AtomicU64::new(0);

/// How many there are.
static ALL: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// Of each thread that is there, until it is detached, or may have other work.
struct There(());

impl There {
    fn begin() -> Self {
        *count() += 1;
        Self(())
    }
}

impl Drop for There {
    fn drop(&mut self) {
        *count() -= 1;
        ALL.1.notify_all();
    }
}

/// Has a thread do the telling for that environment until it is closed; so many are open.
pub(super) fn begin(
    handle: u64,
    open: impl Fn() -> usize,
    tell: impl FnOnce(&mut Env<'_>) + Send + 'static,
) -> Outcome<()> {
    let many = |all: &mut usize| all.saturating_sub(open()) >= LEAVING;
    drop(ALL.1.wait_timeout_while(count(), PATIENCE, many));
    let there = There::begin();
    let who = move || TELLS.set(handle);
    daemon::spawn(NAME.to_owned(), who, move |jni| {
        tell(jni);
        there
    })
}

fn count() -> MutexGuard<'static, usize> {
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
