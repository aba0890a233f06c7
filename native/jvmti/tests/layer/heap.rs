use std::ptr;

use jni::sys::{jint, jlong, jobject};

use crate::fake::{Bits, Fake, array, enter, every_way, numbers, object, raw, slot, with_jni};

slot!(GetTag(object: jobject) -> (tag: jlong = i64::MIN));

#[test]
fn tag_is_any_long() {
    let result = every_way(
        "GetTag",
        |table| table.GetTag = Some(GetTag),
        |env| env.tag(&object(0x10)),
    );
    assert_eq!(result, (i64::MIN, vec![0x10]));
}

slot!(SetTag(object: jobject, tag: jlong) -> ());

#[test]
fn set_tag_passes_object_and_tag() {
    let ((), arguments) = every_way(
        "SetTag",
        |table| table.SetTag = Some(SetTag),
        |env| env.set_tag(&object(0x10), -42),
    );
    assert_eq!(arguments, [0x10, -42]);
}

slot!(ForceGarbageCollection() -> ());

#[test]
fn force_garbage_collection_needs_nothing() {
    let ((), arguments) = every_way(
        "ForceGarbageCollection",
        |table| table.ForceGarbageCollection = Some(ForceGarbageCollection),
        |env| env.force_garbage_collection(),
    );
    assert_eq!(arguments, []);
}

/// Finds one object for each tag asked for: 0x10 for tag 1, 0x20 for tag 2, …
unsafe extern "system" fn get_objects_with_tags(
    env: *mut jvmti::sys::Env,
    wanted: jint,
    tags: *const jlong,
    count: *mut jint,
    objects: *mut *mut jobject,
    found: *mut *mut jlong,
) -> jvmti::sys::Error {
    // SAFETY: the layer under test lends a list of this length.
    let tags = unsafe { std::slice::from_raw_parts(tags, wanted as usize) };
    let arguments = tags.iter().copied().chain([wanted.bits()]).collect();
    let code = enter(env, "GetObjectsWithTags", arguments);
    if code == jvmti::sys::Error::NONE {
        // SAFETY: and places for the results.
        unsafe {
            *count = wanted;
            *objects = array(
                &tags
                    .iter()
                    .map(|&tag| raw(tag as usize * 16))
                    .collect::<Vec<_>>(),
            );
            *found = array(tags);
        }
    }
    code
}

#[test]
fn objects_with_tags_keep_object_and_tag_together_and_free_both_lists() {
    with_jni(|jni| {
        let (tagged, arguments) = every_way(
            "GetObjectsWithTags",
            |table| table.GetObjectsWithTags = Some(get_objects_with_tags),
            |env| env.objects_with_tags(jni, &[3, 1]),
        );
        assert_eq!(arguments, [3, 1, 2], "the tags, and how many");
        assert_eq!(numbers(&tagged.objects), [0x30, 0x10]);
        assert_eq!(tagged.tags, [3, 1]);
    });
}

slot!(NothingFound(wanted: jint, tags: *const jlong) -> (
    count: jint = 0,
    objects: *mut jobject = ptr::null_mut(),
    found: *mut jlong = ptr::null_mut()
));

slot!(EmptyBlocks(wanted: jint, tags: *const jlong) -> (
    count: jint = 0,
    objects: *mut jobject = array::<jobject>(&[]),
    found: *mut jlong = array::<jlong>(&[])
));

#[test]
fn nothing_found_is_empty_with_and_without_blocks() {
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetObjectsWithTags = Some(NothingFound));
        let tagged = fake.env().objects_with_tags(jni, &[7]).unwrap();
        assert_eq!((tagged.objects.len(), tagged.tags.len()), (0, 0));
        assert_eq!(fake.calls().len(), 1, "nothing to free");
        drop(fake);

        let fake = Fake::new(|table| table.GetObjectsWithTags = Some(EmptyBlocks));
        let tagged = fake.env().objects_with_tags(jni, &[]).unwrap();
        assert_eq!((tagged.objects.len(), tagged.tags.len()), (0, 0));
        assert_eq!(fake.calls().len(), 3, "both blocks are freed");
    });
}
