use std::ffi::c_void;
use std::ptr;

use jni::sys::{JNI_EDETACHED, JNI_ENOMEM, JNI_ERR, JNI_EVERSION, JNI_OK, JavaVM, jint};
use jvmti::{Env, Error, sys};

use crate::fake::vm;

/// Answers an environment at the address that is the version asked for.
unsafe extern "system" fn get_env(_vm: *mut JavaVM, env: *mut *mut c_void, version: jint) -> jint {
    // SAFETY: the layer under test lends a place for it.
    unsafe { *env = version as usize as *mut c_void };
    JNI_OK
}

#[test]
fn open_asks_for_version_11() {
    // SAFETY: nothing is called on the result.
    let env = unsafe { Env::open(vm(get_env)) }.unwrap();
    assert_eq!(env.as_raw() as usize, 0x300B_0000);
}

/// Refuses with the code `CODE` and leaves garbage behind.
unsafe extern "system" fn refuse<const CODE: jint>(
    _vm: *mut JavaVM,
    env: *mut *mut c_void,
    _version: jint,
) -> jint {
    // SAFETY: the layer under test lends a place for it.
    unsafe { *env = ptr::dangling_mut() };
    CODE
}

#[test]
fn open_names_each_refusal() {
    let refusals = [
        (vm(refuse::<JNI_EDETACHED>), sys::Error::UNATTACHED_THREAD),
        (vm(refuse::<JNI_EVERSION>), sys::Error::UNSUPPORTED_VERSION),
        (vm(refuse::<JNI_ENOMEM>), sys::Error::OUT_OF_MEMORY),
        (vm(refuse::<JNI_ERR>), sys::Error::INTERNAL),
    ];
    for (vm, code) in refusals {
        // SAFETY: nothing is called on the result.
        let error = unsafe { Env::open(vm) }.unwrap_err();
        assert_eq!(error, Error::new("GetEnv", code));
    }
}

#[test]
fn open_never_answers_a_null_environment() {
    unsafe extern "system" fn none(_: *mut JavaVM, env: *mut *mut c_void, _: jint) -> jint {
        // SAFETY: the layer under test lends a place for it.
        unsafe { *env = ptr::null_mut() };
        JNI_OK
    }
    // SAFETY: nothing is called on the result.
    let error = unsafe { Env::open(vm(none)) }.unwrap_err();
    assert_eq!(error, Error::new("GetEnv", sys::Error::INTERNAL));
}

#[test]
fn an_error_names_function_and_code() {
    let known = Error::new("GetThreadState", sys::Error::THREAD_NOT_ALIVE);
    assert_eq!(
        known.to_string(),
        "GetThreadState: JVMTI_ERROR_THREAD_NOT_ALIVE (15)"
    );
    let unknown = Error::new("GetThreadState", sys::Error(9999));
    assert_eq!(unknown.to_string(), "GetThreadState: unknown error (9999)");
}
