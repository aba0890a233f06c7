//! Memory Management: what the VM allocates, and out parameters.
//!
//! An out parameter is read, and what it points to is freed, only after success: a function that
//! fails leaves it untouched.

use std::ffi::{CStr, c_char, c_void};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::{Deref, DerefMut};
use std::{ptr, slice};

use jni::strings::{JNIStr, JNIString};
use jni::sys::{jboolean, jfieldID, jint, jmethodID, jobject};

use crate::env::{Env, call};
use crate::error::{Error, Result};
use crate::sys;

/// Text of the VM: modified UTF-8, ended by a zero byte, owned and independent of the environment.
///
/// It derefs to [`JNIStr`]: give it to
/// [`JString::from_jni_str`](jni::objects::JString::from_jni_str) for a Java string, or take
/// [`to_str`](JNIStr::to_str) for a `Cow<str>`. U+0000 and supplementary characters survive both.
/// A VM that hands out something else (a system property in the platform's encoding) is decoded as
/// UTF-8, with U+FFFD for what is not.
pub type MutfString = JNIString;

/// A block of elements that the VM allocated. Dropping it gives it back with `Deallocate`, after
/// whatever its elements own.
///
/// It cannot outlive its environment.
pub(crate) struct Allocated<'e, T: Element> {
    env: &'e Env,
    block: *mut T,
    length: usize,
}

/// Memory of the VM's allocator, zeroed. Dropping it gives it back.
///
/// ```compile_fail,E0505
/// fn keep_longer_than_its_environment(env: jvmti::OwnedEnv) {
///     let memory = env.allocate(10);
///     drop(env);
///     drop(memory);
/// }
/// ```
#[doc(alias = "Deallocate")]
pub struct Memory<'e>(Allocated<'e, u8>);

// SAFETY: bytes that nobody else has, and an environment, which every thread may use.
unsafe impl Send for Memory<'_> {}

impl Env {
    /// So many bytes of the VM's own allocator, all of them 0. May be called from any callback, and
    /// on threads that are not attached.
    ///
    /// Phase: any. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` for more than an address can tell;
    /// `JVMTI_ERROR_OUT_OF_MEMORY` if there is no room for them.
    #[doc(alias = "Allocate")]
    pub fn allocate(&self, length: usize) -> Result<Memory<'_>> {
        let failed = |code| Error::new("Allocate", code);
        let size = isize::try_from(length).map_err(|_| failed(sys::Error::ILLEGAL_ARGUMENT))?;
        let block: *mut u8 = out(|block| call!(self, Allocate, size as i64, block))?;
        if block.is_null() && length > 0 {
            return Err(failed(sys::Error::OUT_OF_MEMORY));
        }
        if !block.is_null() {
            // SAFETY: the VM has just allocated so many bytes there, and nobody else knows of them.
            unsafe { ptr::write_bytes(block, 0, length) };
        }
        Ok(Memory(Allocated {
            env: self,
            block,
            length,
        }))
    }
}

impl Memory<'_> {
    /// Where it is; nobody gives it back now.
    pub(crate) fn into_raw(self) -> *mut u8 {
        ManuallyDrop::new(self).0.block
    }
}

impl Deref for Memory<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Memory<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// What a block can hold: plain C data that the VM has initialised.
///
/// # Safety
///
/// Any bytes that the VM writes are a value of the type, and [`release`](Self::release) frees only
/// what the element owns.
pub(crate) unsafe trait Element: Copy {
    /// Gives back further blocks that the element owns. None, unless it says otherwise.
    ///
    /// # Safety
    ///
    /// Called once, with the environment that allocated it, when the element is used no more.
    unsafe fn release(self, _env: &Env) {}
}

