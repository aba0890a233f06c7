//! What tests suspend, and the VM in which they do.

use std::cell::{Cell, RefCell};
use std::mem;
use std::ptr::{self, NonNull};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JThread;
use jni::sys::{jint, jobject};
use jvmti::sys::{self, Error, ThreadState};

use crate::environment::gate::{self, Inside, Me};
use crate::environment::handles;
use crate::thread::suspended::{Shared, Suspension, Term, globals};

thread_local! {
    pub(super) static HASHED: Cell<usize> = const { Cell::new(0) };
    pub(super) static RESUMED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    pub(super) static RUNS: Cell<usize> = const { Cell::new(0) };
}

/// Threads of one hundred have one hash code.
unsafe extern "system" fn hash(_: *mut sys::Env, object: jobject, hash: *mut jint) -> Error {
    if object.is_null() {
        return Error::INVALID_OBJECT;
    }
    HASHED.set(HASHED.get() + 1);
    // SAFETY: the layer lends a place for it.
    unsafe { *hash = i32::try_from(object.addr() / 100).unwrap() };
    Error::NONE
}

unsafe extern "system" fn resume(
    _: *mut sys::Env,
    count: jint,
    threads: *const jobject,
    results: *mut Error,
) -> Error {
    for place in 0..usize::try_from(count).unwrap() {
        // SAFETY: the layer lends as many of both.
        unsafe {
            RESUMED.with_borrow_mut(|resumed| resumed.push((*threads.add(place)).addr()));
            *results.add(place) = Error::NONE;
        }
    }
    Error::NONE
}

unsafe extern "system" fn state(_: *mut sys::Env, thread: jobject, bits: *mut jint) -> Error {
    let runs = thread.addr() == RUNS.get();
    let state = match runs {
        true => ThreadState::ALIVE,
        false => ThreadState::ALIVE | ThreadState::SUSPENDED,
    };
    // SAFETY: the layer lends a place for it.
    unsafe { *bits = state.bits() };
    Error::NONE
}

unsafe extern "system" fn version(_: *mut sys::Env, version: *mut jint) -> Error {
    // SAFETY: the layer lends a place for it.
    unsafe { *version = 0x3011_0000 };
    Error::NONE
}

pub(super) fn inside() -> Inside {
    let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
        GetObjectHashCode: Some(hash),
        GetThreadState: Some(state),
        GetVersionNumber: Some(version),
        ResumeThreadList: Some(resume),
        ..sys::FunctionTable::default()
    }));
    let cell: &'static mut sys::Env = Box::leak(Box::new(table));
    // SAFETY: leaked, and its table answers what is asked here.
    let env = unsafe { jvmti::OwnedEnv::from_raw(NonNull::from(cell)) };
    let handle = handles::publish(env.leak(), None).unwrap();
    let me = Me::new(ptr::from_ref(&HASHED).cast_mut().cast());
    gate::enter(me, handle.cast_signed()).unwrap()
}

pub(super) fn threads(jni: &Env<'_>, numbers: &[usize]) -> Vec<JThread<'static>> {
    let raw = |&number| ptr::without_provenance_mut(number);
    // SAFETY: the paper VM looks at no reference.
    let thread = |number| unsafe { mem::transmute(JThread::from_raw(jni, raw(number))) };
    numbers.iter().map(thread).collect()
}

pub(super) fn term(jni: &Env<'_>) -> Term {
    let deadline = Instant::now() + Duration::from_secs(3600);
    let asked_by = globals(jni, &threads(jni, &[999])).unwrap().remove(0);
    let asked_by = Arc::new(asked_by);
    mem::forget(Arc::clone(&asked_by));
    Term {
        asked_by,
        standstill: false,
        deadline,
        joined_until: deadline,
    }
}

/// Of a list, each thread of which was suspended at the first of its places.
pub(super) fn suspended(jni: &Env<'_>, env: &Inside, numbers: &[usize]) -> Arc<Suspension> {
    let threads = Arc::new(globals(jni, &threads(jni, numbers)).unwrap());
    // There is no VM that could delete them.
    mem::forget(Arc::clone(&threads));
    let mut results = vec![Error::THREAD_SUSPENDED; numbers.len()];
    for (place, number) in numbers.iter().enumerate() {
        if !numbers[..place].contains(number) {
            results[place] = Error::NONE;
        }
    }
    Arc::new(Suspension::new(
        env,
        threads,
        &results,
        Shared::new(),
        term(jni),
    ))
}

/// Whom its end resumes.
pub(super) fn resumed(one: &Suspension) -> Vec<usize> {
    RESUMED.take();
    one.resume(|| {});
    RESUMED.take()
}
