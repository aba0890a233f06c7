use std::cell::RefCell;
use std::ffi::{c_char, c_uchar};
use std::{ptr, slice};

use jni::objects::JClass;
use jni::sys::{jclass, jfieldID, jint, jmethodID, jobject};
use jvmti::sys::{self, jvmtiClassDefinition};
use jvmti::{ClassDefinition, Error};

use crate::fake::{
    Bits, Fake, array, deleted, enter, every_way, field, method, numbers, object, raw, slot, text,
    with_jni,
};

slot!(GetClassSignature(class: jobject) -> (
    signature: *mut c_char = text(c"Ljava/util/List;"),
    generic: *mut c_char = text(c"<E:Ljava/lang/Object;>Ljava/lang/Object;")
));

#[test]
fn class_signature_is_two_texts_and_both_are_freed() {
    let ((signature, generic), arguments) = every_way(
        "GetClassSignature",
        |table| table.GetClassSignature = Some(GetClassSignature),
        |env| env.class_signature(&object(0x10)),
    );
    assert_eq!(arguments, [0x10]);
    assert_eq!(signature.to_str(), "Ljava/util/List;");
    assert_eq!(
        generic.unwrap().to_str(),
        "<E:Ljava/lang/Object;>Ljava/lang/Object;"
    );
}

#[test]
fn a_class_that_is_not_generic_has_one_signature() {
    slot!(GetClassSignature(class: jobject) -> (
        signature: *mut c_char = text(c"[I"),
        generic: *mut c_char = ptr::null_mut()
    ));
    let fake = Fake::new(|table| table.GetClassSignature = Some(GetClassSignature));
    let (signature, generic) = fake.env().class_signature(&object(0x10)).unwrap();
    assert_eq!(signature.to_str(), "[I");
    assert_eq!(generic, None);
    assert_eq!(fake.calls().len(), 2, "one text, one block freed");
}

slot!(GetSourceFileName(class: jobject) -> (name: *mut c_char = text(c"List.java")));

#[test]
fn source_file_name_is_freed() {
    let (name, arguments) = every_way(
        "GetSourceFileName",
        |table| table.GetSourceFileName = Some(GetSourceFileName),
        |env| env.source_file_name(&object(0x10)),
    );
    assert_eq!(
        (name.to_str().as_ref(), arguments),
        ("List.java", vec![0x10])
    );
}

slot!(GetSourceDebugExtension(class: jobject) -> (
    extension: *mut c_char = text(c"SMAP\nPage.java\nJSP\n")
));

#[test]
fn source_debug_extension_is_freed() {
    let (extension, arguments) = every_way(
        "GetSourceDebugExtension",
        |table| table.GetSourceDebugExtension = Some(GetSourceDebugExtension),
        |env| env.source_debug_extension(&object(0x10)),
    );
    assert_eq!(
        (extension.to_str().as_ref(), arguments),
        ("SMAP\nPage.java\nJSP\n", vec![0x10])
    );
}

slot!(GetImplementedInterfaces(class: jobject) -> (
    count: jint = 2,
    interfaces: *mut jobject = array(&[raw(0x20), raw(0x30)])
));

#[test]
fn implemented_interfaces_are_references_and_the_list_is_freed() {
    with_jni(|jni| {
        let (interfaces, arguments) = every_way(
            "GetImplementedInterfaces",
            |table| table.GetImplementedInterfaces = Some(GetImplementedInterfaces),
            |env| env.implemented_interfaces(jni, &object(0x10)),
        );
        assert_eq!(arguments, [0x10]);
        assert_eq!(numbers(&interfaces), [0x20, 0x30]);
    });
}

slot!(GetClassLoader(class: jobject) -> (loader: jobject = raw(0x20)));

#[test]
fn class_loader_is_a_reference() {
    with_jni(|jni| {
        let (loader, arguments) = every_way(
            "GetClassLoader",
            |table| table.GetClassLoader = Some(GetClassLoader),
            |env| env.class_loader(jni, &object(0x10)),
        );
        assert_eq!(arguments, [0x10]);
        assert_eq!(loader.unwrap().as_raw(), raw(0x20));
    });
}

#[test]
fn the_bootstrap_loader_is_none() {
    slot!(GetClassLoader(class: jobject) -> (loader: jobject = raw(0)));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetClassLoader = Some(GetClassLoader));
        assert!(
            fake.env()
                .class_loader(jni, &object(0x10))
                .unwrap()
                .is_none()
        );
    });
}

slot!(GetClassStatus(class: jobject) -> (status: jint = 0x107));

