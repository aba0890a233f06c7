//! For how long one waits for another thread of ours.

use std::time::Duration;

/// How long one waits while nothing goes on.
pub(crate) const LONG: Duration = Duration::from_secs(5);
/// How often he passes the VM meanwhile.
pub(crate) const ROUND: Duration = Duration::from_millis(500);
const ROUNDS: u32 = (LONG.as_millis() / ROUND.as_millis()) as u32;

/// Messages and Javadoc say so.
const _: () = assert!(LONG.as_secs() == 5);

/// Of one who waits: the rounds in which nothing went on. What is on its way is not without end.
pub(crate) struct Patience {
    left: u32,
    progress: u64,
}

impl Patience {
    /// Of one who begins to wait when so much is done.
    pub(crate) fn new(progress: u64) -> Self {
        Self {
            left: ROUNDS,
            progress,
        }
    }

    /// Of one who comes after another has lost his, while nothing more is done.
    pub(crate) fn short(progress: u64) -> Self {
        Self { left: 1, progress }
    }

    /// Whether that was the last round, at the end of which so much is done.
    pub(crate) fn is_over(&mut self, progress: u64) -> bool {
        if self.progress == progress {
            self.left -= 1;
        }
        self.progress = progress;
        self.left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rounds_in_which_nothing_goes_on_wear_patience_out() {
        let mut patience = Patience::new(7);
        let mut done = 7;
        for _ in 1..ROUNDS {
            assert!(!patience.is_over(done));
            done += 1;
            assert!(!patience.is_over(done), "something is done meanwhile");
        }
        assert!(patience.is_over(done));
    }
}
