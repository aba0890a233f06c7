use std::cell::RefCell;
use std::ffi::CStr;
use std::ptr;

use jni::objects::JThread;
use jni::sys::{jboolean, jint, jobject};
use jvmti::event::{ClassUnload, HotSpotEvent, VirtualThreadMount, VirtualThreadUnmount};
use jvmti::sys::{
    self, ParamKind, ParamType, jvmtiExtensionEventInfo, jvmtiExtensionFunctionInfo, jvmtiParamInfo,
};
use jvmti::{Env, Error, Listener};

use crate::fake::{
    Fake, array, enter, every_way, object, pending, raw, set_pending, slot, text, with_jni,
};

const UNLOADING: &CStr = c"com.sun.hotspot.functions.IsClassUnloadingEnabled";
const VIRTUAL: &CStr = c"com.sun.hotspot.functions.GetVirtualThread";

fn parameter(kind: ParamKind, base_type: ParamType) -> jvmtiParamInfo {
    jvmtiParamInfo {
        name: text(c"parameter"),
        kind,
        base_type,
        null_ok: false,
    }
}

fn function(
    id: &CStr,
    func: Option<sys::jvmtiExtensionFunction>,
    parameters: &[jvmtiParamInfo],
) -> jvmtiExtensionFunctionInfo {
    jvmtiExtensionFunctionInfo {
        func,
        id: text(id),
        short_description: text(c"what it does"),
        param_count: parameters.len() as jint,
        params: array(parameters),
        error_count: 1,
        errors: array(&[sys::Error::INVALID_THREAD]),
    }
}

fn of_hotspot() -> [jvmtiExtensionFunctionInfo; 2] {
    let thread = |kind| parameter(kind, ParamType::JTHREAD);
    // SAFETY: each takes what its list says, without the dots: they are called as if it had them.
    let (unloading, virtual_thread) = unsafe {
        (
            std::mem::transmute::<*const (), sys::jvmtiExtensionFunction>(
                is_class_unloading_enabled as *const (),
            ),
            std::mem::transmute::<*const (), sys::jvmtiExtensionFunction>(
                get_virtual_thread as *const (),
            ),
        )
    };
    [
        function(
            UNLOADING,
            Some(unloading),
            &[parameter(ParamKind::OUT, ParamType::JBOOLEAN)],
        ),
        function(
            VIRTUAL,
            Some(virtual_thread),
            &[thread(ParamKind::IN), thread(ParamKind::OUT)],
        ),
    ]
}

unsafe extern "C" fn is_class_unloading_enabled(
    _: *mut sys::Env,
    enabled: *mut jboolean,
) -> sys::Error {
    // SAFETY: the layer lends a place for it.
    unsafe { *enabled = true };
    sys::Error::NONE
}

unsafe extern "C" fn get_virtual_thread(
    _: *mut sys::Env,
    thread: jobject,
    found: *mut jobject,
) -> sys::Error {
    match thread.addr() {
        0x10 => {
            // SAFETY: the layer lends a place for it.
            unsafe { *found = raw(0x20) };
            sys::Error::NONE
        }
        0x11 => sys::Error::NONE,
        _ => sys::Error::MUST_POSSESS_CAPABILITY,
    }
}

slot!(GetExtensionFunctions() -> (
    count: jint = 2,
    functions: *mut jvmtiExtensionFunctionInfo = array(&of_hotspot())
));

#[test]
fn extension_functions_are_copied_and_every_block_is_freed() {
    let (functions, _) = every_way(
        "GetExtensionFunctions",
        |table| table.GetExtensionFunctions = Some(GetExtensionFunctions),
        |env| env.extension_functions(),
    );
    assert_eq!(functions.len(), 2);
    let one = &functions[1];
    assert_eq!(one.id.as_cstr(), VIRTUAL);
    assert_eq!(one.short_description.to_str(), "what it does");
    assert_eq!(one.errors, [sys::Error::INVALID_THREAD]);
    let kinds: Vec<_> = one.parameters.iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [ParamKind::IN, ParamKind::OUT]);
    assert_eq!(one.parameters[0].name.to_str(), "parameter");
    assert_eq!(one.parameters[0].base_type, ParamType::JTHREAD);
}

