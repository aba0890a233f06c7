//! What events carry besides references and numbers, and how that is made of what the VM passes.

use std::ffi::{c_char, c_uchar, c_void};
use std::marker::PhantomData;
use std::{fmt, slice};

use jni::refs::Reference;
use jni::strings::JNIStr;
use jni::sys::{jint, jmethodID, jobject};

use crate::env::Env;
use crate::error::{Error, Result};
use crate::method::MethodId;
use crate::sys;

/// The class file that a class shall have instead of the one that a listener was shown.
pub struct NewClassFile<'l> {
    env: &'l Env,
    place: *mut *mut c_uchar,
    length: *mut jint,
}

impl<'l> NewClassFile<'l> {
    pub(super) fn of(env: &'l Env, place: *mut *mut c_uchar, length: *mut jint) -> Self {
        Self { env, place, length }
    }

    /// Has the class made of `bytes`. The environments after this one are shown those. Of a class of the bootstrap
    /// loader the VM verifies no bytecode before JDK 25.
    ///
    /// # Errors
    ///
    /// As [`Env::allocate`]: the class stays as it was.
    pub fn set(self, bytes: &[u8]) -> Result<()> {
        let length = jint::try_from(bytes.len())
            .map_err(|_| Error::new("Allocate", sys::Error::ILLEGAL_ARGUMENT))?;
        // Of no bytes at all there is a place all the same, or the VM would take it for none.
        let mut memory = self.env.allocate(bytes.len().max(1))?;
        memory[..bytes.len()].copy_from_slice(bytes);
        // SAFETY: the places that the VM has passed for this, which are there until the callback returns; it frees the
        // bytes, which are of its own allocator.
        unsafe {
            *self.length = length;
            *self.place = memory.into_raw();
        }
        Ok(())
    }
}

impl fmt::Debug for NewClassFile<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NewClassFile").finish()
    }
}

/// The address that a native method shall be bound to instead of the one that a listener was shown.
pub struct NewAddress<'l> {
    place: *mut *mut c_void,
    of: PhantomData<&'l ()>,
}

impl NewAddress<'_> {
    pub(super) fn of(place: *mut *mut c_void) -> Self {
        Self {
            place,
            of: PhantomData,
        }
    }

    /// Has the method bound to `address`.
    ///
    /// # Safety
    ///
    /// There is a function of the method's signature, which stays loaded as long as the method's class.
    pub unsafe fn set(self, address: *mut c_void) {
        // SAFETY: the place that the VM has passed for this, which is there until the callback returns.
        unsafe { *self.place = address };
    }
}

impl fmt::Debug for NewAddress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NewAddress").finish()
    }
}

/// A reference that the VM has passed to a callback.
///
/// # Safety
///
/// It is to an object of this type, or null, and belongs to the frame of `jni`.
pub(super) unsafe fn reference<'l, T: Reference>(_: &jni::Env<'l>, raw: jobject) -> T::Kind<'l> {
    // SAFETY: the caller's promise.
    unsafe { T::kind_from_raw(raw) }
}

/// The same of one that may be null.
///
/// # Safety
///
/// As [`reference`].
pub(super) unsafe fn given<'l, T: Reference>(
    jni: &jni::Env<'l>,
    raw: jobject,
) -> Option<T::Kind<'l>> {
    // SAFETY: the caller's promise.
    (!raw.is_null()).then(|| unsafe { reference::<T>(jni, raw) })
}

pub(super) unsafe fn method_if_any(raw: jmethodID) -> Option<MethodId> {
    // SAFETY: the VM has handed it out.
    (!raw.is_null()).then(|| unsafe { MethodId::from_raw(raw) })
}

/// # Safety
///
/// It is null or a text that the VM lends for `'l`.
pub(super) unsafe fn text_if_any<'l>(raw: *const c_char) -> Option<&'l JNIStr> {
    // SAFETY: the caller's promise.
    (!raw.is_null()).then(|| unsafe { JNIStr::from_ptr(raw) })
}

/// # Safety
///
/// As [`text_if_any`].
pub(super) unsafe fn text<'l>(raw: *const c_char) -> &'l JNIStr {
    // SAFETY: the caller's promise.
    unsafe { text_if_any(raw) }.unwrap_or(jni::jni_str!(""))
}

/// # Safety
///
/// It is null or a list of so many that the VM lends for `'l`.
pub(super) unsafe fn list<'l, T>(raw: *const T, length: jint) -> &'l [T] {
    match raw.is_null() {
        true => &[],
        // SAFETY: the caller's promise.
        false => unsafe { slice::from_raw_parts(raw, size(length)) },
    }
}

pub(super) fn size(length: jint) -> usize {
    usize::try_from(length).unwrap_or(0)
}
