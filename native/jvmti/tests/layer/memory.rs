//! Memory, and what every function that returns lists or texts has in common.

use std::ffi::c_char;
use std::ptr;

use jni::sys::{jint, jlong, jobject};
use jvmti::{Error, sys};

use crate::fake::{Fake, array, raw, slot, text, with_jni};

#[test]
fn a_negative_count_is_an_empty_list_whose_block_is_freed() {
    slot!(GetAllThreads() -> (count: jint = -1, threads: *mut jobject = array(&[raw(0x10)])));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetAllThreads = Some(GetAllThreads));
        assert!(fake.env().all_threads(jni).unwrap().is_empty());
        assert_eq!(fake.calls().len(), 2);
    });
}

#[test]
fn a_count_without_a_block_is_an_empty_list() {
    slot!(GetAllThreads() -> (count: jint = 5, threads: *mut jobject = ptr::null_mut()));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetAllThreads = Some(GetAllThreads));
        assert!(fake.env().all_threads(jni).unwrap().is_empty());
        assert_eq!(fake.calls().len(), 1, "nothing to free");
    });
}

#[test]
fn a_list_of_texts_may_have_gaps() {
    slot!(GetSystemProperties() -> (
        count: jint = 2,
        names: *mut *mut c_char = array(&[ptr::null_mut(), text(c"b")])
    ));
    let fake = Fake::new(|table| table.GetSystemProperties = Some(GetSystemProperties));
    assert_eq!(fake.env().system_properties().unwrap().len(), 1);
}

/// The text that a function answers when the VM hands out `bytes`.
fn decode(
    name: unsafe extern "system" fn(*mut sys::Env, sys::Error, *mut *mut c_char) -> sys::Error,
) -> jvmti::MutfString {
    let fake = Fake::new(|table| table.GetErrorName = Some(name));
    fake.env().error_name(sys::Error::NONE).unwrap()
}

#[test]
fn a_text_keeps_nul_and_supplementary_characters() {
    slot!(Name(error: sys::Error) -> (
        name: *mut c_char = text(c"a\xC0\x80b\xED\xA0\xBD\xED\xB8\x80c")
    ));
    let name = decode(Name);
    assert_eq!(name.to_str(), "a\0b\u{1F600}c");
    assert_eq!(
        name.to_bytes(),
        b"a\xC0\x80b\xED\xA0\xBD\xED\xB8\x80c",
        "as NewStringUTF wants it"
    );
}

#[test]
fn a_lone_surrogate_stays_what_it_is() {
    slot!(Name(error: sys::Error) -> (name: *mut c_char = text(c"\xED\xA0\xBD")));
    assert_eq!(decode(Name).to_bytes(), b"\xED\xA0\xBD");
}

#[test]
fn a_text_in_plain_utf_8_is_read_as_such() {
    slot!(Name(error: sys::Error) -> (name: *mut c_char = text(c"\xF0\x9F\x98\x80")));
    let name = decode(Name);
    assert_eq!(name.to_str(), "\u{1F600}");
    assert_eq!(name.to_bytes(), b"\xED\xA0\xBD\xED\xB8\x80");
}

#[test]
fn a_text_that_is_no_text_is_marked() {
    slot!(Name(error: sys::Error) -> (name: *mut c_char = text(c"a\xFFb")));
    assert_eq!(decode(Name).to_str(), "a\u{FFFD}b");
}

#[test]
fn a_text_that_the_vm_forgot_is_empty() {
    slot!(Name(error: sys::Error) -> (name: *mut c_char = ptr::null_mut()));
    assert_eq!(decode(Name).to_str(), "");
}

#[test]
fn memory_is_zeroed_and_given_back_once() {
    let fake = Fake::new(|_| ());
    let mut memory = fake.env().allocate(100).unwrap();
    assert_eq!(fake.calls(), [("Allocate", vec![100])]);
    assert_eq!(&*memory, [0; 100]);
    memory.fill(7);
    let block = memory.as_ptr() as i64;
    drop(memory);
    assert_eq!(fake.calls(), [("Deallocate", vec![block])]);
}

slot!(Allocate(size: jlong) -> (block: *mut u8 = ptr::null_mut()));
slot!(Deallocate(block: *mut u8) -> ());

#[test]
fn no_memory_is_an_error_unless_none_is_wanted() {
    let error = |code| Error::new("Allocate", code);
    let fake = Fake::new(|table| {
        table.Allocate = Some(Allocate);
        table.Deallocate = Some(Deallocate);
    });
    assert!(fake.env().allocate(0).unwrap().is_empty());
    assert_eq!(fake.calls(), [("Allocate", vec![0])], "nothing to free");
    let none = fake.env().allocate(1).err();
    assert_eq!(none, Some(error(sys::Error::OUT_OF_MEMORY)));
    fake.fail(sys::Error::ILLEGAL_ARGUMENT);
    let refused = fake.env().allocate(1).err();
    assert_eq!(refused, Some(error(sys::Error::ILLEGAL_ARGUMENT)));
    fake.calls();
    let huge = fake.env().allocate(usize::MAX).err();
    assert_eq!(huge, Some(error(sys::Error::ILLEGAL_ARGUMENT)));
    assert_eq!(fake.calls(), [], "the VM is not asked");
    drop(fake);
    let fake = Fake::new(|table| table.Allocate = None);
    let missing = fake.env().allocate(1).err();
    assert_eq!(missing, Some(error(sys::Error::NOT_AVAILABLE)));
}
