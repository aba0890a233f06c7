use std::ffi::c_void;
use std::ptr;

use jni::sys::{jint, jobject};
use jvmti::sys::{jvmtiMonitorStackDepthInfo, jvmtiThreadInfo};

use crate::fake::{
    Bits, Fake, array, every_way, numbers, object, raw, slot, text, with_jni, with_nested_jni,
};

slot!(GetAllThreads() -> (
    count: jint = 3,
    threads: *mut jobject = array(&[raw(0x10), raw(0x20), raw(0x30)])
));

#[test]
fn all_threads_are_references_and_the_list_is_freed() {
    with_jni(|jni| {
        let (threads, _) = every_way(
            "GetAllThreads",
            |table| table.GetAllThreads = Some(GetAllThreads),
            |env| env.all_threads(jni),
        );
        assert_eq!(numbers(&threads), [0x10, 0x20, 0x30]);
    });
}

#[test]
#[should_panic(expected = "not associated with the top JNI stack frame")]
fn a_reference_is_never_given_a_frame_that_does_not_own_it() {
    let fake = Fake::new(|table| table.GetAllThreads = Some(GetAllThreads));
    let _ = with_nested_jni(|outer| fake.env().all_threads(outer).map(|threads| threads.len()));
}

slot!(GetThreadInfo(thread: jobject) -> (info: jvmtiThreadInfo = jvmtiThreadInfo {
    name: text(c"main"),
    priority: 7,
    is_daemon: true,
    thread_group: raw(0x20),
    context_class_loader: raw(0x30),
}));

#[test]
fn thread_info_is_decoded_and_its_name_freed() {
    with_jni(|jni| {
        let (info, arguments) = every_way(
            "GetThreadInfo",
            |table| table.GetThreadInfo = Some(GetThreadInfo),
            |env| env.thread_info(jni, Some(&object(0x10))),
        );
        assert_eq!(arguments, [0x10]);
        assert_eq!(info.name.to_str(), "main");
        assert_eq!(info.priority, 7);
        assert!(info.is_daemon);
        assert_eq!(
            info.thread_group.map(|group| group.as_raw()),
            Some(raw(0x20))
        );
        assert_eq!(
            info.context_class_loader.map(|loader| loader.as_raw()),
            Some(raw(0x30))
        );
    });
}

#[test]
fn thread_info_of_a_terminated_thread_has_no_references() {
    slot!(GetThreadInfo(thread: jobject) -> (info: jvmtiThreadInfo = jvmtiThreadInfo {
        name: ptr::null_mut(),
        priority: 1,
        is_daemon: false,
        thread_group: raw(0),
        context_class_loader: raw(0),
    }));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetThreadInfo = Some(GetThreadInfo));
        let info = fake.env().thread_info(jni, None).unwrap();
        assert_eq!(
            fake.calls(),
            [("GetThreadInfo", vec![0])],
            "no name, nothing to free"
        );
        assert_eq!(info.name.to_str(), "");
        assert!(!info.is_daemon);
        assert!(info.thread_group.is_none());
        assert!(info.context_class_loader.is_none());
    });
}

slot!(GetThreadState(thread: jobject) -> (state: jint = 0x10_0291));

#[test]
fn thread_state_is_the_vms_bits() {
    let (state, arguments) = every_way(
        "GetThreadState",
        |table| table.GetThreadState = Some(GetThreadState),
        |env| env.thread_state(Some(&object(0x10))),
    );
    assert_eq!((state, arguments), (0x10_0291, vec![0x10]));
}

#[test]
fn no_thread_is_the_current_one() {
    let fake = Fake::new(|table| table.GetThreadState = Some(GetThreadState));
    fake.env().thread_state(None).unwrap();
    assert_eq!(fake.calls(), [("GetThreadState", vec![0])]);
}

slot!(InterruptThread(thread: jobject) -> ());

#[test]
fn interrupt_thread_passes_the_thread() {
    let ((), arguments) = every_way(
        "InterruptThread",
        |table| table.InterruptThread = Some(InterruptThread),
        |env| env.interrupt_thread(&object(0x10)),
    );
    assert_eq!(arguments, [0x10]);
}

slot!(StopThread(thread: jobject, exception: jobject) -> ());

#[test]
fn stop_thread_passes_thread_and_exception() {
    let ((), arguments) = every_way(
        "StopThread",
        |table| table.StopThread = Some(StopThread),
        |env| env.stop_thread(&object(0x10), &object(0x20)),
    );
    assert_eq!(arguments, [0x10, 0x20]);
}

slot!(GetOwnedMonitorInfo(thread: jobject) -> (
    count: jint = 2,
    monitors: *mut jobject = array(&[raw(0x20), raw(0x30)])
));

#[test]
fn owned_monitors_are_references_and_the_list_is_freed() {
    with_jni(|jni| {
        let (monitors, arguments) = every_way(
            "GetOwnedMonitorInfo",
            |table| table.GetOwnedMonitorInfo = Some(GetOwnedMonitorInfo),
            |env| env.owned_monitor_info(jni, Some(&object(0x10))),
        );
        assert_eq!(arguments, [0x10]);
        assert_eq!(numbers(&monitors), [0x20, 0x30]);
    });
}

