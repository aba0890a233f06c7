//! Which threads are virtual, and whether they are alive.
//!
//! On 21 `GetThreadState` of a virtual thread reads the stack of its carrier while both run: that is a
//! SIGSEGV in some hundred million calls, also of a plain agent in C. Java reads a field.

use jni::objects::JThread;
use jni::signature::{Primitive, ReturnType};
use jni::{Env, jni_sig, jni_str};
use jvmti::sys::ThreadState;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::vm::image;
use crate::vm::jdk::{JdkMethod, THREAD};

static IS_ALIVE: JdkMethod = JdkMethod::new(&THREAD, jni_str!("isAlive"), jni_sig!(() -> boolean));

/// The first JDK that has virtual threads, then as a preview.
pub(crate) const VIRTUAL_THREADS: i32 = 19;

/// Whether `thread` is a virtual one.
pub(crate) fn is_virtual(jni: &Env<'_>, thread: &JThread<'_>) -> Outcome<bool> {
    Ok(is_virtual_here(
        jni,
        image::feature(image::plain()?)?,
        thread,
    ))
}

pub(crate) fn is_virtual_here(jni: &Env<'_>, feature: i32, thread: &JThread<'_>) -> bool {
    let raw = jni.get_raw();
    feature >= VIRTUAL_THREADS
        // SAFETY: the JNI environment of this thread, and a function that this VM has.
        && unsafe { ((**raw).v19.IsVirtualThread)(raw, thread.as_raw()) }
}

/// Whether `thread` has started and not ended.
pub(crate) fn is_alive(jni: &mut Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<bool> {
    if thread.is_null() {
        return Ok(env.thread_state(Some(thread))?.contains(ThreadState::ALIVE));
    }
    let is_alive = IS_ALIVE.id(jni)?;
    // SAFETY: the method is one of `Thread`, final and without parameters.
    let answer = unsafe {
        jni.call_method_unchecked(
            thread,
            is_alive,
            ReturnType::Primitive(Primitive::Boolean),
            &[],
        )
    };
    Ok(answer?.z()?)
}