#[test]
fn a_function_may_have_nothing() {
    slot!(Bare() -> (
        count: jint = 1,
        functions: *mut jvmtiExtensionFunctionInfo = array(&[jvmtiExtensionFunctionInfo {
            func: None,
            id: ptr::null_mut(),
            short_description: ptr::null_mut(),
            param_count: 3,
            params: ptr::null_mut(),
            error_count: -1,
            errors: ptr::null_mut(),
        }])
    ));
    let fake = Fake::new(|table| table.GetExtensionFunctions = Some(Bare));
    let functions = fake.env().extension_functions().unwrap();
    assert_eq!(functions[0].id.to_str(), "");
    assert!(functions[0].parameters.is_empty() && functions[0].errors.is_empty());
}

slot!(GetExtensionEvents() -> (
    count: jint = 1,
    events: *mut jvmtiExtensionEventInfo = array(&[jvmtiExtensionEventInfo {
        extension_event_index: 49,
        id: text(c"com.sun.hotspot.events.ClassUnload"),
        short_description: text(c"CLASS_UNLOAD event"),
        param_count: 1,
        params: array(&[parameter(ParamKind::IN_PTR, ParamType(999))]),
    }])
));

#[test]
fn extension_events_are_copied_and_every_block_is_freed() {
    let (events, _) = every_way(
        "GetExtensionEvents",
        |table| table.GetExtensionEvents = Some(GetExtensionEvents),
        |env| env.extension_events(),
    );
    let [event] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!(event.index, 49);
    assert_eq!(event.id.to_str(), "com.sun.hotspot.events.ClassUnload");
    assert_eq!(event.short_description.to_str(), "CLASS_UNLOAD event");
    assert_eq!(event.parameters[0].base_type, ParamType(999), "an open set");
}

/// What `call` answers where these are the functions of the VM.
fn with<T>(
    functions: unsafe extern "system" fn(
        *mut sys::Env,
        *mut jint,
        *mut *mut jvmtiExtensionFunctionInfo,
    ) -> sys::Error,
    call: impl FnOnce(&Env) -> jvmti::Result<T>,
) -> jvmti::Result<T> {
    let fake = Fake::new(|table| table.GetExtensionFunctions = Some(functions));
    call(fake.env())
}

