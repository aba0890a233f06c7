//! Every event at once, and what a listener can do with what it is handed.

use jni::objects::JClass;
use jni::{Env as Jni, jni_sig, jni_str};
use jvmti::event::{
    ClassFileLoadHook, FieldAccess, FieldModification, MethodExit, NewClassFile, ThreadStart,
};
use jvmti::sys::{Event, EventMode};
use jvmti::{Env, Listener};

use super::call;

struct Everything;

impl Listener for Everything {
    fn class_file_load_hook(_: &Env, _: &mut Jni<'_>, event: ClassFileLoadHook<'_>) {
        let bytes = event.class_data.to_vec();
        let _ = call!(
            "the same bytes",
            NewClassFile::set(event.new_class_data, &bytes)
        );
    }

    fn field_access(env: &Env, _: &mut Jni<'_>, event: FieldAccess<'_>) {
        let field = call!("", FieldAccess::field(&event));
        let _ = env.field_name(field);
    }

    fn field_modification<'l>(env: &Env, jni: &mut Jni<'l>, event: FieldModification<'l>) {
        let field = call!("", FieldModification::field(&event));
        let _ = env.field_name(field);
        let _ = call!("", FieldModification::value(&event, jni));
    }

    fn method_exit<'l>(env: &Env, jni: &mut Jni<'l>, event: MethodExit<'l>) {
        let _ = call!("", MethodExit::value(&event, env, jni));
    }

    fn thread_start(_: &Env, jni: &mut Jni<'_>, _: ThreadStart<'_>) {
        let thrown = jni.throw_new(
            jni_str!("java/lang/IllegalStateException"),
            jni_str!("of a listener"),
        );
        panic!("of a listener, and {thrown:?}");
    }
}

/// On the thread that calls, where the VM allows; everywhere else.
pub(super) fn attack(
    jni: &mut Jni<'_>,
    env: &Env,
    hostile: &JClass<'_>,
) -> jni::errors::Result<()> {
    let _ = call!("everything", Env::listen::<Everything>(env));
    let fields = env.class_fields(hostile).unwrap_or_default();
    for &field in &fields {
        let _ = env.set_field_access_watch(field);
        let _ = env.set_field_modification_watch(field);
    }
    let current = env.current_thread(jni).expect("the phase is live");
    for &event in Event::ALL {
        if env
            .set_event_notification_mode(EventMode::ENABLE, event, Some(&current))
            .is_err()
        {
            let _ = env.set_event_notification_mode(EventMode::ENABLE, event, None);
        }
    }
    let happened = jni.call_static_method(hostile, jni_str!("happen"), jni_sig!(() -> void), &[]);
    for &event in Event::ALL {
        let off = EventMode::DISABLE;
        let _ = env.set_event_notification_mode(off, event, Some(&current));
        let _ = env.set_event_notification_mode(off, event, None);
    }
    for &field in &fields {
        let _ = env.clear_field_access_watch(field);
        let _ = env.clear_field_modification_watch(field);
    }
    let _ = env.clear_event_callbacks();
    happened.map(drop)
}
