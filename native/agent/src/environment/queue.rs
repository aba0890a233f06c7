//! Who waits for capabilities that calls of other environments hold, in the order in which they came.
//!
//! Calls that overlap would hold one for ever, each for a moment: who comes later waits behind.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jvmti::sys::Capabilities;

/// How long one stays behind those who came before, and how long the calls may last that they wait for:
/// one that lasts longer may stand still, or be that of a virtual thread that asks for more inside it.
pub(super) const POLITE: Duration = Duration::from_secs(1);

/// How often the bell was rung.
static RUNG: Mutex<u64> = Mutex::new(0);
/// Rung when whoever waits had better ask again: somebody gives something back, or waits no more.
static BELL: Condvar = Condvar::new();

static NEXT: AtomicU64 = AtomicU64::new(0);
static LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Who waits, for which environment and for what.
static WAITING: Mutex<BTreeMap<u64, (u64, Capabilities)>> = Mutex::new(BTreeMap::new());

/// The place of one who asks.
pub(super) struct Place {
    number: u64,
    since: Instant,
}

/// A place, as the steward is told it.
#[derive(Clone, Copy)]
pub(super) struct Behind(Option<u64>);

impl Place {
    /// Behind all others.
    pub(super) fn last() -> Self {
        Self {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            since: Instant::now(),
        }
    }

    /// Whom it stays behind from now on.
    pub(super) fn behind(&self) -> Behind {
        Behind((self.since.elapsed() < POLITE).then_some(self.number))
    }

    /// Waits for `wanted` from now on.
    pub(super) fn wait(&self, handle: u64, wanted: Capabilities) {
        let mut waiting = lock();
        waiting.insert(self.number, (handle, wanted));
        LENGTH.store(waiting.len(), Ordering::SeqCst);
    }

    /// Stands still perhaps: nobody stays behind. Whether somebody did.
    pub(super) fn leave(&self) -> bool {
        let mut waiting = lock();
        let left = waiting.remove(&self.number).is_some();
        LENGTH.store(waiting.len(), Ordering::SeqCst);
        left
    }
}

/// Waits no more: those behind are told.
impl Drop for Place {
    fn drop(&mut self) {
        if self.leave() {
            ring();
        }
    }
}

/// Whoever waits asks again.
pub(super) fn ring() {
    *RUNG.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    BELL.notify_all();
}

/// How often the bell was rung.
pub(super) fn rung() -> u64 {
    *RUNG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until that is more often than `before`, but at most `bound`.
pub(super) fn wait_for_ring(before: u64, bound: Duration) {
    let rung = RUNG.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = BELL.wait_timeout_while(rung, bound, |rung| *rung == before);
    drop(waited.unwrap_or_else(PoisonError::into_inner));
}

/// What of `wanted` somebody waits for who came before, for another environment than `handle`.
pub(super) fn awaited(behind: Behind, handle: u64, wanted: &Capabilities) -> Capabilities {
    let Behind(Some(number)) = behind else {
        return Capabilities::empty();
    };
    let waiting = lock();
    let others = waiting.range(..number).map(|(_, one)| one);
    others
        .filter(|(of, _)| *of != handle)
        .fold(Capabilities::empty(), |all, (_, one)| all.union(one))
        .intersection(wanted)
}

/// Whether somebody may wait for something.
pub(super) fn is_empty() -> bool {
    LENGTH.load(Ordering::SeqCst) == 0
}

fn lock() -> MutexGuard<'static, BTreeMap<u64, (u64, Capabilities)>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use jvmti::sys::Capability;

    use super::*;

    #[test]
    fn who_comes_later_stays_behind_whoever_waits_for_another_environment() {
        // Of no environment.
        let [one, other] = [u64::MAX, u64::MAX - 1];
        let wanted: Capabilities = [Capability::CAN_SUSPEND].into_iter().collect();
        let unlike: Capabilities = [Capability::CAN_POP_FRAME].into_iter().collect();
        let [before, waits, later] = [Place::last(), Place::last(), Place::last()];
        waits.wait(one, wanted);
        assert!(!is_empty());
        assert!(awaited(later.behind(), other, &wanted) == wanted);
        assert!(awaited(later.behind(), other, &unlike).is_empty());
        assert!(awaited(later.behind(), one, &wanted).is_empty(), "its own");
        assert!(awaited(before.behind(), other, &wanted).is_empty());
        waits.leave();
        assert!(awaited(later.behind(), other, &wanted).is_empty());
        waits.wait(one, wanted);
        assert!(awaited(later.behind(), other, &wanted) == wanted);
        drop(waits);
        assert!(awaited(later.behind(), other, &wanted).is_empty());
    }

    #[test]
    fn who_waits_no_more_has_those_behind_ask_again() {
        let wanted: Capabilities = [Capability::CAN_SUSPEND].into_iter().collect();
        let waits = Place::last();
        assert!(!waits.leave(), "nobody stayed behind it");
        waits.wait(u64::MAX - 4, wanted);
        let before = rung();
        drop(waits);
        assert_ne!(rung(), before);
        wait_for_ring(before, Duration::from_secs(3600));
    }

    #[test]
    fn nobody_stays_behind_for_long() {
        let wanted: Capabilities = [Capability::CAN_SUSPEND].into_iter().collect();
        let waits = Place::last();
        waits.wait(u64::MAX - 2, wanted);
        let mut later = Place::last();
        later.since -= POLITE;
        assert!(awaited(later.behind(), u64::MAX - 3, &wanted).is_empty());
    }
}
