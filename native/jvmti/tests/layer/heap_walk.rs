//! Walks over a heap of paper, of which the slot shows all that there can be.

use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{self, AssertUnwindSafe};
use std::ptr;

use jni::objects::{JClass, JObject};
use jni::sys::{jclass, jint, jlong, jobject, jvalue};
use jvmti::sys::{
    self, HeapFilter, HeapReferenceKind as Kind, HeapVisitControl, PrimitiveType,
    jvmtiHeapCallbacks, jvmtiHeapReferenceInfo,
};
use jvmti::{
    Error, HeapCount, HeapElements, HeapField, HeapObject, HeapReference, HeapValues, HeapVisitor,
};

use crate::fake::{Bits, Fake, enter, every_way, method, object, slot};

const CONTINUE: jint = 0x100;
const ABORT: jint = 0x8000;

thread_local! {
    /// What each callback has answered, and what it has made of the tag.
    static ANSWERS: RefCell<Vec<(jint, jlong)>> = const { RefCell::new(Vec::new()) };
}

/// A visitor that keeps what it is shown as text, and sets each tag to the number of it.
struct Seen<const VALUES: u8> {
    all: Vec<String>,
    end: usize,
}

impl<const VALUES: u8> Seen<VALUES> {
    fn until(end: usize) -> Self {
        Self {
            all: Vec::new(),
            end,
        }
    }

    fn see(&mut self, object: HeapObject<'_>, what: String) -> HeapVisitControl {
        self.all.push(what);
        object.tag.set(self.all.len() as i64);
        match self.end == self.all.len() {
            true => HeapVisitControl::ABORT,
            false => HeapVisitControl::OBJECTS,
        }
    }
}

// SAFETY: it keeps texts.
unsafe impl<const VALUES: u8> HeapVisitor for Seen<VALUES> {
    const VALUES: HeapValues = HeapValues::from_bits_truncate(VALUES);

    fn object(&mut self, object: HeapObject<'_>) -> HeapVisitControl {
        self.see(object, format!("{object:?}"))
    }

    fn reference(&mut self, reference: HeapReference<'_>) -> HeapVisitControl {
        let from = reference.referrer;
        let from = from.map(|from| (from.class_tag, from.tag.get()));
        self.see(reference.object, format!("{:?} {from:?}", reference.kind))
    }

    fn field(&mut self, field: HeapField<'_>) -> HeapVisitControl {
        self.all.push(format!("{field:?}"));
        HeapVisitControl::OBJECTS
    }

    fn array(&mut self, object: HeapObject<'_>, elements: HeapElements<'_>) -> HeapVisitControl {
        self.see(object, format!("{:?} {elements:?}", object.length))
    }

    fn string(&mut self, object: HeapObject<'_>, value: &[u16]) -> HeapVisitControl {
        self.see(object, String::from_utf16(value).unwrap())
    }
}

/// A visitor that panics.
struct Panics;

// SAFETY: it does nothing else.
unsafe impl HeapVisitor for Panics {
    fn object(&mut self, _: HeapObject<'_>) -> HeapVisitControl {
        panic!("of the visitor")
    }
}

/// Calls back with a tag of 7.
fn show(callback: impl FnOnce(*mut jlong) -> jint) {
    let mut tag = 7;
    let answer = callback(&raw mut tag);
    ANSWERS.with_borrow_mut(|answers| answers.push((answer, tag)));
}

fn wants(callbacks: &jvmtiHeapCallbacks) -> i64 {
    let wants = [
        callbacks.heap_iteration_callback.is_some(),
        callbacks.heap_reference_callback.is_some(),
        callbacks.primitive_field_callback.is_some(),
        callbacks.array_primitive_value_callback.is_some(),
        callbacks.string_primitive_value_callback.is_some(),
    ];
    wants
        .iter()
        .fold(0, |bits, &wants| bits * 10 + i64::from(wants))
}

