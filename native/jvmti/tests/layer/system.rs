use std::ffi::c_char;

use jni::sys::jint;

use crate::fake::{array, every_way, seen, slot, text};

slot!(GetSystemProperties() -> (
    count: jint = 2,
    names: *mut *mut c_char = array(&[text(c"java.home"), text(c"java.vm.name")])
));

#[test]
fn system_properties_free_the_list_and_every_name() {
    let (names, _) = every_way(
        "GetSystemProperties",
        |table| table.GetSystemProperties = Some(GetSystemProperties),
        |env| env.system_properties(),
    );
    let names: Vec<_> = names.iter().map(|name| name.to_str()).collect();
    assert_eq!(names, ["java.home", "java.vm.name"]);
}

slot!(GetSystemProperty(name: *const c_char) -> (value: *mut c_char = text(c"/opt/jdk")));

#[test]
fn system_property_is_asked_by_name_and_its_value_freed() {
    let (value, _) = every_way(
        "GetSystemProperty",
        |table| table.GetSystemProperty = Some(GetSystemProperty),
        |env| env.system_property(c"java.home"),
    );
    assert_eq!(seen().last().unwrap().as_c_str(), c"java.home");
    assert_eq!(value.to_str(), "/opt/jdk");
}

slot!(SetSystemProperty(name: *const c_char, value: *const c_char) -> ());

#[test]
fn set_system_property_passes_name_and_value() {
    let ((), arguments) = every_way(
        "SetSystemProperty",
        |table| table.SetSystemProperty = Some(SetSystemProperty),
        |env| env.set_system_property(c"a", c"b"),
    );
    assert_eq!(arguments, [1, 1]);
    assert_eq!(
        seen()[2..],
        [c"a".to_owned(), c"b".to_owned()],
        "after those of the failed call"
    );
}

slot!(AddToBootstrapClassLoaderSearch(segment: *const c_char) -> ());

#[test]
fn add_to_bootstrap_class_loader_search_passes_the_bytes_of_the_file() {
    let ((), _) = every_way(
        "AddToBootstrapClassLoaderSearch",
        |table| table.AddToBootstrapClassLoaderSearch = Some(AddToBootstrapClassLoaderSearch),
        |env| env.add_to_bootstrap_class_loader_search(c"/\xFF.jar"),
    );
    assert_eq!(seen().last().unwrap().as_c_str(), c"/\xFF.jar");
}

slot!(AddToSystemClassLoaderSearch(segment: *const c_char) -> ());

#[test]
fn add_to_system_class_loader_search_passes_the_bytes_of_the_file() {
    let ((), _) = every_way(
        "AddToSystemClassLoaderSearch",
        |table| table.AddToSystemClassLoaderSearch = Some(AddToSystemClassLoaderSearch),
        |env| env.add_to_system_class_loader_search(c"/\xFF.jar"),
    );
    assert_eq!(seen().last().unwrap().as_c_str(), c"/\xFF.jar");
}
