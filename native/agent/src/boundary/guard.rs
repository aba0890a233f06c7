//! The boundary that every native passes: nothing unwinds out, no closed environment is entered.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jni::objects::JClass;
use jni::sys::jlong;
use jni::{AttachGuard, Env, EnvUnowned};

use crate::boundary::caller::Caller;
use crate::boundary::throw;
use crate::environment::gate::{self, Inside, Me};
use crate::failure::{Failure, Outcome};

/// Runs `body` inside the environment `handle`; for bodies that touch no JNI.
#[inline(always)]
pub(crate) fn inside<'c, 'l: 'c, R: Default>(
    jni: EnvUnowned<'l>,
    caller: impl Into<Caller<'c, 'l>>,
    handle: jlong,
    body: impl FnOnce(&Inside) -> Outcome<R>,
) -> R {
    let caller = caller.into();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        body(&gate::enter(Me::new(jni.as_raw()), handle)?)
    }));
    settle(outcome, jni, &caller, handle)
}

/// Runs `body` inside the environment `handle` with this thread's JNI environment.
pub(crate) fn inside_jni<'c, 'l: 'c, R: Default>(
    jni: EnvUnowned<'l>,
    caller: impl Into<Caller<'c, 'l>>,
    handle: jlong,
    body: impl FnOnce(&Inside, &mut Env<'l>) -> Outcome<R>,
) -> R {
    inside_bound(jni, caller, handle, |env, jni, _| body(env, jni))
}

/// Like [`inside_jni`], for bodies that need the calling class, to find its context.
pub(crate) fn inside_bound<'c, 'l: 'c, R: Default>(
    jni: EnvUnowned<'l>,
    caller: impl Into<Caller<'c, 'l>>,
    handle: jlong,
    body: impl FnOnce(&Inside, &mut Env<'l>, &JClass<'l>) -> Outcome<R>,
) -> R {
    let caller = caller.into();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let inside = gate::enter(Me::new(jni.as_raw()), handle)?;
        with_jni(&jni, |jni| body(&inside, jni, &caller.class))
    }));
    settle(outcome, jni, &caller, handle)
}

/// Runs `body` outside any environment.
pub(crate) fn outside<'c, 'l: 'c, R: Default>(
    jni: EnvUnowned<'l>,
    caller: impl Into<Caller<'c, 'l>>,
    body: impl FnOnce(&mut Env<'l>, &JClass<'l>) -> Outcome<R>,
) -> R {
    around(jni, caller, 0, body)
}

/// Like [`outside`], for bodies that enter `handle` themselves, and leave it to run Java.
pub(crate) fn around<'c, 'l: 'c, R: Default>(
    jni: EnvUnowned<'l>,
    caller: impl Into<Caller<'c, 'l>>,
    handle: jlong,
    body: impl FnOnce(&mut Env<'l>, &JClass<'l>) -> Outcome<R>,
) -> R {
    let caller = caller.into();
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        with_jni(&jni, |jni| body(jni, &caller.class))
    }));
    settle(outcome, jni, &caller, handle)
}

fn with_jni<'l, R>(
    jni: &EnvUnowned<'l>,
    body: impl FnOnce(&mut Env<'l>) -> Outcome<R>,
) -> Outcome<R> {
    // SAFETY: the VM passed this pointer to the running native; the guard stays on this frame.
    let mut guard = unsafe { AttachGuard::from_unowned(jni.as_raw()) };
    body(guard.borrow_env_mut())
}

/// The way out: success costs one comparison.
#[inline(always)]
fn settle<R: Default>(
    outcome: std::thread::Result<Outcome<R>>,
    jni: EnvUnowned<'_>,
    caller: &Caller<'_, '_>,
    handle: jlong,
) -> R {
    match outcome {
        Ok(Ok(answer)) => return answer,
        Ok(Err(failure)) => throw::raise(jni, caller, handle, &failure),
        Err(panic) => panicked(jni, caller, handle, &*panic),
    }
    R::default()
}

#[cold]
fn panicked(
    jni: EnvUnowned<'_>,
    caller: &Caller<'_, '_>,
    handle: jlong,
    payload: &(dyn Any + Send),
) {
    throw::raise(jni, caller, handle, &Failure::from_panic(payload));
}
