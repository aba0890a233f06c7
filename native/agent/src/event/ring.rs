//! What is recorded and not told yet: so much and no more, and what does not fit is counted.
//!
//! Whoever records is in the middle of a collection, or of whatever else the VM does. The lock is held for moments in which
//! nobody calls the VM: so no thread is ever suspended with it.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many there are room for.
const CAPACITY: usize = 1 << 14;
/// How many are told at a time.
const BATCH: usize = 256;

pub(super) struct Ring<T> {
    state: Mutex<State<T>>,
    /// Rung when there is something to tell, or something was told, or it is closed.
    changed: Condvar,
}

struct State<T> {
    kept: VecDeque<T>,
    /// How many were kept ever, and how many of them have been told.
    recorded: u64,
    told: u64,
    /// Of what there was no room for since that was last asked for.
    lost: Vec<usize>,
    is_closed: bool,
}

/// Some that are to be told, and how many of which kind there was no room for.
pub(super) struct Batch<T> {
    pub(super) records: Vec<T>,
    pub(super) lost: Vec<usize>,
}

impl<T> Ring<T> {
    pub(super) fn new(kinds: usize) -> Self {
        Self::of(CAPACITY, kinds)
    }

    fn of(capacity: usize, kinds: usize) -> Self {
        Self {
            state: Mutex::new(State {
                kept: VecDeque::with_capacity(capacity),
                recorded: 0,
                told: 0,
                lost: vec![0; kinds],
                is_closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// Keeps what is made in its place, if there is room; or whoever makes it is the caller's again. Whatever the VM is asked
    /// for, for making one or for dropping it, is not asked for in here: whoever records in a collection would wait for
    /// somebody who stands still for that.
    #[inline]
    pub(super) fn record<F: FnOnce() -> T>(&self, kind: usize, make: F) -> Option<F> {
        let mut state = self.lock();
        if state.kept.len() == state.kept.capacity() {
            if let Some(lost) = state.lost.get_mut(kind) {
                *lost += 1;
            }
            return Some(make);
        }
        state.kept.push_back(make());
        state.recorded += 1;
        let is_first = state.kept.len() == 1;
        drop(state);
        if is_first {
            self.changed.notify_all();
        }
        None
    }

    /// Waits for some that are to be told, by `rest` once that `is_better`; none once it is closed.
    pub(super) fn next(
        &self,
        is_better: impl Fn() -> bool,
        mut rest: impl FnMut(),
    ) -> Option<Batch<T>> {
        let mut state = self.lock();
        while state.kept.is_empty() && !state.is_closed {
            if is_better() {
                drop(state);
                rest();
                state = self.lock();
                continue;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closed {
            return None;
        }
        let some = state.kept.len().min(BATCH);
        let none = vec![0; state.lost.len()];
        let records = state.kept.drain(..some).collect();
        Some(Batch {
            records,
            lost: std::mem::replace(&mut state.lost, none),
        })
    }

    /// Has who waits for some look how to go on with that.
    pub(super) fn wake(&self) {
        drop(self.lock());
        self.changed.notify_all();
    }

    /// So many of those were told.
    pub(super) fn has_told(&self, some: usize) {
        self.lock().told += some as u64;
        self.changed.notify_all();
    }

    /// Waits until all that was recorded before is told; false: it is not, in that time.
    pub(super) fn flush(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let mut state = self.lock();
        let all = state.recorded;
        while state.told < all && !state.is_closed {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let woken = self.changed.wait_timeout(state, left);
            (state, _) = woken.unwrap_or_else(PoisonError::into_inner);
        }
        true
    }

    /// Nothing is told from here on.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        // Here, and not by whoever records last: it may be a thread of the VM's own.
        let rest = std::mem::take(&mut state.kept);
        drop(state);
        drop(rest);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn what_there_is_no_room_for_is_counted_by_its_kind() {
        let ring = Ring::of(2, 3);
        for kind in [0, 1, 2, 2] {
            assert_eq!(ring.record(kind, || kind).is_none(), kind < 2);
        }
        let batch = ring.next(|| false, || ()).unwrap();
        assert_eq!((batch.records, batch.lost), (vec![0, 1], vec![0, 0, 2]));
        ring.record(1, || 7);
        let batch = ring.next(|| false, || ()).unwrap();
        assert_eq!((batch.records, batch.lost), (vec![7], vec![0; 3]));
    }

    #[test]
    fn once_all_is_told_it_is_filled_from_its_beginning() {
        let ring = Ring::of(8, 1);
        let place = || {
            ring.record(0, || 0);
            let place = ring.lock().kept.as_slices().0.as_ptr();
            assert!(ring.next(|| false, || ()).is_some());
            place
        };
        assert_eq!(place(), place());
    }

    #[test]
    fn whoever_waits_for_some_rests_in_a_better_way_once_there_is_one() {
        let ring = Ring::new(1);
        let rest = || {
            ring.record(0, || 7);
        };
        let batch = ring.next(|| true, rest).unwrap();
        assert_eq!(batch.records, vec![7]);
    }

    #[test]
    fn whoever_flushes_waits_until_all_is_told_but_not_for_ever() {
        let ring = Arc::new(Ring::new(1));
        assert!(ring.flush(LONG), "there is nothing");
        ring.record(0, || 1);
        assert!(!ring.flush(Duration::from_millis(20)));
        let told = Arc::clone(&ring);
        let tells = thread::spawn(move || {
            let batch = told.next(|| false, || ()).unwrap();
            told.has_told(batch.records.len());
        });
        assert!(ring.flush(LONG));
        tells.join().unwrap();
    }

    #[test]
    fn who_waits_is_woken_by_the_first_one_and_by_the_end() {
        let ring = Arc::new(Ring::new(1));
        let waits = Arc::clone(&ring);
        let tells = thread::spawn(move || {
            let mut all = Vec::new();
            while let Some(batch) = waits.next(|| false, || ()) {
                let some = batch.records.len();
                all.extend(batch.records);
                waits.has_told(some);
            }
            all
        });
        for number in 0..1_000 {
            ring.record(0, || number);
        }
        assert!(ring.flush(LONG));
        ring.close();
        assert_eq!(tells.join().unwrap(), (0..1_000).collect::<Vec<_>>());
        ring.record(0, || 1_000);
        assert!(ring.flush(LONG), "nobody will tell it");
    }
}
