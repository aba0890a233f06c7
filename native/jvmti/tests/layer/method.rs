use std::ffi::c_char;
use std::ptr;

use jni::sys::{jclass, jint, jmethodID};
use jvmti::sys::jvmtiLineNumberEntry;
use jvmti::{Error, MethodId, sys};

use crate::fake::{Fake, array, every_way, raw, slot, text, with_jni};

fn method() -> MethodId {
    // SAFETY: nothing looks behind it.
    unsafe { MethodId::from_raw(crate::fake::method(0x88)) }
}

#[test]
fn a_method_is_its_number() {
    assert_eq!(method().as_raw() as usize, 0x88);
}

slot!(GetMethodName(method: jmethodID) -> (
    name: *mut c_char = text(c"add"),
    signature: *mut c_char = text(c"(Ljava/lang/Object;)Z"),
    generic: *mut c_char = text(c"(TE;)Z")
));

#[test]
fn method_name_is_three_texts_and_all_are_freed() {
    let ((name, signature, generic), arguments) = every_way(
        "GetMethodName",
        |table| table.GetMethodName = Some(GetMethodName),
        |env| env.method_name(method()),
    );
    assert_eq!(arguments, [0x88]);
    assert_eq!(name.to_str(), "add");
    assert_eq!(signature.to_str(), "(Ljava/lang/Object;)Z");
    assert_eq!(generic.unwrap().to_str(), "(TE;)Z");
}

#[test]
fn a_method_that_is_not_generic_has_one_signature() {
    slot!(GetMethodName(method: jmethodID) -> (
        name: *mut c_char = text(c"run"),
        signature: *mut c_char = text(c"()V"),
        generic: *mut c_char = ptr::null_mut()
    ));
    let fake = Fake::new(|table| table.GetMethodName = Some(GetMethodName));
    let (name, signature, generic) = fake.env().method_name(method()).unwrap();
    assert_eq!(
        (name.to_str().as_ref(), signature.to_str().as_ref()),
        ("run", "()V")
    );
    assert_eq!(generic, None);
}

slot!(GetMethodDeclaringClass(method: jmethodID) -> (class: jclass = raw(0x40)));

#[test]
fn method_declaring_class_is_a_reference() {
    with_jni(|jni| {
        let (class, arguments) = every_way(
            "GetMethodDeclaringClass",
            |table| table.GetMethodDeclaringClass = Some(GetMethodDeclaringClass),
            |env| env.method_declaring_class(jni, method()),
        );
        assert_eq!((class.as_raw(), arguments), (raw(0x40), vec![0x88]));
    });
}

#[test]
fn a_class_that_is_going_away_is_an_invalid_method() {
    slot!(GetMethodDeclaringClass(method: jmethodID) -> (class: jclass = raw(0)));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetMethodDeclaringClass = Some(GetMethodDeclaringClass));
        assert_eq!(
            fake.env()
                .method_declaring_class(jni, method())
                .unwrap_err(),
            Error::new("GetMethodDeclaringClass", sys::Error::INVALID_METHODID)
        );
    });
}

slot!(GetMethodModifiers(method: jmethodID) -> (modifiers: jint = 0x0109));

#[test]
fn method_modifiers_are_the_class_files() {
    let result = every_way(
        "GetMethodModifiers",
        |table| table.GetMethodModifiers = Some(GetMethodModifiers),
        |env| env.method_modifiers(method()),
    );
    assert_eq!(result, (0x0109, vec![0x88]));
}

slot!(IsMethodNative(method: jmethodID) -> (native: bool = true));

#[test]
fn a_native_method_says_so() {
    let result = every_way(
        "IsMethodNative",
        |table| table.IsMethodNative = Some(IsMethodNative),
        |env| env.is_method_native(method()),
    );
    assert_eq!(result, (true, vec![0x88]));
}

#[test]
fn a_method_in_java_is_not_native() {
    slot!(IsMethodNative(method: jmethodID) -> (native: bool = false));
    let fake = Fake::new(|table| table.IsMethodNative = Some(IsMethodNative));
    assert_eq!(fake.env().is_method_native(method()), Ok(false));
}

slot!(GetLineNumberTable(method: jmethodID) -> (
    count: jint = 2,
    table: *mut jvmtiLineNumberEntry = array(&[
        jvmtiLineNumberEntry { start_location: 4, line_number: 11 },
        jvmtiLineNumberEntry { start_location: 0, line_number: 10 },
    ])
));

#[test]
fn line_number_table_keeps_its_order_and_is_freed() {
    let (lines, arguments) = every_way(
        "GetLineNumberTable",
        |table| table.GetLineNumberTable = Some(GetLineNumberTable),
        |env| env.line_number_table(method()),
    );
    let lines: Vec<_> = lines
        .iter()
        .map(|line| (line.start_location, line.line_number))
        .collect();
    assert_eq!((lines, arguments), (vec![(4, 11), (0, 10)], vec![0x88]));
}
