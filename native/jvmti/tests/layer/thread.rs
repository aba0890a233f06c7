use std::ptr;

use jni::sys::{jint, jobject};
use jvmti::sys::jvmtiThreadInfo;

use crate::fake::{
    Fake, array, every_way, numbers, object, raw, slot, text, with_jni, with_nested_jni,
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
