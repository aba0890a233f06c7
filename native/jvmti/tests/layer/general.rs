use std::ffi::{c_char, c_void};
use std::ptr;

use jni::sys::{jboolean, jint};
use jvmti::sys::{self, JLocationFormat, Phase, VerboseFlag};

use crate::fake::{Fake, every_way, slot, text};

slot!(GetVersionNumber() -> (version: jint = 0x3019_0000));

#[test]
fn version_number_is_the_vms() {
    let result = every_way(
        "GetVersionNumber",
        |table| table.GetVersionNumber = Some(GetVersionNumber),
        |env| env.version_number(),
    );
    assert_eq!(result, (0x3019_0000, vec![]));
    let fake = Fake::new(|table| table.GetVersionNumber = Some(GetVersionNumber));
    assert_eq!(fake.env().major_version(), Ok(0x19));
}

slot!(GetPhase() -> (phase: Phase = Phase::LIVE));

#[test]
fn phase_is_a_number_even_if_it_has_no_name() {
    let (phase, _) = every_way(
        "GetPhase",
        |table| table.GetPhase = Some(GetPhase),
        |env| env.phase(),
    );
    assert_eq!(phase, Phase::LIVE);

    slot!(NewPhase() -> (phase: Phase = Phase(77)));
    let fake = Fake::new(|table| table.GetPhase = Some(NewPhase));
    assert_eq!(fake.env().phase(), Ok(Phase(77)));
}

slot!(GetErrorName(error: sys::Error) -> (name: *mut c_char = text(c"JVMTI_ERROR_INTERNAL")));

#[test]
fn error_name_is_asked_by_number_and_freed() {
    let (name, arguments) = every_way(
        "GetErrorName",
        |table| table.GetErrorName = Some(GetErrorName),
        |env| env.error_name(sys::Error(113)),
    );
    assert_eq!(
        (name.to_str().as_ref(), arguments),
        ("JVMTI_ERROR_INTERNAL", vec![113])
    );
}

slot!(GetJLocationFormat() -> (format: JLocationFormat = JLocationFormat(1)));

#[test]
fn jlocation_format_is_the_vms() {
    let (format, _) = every_way(
        "GetJLocationFormat",
        |table| table.GetJLocationFormat = Some(GetJLocationFormat),
        |env| env.jlocation_format(),
    );
    assert_eq!(format, JLocationFormat(1));
}

slot!(SetVerboseFlag(flag: VerboseFlag, on: jboolean) -> ());

#[test]
fn set_verbose_flag_passes_flag_and_value() {
    for on in [true, false] {
        let ((), arguments) = every_way(
            "SetVerboseFlag",
            |table| table.SetVerboseFlag = Some(SetVerboseFlag),
            |env| env.set_verbose_flag(VerboseFlag(2), on),
        );
        assert_eq!(arguments, [2, i64::from(on)]);
    }
}

slot!(GetEnvironmentLocalStorage() -> (data: *mut c_void = ptr::without_provenance_mut(
    i64::MIN as usize
)));

#[test]
fn environment_local_storage_is_a_number_that_nobody_follows_or_frees() {
    let result = every_way(
        "GetEnvironmentLocalStorage",
        |table| table.GetEnvironmentLocalStorage = Some(GetEnvironmentLocalStorage),
        |env| env.environment_local_storage(),
    );
    assert_eq!(result, (i64::MIN, vec![]));
}

slot!(SetEnvironmentLocalStorage(data: *const c_void) -> ());

#[test]
fn set_environment_local_storage_takes_any_long() {
    for value in [i64::MIN, -42, 0, i64::MAX] {
        let ((), arguments) = every_way(
            "SetEnvironmentLocalStorage",
            |table| table.SetEnvironmentLocalStorage = Some(SetEnvironmentLocalStorage),
            |env| env.set_environment_local_storage(value),
        );
        assert_eq!(arguments, [value]);
    }
}
