use jni::sys::{JNI_EDETACHED, JNI_ENOMEM, JNI_ERR, JNI_EVERSION, JNI_OK};
use jvmti::{Env, Error, OwnedEnv, sys};

use crate::fake::{Fake, slot, vm};

#[test]
fn open_asks_for_version_11() {
    // The address that it answers is the version asked for.
    let env = OwnedEnv::open(&vm(|version| (JNI_OK, version as usize))).unwrap();
    assert_eq!(env.into_raw().as_ptr() as usize, 0x300B_0000);
}

/// What `open` answers when the VM refuses with `CODE` and leaves garbage behind.
fn refusal<const CODE: i32>() -> Error {
    OwnedEnv::open(&vm(|_| (CODE, 8))).unwrap_err()
}

#[test]
fn open_names_each_refusal() {
    let refusals = [
        (refusal::<JNI_EDETACHED>(), sys::Error::UNATTACHED_THREAD),
        (refusal::<JNI_EVERSION>(), sys::Error::UNSUPPORTED_VERSION),
        (refusal::<JNI_ENOMEM>(), sys::Error::OUT_OF_MEMORY),
        (refusal::<JNI_ERR>(), sys::Error::INTERNAL),
    ];
    for (error, code) in refusals {
        assert_eq!(error, Error::new("GetEnv", code));
    }
}

#[test]
fn open_never_answers_a_null_environment() {
    let error = OwnedEnv::open(&vm(|_| (JNI_OK, 0))).unwrap_err();
    assert_eq!(error, Error::new("GetEnv", sys::Error::INTERNAL));
}

slot!(DisposeEnvironment() -> ());

fn disposable() -> Fake {
    Fake::new(|table| table.DisposeEnvironment = Some(DisposeEnvironment))
}

#[test]
fn dispose_ends_the_environment_once() {
    let fake = disposable();
    assert_eq!(fake.owned().dispose(), Ok(()));
    assert_eq!(fake.calls(), [("DisposeEnvironment", vec![])]);
}

#[test]
fn a_refused_dispose_is_an_error_and_not_tried_again() {
    let fake = disposable();
    fake.fail(sys::Error::UNATTACHED_THREAD);
    assert_eq!(
        fake.owned().dispose(),
        Err(Error::new(
            "DisposeEnvironment",
            sys::Error::UNATTACHED_THREAD
        ))
    );
    assert_eq!(fake.calls().len(), 1);
}

#[test]
fn dropping_the_owner_disposes() {
    let fake = disposable();
    drop(fake.owned());
    assert_eq!(fake.calls(), [("DisposeEnvironment", vec![])]);
}

#[test]
fn what_is_leaked_or_handed_out_is_not_disposed() {
    let fake = disposable();
    let raw = fake.env().as_raw();
    assert_eq!(fake.owned().leak().as_raw(), raw);
    assert_eq!(fake.owned().into_raw().as_ptr(), raw);
    assert_eq!(fake.calls(), []);
}

#[test]
fn environments_are_the_pointer_and_nothing_more() {
    assert_eq!(size_of::<Option<&Env>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<OwnedEnv>>(), size_of::<usize>());
    let fake = disposable();
    assert_eq!(
        format!("{:?}", fake.env()),
        format!("Env({:p})", fake.env())
    );
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
