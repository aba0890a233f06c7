//! An agent that calls every safe function of `jvmti` with everything that is wrong.
//!
//! What it does stands in `calls`, which forbids unsafe code: here is only the way in. It says each
//! call before it makes it, so that the last line before a crash names the culprit.

#![allow(
    non_snake_case,
    reason = "the VM looks the functions up by these names"
)]

mod calls;

use std::ffi::{c_char, c_void};

use jni::EnvUnowned;
use jni::errors::ThrowRuntimeExAndDefault;
use jni::objects::{JClass, JObject, JObjectArray};
use jni::sys::{JNI_OK, JavaVM, jint};

type Victims<'l> = JObjectArray<'l, JObject<'l>>;

/// The OnLoad phase: there are no objects yet.
///
/// # Safety
///
/// Called by the VM with its own pointers.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    _options: *const c_char,
    _reserved: *mut c_void,
) -> jint {
    // SAFETY: the VM passes its own pointer.
    calls::without_objects(&unsafe { jni::JavaVM::from_raw(vm) });
    JNI_OK
}

/// The dead phase: there are none any more.
///
/// # Safety
///
/// Called by the VM with its own pointer.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Agent_OnUnload(vm: *mut JavaVM) {
    // SAFETY: the VM passes its own pointer.
    calls::without_objects(&unsafe { jni::JavaVM::from_raw(vm) });
}

/// `Hostile.attack`, on a platform thread.
#[unsafe(no_mangle)]
pub extern "system" fn Java_Hostile_attack<'l>(
    mut jni: EnvUnowned<'l>,
    class: JClass<'l>,
    victims: Victims<'l>,
) {
    jni.with_env(|jni| calls::from_platform_thread(jni, &class, &victims))
        .resolve::<ThrowRuntimeExAndDefault>();
}

/// `Hostile.attackAsVirtualThread`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_Hostile_attackAsVirtualThread<'l>(
    mut jni: EnvUnowned<'l>,
    class: JClass<'l>,
    victims: Victims<'l>,
) {
    jni.with_env(|jni| calls::from_virtual_thread(jni, &class, &victims))
        .resolve::<ThrowRuntimeExAndDefault>();
}

/// `Hostile.stop`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_Hostile_stop<'l>(
    mut jni: EnvUnowned<'l>,
    class: JClass<'l>,
    victims: Victims<'l>,
) {
    jni.with_env(|jni| calls::stop(jni, &class, &victims))
        .resolve::<ThrowRuntimeExAndDefault>();
}