unsafe extern "system" fn iterate_through_heap(
    env: *mut sys::Env,
    filter: jint,
    class: jclass,
    callbacks: *const jvmtiHeapCallbacks,
    data: *const c_void,
) -> sys::Error {
    // SAFETY: the layer under test lends them.
    let callbacks = unsafe { &*callbacks };
    let arguments = vec![filter.bits(), class.bits(), wants(callbacks)];
    let code = enter(env, "IterateThroughHeap", arguments);
    if code == sys::Error::NONE {
        let (object, data) = (callbacks.heap_iteration_callback.unwrap(), data.cast_mut());
        // SAFETY: as a VM calls them.
        unsafe {
            show(|tag| object(41, 24, tag, -1, data));
            show(|tag| object(42, 16, tag, 0, data));
            values(callbacks, data);
        }
    }
    code
}

/// Shows a value of each type.
unsafe fn values(callbacks: &jvmtiHeapCallbacks, data: *mut c_void) {
    let info = jvmtiHeapReferenceInfo {
        field: sys::jvmtiHeapReferenceInfoField { index: 3 },
    };
    let (long, words, bytes) = (jvalue { j: 1 }, [-2i16, 3], [1i8]);
    let text: Vec<_> = "é€".encode_utf16().collect();
    // SAFETY: as a VM calls them.
    unsafe {
        if let Some(field) = callbacks.primitive_field_callback {
            let (plain, of_class) = (Kind::FIELD, Kind::STATIC_FIELD);
            let info = &raw const info;
            for value_type in b"ZBCSIJFD?".map(|letter| PrimitiveType(letter.into())) {
                // What native code has written may be any byte.
                let (value_type, value) = match value_type.0 == b'Z'.into() {
                    true => (PrimitiveType::BOOLEAN, jvalue { j: 6 }),
                    false => (value_type, long),
                };
                show(|tag| field(plain, info, 41, tag, value, value_type, data));
            }
            show(|tag| field(of_class, info, 0, tag, long, PrimitiveType::LONG, data));
        }
        if let Some(array) = callbacks.array_primitive_value_callback {
            let (shorts, none) = (words.as_ptr().cast(), ptr::null());
            show(|tag| array(43, 24, tag, 2, PrimitiveType::SHORT, shorts, data));
            show(|tag| {
                array(
                    43,
                    24,
                    tag,
                    1,
                    PrimitiveType::BYTE,
                    bytes.as_ptr().cast(),
                    data,
                )
            });
            show(|tag| array(43, 16, tag, 0, PrimitiveType::DOUBLE, none, data));
            show(|tag| array(43, 16, tag, 9, PrimitiveType(0), none, data));
        }
        if let Some(string) = callbacks.string_primitive_value_callback {
            show(|tag| string(44, 24, tag, text.as_ptr(), 2, data));
            show(|tag| string(44, 24, tag, ptr::null(), 0, data));
        }
    }
}

fn fill(table: &mut sys::FunctionTable) {
    table.IterateThroughHeap = Some(iterate_through_heap);
}

#[test]
fn iterate_through_heap_shows_each_object_and_keeps_its_tag() {
    let (seen, arguments) = every_way("IterateThroughHeap", fill, |env| {
        ANSWERS.take();
        let mut seen = Seen::<0>::until(0);
        let filter = HeapFilter::TAGGED | HeapFilter::CLASS_TAGGED;
        env.iterate_through_heap(filter, None, &mut seen)?;
        Ok(seen.all)
    });
    assert_eq!(arguments, [0x14, 0, 10_000]);
    assert_eq!(
        seen,
        [
            "HeapObject { class_tag: 41, size: 24, length: None, tag: Cell { value: 7 } }",
            "HeapObject { class_tag: 42, size: 16, length: Some(0), tag: Cell { value: 7 } }",
        ]
    );
    assert_eq!(ANSWERS.take(), [(CONTINUE, 1), (CONTINUE, 2)]);
}

#[test]
fn iterate_through_heap_is_for_one_class_and_ends_where_the_visitor_says() {
    let fake = Fake::new(fill);
    let mut seen = Seen::<0>::until(1);
    let class = object::<JClass<'_>>(0x20);
    let none = HeapFilter::empty();
    ANSWERS.take();
    fake.env()
        .iterate_through_heap(none, Some(&class), &mut seen)
        .unwrap();
    let calls = fake.calls();
    assert_eq!(calls, [("IterateThroughHeap", vec![0, 0x20, 10_000])]);
    assert_eq!(ANSWERS.take()[0], (ABORT, 1));
}

