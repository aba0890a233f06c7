use jni::sys::{jint, jlong, jobject};
use jvmti::sys::{TimerKind, jvmtiTimerInfo};

use crate::fake::{every_way, object, slot};

/// A timer unlike any other, so that no field can stand for another.
fn timer(max_value: jlong) -> jvmtiTimerInfo {
    jvmtiTimerInfo {
        max_value,
        may_skip_forward: true,
        may_skip_backward: false,
        kind: TimerKind::TOTAL_CPU,
        reserved1: 0,
        reserved2: 0,
    }
}

fn is_timer(info: &jvmtiTimerInfo, max_value: jlong) -> bool {
    info.max_value == max_value
        && info.may_skip_forward
        && !info.may_skip_backward
        && info.kind == TimerKind::TOTAL_CPU
}

slot!(GetCurrentThreadCpuTimerInfo() -> (info: jvmtiTimerInfo = timer(1)));
slot!(GetThreadCpuTimerInfo() -> (info: jvmtiTimerInfo = timer(2)));
slot!(GetTimerInfo() -> (info: jvmtiTimerInfo = timer(-1)));

#[test]
fn current_thread_cpu_timer_info_is_its_own() {
    let (info, _) = every_way(
        "GetCurrentThreadCpuTimerInfo",
        |table| table.GetCurrentThreadCpuTimerInfo = Some(GetCurrentThreadCpuTimerInfo),
        |env| env.current_thread_cpu_timer_info(),
    );
    assert!(is_timer(&info, 1));
}

#[test]
fn thread_cpu_timer_info_is_its_own() {
    let (info, _) = every_way(
        "GetThreadCpuTimerInfo",
        |table| table.GetThreadCpuTimerInfo = Some(GetThreadCpuTimerInfo),
        |env| env.thread_cpu_timer_info(),
    );
    assert!(is_timer(&info, 2));
}

#[test]
fn timer_info_is_its_own() {
    let (info, _) = every_way(
        "GetTimerInfo",
        |table| table.GetTimerInfo = Some(GetTimerInfo),
        |env| env.timer_info(),
    );
    assert!(is_timer(&info, -1), "the largest value is unsigned");
}

slot!(GetCurrentThreadCpuTime() -> (nanos: jlong = 1_000_000_001));

#[test]
fn current_thread_cpu_time_is_in_nanoseconds() {
    let result = every_way(
        "GetCurrentThreadCpuTime",
        |table| table.GetCurrentThreadCpuTime = Some(GetCurrentThreadCpuTime),
        |env| env.current_thread_cpu_time(),
    );
    assert_eq!(result, (1_000_000_001, vec![]));
}

slot!(GetThreadCpuTime(thread: jobject) -> (nanos: jlong = 1_000_000_002));

#[test]
fn thread_cpu_time_is_of_the_thread() {
    let result = every_way(
        "GetThreadCpuTime",
        |table| table.GetThreadCpuTime = Some(GetThreadCpuTime),
        |env| env.thread_cpu_time(Some(&object(0x10))),
    );
    assert_eq!(result, (1_000_000_002, vec![0x10]));
    let result = every_way(
        "GetThreadCpuTime",
        |table| table.GetThreadCpuTime = Some(GetThreadCpuTime),
        |env| env.thread_cpu_time(None),
    );
    assert_eq!(result, (1_000_000_002, vec![0]));
}

slot!(GetTime() -> (nanos: jlong = 1_000_000_003));

#[test]
fn time_is_in_nanoseconds() {
    let result = every_way(
        "GetTime",
        |table| table.GetTime = Some(GetTime),
        |env| env.time(),
    );
    assert_eq!(result, (1_000_000_003, vec![]));
}

slot!(GetAvailableProcessors() -> (count: jint = 64));

#[test]
fn available_processors_is_a_count() {
    let result = every_way(
        "GetAvailableProcessors",
        |table| table.GetAvailableProcessors = Some(GetAvailableProcessors),
        |env| env.available_processors(),
    );
    assert_eq!(result, (64, vec![]));
}
