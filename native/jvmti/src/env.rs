//! The environment: every function is a method of it.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::{self, NonNull};

use jni::objects::JThread;
use jni::refs::Reference;
use jni::sys::{JNI_OK, jint, jobject};

use crate::error::{Error, Result, collect};
use crate::sys;

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

/// A JVM TI environment that somebody else keeps open: `&Env` is the `jvmtiEnv*`, and nothing more.
///
/// It holds its own capabilities, tags, callbacks and event modes. It may be used from every thread
/// that is attached to the VM. Who owns one has an [`OwnedEnv`].
///
/// Nothing of it outlives its owner:
///
/// ```compile_fail,E0505
/// fn dispose_too_early(env: jvmti::OwnedEnv, jni: &jni::Env<'_>) {
///     let stacks = env.all_stack_traces(jni, 10);
///     let _ = env.dispose();
///     drop(stacks);
/// }
/// ```
#[repr(C)]
pub struct Env {
    /// Only the VM knows how long it is.
    _start: [u8; 0],
    /// Only the VM writes to it, and may do so at any time.
    _written: PhantomData<UnsafeCell<sys::Env>>,
}

// SAFETY: the interface is thread-safe by specification, and nothing is read or written here.
unsafe impl Send for Env {}
// SAFETY: as above.
unsafe impl Sync for Env {}

impl Env {
    /// Borrows a `jvmtiEnv*` for as long as the caller chooses.
    ///
    /// # Safety
    ///
    /// `env` came from `GetEnv` of the running VM, and is not disposed within `'e`: the VM frees it
    /// at a garbage collection after that.
    #[inline]
    pub const unsafe fn from_raw<'e>(env: NonNull<sys::Env>) -> &'e Self {
        // SAFETY: the pointer is not null and promised to live; there are no bytes that could be
        // aligned, initialised or aliased.
        unsafe { env.cast().as_ref() }
    }

    /// The `jvmtiEnv*`.
    #[inline]
    pub const fn as_raw(&self) -> *mut sys::Env {
        ptr::from_ref(self).cast_mut().cast()
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Env").field(&self.as_raw()).finish()
    }
}

/// A JVM TI environment of one's own. It derefs to [`Env`], whose methods are the interface, and is
/// disposed on drop; [`dispose`](Self::dispose) tells how that went.
///
/// There is no second one of it:
///
/// ```compile_fail,E0382
/// fn use_after_dispose(env: jvmti::OwnedEnv) {
///     let _ = env.dispose();
///     let _ = env.phase();
/// }
/// ```
///
/// ```compile_fail,E0505
/// fn use_a_borrowed_one_after_dispose(env: jvmti::OwnedEnv) {
///     let borrowed: &jvmti::Env = &env;
///     let _ = env.dispose();
///     let _ = borrowed.phase();
/// }
/// ```
#[repr(transparent)]
#[derive(Debug)]
pub struct OwnedEnv(NonNull<sys::Env>);

// SAFETY: the interface is thread-safe by specification.
unsafe impl Send for OwnedEnv {}
// SAFETY: as above.
unsafe impl Sync for OwnedEnv {}

impl OwnedEnv {
    /// Creates a new environment that holds no capability.
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
    #[doc(alias = "GetEnv")]
    pub fn open(vm: &jni::JavaVM) -> Result<Self> {
        let vm = vm.get_raw();
        let mut env: *mut c_void = ptr::null_mut();
        // SAFETY: a `JavaVM` is the VM's own, whose table has had this function since 1.2.
        let code = unsafe { ((**vm).v1_2.GetEnv)(vm, &raw mut env, sys::VERSION_11) };
        let failed = |code| Error::new("GetEnv", code);
        match code {
            JNI_OK => NonNull::new(env.cast())
                .map(Self)
                .ok_or_else(|| failed(sys::Error::INTERNAL)),
            jni::sys::JNI_EDETACHED => Err(failed(sys::Error::UNATTACHED_THREAD)),
            jni::sys::JNI_EVERSION => Err(failed(sys::Error::UNSUPPORTED_VERSION)),
            jni::sys::JNI_ENOMEM => Err(failed(sys::Error::OUT_OF_MEMORY)),
            _ => Err(failed(sys::Error::INTERNAL)),
        }
    }

    /// Takes over a `jvmtiEnv*`.
    ///
    /// # Safety
    ///
    /// `env` came from `GetEnv` of the running VM, it is not disposed, nobody else disposes it, and
    /// what others borrowed of it is not used once this is dropped or disposed.
    #[inline]
    pub const unsafe fn from_raw(env: NonNull<sys::Env>) -> Self {
        Self(env)
    }

    /// The `jvmtiEnv*`, which is disposed by nobody now.
    #[inline]
    pub fn into_raw(self) -> NonNull<sys::Env> {
        ManuallyDrop::new(self).0
    }