slot!(GetOwnedMonitorStackDepthInfo(thread: jobject) -> (
    count: jint = 2,
    monitors: *mut jvmtiMonitorStackDepthInfo = array(&[
        jvmtiMonitorStackDepthInfo { monitor: raw(0x20), stack_depth: 4 },
        jvmtiMonitorStackDepthInfo { monitor: raw(0x30), stack_depth: -1 },
    ])
));

#[test]
fn owned_monitors_keep_monitor_and_depth_together_and_the_list_is_freed() {
    with_jni(|jni| {
        let (monitors, arguments) = every_way(
            "GetOwnedMonitorStackDepthInfo",
            |table| table.GetOwnedMonitorStackDepthInfo = Some(GetOwnedMonitorStackDepthInfo),
            |env| env.owned_monitor_stack_depth_info(jni, Some(&object(0x10))),
        );
        assert_eq!(arguments, [0x10]);
        let monitors: Vec<_> = monitors
            .iter()
            .map(|owned| (owned.monitor.as_raw() as usize, owned.stack_depth))
            .collect();
        assert_eq!(monitors, [(0x20, 4), (0x30, -1)]);
    });
}

#[test]
fn a_thread_that_owns_nothing_has_empty_lists() {
    slot!(NoMonitors(thread: jobject) -> (
        count: jint = 0,
        monitors: *mut jobject = ptr::null_mut()
    ));
    slot!(EmptyBlock(thread: jobject) -> (
        count: jint = 0,
        monitors: *mut jvmtiMonitorStackDepthInfo = array::<jvmtiMonitorStackDepthInfo>(&[])
    ));
    with_jni(|jni| {
        let fake = Fake::new(|table| {
            table.GetOwnedMonitorInfo = Some(NoMonitors);
            table.GetOwnedMonitorStackDepthInfo = Some(EmptyBlock);
        });
        let env = fake.env();
        assert!(env.owned_monitor_info(jni, None).unwrap().is_empty());
        assert_eq!(
            fake.calls(),
            [("NoMonitors", vec![0])],
            "the current thread, nothing to free"
        );
        let monitors = env.owned_monitor_stack_depth_info(jni, None).unwrap();
        assert!(monitors.is_empty());
        let calls = fake.calls();
        assert_eq!(calls[0], ("EmptyBlock", vec![0]), "the current thread");
        assert_eq!(calls.len(), 2, "the block is freed");
    });
}

slot!(GetCurrentContendedMonitor(thread: jobject) -> (monitor: jobject = raw(0x20)));

#[test]
fn the_contended_monitor_is_a_reference() {
    with_jni(|jni| {
        let (monitor, arguments) = every_way(
            "GetCurrentContendedMonitor",
            |table| table.GetCurrentContendedMonitor = Some(GetCurrentContendedMonitor),
            |env| env.current_contended_monitor(jni, Some(&object(0x10))),
        );
        assert_eq!(arguments, [0x10]);
        assert_eq!(monitor.map(|monitor| monitor.as_raw()), Some(raw(0x20)));
    });
}

#[test]
fn no_contended_monitor_is_none() {
    slot!(Uncontended(thread: jobject) -> (monitor: jobject = raw(0)));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetCurrentContendedMonitor = Some(Uncontended));
        let monitor = fake.env().current_contended_monitor(jni, None).unwrap();
        assert!(monitor.is_none());
        assert_eq!(fake.calls(), [("Uncontended", vec![0])]);
    });
}

slot!(GetThreadLocalStorage(thread: jobject) -> (data: *mut c_void = ptr::without_provenance_mut(
    i64::MIN as usize
)));

#[test]
fn thread_local_storage_is_a_number_that_nobody_follows_or_frees() {
    let fake = Fake::new(|table| table.GetThreadLocalStorage = Some(GetThreadLocalStorage));
    fake.env().thread_local_storage(None).unwrap();
    assert_eq!(fake.calls(), [("GetThreadLocalStorage", vec![0])]);
    drop(fake);

    let result = every_way(
        "GetThreadLocalStorage",
        |table| table.GetThreadLocalStorage = Some(GetThreadLocalStorage),
        |env| env.thread_local_storage(Some(&object(0x10))),
    );
    assert_eq!(result, (i64::MIN, vec![0x10]));
}

impl Bits for *const c_void {
    fn bits(self) -> i64 {
        self as i64
    }
}

slot!(SetThreadLocalStorage(thread: jobject, data: *const c_void) -> ());

#[test]
fn set_thread_local_storage_takes_any_long() {
    let ((), arguments) = every_way(
        "SetThreadLocalStorage",
        |table| table.SetThreadLocalStorage = Some(SetThreadLocalStorage),
        |env| env.set_thread_local_storage(Some(&object(0x10)), -42),
    );
    assert_eq!(arguments, [0x10, -42]);

    let fake = Fake::new(|table| table.SetThreadLocalStorage = Some(SetThreadLocalStorage));
    for value in [i64::MIN, 0, i64::MAX] {
        fake.env().set_thread_local_storage(None, value).unwrap();
        assert_eq!(fake.calls(), [("SetThreadLocalStorage", vec![0, value])]);
    }
}
