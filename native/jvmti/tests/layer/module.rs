use std::ffi::{CString, c_char};

use jni::jni_str;
use jni::strings::JNIString;
use jni::sys::{jint, jobject};
use jvmti::sys::Error;

use crate::fake::{Fake, array, every_way, numbers, object, raw, seen, slot, with_jni};

slot!(GetAllModules() -> (
    count: jint = 2,
    modules: *mut jobject = array(&[raw(0x20), raw(0x30)])
));

#[test]
fn all_modules_are_references_and_the_list_is_freed() {
    with_jni(|jni| {
        let (modules, arguments) = every_way(
            "GetAllModules",
            |table| table.GetAllModules = Some(GetAllModules),
            |env| env.all_modules(jni),
        );
        assert!(arguments.is_empty());
        assert_eq!(numbers(&modules), [0x20, 0x30]);
    });
}

slot!(GetNamedModule(loader: jobject, package: *const c_char) -> (module: jobject = raw(0x20)));

#[test]
fn named_module_is_a_reference() {
    with_jni(|jni| {
        for (loader, passed) in [(Some(object(0x10)), 0x10), (None, 0)] {
            let (module, arguments) = every_way(
                "GetNamedModule",
                |table| table.GetNamedModule = Some(GetNamedModule),
                |env| env.named_module(jni, loader.as_ref(), jni_str!("java/lang")),
            );
            assert_eq!(arguments, [passed, 1]);
            assert_eq!(seen().last().unwrap().as_c_str(), c"java/lang");
            assert_eq!(module.unwrap().as_raw(), raw(0x20));
        }
    });
}

#[test]
fn no_named_module_is_none() {
    slot!(GetNamedModule(loader: jobject, package: *const c_char) -> (module: jobject = raw(0)));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetNamedModule = Some(GetNamedModule));
        let module = fake.env().named_module(jni, None, jni_str!("nowhere"));
        assert!(module.unwrap().is_none());
    });
}

slot!(AddModuleReads(module: jobject, to_module: jobject) -> ());

#[test]
fn add_module_reads_passes_both_modules() {
    let result = every_way(
        "AddModuleReads",
        |table| table.AddModuleReads = Some(AddModuleReads),
        |env| env.add_module_reads(&object(0x10), &object(0x20)),
    );
    assert_eq!(result, ((), vec![0x10, 0x20]));
}

slot!(AddModuleExports(module: jobject, package: *const c_char, to_module: jobject) -> ());

#[test]
fn add_module_exports_passes_both_modules_and_the_package() {
    let result = every_way(
        "AddModuleExports",
        |table| table.AddModuleExports = Some(AddModuleExports),
        |env| env.add_module_exports(&object(0x10), jni_str!("java.lang"), &object(0x20)),
    );
    assert_eq!(result, ((), vec![0x10, 1, 0x20]));
    assert_eq!(seen().last().unwrap().as_c_str(), c"java.lang");
}

slot!(AddModuleOpens(module: jobject, package: *const c_char, to_module: jobject) -> ());

#[test]
fn add_module_opens_passes_both_modules_and_the_package() {
    let result = every_way(
        "AddModuleOpens",
        |table| table.AddModuleOpens = Some(AddModuleOpens),
        |env| env.add_module_opens(&object(0x10), jni_str!("java.lang"), &object(0x20)),
    );
    assert_eq!(result, ((), vec![0x10, 1, 0x20]));
    assert_eq!(seen().last().unwrap().as_c_str(), c"java.lang");
}

/// The longest name that a class file can hold reaches the VM, and no longer one.
#[test]
fn a_package_name_that_is_too_long_is_none() {
    let longest = JNIString::new("x".repeat(65_535));
    let too_long = JNIString::new("x".repeat(65_536));
    with_jni(|jni| {
        let fake = Fake::new(|table| {
            table.GetNamedModule = Some(GetNamedModule);
            table.AddModuleExports = Some(AddModuleExports);
            table.AddModuleOpens = Some(AddModuleOpens);
        });
        let (env, module) = (fake.env(), object(0x10));
        assert!(env.named_module(jni, None, &longest).unwrap().is_some());
        assert_eq!(env.add_module_exports(&module, &longest, &module), Ok(()));
        assert_eq!(env.add_module_opens(&module, &longest, &module), Ok(()));
        assert_eq!(seen(), vec![CString::from(longest.as_cstr()); 3]);

        assert!(env.named_module(jni, None, &too_long).unwrap().is_none());
        let exported = env.add_module_exports(&module, &too_long, &module);
        assert_eq!(exported.unwrap_err().code, Error::ILLEGAL_ARGUMENT);
        let opened = env.add_module_opens(&module, &too_long, &module);
        assert_eq!(opened.unwrap_err().code, Error::ILLEGAL_ARGUMENT);
        assert!(seen().is_empty());
    });
}

slot!(AddModuleUses(module: jobject, service: jobject) -> ());

#[test]
fn add_module_uses_passes_module_and_service() {
    let result = every_way(
        "AddModuleUses",
        |table| table.AddModuleUses = Some(AddModuleUses),
        |env| env.add_module_uses(&object(0x10), &object(0x20)),
    );
    assert_eq!(result, ((), vec![0x10, 0x20]));
}

slot!(AddModuleProvides(module: jobject, service: jobject, implementation: jobject) -> ());

#[test]
fn add_module_provides_passes_module_service_and_implementation() {
    let result = every_way(
        "AddModuleProvides",
        |table| table.AddModuleProvides = Some(AddModuleProvides),
        |env| env.add_module_provides(&object(0x10), &object(0x20), &object(0x30)),
    );
    assert_eq!(result, ((), vec![0x10, 0x20, 0x30]));
}

slot!(IsModifiableModule(module: jobject) -> (modifiable: bool = true));

#[test]
fn is_modifiable_module_is_a_boolean() {
    let result = every_way(
        "IsModifiableModule",
        |table| table.IsModifiableModule = Some(IsModifiableModule),
        |env| env.is_modifiable_module(&object(0x10)),
    );
    assert_eq!(result, (true, vec![0x10]));
}