#[test]
fn values_are_told_of_those_types_that_are_wanted() {
    let fake = Fake::new(fill);
    let mut seen = Seen::<7>::until(0);
    ANSWERS.take();
    fake.env()
        .iterate_through_heap(HeapFilter::empty(), None, &mut seen)
        .unwrap();
    assert_eq!(
        fake.calls(),
        [("IterateThroughHeap", vec![0, 0, 10_111])],
        "and all others are not"
    );
    let field = |is_static, class_tag, value| {
        format!(
            "HeapField {{ is_static: {is_static}, index: 3, class_tag: {class_tag}, \
             tag: Cell {{ value: 7 }}, value: {value} }}"
        )
    };
    let float = format!("Float({:?})", f32::from_bits(1));
    let double = format!("Double({:?})", f64::from_bits(1));
    let values = [
        "Boolean(true)",
        "Byte(1)",
        "Char(1)",
        "Short(1)",
        "Int(1)",
        "Long(1)",
        &float,
        &double,
    ];
    let mut expected: Vec<_> = values.map(|value| field(false, 41, value)).into();
    expected.push(field(true, 0, "Long(1)"));
    expected.extend(
        [
            "Some(2) Short([-2, 3])",
            "Some(1) Byte([1])",
            "Some(0) Double([])",
            "é€",
            "",
        ]
        .map(String::from),
    );
    assert_eq!(seen.all[2..], expected);
    let answers = ANSWERS.take();
    assert_eq!(answers.len(), 2 + 10 + 4 + 2);
    assert!(
        answers.iter().all(|(answer, _)| *answer == CONTINUE),
        "what is unknown is passed over"
    );
}

#[test]
fn what_a_visitor_panics_with_comes_out_when_the_walk_is_over() {
    let fake = Fake::new(fill);
    ANSWERS.take();
    let walk = || {
        fake.env()
            .iterate_through_heap(HeapFilter::empty(), None, &mut Panics)
    };
    let panic = panic::catch_unwind(AssertUnwindSafe(walk)).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"of the visitor"));
    assert_eq!(
        ANSWERS.take(),
        [(ABORT, 7), (ABORT, 7)],
        "and nothing is shown to it"
    );
}

unsafe extern "system" fn follow_references(
    env: *mut sys::Env,
    filter: jint,
    class: jclass,
    initial: jobject,
    callbacks: *const jvmtiHeapCallbacks,
    data: *const c_void,
) -> sys::Error {
    // SAFETY: the layer under test lends them.
    let callbacks = unsafe { &*callbacks };
    let arguments = vec![
        filter.bits(),
        class.bits(),
        initial.bits(),
        wants(callbacks),
    ];
    let code = enter(env, "FollowReferences", arguments);
    if code != sys::Error::NONE {
        return code;
    }
    let reference = callbacks.heap_reference_callback.unwrap();
    let data = data.cast_mut();
    let index = jvmtiHeapReferenceInfo {
        field: sys::jvmtiHeapReferenceInfoField { index: 5 },
    };
    let local = jvmtiHeapReferenceInfo {
        stack_local: sys::jvmtiHeapReferenceInfoStackLocal {
            thread_tag: 1,
            thread_id: 2,
            depth: 3,
            method: method(0x40),
            location: 4,
            slot: 5,
        },
    };
    let native = |number| jvmtiHeapReferenceInfo {
        jni_local: sys::jvmtiHeapReferenceInfoJniLocal {
            thread_tag: 1,
            thread_id: 2,
            depth: 3,
            method: method(number),
        },
    };
    let mut from = 9;
    for kind in (1..=10).chain([99]).map(Kind) {
        let info = match kind {
            Kind::FIELD | Kind::ARRAY_ELEMENT | Kind::STATIC_FIELD | Kind::CONSTANT_POOL => {
                &raw const index
            }
            _ => ptr::null(),
        };
        let from = &raw mut from;
        // SAFETY: as a VM calls it.
        show(|tag| unsafe { reference(kind, info, 41, 42, 24, tag, from, -1, data) });
    }
    // SAFETY: as above, of an object that refers to itself.
    let itself = |tag| unsafe {
        reference(
            Kind::FIELD,
            &raw const index,
            41,
            41,
            24,
            tag,
            tag,
            -1,
            data,
        )
    };
    show(itself);
    let (with, without) = (native(0x40), native(0));
    for (kind, info) in [
        (Kind::JNI_GLOBAL, ptr::null()),
        (Kind::SYSTEM_CLASS, ptr::null()),
        (Kind::MONITOR, ptr::null()),
        (Kind::STACK_LOCAL, &raw const local),
        (Kind::JNI_LOCAL, &raw const with),
        (Kind::JNI_LOCAL, &raw const without),
        (Kind::THREAD, ptr::null()),
        (Kind::OTHER, ptr::null()),
    ] {
        let nobody = ptr::null_mut();
        // SAFETY: as above, of a root.
        show(|tag| unsafe { reference(kind, info, 41, 0, 24, tag, nobody, -1, data) });
    }
    code
}

