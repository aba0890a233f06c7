//! How far the VM is asked, and until when.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::parts::Parts;

/// How far the VM is asked.
pub(super) struct Limits {
    /// Until when the threads stand still, if they do.
    pub(super) deadline: Option<Instant>,
    /// For how long the VM is asked for a part that costs, while they go on.
    pub(super) patience: Duration,
    /// From this depth on the VM lists none, as `-XX:MaxJavaStackTraceDepth` says.
    pub(super) listed_frames: usize,
    /// No more frames than that of each thread.
    pub(super) depth: usize,
    /// Not all platform threads are asked for.
    pub(super) are_chosen: bool,
    /// The parts that were not read to their end.
    pub(super) late: Cell<i32>,
}

impl Limits {
    /// Whether a stack of so many frames may have more.
    pub(super) fn cut(&self, frames: usize) -> bool {
        frames >= self.depth
    }

    /// Whether the threads run again, so that what is read now is for nothing.
    pub(super) fn are_past(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() > deadline)
    }

    /// The middle between now and the deadline.
    pub(super) fn half_of_the_rest(&self) -> Option<Instant> {
        let now = Instant::now();
        self.deadline
            .map(|deadline| now + deadline.saturating_duration_since(now) / 2)
    }

    /// It is too late for the rest of `part`. True: and so all is for nothing; false: the others are told.
    pub(super) fn give_up(&self, part: Parts) -> bool {
        self.late.set(self.late.get() | part.0);
        self.deadline.is_some()
    }
}

/// How many threads are asked from one look at what the rest will take to the next.
const BETWEEN_LOOKS: usize = 512;

/// Sees whether there is time to ask more: for threads that stand still, from what it took so far, whether all will be
/// asked in time.
pub(super) struct Forecast {
    began: Instant,
    all: usize,
    deadline: Option<Instant>,
    patience: Duration,
}

impl Forecast {
    /// From now on, that many are asked.
    pub(super) fn of(limits: &Limits, all: usize) -> Self {
        Self {
            began: Instant::now(),
            all,
            deadline: limits.deadline,
            patience: limits.patience,
        }
    }

    /// Whether it is late, or will be, when so many have been asked.
    pub(super) fn is_late(&self, done: usize) -> bool {
        let taken = self.began.elapsed();
        let Some(deadline) = self.deadline else {
            return taken > self.patience;
        };
        let whole = match done % BETWEEN_LOOKS {
            0 if done > 0 => taken.mul_f64(self.all as f64 / done as f64),
            _ => taken,
        };
        self.began + whole > deadline
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{BETWEEN_LOOKS, Forecast};

    #[test]
    fn what_will_take_too_long_is_late_before_the_deadline() {
        let began = Instant::now() - Duration::from_secs(1);
        let forecast = |all, seconds| Forecast {
            began,
            all,
            deadline: Some(began + Duration::from_secs(seconds)),
            patience: Duration::ZERO,
        };
        assert!(forecast(10 * BETWEEN_LOOKS, 9).is_late(BETWEEN_LOOKS));
        assert!(!forecast(10 * BETWEEN_LOOKS, 3600).is_late(BETWEEN_LOOKS));
        // Between looks, and at the first, only what is late already.
        assert!(!forecast(10 * BETWEEN_LOOKS, 9).is_late(BETWEEN_LOOKS + 1));
        assert!(!forecast(10 * BETWEEN_LOOKS, 9).is_late(0));
        assert!(forecast(1, 0).is_late(0));
    }

    #[test]
    fn while_threads_go_on_each_part_has_its_time() {
        let forecast = |seconds| Forecast {
            began: Instant::now() - Duration::from_secs(60),
            all: usize::MAX,
            deadline: None,
            patience: Duration::from_secs(seconds),
        };
        assert!(forecast(59).is_late(1));
        assert!(!forecast(3600).is_late(BETWEEN_LOOKS));
    }
}
