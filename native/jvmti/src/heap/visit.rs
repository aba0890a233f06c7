//! Who is shown a heap, and how.

use std::any::Any;
use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{self, AssertUnwindSafe};

use crate::sys::jlong;

/// An object that a walk has come to.
#[derive(Clone, Copy, Debug)]
pub struct HeapObject<'a> {
    /// The tag of its class; 0 for none.
    pub class_tag: i64,
    /// How many bytes it takes.
    pub size: u64,
    /// How many elements it has, if it is an array, where the function tells.
    pub length: Option<u32>,
    /// Its tag, 0 for none, which may be set.
    pub tag: &'a Cell<i64>,
}

impl HeapObject<'_> {
    /// # Safety
    ///
    /// `tag` is the place of a tag for as long as the callback goes on.
    pub(super) unsafe fn new(
        class_tag: jlong,
        size: jlong,
        length: Option<i32>,
        tag: *mut jlong,
    ) -> Self {
        Self {
            class_tag,
            size: size.cast_unsigned(),
            length: length.and_then(|length| u32::try_from(length).ok()),
            // SAFETY: the caller's promise.
            tag: unsafe { place(tag) },
        }
    }
}

/// The place of a tag. Two of one call may be the same.
///
/// # Safety
///
/// It is one, for as long as the callback goes on.
pub(super) unsafe fn place<'a>(tag: *mut jlong) -> &'a Cell<i64> {
    // SAFETY: the caller's promise, and a `Cell` is what it holds; nobody else looks at it, for the VM waits.
    unsafe { &*tag.cast::<Cell<jlong>>() }
}

/// A visitor under way. Nothing may unwind through the VM, so what it panics with is kept.
pub(super) struct Visit<'v, V> {
    visitor: &'v mut V,
    panic: Option<Box<dyn Any + Send>>,
}

impl<'v, V> Visit<'v, V> {
    pub(super) fn new(visitor: &'v mut V) -> Self {
        Self {
            visitor,
            panic: None,
        }
    }

    /// What a walk is given for its callbacks.
    pub(super) fn user_data(&mut self) -> *const c_void {
        (&raw mut *self).cast_const().cast()
    }

    /// Shows the visitor something; `abort` ends the walk.
    ///
    /// # Safety
    ///
    /// `user_data` is that of a `Visit<V>` whose walk goes on.
    pub(super) unsafe fn show<R>(
        user_data: *mut c_void,
        abort: R,
        something: impl FnOnce(&mut V) -> R,
    ) -> R {
        // SAFETY: the caller's promise; a walk calls back on one thread.
        let visit = unsafe { &mut *user_data.cast::<Self>() };
        if visit.panic.is_some() {
            return abort;
        }
        match panic::catch_unwind(AssertUnwindSafe(|| something(visit.visitor))) {
            Ok(answer) => answer,
            Err(panic) => {
                visit.panic = Some(panic);
                abort
            }
        }
    }

    /// The walk is over: panics as the visitor did.
    pub(super) fn end(self) {
        if let Some(panic) = self.panic {
            panic::resume_unwind(panic);
        }
    }
}

/// A visitor that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapCount {
    /// Objects, or references, that it was shown.
    pub count: u64,
    /// How many bytes the objects take, or those that are referred to.
    pub bytes: u64,
}

impl HeapCount {
    pub(super) fn add(&mut self, object: &HeapObject<'_>) {
        self.count += 1;
        self.bytes += object.size;
    }
}