#[test]
fn class_status_has_names_and_keeps_what_it_does_not_know() {
    let (status, arguments) = every_way(
        "GetClassStatus",
        |table| table.GetClassStatus = Some(GetClassStatus),
        |env| env.class_status(&object(0x10)),
    );
    assert_eq!(arguments, [0x10]);
    assert_eq!(
        format!("{status:?}"),
        "ClassStatus(VERIFIED | PREPARED | INITIALIZED | 0x100)"
    );
}

slot!(GetClassModifiers(class: jobject) -> (modifiers: jint = 0x0601));

#[test]
fn class_modifiers_are_the_class_files() {
    let result = every_way(
        "GetClassModifiers",
        |table| table.GetClassModifiers = Some(GetClassModifiers),
        |env| env.class_modifiers(&object(0x10)),
    );
    assert_eq!(result, (0x0601, vec![0x10]));
}

slot!(IsInterface(class: jobject) -> (answer: bool = true));

#[test]
fn an_interface_says_so() {
    let result = every_way(
        "IsInterface",
        |table| table.IsInterface = Some(IsInterface),
        |env| env.is_interface(&object(0x10)),
    );
    assert_eq!(result, (true, vec![0x10]));
}

slot!(IsArrayClass(class: jobject) -> (answer: bool = true));

#[test]
fn an_array_says_so() {
    let result = every_way(
        "IsArrayClass",
        |table| table.IsArrayClass = Some(IsArrayClass),
        |env| env.is_array_class(&object(0x10)),
    );
    assert_eq!(result, (true, vec![0x10]));
}

slot!(GetClassVersionNumbers(class: jobject) -> (minor: jint = 3, major: jint = 61));

#[test]
fn class_version_numbers_are_minor_and_major() {
    let result = every_way(
        "GetClassVersionNumbers",
        |table| table.GetClassVersionNumbers = Some(GetClassVersionNumbers),
        |env| env.class_version_numbers(&object(0x10)),
    );
    assert_eq!(result, ((3, 61), vec![0x10]));
}

slot!(GetLoadedClasses() -> (
    count: jint = 2,
    classes: *mut jobject = array(&[raw(0x20), raw(0x30)])
));

#[test]
fn loaded_classes_are_references_and_the_list_is_freed() {
    with_jni(|jni| {
        let (classes, arguments) = every_way(
            "GetLoadedClasses",
            |table| table.GetLoadedClasses = Some(GetLoadedClasses),
            |env| env.loaded_classes(jni),
        );
        assert!(arguments.is_empty());
        assert_eq!(numbers(&classes), [0x20, 0x30]);
    });
}

slot!(IsModifiableClass(class: jobject) -> (modifiable: bool = true));

#[test]
fn is_modifiable_class_is_a_boolean() {
    let (modifiable, arguments) = every_way(
        "IsModifiableClass",
        |table| table.IsModifiableClass = Some(IsModifiableClass),
        |env| env.is_modifiable_class(&object(0x10)),
    );
    assert_eq!((modifiable, arguments), (true, vec![0x10]));
}

slot!(GetClassLoaderClasses(loader: jobject) -> (
    count: jint = 2,
    classes: *mut jobject = array(&[raw(0x20), raw(0x30)])
));

#[test]
fn class_loader_classes_are_references_and_the_list_is_freed() {
    with_jni(|jni| {
        for (loader, passed) in [(Some(object(0x10)), 0x10), (None, 0)] {
            let (classes, arguments) = every_way(
                "GetClassLoaderClasses",
                |table| table.GetClassLoaderClasses = Some(GetClassLoaderClasses),
                |env| env.class_loader_classes(jni, loader.as_ref()),
            );
            assert_eq!(arguments, [passed]);
            assert_eq!(numbers(&classes), [0x20, 0x30]);
        }
    });
}

slot!(GetClassMethods(class: jobject) -> (
    count: jint = 2,
    methods: *mut jmethodID = array(&[method(0x21), method(0x31)])
));

#[test]
fn class_methods_are_numbers_and_the_list_is_freed() {
    let (methods, arguments) = every_way(
        "GetClassMethods",
        |table| table.GetClassMethods = Some(GetClassMethods),
        |env| env.class_methods(&object(0x10)),
    );
    let methods: Vec<_> = methods.iter().map(|one| one.as_raw() as usize).collect();
    assert_eq!((methods, arguments), (vec![0x21, 0x31], vec![0x10]));
}

slot!(GetClassFields(class: jobject) -> (
    count: jint = 2,
    fields: *mut jfieldID = array(&[field(0x22), field(0x32)])
));

