//! What a higher room keeps with an environment, until the last thread has left it.

use std::any::{Any, TypeId};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Set by who is inside, and taken by who disposes.
pub(crate) struct Attached(AtomicPtr<Attachment>);

struct Attachment {
    /// Of what type it is, which a look tells and not a call.
    of: TypeId,
    value: Box<dyn Any + Send + Sync>,
}

impl Attached {
    pub(super) const fn nothing() -> Self {
        Self(AtomicPtr::new(std::ptr::null_mut()))
    }

    /// For who is inside.
    #[inline]
    pub(super) fn get<T: 'static>(&self) -> Option<&T> {
        // SAFETY: a leaked box, which is taken back only when nobody is inside.
        let attachment = unsafe { self.0.load(Ordering::Acquire).as_ref() }?;
        let value = std::ptr::from_ref(&*attachment.value).cast::<T>();
        // SAFETY: it is of that type.
        (attachment.of == TypeId::of::<T>()).then(|| unsafe { &*value })
    }

    /// Keeps this unless something is kept already. By who is inside.
    pub(super) fn set<T: Any + Send + Sync>(&self, value: T) {
        let new = Box::into_raw(Box::new(Attachment {
            of: TypeId::of::<T>(),
            value: Box::new(value),
        }));
        let none = std::ptr::null_mut();
        let set = self
            .0
            .compare_exchange(none, new, Ordering::AcqRel, Ordering::Acquire);
        if set.is_err() {
            // SAFETY: made here, and nobody has seen it.
            drop(unsafe { Box::from_raw(new) });
        }
    }

    /// Keeps nothing any more. By who disposes, when nobody is inside.
    pub(super) fn clear(&self) {
        let attachment = self.0.swap(std::ptr::null_mut(), Ordering::AcqRel);
        if !attachment.is_null() {
            // SAFETY: a leaked box of `set`, which nobody has any more.
            drop(unsafe { Box::from_raw(attachment) });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn the_first_one_stays_until_it_is_cleared() {
        let (first, second) = (Arc::new(1_u8), Arc::new(2_u8));
        let attached = Attached::nothing();
        assert!(attached.get::<Arc<u8>>().is_none());
        attached.set(Arc::clone(&first));
        attached.set(Arc::clone(&second));
        assert_eq!(attached.get::<Arc<u8>>(), Some(&first));
        assert_eq!(Arc::strong_count(&second), 1, "who came later is not kept");
        assert!(attached.get::<String>().is_none(), "of another kind");
        attached.clear();
        assert!(attached.get::<Arc<u8>>().is_none());
        assert_eq!(Arc::strong_count(&first), 1, "nor who was there");
    }
}
