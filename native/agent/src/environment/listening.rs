//! Who is in a listener: no event of his is told, and the VM's end waits for him, for a time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::environment::slots::{self, Me};

/// Whether the VM is about to end.
static ENDING: AtomicBool = AtomicBool::new(false);
/// Woken by who leaves a listener then.
static LEFT: (Mutex<()>, Condvar) = (Mutex::new(()), Condvar::new());

/// A thread's stay in a listener.
#[derive(Debug)]
pub(crate) struct Listening(&'static AtomicBool);

/// Why no listener is told.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Untold {
    /// The thread is in one already.
    Nested,
    /// The VM is about to end.
    Ending,
}

impl Listening {
    #[inline]
    pub(crate) fn begin(me: Me) -> Result<Self, Untold> {
        let place = slots::listening(me);
        if place.swap(true, Ordering::SeqCst) {
            return Err(Untold::Nested);
        }
        let listening = Self(place);
        // Whoever ends the VM looks at the places after he has said so: one of the two sees the other.
        match ENDING.load(Ordering::SeqCst) {
            true => Err(Untold::Ending),
            false => Ok(listening),
        }
    }
}

/// Whether that thread is in a listener: for others.
pub(crate) fn is_in_one(thread: Me) -> bool {
    slots::listens(thread)
}

impl Drop for Listening {
    #[inline]
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
        if ENDING.load(Ordering::SeqCst) {
            announce();
        }
    }
}

#[cold]
fn announce() {
    drop(LEFT.0.lock().unwrap_or_else(PoisonError::into_inner));
    LEFT.1.notify_all();
}

/// No listener is told from here on. Waits for those that are being told by other threads, but not for ever; false: some
/// still are.
pub(crate) fn end(me: Me, patience: Duration) -> bool {
    ENDING.store(true, Ordering::SeqCst);
    let deadline = Instant::now() + patience;
    let mut waiting = LEFT.0.lock().unwrap_or_else(PoisonError::into_inner);
    while slots::any_listens_but(me) {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        let woken = LEFT.1.wait_timeout(waiting, left);
        (waiting, _) = woken.unwrap_or_else(PoisonError::into_inner);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    fn me(number: usize) -> Me {
        Me::new(std::ptr::without_provenance_mut((number + 7_000) << 10))
    }

    /// In one test, for the end is one of the process.
    #[test]
    fn who_listens_is_told_nothing_more_and_the_end_waits_for_him() {
        let (first, other) = (me(1), me(2));
        let listening = Listening::begin(first).unwrap();
        assert_eq!(Listening::begin(first).err(), Some(Untold::Nested));
        assert!(Listening::begin(other).is_ok());
        assert!(end(first, LONG), "nobody waits for himself");
        assert_eq!(Listening::begin(other).err(), Some(Untold::Ending));
        assert!(!end(other, Duration::from_millis(20)), "but not for ever");
        let ends = std::thread::spawn(|| end(me(2), LONG));
        drop(listening);
        assert!(ends.join().unwrap());
        assert_eq!(Listening::begin(first).err(), Some(Untold::Ending));
    }
}
