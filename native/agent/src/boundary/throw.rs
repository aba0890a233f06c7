//! The one place that raises Java exceptions.

use jni::EnvUnowned;
use jni::sys::jlong;
use jvmti::sys;

use crate::boundary::caller::Caller;
use crate::boundary::context;
use crate::bridge;
use crate::environment::gate::{self, Me};
use crate::failure::{Failure, Outcome};

/// A thread's group and loader, and a few of our own.
const REFERENCES: usize = 8;

/// Raises what `failure` stands for, in the copy of the classes that `class` belongs to. An
/// exception that is already pending stays itself.
#[cold]
#[inline(never)]
pub(super) fn raise(
    mut jni: EnvUnowned<'_>,
    caller: &Caller<'_, '_>,
    handle: jlong,
    failure: &Failure,
) {
    let outcome = jni
        .with_env(|jni| -> jni::errors::Result<()> {
            if matches!(failure, Failure::Pending) || jni.exception_check() {
                return Ok(());
            }
            let outcome = raise_own(jni, caller, handle, failure);
            if let Err(error) = outcome
                && !jni.exception_check()
            {
                // No Java of ours can be reached: the class library's own error says so.
                jni.throw_new(
                    jni::jni_str!("java/lang/InternalError"),
                    jni::strings::JNIString::from(format!("{failure}; and then: {error}")),
                )?;
            }
            Ok(())
        })
        .into_outcome();
    drop(outcome);
}

fn raise_own(
    jni: &mut jni::Env<'_>,
    caller: &Caller<'_, '_>,
    handle: jlong,
    failure: &Failure,
) -> Outcome<()> {
    let context = context::of(jni, &caller.class)?.ok_or_else(|| {
        Failure::Jni(jni::errors::Error::NullPtr(
            "no context for the calling class",
        ))
    })?;
    let (code, function) = match failure {
        Failure::Jvmti(error) => (error.code.0, error.function),
        Failure::NotTold(function, _) => (sys::Error::UNSUPPORTED_OPERATION.0, *function),
        Failure::TooMuch(function, _) => (sys::Error::OUT_OF_MEMORY.0, *function),
        Failure::Closed => (bridge::CLOSED, ""),
        Failure::Panic(_) => (bridge::PANIC, ""),
        Failure::Stalled(_) => (bridge::STALLED, ""),
        Failure::Ending => (sys::Error::WRONG_PHASE.0, "SuspendThread"),
        Failure::Pending | Failure::Jni(_) | Failure::State(_) => (bridge::STATE, ""),
    };
    let detail = match failure {
        Failure::Jvmti(error) if speaks_of_a_thread(error.code) => named(jni, caller, handle),
        // The code says it all.
        Failure::Jvmti(_) => String::new(),
        other => other.to_string(),
    };
    context.raise(jni, code, function, &detail, handle)
}

fn speaks_of_a_thread(code: sys::Error) -> bool {
    matches!(
        code,
        sys::Error::INVALID_THREAD
            | sys::Error::THREAD_NOT_ALIVE
            | sys::Error::THREAD_SUSPENDED
            | sys::Error::THREAD_NOT_SUSPENDED
    )
}

/// The name of the thread that the caller asked about; nothing if it has gone, or the environment.
fn named(jni: &mut jni::Env<'_>, caller: &Caller<'_, '_>, handle: jlong) -> String {
    let Some(thread) = caller.thread.filter(|thread| !thread.is_null()) else {
        return String::new();
    };
    let name = jni.with_local_frame(REFERENCES, |jni| -> Outcome<_> {
        let env = gate::enter(Me::new(jni.get_raw()), handle)?;
        Ok(env.thread_info(jni, Some(thread))?.name.to_string())
    });
    name.unwrap_or_default()
}
