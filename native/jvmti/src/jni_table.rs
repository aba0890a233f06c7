//! JNI Function Interception: the table through which native code calls the VM.

use std::ffi::c_void;
use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::env::{Env, call};
use crate::error::Result;
use crate::memory::{Allocated, out};
use crate::sys;

/// A copy of the functions of JNI that the VM has, or that agents have put in their place: in each slot a function, or
/// `NULL` where one is reserved. It derefs to the slots that are known here; the VM may have more, which are copied with it.
///
/// It cannot outlive its environment:
///
/// ```compile_fail,E0505
/// fn keep_longer_than_its_environment(env: jvmti::OwnedEnv) {
///     let table = env.jni_function_table();
///     drop(env);
///     drop(table);
/// }
/// ```
pub struct JniFunctionTable<'e>(Allocated<'e, *mut c_void>);

impl Env {
    /// A copy of the table of JNI functions. Other agents may change the table at any time.
    ///
    /// Phase: start, live. Capability: none. Errors: none of its own.
    #[doc(alias = "GetJNIFunctionTable")]
    pub fn jni_function_table(&self) -> Result<JniFunctionTable<'_>> {
        // Only the VM knows how long its table is, but each JDK has all that those before it had.
        let length = sys::jni_length(self.major_version()?);
        let block = out(|table| call!(self, GetJNIFunctionTable, table))?;
        // SAFETY: the function succeeded, so the block is ours, with a pointer in each of so many slots.
        let slots = unsafe { Allocated::from_raw(self, block.cast(), length as i32) };
        Ok(JniFunctionTable(slots))
    }

    /// Puts `table` in place of the table of JNI functions, for all threads. HotSpot copies it slot by slot, while native
    /// code goes on calling. What others have changed since the table was copied is lost.
    ///
    /// Phase: start, live. Capability: none. Errors: none of its own.
    ///
    /// # Safety
    ///
    /// In each slot is what was there when the table was copied, or a function of the same type that does what that
    /// does. Each stays where it is for as long as there is a VM.
    #[doc(alias = "SetJNIFunctionTable")]
    pub unsafe fn set_jni_function_table(&self, table: &JniFunctionTable<'_>) -> Result<()> {
        call!(self, SetJNIFunctionTable, table.as_ptr().cast())
    }
}

impl Deref for JniFunctionTable<'_> {
    type Target = [*mut c_void];

    fn deref(&self) -> &[*mut c_void] {
        &self.0
    }
}

impl DerefMut for JniFunctionTable<'_> {
    fn deref_mut(&mut self) -> &mut [*mut c_void] {
        &mut self.0
    }
}

impl fmt::Debug for JniFunctionTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("JniFunctionTable").field(&&**self).finish()
    }
}
