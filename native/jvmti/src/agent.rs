//! The way in: what the VM calls when it loads an agent.

use std::ffi::{CStr, c_char};
use std::fmt::Display;
use std::io::Write;

use jni::JavaVM;
use jni::sys::{JNI_ERR, JNI_OK, jint};

use crate::caught::caught;

/// An agent. [`agent!`](crate::agent!) makes the VM find it.
///
/// A panic in one of these is an error that says so.
pub trait Agent {
    /// Why it cannot do what it is asked for. The VM does not start then; what it says is printed.
    type Error: Display;

    /// The VM starts with the agent (`-agentpath`), and is in its OnLoad phase: there is no Java yet.
    ///
    /// `options` is what stands after the `=`, and empty if there is none; what of it is not UTF-8 is replaced.
    ///
    /// # Errors
    ///
    /// Whatever keeps the VM from starting.
    #[doc(alias = "Agent_OnLoad")]
    fn on_load(vm: &JavaVM, options: &str) -> Result<(), Self::Error>;

    /// The agent is loaded into a VM that runs. Unless it is written it is as at the start.
    ///
    /// # Errors
    ///
    /// Whatever makes the attaching fail; the VM goes on.
    #[doc(alias = "Agent_OnAttach")]
    fn on_attach(vm: &JavaVM, options: &str) -> Result<(), Self::Error> {
        Self::on_load(vm, options)
    }
}

/// Makes a type that is an [`Agent`] the agent of this library, which is to be a `cdylib`: defines `Agent_OnLoad` and
/// `Agent_OnAttach`.
///
/// ```
/// use jni::JavaVM;
/// use jvmti::{Agent, OwnedEnv};
///
/// struct Greeting;
///
/// impl Agent for Greeting {
///     type Error = jvmti::Error;
///
///     fn on_load(vm: &JavaVM, options: &str) -> jvmti::Result<()> {
///         let env = OwnedEnv::open(vm)?;
///         println!("{options}: {:?}", env.phase()?);
///         Ok(())
///     }
/// }
///
/// jvmti::agent!(Greeting);
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! agent {
    ($agent:ty) => {
        /// Called by the VM when it starts with this agent.
        ///
        /// # Safety
        ///
        /// Called by the VM alone.
        #[unsafe(no_mangle)]
        pub unsafe extern "system" fn Agent_OnLoad(
            vm: *mut $crate::sys::JavaVM,
            options: *const ::std::ffi::c_char,
            _reserved: *mut ::std::ffi::c_void,
        ) -> $crate::sys::jint {
            // SAFETY: the VM passes itself, and its text or null.
            unsafe { $crate::agent::enter(vm, options, <$agent as $crate::agent::Agent>::on_load) }
        }

        /// Called by the VM when this agent is attached.
        ///
        /// # Safety
        ///
        /// Called by the VM alone.
        #[unsafe(no_mangle)]
        pub unsafe extern "system" fn Agent_OnAttach(
            vm: *mut $crate::sys::JavaVM,
            options: *const ::std::ffi::c_char,
            _reserved: *mut ::std::ffi::c_void,
        ) -> $crate::sys::jint {
            // SAFETY: as above.
            unsafe {
                $crate::agent::enter(vm, options, <$agent as $crate::agent::Agent>::on_attach)
            }
        }
    };
}

/// What [`agent!`](crate::agent!) does.
///
/// # Safety
///
/// `vm` is the VM that calls, and `options` null or a text of it.
#[doc(hidden)]
pub unsafe fn enter<E: Display>(
    vm: *mut jni::sys::JavaVM,
    options: *const c_char,
    way: fn(&JavaVM, &str) -> Result<(), E>,
) -> jint {
    let entered = caught(|| {
        // SAFETY: the caller's promise.
        let vm = unsafe { JavaVM::from_raw(vm) };
        let options = match options.is_null() {
            true => c"",
            // SAFETY: the caller's promise.
            false => unsafe { CStr::from_ptr(options) },
        };
        way(&vm, &options.to_string_lossy()).map_err(|error| error.to_string())
    });
    match entered {
        Some(Ok(())) => JNI_OK,
        Some(Err(error)) => refuse(&error),
        // What it was has been printed.
        None => refuse("it panicked"),
    }
}

fn refuse(why: &str) -> jint {
    let _ = writeln!(std::io::stderr(), "agent: {why}");
    JNI_ERR
}
