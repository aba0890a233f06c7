use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use jvmti::sys;

use crate::fake::{Fake, enter};

thread_local! {
    static STORED: Cell<usize> = const { Cell::new(0) };
}

unsafe extern "system" fn set(env: *mut sys::Env, data: *const c_void) -> sys::Error {
    STORED.set(data.addr());
    enter(env, "SetEnvironmentLocalStorage", vec![])
}

unsafe extern "system" fn get(env: *mut sys::Env, data: *mut *mut c_void) -> sys::Error {
    // SAFETY: the layer under test lends a place for it.
    unsafe { *data = ptr::without_provenance_mut(STORED.get()) };
    enter(env, "GetEnvironmentLocalStorage", vec![])
}

fn fake() -> Fake {
    Fake::new(|table| {
        table.SetEnvironmentLocalStorage = Some(set);
        table.GetEnvironmentLocalStorage = Some(get);
    })
}

#[test]
fn an_environment_keeps_what_was_set_last() {
    static NUMBER: AtomicU32 = AtomicU32::new(7);
    static TEXT: &str = "text";
    let fake = fake();
    assert!(fake.env().data::<AtomicU32>().is_none());
    fake.env().set_data(&NUMBER).unwrap();
    let kept = fake.env().data::<AtomicU32>().unwrap();
    assert!(ptr::eq(kept, &raw const NUMBER));
    assert_eq!(kept.load(Ordering::Relaxed), 7);
    fake.env().set_data(&TEXT).unwrap();
    assert_eq!(fake.env().data::<&str>(), Some(&TEXT));
    assert!(
        fake.env().data::<AtomicU32>().is_none(),
        "it is of another type"
    );
}

#[test]
fn a_number_of_somebody_else_is_no_data() {
    let fake = fake();
    for number in [usize::MAX, usize::MAX / 2, 1 << 40, 1 << 28, 0] {
        STORED.set(number);
        assert!(fake.env().data::<AtomicU32>().is_none(), "{number}");
    }
}

#[test]
fn who_cannot_ask_has_none() {
    static NUMBER: AtomicU32 = AtomicU32::new(7);
    let fake = fake();
    fake.fail(sys::Error::INTERNAL);
    assert!(fake.env().set_data(&NUMBER).is_err());
    assert!(fake.env().data::<AtomicU32>().is_none());
}
