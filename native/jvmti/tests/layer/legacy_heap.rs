use std::ffi::c_void;

use jni::objects::JClass;
use jni::sys::{jclass, jlong, jobject};
use jvmti::sys::{
    self, HeapObjectFilter, HeapRootKind, IterationControl, ObjectReferenceKind,
    jvmtiHeapObjectCallback, jvmtiHeapRootCallback, jvmtiObjectReferenceCallback,
    jvmtiStackReferenceCallback,
};
use jvmti::{HeapCount, HeapObject, LegacyHeapVisitor, ObjectReference, StackReference};

use crate::fake::{Bits, Fake, enter, every_way, method, object};

/// Keeps what it is shown as text, and sets each tag to the number of it.
#[derive(Default)]
struct Seen(Vec<String>);

impl Seen {
    fn see(&mut self, object: HeapObject<'_>, what: String) -> IterationControl {
        let HeapObject {
            class_tag,
            size,
            length,
            tag,
        } = object;
        assert_eq!((class_tag, size, length, tag.get()), (41, 24, None, 7));
        self.0.push(what);
        tag.set(self.0.len() as i64);
        match self.0.len() {
            1 => IterationControl::IGNORE,
            2 => IterationControl::CONTINUE,
            _ => IterationControl::ABORT,
        }
    }
}

// SAFETY: it keeps texts.
unsafe impl LegacyHeapVisitor for Seen {
    fn object(&mut self, object: HeapObject<'_>) -> IterationControl {
        self.see(object, "object".into())
    }

    fn root(&mut self, kind: HeapRootKind, object: HeapObject<'_>) -> IterationControl {
        self.see(object, kind.name().unwrap().into())
    }

    fn stack_reference(
        &mut self,
        reference: StackReference,
        object: HeapObject<'_>,
    ) -> IterationControl {
        self.see(object, format!("{reference:?}"))
    }

    fn reference(
        &mut self,
        reference: ObjectReference,
        object: HeapObject<'_>,
    ) -> IterationControl {
        self.see(object, format!("{reference:?}"))
    }
}

/// Calls back with a tag of 7, for the `number`th time in this walk.
fn show(number: jlong, callback: impl FnOnce(*mut jlong) -> IterationControl) {
    let mut tag = 7;
    let answer = callback(&raw mut tag);
    let expected = match number {
        1 => IterationControl::IGNORE,
        2 => IterationControl::CONTINUE,
        _ => IterationControl::ABORT,
    };
    // A panic must not cross the layer.
    if (answer, tag) != (expected, number) {
        crate::fake::fault(format!("{number}: {answer:?} and a tag of {tag}"));
    }
}

/// Shows an object twice.
///
/// # Safety
///
/// The layer under test has passed both.
unsafe fn show_objects(callback: Option<jvmtiHeapObjectCallback>, data: *const c_void) {
    for number in [1, 2] {
        // SAFETY: as a VM calls it.
        show(number, |tag| unsafe {
            callback.unwrap()(41, 24, tag, data.cast_mut())
        });
    }
}

unsafe extern "system" fn iterate_over_heap(
    env: *mut sys::Env,
    filter: HeapObjectFilter,
    callback: Option<jvmtiHeapObjectCallback>,
    data: *const c_void,
) -> sys::Error {
    let code = enter(env, "IterateOverHeap", vec![filter.0.bits()]);
    if code == sys::Error::NONE {
        // SAFETY: what was passed.
        unsafe { show_objects(callback, data) };
    }
    code
}

unsafe extern "system" fn iterate_over_instances_of_class(
    env: *mut sys::Env,
    class: jclass,
    filter: HeapObjectFilter,
    callback: Option<jvmtiHeapObjectCallback>,
    data: *const c_void,
) -> sys::Error {
    let arguments = vec![class.bits(), filter.0.bits()];
    let code = enter(env, "IterateOverInstancesOfClass", arguments);
    if code == sys::Error::NONE {
        // SAFETY: what was passed.
        unsafe { show_objects(callback, data) };
    }
    code
}

unsafe extern "system" fn iterate_over_objects_reachable_from_object(
    env: *mut sys::Env,
    object: jobject,
    callback: Option<jvmtiObjectReferenceCallback>,
    data: *const c_void,
) -> sys::Error {
    let code = enter(
        env,
        "IterateOverObjectsReachableFromObject",
        vec![object.bits()],
    );
    if code == sys::Error::NONE {
        // SAFETY: what was passed, as a VM calls it.
        show(1, |tag| unsafe {
            let kind = ObjectReferenceKind::ARRAY_ELEMENT;
            callback.unwrap()(kind, 41, 24, tag, 8, 5, data.cast_mut())
        });
    }
    code
}

