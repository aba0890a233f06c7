//! Every event: the callback of its slot tells the method of its listener, and nobody else, what the VM has passed.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::{c_char, c_void};
use std::ptr;

use jni::objects::JValueOwned;
use jni::refs::Reference;
use jni::sys::{jint, jmethodID, jvalue};
use jvmti::event::*;
use jvmti::sys::{self, Event, EventCallbacks};
use jvmti::{Env, Listener};

use crate::fake::{
    Bits, Fake, declared, enter, field, method, pending, raw, set_pending, slot, text, with_jni,
};

thread_local! {
    static ARMED: RefCell<EventCallbacks> = RefCell::new(EventCallbacks::default());
    static TOLD: RefCell<BTreeSet<&'static str>> = RefCell::default();
    static HEARD: RefCell<Vec<(&'static str, Vec<i64>)>> = RefCell::default();
}

unsafe extern "system" fn set_event_callbacks(
    env: *mut sys::Env,
    callbacks: *const EventCallbacks,
    size: jint,
) -> sys::Error {
    // SAFETY: the layer under test lends the callbacks.
    ARMED.set(unsafe { *callbacks });
    enter(env, "SetEventCallbacks", vec![size.bits()])
}

fn told(event: &'static str) {
    TOLD.with_borrow_mut(|told| told.insert(event));
}

fn hear(event: &'static str, values: Vec<i64>) {
    HEARD.with_borrow_mut(|heard| heard.push((event, values)));
}

fn number(object: &impl Reference) -> i64 {
    object.as_raw().bits()
}

fn given(object: &Option<impl Reference>) -> i64 {
    object.as_ref().map_or(-1, number)
}

struct Log;

macro_rules! log {
    ($($door:ident $slot:ident $event:ident $method:ident($one:ident) [$($value:expr),*])*) => {
        impl Listener for Log { $(log!(@$door $slot $event $method($one) [$($value),*]);)* }
    };
    (@upcall $slot:ident $event:ident $method:ident($one:ident) [$($value:expr),*]) => {
        fn $method(_: &Env, _: &mut jni::Env<'_>, $one: $event<'_>) {
            let _ = &$one;
            hear(stringify!($slot), vec![$($value),*]);
        }
    };
    (@record $slot:ident $event:ident $method:ident($one:ident) [$($value:expr),*]) => {
        fn $method(_: &Env, $one: $event<'_>) {
            let _ = &$one;
            hear(stringify!($slot), vec![$($value),*]);
        }
    };
}

log! {
    upcall VMInit VmInit vm_init(e) [number(&e.thread)]
    upcall VMDeath VmDeath vm_death(e) []
    upcall ThreadStart ThreadStart thread_start(e) [number(&e.thread)]
    upcall ThreadEnd ThreadEnd thread_end(e) [number(&e.thread)]
    upcall ClassFileLoadHook ClassFileLoadHook class_file_load_hook(e) [
        given(&e.class_being_redefined), given(&e.loader), e.name.map_or(-1, |name| name.to_bytes().len() as i64),
        given(&e.protection_domain), e.class_data.iter().map(|&byte| i64::from(byte)).sum()
    ]
    upcall ClassLoad ClassLoad class_load(e) [number(&e.thread), number(&e.klass)]
    upcall ClassPrepare ClassPrepare class_prepare(e) [number(&e.thread), number(&e.klass)]
    upcall VMStart VmStart vm_start(e) []
    upcall Exception Exception exception(e) [
        number(&e.thread), e.method.as_raw().bits(), e.location, number(&e.exception),
        e.catch_method.map_or(-1, |method| method.as_raw().bits()), e.catch_location
    ]
    upcall ExceptionCatch ExceptionCatch exception_catch(e) [
        number(&e.thread), e.method.as_raw().bits(), e.location, number(&e.exception)
    ]
    upcall SingleStep SingleStep single_step(e) [number(&e.thread), e.method.as_raw().bits(), e.location]
    upcall FramePop FramePop frame_pop(e) [
        number(&e.thread), e.method.as_raw().bits(), e.was_popped_by_exception.bits()
    ]
    upcall Breakpoint Breakpoint breakpoint(e) [number(&e.thread), e.method.as_raw().bits(), e.location]
    upcall FieldAccess FieldAccess field_access(e) [
        number(&e.thread), e.method.as_raw().bits(), e.location, number(e.field.class()), given(&e.object),
        e.field.get().as_raw().bits()
    ]
    upcall FieldModification FieldModification field_modification(e) [
        number(&e.thread), e.method.as_raw().bits(), e.location, number(e.field.class()), given(&e.object),
        e.field.get().as_raw().bits(), i64::from(e.signature_type)
    ]
    upcall MethodEntry MethodEntry method_entry(e) [number(&e.thread), e.method.as_raw().bits()]
    upcall MethodExit MethodExit method_exit(e) [
        number(&e.thread), e.method.as_raw().bits(), e.was_popped_by_exception.bits()
    ]
    upcall NativeMethodBind NativeMethodBind native_method_bind(e) [
        given(&e.thread), e.method.as_raw().bits(), e.address as i64
    ]
    record CompiledMethodLoad CompiledMethodLoad compiled_method_load(e) [
        e.method.as_raw().bits(), e.code_size as i64, e.code_addr as i64,
        e.map.iter().map(|one| one.location).sum(), e.compile_info.as_raw() as i64
    ]
    record CompiledMethodUnload CompiledMethodUnload compiled_method_unload(e) [
        e.method.as_raw().bits(), e.code_addr as i64
    ]
    record DynamicCodeGenerated DynamicCodeGenerated dynamic_code_generated(e) [
        e.name.to_bytes().len() as i64, e.address as i64, e.length as i64
    ]
    record DataDumpRequest DataDumpRequest data_dump_request(e) []
    upcall MonitorWait MonitorWait monitor_wait(e) [number(&e.thread), number(&e.object), e.timeout]
    upcall MonitorWaited MonitorWaited monitor_waited(e) [
        number(&e.thread), number(&e.object), e.timed_out.bits()
    ]
    upcall MonitorContendedEnter MonitorContendedEnter monitor_contended_enter(e) [
        number(&e.thread), number(&e.object)
    ]
    upcall MonitorContendedEntered MonitorContendedEntered monitor_contended_entered(e) [
        number(&e.thread), number(&e.object)
    ]
    upcall ResourceExhausted ResourceExhausted resource_exhausted(e) [
        i64::from(e.flags.bits()), e.description.to_bytes().len() as i64
    ]
    record GarbageCollectionStart GarbageCollectionStart garbage_collection_start(e) []
    record GarbageCollectionFinish GarbageCollectionFinish garbage_collection_finish(e) []
    record ObjectFree ObjectFree object_free(e) [e.tag]
    upcall VMObjectAlloc VmObjectAlloc vm_object_alloc(e) [
        number(&e.thread), number(&e.object), number(&e.object_klass), e.size
    ]
    upcall SampledObjectAlloc SampledObjectAlloc sampled_object_alloc(e) [
        number(&e.thread), number(&e.object), number(&e.object_klass), e.size
    ]
    upcall VirtualThreadStart VirtualThreadStart virtual_thread_start(e) [number(&e.virtual_thread)]
    upcall VirtualThreadEnd VirtualThreadEnd virtual_thread_end(e) [number(&e.virtual_thread)]
}

/// The callbacks that the VM of paper has got, for a listener.
fn armed<L: Listener>(act: impl FnOnce(&EventCallbacks, *mut sys::Env)) {
    let fake = Fake::new(|table| {
        table.SetEventCallbacks = Some(set_event_callbacks);
        table.GetMethodName = Some(GetMethodName);
    });
    fake.env().listen::<L>().unwrap();
    act(&ARMED.take(), fake.env().as_raw());
}

/// Has the callback of a slot called like the VM does, and looks what its listener was told.
macro_rules! told {
    ($armed:expr, $env:expr, upcall $slot:ident($($raw:expr),*), $values:expr) => {{
        let callback = $armed.$slot.unwrap();
        // SAFETY: it is called with what its event has.
        with_jni(|jni| unsafe { callback($env, jni.get_raw(), $($raw),*) });
        told(stringify!($slot));
        assert_eq!(HEARD.take(), [(stringify!($slot), Vec::<i64>::from($values))]);
    }};
    ($armed:expr, $env:expr, record $slot:ident($($raw:expr),*), $values:expr) => {{
        let callback = $armed.$slot.unwrap();
        // SAFETY: as above.
        unsafe { callback($env, $($raw),*) };
        told(stringify!($slot));
        assert_eq!(HEARD.take(), [(stringify!($slot), Vec::<i64>::from($values))]);
    }};
}

#[test]
fn every_event_tells_its_method_what_it_has() {
    armed::<Log>(|armed, env| {
        let none = ptr::null_mut();
        let value = jvalue { j: 9 };
        let map = [1, 2].map(|location| sys::jvmtiAddrLocationMap {
            start_address: ptr::null(),
            location,
        });
        let mut length = 0;
        let mut bytes = ptr::null_mut();
        let mut address = ptr::null_mut();
        told!(armed, env, upcall VMInit(raw(1)), [1]);
        told!(armed, env, upcall VMDeath(), []);
        told!(armed, env, upcall ThreadStart(raw(1)), [1]);
        told!(armed, env, upcall ThreadEnd(raw(1)), [1]);
        told!(armed, env, upcall ClassFileLoadHook(raw(1), raw(2), c"abc".as_ptr(), raw(3), 2, [3, 4].as_ptr(), &raw mut length, &raw mut bytes), [1, 2, 3, 3, 7]);
        told!(armed, env, upcall ClassFileLoadHook(none, none, ptr::null(), none, 0, ptr::null(), &raw mut length, &raw mut bytes), [-1, -1, -1, -1, 0]);
        told!(armed, env, upcall ClassLoad(raw(1), raw(2)), [1, 2]);
        told!(armed, env, upcall ClassPrepare(raw(1), raw(2)), [1, 2]);
        told!(armed, env, upcall VMStart(), []);
        told!(armed, env, upcall Exception(raw(1), method(2), 3, raw(4), method(5), 6), [1, 2, 3, 4, 5, 6]);
        told!(armed, env, upcall Exception(raw(1), method(2), 3, raw(4), ptr::null_mut(), 0), [1, 2, 3, 4, -1, 0]);
        told!(armed, env, upcall ExceptionCatch(raw(1), method(2), 3, raw(4)), [1, 2, 3, 4]);
        told!(armed, env, upcall SingleStep(raw(1), method(2), 3), [1, 2, 3]);
        told!(armed, env, upcall FramePop(raw(1), method(2), true), [1, 2, 1]);
        told!(armed, env, upcall Breakpoint(raw(1), method(2), 3), [1, 2, 3]);
        told!(armed, env, upcall FieldAccess(raw(1), method(2), 3, raw(4), raw(5), field(6)), [1, 2, 3, 4, 5, 6]);
        told!(armed, env, upcall FieldAccess(raw(1), method(2), 3, raw(4), none, field(6)), [1, 2, 3, 4, -1, 6]);
        told!(armed, env, upcall FieldModification(raw(1), method(2), 3, raw(4), raw(5), field(6), b'J' as _, value), [1, 2, 3, 4, 5, 6, 74]);
        told!(armed, env, upcall MethodEntry(raw(1), method(2)), [1, 2]);
        told!(armed, env, upcall MethodExit(raw(1), method(2), false, value), [1, 2, 0]);
        told!(armed, env, upcall NativeMethodBind(raw(1), method(2), raw(3).cast(), &raw mut address), [1, 2, 3]);
        told!(armed, env, upcall NativeMethodBind(none, method(2), raw(3).cast(), &raw mut address), [-1, 2, 3]);
        told!(armed, env, record CompiledMethodLoad(method(1), 2, raw(3).cast(), 2, map.as_ptr(), raw(4).cast()), [1, 2, 3, 3, 4]);
        told!(armed, env, record CompiledMethodLoad(method(1), 2, raw(3).cast(), 0, ptr::null(), ptr::null()), [1, 2, 3, 0, 0]);
        told!(armed, env, record CompiledMethodUnload(method(1), raw(2).cast()), [1, 2]);
        told!(armed, env, record DynamicCodeGenerated(c"stub".as_ptr(), raw(2).cast(), 3), [4, 2, 3]);
        told!(armed, env, record DataDumpRequest(), []);
        told!(armed, env, upcall MonitorWait(raw(1), raw(2), 3), [1, 2, 3]);
        told!(armed, env, upcall MonitorWaited(raw(1), raw(2), true), [1, 2, 1]);
        told!(armed, env, upcall MonitorContendedEnter(raw(1), raw(2)), [1, 2]);
        told!(armed, env, upcall MonitorContendedEntered(raw(1), raw(2)), [1, 2]);
        told!(armed, env, upcall ResourceExhausted(1, ptr::null(), c"heap".as_ptr()), [1, 4]);
        told!(armed, env, record GarbageCollectionStart(), []);
        told!(armed, env, record GarbageCollectionFinish(), []);
        told!(armed, env, record ObjectFree(-5), [-5]);
        told!(armed, env, upcall VMObjectAlloc(raw(1), raw(2), raw(3), 4), [1, 2, 3, 4]);
        told!(armed, env, upcall SampledObjectAlloc(raw(1), raw(2), raw(3), 4), [1, 2, 3, 4]);
        told!(armed, env, upcall VirtualThreadStart(raw(1)), [1]);
        told!(armed, env, upcall VirtualThreadEnd(raw(1)), [1]);
    });
    assert_eq!(
        TOLD.take().len(),
        Event::ALL.len(),
        "an event is missing here"
    );
}

/// Whoever writes no method is told nothing.
#[test]
fn a_listener_need_not_listen() {
    struct Deaf;
    impl Listener for Deaf {}
    armed::<Deaf>(|armed, env| {
        // SAFETY: they are called with what their events have.
        with_jni(|jni| unsafe {
            armed.ThreadStart.unwrap()(env, jni.get_raw(), raw(1));
            armed.ObjectFree.unwrap()(env, 7);
        });
    });
}

/// As HotSpot does in the primordial phase.
#[test]
fn what_comes_without_jni_is_told_to_nobody() {
    armed::<Log>(|armed, env| {
        let mut address = ptr::null_mut();
        let none = ptr::null_mut();
        // SAFETY: it is called with what its event has then.
        unsafe {
            armed.NativeMethodBind.unwrap()(
                env,
                ptr::null_mut(),
                none,
                method(2),
                raw(3).cast(),
                &raw mut address,
            );
        }
        assert!(HEARD.take().is_empty());
        assert!(address.is_null());
    });
}

struct Throwing;

impl Listener for Throwing {
    fn thread_start(_: &Env, _: &mut jni::Env<'_>, _: ThreadStart<'_>) {
        set_pending(true);
        panic!("of a listener");
    }

    fn object_free(_: &Env, _: ObjectFree<'_>) {
        panic!("of a listener");
    }
}

#[test]
fn what_a_listener_throws_ends_there() {
    armed::<Throwing>(|armed, env| {
        // SAFETY: they are called with what their events have.
        with_jni(|jni| unsafe {
            let declared_before = declared();
            armed.ThreadStart.unwrap()(env, jni.get_raw(), raw(1));
            assert!(!pending(), "a listener's exception stays");
            assert!(
                declared() > declared_before,
                "-Xcheck:jni counts those of others"
            );
            armed.ObjectFree.unwrap()(env, 7);
            set_pending(true);
            armed.ThreadEnd.unwrap()(env, jni.get_raw(), raw(1));
            assert!(pending(), "the application's exception is gone");
            set_pending(false);
        });
    });
}

struct Changing;

impl Listener for Changing {
    fn class_file_load_hook(_: &Env, _: &mut jni::Env<'_>, event: ClassFileLoadHook<'_>) {
        let bytes = [event.class_data, b"!"].concat();
        event.new_class_data.set(&bytes).unwrap();
    }

    fn native_method_bind(_: &Env, _: &mut jni::Env<'_>, event: NativeMethodBind<'_>) {
        // SAFETY: nobody calls it.
        unsafe {
            event
                .new_address_ptr
                .set(event.address.cast_mut().wrapping_byte_add(1))
        };
    }
}

#[test]
fn a_listener_answers_with_another_class_file_or_address() {
    armed::<Changing>(|armed, env| {
        let mut length = 0;
        let mut bytes = ptr::null_mut();
        let mut address: *mut c_void = ptr::null_mut();
        let none = ptr::null_mut();
        // SAFETY: they are called with what their events have.
        let made = with_jni(|jni| unsafe {
            let jni = jni.get_raw();
            armed.ClassFileLoadHook.unwrap()(
                env,
                jni,
                none,
                none,
                ptr::null(),
                none,
                2,
                b"ab".as_ptr(),
                &raw mut length,
                &raw mut bytes,
            );
            armed.NativeMethodBind.unwrap()(
                env,
                jni,
                none,
                method(1),
                raw(41).cast(),
                &raw mut address,
            );
            let made = std::slice::from_raw_parts(bytes, length as usize).to_vec();
            // As the VM does.
            (**env).Deallocate.unwrap()(env, bytes);
            made
        });
        assert_eq!(made, b"ab!");
        assert_eq!(address as usize, 42);
    });
}

slot!(GetMethodName(method: jmethodID) -> (
    name: *mut c_char = text(c"twice"),
    signature: *mut c_char = text(c"(J)I"),
    generic: *mut c_char = ptr::null_mut()
));

struct Reading;

fn hear_value(value: &JValueOwned<'_>) {
    let value = match value {
        JValueOwned::Long(value) => *value,
        JValueOwned::Int(value) => -i64::from(*value),
        JValueOwned::Bool(value) => 10 + i64::from(*value),
        JValueOwned::Object(object) => 1_000 + number(object),
        _ => 0,
    };
    hear("value", vec![value]);
}

impl Listener for Reading {
    fn field_modification<'l>(_: &Env, jni: &mut jni::Env<'l>, event: FieldModification<'l>) {
        let _ = jni;
        hear_value(&event.new_value);
    }

    fn method_exit<'l>(env: &Env, jni: &mut jni::Env<'l>, event: MethodExit<'l>) {
        hear_value(event.return_value.get(env, jni).unwrap());
    }
}

