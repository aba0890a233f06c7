//! How Java is told of an event: on the thread on which it happens, before the VM goes on.

use jni::Env;
use jni::objects::{JThrowable, JValueOwned};
use jni::sys::jvalue;
use jvmti::sys::Event;

use crate::environment::gate::{self, Me};
use crate::environment::listening::{Listening, Untold};
use crate::event::counts::Fate;
use crate::event::filter::Subject;
use crate::event::profile::Profile;
use crate::event::subscriber::Subscriber;
use crate::event::target::Target;
use crate::failure::Outcome;
use crate::vm::daemon;

/// The most that an event hands over: a field's modification.
pub(super) const MOST: usize = 10;

pub(super) type Arguments = [jvalue; MOST];

/// The place of the listener's number.
pub(super) const LISTENER: jvalue = jvalue { i: 0 };

/// What of an event is handed over to a listener, and what becomes of the answer.
pub(super) trait Telling<'l> {
    fn arguments(&mut self, jni: &mut Env<'l>) -> Outcome<Arguments>;

    fn answered(&mut self, jni: &mut Env<'l>, answer: JValueOwned<'l>) -> Outcome<()>;
}

/// Makes the arguments, with what the listener before has answered.
pub(super) type Make<'m, 'l> = dyn FnMut(&mut Env<'l>, jvalue) -> Outcome<Arguments> + 'm;

/// These, and nothing more.
pub(super) fn arguments<const N: usize>(some: [jvalue; N]) -> Arguments {
    let mut all = [jvalue { j: 0 }; MOST];
    all[..N].copy_from_slice(&some);
    all
}

/// Tells whoever listens to that kind, who has no say in it.
pub(super) fn tells<'l>(
    env: &jvmti::Env,
    jni: &mut Env<'l>,
    kind: usize,
    subject: &Subject<'_, '_>,
    make: &mut Make<'_, 'l>,
    (): (),
) {
    tell(env, jni, kind, subject, &mut Told { make, made: None });
}

/// The same for all.
struct Told<'m, 'c, 'l> {
    make: &'m mut Make<'c, 'l>,
    made: Option<Arguments>,
}

impl<'l> Telling<'l> for Told<'_, '_, 'l> {
    fn arguments(&mut self, jni: &mut Env<'l>) -> Outcome<Arguments> {
        if let Some(made) = self.made {
            return Ok(made);
        }
        let made = (self.make)(jni, LISTENER)?;
        self.made = Some(made);
        Ok(made)
    }

    fn answered(&mut self, _: &mut Env<'l>, _: JValueOwned<'l>) -> Outcome<()> {
        Ok(())
    }
}

/// Tells whoever listens to that kind. The first one of the arguments is the place for the number of the listener.
///
/// The thread may be suspended in there, or wait for whatever a listener waits for: it has nothing that others need.
pub(super) fn tell<'l>(
    env: &jvmti::Env,
    jni: &mut Env<'l>,
    kind: usize,
    subject: &Subject<'_, '_>,
    telling: &mut dyn Telling<'l>,
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
    let is_end = subscribers.iter().any(|one| one.kind.is(Event::VM_DEATH));
    let listening = match is_end {
        // It is told once, also on a thread that has called for it in a listener.
        true => Ok(None),
        false => Listening::begin(me).map(Some),
    };
    if matches!(listening, Err(Untold::Ending)) {
        return;
    }
    let pending = set_aside(jni);
    for one in subscribers.iter() {
        let fate = match one.filter.fits(env, jni, subject) {
            Ok(false) => Some(Fate::Filtered),
            Ok(true) if listening.is_err() => Some(Fate::Suppressed),
            Ok(true) if !one.filter.admits_one_more() => Some(Fate::Filtered),
            Ok(true) => match &one.profile {
                Some(profile) => counted(env, jni, one, profile, subject),
                None => told(jni, target, one, telling),
            },
            Err(_) => Some(Fate::Lost),
        };
        jni.exception_clear();
        if let Some(fate) = fate {
            one.counts.count(fate);
        }
    }
    put_back(jni, pending);
    let ends = subscribers.iter().any(|one| one.kind.is(Event::THREAD_END));
    drop((listening, inside));
    if ends {
        // Whatever told others of the end may have come before, and this has taken its place anew.
        me.end();
    }
}

/// What is pending on this thread, which is not now.
pub(super) fn set_aside<'l>(jni: &mut Env<'l>) -> Option<JThrowable<'l>> {
    if !jni.exception_check() {
        return None;
    }
    let pending = jni.exception_occurred();
    jni.exception_clear();
    pending
}

pub(super) fn put_back<'l>(jni: &mut Env<'l>, pending: Option<JThrowable<'l>>) {
    if let Some(pending) = pending {
        let _ = jni.throw(&pending);
    }
}

/// None: it was counted.
fn counted(
    env: &jvmti::Env,
    jni: &mut Env<'_>,
    one: &Subscriber,
    profile: &Profile,
    subject: &Subject<'_, '_>,
) -> Option<Fate> {
    let counted = one
        .kind
        .event()
        .map(|event| profile.count(env, jni, event, subject));
    counted.and_then(Result::ok).unwrap_or(Some(Fate::Lost))
}

/// None: it was told, or is told no more. Who was told, Java counts.
fn told<'l>(
    jni: &mut Env<'l>,
    target: &Target,
    one: &Subscriber,
    telling: &mut dyn Telling<'l>,
) -> Option<Fate> {
    tell_one(jni, target, one, telling)
        .is_err()
        .then_some(Fate::Lost)
}

fn tell_one<'l>(
    jni: &mut Env<'l>,
    target: &Target,
    one: &Subscriber,
    telling: &mut dyn Telling<'l>,
) -> Outcome<()> {
    let mut arguments = telling.arguments(jni)?;
    arguments[0] = jvalue { i: one.number };
    match target.tell(jni, one.kind.place, &arguments)? {
        Some(answer) => telling.answered(jni, answer),
        None => Ok(()),
    }
}
