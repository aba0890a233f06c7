//! What the safe layer promises to do without the allocator: whoever wakes suspended threads must
//! not wait for a lock that one of them may hold.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::ptr::{self, NonNull};

use jni::objects::JThread;
use jni::sys::{jint, jobject};
use jvmti::{Env, Error, sys};

/// The system's allocator, with a count of what each thread asks of it.
struct Counted;

thread_local! {
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: the system's, but for a number.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTS.set(REQUESTS.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        REQUESTS.set(REQUESTS.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

fn requests(body: impl FnOnce()) -> usize {
    let before = REQUESTS.get();
    body();
    REQUESTS.get() - before
}

unsafe extern "system" fn one_by_one(
    _env: *mut sys::Env,
    length: jint,
    list: *const jobject,
    results: *mut sys::Error,
) -> sys::Error {
    for at in 0..length as usize {
        // SAFETY: the layer under test lends a list and results of this length.
        unsafe { *results.add(at) = sys::Error((*list.add(at)).addr() as i32) };
    }
    sys::Error::NONE
}

unsafe extern "system" fn refuse(
    _env: *mut sys::Env,
    _length: jint,
    _list: *const jobject,
    _results: *mut sys::Error,
) -> sys::Error {
    sys::Error::MUST_POSSESS_CAPABILITY
}

#[test]
fn lists_of_threads_are_suspended_and_resumed_without_the_allocator() {
    // SAFETY: every slot is an `Option` of a function or a reserved pointer: zero is empty.
    let mut table: sys::FunctionTable = unsafe { std::mem::zeroed() };
    table.SuspendThreadList = Some(refuse);
    table.ResumeThreadList = Some(one_by_one);
    let cell: sys::Env = &raw const table;
    // SAFETY: table and cell stay until the test ends.
    let env = unsafe { Env::from_raw(NonNull::from(&cell)) };

    let raw: [jobject; 2] = [
        ptr::without_provenance_mut(0x20),
        ptr::without_provenance_mut(0x10),
    ];
    // SAFETY: a `JThread` is a `jobject`, and nothing looks behind these.
    let threads = unsafe { std::mem::transmute::<[jobject; 2], [JThread<'static>; 2]>(raw) };
    let mut results = [sys::Error::NONE; 2];
    let mut short = [sys::Error::NONE; 1];
    let mut answers = [Ok(()); 3];

    let asked = requests(|| {
        answers = [
            env.resume_thread_list(&threads, &mut results),
            env.suspend_thread_list(&threads, &mut results),
            env.resume_thread_list(&threads, &mut short),
        ];
    });

    assert_eq!(asked, 0);
    assert_eq!(results, [sys::Error(0x20), sys::Error(0x10)]);
    assert_eq!(
        answers,
        [
            Ok(()),
            Err(Error::new(
                "SuspendThreadList",
                sys::Error::MUST_POSSESS_CAPABILITY
            )),
            Err(Error::new("ResumeThreadList", sys::Error::ILLEGAL_ARGUMENT)),
        ]
    );
}

#[test]
fn the_count_sees_an_allocation() {
    assert_eq!(requests(|| drop(black_box(Box::new(1)))), 2);
}
