//! What this one loaded image knows of its process: the VM, and how the image came in.

use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU64, Ordering};

use jvmti::sys;

use crate::failure::{Failure, Outcome};

static VM: AtomicPtr<jni::sys::JavaVM> = AtomicPtr::new(ptr::null_mut());
static CALLBACKS: OnceLock<sys::EventCallbacks> = OnceLock::new();
static ORIGIN: AtomicI32 = AtomicI32::new(Origin::Library as i32);
static POTENTIAL_AT_START: AtomicU64 = AtomicU64::new(0);
static PREPARED_AT_START: AtomicU64 = AtomicU64::new(0);
static FEATURE: AtomicI32 = AtomicI32::new(0);

/// How the image came into the process; the numbers are what Java reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Origin {
    /// `System.load`.
    Library = 0,
    /// `-agentpath`, when the VM started.
    AtStart = 1,
    /// The attach mechanism, later.
    Attached = 2,
}

/// The image has come in, and what its plain environment is told of is in `callbacks`.
///
/// # Safety
/// `vm` is the VM's own pointer. Each callback is for its event and does not unwind.
pub(crate) unsafe fn arrive(
    vm: *mut jni::sys::JavaVM,
    origin: Origin,
    callbacks: sys::EventCallbacks,
) {
    VM.store(vm, Ordering::Release);
    let _ = CALLBACKS.set(callbacks);
    if origin != Origin::Library {
        // The agent that was there at the start stays that, whatever is attached later.
        let library = Origin::Library as i32;
        let _ =
            ORIGIN.compare_exchange(library, origin as i32, Ordering::AcqRel, Ordering::Acquire);
    }
}

/// How the image came in first, as an agent if it ever was one.
pub(crate) fn origin() -> i32 {
    ORIGIN.load(Ordering::Acquire)
}

/// What the VM offered in its OnLoad phase; nothing if the agent was not there.
pub(crate) fn potential_at_start() -> u64 {
    POTENTIAL_AT_START.load(Ordering::Acquire)
}

pub(crate) fn set_potential_at_start(bits: u64) {
    POTENTIAL_AT_START.store(bits, Ordering::Release);
}

/// What was made obtainable for good in the OnLoad phase; nothing if the agent was not there.
pub(crate) fn prepared_at_start() -> u64 {
    PREPARED_AT_START.load(Ordering::Acquire)
}

pub(crate) fn set_prepared_at_start(bits: u64) {
    PREPARED_AT_START.store(bits, Ordering::Release);
}

/// The VM; null before anything has loaded the image.
pub(crate) fn vm() -> *mut jni::sys::JavaVM {
    VM.load(Ordering::Acquire)
}

/// A new environment of this VM. Whoever asks is attached: the VM says that he is not once it has died.
pub(crate) fn environment() -> Outcome<jvmti::OwnedEnv> {
    let opened = jvmti::OwnedEnv::open(&java_vm()?);
    Ok(opened.map_err(|error| match error.code {
        sys::Error::UNATTACHED_THREAD => jvmti::Error {
            code: sys::Error::WRONG_PHASE,
            ..error
        },
        _ => error,
    })?)
}

/// The VM for calls of JNI.
pub(crate) fn java_vm() -> Outcome<jni::JavaVM> {
    let vm = vm();
    if vm.is_null() {
        return Err(Failure::State(
            "the library was not loaded by a VM".to_owned(),
        ));
    }
    // SAFETY: the VM handed this pointer to us and outlives the image.
    Ok(unsafe { jni::JavaVM::from_raw(vm) })
}

static PLAIN: OnceLock<&'static jvmti::Env> = OnceLock::new();

/// The environment of all that need nothing of their own. It holds no capability, is never disposed,
/// and tells of the VM's death.
pub(crate) fn plain() -> Outcome<&'static jvmti::Env> {
    match PLAIN.get() {
        Some(plain) => Ok(plain),
        // Two threads may make one each, so that none waits for the other; the first stays.
        None => make_plain(),
    }
}

/// Whether the VM has died, as far as a thread of Java's can see.
pub(crate) fn has_ended() -> bool {
    match plain().and_then(|plain| Ok(plain.phase()?)) {
        Ok(phase) => phase == sys::Phase::DEAD,
        Err(Failure::Jvmti(refused)) => refused.code == sys::Error::WRONG_PHASE,
        Err(_) => false,
    }
}

/// The feature release of this JDK, which the VM is asked for once, in any environment.
pub(crate) fn feature(env: &jvmti::Env) -> Outcome<i32> {
    let known = FEATURE.load(Ordering::Relaxed);
    // Each test has a VM of its own.
    if known != 0 && !cfg!(test) {
        return Ok(known);
    }
    let feature = env.major_version()?;
    FEATURE.store(feature, Ordering::Relaxed);
    Ok(feature)
}

fn make_plain() -> Outcome<&'static jvmti::Env> {
    let env = environment()?;
    let callbacks = CALLBACKS.get().copied().unwrap_or_default();
    // SAFETY: as `arrive` was promised, and this image is never unloaded.
    unsafe { env.set_event_callbacks(&callbacks) }?;
    env.set_event_notification_mode(sys::EventMode::ENABLE, sys::Event::VM_DEATH, None)?;
    let made = env.leak();
    let plain = *PLAIN.get_or_init(|| made);
    if !ptr::eq(plain, made) {
        // On 17 disposing changes capabilities, which only the steward may: it stays, and tells nothing.
        made.set_event_notification_mode(sys::EventMode::DISABLE, sys::Event::VM_DEATH, None)?;
    }
    Ok(plain)
}

/// Whether this image is part of the executable, and so no file that another VM could load.
pub(crate) const LINKED_IN: bool = cfg!(feature = "static");