#[test]
fn a_known_function_is_found_and_called() {
    let unloading = with(GetExtensionFunctions, |env| {
        env.is_class_unloading_enabled()
    });
    assert_eq!(unloading, Ok(true));
    with_jni(|jni| {
        let ask = |number| {
            with(GetExtensionFunctions, |env| {
                let found = env.virtual_thread(jni, &object::<JThread<'_>>(number))?;
                Ok(found.map(|thread| thread.as_raw()))
            })
        };
        assert_eq!(ask(0x10), Ok(Some(raw(0x20))));
        assert_eq!(ask(0x11), Ok(None));
        let error = |code| Err(Error::new("GetVirtualThread", code));
        assert_eq!(ask(0x12), error(sys::Error::MUST_POSSESS_CAPABILITY));
        assert_eq!(
            ask(0),
            error(sys::Error::INVALID_THREAD),
            "never the current thread"
        );
    });
}

#[test]
fn one_that_takes_something_else_is_not_called() {
    slot!(Others() -> (
        count: jint = 1,
        functions: *mut jvmtiExtensionFunctionInfo = array(&[function(
            UNLOADING,
            of_hotspot_without_memory(),
            &[parameter(ParamKind::OUT, ParamType::JINT)],
        )])
    ));
    let answer = with(Others, |env| env.is_class_unloading_enabled());
    let missing = Error::new("IsClassUnloadingEnabled", sys::Error::NOT_AVAILABLE);
    assert_eq!(answer, Err(missing));
}

fn of_hotspot_without_memory() -> Option<sys::jvmtiExtensionFunction> {
    // SAFETY: it is never called.
    Some(unsafe {
        std::mem::transmute::<*const (), sys::jvmtiExtensionFunction>(
            is_class_unloading_enabled as *const (),
        )
    })
}

thread_local! {
    static SET: RefCell<Vec<(jint, Option<sys::jvmtiExtensionEvent>)>> = RefCell::default();
    static HEARD: RefCell<Vec<(HotSpotEvent, usize)>> = RefCell::default();
}

unsafe extern "system" fn set_extension_event_callback(
    env: *mut sys::Env,
    index: jint,
    callback: Option<sys::jvmtiExtensionEvent>,
) -> sys::Error {
    SET.with_borrow_mut(|set| set.push((index, callback)));
    enter(env, "SetExtensionEventCallback", vec![index.into()])
}

/// All that are known, numbered from 49 downwards, the last one not as it is known.
fn events_of_hotspot() -> Vec<jvmtiExtensionEventInfo> {
    let thread = ParamType::JTHREAD;
    let known = [
        (
            HotSpotEvent::ClassUnload,
            ParamKind::IN_PTR,
            ParamType::CCHAR,
        ),
        (HotSpotEvent::VirtualThreadMount, ParamKind::IN, thread),
        (HotSpotEvent::VirtualThreadUnmount, ParamKind::OUT, thread),
    ];
    let one = |(place, (event, kind, base_type)): (usize, (HotSpotEvent, _, _))| {
        let id = std::ffi::CString::new(event.id()).unwrap();
        jvmtiExtensionEventInfo {
            extension_event_index: 49 - place as jint,
            id: text(&id),
            short_description: text(c"what it tells"),
            param_count: 2,
            params: array(&[
                parameter(ParamKind::IN_PTR, ParamType::JNIENV),
                parameter(kind, base_type),
            ]),
        }
    };
    known.into_iter().enumerate().map(one).collect()
}

slot!(EventsOfHotSpot() -> (
    count: jint = 3,
    events: *mut jvmtiExtensionEventInfo = array(&events_of_hotspot())
));

fn with_events() -> Fake {
    SET.take();
    Fake::new(|table| {
        table.GetExtensionEvents = Some(EventsOfHotSpot);
        table.SetExtensionEventCallback = Some(set_extension_event_callback);
    })
}

struct Hearing;

fn hear(event: HotSpotEvent, what: usize) {
    HEARD.with_borrow_mut(|heard| heard.push((event, what)));
    set_pending(true);
    panic!("of a listener");
}

impl Listener for Hearing {
    fn class_unload(_: &Env, _: &mut jni::Env<'_>, event: ClassUnload<'_>) {
        hear(HotSpotEvent::ClassUnload, event.name.to_bytes().len());
    }

    fn virtual_thread_mount(_: &Env, _: &mut jni::Env<'_>, event: VirtualThreadMount<'_>) {
        let thread = event.virtual_thread.as_raw().addr();
        hear(HotSpotEvent::VirtualThreadMount, thread);
    }

    fn virtual_thread_unmount(_: &Env, _: &mut jni::Env<'_>, event: VirtualThreadUnmount<'_>) {
        let thread = event.virtual_thread.as_raw().addr();
        hear(HotSpotEvent::VirtualThreadUnmount, thread);
    }
}

#[test]
fn a_known_event_is_found_and_told_and_nothing_unwinds() {
    let fake = with_events();
    let listen = |event| fake.env().listen_to::<Hearing>(event);
    assert_eq!(listen(HotSpotEvent::ClassUnload), Ok(sys::Event(49)));
    let mount = HotSpotEvent::VirtualThreadMount;
    assert_eq!(fake.env().hotspot_event(mount), Ok(sys::Event(48)));
    assert_eq!(listen(mount), Ok(sys::Event(48)));
    let set = SET.take();
    let [(49, Some(unload)), (48, Some(mounted))] = set[..] else {
        panic!("{set:?}");
    };
    with_jni(|jni| {
        let env = fake.env().as_raw();
        // SAFETY: each is called with what its list says, as the VM does.
        unsafe {
            unload(env, jni.get_raw(), c"a/Name".as_ptr());
            assert!(!pending(), "what a listener has thrown");
            mounted(env, jni.get_raw(), raw(0x30));
        }
    });
    let heard = [(HotSpotEvent::ClassUnload, 6), (mount, 0x30)];
    assert_eq!(HEARD.take(), heard);
}

#[test]
fn an_event_that_is_not_as_it_is_known_is_not_listened_to() {
    let fake = with_events();
    let event = HotSpotEvent::VirtualThreadUnmount;
    let missing = Err(Error::new(
        "SetExtensionEventCallback",
        sys::Error::NOT_AVAILABLE,
    ));
    assert_eq!(fake.env().listen_to::<Hearing>(event), missing);
    assert_eq!(fake.env().hotspot_event(event), missing);
    assert!(SET.take().is_empty());
}

#[test]
fn the_callbacks_of_all_events_are_taken_away() {
    let fake = with_events();
    assert_eq!(fake.env().clear_extension_event_callbacks(), Ok(()));
    let set = SET.take();
    assert!(
        matches!(set[..], [(49, None), (48, None), (47, None)]),
        "{set:?}"
    );
}

#[test]
fn set_extension_event_callback_passes_both() {
    let ((), arguments) = every_way(
        "SetExtensionEventCallback",
        |table| table.SetExtensionEventCallback = Some(set_extension_event_callback),
        // SAFETY: there is none that could be called.
        |env| unsafe { env.set_extension_event_callback(sys::Event(49), None) },
    );
    assert_eq!(arguments, [49]);
}
