use jni::sys::{JNIEnv, jint, jobject};
use jvmti::sys::{self, Event, EventCallbacks, EventMode};

use crate::fake::{Bits, Fake, enter, every_way, object, slot};

unsafe extern "system" fn set_event_callbacks(
    env: *mut sys::Env,
    callbacks: *const EventCallbacks,
    size: jint,
) -> sys::Error {
    // SAFETY: the layer under test lends the callbacks.
    let armed = unsafe { (*callbacks).VMInit.is_some() };
    enter(env, "SetEventCallbacks", vec![armed.bits(), size.bits()])
}

#[test]
fn set_event_callbacks_passes_the_table_and_its_size() {
    let ((), arguments) = every_way(
        "SetEventCallbacks",
        |table| table.SetEventCallbacks = Some(set_event_callbacks),
        |env| {
            let callbacks = EventCallbacks {
                VMInit: Some(vm_init),
                ..EventCallbacks::default()
            };
            // SAFETY: nobody calls it.
            unsafe { env.set_event_callbacks(&callbacks) }
        },
    );
    assert_eq!(arguments, [1, 39 * size_of::<usize>() as i64]);
}

unsafe extern "system" fn vm_init(_: *mut sys::Env, _: *mut JNIEnv, _: jobject) {}

#[test]
fn clear_event_callbacks_passes_a_table_of_nothing() {
    let ((), arguments) = every_way(
        "SetEventCallbacks",
        |table| table.SetEventCallbacks = Some(set_event_callbacks),
        |env| env.clear_event_callbacks(),
    );
    assert_eq!(arguments, [0, 39 * size_of::<usize>() as i64]);
}

unsafe extern "C" fn set_event_notification_mode(
    env: *mut sys::Env,
    mode: EventMode,
    event: Event,
    thread: jobject,
) -> sys::Error {
    enter(
        env,
        "SetEventNotificationMode",
        vec![mode.bits(), event.bits(), thread.bits()],
    )
}

fn fill(table: &mut sys::FunctionTable) {
    let fixed = set_event_notification_mode as *const ();
    // SAFETY: the layer passes no further arguments, and then the two are called alike.
    table.SetEventNotificationMode = Some(unsafe {
        std::mem::transmute::<*const (), sys::functions::SetEventNotificationMode>(fixed)
    });
}

#[test]
fn set_event_notification_mode_is_for_one_thread() {
    let ((), arguments) = every_way("SetEventNotificationMode", fill, |env| {
        env.set_event_notification_mode(EventMode::ENABLE, Event::THREAD_START, Some(&object(0x10)))
    });
    assert_eq!(arguments, [1, 52, 0x10]);
}

#[test]
fn set_event_notification_mode_is_for_all_threads() {
    let fake = Fake::new(fill);
    fake.env()
        .set_event_notification_mode(EventMode::DISABLE, Event::THREAD_START, None)
        .unwrap();
    assert_eq!(fake.calls(), [("SetEventNotificationMode", vec![0, 52, 0])]);
}

slot!(GenerateEvents(event: Event) -> ());

#[test]
fn generate_events_passes_the_event() {
    let ((), arguments) = every_way(
        "GenerateEvents",
        |table| table.GenerateEvents = Some(GenerateEvents),
        |env| env.generate_events(Event::COMPILED_METHOD_LOAD),
    );
    assert_eq!(arguments, [68]);
}