#[test]
fn follow_references_tells_where_each_is() {
    let (seen, arguments) = every_way(
        "FollowReferences",
        |table| table.FollowReferences = Some(follow_references),
        |env| {
            let mut seen = Seen::<0>::until(0);
            let (class, initial) = (object(0x20), object(0x30));
            let filter = HeapFilter::UNTAGGED;
            env.follow_references(filter, Some(&class), Some(&initial), &mut seen)?;
            Ok(seen.all)
        },
    );
    assert_eq!(arguments, [8, 0x20, 0x30, 1_000]);
    let kinds = [
        "Class",
        "Field(5)",
        "ArrayElement(5)",
        "ClassLoader",
        "Signers",
        "ProtectionDomain",
        "Interface",
        "StaticField(5)",
        "ConstantPool(5)",
        "Superclass",
        "Unknown(HeapReferenceKind(99))",
    ];
    let mut expected: Vec<_> = kinds.map(|kind| format!("{kind} Some((42, 9))")).into();
    expected.push("Field(5) Some((41, 7))".into());
    let stack = "StackLocal(StackLocal { thread_tag: 1, thread_id: 2, depth: 3, \
                 method: MethodId(0x40), location: 4, slot: 5 })";
    let native = |method| {
        format!("JniLocal(JniLocal {{ thread_tag: 1, thread_id: 2, depth: 3, method: {method} }})")
    };
    let roots = [
        "JniGlobal",
        "SystemClass",
        "Monitor",
        stack,
        &native("Some(MethodId(0x40))"),
        &native("None"),
        "Thread",
        "Other",
    ];
    expected.extend(roots.map(|root| format!("{root} None")));
    assert_eq!(seen, expected);
}

#[test]
fn no_class_and_no_object_are_not_null_ones() {
    let fake = Fake::new(|table| {
        fill(table);
        table.FollowReferences = Some(follow_references);
    });
    let (env, none) = (fake.env(), HeapFilter::empty());
    let (class, initial) = (JClass::null(), JObject::null());
    let count = &mut HeapCount::default();
    let error = |function, code| Err(Error::new(function, code));
    assert_eq!(
        env.iterate_through_heap(none, Some(&class), count),
        error("IterateThroughHeap", sys::Error::INVALID_CLASS)
    );
    assert_eq!(
        env.follow_references(none, Some(&class), None, count),
        error("FollowReferences", sys::Error::INVALID_CLASS)
    );
    assert_eq!(
        env.follow_references(none, None, Some(&initial), count),
        error("FollowReferences", sys::Error::INVALID_OBJECT)
    );
    assert_eq!(fake.calls(), []);
    env.follow_references(none, None, None, count).unwrap();
    assert_eq!(fake.calls(), [("FollowReferences", vec![0, 0, 0, 1_000])]);
    assert_eq!((count.count, count.bytes), (20, 20 * 24));
}

slot!(SetHeapSamplingInterval(bytes: jint) -> ());

#[test]
fn set_heap_sampling_interval_passes_what_is_too_much_as_less_than_nothing() {
    let fill = |table: &mut sys::FunctionTable| {
        table.SetHeapSamplingInterval = Some(SetHeapSamplingInterval);
    };
    let ((), arguments) = every_way("SetHeapSamplingInterval", fill, |env| {
        env.set_heap_sampling_interval(512 << 10)
    });
    assert_eq!(arguments, [512 << 10]);
    let fake = Fake::new(fill);
    fake.env().set_heap_sampling_interval(1 << 31).unwrap();
    assert_eq!(fake.calls(), [("SetHeapSamplingInterval", vec![-1])]);
}
