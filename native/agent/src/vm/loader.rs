//! The class loader through which the JDK's own classes are looked up.
//!
//! It is the bootstrap loader, which runs no Java code. But where a SecurityManager is (before JDK 24), `Class.forName` asks
//! it who may name that one: a user's code, which may refuse. Nobody is asked for the platform loader, which finds the same.

use std::ptr;

use jni::Env;
use jni::objects::{JClass, JClassLoader};
use jni::refs::Global;
use jni::strings::JNIStr;
use jni::sys::{jclass, jobject, jvalue};
use jni::{jni_str, sys};
use once_cell::race::OnceBox;

/// The loader to ask just now; null is the bootstrap loader.
pub(super) fn of_the_jdk<'l>(jni: &Env<'l>) -> JClassLoader<'l> {
    let loader = match has_security_manager(jni) {
        true => platform_loader(jni).unwrap_or(ptr::null_mut()),
        false => ptr::null_mut(),
    };
    // SAFETY: null, or a local reference to a class loader that has just been made.
    unsafe { JClassLoader::from_raw(jni, loader) }
}

fn has_security_manager(jni: &Env<'_>) -> bool {
    let signature = jni_str!("()Ljava/lang/SecurityManager;");
    let name = jni_str!("getSecurityManager");
    system(jni).is_some_and(|system| ask(jni, system, name, signature, &[]).is_some())
}

/// `java.lang.System`. It is found once, for that is asked of the loader of the calling code.
fn system(jni: &Env<'_>) -> Option<jclass> {
    static SYSTEM: OnceBox<Global<JClass<'static>>> = OnceBox::new();
    let found = SYSTEM.get_or_try_init(|| {
        let class = find(jni, jni_str!("java/lang/System")).ok_or(())?;
        // SAFETY: a local reference to a class that has just been made.
        let class = unsafe { JClass::from_raw(jni, class) };
        jni.new_global_ref(class).map(Box::new).map_err(drop)
    });
    found.ok().map(|class| class.as_raw())
}

/// `ClassLoader.getPlatformClassLoader` asks the SecurityManager, too; what it returns does not.
fn platform_loader(jni: &Env<'_>) -> Option<jobject> {
    let class = find(jni, jni_str!("java/lang/Class"))?;
    let raw = jni.get_raw();
    // SAFETY: as in `ask`, and a name that ends with a zero.
    let name = unsafe {
        ((**raw).v1_1.NewStringUTF)(raw, jni_str!("jdk.internal.loader.ClassLoaders").as_ptr())
    };
    let null = jvalue { l: ptr::null_mut() };
    let of_the_bootstrap_loader = [jvalue { l: name }, jvalue { z: false }, null, null];
    let signature =
        jni_str!("(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;");
    let name = jni_str!("forName0");
    let loaders = ask(jni, class, name, signature, &of_the_bootstrap_loader)?;
    let signature = jni_str!("()Ljava/lang/ClassLoader;");
    ask(
        jni,
        loaders,
        jni_str!("platformClassLoader"),
        signature,
        &[],
    )
}

fn find(jni: &Env<'_>, name: &JNIStr) -> Option<jclass> {
    let raw = jni.get_raw();
    // SAFETY: the JNI environment of this thread, in a native call with nothing pending, and a name that ends with a zero.
    let class = unsafe { ((**raw).v1_1.FindClass)(raw, name.as_ptr()) };
    some(raw, class)
}

/// What a static method without effects answers; nothing if there is no such method.
fn ask(
    jni: &Env<'_>,
    class: jclass,
    name: &JNIStr,
    signature: &JNIStr,
    arguments: &[jvalue],
) -> Option<jobject> {
    let raw = jni.get_raw();
    // SAFETY: as above, and the class is a local reference of this frame.
    let method =
        unsafe { ((**raw).v1_1.GetStaticMethodID)(raw, class, name.as_ptr(), signature.as_ptr()) };
    if method.is_null() {
        return some(raw, ptr::null_mut());
    }
    // SAFETY: as above, and the arguments are those of the signature.
    let answer =
        unsafe { ((**raw).v1_1.CallStaticObjectMethodA)(raw, class, method, arguments.as_ptr()) };
    some(raw, answer)
}

/// The reference that a call has answered. What it may have thrown is no matter: then there is none.
fn some(raw: *mut sys::JNIEnv, reference: jobject) -> Option<jobject> {
    // SAFETY: the JNI environment of this thread.
    let thrown = unsafe { ((**raw).v1_2.ExceptionCheck)(raw) };
    if thrown {
        // SAFETY: as above.
        unsafe { ((**raw).v1_1.ExceptionClear)(raw) };
    }
    (!thrown && !reference.is_null()).then_some(reference)
}
