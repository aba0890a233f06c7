use std::ffi::c_void;
use std::ptr;

use jni::objects::JThread;
use jni::sys::{jint, jobject};
use jvmti::sys::{JNIEnv, jvmtiMonitorStackDepthInfo, jvmtiStartFunction, jvmtiThreadInfo};
use jvmti::{Error, sys};

use crate::fake::{
    Bits, Fake, VIRTUAL, array, deleted, enter, every_way, fault, numbers, object, raw, slot, text,
    with_jni, with_nested_jni,
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

slot!(GetCurrentThread() -> (thread: jobject = raw(0x10)));

#[test]
fn the_current_thread_is_a_reference() {
    with_jni(|jni| {
        let (thread, _) = every_way(
            "GetCurrentThread",
            |table| table.GetCurrentThread = Some(GetCurrentThread),
            |env| env.current_thread(jni),
        );
        assert_eq!(thread.as_raw(), raw(0x10));
    });
}

#[test]
fn a_phase_that_has_no_threads_yet_is_the_wrong_one_for_the_current_thread() {
    slot!(NoThread() -> (thread: jobject = raw(0)));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetCurrentThread = Some(NoThread));
        assert_eq!(
            fake.env().current_thread(jni).unwrap_err(),
            Error::new("GetCurrentThread", sys::Error::WRONG_PHASE)
        );
    });
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
    assert_eq!((state.bits(), arguments), (0x10_0291, vec![0x10]));
    assert_eq!(
        format!("{state:?}"),
        "ThreadState(ALIVE | WAITING | WAITING_INDEFINITELY | PARKED | SUSPENDED)"
    );
}

#[test]
fn a_state_that_is_unknown_here_is_kept() {
    let state = sys::ThreadState::from_bits_retain(0x0100_0001);
    assert_eq!(state.bits(), 0x0100_0001);
    assert_eq!(format!("{state:?}"), "ThreadState(ALIVE | 0x1000000)");
}

#[test]
fn no_thread_is_the_current_one() {
    let fake = Fake::new(|table| table.GetThreadState = Some(GetThreadState));
    fake.env().thread_state(None).unwrap();
    assert_eq!(fake.calls(), [("GetThreadState", vec![0])]);
}

slot!(SuspendThread(thread: jobject) -> ());

#[test]
fn suspend_thread_passes_the_thread() {
    for (thread, number) in [(Some(&object(0x10)), 0x10), (None, 0)] {
        let ((), arguments) = every_way(
            "SuspendThread",
            |table| table.SuspendThread = Some(SuspendThread),
            |env| env.suspend_thread(thread),
        );
        assert_eq!(arguments, [number]);
    }
}

slot!(ResumeThread(thread: jobject) -> ());

#[test]
fn resume_thread_passes_the_thread() {
    let ((), arguments) = every_way(
        "ResumeThread",
        |table| table.ResumeThread = Some(ResumeThread),
        |env| env.resume_thread(&object(0x10)),
    );
    assert_eq!(arguments, [0x10]);
}

/// The length of the list, then what is in it.
///
/// # Safety
///
/// The list is that long, or `NULL`.
unsafe fn listed(length: jint, list: *const jobject) -> Vec<i64> {
    if list.is_null() {
        fault("a list is NULL, which HotSpot refuses even for no threads".to_owned());
        return vec![];
    }
    // SAFETY: the caller's promise.
    let list = unsafe { std::slice::from_raw_parts(list, length as usize) };
    let threads = list.iter().map(|&thread| thread.bits());
    [length.bits()].into_iter().chain(threads).collect()
}

/// Defines a slot that takes a list of threads, and answers code 100 + i for the one at i.
macro_rules! list_slot {
    ($name:ident) => {
        #[allow(non_snake_case, reason = "named like the slot")]
        unsafe extern "system" fn $name(
            env: *mut sys::Env,
            length: jint,
            list: *const jobject,
            results: *mut sys::Error,
        ) -> sys::Error {
            // SAFETY: the layer under test lends a list of this length.
            let code = enter(env, stringify!($name), unsafe { listed(length, list) });
            for at in 0..length as usize {
                // SAFETY: and room for as many results.
                unsafe { *results.add(at) = sys::Error(100 + at as i32) };
            }
            code
        }
    };
}

