//! How Java is told of an event: on the thread on which it happens, before the VM goes on.

use jni::Env;
use jni::objects::JThrowable;
use jni::sys::jvalue;
use jvmti::sys::Event;

use crate::environment::gate::{self, Me};
use crate::environment::listening::{Listening, Untold};
use crate::event::filter::Subject;
use crate::event::subscriber::{Fate, Subscriber};
use crate::event::target::Target;
use crate::vm::daemon;

/// Tells whoever listens to that kind. The first one of `arguments` is the place for the number of the listener.
///
/// The thread may be suspended in there, or wait for whatever a listener waits for: it has nothing that others need.
pub(super) fn tell(
    env: &jvmti::Env,
    jni: &mut Env<'_>,
    kind: usize,
    subject: &Subject<'_, '_>,
    arguments: &mut [jvalue],
) {
    // What others wait for is done there, by no code of theirs.
    if daemon::is_current() {
        return;
    }
    let me = Me::new(jni.get_raw());
    let Ok(handle) = env.environment_local_storage() else {
        return;
    };
    let Ok(inside) = gate::enter(me, handle) else {
        return;
    };
    let Some(target) = inside.attached::<Target>() else {
        return;
    };
    let subscribers = target.subscribers(kind);
    if subscribers.is_empty() {
        return;
    }
    let listening = Listening::begin(me);
    if matches!(listening, Err(Untold::Ending)) {
        return;
    }
    let pending = set_aside(jni);
    for one in subscribers.iter() {
        let fate = match one.filter.fits(env, jni, subject) {
            Ok(false) => Some(Fate::Filtered),
            Ok(true) if listening.is_err() => Some(Fate::Suppressed),
            Ok(true) if !one.filter.admits_one_more() => Some(Fate::Filtered),
            Ok(true) => told(jni, target, one, arguments),
            Err(_) => Some(Fate::Lost),
        };
        jni.exception_clear();
        if let Some(fate) = fate {
            one.counts.count(fate);
        }
    }
    if let Some(pending) = pending {
        let _ = jni.throw(&pending);
    }
    let ends = subscribers
        .iter()
        .any(|one| one.kind.event == Event::THREAD_END);
    drop((listening, inside));
    if ends {
        // Whatever told others of the end may have come before, and this has taken its place anew.
        me.end();
    }
}

/// What is pending on this thread, which is not now.
fn set_aside<'l>(jni: &mut Env<'l>) -> Option<JThrowable<'l>> {
    if !jni.exception_check() {
        return None;
    }
    let pending = jni.exception_occurred();
    jni.exception_clear();
    pending
}

/// None: it was told, or is told no more.
fn told(
    jni: &mut Env<'_>,
    target: &Target,
    one: &Subscriber,
    arguments: &mut [jvalue],
) -> Option<Fate> {
    if let Some(number) = arguments.first_mut() {
        *number = jvalue { i: one.number };
    }
    match target.tell(jni, one.kind.place, arguments) {
        // Who was told, Java counts.
        Ok(_) => None,
        Err(_) => Some(Fate::Lost),
    }
}
