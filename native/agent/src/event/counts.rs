//! What became of events.

use std::sync::atomic::{AtomicU64, Ordering};

/// What became of the events that the VM has told of, but for those that were delivered.
#[derive(Default)]
pub(crate) struct Counts {
    filtered: AtomicU64,
    suppressed: AtomicU64,
    lost: AtomicU64,
}

/// Why an event was not delivered.
#[derive(Clone, Copy)]
pub(super) enum Fate {
    /// It was not one of those that are asked for.
    Filtered,
    /// Its thread was in a listener.
    Suppressed,
    /// The listener could not be reached: there was no memory, or no stack.
    Lost,
}

impl Counts {
    pub(super) fn count(&self, fate: Fate) {
        let count = match fate {
            Fate::Filtered => &self.filtered,
            Fate::Suppressed => &self.suppressed,
            Fate::Lost => &self.lost,
        };
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// In this order: filtered, suppressed, lost.
    pub(super) fn all(&self) -> [i64; 3] {
        let all = [&self.filtered, &self.suppressed, &self.lost];
        all.map(|count| count.load(Ordering::Relaxed).cast_signed())
    }
}
