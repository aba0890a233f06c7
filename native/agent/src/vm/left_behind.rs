//! What somebody has left with a thread of the library that goes on to other work, taken off.

use std::ffi::CStr;
use std::sync::OnceLock;

use jni::objects::JObject;
use jni::refs::Global;
use jni::signature::{Primitive, ReturnType};
use jni::sys::jvalue;
use jni::{Env, JValue, jni_sig, jni_str};

use crate::failure::Outcome;
use crate::vm::jdk::{JdkField, JdkMethod, JdkStaticMethod, THREAD};
use crate::vm::{bare, image};

/// References that are made here and not counted.
const REFERENCES: usize = 16;

static LOADER: JdkField = JdkField::new(
    &THREAD,
    jni_str!("contextClassLoader"),
    jni_sig!(java.lang.ClassLoader),
);

/// What else a listener may have left with its thread, and what would keep a class loader.
static LEFT: [JdkField; 4] = [
    JdkField::new(
        &THREAD,
        jni_str!("threadLocals"),
        jni_sig!(java.lang.ThreadLocal::ThreadLocalMap),
    ),
    JdkField::new(
        &THREAD,
        jni_str!("inheritableThreadLocals"),
        jni_sig!(java.lang.ThreadLocal::ThreadLocalMap),
    ),
    JdkField::new(
        &THREAD,
        jni_str!("uncaughtExceptionHandler"),
        jni_sig!(java.lang.Thread::UncaughtExceptionHandler),
    ),
    JdkField::new(&THREAD, jni_str!("parkBlocker"), jni_sig!(java.lang.Object)),
];

/// The scopes that are open, such as those of structured concurrency: each has the one before.
static SCOPES: JdkField = JdkField::new(
    &THREAD,
    jni_str!("headStackableScopes"),
    jni_sig!(jdk.internal.vm.StackableScope),
);

/// The first release that has them.
const WITH_SCOPES: i32 = 19;

/// `Thread.interrupted()`, which takes the status away.
static INTERRUPTED: JdkStaticMethod =
    JdkStaticMethod::new(&THREAD, jni_str!("interrupted"), jni_sig!(() -> boolean));

/// What the public methods set a name and a priority with, once they have asked a SecurityManager, the application's own code, and
/// have the monitor of the thread, which somebody may keep.
static NAME: JdkField = JdkField::new(&THREAD, jni_str!("name"), jni_sig!(java.lang.String));
static SET_PRIORITY: JdkMethod =
    JdkMethod::new(&THREAD, jni_str!("setPriority0"), jni_sig!((jint) -> void));

/// `Thread.NORM_PRIORITY`, which one has that attaches.
const NORMAL: i32 = 5;

/// Forgets what environments remember of the calling thread.
static REMEMBERED: OnceLock<fn(&mut Env<'_>) -> Outcome<()>> = OnceLock::new();

/// Told once, when the image arrives.
pub(crate) fn remembered_is_forgotten_by(forget: fn(&mut Env<'_>) -> Outcome<()>) {
    let _ = REMEMBERED.set(forget);
}

/// What environments remember of the thread. Once for each work: it costs more, the more of them there are.
pub(super) fn forget_remembered(jni: &mut Env<'_>) {
    let forget = REMEMBERED.get().copied().unwrap_or(|_| Ok(()));
    let _ = jni.with_local_frame(REFERENCES, forget);
    jni.exception_clear();
}

/// An interruption, and what another thread has it throw: that comes in the first call of a method, which is made once more then.
pub(crate) fn forget_disturbance(jni: &mut Env<'_>) {
    for _ in 0..2 {
        let _ = forget_interruption(jni);
        jni.exception_clear();
    }
}

/// That, and what is in the thread itself, which has that name and came with that context class loader.
pub(super) fn forget(jni: &mut Env<'_>, name: &CStr, loader: &JObject<'_>) {
    forget_disturbance(jni);
    let _ = jni.with_local_frame(REFERENCES, |jni| -> Outcome<()> {
        let _ = forget_references(jni, loader);
        jni.exception_clear();
        let _ = forget_name_and_priority(jni, name);
        jni.exception_clear();
        let _ = forget_scopes(jni);
        Ok(())
    });
    jni.exception_clear();
}

fn forget_interruption(jni: &mut Env<'_>) -> Outcome<()> {
    let (method, thread) = (INTERRUPTED.id(jni)?, THREAD.get(jni)?);
    let boolean = ReturnType::Primitive(Primitive::Boolean);
    // SAFETY: the method is static, and takes nothing.
    unsafe { jni.call_static_method_unchecked(thread, method, boolean, &[]) }?;
    Ok(())
}

fn forget_references(jni: &mut Env<'_>, loader: &JObject<'_>) -> Outcome<()> {
    let current = image::plain()?.current_thread(jni)?;
    // SAFETY: the fields are those of `Thread`, of the types of what they get.
    unsafe {
        for field in &LEFT {
            let field = field.id(jni)?;
            jni.set_field_unchecked(&current, field, JValue::Object(&JObject::null()))?;
        }
        let field = LOADER.id(jni)?;
        jni.set_field_unchecked(&current, field, JValue::Object(loader))?;
    }
    Ok(())
}

fn forget_scopes(jni: &mut Env<'_>) -> Outcome<()> {
    let plain = image::plain()?;
    if image::feature(plain)? >= WITH_SCOPES {
        let current = plain.current_thread(jni)?;
        let field = SCOPES.id(jni)?;
        // SAFETY: the field is one of `Thread`, and a reference.
        unsafe { jni.set_field_unchecked(&current, field, JValue::Object(&JObject::null())) }?;
    }
    Ok(())
}

fn forget_name_and_priority(jni: &mut Env<'_>, name: &CStr) -> Outcome<()> {
    let plain = image::plain()?;
    let now = plain.thread_info(jni, None)?;
    let own = name.to_string_lossy();
    if now.name.to_str() != own {
        let current = plain.current_thread(jni)?;
        let text = bare::text(jni, &own)?;
        let name = NAME.id(jni)?;
        // SAFETY: the field is a text.
        unsafe { jni.set_field_unchecked(&current, name, JValue::Object(&text)) }?;
    }
    if now.priority != NORMAL {
        let current = plain.current_thread(jni)?;
        let method = SET_PRIORITY.id(jni)?;
        let (nothing, taken) = (
            ReturnType::Primitive(Primitive::Void),
            [jvalue { i: NORMAL }],
        );
        // SAFETY: the method is one of `Thread`, takes an int, and gives nothing.
        unsafe { jni.call_method_unchecked(&current, method, nothing, &taken) }?;
    }
    Ok(())
}

/// The context class loader of the calling thread.
pub(super) fn loader(jni: &mut Env<'_>) -> Outcome<Global<JObject<'static>>> {
    let current = image::plain()?.current_thread(jni)?;
    let field = LOADER.id(jni)?;
    // SAFETY: the field is one of `Thread`, and a reference.
    let loader = unsafe { jni.get_field_unchecked(&current, field, ReturnType::Object) }?.l()?;
    let kept = jni.new_global_ref(&loader)?;
    jni.delete_local_ref(loader);
    jni.delete_local_ref(current);
    Ok(kept)
}
