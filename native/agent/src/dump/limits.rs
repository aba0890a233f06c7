//! How far the VM is asked, and until when.

use std::time::Instant;

/// How far the VM is asked.
pub(super) struct Limits {
    /// Until when.
    pub(super) deadline: Option<Instant>,
    /// From this depth on the VM lists none, as `-XX:MaxJavaStackTraceDepth` says.
    pub(super) listed_frames: usize,
    /// No more frames than that of each thread.
    pub(super) depth: usize,
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
}
