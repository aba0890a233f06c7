//! What the `jni` crate looks up by itself, looked up before it does.
//!
//! When a call has thrown, the crate compares what was thrown with types that it finds the first time through the context
//! class loader of the calling thread. That is a user's: it may throw, which has the crate look up the next type and so on
//! until the stack ends; it may wait; it may answer anything. Here the bootstrap loader is asked, while nothing has thrown.

use std::sync::atomic::{AtomicBool, Ordering};

use jni::exceptions::*;
use jni::objects::{JClass, JClassLoader, JObject, JObjectArray, JString, JThread, JThrowable};
use jni::refs::{LoaderContext, Reference};
use jni::strings::JNIStr;
use jni::{Env, jni_str};
use jvmti::{JModule, JThreadGroup};

use crate::failure::{Failure, Outcome};
use crate::vm::loader;

/// More than is allocated here.
const ENOUGH: i32 = 1 << 18;

/// What the crate finds through the loader of the calling code; once that has answered, it is not asked again.
const THROUGH_THE_CALLER: &[&JNIStr] = &[
    jni_str!("java/lang/Class"),
    jni_str!("java/lang/ClassLoader"),
    jni_str!("java/lang/Thread"),
];

/// Before any call that may throw. What is thrown here stays pending.
pub(crate) fn prepare(jni: &mut Env<'_>) -> Outcome<()> {
    static DONE: AtomicBool = AtomicBool::new(false);
    if DONE.load(Ordering::Acquire) {
        return Ok(());
    }
    if !has_memory(jni) || !THROUGH_THE_CALLER.iter().all(|name| is_found(jni, name)) {
        return Err(Failure::Pending);
    }
    look_up(jni)?;
    DONE.store(true, Ordering::Release);
    Ok(())
}

/// Those of which a failure to find another one is made first.
fn look_up(jni: &Env<'_>) -> jni::errors::Result<()> {
    let loader = loader::of_the_jdk(jni);
    let boot = LoaderContext::Loader(&loader);
    macro_rules! each {
        ($($type:ty),* $(,)?) => {
            $(drop(<$type as Reference>::lookup_class(jni, &boot)?);)*
        };
    }
    each![JClass<'_>, JThread<'_>, JClassLoader<'_>, JThrowable<'_>];
    each![
        JClassNotFoundException<'_>,
        JExceptionInInitializerError<'_>,
        JLinkageError<'_>
    ];
    each![
        JSecurityException<'_>,
        JOutOfMemoryError<'_>,
        JNoClassDefFoundError<'_>
    ];
    each![
        JClassFormatError<'_>,
        JClassCircularityError<'_>,
        JNoSuchMethodError<'_>
    ];
    each![
        JNoSuchFieldError<'_>,
        JInstantiationException<'_>,
        JIllegalArgumentException<'_>
    ];
    each![JIllegalMonitorStateException<'_>, JArrayStoreException<'_>];
    each![
        JArrayIndexOutOfBoundsException<'_>,
        JStringIndexOutOfBoundsException<'_>
    ];
    each![
        JObject<'_>,
        JString<'_>,
        JThreadGroup<'_>,
        JModule<'_>,
        JObjectArray<'_, JObject<'_>>
    ];
    Ok(())
}

/// Whether some memory can be had; else the VM has thrown.
fn has_memory(jni: &Env<'_>) -> bool {
    let raw = jni.get_raw();
    // SAFETY: the JNI environment of this thread, in a native call, with nothing pending.
    let some = unsafe { ((**raw).v1_1.NewByteArray)(raw, ENOUGH) };
    delete(jni, some)
}

/// Whether the loader of the calling code finds the class `name`; else the VM has thrown.
fn is_found(jni: &Env<'_>, name: &JNIStr) -> bool {
    let raw = jni.get_raw();
    // SAFETY: as above, and a name that ends with a zero.
    let class = unsafe { ((**raw).v1_1.FindClass)(raw, name.as_ptr()) };
    delete(jni, class)
}

/// Whether `reference` was one.
fn delete(jni: &Env<'_>, reference: jni::sys::jobject) -> bool {
    if reference.is_null() {
        return false;
    }
    let raw = jni.get_raw();
    // SAFETY: a local reference that has just been made, and is seen here alone.
    unsafe { ((**raw).v1_1.DeleteLocalRef)(raw, reference) };
    true
}
