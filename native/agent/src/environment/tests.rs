//! An environment is closed while threads come and go.

use std::ptr;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jvmti::sys;

use crate::environment::gate::{Me, NESTING, enter, occupied_by_me, prepare};
use crate::environment::{handles, life};
use crate::platform;

static DISPOSED: AtomicBool = AtomicBool::new(false);

extern "system" fn dispose(_: *mut sys::Env) -> sys::Error {
    DISPOSED.store(true, Ordering::SeqCst);
    sys::Error::NONE
}

fn environment() -> jvmti::OwnedEnv {
    let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
        DisposeEnvironment: Some(dispose),
        ..sys::FunctionTable::default()
    }));
    let env: &'static mut sys::Env = Box::leak(Box::new(table));
    // SAFETY: leaked, and its table answers every call.
    unsafe { jvmti::OwnedEnv::from_raw(ptr::NonNull::from(env)) }
}

/// The handle of an environment of its own.
fn published() -> u64 {
    let handle = handles::publish(environment().leak(), None).unwrap();
    let entry = handles::entry(handle).unwrap();
    entry.adopt(handle, environment()).unwrap();
    handle
}

/// A JNI environment is only an address here.
fn thread(number: usize) -> Me {
    Me::new(ptr::without_provenance_mut((number + 1) << 12))
}

/// Closes an environment while two threads enter and leave it without pause; whoever is inside
/// must never see it disposed.
fn close_while_threads_come_and_go() {
    for _ in 0..300 {
        DISPOSED.store(false, Ordering::SeqCst);
        let handle = published();
        let start = Barrier::new(3);
        std::thread::scope(|scope| {
            for number in 0..2 {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    while let Ok(inside) = enter(thread(number), handle.cast_signed()) {
                        assert!(!DISPOSED.load(Ordering::Relaxed), "disposed under a thread");
                        drop(inside);
                    }
                });
            }
            start.wait();
            // On a machine too busy to let a thread leave in time, that thread disposes it.
            if life::close(thread(2), handle.cast_signed()) {
                assert!(DISPOSED.load(Ordering::SeqCst));
            }
        });
        assert!(DISPOSED.load(Ordering::SeqCst));
        assert!(!handles::open(0, handles::PLACES).any(|(open, _)| open == handle));
    }
}

/// Nested deeper than the slot has places, and closed by the thread that is inside.
fn the_last_one_out_disposes() {
    DISPOSED.store(false, Ordering::SeqCst);
    let handle = published().cast_signed();
    let mut inside: Vec<_> = (0..NESTING + 3)
        .map(|_| enter(thread(0), handle).unwrap())
        .collect();
    assert!(!life::close(thread(0), handle));
    assert!(enter(thread(0), handle).is_err());
    while let Some(last) = inside.pop() {
        assert!(!DISPOSED.load(Ordering::SeqCst));
        drop(last);
    }
    assert!(DISPOSED.load(Ordering::SeqCst));
    assert!(life::close(thread(0), handle));
}

/// Only he could leave. Once in so many times, for the machine may be busy.
fn who_is_inside_does_not_wait_for_himself() {
    let at_once = |_| {
        let handle = published().cast_signed();
        let inside = enter(thread(0), handle).unwrap();
        assert!(occupied_by_me(thread(0), inside.handle()));
        assert!(!occupied_by_me(thread(1), inside.handle()));
        let before = Instant::now();
        assert!(!life::close(thread(0), handle));
        let took = before.elapsed();
        drop(inside);
        assert!(life::close(thread(0), handle));
        took < Duration::from_millis(250)
    };
    assert!((0..10).any(at_once));
}

/// As after a barrier that a sandbox forbids, for what was opened before.
fn the_fence_comes_back() {
    let handle = published();
    let entry = handles::entry(handle).unwrap();
    assert!(entry.is_unfenced(handle));
    handles::need_fence();
    assert!(!entry.is_unfenced(handle));
    assert!(handles::open(0, handles::PLACES).any(|(open, _)| open == handle));
    drop(enter(thread(0), handle.cast_signed()).unwrap());
    assert!(life::close(thread(0), handle.cast_signed()));
    assert!(enter(thread(0), handle.cast_signed()).is_err());
}

/// One test, because the barrier is chosen once for the process: first without, then with, except
/// in Wine, whose barrier cannot be trusted.
#[test]
fn nobody_is_inside_what_is_disposed() {
    assert!(handles::needs_fence());
    close_while_threads_come_and_go();
    the_last_one_out_disposes();
    who_is_inside_does_not_wait_for_himself();
    prepare();
    if cfg!(windows) && handles::needs_fence() {
        println!("the way in has a fence, for this system has no barrier");
        assert!(!platform::register_barrier());
    } else {
        println!("the way in has no fence, for this system has a barrier");
        close_while_threads_come_and_go();
        the_last_one_out_disposes();
        the_fence_comes_back();
    }
    close_while_threads_come_and_go();
}
