//! What an agent panics with goes no further.

use std::any::Any;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What `something` answers; nothing if it panics. To drop what it panicked with may panic, too: what that is stays.
#[inline(always)]
pub(crate) fn caught<T>(something: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(something)).map_err(end).ok()
}

#[cold]
fn end(payload: Box<dyn Any + Send>) {
    let _ = catch_unwind(AssertUnwindSafe(|| drop(payload))).map_err(mem::forget);
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