unsafe extern "system" fn iterate_over_reachable_objects(
    env: *mut sys::Env,
    root: Option<jvmtiHeapRootCallback>,
    stack: Option<jvmtiStackReferenceCallback>,
    reference: Option<jvmtiObjectReferenceCallback>,
    data: *const c_void,
) -> sys::Error {
    let code = enter(env, "IterateOverReachableObjects", vec![]);
    if code == sys::Error::NONE {
        let data = data.cast_mut();
        // SAFETY: what was passed, as a VM calls it.
        unsafe {
            show(1, |tag| {
                root.unwrap()(HeapRootKind::MONITOR, 41, 24, tag, data)
            });
            let (local, of) = (HeapRootKind::STACK_LOCAL, method(0x40));
            show(2, |tag| {
                stack.unwrap()(local, 41, 24, tag, 1, 2, of, 3, data)
            });
            let (native, none) = (HeapRootKind::JNI_LOCAL, method(0));
            show(3, |tag| {
                stack.unwrap()(native, 41, 24, tag, 1, -1, none, -1, data)
            });
            show(4, |tag| {
                reference.unwrap()(ObjectReferenceKind::FIELD, 41, 24, tag, 8, 5, data)
            });
        }
    }
    code
}

#[test]
fn iterate_over_heap_shows_each_object_that_is_named() {
    let (seen, arguments) = every_way(
        "IterateOverHeap",
        |table| table.IterateOverHeap = Some(iterate_over_heap),
        |env| {
            let mut seen = Seen::default();
            env.iterate_over_heap(HeapObjectFilter::UNTAGGED, &mut seen)?;
            Ok(seen.0)
        },
    );
    assert_eq!(arguments, [2]);
    assert_eq!(seen, ["object", "object"]);
}

#[test]
fn iterate_over_instances_of_class_is_for_one_class() {
    let (count, arguments) = every_way(
        "IterateOverInstancesOfClass",
        |table| table.IterateOverInstancesOfClass = Some(iterate_over_instances_of_class),
        |env| {
            let mut seen = Seen::default();
            let class = object::<JClass<'_>>(0x20);
            let filter = HeapObjectFilter::TAGGED;
            env.iterate_over_instances_of_class(&class, filter, &mut seen)?;
            Ok(seen.0.len())
        },
    );
    assert_eq!(arguments, [0x20, 1]);
    assert_eq!(count, 2);
}

#[test]
fn iterate_over_objects_reachable_from_object_tells_where_each_reference_is() {
    let (seen, arguments) = every_way(
        "IterateOverObjectsReachableFromObject",
        |table| {
            table.IterateOverObjectsReachableFromObject =
                Some(iterate_over_objects_reachable_from_object);
        },
        |env| {
            let mut seen = Seen::default();
            env.iterate_over_objects_reachable_from_object(&object(0x30), &mut seen)?;
            Ok(seen.0)
        },
    );
    assert_eq!(arguments, [0x30]);
    let reference = ObjectReference {
        kind: ObjectReferenceKind::ARRAY_ELEMENT,
        referrer_tag: 8,
        referrer_index: 5,
    };
    assert_eq!(seen, [format!("{reference:?}")]);
}

#[test]
fn iterate_over_reachable_objects_tells_roots_and_references() {
    let fill = |table: &mut sys::FunctionTable| {
        table.IterateOverReachableObjects = Some(iterate_over_reachable_objects);
    };
    let (seen, arguments) = every_way("IterateOverReachableObjects", fill, |env| {
        let mut seen = Seen::default();
        env.iterate_over_reachable_objects(&mut seen)?;
        Ok(seen.0)
    });
    assert_eq!(arguments, []);
    let start = "StackReference { kind: HeapRootKind";
    assert_eq!(
        seen,
        [
            "JVMTI_HEAP_ROOT_MONITOR",
            &format!(
                "{start}(4), thread_tag: 1, depth: 2, method: Some(MethodId(0x40)), slot: 3 }}"
            ),
            &format!("{start}(5), thread_tag: 1, depth: -1, method: None, slot: -1 }}"),
            "ObjectReference { kind: ObjectReferenceKind(2), referrer_tag: 8, referrer_index: 5 }",
        ]
    );
}

#[test]
fn who_counts_counts_roots_and_references() {
    let fake = Fake::new(|table| table.IterateOverHeap = Some(count_one));
    let mut count = HeapCount::default();
    let either = HeapObjectFilter::EITHER;
    fake.env().iterate_over_heap(either, &mut count).unwrap();
    assert_eq!((count.count, count.bytes), (1, 24));
}

unsafe extern "system" fn count_one(
    env: *mut sys::Env,
    _: HeapObjectFilter,
    callback: Option<jvmtiHeapObjectCallback>,
    data: *const c_void,
) -> sys::Error {
    let mut tag = 0;
    // SAFETY: what was passed, as a VM calls it.
    unsafe { callback.unwrap()(41, 24, &raw mut tag, data.cast_mut()) };
    enter(env, "IterateOverHeap", vec![])
}
