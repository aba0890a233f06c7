//! Threads that the VM starts in native code of ours, to run a `Runnable`.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jni::objects::{JObject, JThread};
use jni::refs::Global;
use jni::sys::JNIEnv;
use jni::{Env, EnvUnowned, jni_sig, jni_str};
use jvmti::sys;

use crate::environment::gate::Inside;
use crate::failure::{Failure, Outcome};

/// The priority of a thread whose constructor has not run.
const NOT_BUILT: i32 = 0;

/// What the new thread is to run.
type Body = Global<JObject<'static>>;

/// Starts `thread`, which was not started, as a daemon of the VM that runs `body`.
pub(crate) fn run(
    jni: &Env<'_>,
    env: &Inside,
    thread: &JThread<'_>,
    body: &JObject<'_>,
    priority: i32,
) -> Outcome<()> {
    let info = env.thread_info(jni, Some(thread))?;
    if !env.thread_state(Some(thread))?.is_empty() || info.priority == NOT_BUILT {
        // Only a thread that is running is refused by every VM. From 21 on, HotSpot crashes on one
        // whose constructor has not run.
        return Err(Failure::Jvmti(jvmti::Error {
            function: "RunAgentThread",
            code: sys::Error::INVALID_THREAD,
        }));
    }
    let body: *mut Body = Box::into_raw(Box::new(jni.new_global_ref(body)?));
    // SAFETY: `main` takes the box that it is given, once.
    let started = unsafe { env.run_agent_thread(thread, main, body.cast(), priority) };
    if started.is_err() {
        // SAFETY: no thread has been started that would take it.
        drop(unsafe { Box::from_raw(body) });
    }
    Ok(started?)
}

/// The thread's first function. An exception that is pending when it returns goes to the handler of
/// uncaught ones, as with any other thread.
unsafe extern "system" fn main(_: *mut sys::Env, jni: *mut JNIEnv, body: *mut c_void) {
    let _ = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: made by `run` for this thread alone.
        let body = unsafe { Box::from_raw(body.cast::<Body>()) };
        // SAFETY: the VM passes the JNI environment of this thread.
        let mut jni = unsafe { EnvUnowned::from_raw(jni) };
        let outcome = jni
            .with_env(|jni| -> jni::errors::Result<()> {
                jni.call_method(&*body, jni_str!("run"), jni_sig!(() -> void), &[])?;
                Ok(())
            })
            .into_outcome();
        drop(outcome);
    }));
}
