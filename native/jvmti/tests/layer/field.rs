use std::ffi::c_char;
use std::ptr;

use jni::objects::JClass;
use jni::sys::{jclass, jfieldID, jint};
use jvmti::{Error, Field, sys};

use crate::fake::{Fake, every_way, field, object, raw, slot, text, with_jni};

fn total<'a>(class: &'a JClass<'static>) -> Field<'a> {
    // SAFETY: nothing looks behind it.
    unsafe { Field::from_raw(class, field(0x77)) }
}

#[test]
fn a_field_is_its_number() {
    assert_eq!(total(&object(0x10)).as_raw() as usize, 0x77);
}

slot!(GetFieldName(class: jclass, field: jfieldID) -> (
    name: *mut c_char = text(c"items"),
    signature: *mut c_char = text(c"Ljava/util/List;"),
    generic: *mut c_char = text(c"Ljava/util/List<TE;>;")
));

#[test]
fn field_name_is_three_texts_and_all_are_freed() {
    let class = object(0x10);
    let ((name, signature, generic), arguments) = every_way(
        "GetFieldName",
        |table| table.GetFieldName = Some(GetFieldName),
        |env| env.field_name(total(&class)),
    );
    assert_eq!(arguments, [0x10, 0x77]);
    assert_eq!(name.to_str(), "items");
    assert_eq!(signature.to_str(), "Ljava/util/List;");
    assert_eq!(generic.unwrap().to_str(), "Ljava/util/List<TE;>;");
}

#[test]
fn a_field_that_is_not_generic_has_one_signature() {
    slot!(GetFieldName(class: jclass, field: jfieldID) -> (
        name: *mut c_char = text(c"total"),
        signature: *mut c_char = text(c"I"),
        generic: *mut c_char = ptr::null_mut()
    ));
    let fake = Fake::new(|table| table.GetFieldName = Some(GetFieldName));
    let class = object(0x10);
    let (name, signature, generic) = fake.env().field_name(total(&class)).unwrap();
    assert_eq!(
        (name.to_str().as_ref(), signature.to_str().as_ref()),
        ("total", "I")
    );
    assert_eq!(generic, None);
}

slot!(GetFieldDeclaringClass(class: jclass, field: jfieldID) -> (declaring: jclass = raw(0x40)));

#[test]
fn field_declaring_class_is_a_reference() {
    let asked = object(0x10);
    with_jni(|jni| {
        let (class, arguments) = every_way(
            "GetFieldDeclaringClass",
            |table| table.GetFieldDeclaringClass = Some(GetFieldDeclaringClass),
            |env| env.field_declaring_class(jni, total(&asked)),
        );
        assert_eq!((class.as_raw(), arguments), (raw(0x40), vec![0x10, 0x77]));
    });
}

#[test]
fn a_field_of_no_class_is_an_invalid_one() {
    slot!(GetFieldDeclaringClass(class: jclass, field: jfieldID) -> (declaring: jclass = raw(0)));
    let asked = object(0x10);
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetFieldDeclaringClass = Some(GetFieldDeclaringClass));
        assert_eq!(
            fake.env()
                .field_declaring_class(jni, total(&asked))
                .unwrap_err(),
            Error::new("GetFieldDeclaringClass", sys::Error::INVALID_FIELDID)
        );
    });
}

slot!(GetFieldModifiers(class: jclass, field: jfieldID) -> (modifiers: jint = 0x0019));

#[test]
fn field_modifiers_are_the_class_files() {
    let class = object(0x10);
    let result = every_way(
        "GetFieldModifiers",
        |table| table.GetFieldModifiers = Some(GetFieldModifiers),
        |env| env.field_modifiers(total(&class)),
    );
    assert_eq!(result, (0x0019, vec![0x10, 0x77]));
}

slot!(IsFieldSynthetic(class: jclass, field: jfieldID) -> (answer: bool = true));

#[test]
fn a_synthetic_field_says_so() {
    let class = object(0x10);
    let result = every_way(
        "IsFieldSynthetic",
        |table| table.IsFieldSynthetic = Some(IsFieldSynthetic),
        |env| env.is_field_synthetic(total(&class)),
    );
    assert_eq!(result, (true, vec![0x10, 0x77]));
}