// SAFETY: a number.
unsafe impl Element for u8 {}
// SAFETY: a number.
unsafe impl Element for i64 {}
// SAFETY: a reference, which the JNI frame owns.
unsafe impl Element for jobject {}
// SAFETY: a function, which nobody frees.
unsafe impl Element for *mut c_void {}
// SAFETY: a number to everyone but the VM.
unsafe impl Element for jmethodID {}
// SAFETY: as above.
unsafe impl Element for jfieldID {}
// SAFETY: a reference, which the JNI frame owns, and a number.
unsafe impl Element for sys::jvmtiMonitorStackDepthInfo {}
// SAFETY: two numbers.
unsafe impl Element for sys::jvmtiLineNumberEntry {}
// SAFETY: numbers and pointers; the frames lie in the same block as the element.
unsafe impl Element for sys::jvmtiStackInfo {}

// SAFETY: numbers and pointers to texts, each in a block of its own.
unsafe impl Element for sys::jvmtiLocalVariableEntry {
    unsafe fn release(self, env: &Env) {
        for text in [self.name, self.signature, self.generic_signature] {
            // SAFETY: the caller's promise is the one that is asked for.
            unsafe { deallocate(env, text) };
        }
    }
}

// SAFETY: a pointer to text in a block of its own.
unsafe impl Element for *mut c_char {
    unsafe fn release(self, env: &Env) {
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe { deallocate(env, self) };
    }
}

impl<'e, T: Element> Allocated<'e, T> {
    /// Takes over a block of `count` elements. No block has no elements, whatever the count.
    ///
    /// # Safety
    ///
    /// `block` is `NULL` or was allocated by `env`, nothing else frees it, and it begins with
    /// `count` initialised elements.
    pub(crate) unsafe fn from_raw(env: &'e Env, block: *mut T, count: jint) -> Self {
        let length = if block.is_null() {
            0
        } else {
            usize::try_from(count).unwrap_or(0)
        };
        Self { env, block, length }
    }
}

impl<T: Element> Deref for Allocated<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: `from_raw` was promised so many elements, and they live until drop.
        unsafe { borrow(self.block, self.length) }
    }
}

impl<T: Element> DerefMut for Allocated<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        if self.length == 0 {
            return &mut [];
        }
        // SAFETY: as above, and nobody else has the block.
        unsafe { slice::from_raw_parts_mut(self.block, self.length) }
    }
}

impl<T: Element> Drop for Allocated<'_, T> {
    fn drop(&mut self) {
        for element in self.iter() {
            // SAFETY: once, here; the block dies with this call.
            unsafe { element.release(self.env) };
        }
        // SAFETY: `from_raw` was promised that nothing else frees it.
        unsafe { deallocate(self.env, self.block) };
    }
}

/// A C array as a slice; empty where there is none.
///
/// # Safety
///
/// `first` is `NULL` or begins `length` initialised elements that stay for `'a`.
#[inline]
pub(crate) unsafe fn borrow<'a, T>(first: *const T, length: usize) -> &'a [T] {
    if first.is_null() || length == 0 {
        &[]
    } else {
        // SAFETY: the caller's promise; the VM aligns what it allocates.
        unsafe { slice::from_raw_parts(first, length) }
    }
}

/// Out parameters that are filled in place.
///
/// # Safety
///
/// All-zero bytes are a value of the type, and so is whatever the VM writes.
pub(crate) unsafe trait Out: Copy {}

// SAFETY: numbers, of which every bit pattern is one.
unsafe impl Out for u8 {}
// SAFETY: as above.
unsafe impl Out for i32 {}
// SAFETY: as above.
unsafe impl Out for i64 {}
// SAFETY: as above.
unsafe impl Out for f32 {}
// SAFETY: as above.
unsafe impl Out for f64 {}
// SAFETY: as above.
unsafe impl Out for sys::Phase {}
// SAFETY: as above.
unsafe impl Out for sys::JLocationFormat {}
// SAFETY: as above.
unsafe impl Out for sys::Capabilities {}
// SAFETY: numbers, and a boolean that JNI defines to be 0 or 1.
unsafe impl Out for sys::jvmtiTimerInfo {}
// SAFETY: numbers, pointers, and a boolean that JNI defines to be 0 or 1.
unsafe impl Out for sys::jvmtiThreadInfo {}
// SAFETY: as above.
unsafe impl Out for sys::jvmtiThreadGroupInfo {}
// SAFETY: numbers and pointers.
unsafe impl Out for sys::jvmtiMonitorUsage {}
// SAFETY: NULL is a pointer.
unsafe impl<T> Out for *mut T {}

