//! What happens before the VM is ready: recorded from the OnLoad phase until VMInit, and read from Java later.
//!
//! Nothing of Java's runs here, and before the start phase no JNI either. The environment that is told is made before
//! any other of ours, so that it is told of VMInit first: it has ended when anything of ours runs Java. It belongs to the
//! steward then, who disposes it if he ever runs.

use std::ffi::{c_char, c_uchar, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jni::objects::{JClass, JString, JThread};
use jni::signature::ReturnType;
use jni::strings::{JNIStr, JNIString};
use jni::sys::{JNIEnv, jclass, jint, jmethodID, jobject};
use jni::{Env, EnvUnowned, jni_sig, jni_str};
use jvmti::sys::{self, Capabilities, Capability, Event, EventCallbacks, EventMode};
use jvmti::{MethodId, OwnedEnv};

use crate::event::early_kept::{self, Said};
use crate::failure::Outcome;
use crate::vm::bare;

/// What can be asked for, and what the VM wants for it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Recordable {
    pub(crate) name: &'static str,
    event: Event,
    pub(crate) needs: &'static [Capability],
}

const fn plain(name: &'static str, event: Event) -> Recordable {
    let needs = &[];
    Recordable { name, event, needs }
}

pub(crate) static RECORDABLE: &[Recordable] = &[
    plain("class_file_load_hook", Event::CLASS_FILE_LOAD_HOOK),
    plain("class_load", Event::CLASS_LOAD),
    plain("class_prepare", Event::CLASS_PREPARE),
    plain("thread_start", Event::THREAD_START),
    Recordable {
        name: "native_method_bind",
        event: Event::NATIVE_METHOD_BIND,
        needs: &[Capability::CAN_GENERATE_NATIVE_METHOD_BIND_EVENTS],
    },
    plain("vm_start", Event::VM_START),
    plain("vm_init", Event::VM_INIT),
    Recordable {
        name: "early_class_hooks",
        event: Event::CLASS_FILE_LOAD_HOOK,
        needs: &[
            Capability::CAN_GENERATE_ALL_CLASS_HOOK_EVENTS,
            Capability::CAN_GENERATE_EARLY_CLASS_HOOK_EVENTS,
        ],
    },
    Recordable {
        name: "early_vm_start",
        event: Event::VM_START,
        needs: &[Capability::CAN_GENERATE_EARLY_VMSTART],
    },
];

/// The environment that is told.
static TOLD: Mutex<Option<OwnedEnv>> = Mutex::new(None);

/// It is told of nothing any more, and not disposed yet.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// How many threads are in one of its callbacks.
static INSIDE: AtomicUsize = AtomicUsize::new(0);

/// Records what is asked for from now on. In the OnLoad phase, before there is any other environment of ours.
pub(crate) fn begin(env: OwnedEnv, asked: &[&'static Recordable]) -> Outcome<()> {
    let needs = asked.iter().flat_map(|one| one.needs).copied();
    env.add_capabilities(&needs.collect::<Capabilities>())?;
    let callbacks = EventCallbacks {
        ClassFileLoadHook: Some(class_file_load_hook),
        ClassLoad: Some(class_load),
        ClassPrepare: Some(class_prepare),
        ThreadStart: Some(thread_start),
        NativeMethodBind: Some(native_method_bind),
        VMStart: Some(vm_start),
        VMInit: Some(vm_init),
        ..EventCallbacks::default()
    };
    // SAFETY: each is for its event, and does not unwind; the image is never unloaded.
    unsafe { env.set_event_callbacks(&callbacks) }?;
    let mut events: Vec<Event> = asked.iter().map(|one| one.event).collect();
    events.sort_unstable();
    events.dedup();
    early_kept::begin(&events);
    events.push(Event::VM_INIT);
    for event in events {
        env.set_event_notification_mode(EventMode::ENABLE, event, None)?;
    }
    *told() = Some(env);
    Ok(())
}

fn told() -> MutexGuard<'static, Option<OwnedEnv>> {
    TOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the environment waits to be disposed.
pub(crate) fn is_over() -> bool {
    IS_OVER.load(Ordering::SeqCst) && INSIDE.load(Ordering::SeqCst) == 0
}

/// Disposes it. Only by the steward: on 17 that is a change of capabilities.
pub(crate) fn dispose() -> Outcome<()> {
    IS_OVER.store(false, Ordering::SeqCst);
    let env = told().take();
    env.map_or(Ok(()), |env| Ok(env.dispose()?))
}

/// Keeps what an event says, if anything of it is asked for.
///
/// # Safety
///
/// `env` is what the VM has passed to the callback.
unsafe fn keep(env: *mut sys::Env, event: Event, said: impl FnOnce(&jvmti::Env) -> Said) {
    INSIDE.fetch_add(1, Ordering::SeqCst);
    // What panicked is not looked at again: nobody is told.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let Some(env) = NonNull::new(env) else {
            return;
        };
        // SAFETY: the caller's promise; nothing is delivered to one that is disposed.
        let env = unsafe { jvmti::Env::from_raw(env) };
        if let (true, Ok(phase)) = (early_kept::wants(event), env.phase()) {
            early_kept::keep(event, phase, said(env));
        }
    }));
    INSIDE.fetch_sub(1, Ordering::SeqCst);
}

/// # Safety
///
/// Null, or a text of the VM.
unsafe fn text(raw: *const c_char) -> Option<JNIString> {
    // SAFETY: the caller's promise.
    (!raw.is_null()).then(|| unsafe { JNIStr::from_ptr(raw) }.to_owned())
}

