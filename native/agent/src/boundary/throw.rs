//! The one place that raises Java exceptions.

use jni::EnvUnowned;
use jni::objects::JClass;
use jni::sys::jlong;
use jvmti::sys;

use crate::boundary::context;
use crate::bridge;
use crate::failure::{Failure, Outcome};

/// Raises what `failure` stands for, in the copy of the classes that `class` belongs to. An
/// exception that is already pending stays itself.
#[cold]
#[inline(never)]
pub(crate) fn raise(mut jni: EnvUnowned<'_>, class: &JClass<'_>, handle: jlong, failure: &Failure) {
    let outcome = jni
        .with_env(|jni| -> jni::errors::Result<()> {
            if matches!(failure, Failure::Pending) || jni.exception_check() {
                return Ok(());
            }
            let outcome = raise_own(jni, class, handle, failure);
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
    class: &JClass<'_>,
    handle: jlong,
    failure: &Failure,
) -> Outcome<()> {
    let context = context::of(jni, class)?.ok_or_else(|| {
        Failure::Jni(jni::errors::Error::NullPtr(
            "no context for the calling class",
        ))
    })?;
    let (code, function) = match failure {
        Failure::Jvmti(error) => (error.code.0, error.function),
        Failure::NotTold(function, _) => (sys::Error::UNSUPPORTED_OPERATION.0, *function),
        Failure::Closed => (bridge::CLOSED, ""),
        Failure::Panic(_) => (bridge::PANIC, ""),
        Failure::Stalled(_) => (bridge::STALLED, ""),
        Failure::Ending => (sys::Error::WRONG_PHASE.0, "SuspendThread"),
        Failure::Pending | Failure::Jni(_) | Failure::State(_) => (bridge::STATE, ""),
    };
    let detail = match failure {
        // The code says it all.
        Failure::Jvmti(_) => String::new(),
        other => other.to_string(),
    };
    context.raise(jni, code, function, &detail, handle)
}
