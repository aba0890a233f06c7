//! What an agent panics with goes no further.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `something` answers; nothing if it panics. What it panicked with stays, for to drop that may panic, too.
#[inline(always)]
pub(crate) fn caught<T>(something: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(something))
        .map_err(mem::forget)
        .ok()
}

#[cfg(test)]
mod tests {
    use std::panic;

    use super::caught;

    struct Panics;

    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("when it is dropped");
        }
    }

    #[test]
    fn what_something_panicked_with_is_not_dropped() {
        assert_eq!(caught(|| 1), Some(1));
        assert_eq!(caught(|| -> u8 { panic::panic_any(Panics) }), None);
    }
}
