//! The exported functions: three ways in, one way out.
//!
//! There is no `Agent_OnUnload`: the VM calls it in the dead phase, in which a suspended thread
//! stays so, and takes the environments down itself.
//!
//! Linked into an executable (feature `static`), they carry the name of the library: the VM looks
//! them up there as it finds `-agentlib:jvmtools` and `System.loadLibrary("jvmtools")`, and another
//! library in the same executable has its own.

#![allow(
    non_snake_case,
    reason = "they keep the VM's names where the exported ones differ"
)]

use std::ffi::{CStr, c_char, c_void};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jni::sys::{JNI_ERR, JNI_OK, JNI_VERSION_1_8, JavaVM, jint};

use crate::boundary::context;
use crate::entry::arrival::arrive;
use crate::entry::door;
use crate::entry::options::{OptionError, Options};
use crate::entry::startup::{self, StartError};
use crate::failure::{Failure, Outcome};
use crate::vm::image::Origin;
use crate::vm::lookups;

/// `-agentpath`: called once, in the OnLoad phase.
///
/// # Safety
/// Called by the VM with its own pointers.
#[cfg_attr(not(feature = "static"), unsafe(no_mangle))]
#[cfg_attr(feature = "static", unsafe(export_name = "Agent_OnLoad_jvmtools"))]
pub unsafe extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    start(|| {
        arrive(vm, Origin::AtStart);
        // SAFETY: the VM passes a C string or null.
        startup::on_load(unsafe { read(options) }?)
    })
}

/// Attach: called once for each time somebody attaches.
///
/// # Safety
/// Called by the VM with its own pointers.
#[cfg_attr(not(feature = "static"), unsafe(no_mangle))]
#[cfg_attr(feature = "static", unsafe(export_name = "Agent_OnAttach_jvmtools"))]
pub unsafe extern "system" fn Agent_OnAttach(
    vm: *mut JavaVM,
    options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    start(|| {
        arrive(vm, Origin::Attached);
        // SAFETY: the VM passes a C string or null.
        startup::on_attach(&unsafe { read(options) }?)
    })
}

/// `System.load`: called each time a class loader loads the file, pinned image or not.
#[cfg_attr(not(feature = "static"), unsafe(no_mangle))]
#[cfg_attr(feature = "static", unsafe(export_name = "JNI_OnLoad_jvmtools"))]
pub extern "system" fn JNI_OnLoad(vm: *mut JavaVM, _reserved: *mut c_void) -> jint {
    let arrival = catch_unwind(|| {
        arrive(vm, Origin::Library);
        // Without it the copy that loads the file is alone, or does not find the library and says so.
        let _ = on_this_thread(vm, |jni| {
            lookups::prepare(jni)?;
            door::open(jni)
        });
    });
    match arrival {
        Ok(()) => JNI_VERSION_1_8,
        Err(_) => JNI_ERR,
    }
}

/// The class loader that loaded the file is collected: its environments go with it.
///
/// # Safety
/// Called by the VM with its own pointers.
#[cfg_attr(not(feature = "static"), unsafe(no_mangle))]
#[cfg_attr(feature = "static", unsafe(export_name = "JNI_OnUnload_jvmtools"))]
pub unsafe extern "system" fn JNI_OnUnload(vm: *mut JavaVM, _reserved: *mut c_void) {
    // Nobody is left who could be told of a failure.
    let _ = catch_unwind(|| {
        on_this_thread(vm, |jni| {
            context::sweep(jni);
            Ok(())
        })
    });
}

/// Runs `body` with the JNI environment of this thread, which is the VM's own pointer's.
fn on_this_thread(
    vm: *mut JavaVM,
    body: impl FnOnce(&mut jni::Env<'_>) -> Outcome<()>,
) -> Outcome<()> {
    // SAFETY: every caller got the pointer from the VM.
    unsafe { jni::JavaVM::from_raw(vm) }.attach_current_thread(body)
}

/// # Safety
/// `options` is a C string or null.
unsafe fn read(options: *const c_char) -> Result<Options, OptionError> {
    if options.is_null() {
        return Ok(Options::default());
    }
    // SAFETY: as promised by the caller.
    let text = unsafe { CStr::from_ptr(options) };
    Options::parse(text.to_str().map_err(|_| OptionError::NotUtf8)?)
}

fn start(way_in: impl FnOnce() -> Result<(), StartError>) -> jint {
    let line = match catch_unwind(AssertUnwindSafe(way_in)) {
        Ok(Ok(())) => return JNI_OK,
        Ok(Err(error)) => error.to_string(),
        Err(panic) => Failure::from_panic(&*panic).to_string(),
    };
    // The VM is about to stop or refuse us, and there is no Java to tell it to.
    let _ = writeln!(std::io::stderr(), "jvmtools: {line}");
    JNI_ERR
}
