//! `SelfTestNatives`: what only a test asks for, on the very file that is released. The class is
//! not in the jar; a test that has it on its class path gets these.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use jni::EnvUnowned;
use jni::objects::{JClass, JString, JThread};
use jni::sys::{JNIEnv, jint, jlong, jobject};
use jvmti::sys;

use crate::boundary::guard::{inside, inside_jni, outside};
use crate::environment::{changes, slots};
use crate::vm::{image, memory};

static THREAD_STARTS: AtomicI64 = AtomicI64::new(0);
static BLOCKED: (Mutex<Blocked>, Condvar) = (
    Mutex::new(Blocked {
        waiting: 0,
        round: 0,
    }),
    Condvar::new(),
);

struct Blocked {
    waiting: jint,
    round: u64,
}

pub(super) fn panic<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, message: JString<'l>) {
    outside(jni, class, |jni, _| {
        let message = message.try_to_string(jni)?;
        std::panic::panic_any(message)
    })
}

pub(super) fn arm_thread_start<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) {
    inside_jni(jni, class, env, |env, jni| {
        let env = changes::own(jni, env)?;
        let callbacks = sys::EventCallbacks {
            ThreadStart: Some(thread_started),
            ..sys::EventCallbacks::default()
        };
        // SAFETY: `thread_started` is for the event, does not unwind, and this image stays loaded.
        unsafe { env.set_event_callbacks(&callbacks) }?;
        env.stain();
        Ok(env.set_event_notification_mode(
            sys::EventMode::ENABLE,
            sys::Event::THREAD_START,
            None,
        )?)
    })
}

unsafe extern "system" fn thread_started(_: *mut sys::Env, _: *mut JNIEnv, _: jobject) {
    THREAD_STARTS.fetch_add(1, Ordering::SeqCst);
}

pub(super) fn thread_starts<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jlong {
    outside(jni, class, |_, _| Ok(THREAD_STARTS.load(Ordering::SeqCst)))
}

/// Without a callback HotSpot does not take the event for enabled.
unsafe extern "system" fn ignored(_: *mut sys::Env, _: *mut JNIEnv, _: jobject) {}

pub(super) fn listen_to_one<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, thread: JThread<'l>) {
    outside(jni, class, |_, _| {
        let (enable, end) = (sys::EventMode::ENABLE, sys::Event::THREAD_END);
        let another = image::environment()?;
        let callbacks = sys::EventCallbacks {
            ThreadEnd: Some(ignored),
            ..sys::EventCallbacks::default()
        };
        // SAFETY: `ignored` is for the event, does not unwind, and this image stays loaded.
        unsafe { another.set_event_callbacks(&callbacks) }?;
        another.set_event_notification_mode(enable, end, Some(&thread))?;
        another.leak();
        Ok(())
    })
}

pub(super) fn block<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) {
    inside(jni, class, env, |_| {
        let mut blocked = BLOCKED.0.lock().unwrap_or_else(PoisonError::into_inner);
        let round = blocked.round;
        blocked.waiting += 1;
        while blocked.round == round {
            blocked = BLOCKED
                .1
                .wait(blocked)
                .unwrap_or_else(PoisonError::into_inner);
        }
        blocked.waiting -= 1;
        Ok(())
    })
}

pub(super) fn release<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) {
    outside(jni, class, |_, _| {
        BLOCKED
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .round += 1;
        BLOCKED.1.notify_all();
        Ok(())
    })
}

pub(super) fn blocked<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jint {
    outside(jni, class, |_, _| {
        Ok(BLOCKED
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .waiting)
    })
}

pub(super) fn empty<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) {
    inside(jni, class, env, |_| Ok(()))
}

pub(super) fn looks_at_memory<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jlong {
    outside(jni, class, |_, _| Ok(memory::looks().cast_signed()))
}

pub(super) fn placed_threads<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jint {
    outside(jni, class, |_, _| Ok(slots::owners() as jint))
}

pub(super) fn pretend_threads<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, number: jint) {
    outside(jni, class, |_, _| {
        slots::pretend(number as usize);
        Ok(())
    })
}
