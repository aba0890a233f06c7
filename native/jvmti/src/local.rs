//! Local Variable: what a frame keeps in its slots.

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
