use std::ffi::c_void;
use std::ptr;

use jvmti::sys::{self, jniNativeInterface};
use jvmti::{Env, Error, JniFunctionTable};

use crate::fake::{Fake, array, enter, slot};

/// One more than the layer knows of a JDK 17.
const LENGTH: usize = 235;

fn function(number: usize) -> *mut c_void {
    ptr::without_provenance_mut(number)
}

/// A table with a number in each slot.
fn numbered() -> *mut jniNativeInterface {
    let all: [_; LENGTH] = std::array::from_fn(|slot| function(0x1000 + slot));
    array(&all).cast()
}

slot!(GetVersionNumber() -> (version: i32 = 0x3011_0000));
slot!(GetJNIFunctionTable() -> (table: *mut jniNativeInterface = numbered()));

/// What is set, as numbers.
unsafe extern "system" fn set(env: *mut sys::Env, table: *const jniNativeInterface) -> sys::Error {
    // SAFETY: a table that `numbered` made.
    let slots = unsafe { std::slice::from_raw_parts(table.cast::<*mut c_void>(), LENGTH) };
    let numbers = slots.iter().map(|&one| one as i64);
    enter(env, "SetJNIFunctionTable", numbers.collect())
}

fn fake() -> Fake {
    Fake::new(|table| {
        table.GetVersionNumber = Some(GetVersionNumber);
        table.GetJNIFunctionTable = Some(GetJNIFunctionTable);
        table.SetJNIFunctionTable = Some(set);
    })
}

#[test]
fn the_slots_that_this_jdk_has_are_read_and_the_copy_is_freed() {
    let fake = fake();
    let table = fake.env().jni_function_table().unwrap();
    assert_eq!(table.len(), LENGTH - 1, "what a JDK 17 has");
    assert_eq!((table[4], table[233]), (function(0x1004), function(0x10E9)));
    assert_eq!(fake.live(), 1);
    drop(table);
    assert_eq!(fake.live(), 0);
}

#[test]
fn what_is_set_is_the_copy_with_what_was_changed_in_it_and_with_what_nobody_here_knows() {
    let fake = fake();
    let mut table = fake.env().jni_function_table().unwrap();
    table[7] = function(0x77);
    fake.calls();
    assert_eq!(put(fake.env(), &table), Ok(()));
    let calls = fake.calls();
    let [("SetJNIFunctionTable", slots)] = calls.as_slice() else {
        panic!("one call: {calls:?}");
    };
    assert_eq!(slots[6..9], [0x1006, 0x77, 0x1008]);
    assert_eq!(slots[LENGTH - 1], 0x1000 + LENGTH as i64 - 1);
}

#[test]
fn refusals_are_told_and_leave_nothing() {
    let fake = fake();
    let table = fake.env().jni_function_table().unwrap();
    fake.fail(sys::Error::WRONG_PHASE);
    let refused = |name| Error::new(name, sys::Error::WRONG_PHASE);
    assert_eq!(put(fake.env(), &table), Err(refused("SetJNIFunctionTable")));
    let asked = fake.env().jni_function_table().unwrap_err();
    assert_eq!(asked, refused("GetVersionNumber"));
}

#[test]
fn a_vm_without_such_functions_is_told() {
    let missing = |name| Error::new(name, sys::Error::NOT_AVAILABLE);
    let fake = Fake::new(|table| table.GetVersionNumber = Some(GetVersionNumber));
    let asked = fake.env().jni_function_table().unwrap_err();
    assert_eq!(asked, missing("GetJNIFunctionTable"));
    drop(fake);
    let fake = Fake::new(|table| {
        table.GetVersionNumber = Some(GetVersionNumber);
        table.GetJNIFunctionTable = Some(GetJNIFunctionTable);
    });
    let table = fake.env().jni_function_table().unwrap();
    assert_eq!(put(fake.env(), &table), Err(missing("SetJNIFunctionTable")));
}

fn put(env: &Env, table: &JniFunctionTable<'_>) -> jvmti::Result<()> {
    // SAFETY: nobody calls anything through the table of a fake.
    unsafe { env.set_jni_function_table(table) }
}
