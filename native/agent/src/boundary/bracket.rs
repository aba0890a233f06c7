//! Java that runs between a beginning and an end of ours.
//!
//! In Java an end can be missed: the stack may be full there, or another thread makes this one throw
//! on its way. Here it cannot.

use jni::Env;
use jni::objects::{JObject, JThrowable};
use jni::signature::{Primitive, ReturnType};

use crate::failure::{Failure, Outcome};
use crate::vm::errand::RUN;

/// Begins, runs `body`, a `Runnable`, and ends, whatever is thrown in between; that is thrown on.
pub(crate) fn run<'l, B, T>(
    jni: &mut Env<'l>,
    body: &JObject<'_>,
    begin: impl FnOnce(&mut Env<'l>) -> Outcome<B>,
    end: impl FnOnce(&Env<'l>, B) -> Outcome<T>,
) -> Outcome<T> {
    let run = RUN.id(jni)?;
    let begun = begin(jni)?;
    // SAFETY: the natives of ours that come here take a `Runnable`.
    let ran = unsafe {
        jni.call_method_unchecked(body, run, ReturnType::Primitive(Primitive::Void), &[])
    };
    let thrown = take_thrown(jni);
    let ended = end(jni, begun);
    if let Some(thrown) = thrown {
        jni.throw(thrown)?;
        return Err(Failure::Pending);
    }
    ran?;
    ended
}

/// What is to be thrown, put aside: with it nothing could be ended.
fn take_thrown<'l>(jni: &mut Env<'l>) -> Option<JThrowable<'l>> {
    let thrown = jni.exception_occurred();
    if thrown.is_some() {
        jni.exception_clear();
    }
    thrown
}