#[test]
fn the_value_that_is_returned_is_of_the_type_of_the_method() {
    armed::<Reading>(|armed, env| {
        for (by_exception, heard) in [(false, -7), (true, 0)] {
            let value = jvalue { i: 7 };
            // SAFETY: it is called with what its event has.
            with_jni(|jni| unsafe {
                armed.MethodExit.unwrap()(
                    env,
                    jni.get_raw(),
                    raw(1),
                    method(2),
                    by_exception,
                    value,
                );
            });
            assert_eq!(HEARD.take(), [("value", vec![heard])]);
        }
    });
}

#[test]
fn the_value_that_is_written_is_of_the_type_of_the_field() {
    armed::<Reading>(|armed, env| {
        for (letter, value, heard) in [
            (b'J', jvalue { j: 7 }, 7),
            (b'I', jvalue { i: 7 }, -7),
            (b'Z', jvalue { b: 2 }, 11),
            (b'L', jvalue { l: raw(7) }, 1_007),
            (b'[', jvalue { l: raw(8) }, 1_008),
        ] {
            let none = ptr::null_mut();
            // SAFETY: it is called with what its event has.
            with_jni(|jni| unsafe {
                armed.FieldModification.unwrap()(
                    env,
                    jni.get_raw(),
                    raw(1),
                    method(2),
                    3,
                    raw(4),
                    none,
                    field(5),
                    letter as _,
                    value,
                );
            });
            assert_eq!(HEARD.take(), [("value", vec![heard])]);
        }
    });
}
