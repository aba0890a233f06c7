//! The environment: every function is a method of it.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use jni::objects::JObject;
use jni::sys::jobject;

use crate::error::{Error, Result};
use crate::sys;

/// A JVM TI environment.
///
/// It holds its own capabilities, tags, callbacks and event modes. This is the pointer and nothing
/// more: copying it copies no environment and dropping it disposes none. It may be used from every
/// thread that is attached to the VM.
#[repr(transparent)]
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Env(NonNull<sys::Env>);

// SAFETY: the interface is thread-safe by specification, and the pointer is never written through.
unsafe impl Send for Env {}
// SAFETY: as above.
unsafe impl Sync for Env {}

impl Env {
    /// Wraps a `jvmtiEnv*`.
    ///
    /// # Safety
    ///
    /// `env` came from `GetEnv` of the running VM, and no method is called on the result, and
    /// no [`StackInfos`](crate::StackInfos) of it is dropped, once it is disposed: the VM frees the
    /// environment at a garbage collection after that.
    #[inline]
    pub const unsafe fn from_raw(env: NonNull<sys::Env>) -> Self {
        Self(env)
    }

    /// The `jvmtiEnv*`.
    #[inline]
    pub const fn as_raw(self) -> *mut sys::Env {
        self.0.as_ptr()
    }

    /// Creates a new environment that holds no capability. Whoever calls this ends it with
    /// [`dispose`](Self::dispose).
    ///
    /// It asks for version 11 of the interface, the lowest that has every function of a VM from
    /// 17 on; a newer VM still offers all of its own. Creating costs time in proportion to the
    /// number of environments there are.
    ///
    /// Phase: any but dead. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_UNATTACHED_THREAD` on a thread that is not attached,
    /// `JVMTI_ERROR_UNSUPPORTED_VERSION` from a VM that has no such interface (or no longer, in the
    /// dead phase), `JVMTI_ERROR_INTERNAL` for any other refusal.
    ///
    /// # Safety
    ///
    /// `vm` is the `JavaVM*` of the running VM, and the result is used as
    /// [`from_raw`](Self::from_raw) asks.
    #[doc(alias = "GetEnv")]
    pub unsafe fn open(vm: *mut jni::sys::JavaVM) -> Result<Self> {
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: the caller promised a live VM, whose table has had this function since 1.2.
        let code = unsafe { ((**vm).v1_2.GetEnv)(vm, &raw mut env, sys::VERSION_11) };
        let failed = |code| Error::new("GetEnv", code);
        match code {
            jni::sys::JNI_OK => NonNull::new(env.cast())
                .map(Self)
                .ok_or_else(|| failed(sys::Error::INTERNAL)),
            jni::sys::JNI_EDETACHED => Err(failed(sys::Error::UNATTACHED_THREAD)),
            jni::sys::JNI_EVERSION => Err(failed(sys::Error::UNSUPPORTED_VERSION)),
            jni::sys::JNI_ENOMEM => Err(failed(sys::Error::OUT_OF_MEMORY)),
            _ => Err(failed(sys::Error::INTERNAL)),
        }
    }
}

/// Calls a function of the table and answers its code as a [`Result`]; a slot that the VM leaves
/// empty answers `NOT_AVAILABLE`. The arguments are those of the C function after the environment.
macro_rules! call {
    ($env:expr, $function:ident $(, $argument:expr)*) => {{
        let env = $env.as_raw();
        // SAFETY: `from_raw` promised a live environment, the slot's type is the C signature, and
        // pointers among the arguments are to values of the caller that outlive the call.
        let code = unsafe {
            match (**env).$function {
                Some(function) => function(env $(, $argument)*),
                None => $crate::sys::Error::NOT_AVAILABLE,
            }
        };
        $crate::error::check(stringify!($function), code)
    }};
}

pub(crate) use call;

/// The reference, or `NULL`, which the interface takes for the current thread.
#[inline]
pub(crate) fn or_null(object: Option<&JObject<'_>>) -> jobject {
    object.map_or(ptr::null_mut(), JObject::as_raw)
}

/// The references as the list that C asks for: as long as the slice, and never `NULL`.
#[inline]
pub(crate) fn raw_list(objects: &[JObject<'_>]) -> *const jobject {
    // A `JObject` is a `jobject`, and so is a list of them.
    objects.as_ptr().cast()
}

/// A reference that the VM returned, now owned by the caller's JNI frame; `None` for `NULL`.
///
/// # Panics
///
/// If `jni` is not the environment of the innermost frame, which is the one that owns `raw`.
///
/// # Safety
///
/// `raw` is `NULL` or a local reference that the VM has just made on this thread, seen once.
#[inline]
pub(crate) unsafe fn local<'l>(jni: &jni::Env<'l>, raw: jobject) -> Option<JObject<'l>> {
    jni.assert_top();
    // SAFETY: the caller's promise, and the frame is `'l`.
    (!raw.is_null()).then(|| unsafe { JObject::from_raw(jni, raw) })
}

/// The references of an array that the VM returned, without its `NULL`s, now owned by the caller's
/// JNI frame.
///
/// # Panics
///
/// As [`local`].
///
/// # Safety
///
/// As [`local`], for each.
pub(crate) unsafe fn locals<'l>(jni: &jni::Env<'l>, raw: &[jobject]) -> Vec<JObject<'l>> {
    raw.iter()
        // SAFETY: the caller's promise.
        .filter_map(|&raw| unsafe { local(jni, raw) })
        .collect()
}
