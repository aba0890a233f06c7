use jni::objects::JClass;
use jni::sys::{jclass, jfieldID, jlong, jmethodID};
use jvmti::{Field, MethodId};

use crate::fake::{every_way, field, method, object, slot};

/// Of the number 0x77.
fn total() -> MethodId {
    // SAFETY: nothing looks behind it.
    unsafe { MethodId::from_raw(method(0x77)) }
}

/// Of the number 0x78.
fn items<'a>(class: &'a JClass<'static>) -> Field<'a> {
    // SAFETY: nothing looks behind it.
    unsafe { Field::from_raw(class, field(0x78)) }
}

slot!(SetBreakpoint(method: jmethodID, location: jlong) -> ());
slot!(ClearBreakpoint(method: jmethodID, location: jlong) -> ());

#[test]
fn a_breakpoint_is_set_in_a_method_at_a_location() {
    let ((), arguments) = every_way(
        "SetBreakpoint",
        |table| table.SetBreakpoint = Some(SetBreakpoint),
        // SAFETY: the paper VM has no code.
        |env| unsafe { env.set_breakpoint(total(), 1 << 40) },
    );
    assert_eq!(arguments, [0x77, 1 << 40]);
}

#[test]
fn a_breakpoint_is_cleared_in_a_method_at_a_location() {
    let ((), arguments) = every_way(
        "ClearBreakpoint",
        |table| table.ClearBreakpoint = Some(ClearBreakpoint),
        |env| env.clear_breakpoint(total(), -1),
    );
    assert_eq!(arguments, [0x77, -1]);
}

slot!(SetFieldAccessWatch(class: jclass, field: jfieldID) -> ());
slot!(ClearFieldAccessWatch(class: jclass, field: jfieldID) -> ());
slot!(SetFieldModificationWatch(class: jclass, field: jfieldID) -> ());
slot!(ClearFieldModificationWatch(class: jclass, field: jfieldID) -> ());

#[test]
fn a_watch_is_of_a_field_of_its_class() {
    let class = object(0x10);
    let set = every_way(
        "SetFieldAccessWatch",
        |table| table.SetFieldAccessWatch = Some(SetFieldAccessWatch),
        |env| env.set_field_access_watch(items(&class)),
    );
    let cleared = every_way(
        "ClearFieldAccessWatch",
        |table| table.ClearFieldAccessWatch = Some(ClearFieldAccessWatch),
        |env| env.clear_field_access_watch(items(&class)),
    );
    assert_eq!([set.1, cleared.1], [[0x10, 0x78], [0x10, 0x78]]);
}

#[test]
fn a_watch_of_writes_is_another_one() {
    let class = object(0x10);
    let set = every_way(
        "SetFieldModificationWatch",
        |table| table.SetFieldModificationWatch = Some(SetFieldModificationWatch),
        |env| env.set_field_modification_watch(items(&class)),
    );
    let cleared = every_way(
        "ClearFieldModificationWatch",
        |table| table.ClearFieldModificationWatch = Some(ClearFieldModificationWatch),
        |env| env.clear_field_modification_watch(items(&class)),
    );
    assert_eq!([set.1, cleared.1], [[0x10, 0x78], [0x10, 0x78]]);
}
