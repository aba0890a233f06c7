//! A thread that is null is an error of the layer: to some functions it would be the current one.

use jni::objects::JThread;
use jvmti::sys::{self, Event, EventMode};
use jvmti::{Env, Error};

use crate::fake::{Fake, object, with_jni};

/// How `call` fails on a table without functions: had it asked for one, `NOT_AVAILABLE`.
fn refusal<T>(call: impl FnOnce(&Env) -> jvmti::Result<T>) -> Option<Error> {
    let fake = Fake::new(|_| ());
    call(fake.env()).err()
}

#[test]
fn a_null_thread_does_not_reach_the_vm() {
    let null: JThread<'static> = object(0);
    let one = Some(&null);
    let refusals = with_jni(|jni| {
        [
            ("GetThreadInfo", refusal(|env| env.thread_info(jni, one))),
            ("GetThreadState", refusal(|env| env.thread_state(one))),
            ("SuspendThread", refusal(|env| env.suspend_thread(one))),
            ("ResumeThread", refusal(|env| env.resume_thread(&null))),
            (
                "InterruptThread",
                refusal(|env| env.interrupt_thread(&null)),
            ),
            (
                "StopThread",
                refusal(|env| env.stop_thread(&null, &object(0x20))),
            ),
            (
                "GetOwnedMonitorInfo",
                refusal(|env| env.owned_monitor_info(jni, one)),
            ),
            (
                "GetOwnedMonitorStackDepthInfo",
                refusal(|env| env.owned_monitor_stack_depth_info(jni, one)),
            ),
            (
                "GetCurrentContendedMonitor",
                refusal(|env| env.current_contended_monitor(jni, one)),
            ),
            (
                "GetStackTrace",
                refusal(|env| env.stack_trace(one, 0, &mut [])),
            ),
            ("GetFrameCount", refusal(|env| env.frame_count(one))),
            (
                "GetFrameLocation",
                refusal(|env| env.frame_location(one, 0)),
            ),
            (
                "NotifyFramePop",
                refusal(|env| env.notify_frame_pop(one, 0)),
            ),
            (
                "ClearAllFramePops",
                refusal(|env| env.clear_all_frame_pops(one)),
            ),
            (
                "GetLocalObject",
                refusal(|env| env.local_object(jni, one, 0, 0)),
            ),
            (
                "GetLocalInstance",
                refusal(|env| env.local_instance(jni, one, 0)),
            ),
            ("GetLocalInt", refusal(|env| env.local_int(one, 0, 0))),
            ("GetLocalLong", refusal(|env| env.local_long(one, 0, 0))),
            ("GetLocalFloat", refusal(|env| env.local_float(one, 0, 0))),
            ("GetLocalDouble", refusal(|env| env.local_double(one, 0, 0))),
            ("GetThreadCpuTime", refusal(|env| env.thread_cpu_time(one))),
            (
                "SetEventNotificationMode",
                refusal(|env| {
                    env.set_event_notification_mode(EventMode::ENABLE, Event::THREAD_START, one)
                }),
            ),
        ]
    });
    for (function, refusal) in refusals {
        let invalid = Error::new(function, sys::Error::INVALID_THREAD);
        assert_eq!(refusal, Some(invalid));
    }
}
