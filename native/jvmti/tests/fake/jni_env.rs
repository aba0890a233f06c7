//! A JNI environment that can be attached to, and no more: the layer only ties lifetimes to it.

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::OnceLock;

use jni::AttachGuard;
use jni::sys::{
    JNI_ENOMEM, JNI_ERR, JNI_OK, JNIEnv, JNIInvokeInterface_, JNINativeInterface_, JavaVM, jint,
    jobject,
};

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
            (&raw mut (*natives).v1_2.ExceptionClear).write(exception_clear);
            (&raw mut (*natives).v1_2.EnsureLocalCapacity).write(ensure_local_capacity);
            (&raw mut (*natives).v1_2.PushLocalFrame).write(push_local_frame);
            (&raw mut (*natives).v1_2.PopLocalFrame).write(pop_local_frame);
            (&raw mut (*natives).v1_2.GetJavaVM).write(get_java_vm);
            (&raw mut (*natives).v1_2.DeleteLocalRef).write(delete_local_ref);
            (&raw mut (*natives).v1_2.NewGlobalRef).write(new_reference);
            (&raw mut (*natives).v1_2.NewLocalRef).write(new_reference);
            (&raw mut (*natives).v1_2.IsSameObject).write(is_same_object);
            (&raw mut (*natives).v19.IsVirtualThread).write(is_virtual_thread);
        }
        let invoke: *mut JNIInvokeInterface_ =
            Box::leak(Box::<JNIInvokeInterface_>::new_zeroed()).as_mut_ptr();
        // SAFETY: as above.
        unsafe { (&raw mut (*invoke).v1_2.GetEnv).write(get_env) };
        Machine {
            env: natives,
            vm: invoke,
        }
    })
}

thread_local! {
    static DECLARED: Cell<usize> = const { Cell::new(0) };
    static PENDING: Cell<bool> = const { Cell::new(false) };
}

/// How often this thread has said how many references it makes.
#[allow(dead_code, reason = "not everybody makes some")]
pub fn declared() -> usize {
    DECLARED.get()
}

/// Whether an exception is pending on this thread.
pub fn pending() -> bool {
    PENDING.get()
}

/// Leaves an exception pending on this thread, or none.
#[allow(dead_code, reason = "not everybody throws")]
pub fn set_pending(pending: bool) {
    PENDING.set(pending);
}

unsafe extern "system" fn exception_check(_env: *mut JNIEnv) -> bool {
    pending()
}

unsafe extern "system" fn exception_clear(_env: *mut JNIEnv) {
    set_pending(false);
}

unsafe extern "system" fn ensure_local_capacity(_env: *mut JNIEnv, _capacity: jint) -> jint {
    DECLARED.set(declared() + 1);
    JNI_OK
}

thread_local! {
    static FRAMES: Cell<usize> = const { Cell::new(0) };
    static HAS_MEMORY: Cell<bool> = const { Cell::new(true) };
}

/// How many frames of references this thread is in.
#[allow(dead_code, reason = "not everybody has some")]
pub fn frames() -> usize {
    FRAMES.get()
}

/// Whether there is memory for more of them.
#[allow(dead_code, reason = "not everybody has some")]
pub fn set_has_memory(has: bool) {
    HAS_MEMORY.set(has);
}

unsafe extern "system" fn push_local_frame(_env: *mut JNIEnv, _capacity: jint) -> jint {
    if !HAS_MEMORY.get() {
        set_pending(true);
        return JNI_ENOMEM;
    }
    FRAMES.set(frames() + 1);
    JNI_OK
}

unsafe extern "system" fn pop_local_frame(_env: *mut JNIEnv, result: jobject) -> jobject {
    FRAMES.set(frames() - 1);
    result
}

unsafe extern "system" fn get_java_vm(_env: *mut JNIEnv, vm: *mut *mut JavaVM) -> jint {
    // SAFETY: the jni crate lends a place for it.
    unsafe { *vm = (&raw const machine().vm).cast_mut() };
    JNI_OK
}

unsafe extern "system" fn new_reference(_env: *mut JNIEnv, reference: jobject) -> jobject {
    reference
}

/// References from this number on are to virtual threads.
pub const VIRTUAL: usize = 0x8000;

unsafe extern "system" fn is_virtual_thread(_env: *mut JNIEnv, thread: jobject) -> bool {
    thread.addr() >= VIRTUAL
}

unsafe extern "system" fn is_same_object(_env: *mut JNIEnv, one: jobject, other: jobject) -> bool {
    if one.is_null() && other.is_null() {
        MEANWHILE.get()();
    }
    one == other
}

thread_local! {
    static MEANWHILE: Cell<fn()> = const { Cell::new(|| ()) };
}

/// From now on whoever passes through the VM on this thread stops for so long.
#[allow(dead_code, reason = "the layer does not pass through it")]
pub fn stop_for(meanwhile: fn()) {
    MEANWHILE.set(meanwhile);
}

thread_local! {
    static DELETED: Cell<usize> = const { Cell::new(0) };
}

unsafe extern "system" fn delete_local_ref(_env: *mut JNIEnv, _reference: jobject) {
    DELETED.set(deleted() + 1);
}

/// How many local references have been deleted on this thread.
pub fn deleted() -> usize {
    DELETED.get()
}

/// Runs `body` in a JNI frame of this thread.
pub fn with_jni<R>(body: impl FnOnce(&mut jni::Env<'_>) -> R) -> R {
    // SAFETY: the fake is attached everywhere, and the guard stays on the stack.
    let mut guard = unsafe { AttachGuard::from_unowned((&raw const machine().env).cast_mut()) };
    body(guard.borrow_env_mut())
}

/// Runs `body` in a JNI frame within another, with the environment of the outer one.
pub fn with_nested_jni<R>(body: impl FnOnce(&jni::Env<'_>) -> R) -> R {
    with_jni(|outer| with_jni(|_inner| body(outer)))
}

/// The VM, whose `GetEnv` answers on this thread from now on as `answer` does with the version that
/// it is asked for: a code, and the address that it writes.
pub fn vm(answer: fn(jint) -> (jint, usize)) -> jni::JavaVM {
    ANSWER.set(answer);
    // SAFETY: it has what the layer under test calls.
    unsafe { jni::JavaVM::from_raw((&raw const machine().vm).cast_mut()) }
}

thread_local! {
    static ANSWER: Cell<fn(jint) -> (jint, usize)> = const { Cell::new(|_| (JNI_ERR, 0)) };
}

unsafe extern "system" fn get_env(_vm: *mut JavaVM, env: *mut *mut c_void, version: jint) -> jint {
    let (code, address) = ANSWER.get()(version);
    // SAFETY: the layer under test lends a place for it.
    unsafe { *env = address as *mut c_void };
    code
}
