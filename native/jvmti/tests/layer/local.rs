use jni::objects::JObject;
use jni::sys::{jdouble, jfloat, jint, jlong, jobject};

use crate::fake::{Fake, every_way, object, raw, slot, with_jni, with_nested_jni};

slot!(GetLocalObject(thread: jobject, depth: jint, slot: jint) -> (value: jobject = raw(0x20)));

#[test]
fn a_local_object_is_a_reference() {
    with_jni(|jni| {
        let (value, arguments) = every_way(
            "GetLocalObject",
            |table| table.GetLocalObject = Some(GetLocalObject),
            |env| env.local_object(jni, Some(&object(0x10)), 3, 2),
        );
        assert_eq!(arguments, [0x10, 3, 2]);
        assert_eq!(value.map(|value| value.as_raw()), Some(raw(0x20)));
    });
}

slot!(GetLocalInstance(thread: jobject, depth: jint) -> (value: jobject = raw(0x30)));

#[test]
fn a_local_instance_is_a_reference() {
    with_jni(|jni| {
        let (value, arguments) = every_way(
            "GetLocalInstance",
            |table| table.GetLocalInstance = Some(GetLocalInstance),
            |env| env.local_instance(jni, Some(&object(0x10)), 3),
        );
        assert_eq!(arguments, [0x10, 3]);
        assert_eq!(value.map(|value| value.as_raw()), Some(raw(0x30)));
    });
}

#[test]
fn a_reference_that_is_null_is_none() {
    slot!(NullObject(thread: jobject, depth: jint, slot: jint) -> (value: jobject = raw(0)));
    slot!(NullInstance(thread: jobject, depth: jint) -> (value: jobject = raw(0)));
    with_jni(|jni| {
        let fake = Fake::new(|table| {
            table.GetLocalObject = Some(NullObject);
            table.GetLocalInstance = Some(NullInstance);
        });
        let env = fake.env();
        assert!(env.local_object(jni, None, 0, 1).unwrap().is_none());
        assert!(env.local_instance(jni, None, 0).unwrap().is_none());
        assert_eq!(
            fake.calls(),
            [("NullObject", vec![0, 0, 1]), ("NullInstance", vec![0, 0])],
            "the current thread"
        );
    });
}

#[test]
#[should_panic(expected = "not associated with the top JNI stack frame")]
fn a_local_object_is_never_given_a_frame_that_does_not_own_it() {
    let fake = Fake::new(|table| table.GetLocalObject = Some(GetLocalObject));
    let _ = with_nested_jni(|outer| fake.env().local_object(outer, None, 0, 1).map(|_| ()));
}

#[test]
#[should_panic(expected = "not associated with the top JNI stack frame")]
fn a_local_instance_is_never_given_a_frame_that_does_not_own_it() {
    let fake = Fake::new(|table| table.GetLocalInstance = Some(GetLocalInstance));
    let _ = with_nested_jni(|outer| fake.env().local_instance(outer, None, 0).map(|_| ()));
}

slot!(GetLocalInt(thread: jobject, depth: jint, slot: jint) -> (value: jint = jint::MIN));

#[test]
fn a_local_int_keeps_its_sign() {
    let result = every_way(
        "GetLocalInt",
        |table| table.GetLocalInt = Some(GetLocalInt),
        |env| env.local_int(Some(&object(0x10)), 3, 2),
    );
    assert_eq!(result, (i32::MIN, vec![0x10, 3, 2]));
}

slot!(GetLocalLong(thread: jobject, depth: jint, slot: jint) -> (value: jlong = jlong::MIN + 1));

#[test]
fn a_local_long_keeps_both_halves() {
    let result = every_way(
        "GetLocalLong",
        |table| table.GetLocalLong = Some(GetLocalLong),
        |env| env.local_long(Some(&object(0x10)), 3, 2),
    );
    assert_eq!(result, (i64::MIN + 1, vec![0x10, 3, 2]));
}

/// Not a number, with a payload that arithmetic would lose.
const FLOAT: u32 = 0xFFC0_1234;
const DOUBLE: u64 = 0xFFF8_0000_0000_1234;

slot!(GetLocalFloat(thread: jobject, depth: jint, slot: jint) -> (
    value: jfloat = f32::from_bits(FLOAT)
));

#[test]
fn a_local_float_keeps_its_bits() {
    let (value, arguments) = every_way(
        "GetLocalFloat",
        |table| table.GetLocalFloat = Some(GetLocalFloat),
        |env| env.local_float(Some(&object(0x10)), 3, 2),
    );
    assert_eq!((value.to_bits(), arguments), (FLOAT, vec![0x10, 3, 2]));
}