list_slot!(SuspendThreadList);
list_slot!(ResumeThreadList);

type ListFunction = fn(&jvmti::Env, &[JThread<'_>], &mut [sys::Error]) -> jvmti::Result<()>;

const LISTS: [(&str, ListFunction); 2] = [
    ("SuspendThreadList", |env, threads, results| {
        env.suspend_thread_list(threads, results)
    }),
    ("ResumeThreadList", |env, threads, results| {
        env.resume_thread_list(threads, results)
    }),
];

fn lists(table: &mut sys::FunctionTable) {
    table.SuspendThreadList = Some(SuspendThreadList);
    table.ResumeThreadList = Some(ResumeThreadList);
}

#[test]
fn a_list_of_threads_has_a_result_for_each() {
    for (name, call) in LISTS {
        let (results, arguments) = every_way(name, lists, |env| {
            let mut results = [sys::Error::NONE; 3];
            call(
                env,
                &[object(0x30), object(0x10), object(0x20)],
                &mut results,
            )?;
            Ok(results.map(|result| result.0))
        });
        assert_eq!(arguments, [3, 0x30, 0x10, 0x20]);
        assert_eq!(results, [100, 101, 102]);
    }
}

#[test]
fn no_threads_are_an_empty_list_that_is_not_null() {
    for (name, call) in LISTS {
        let ((), arguments) = every_way(name, lists, |env| call(env, &[], &mut []));
        assert_eq!(arguments, [0]);
    }
}

#[test]
fn a_list_of_threads_with_too_few_or_too_many_results_is_not_passed_on() {
    for (name, call) in LISTS {
        for room in [0, 1, 3] {
            let fake = Fake::new(lists);
            let mut results = vec![sys::Error::NONE; room];
            assert_eq!(
                call(fake.env(), &[object(0x10), object(0x20)], &mut results),
                Err(Error::new(name, sys::Error::ILLEGAL_ARGUMENT))
            );
            assert_eq!(fake.calls(), []);
        }
    }
}

/// Defines a slot that takes a list of exceptions.
macro_rules! except_slot {
    ($name:ident) => {
        #[allow(non_snake_case, reason = "named like the slot")]
        unsafe extern "system" fn $name(
            env: *mut sys::Env,
            length: jint,
            list: *const jobject,
        ) -> sys::Error {
            // SAFETY: the layer under test lends a list of this length.
            enter(env, stringify!($name), unsafe { listed(length, list) })
        }
    };
}

except_slot!(SuspendAllVirtualThreads);
except_slot!(ResumeAllVirtualThreads);

#[test]
fn all_virtual_threads_are_those_but_the_exceptions() {
    let all = |table: &mut sys::FunctionTable| {
        table.SuspendAllVirtualThreads = Some(SuspendAllVirtualThreads);
        table.ResumeAllVirtualThreads = Some(ResumeAllVirtualThreads);
    };
    let none: &[JThread<'_>] = &[];
    let two: &[JThread<'_>] = &[object(0x20), object(0x10)];
    for (except, passed) in [(none, vec![0]), (two, vec![2, 0x20, 0x10])] {
        let ((), arguments) = every_way("SuspendAllVirtualThreads", all, |env| {
            env.suspend_all_virtual_threads(except)
        });
        assert_eq!(arguments, passed);
        let ((), arguments) = every_way("ResumeAllVirtualThreads", all, |env| {
            env.resume_all_virtual_threads(except)
        });
        assert_eq!(arguments, passed);
    }
}

/// Runs the agent's function at once, on the thread that calls.
unsafe extern "system" fn run_agent_thread(
    env: *mut sys::Env,
    thread: jobject,
    start: Option<jvmtiStartFunction>,
    arg: *const c_void,
    priority: jint,
) -> sys::Error {
    let code = enter(
        env,
        "RunAgentThread",
        vec![thread.bits(), arg.bits(), priority.bits()],
    );
    if let (sys::Error::NONE, Some(start)) = (code, start) {
        // SAFETY: the layer under test promises what the test does.
        unsafe { start(env, ptr::null_mut(), arg.cast_mut()) };
    }
    code
}

#[test]
fn run_agent_thread_passes_thread_function_argument_and_priority() {
    unsafe extern "system" fn count(_env: *mut sys::Env, _jni: *mut JNIEnv, arg: *mut c_void) {
        // SAFETY: the test passes one.
        unsafe { *arg.cast::<i32>() += 1 };
    }
    let mut runs = 0_i32;
    let arg: *mut c_void = (&raw mut runs).cast();
    let ((), arguments) = every_way(
        "RunAgentThread",
        |table| table.RunAgentThread = Some(run_agent_thread),
        // SAFETY: runs on this thread, if at all, while the number is there.
        |env| unsafe { env.run_agent_thread(&object(0x10), count, arg, 7) },
    );
    assert_eq!(arguments, [0x10, arg.bits(), 7]);
    assert_eq!(runs, 1, "once, and not after a failure");
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

/// What `GetOwnedMonitorInfo` and its like answer for `thread` on a VM of `version` whose current
/// thread is 0x8000; with how many references of the layer's own that are gone.
fn owned(thread: Option<usize>, version: i32) -> ([Option<sys::Error>; 2], usize) {
    slot!(GetCurrentThread() -> (thread: jobject = raw(VIRTUAL)));
    slot!(Jdk21() -> (version: jint = 0x3015_0000));
    slot!(Jdk23() -> (version: jint = 0x3017_0000));
    with_jni(|jni| {
        let fake = Fake::new(|table| {
            table.GetCurrentThread = Some(GetCurrentThread);
            table.GetVersionNumber = Some(if version == 21 { Jdk21 } else { Jdk23 });
            table.GetOwnedMonitorInfo = Some(GetOwnedMonitorInfo);
            table.GetOwnedMonitorStackDepthInfo = Some(GetOwnedMonitorStackDepthInfo);
        });
        let thread: Option<JThread<'static>> = thread.map(object);
        let before = deleted();
        let answers = [
            fake.env().owned_monitor_info(jni, thread.as_ref()).err(),
            fake.env()
                .owned_monitor_stack_depth_info(jni, thread.as_ref())
                .err(),
        ];
        let calls = fake.calls();
        assert_eq!(
            calls.iter().any(|(name, _)| name.starts_with("GetOwned")),
            answers == [None; 2]
        );
        (
            answers.map(|error| error.map(|one| one.code)),
            deleted() - before,
        )
    })
}

#[test]
fn monitors_of_a_virtual_thread_are_not_asked_for_where_they_come_as_references_of_another() {
    let refused = [Some(sys::Error::UNSUPPORTED_OPERATION); 2];
    assert_eq!(owned(Some(VIRTUAL + 8), 21), (refused, 2));
    assert_eq!(owned(Some(VIRTUAL), 21), ([None; 2], 2), "the current one");
    assert_eq!(owned(None, 21), ([None; 2], 0), "the current one");
    assert_eq!(owned(Some(0x10), 21), ([None; 2], 0), "a platform thread");
    assert_eq!(owned(Some(VIRTUAL + 8), 23), ([None; 2], 0));
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
    let result = every_way(
        "GetThreadLocalStorage",
        |table| table.GetThreadLocalStorage = Some(GetThreadLocalStorage),
        |env| env.thread_local_storage(),
    );
    assert_eq!(result, (i64::MIN, vec![0]));
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
        |env| env.set_thread_local_storage(-42),
    );
    assert_eq!(arguments, [0, -42]);

    let fake = Fake::new(|table| table.SetThreadLocalStorage = Some(SetThreadLocalStorage));
    for value in [i64::MIN, 0, i64::MAX] {
        fake.env().set_thread_local_storage(value).unwrap();
        assert_eq!(fake.calls(), [("SetThreadLocalStorage", vec![0, value])]);
    }
}
