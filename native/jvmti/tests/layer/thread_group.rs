use std::ptr;

use jni::sys::{jint, jobject};
use jvmti::sys::jvmtiThreadGroupInfo;

use crate::fake::{
    Fake, array, every_way, numbers, object, raw, slot, text, with_jni, with_nested_jni,
};

slot!(GetTopThreadGroups() -> (
    count: jint = 2,
    groups: *mut jobject = array(&[raw(0x10), raw(0x20)])
));

#[test]
fn top_thread_groups_are_references_and_the_list_is_freed() {
    with_jni(|jni| {
        let (groups, _) = every_way(
            "GetTopThreadGroups",
            |table| table.GetTopThreadGroups = Some(GetTopThreadGroups),
            |env| env.top_thread_groups(jni),
        );
        assert_eq!(numbers(&groups), [0x10, 0x20]);
    });
}

slot!(GetThreadGroupInfo(group: jobject) -> (info: jvmtiThreadGroupInfo = jvmtiThreadGroupInfo {
    parent: raw(0x20),
    name: text(c"main"),
    max_priority: 7,
    is_daemon: true,
}));

#[test]
fn thread_group_info_is_decoded_and_its_name_freed() {
    with_jni(|jni| {
        let (info, arguments) = every_way(
            "GetThreadGroupInfo",
            |table| table.GetThreadGroupInfo = Some(GetThreadGroupInfo),
            |env| env.thread_group_info(jni, &object(0x10)),
        );
        assert_eq!(arguments, [0x10]);
        assert_eq!(info.parent.map(|parent| parent.as_raw()), Some(raw(0x20)));
        assert_eq!(info.name.to_str(), "main");
        assert_eq!(info.max_priority, 7);
        assert!(info.is_daemon);
    });
}

#[test]
fn thread_group_info_of_a_top_group_without_a_name_has_neither() {
    slot!(TopGroup(group: jobject) -> (info: jvmtiThreadGroupInfo = jvmtiThreadGroupInfo {
        parent: raw(0),
        name: ptr::null_mut(),
        max_priority: 10,
        is_daemon: false,
    }));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetThreadGroupInfo = Some(TopGroup));
        let info = fake.env().thread_group_info(jni, &object(0x10)).unwrap();
        assert_eq!(fake.calls().len(), 1, "no name, nothing to free");
        assert!(info.parent.is_none());
        assert_eq!(info.name.to_str(), "");
        assert!(!info.is_daemon);
    });
}

// The blocks are longer than what they hold, so that a count of the other one shows.
slot!(GetThreadGroupChildren(group: jobject) -> (
    thread_count: jint = 1,
    threads: *mut jobject = array(&[raw(0x20), raw(0xBAD), raw(0xBAD)]),
    group_count: jint = 2,
    groups: *mut jobject = array(&[raw(0x30), raw(0x40), raw(0xBAD)])
));

#[test]
fn thread_group_children_tell_threads_from_groups_and_free_both_lists() {
    with_jni(|jni| {
        let (children, arguments) = every_way(
            "GetThreadGroupChildren",
            |table| table.GetThreadGroupChildren = Some(GetThreadGroupChildren),
            |env| env.thread_group_children(jni, &object(0x10)),
        );
        assert_eq!(arguments, [0x10]);
        assert_eq!(numbers(&children.threads), [0x20]);
        assert_eq!(numbers(&children.groups), [0x30, 0x40]);
    });
}

#[test]
fn no_children_are_empty_lists_with_and_without_blocks() {
    slot!(Mixed(group: jobject) -> (
        thread_count: jint = 0,
        threads: *mut jobject = ptr::null_mut(),
        group_count: jint = 0,
        groups: *mut jobject = array::<jobject>(&[])
    ));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetThreadGroupChildren = Some(Mixed));
        let children = fake
            .env()
            .thread_group_children(jni, &object(0x10))
            .unwrap();
        assert_eq!((children.threads.len(), children.groups.len()), (0, 0));
        assert_eq!(fake.calls().len(), 2, "the one block is freed");
    });
}

#[test]
fn thread_group_children_free_their_lists_even_where_they_must_not_give_out_references() {
    let fake = Fake::new(|table| table.GetThreadGroupChildren = Some(GetThreadGroupChildren));
    let refused = std::panic::catch_unwind(|| {
        with_nested_jni(|outer| {
            fake.env()
                .thread_group_children(outer, &object(0x10))
                .map(|_| ())
        })
    });
    assert!(refused.is_err());
    assert_eq!(fake.live(), 0);
}