slot!(GetLocalDouble(thread: jobject, depth: jint, slot: jint) -> (
    value: jdouble = f64::from_bits(DOUBLE)
));

#[test]
fn a_local_double_keeps_its_bits() {
    let (value, arguments) = every_way(
        "GetLocalDouble",
        |table| table.GetLocalDouble = Some(GetLocalDouble),
        |env| env.local_double(Some(&object(0x10)), 3, 2),
    );
    assert_eq!((value.to_bits(), arguments), (DOUBLE, vec![0x10, 3, 2]));
}

slot!(SetLocalObject(thread: jobject, depth: jint, slot: jint, value: jobject) -> ());
slot!(SetLocalInt(thread: jobject, depth: jint, slot: jint, value: jint) -> ());
slot!(SetLocalLong(thread: jobject, depth: jint, slot: jint, value: jlong) -> ());
slot!(SetLocalFloat(thread: jobject, depth: jint, slot: jint, value: jfloat) -> ());
slot!(SetLocalDouble(thread: jobject, depth: jint, slot: jint, value: jdouble) -> ());

#[test]
fn set_local_object_takes_a_reference() {
    let ((), arguments) = every_way(
        "SetLocalObject",
        |table| table.SetLocalObject = Some(SetLocalObject),
        |env| {
            let value = object::<JObject<'_>>(0x20);
            // SAFETY: the paper VM has no frames.
            unsafe { env.set_local_object(Some(&object(0x10)), 3, 2, Some(&value)) }
        },
    );
    assert_eq!(arguments, [0x10, 3, 2, 0x20]);
}

#[test]
fn set_local_object_takes_none_for_null() {
    let fake = Fake::new(|table| table.SetLocalObject = Some(SetLocalObject));
    // SAFETY: the paper VM has no frames.
    unsafe { fake.env().set_local_object(None, 3, 2, None) }.unwrap();
    assert_eq!(fake.calls(), [("SetLocalObject", vec![0, 3, 2, 0])]);
}

#[test]
fn set_local_int_keeps_its_sign() {
    let ((), arguments) = every_way(
        "SetLocalInt",
        |table| table.SetLocalInt = Some(SetLocalInt),
        // SAFETY: the paper VM has no frames.
        |env| unsafe { env.set_local_int(Some(&object(0x10)), 3, 2, i32::MIN) },
    );
    assert_eq!(arguments, [0x10, 3, 2, i32::MIN.into()]);
}

#[test]
fn set_local_long_keeps_both_halves() {
    let ((), arguments) = every_way(
        "SetLocalLong",
        |table| table.SetLocalLong = Some(SetLocalLong),
        // SAFETY: the paper VM has no frames.
        |env| unsafe { env.set_local_long(Some(&object(0x10)), 3, 2, i64::MIN + 1) },
    );
    assert_eq!(arguments, [0x10, 3, 2, i64::MIN + 1]);
}

#[test]
fn set_local_float_keeps_its_bits() {
    let ((), arguments) = every_way(
        "SetLocalFloat",
        |table| table.SetLocalFloat = Some(SetLocalFloat),
        // SAFETY: the paper VM has no frames.
        |env| unsafe { env.set_local_float(Some(&object(0x10)), 3, 2, f32::from_bits(FLOAT)) },
    );
    assert_eq!(arguments, [0x10, 3, 2, FLOAT.into()]);
}

#[test]
fn set_local_double_keeps_its_bits() {
    let ((), arguments) = every_way(
        "SetLocalDouble",
        |table| table.SetLocalDouble = Some(SetLocalDouble),
        // SAFETY: the paper VM has no frames.
        |env| unsafe { env.set_local_double(Some(&object(0x10)), 3, 2, f64::from_bits(DOUBLE)) },
    );
    assert_eq!(arguments, [0x10, 3, 2, DOUBLE.cast_signed()]);
}

#[test]
fn no_thread_is_the_current_one() {
    let fake = Fake::new(|table| {
        table.GetLocalInt = Some(GetLocalInt);
        table.GetLocalLong = Some(GetLocalLong);
        table.GetLocalFloat = Some(GetLocalFloat);
        table.GetLocalDouble = Some(GetLocalDouble);
    });
    let env = fake.env();
    env.local_int(None, 1, 2).unwrap();
    env.local_long(None, 3, 4).unwrap();
    env.local_float(None, 5, 6).unwrap();
    env.local_double(None, 7, 8).unwrap();
    assert_eq!(
        fake.calls(),
        [
            ("GetLocalInt", vec![0, 1, 2]),
            ("GetLocalLong", vec![0, 3, 4]),
            ("GetLocalFloat", vec![0, 5, 6]),
            ("GetLocalDouble", vec![0, 7, 8]),
        ]
    );
}
