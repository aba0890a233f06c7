//! Raw monitors: owned or not, awaited for a moment, left by a panic, in any phase and on any thread.

use std::panic::{AssertUnwindSafe, catch_unwind};

use jni::{Env as Jni, JavaVM};
use jvmti::{Env, RawMonitor};

use super::call;
use super::numbers::odd_texts;

pub(super) fn attack_without_jni(env: &Env) {
    each(env, |monitor, _| unowned(monitor));
}

/// Held, by the thread whose `jni` this is.
pub(super) fn attack(jni: &mut Jni<'_>, env: &Env) -> jni::errors::Result<()> {
    let vm = jni.get_java_vm()?;
    each(env, |monitor, about| {
        let _ = call!(
            about,
            RawMonitor::hold(monitor, jni, |jni| {
                owned(jni, monitor);
                // It would stay the monitor's owner for ever.
                assert!(vm.detach_current_thread().is_err());
            })
        );
        left_by_a_panic(jni, monitor);
        contended(jni, &vm, monitor);
    });
    Ok(())
}

fn each(env: &Env, mut attack: impl FnMut(&RawMonitor<'_>, &str)) {
    for (about, name) in odd_texts() {
        let Ok(monitor) = call!(about, Env::create_raw_monitor(env, &name)) else {
            continue;
        };
        attack(&monitor, about);
        let _ = call!(about, RawMonitor::destroy(monitor));
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

fn owned(jni: &mut Jni<'_>, monitor: &RawMonitor<'_>) {
    let _ = call!(
        "again",
        RawMonitor::hold(monitor, jni, |_| {
            let _ = call!("owned twice", RawMonitor::wait(monitor, 1));
            let _ = call!("owned twice", RawMonitor::notify(monitor));
        })
    );
    let _ = call!("owned", RawMonitor::wait(monitor, 1));
    let _ = call!("owned", RawMonitor::notify_all(monitor));
}

fn left_by_a_panic(jni: &mut Jni<'_>, monitor: &RawMonitor<'_>) {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        call!(
            "a panic",
            RawMonitor::hold(monitor, jni, |_| panic!("inside"))
        )
    }));
    std::panic::set_hook(hook);
    let _ = unwound;
    unowned(monitor);
}

/// From threads that are attached for it, too.
fn contended(jni: &mut Jni<'_>, vm: &JavaVM, monitor: &RawMonitor<'_>) {
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                vm.attach_current_thread(|jni| -> jni::errors::Result<()> {
                    for turn in 0..10 {
                        let _ = call!(turn, RawMonitor::hold(monitor, jni, |_| monitor.notify()));
                    }
                    Ok(())
                })
            });
        }
        for turn in 0..10 {
            let _ = call!(turn, RawMonitor::hold(monitor, jni, |_| monitor.wait(1)));
        }
    });
}
