//! Every event at once, and what a listener can do with what it is handed.

use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use jni::objects::JClass;
use jni::{Env as Jni, jni_sig, jni_str};
use jvmti::event::{
    ClassFileLoadHook, ClassUnload, CompileInfo, CompiledMethodLoad, DynamicCodeGenerated,
    FieldAccess, FieldModification, FieldOf, GarbageCollectionFinish, GarbageCollectionStart,
    HotSpotEvent, MethodExit, NewClassFile, ObjectFree, ReturnedValue, ThreadStart,
    VirtualThreadMount, VirtualThreadUnmount,
};
use jvmti::sys::{Event, EventMode};
use jvmti::{Env, Listener};

use super::objects::NO_CLASSES;
use super::{call, numbers};

static GC_START: Once = Once::new();
static GC_FINISH: Once = Once::new();
static FREE: Once = Once::new();
static COMPILED: Once = Once::new();
static DYNAMIC: Once = Once::new();

/// How often the class was loaded that comes and goes.
static GONE: AtomicUsize = AtomicUsize::new(0);

/// Everything that takes no object, in an event that has no thread of Java's.
fn ask_once(once: &Once, env: &Env) {
    once.call_once(|| numbers::attack(env));
}

struct Everything;

impl Listener for Everything {
    fn class_file_load_hook(_: &Env, _: &mut Jni<'_>, event: ClassFileLoadHook<'_>) {
        let mut about = "the same bytes";
        let mut bytes = event.class_data.to_vec();
        // Only the class that comes and goes is defined without its name.
        if event.name.is_none() {
            let turn = GONE.fetch_add(1, Ordering::Relaxed);
            if let Some((name, odd)) = NO_CLASSES.get(turn % (NO_CLASSES.len() + 1)) {
                about = name;
                bytes = odd.to_vec();
            }
        }
        let _ = call!(about, NewClassFile::set(event.new_class_data, &bytes));
    }

    fn field_access(env: &Env, _: &mut Jni<'_>, event: FieldAccess<'_>) {
        let _ = call!("", FieldOf::class(&event.field));
        let field = call!("", FieldOf::get(&event.field));
        let _ = env.field_name(field);
    }

    fn field_modification(env: &Env, _: &mut Jni<'_>, event: FieldModification<'_>) {
        let field = call!("", FieldOf::get(&event.field));
        let _ = env.field_name(field);
    }

    fn method_exit<'l>(env: &Env, jni: &mut Jni<'l>, event: MethodExit<'l>) {
        let _ = call!("", ReturnedValue::get(&event.return_value, env, jni));
    }

    fn garbage_collection_start(env: &Env, _: GarbageCollectionStart<'_>) {
        ask_once(&GC_START, env);
    }

    fn garbage_collection_finish(env: &Env, _: GarbageCollectionFinish<'_>) {
        ask_once(&GC_FINISH, env);
    }

    fn object_free(env: &Env, _: ObjectFree<'_>) {
        ask_once(&FREE, env);
    }

    fn compiled_method_load(env: &Env, event: CompiledMethodLoad<'_>) {
        let _ = env.method_name(event.method);
        let _ = event.compile_info.inlined();
        COMPILED.call_once(|| {
            let _ = call!("", CompileInfo::as_raw(&event.compile_info));
            let _ = call!("", CompileInfo::inlined(&event.compile_info));
            numbers::attack(env);
        });
    }

    fn dynamic_code_generated(env: &Env, _: DynamicCodeGenerated<'_>) {
        ask_once(&DYNAMIC, env);
    }

    fn class_unload(env: &Env, _: &mut Jni<'_>, event: ClassUnload<'_>) {
        let _ = (event.name.to_str(), env.phase());
    }

    fn virtual_thread_mount(env: &Env, _: &mut Jni<'_>, event: VirtualThreadMount<'_>) {
        let _ = env.object_hash_code(&event.virtual_thread);
    }

    fn virtual_thread_unmount(env: &Env, _: &mut Jni<'_>, event: VirtualThreadUnmount<'_>) {
        let _ = env.object_hash_code(&event.virtual_thread);
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
    // So that one is freed.
    if let Ok(text) = jni.new_string("freed") {
        let _ = env.set_tag(&text, 7);
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
    for &event in HotSpotEvent::ALL {
        let told = call!(event.id(), Env::hotspot_event(env, event));
        assert!(call!("", HotSpotEvent::id(event)).contains("hotspot"));
        let listened = call!(event.id(), Env::listen_to::<Everything>(env, event));
        assert_eq!(told, listened);
        if let Ok(number) = told {
            let _ = env.set_event_notification_mode(EventMode::ENABLE, number, Some(&current));
            let _ = env.set_event_notification_mode(EventMode::ENABLE, number, None);
        }
    }
    let happened = jni.call_static_method(hostile, jni_str!("happen"), jni_sig!(() -> void), &[]);
    let _ = env.generate_events(Event::COMPILED_METHOD_LOAD);
    for &event in Event::ALL {
        let off = EventMode::DISABLE;
        let _ = env.set_event_notification_mode(off, event, Some(&current));
        let _ = env.set_event_notification_mode(off, event, None);
    }
    let _ = call!("", Env::clear_extension_event_callbacks(env));
    for &field in &fields {
        let _ = env.clear_field_access_watch(field);
        let _ = env.clear_field_modification_watch(field);
    }
    let _ = env.clear_event_callbacks();
    happened.map(drop)
}
