//! Interrupting a thread.
//!
//! HotSpot calls `Thread.interrupt` for a virtual thread, and keeps it from being mounted and unmounted
//! meanwhile. No ResumeThread of the VM goes on before that is over, so whoever is suspended in this
//! call could never be resumed, nor could anybody else. The same call from here keeps nobody waiting.

use jni::objects::JThread;
use jni::signature::{Primitive, ReturnType};
use jni::{Env, jni_sig, jni_str};
use jvmti::sys::Capability;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::owned_monitors::require;
use crate::thread::virtual_thread::is_virtual;
use crate::vm::jdk::{JdkMethod, THREAD};

static INTERRUPT: JdkMethod = JdkMethod::new(&THREAD, jni_str!("interrupt"), jni_sig!(() -> void));

/// Interrupts `thread`.
pub(crate) fn interrupt(jni: &mut Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<()> {
    if !is_virtual(jni, thread)? {
        return Ok(env.interrupt_thread(thread)?);
    }
    let capability = Capability::CAN_SIGNAL_THREAD;
    require(jni, env, thread, "InterruptThread", capability)?;
    let (method, nothing) = (INTERRUPT.id(jni)?, ReturnType::Primitive(Primitive::Void));
    // SAFETY: the method is one of `Thread`, without parameters.
    unsafe { jni.call_method_unchecked(thread, method, nothing, &[]) }?;
    Ok(())
}
