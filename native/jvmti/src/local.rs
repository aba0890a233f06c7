//! Local Variable: what a frame keeps in its slots.

use std::ptr;

use jni::objects::{JObject, JThread};
use jni::sys::jobject;

use crate::env::{self, Env, call, local, or_current};
use crate::error::{Error, Result};
use crate::memory::out;
use crate::sys;

impl Env {
    /// The reference that a frame of `thread`, or of the current thread, keeps in `slot`; `None` for
    /// `null`. The innermost frame is at depth 0. Which slot is which variable, and from where to
    /// where, [`local_variable_table`](Self::local_variable_table) says.
    ///
    /// The thread may be virtual. It must be suspended or the current one; HotSpot before 21 reads
    /// from a running thread, too, wherever it happens to be.
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_SLOT` if the frame has no such slot, or nothing in it at this location;
    /// `JVMTI_ERROR_TYPE_MISMATCH` if what it holds is of another type, as far as the VM can tell:
    /// without a table of variables, HotSpot reads a primitive of one type as another; for the
    /// second half of a `long` or `double`, one of these two. `JVMTI_ERROR_OPAQUE_FRAME` for a native
    /// method, `JVMTI_ERROR_NO_MORE_FRAMES` if the stack is not so deep;
    /// `JVMTI_ERROR_THREAD_NOT_SUSPENDED`; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`;
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null, `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "GetLocalObject")]
    pub fn local_object<'l>(
        &self,
        jni: &jni::Env<'l>,
        thread: Option<&JThread<'_>>,
        depth: u32,
        slot: u16,
    ) -> Result<Option<JObject<'l>>> {
        let place = place("GetLocalObject", thread, depth, slot)?;
        let value = out(|value| call!(self, GetLocalObject, place.0, place.1, place.2, value))?;
        // SAFETY: the function succeeded, so this is a new local reference of the current frame, or
        // `NULL`.
        Ok(unsafe { local::<JObject<'_>>(jni, value) })
    }

    /// The receiver, `this`, of a frame of `thread`, or of the current thread; the innermost frame
    /// is at depth 0. It may be that of a native method, but from 24 on not of another virtual thread.
    /// `None` if the VM no longer keeps it.
    ///
    /// The thread may be virtual. It must be suspended or the current one: see
    /// [`local_object`](Self::local_object).
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_SLOT` for a static method, and it may be where the method does not use it
    /// any more; `JVMTI_ERROR_NO_MORE_FRAMES` if the stack is not so deep;
    /// `JVMTI_ERROR_THREAD_NOT_SUSPENDED`; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`;
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null, `JVMTI_ERROR_THREAD_NOT_ALIVE`; from JDK 24 on
    /// `JVMTI_ERROR_OPAQUE_FRAME` for a native method of a virtual thread other than the current one.
    #[doc(alias = "GetLocalInstance")]
    pub fn local_instance<'l>(
        &self,
        jni: &jni::Env<'l>,
        thread: Option<&JThread<'_>>,
        depth: u32,
    ) -> Result<Option<JObject<'l>>> {
        self.ensure_on_a_stack("GetLocalInstance", jni, thread, depth)?;
        let thread = or_current("GetLocalInstance", thread)?;
        let depth = env::depth(depth);
        let value = out(|value| call!(self, GetLocalInstance, thread, depth, value))?;
        // SAFETY: the function succeeded, so this is a new local reference of the current frame, or
        // `NULL`.
        Ok(unsafe { local::<JObject<'_>>(jni, value) })
    }

    /// Refuses a native method of a virtual thread where it may not be mounted, as in `Object.wait` from 24 on: of a
    /// compiled one HotSpot reads the receiver as if the frame were on a stack, and crashes (25.0.3).
    fn ensure_on_a_stack(
        &self,
        function: &'static str,
        jni: &jni::Env<'_>,
        thread: Option<&JThread<'_>>,
        depth: u32,
    ) -> Result<()> {
        if !self.is_another_virtual(jni, thread, &(24..))? {
            return Ok(());
        }
        let frame = self.frame_location(thread, depth);
        match frame.map_err(|refused| Error::new(function, refused.code))? {
            native if native.location == -1 => Err(Error::new(function, sys::Error::OPAQUE_FRAME)),
            _ => Ok(()),
        }
    }

    /// The `int`, `short`, `char`, `byte` or `boolean` that a frame of `thread`, or of the current
    /// thread, keeps in `slot`; the innermost frame is at depth 0.
    ///
    /// The thread may be virtual. It must be suspended or the current one: see
    /// [`local_object`](Self::local_object).
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// Those of [`local_object`](Self::local_object).
    #[doc(alias = "GetLocalInt")]
    pub fn local_int(&self, thread: Option<&JThread<'_>>, depth: u32, slot: u16) -> Result<i32> {
        let place = place("GetLocalInt", thread, depth, slot)?;
        out(|value| call!(self, GetLocalInt, place.0, place.1, place.2, value))
    }

    /// The `long` that a frame of `thread`, or of the current thread, keeps in `slot` and the one
    /// after it; the innermost frame is at depth 0.
    ///
    /// The thread may be virtual. It must be suspended or the current one: see
    /// [`local_object`](Self::local_object).
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// Those of [`local_object`](Self::local_object).
    #[doc(alias = "GetLocalLong")]
    pub fn local_long(&self, thread: Option<&JThread<'_>>, depth: u32, slot: u16) -> Result<i64> {
        let place = place("GetLocalLong", thread, depth, slot)?;
        out(|value| call!(self, GetLocalLong, place.0, place.1, place.2, value))
    }

    /// The `float` that a frame of `thread`, or of the current thread, keeps in `slot`; the innermost
    /// frame is at depth 0.
    ///
    /// The thread may be virtual. It must be suspended or the current one: see
    /// [`local_object`](Self::local_object).
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// Those of [`local_object`](Self::local_object).
    #[doc(alias = "GetLocalFloat")]
    pub fn local_float(&self, thread: Option<&JThread<'_>>, depth: u32, slot: u16) -> Result<f32> {
        let place = place("GetLocalFloat", thread, depth, slot)?;
        out(|value| call!(self, GetLocalFloat, place.0, place.1, place.2, value))
    }

    /// The `double` that a frame of `thread`, or of the current thread, keeps in `slot` and the one
    /// after it; the innermost frame is at depth 0.
    ///
    /// The thread may be virtual. It must be suspended or the current one: see
    /// [`local_object`](Self::local_object).
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// Those of [`local_object`](Self::local_object).
    #[doc(alias = "GetLocalDouble")]
    pub fn local_double(&self, thread: Option<&JThread<'_>>, depth: u32, slot: u16) -> Result<f64> {
        let place = place("GetLocalDouble", thread, depth, slot)?;
        out(|value| call!(self, GetLocalDouble, place.0, place.1, place.2, value))
    }

    /// Has a frame of `thread`, or of the current thread, keep `value` in `slot`, or `null`; the
    /// innermost frame is at depth 0.
    ///
    /// The thread must be suspended or the current one: see [`local_object`](Self::local_object). Of
    /// a virtual thread it may be the innermost frame only, and it must be mounted.
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// Those of [`local_object`](Self::local_object); `JVMTI_ERROR_TYPE_MISMATCH` also if the class of
    /// `value` has no supertype that is called like the variable's type; `JVMTI_ERROR_OPAQUE_FRAME` also
    /// for a virtual thread of which it cannot be set; `JVMTI_ERROR_INVALID_OBJECT` for a reference that
    /// was deleted.
    ///
    /// # Safety
    ///
    /// The method goes on with what it finds: `value` is of the type that the verifier knows the slot to
    /// have, or `null` is. HotSpot compares names, not classes, and without a table of variables nothing.
    /// It takes the end of a variable's range for a part of it, where the slot may hold another variable
    /// already. And code that has looked at a value before it hands it to memory does not look again.
    #[doc(alias = "SetLocalObject")]
    pub unsafe fn set_local_object(
        &self,
        thread: Option<&JThread<'_>>,
        depth: u32,
        slot: u16,
        value: Option<&JObject<'_>>,
    ) -> Result<()> {
        let place = place("SetLocalObject", thread, depth, slot)?;
        let value = value.map_or(ptr::null_mut(), |value| value.as_raw());
        call!(self, SetLocalObject, place.0, place.1, place.2, value)
    }

    /// Has a frame of `thread`, or of the current thread, keep `value` in `slot`, for an
    /// `int`, `short`, `char`, `byte` or `boolean`; the innermost
    /// frame is at depth 0.
    ///
    /// For which threads and frames, [`set_local_object`](Self::set_local_object) says.
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// Those of [`set_local_object`](Self::set_local_object), but for the last.
    ///
    /// # Safety
    ///
    /// That of [`set_local_object`](Self::set_local_object).
    #[doc(alias = "SetLocalInt")]
    pub unsafe fn set_local_int(
        &self,
        thread: Option<&JThread<'_>>,
        depth: u32,
        slot: u16,
        value: i32,
    ) -> Result<()> {
        let place = place("SetLocalInt", thread, depth, slot)?;
        call!(self, SetLocalInt, place.0, place.1, place.2, value)
    }

    /// Has a frame of `thread`, or of the current thread, keep `value` in `slot` and the one
    /// after it; the innermost
    /// frame is at depth 0.
    ///
    /// For which threads and frames, [`set_local_object`](Self::set_local_object) says.
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// Those of [`set_local_object`](Self::set_local_object), but for the last.
    ///
    /// # Safety
    ///
    /// That of [`set_local_object`](Self::set_local_object).
    #[doc(alias = "SetLocalLong")]
    pub unsafe fn set_local_long(
        &self,
        thread: Option<&JThread<'_>>,
        depth: u32,
        slot: u16,
        value: i64,
    ) -> Result<()> {
        let place = place("SetLocalLong", thread, depth, slot)?;
        call!(self, SetLocalLong, place.0, place.1, place.2, value)
    }

    /// Has a frame of `thread`, or of the current thread, keep `value` in `slot`; the innermost
    /// frame is at depth 0.
    ///
    /// For which threads and frames, [`set_local_object`](Self::set_local_object) says.
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// Those of [`set_local_object`](Self::set_local_object), but for the last.
    ///
    /// # Safety
    ///
    /// That of [`set_local_object`](Self::set_local_object).
    #[doc(alias = "SetLocalFloat")]
    pub unsafe fn set_local_float(
        &self,
        thread: Option<&JThread<'_>>,
        depth: u32,
        slot: u16,
        value: f32,
    ) -> Result<()> {
        let place = place("SetLocalFloat", thread, depth, slot)?;
        call!(self, SetLocalFloat, place.0, place.1, place.2, value)
    }

    /// Has a frame of `thread`, or of the current thread, keep `value` in `slot` and the one
    /// after it; the innermost
    /// frame is at depth 0.
    ///
    /// For which threads and frames, [`set_local_object`](Self::set_local_object) says.
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// Those of [`set_local_object`](Self::set_local_object), but for the last.
    ///
    /// # Safety
    ///
    /// That of [`set_local_object`](Self::set_local_object).
    #[doc(alias = "SetLocalDouble")]
    pub unsafe fn set_local_double(
        &self,
        thread: Option<&JThread<'_>>,
        depth: u32,
        slot: u16,
        value: f64,
    ) -> Result<()> {
        let place = place("SetLocalDouble", thread, depth, slot)?;
        call!(self, SetLocalDouble, place.0, place.1, place.2, value)
    }
}

/// Thread, depth and slot as `function` asks for them. A slot has 16 bits in a class file; HotSpot
/// adds one to it without a look whether that overflows, and reads what is there.
fn place(
    function: &'static str,
    thread: Option<&JThread<'_>>,
    depth: u32,
    slot: u16,
) -> Result<(jobject, i32, i32)> {
    let thread = or_current(function, thread)?;
    Ok((thread, env::depth(depth), i32::from(slot)))
}