#[test]
fn class_fields_are_numbers_and_the_list_is_freed() {
    let class = object(0x10);
    let (fields, arguments) = every_way(
        "GetClassFields",
        |table| table.GetClassFields = Some(GetClassFields),
        |env| env.class_fields(&class),
    );
    let fields: Vec<_> = fields.iter().map(|one| one.as_raw() as usize).collect();
    assert_eq!((fields, arguments), (vec![0x22, 0x32], vec![0x10]));
}

slot!(GetConstantPool(class: jobject) -> (
    constants: jint = 3,
    count: jint = 5,
    bytes: *mut c_uchar = array(&[1, 0, 2, b'a', b'b'])
));

#[test]
fn constant_pool_is_a_number_and_bytes_that_are_freed() {
    let (pool, arguments) = every_way(
        "GetConstantPool",
        |table| table.GetConstantPool = Some(GetConstantPool),
        |env| env.constant_pool(&object(0x10)),
    );
    assert_eq!(pool, (3, vec![1, 0, 2, b'a', b'b']));
    assert_eq!(arguments, [0x10]);
}

/// For each definition the class, the number of bytes, and their sum.
unsafe extern "system" fn redefine_classes(
    env: *mut sys::Env,
    count: jint,
    definitions: *const jvmtiClassDefinition,
) -> sys::Error {
    let mut arguments = vec![count.bits()];
    // SAFETY: the layer under test lends as many as it says, each with its bytes.
    for one in unsafe { slice::from_raw_parts(definitions, count as usize) } {
        let length = one.class_byte_count;
        // SAFETY: as above.
        let bytes = unsafe { slice::from_raw_parts(one.class_bytes, length as usize) };
        let sum = bytes.iter().map(|&byte| i64::from(byte)).sum();
        arguments.extend([one.klass.bits(), length.bits(), sum]);
    }
    enter(env, "RedefineClasses", arguments)
}

#[test]
fn redefine_classes_passes_each_class_with_its_bytes() {
    with_jni(|jni| {
        let jni = RefCell::new(jni);
        let [one, other]: [JClass<'_>; 2] = [object(0x10), object(0x20)];
        let before = deleted();
        let ((), arguments) = every_way(
            "RedefineClasses",
            |table| table.RedefineClasses = Some(redefine_classes),
            |env| {
                let definition = |class, bytes| ClassDefinition { class, bytes };
                let definitions = [definition(&one, &[1, 2, 3]), definition(&other, &[])];
                env.redefine_classes(&mut jni.borrow_mut(), &definitions)
            },
        );
        assert_eq!(arguments, [2, 0x10, 3, 6, 0x20, 0, 0]);
        assert_eq!(deleted() - before, 3 * 2, "its own references, each time");
    });
}

unsafe extern "system" fn retransform_classes(
    env: *mut sys::Env,
    count: jint,
    classes: *const jclass,
) -> sys::Error {
    // SAFETY: the layer under test lends as many as it says.
    let classes = unsafe { slice::from_raw_parts(classes, count as usize) };
    let all = classes.iter().map(|class| class.bits());
    enter(env, "RetransformClasses", all.collect())
}

#[test]
fn retransform_classes_passes_the_classes() {
    with_jni(|jni| {
        let jni = RefCell::new(jni);
        let [one, other]: [JClass<'_>; 2] = [object(0x10), object(0x20)];
        let ((), arguments) = every_way(
            "RetransformClasses",
            |table| table.RetransformClasses = Some(retransform_classes),
            |env| env.retransform_classes(&mut jni.borrow_mut(), &[&one, &other]),
        );
        assert_eq!(arguments, [0x10, 0x20]);
    });
}

#[test]
fn a_class_that_is_null_does_not_reach_the_vm() {
    with_jni(|jni| {
        let fake = Fake::new(|table| {
            table.RedefineClasses = Some(redefine_classes);
            table.RetransformClasses = Some(retransform_classes);
        });
        let [one, null]: [JClass<'_>; 2] = [object(0x10), object(0)];
        let invalid = |function| Err(Error::new(function, sys::Error::INVALID_CLASS));
        assert_eq!(
            fake.env().retransform_classes(jni, &[&one, &null]),
            invalid("RetransformClasses")
        );
        let bytes = &[1];
        let definition = ClassDefinition {
            class: &null,
            bytes,
        };
        assert_eq!(
            fake.env().redefine_classes(jni, &[definition]),
            invalid("RedefineClasses")
        );
        assert_eq!(fake.calls(), []);
    });
}
