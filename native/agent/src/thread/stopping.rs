//! Exceptions that one thread throws in another.

use jni::Env;
use jni::objects::{JThread, JThrowable};

use crate::environment::gate::{self, Inside, Me};
use crate::failure::{Failure, Outcome};
use crate::thread::pending;
use crate::thread::resumptions::Pinned;
use crate::thread::transition;
use crate::thread::variables::is_current;
use crate::vm::steward;

/// Throws `exception` in `thread`: by the steward, so that nobody has it leave its frame in another way meanwhile.
/// `metadata` is an environment that asks for CPU times.
pub(crate) fn stop(
    jni: &mut Env<'_>,
    env: &Inside,
    metadata: i64,
    thread: &JThread<'_>,
    exception: &JThrowable<'_>,
) -> Outcome<()> {
    // Of those that are null the VM says what they are.
    if thread.is_null() || exception.is_null() || is_current(jni, env, thread)? {
        return Ok(env.stop_thread(thread, exception)?);
    }
    let handle = env.handle().cast_signed();
    let (thread, exception) = (jni.new_global_ref(thread)?, jni.new_global_ref(exception)?);
    let asked = move |jni: &mut Env<'_>| {
        let env = gate::enter(Me::new(jni.get_raw()), handle)?;
        let pinned = Pinned::now(jni, &thread)?;
        let stands = pinned.is_some() && transition::stands_still(jni, &env, &thread)?;
        let frame = transition::frame_location(jni, &env, Some(&thread), 0).ok();
        if let Some(frame) = frame {
            pending::ensure_stays(jni, &thread, frame)?;
        }
        let metadata = gate::enter(Me::new(jni.get_raw()), metadata)?;
        let leaves = pending::about_to_throw(jni, &metadata, &thread)?;
        // Who has lost patience since may have resumed it.
        let still_stands = stands && pinned.as_ref().is_some_and(Pinned::asks);
        env.stop_thread(&thread, &exception)?;
        if is_in_java(jni, &env, &thread) {
            let frame = frame.filter(|_| still_stands);
            pending::remember(jni, leaves.standing_at(frame));
        }
        Ok(())
    };
    // What was begun cannot be undone.
    steward::ask(jni, asked, |_, ()| {})
}

/// Whether it may be made to leave a frame before it throws. From a native method it returns throwing.
fn is_in_java(jni: &Env<'_>, env: &Inside, thread: &JThread<'_>) -> bool {
    match transition::frame_location(jni, env, Some(thread), 0) {
        Ok(frame) => frame.location >= 0,
        // It has ended, or runs no method.
        Err(Failure::Jvmti(_)) => false,
        Err(_) => true,
    }
}
