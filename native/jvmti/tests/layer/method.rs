use std::ffi::c_char;
use std::{ptr, slice};

use jni::sys::{jclass, jint, jmethodID};
use jvmti::sys::{jvmtiLineNumberEntry, jvmtiLocalVariableEntry};
use jvmti::{Error, MethodId, sys};

use crate::fake::{Bits, Fake, array, enter, every_way, raw, seen, slot, text, with_jni};

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

slot!(IsMethodSynthetic(method: jmethodID) -> (answer: bool = true));

#[test]
fn a_synthetic_method_says_so() {
    let result = every_way(
        "IsMethodSynthetic",
        |table| table.IsMethodSynthetic = Some(IsMethodSynthetic),
        |env| env.is_method_synthetic(method()),
    );
    assert_eq!(result, (true, vec![0x88]));
}

slot!(IsMethodObsolete(method: jmethodID) -> (answer: bool = true));

#[test]
fn an_obsolete_method_says_so() {
    let result = every_way(
        "IsMethodObsolete",
        |table| table.IsMethodObsolete = Some(IsMethodObsolete),
        |env| env.is_method_obsolete(method()),
    );
    assert_eq!(result, (true, vec![0x88]));
}

slot!(GetMaxLocals(method: jmethodID) -> (size: jint = 7));

#[test]
fn max_locals_is_a_number_of_slots() {
    let result = every_way(
        "GetMaxLocals",
        |table| table.GetMaxLocals = Some(GetMaxLocals),
        |env| env.max_locals(method()),
    );
    assert_eq!(result, (7, vec![0x88]));
}

slot!(GetArgumentsSize(method: jmethodID) -> (size: jint = 3));

#[test]
fn arguments_size_is_a_number_of_slots() {
    let result = every_way(
        "GetArgumentsSize",
        |table| table.GetArgumentsSize = Some(GetArgumentsSize),
        |env| env.arguments_size(method()),
    );
    assert_eq!(result, (3, vec![0x88]));
}

slot!(GetMethodLocation(method: jmethodID) -> (start: i64 = 1 << 40, end: i64 = (1 << 40) + 9));

#[test]
fn method_location_is_the_first_and_the_last() {
    let result = every_way(
        "GetMethodLocation",
        |table| table.GetMethodLocation = Some(GetMethodLocation),
        |env| env.method_location(method()),
    );
    assert_eq!(result, ((1 << 40, (1 << 40) + 9), vec![0x88]));
}

slot!(GetBytecodes(method: jmethodID) -> (
    count: jint = 3,
    codes: *mut u8 = array(&[0x2a, 0xc2, 0xb1])
));