    /// The environment for as long as there is a VM. It is never disposed.
    pub fn leak(self) -> &'static Env {
        // SAFETY: from `GetEnv`, and nobody is left who could dispose it.
        unsafe { Env::from_raw(self.into_raw()) }
    }

    /// Ends this environment: its capabilities are given up, its tags are gone, no further event is
    /// delivered. Threads it suspended stay so.
    ///
    /// On HotSpot 17 this is a change of capabilities, which take turns: see
    /// [`add_capabilities`](Env::add_capabilities).
    ///
    /// Phase: any. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_UNATTACHED_THREAD` on a thread that is not attached: the environment stays, and
    /// nobody has it.
    #[doc(alias = "DisposeEnvironment")]
    pub fn dispose(self) -> Result<()> {
        call!(self.leak(), DisposeEnvironment)
    }
}

impl Deref for OwnedEnv {
    type Target = Env;

    #[inline]
    fn deref(&self) -> &Env {
        // SAFETY: from `GetEnv`, and not disposed before `self` is gone.
        unsafe { Env::from_raw(self.0) }
    }
}

impl Drop for OwnedEnv {
    fn drop(&mut self) {
        // Nothing can be done about a refusal: the VM keeps it, or takes it down itself.
        let _ = call!(self, DisposeEnvironment);
    }
}

/// What stands for `thread` in a call of `function`: `NULL`, the current thread, for `None` alone.
#[inline]
pub(crate) fn or_current(function: &'static str, thread: Option<&JThread<'_>>) -> Result<jobject> {
    thread.map_or(Ok(ptr::null_mut()), |thread| not_null(function, thread))
}

/// The reference of `thread` in a call of `function`, for which no function takes `NULL`: some VMs
/// take it for the current thread where they should not.
#[inline]
pub(crate) fn not_null(function: &'static str, thread: &JThread<'_>) -> Result<jobject> {
    let raw = thread.as_raw();
    if raw.is_null() {
        return Err(Error::new(function, sys::Error::INVALID_THREAD));
    }
    Ok(raw)
}

/// A depth as the `jint` that C asks for. No stack is as deep as what that cannot tell.
#[inline]
pub(crate) fn depth(depth: u32) -> i32 {
    i32::try_from(depth).unwrap_or(i32::MAX)
}

/// The references as the list that C asks for: as long as the slice, and never `NULL`.
#[inline]
pub(crate) fn raw_list(threads: &[JThread<'_>]) -> *const jobject {
    // A `JThread` is a `jobject`, and so is a list of them.
    threads.as_ptr().cast()
}

/// A reference that the VM returned, now owned by the caller's JNI frame; `None` for `NULL`.
///
/// # Panics
///
/// If `jni` is not the environment of the innermost frame, which is the one that owns `raw`.
///
/// # Safety
///
/// `raw` is `NULL` or a local reference to an object of type `T` that the VM has just made on this
/// thread, seen once.
#[inline]
pub(crate) unsafe fn local<'l, T: Reference>(
    jni: &jni::Env<'l>,
    raw: jobject,
) -> Option<T::Kind<'l>> {
    jni.assert_top();
    // SAFETY: the caller's promise, and the frame is `'l`.
    (!raw.is_null()).then(|| unsafe { T::kind_from_raw(raw) })
}

/// Tells the VM of so many references that it has made, or it may complain of them: by the first JNI
/// call after theirs, and a bare one, for any other counts them.
pub(crate) fn declare(jni: &jni::Env<'_>, references: usize) -> Result<()> {
    const ENOUGH_FOR_OTHERS: usize = 16;
    let wanted = jint::try_from(references + ENOUGH_FOR_OTHERS).unwrap_or(jint::MAX);
    let raw = jni.get_raw();
    // SAFETY: the JNI environment of this thread.
    let answer = unsafe { ((**raw).v1_2.EnsureLocalCapacity)(raw, wanted) };
    match answer {
        JNI_OK => Ok(()),
        _ => Err(Error::new("EnsureLocalCapacity", sys::Error::OUT_OF_MEMORY)),
    }
}

/// The references of an array that `function` returned, without its `NULL`s, now owned by the
/// caller's JNI frame.
///
/// # Panics
///
/// As [`local`].
///
/// # Safety
///
/// As [`local`], for each.
pub(crate) unsafe fn locals<'l, T: Reference>(
    function: &'static str,
    jni: &jni::Env<'l>,
    raw: &[jobject],
) -> Result<Vec<T::Kind<'l>>> {
    // SAFETY: the caller's promise.
    collect(
        function,
        raw.len(),
        raw.iter()
            .filter_map(|&raw| unsafe { local::<T>(jni, raw) }),
    )
}