/// With the JNI environment that the VM has passed to the callback, in the start phase or later.
///
/// # Safety
///
/// It has.
unsafe fn with_jni<T>(jni: *mut JNIEnv, deed: impl FnOnce(&mut Env<'_>) -> Option<T>) -> Option<T> {
    if jni.is_null() {
        return None;
    }
    // SAFETY: the caller's promise.
    let mut jni = unsafe { EnvUnowned::from_raw(jni) };
    let outcome = jni.with_env(|jni| Ok::<_, jni::errors::Error>(deed(jni)));
    match outcome.into_outcome() {
        jni::Outcome::Ok(made) => made,
        _ => None,
    }
}

unsafe extern "system" fn class_file_load_hook(
    env: *mut sys::Env,
    _jni: *mut JNIEnv,
    _class: jclass,
    _loader: jobject,
    name: *const c_char,
    _domain: jobject,
    length: jint,
    _file: *const c_uchar,
    _new_length: *mut jint,
    _new_file: *mut *mut c_uchar,
) {
    // SAFETY: what the VM has passed.
    unsafe {
        keep(env, Event::CLASS_FILE_LOAD_HOOK, |_| Said {
            text: text(name),
            number: length.into(),
            method: None,
        });
    }
}

unsafe extern "system" fn class_load(
    env: *mut sys::Env,
    jni: *mut JNIEnv,
    _thread: jobject,
    class: jclass,
) {
    // SAFETY: what the VM has passed.
    unsafe { keep(env, Event::CLASS_LOAD, |env| of_class(env, jni, class)) };
}

unsafe extern "system" fn class_prepare(
    env: *mut sys::Env,
    jni: *mut JNIEnv,
    _thread: jobject,
    class: jclass,
) {
    // SAFETY: what the VM has passed.
    unsafe { keep(env, Event::CLASS_PREPARE, |env| of_class(env, jni, class)) };
}

/// # Safety
///
/// What the VM has passed to the callback.
unsafe fn of_class(env: &jvmti::Env, jni: *mut JNIEnv, class: jclass) -> Said {
    // SAFETY: the caller's promise.
    let signature = unsafe {
        with_jni(jni, |jni| {
            let class = JClass::from_raw(jni, class);
            let (signature, _) = env.class_signature(&class).ok()?;
            Some(signature)
        })
    };
    Said {
        text: signature,
        ..Said::default()
    }
}

unsafe extern "system" fn thread_start(env: *mut sys::Env, jni: *mut JNIEnv, thread: jobject) {
    // SAFETY: what the VM has passed.
    unsafe {
        keep(env, Event::THREAD_START, |_| Said {
            text: with_jni(jni, |jni| {
                let thread = JThread::from_raw(jni, thread);
                name(jni, &thread)
            }),
            ..Said::default()
        });
    }
}

/// Read where Java has it, for `GetThreadInfo` answers in the live phase only. The class of a thread is initialised, so
/// that nothing runs.
fn name(jni: &mut Env<'_>, thread: &JThread<'_>) -> Option<JNIString> {
    /// No name is so long by right.
    const MOST: usize = 1 << 10;
    let class = thread_class(jni, thread)?;
    let field = jni.get_field_id(&class, jni_str!("name"), jni_sig!(java.lang.String));
    jni.delete_local_ref(class);
    // SAFETY: the field is one of `Thread`, and a reference.
    let name = unsafe { jni.get_field_unchecked(thread, field.ok()?, ReturnType::Object) };
    // SAFETY: the type of the field.
    let name = unsafe { JString::from_raw(jni, name.ok()?.l().ok()?.into_raw()) };
    let text = (!name.is_null()).then(|| bare::beginning(jni, &name, MOST).ok());
    jni.delete_local_ref(name);
    text.flatten()
}

/// `Thread`, of which a class that extends it may have a field called alike. To find it by its name might run Java.
fn thread_class<'l>(jni: &mut Env<'l>, thread: &JThread<'_>) -> Option<JClass<'l>> {
    let mut class = jni.get_object_class(thread).ok()?;
    let mut parent = jni.get_superclass(&class).ok()??;
    while let Some(grandparent) = jni.get_superclass(&parent).ok()? {
        jni.delete_local_ref(class);
        (class, parent) = (parent, grandparent);
    }
    jni.delete_local_ref(parent);
    Some(class)
}

unsafe extern "system" fn native_method_bind(
    env: *mut sys::Env,
    _jni: *mut JNIEnv,
    _thread: jobject,
    method: jmethodID,
    address: *mut c_void,
    _new_address: *mut *mut c_void,
) {
    // SAFETY: what the VM has passed. Of a method it tells nothing before the start phase: it is asked when somebody reads.
    unsafe {
        keep(env, Event::NATIVE_METHOD_BIND, |_| Said {
            text: None,
            number: address as i64,
            method: (!method.is_null()).then(|| MethodId::from_raw(method)),
        });
    }
}

unsafe extern "system" fn vm_start(env: *mut sys::Env, _jni: *mut JNIEnv) {
    // SAFETY: what the VM has passed.
    unsafe { keep(env, Event::VM_START, |_| Said::default()) };
}

/// The end of it.
unsafe extern "system" fn vm_init(env: *mut sys::Env, _jni: *mut JNIEnv, _thread: jobject) {
    // SAFETY: what the VM has passed.
    unsafe { keep(env, Event::VM_INIT, |_| Said::default()) };
    early_kept::end();
    if let Some(env) = NonNull::new(env) {
        // SAFETY: what the VM has passed. Nothing of it is delivered from here on.
        let _ = unsafe { jvmti::Env::from_raw(env) }.clear_event_callbacks();
    }
    IS_OVER.store(true, Ordering::SeqCst);
}