#[test]
fn bytecodes_are_all_there_and_freed() {
    let (codes, arguments) = every_way(
        "GetBytecodes",
        |table| table.GetBytecodes = Some(GetBytecodes),
        |env| env.bytecodes(method()),
    );
    assert_eq!((codes, arguments), (vec![0x2a, 0xc2, 0xb1], vec![0x88]));
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

slot!(GetLocalVariableTable(method: jmethodID) -> (
    count: jint = 2,
    table: *mut jvmtiLocalVariableEntry = array(&[
        jvmtiLocalVariableEntry {
            start_location: 1 << 40,
            length: 7,
            name: text(c"list"),
            signature: text(c"Ljava/util/List;"),
            generic_signature: text(c"Ljava/util/List<TE;>;"),
            slot: 3,
        },
        jvmtiLocalVariableEntry {
            start_location: 0,
            length: 19,
            name: text(c"this"),
            signature: text(c"LMain;"),
            generic_signature: ptr::null_mut(),
            slot: 0,
        },
    ])
));

#[test]
fn local_variable_table_keeps_its_order_and_is_freed_with_all_its_texts() {
    let (variables, arguments) = every_way(
        "GetLocalVariableTable",
        |table| table.GetLocalVariableTable = Some(GetLocalVariableTable),
        |env| env.local_variable_table(method()),
    );
    assert_eq!(arguments, [0x88]);
    let [list, this] = variables.as_slice() else {
        panic!("{variables:?}");
    };
    assert_eq!(
        (list.start_location, list.length, list.slot),
        (1 << 40, 7, 3)
    );
    assert_eq!(list.name.to_str(), "list");
    assert_eq!(list.signature.to_str(), "Ljava/util/List;");
    let generic = list.generic.as_ref().map(|generic| generic.to_str());
    assert_eq!(generic.as_deref(), Some("Ljava/util/List<TE;>;"));
    assert_eq!((this.start_location, this.length, this.slot), (0, 19, 0));
    assert_eq!(this.name.to_str(), "this");
    assert_eq!(this.signature.to_str(), "LMain;");
    assert_eq!(this.generic, None);
}

#[test]
fn a_method_without_variables_has_an_empty_table_with_and_without_a_block() {
    slot!(NoBlock(method: jmethodID) -> (
        count: jint = 0,
        table: *mut jvmtiLocalVariableEntry = ptr::null_mut()
    ));
    slot!(EmptyBlock(method: jmethodID) -> (
        count: jint = 0,
        table: *mut jvmtiLocalVariableEntry = array::<jvmtiLocalVariableEntry>(&[])
    ));
    let empty = |fake: Fake| {
        assert!(
            fake.env()
                .local_variable_table(method())
                .unwrap()
                .is_empty()
        );
        fake.calls().len()
    };
    let calls = empty(Fake::new(|table| {
        table.GetLocalVariableTable = Some(NoBlock)
    }));
    assert_eq!(calls, 1, "nothing to free");
    let calls = empty(Fake::new(|table| {
        table.GetLocalVariableTable = Some(EmptyBlock)
    }));
    assert_eq!(calls, 2, "the block is freed");
}

#[test]
fn a_variable_without_the_texts_that_are_promised_has_empty_ones() {
    slot!(Nameless(method: jmethodID) -> (
        count: jint = 1,
        table: *mut jvmtiLocalVariableEntry = array(&[jvmtiLocalVariableEntry {
            start_location: 0,
            length: 1,
            name: ptr::null_mut(),
            signature: ptr::null_mut(),
            generic_signature: text(c"TE;"),
            slot: 0,
        }])
    ));
    let fake = Fake::new(|table| table.GetLocalVariableTable = Some(Nameless));
    let variables = fake.env().local_variable_table(method()).unwrap();
    assert_eq!(fake.calls().len(), 3, "one text and the table are freed");
    assert_eq!(variables[0].name.to_str(), "");
    assert_eq!(variables[0].signature.to_str(), "");
    let generic = variables[0]
        .generic
        .as_ref()
        .map(|generic| generic.to_str());
    assert_eq!(generic.as_deref(), Some("TE;"));
}

slot!(SetNativeMethodPrefix(prefix: *const c_char) -> ());

#[test]
fn set_native_method_prefix_passes_the_prefix() {
    let ((), arguments) = every_way(
        "SetNativeMethodPrefix",
        |table| table.SetNativeMethodPrefix = Some(SetNativeMethodPrefix),
        |env| env.set_native_method_prefix(Some(c"wrapped_")),
    );
    assert_eq!(arguments, [1]);
    assert_eq!(seen().last().unwrap().as_c_str(), c"wrapped_");
}

#[test]
fn no_prefix_is_null() {
    unsafe extern "system" fn set(env: *mut sys::Env, prefix: *const c_char) -> sys::Error {
        enter(env, "SetNativeMethodPrefix", vec![prefix as i64])
    }
    let fake = Fake::new(|table| table.SetNativeMethodPrefix = Some(set));
    fake.env().set_native_method_prefix(None).unwrap();
    assert_eq!(fake.calls(), [("SetNativeMethodPrefix", vec![0])]);
}

unsafe extern "system" fn set_native_method_prefixes(
    env: *mut sys::Env,
    count: jint,
    prefixes: *mut *mut c_char,
) -> sys::Error {
    // SAFETY: the layer under test lends as many texts as it says.
    let prefixes = unsafe { slice::from_raw_parts(prefixes, count as usize) };
    let all = prefixes.iter().map(|prefix| prefix.cast_const().bits());
    enter(env, "SetNativeMethodPrefixes", all.collect())
}

#[test]
fn set_native_method_prefixes_passes_all_in_their_order() {
    let ((), arguments) = every_way(
        "SetNativeMethodPrefixes",
        |table| table.SetNativeMethodPrefixes = Some(set_native_method_prefixes),
        |env| env.set_native_method_prefixes(&[c"a_", c"b_"]),
    );
    assert_eq!(arguments, [1, 1]);
    assert_eq!(seen()[2..], [c"a_".to_owned(), c"b_".to_owned()]);
}
