//! A JNI environment that can be attached to, and no more: the layer only ties lifetimes to it.

use std::ptr;
use std::sync::OnceLock;

use jni::AttachGuard;
use jni::sys::{JNI_OK, JNIEnv, JNIInvokeInterface_, JNINativeInterface_, JavaVM, jint};

struct Machine {
    env: JNIEnv,
    vm: JavaVM,
}

// SAFETY: never written after it is made.
unsafe impl Send for Machine {}
// SAFETY: as above.
unsafe impl Sync for Machine {}

/// One for the process: the jni crate remembers the VM it saw first.
static MACHINE: OnceLock<Machine> = OnceLock::new();

fn machine() -> &'static Machine {
    MACHINE.get_or_init(|| {
        let natives: *mut JNINativeInterface_ =
            Box::leak(Box::<JNINativeInterface_>::new_zeroed()).as_mut_ptr();
        // SAFETY: fields of a leaked block; whatever stays zero is not called.
        unsafe {
            (&raw mut (*natives).v1_2.ExceptionCheck).write(exception_check);
            (&raw mut (*natives).v1_2.GetJavaVM).write(get_java_vm);
        }
        let invoke: *mut JNIInvokeInterface_ =
            Box::leak(Box::<JNIInvokeInterface_>::new_zeroed()).as_mut_ptr();
        Machine {
            env: natives,
            vm: invoke,
        }
    })
}

unsafe extern "system" fn exception_check(_env: *mut JNIEnv) -> bool {
    false
}

unsafe extern "system" fn get_java_vm(_env: *mut JNIEnv, vm: *mut *mut JavaVM) -> jint {
    // SAFETY: the jni crate lends a place for it.
    unsafe { *vm = (&raw const machine().vm).cast_mut() };
    JNI_OK
}

/// Runs `body` in a JNI frame of this thread.
pub fn with_jni<R>(body: impl FnOnce(&jni::Env<'_>) -> R) -> R {
    // SAFETY: the fake is attached everywhere, and the guard stays on the stack.
    let mut guard = unsafe { AttachGuard::from_unowned((&raw const machine().env).cast_mut()) };
    body(guard.borrow_env_mut())
}

/// Runs `body` in a JNI frame within another, with the environment of the outer one.
pub fn with_nested_jni<R>(body: impl FnOnce(&jni::Env<'_>) -> R) -> R {
    with_jni(|outer| with_jni(|_inner| body(outer)))
}

/// The `JavaVM*` whose `GetEnv` is `get_env`.
pub fn vm(
    get_env: unsafe extern "system" fn(*mut JavaVM, *mut *mut std::ffi::c_void, jint) -> jint,
) -> *mut JavaVM {
    let invoke: *mut JNIInvokeInterface_ =
        Box::leak(Box::<JNIInvokeInterface_>::new_zeroed()).as_mut_ptr();
    // SAFETY: a field of a leaked block.
    unsafe { (&raw mut (*invoke).v1_2.GetEnv).write(get_env) };
    let vm: JavaVM = invoke;
    ptr::from_mut(Box::leak(Box::new(vm)))
}
