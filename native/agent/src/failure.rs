//! Why a native call did not succeed.

use std::any::Any;
use std::cell::RefCell;

/// Everything that can stop a native, told apart so that `throw` can answer each in its own way.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The VM answered with an error code.
    #[error(transparent)]
    Jvmti(#[from] jvmti::Error),
    /// The function would answer wrongly, and why.
    #[error("{1}")]
    NotTold(&'static str, &'static str),
    /// What is asked for would be more than is allowed, of memory.
    #[error("{1}")]
    TooMuch(&'static str, String),
    /// The handle names no open environment.
    #[error("this environment is closed")]
    Closed,
    /// A Java exception is already pending: it stays itself.
    #[error("a Java exception is pending")]
    Pending,
    /// JNI refused.
    #[error("JNI: {0}")]
    Jni(jni::errors::Error),
    /// This image is not in the state that the call needs.
    #[error("{0}")]
    State(String),
    /// A thread of ours does not answer, or others have all threads suspended.
    #[error("{0}")]
    Stalled(String),
    /// The VM is about to end, so nothing is suspended any more.
    #[error("the JVM is ending")]
    Ending,
    /// A panic of ours, stopped at the boundary.
    #[error("panic in native code: {0}")]
    Panic(String),
}

/// What a native's body answers.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl From<jni::errors::Error> for Failure {
    fn from(error: jni::errors::Error) -> Self {
        match error {
            jni::errors::Error::JavaException => Self::Pending,
            // The call throws nothing of its own that would be it, and it is gone.
            jni::errors::Error::NullPtr("Unexpected Exception")
            | jni::errors::Error::JniCall(jni::errors::JniError::Unknown) => Self::State(
                "another thread has made this one throw, in the middle of a native call".to_owned(),
            ),
            other => Self::Jni(other),
        }
    }
}

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic is reported as a Java exception, with its place; nothing is printed in the host.
/// The hook is that of this image alone.
pub(crate) fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(|place| format!("{}:{}", place.file(), place.line()));
        let _ = LAST_PANIC.try_with(|last| *last.borrow_mut() = place);
    }));
}

impl Failure {
    /// The message of a caught panic, and where it happened.
    pub(crate) fn from_panic(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<&'static str>()
            .map(ToString::to_string)
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "(no message)".to_owned());
        match LAST_PANIC
            .try_with(|last| last.borrow_mut().take())
            .ok()
            .flatten()
        {
            Some(place) => Self::Panic(format!("{text} (at {place})")),
            None => Self::Panic(text),
        }
    }
}
