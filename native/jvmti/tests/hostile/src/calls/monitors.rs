//! Raw monitors: owned or not, awaited for a moment, left by a panic, in any phase and on any thread.

use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jvmti::{Env, RawMonitor};

use super::call;

pub(super) fn attack(env: &Env) {
    let long = CString::new("x".repeat(100_000)).expect("no zero");
    for name in [c"", c"\xFF\xED\xA0", &long] {
        let length = name.count_bytes();
        let Ok(monitor) = call!(length, Env::create_raw_monitor(env, name)) else {
            continue;
        };
        unowned(&monitor);
        let _ = call!("twice", RawMonitor::hold(&monitor, || owned(&monitor)));
        left_by_a_panic(&monitor);
        contended(&monitor);
        let _ = call!(length, RawMonitor::destroy(monitor));
    }
}

/// Nobody waits who does not own it, be it without end.
fn unowned(monitor: &RawMonitor<'_>) {
    for millis in [i64::MIN, -1, 0, 1, i64::MAX] {
        let waited = call!(millis, RawMonitor::wait(monitor, millis));
        assert!(waited.is_err());
    }
    assert!(call!("not owned", RawMonitor::notify(monitor)).is_err());
    assert!(call!("not owned", RawMonitor::notify_all(monitor)).is_err());
}

fn owned(monitor: &RawMonitor<'_>) {
    let _ = call!(
        "again",
        RawMonitor::hold(monitor, || {
            let _ = call!("owned twice", RawMonitor::wait(monitor, 1));
            let _ = call!("owned twice", RawMonitor::notify(monitor));
        })
    );
    let _ = call!("owned", RawMonitor::wait(monitor, 1));
    let _ = call!("owned", RawMonitor::notify_all(monitor));
}

fn left_by_a_panic(monitor: &RawMonitor<'_>) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        call!("a panic", RawMonitor::hold(monitor, || panic!("inside")))
    }));
    std::panic::set_hook(hook);
    let _ = unwound;
    unowned(monitor);
}

/// From threads that are not attached, too: the VM refuses those.
fn contended(monitor: &RawMonitor<'_>) {
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for turn in 0..10 {
                    let _ = call!(turn, RawMonitor::hold(monitor, || monitor.notify()));
                }
            });
        }
        for turn in 0..10 {
            let _ = call!(turn, RawMonitor::hold(monitor, || monitor.wait(1)));
        }
    });
}
