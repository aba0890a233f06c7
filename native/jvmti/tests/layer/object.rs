use std::ptr;

use jni::sys::{jint, jlong, jobject};
use jvmti::sys::jvmtiMonitorUsage;

use crate::fake::{Fake, array, every_way, numbers, object, raw, slot, with_jni, with_nested_jni};

slot!(GetObjectSize(object: jobject) -> (size: jlong = 1 << 40));

#[test]
fn object_size_is_in_bytes() {
    let result = every_way(
        "GetObjectSize",
        |table| table.GetObjectSize = Some(GetObjectSize),
        |env| env.object_size(&object(0x10)),
    );
    assert_eq!(result, (1 << 40, vec![0x10]));
}

slot!(GetObjectHashCode(object: jobject) -> (hash: jint = -5));

#[test]
fn object_hash_code_may_be_negative() {
    let result = every_way(
        "GetObjectHashCode",
        |table| table.GetObjectHashCode = Some(GetObjectHashCode),
        |env| env.object_hash_code(&object(0x10)),
    );
    assert_eq!(result, (-5, vec![0x10]));
}

// The blocks are longer than what they hold, so that a count of the other one shows.
slot!(GetObjectMonitorUsage(object: jobject) -> (usage: jvmtiMonitorUsage = jvmtiMonitorUsage {
    owner: raw(0x20),
    entry_count: 3,
    waiter_count: 2,
    waiters: array(&[raw(0x30), raw(0x40), raw(0xBAD)]),
    notify_waiter_count: 1,
    notify_waiters: array(&[raw(0x50), raw(0xBAD), raw(0xBAD)]),
}));

#[test]
fn monitor_usage_tells_its_lists_apart_and_frees_both() {
    with_jni(|jni| {
        let (usage, arguments) = every_way(
            "GetObjectMonitorUsage",
            |table| table.GetObjectMonitorUsage = Some(GetObjectMonitorUsage),
            |env| env.object_monitor_usage(jni, &object(0x10)),
        );
        assert_eq!(arguments, [0x10]);
        assert_eq!(usage.owner.map(|owner| owner.as_raw()), Some(raw(0x20)));
        assert_eq!(usage.entry_count, 3);
        assert_eq!(numbers(&usage.waiters), [0x30, 0x40]);
        assert_eq!(numbers(&usage.notify_waiters), [0x50]);
    });
}

#[test]
fn a_monitor_that_nobody_uses_has_no_owner_and_empty_lists() {
    slot!(NoBlocks(object: jobject) -> (usage: jvmtiMonitorUsage = jvmtiMonitorUsage {
        owner: raw(0),
        entry_count: 0,
        waiter_count: 0,
        waiters: ptr::null_mut(),
        notify_waiter_count: 0,
        notify_waiters: ptr::null_mut(),
    }));
    slot!(EmptyBlocks(object: jobject) -> (usage: jvmtiMonitorUsage = jvmtiMonitorUsage {
        owner: raw(0),
        entry_count: 0,
        waiter_count: 0,
        waiters: array::<jobject>(&[]),
        notify_waiter_count: 0,
        notify_waiters: array::<jobject>(&[]),
    }));
    with_jni(|jni| {
        let unused = |fake: Fake| {
            let usage = fake.env().object_monitor_usage(jni, &object(0x10)).unwrap();
            assert!(usage.owner.is_none());
            assert_eq!((usage.waiters.len(), usage.notify_waiters.len()), (0, 0));
            fake.calls().len()
        };
        let calls = unused(Fake::new(|table| {
            table.GetObjectMonitorUsage = Some(NoBlocks);
        }));
        assert_eq!(calls, 1, "nothing to free");
        let calls = unused(Fake::new(|table| {
            table.GetObjectMonitorUsage = Some(EmptyBlocks);
        }));
        assert_eq!(calls, 3, "both blocks are freed");
    });
}

#[test]
fn monitor_usage_frees_its_lists_even_where_it_must_not_give_out_references() {
    let fake = Fake::new(|table| table.GetObjectMonitorUsage = Some(GetObjectMonitorUsage));
    let refused = std::panic::catch_unwind(|| {
        with_nested_jni(|outer| {
            fake.env()
                .object_monitor_usage(outer, &object(0x10))
                .map(|_| ())
        })
    });
    assert!(refused.is_err());
    assert_eq!(fake.live(), 0);
}