/// The value that `fill` puts into its out parameter.
#[inline]
pub(crate) fn out<T: Out>(fill: impl FnOnce(*mut T) -> Result<()>) -> Result<T> {
    let mut value = MaybeUninit::zeroed();
    fill(value.as_mut_ptr())?;
    // SAFETY: zero bytes are a `T`, and so is what the VM wrote over them.
    Ok(unsafe { value.assume_init() })
}

/// Whether `fill` says so in its out parameter, of which JNI defines 0 and 1.
pub(crate) fn out_flag(fill: impl FnOnce(*mut jboolean) -> Result<()>) -> Result<bool> {
    let flag: u8 = out(|flag: *mut u8| fill(flag.cast()))?;
    Ok(flag != 0)
}

/// The block that `fill` puts into its out parameters, a count and a pointer.
pub(crate) fn out_array<'e, T: Element>(
    env: &'e Env,
    fill: impl FnOnce(*mut jint, *mut *mut T) -> Result<()>,
) -> Result<Allocated<'e, T>> {
    let mut count = 0;
    let block = out(|block| fill(&raw mut count, block))?;
    // SAFETY: the function succeeded, so the block is ours and holds what it counted.
    Ok(unsafe { Allocated::from_raw(env, block, count) })
}

/// The texts that `fill` puts into its out parameters, copied; each block is given back. `None`
/// where the VM gives none.
pub(crate) fn out_str<const N: usize>(
    env: &Env,
    fill: impl FnOnce([*mut *mut c_char; N]) -> Result<()>,
) -> Result<[Option<MutfString>; N]> {
    let mut texts = [ptr::null_mut(); N];
    fill(texts.each_mut().map(ptr::from_mut))?;
    // SAFETY: the function succeeded, so each is ours: no text, or ended by a zero byte.
    Ok(texts.map(|text| unsafe { take_str(env, text) }))
}

/// A text that the specification promises; empty from a VM that breaks the promise.
pub(crate) fn text(promised: Option<MutfString>) -> MutfString {
    promised.unwrap_or_else(|| MutfString::new(""))
}

/// Copies a text and gives its block back; `None` for `NULL`.
///
/// # Safety
///
/// `text` is `NULL` or a block of `env` that holds a zero byte and that nothing else frees.
pub(crate) unsafe fn take_str(env: &Env, text: *mut c_char) -> Option<MutfString> {
    // SAFETY: the caller's promise; the copy is made before the block goes.
    unsafe {
        let copy = copy_str(text);
        deallocate(env, text);
        copy
    }
}

/// Copies a text; `None` for `NULL`.
///
/// # Safety
///
/// `text` is `NULL` or ends with a zero byte.
pub(crate) unsafe fn copy_str(text: *const c_char) -> Option<MutfString> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    Some(match JNIStr::from_cstr(text) {
        Some(modified) => modified.to_owned(),
        None => MutfString::new(text.to_string_lossy()),
    })
}

/// Gives a block back. Nothing can be done about a refusal, and the VM refuses no block of its own.
///
/// # Safety
///
/// `block` is `NULL` or a block of `env` that nothing uses or frees any more.
pub(crate) unsafe fn deallocate<T>(env: &Env, block: *mut T) {
    if !block.is_null() {
        let _ = call!(env, Deallocate, block.cast());
    }
}
