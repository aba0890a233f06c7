//! How Java is told of an event: on the thread on which it happens, before the VM goes on.

use std::sync::Arc;

use jni::Env;
use jni::objects::{JObject, JThrowable, JValueOwned};
use jni::sys::jvalue;
use jvmti::sys::{Error, Event};

use crate::environment::gate::{self, Me};
use crate::environment::handles;
use crate::environment::listening::{Listening, Untold};
use crate::event::counts::Fate;
use crate::event::filter::Subject;
use crate::event::kind::Kind;
use crate::event::profile::Profile;
use crate::event::stopped;
use crate::event::subscriber::Subscriber;
use crate::event::target::Target;
use crate::failure::{Failure, Outcome};
use crate::thread::{leavers, transition};
use crate::vm::daemon;

/// The most that an event hands over: a field's modification.
pub(super) const MOST: usize = 10;

pub(super) type Arguments = [jvalue; MOST];

/// The place of the listener's number.
pub(super) const LISTENER: jvalue = jvalue { i: 0 };

/// What of an event is handed over to a listener, and what becomes of the answer.
pub(super) trait Telling<'l> {
    /// Makes the arguments what the next listener is told: they are as they were for the one before.
    fn prepare(&mut self, jni: &mut Env<'l>, arguments: &mut Arguments) -> Outcome<()>;

    fn answered(&mut self, _: &mut Env<'l>, _: JValueOwned<'l>) -> Outcome<()> {
        Ok(())
    }

    /// That one was told.
    fn told(&mut self, _: &Arc<Subscriber>) {}

    /// Whether the VM goes on as listeners say, on a thread of the library's, too: there classes of the application may be loaded.
    fn have_a_say(&self) -> bool {
        false
    }
}

/// Makes the arguments, with what the listener before has answered.
pub(super) type Make<'m, 'l> = dyn FnMut(&mut Env<'l>, jvalue, &mut Arguments) -> Outcome<()> + 'm;

/// Tells whoever listens to that kind, who has no say in it.
pub(super) fn tells<'l>(
    env: &jvmti::Env,
    jni: &mut Env<'l>,
    kind: &Kind,
    subject: &Subject<'_, '_>,
    make: &mut Make<'_, 'l>,
    (): (),
) {
    tell(env, jni, kind, subject, &mut Told::with(make));
}

/// The same for all.
pub(super) struct Told<'m, 'c, 'l> {
    make: &'m mut Make<'c, 'l>,
    is_made: bool,
}

impl<'m, 'c, 'l> Told<'m, 'c, 'l> {
    pub(super) fn with(make: &'m mut Make<'c, 'l>) -> Self {
        let is_made = false;
        Self { make, is_made }
    }
}

impl<'l> Telling<'l> for Told<'_, '_, 'l> {
    fn prepare(&mut self, jni: &mut Env<'l>, arguments: &mut Arguments) -> Outcome<()> {
        if !self.is_made {
            (self.make)(jni, LISTENER, arguments)?;
            self.is_made = true;
        }
        Ok(())
    }
}

/// Tells whoever listens to that kind. The first one of the arguments is the place for the number of the listener.
///
/// The thread may be suspended in there, or wait for whatever a listener waits for: it has nothing that others need.
pub(super) fn tell<'l>(
    env: &jvmti::Env,
    jni: &mut Env<'l>,
    kind: &Kind,
    subject: &Subject<'_, '_>,
    telling: &mut dyn Telling<'l>,
) {
    // What others wait for is done there, by no code of theirs.
    if daemon::is_current() {
        return;
    }
    let me = Me::new(jni.get_raw());
    let Some(handle) = handles::of(env) else {
        return;
    };
    let Ok(inside) = gate::enter(me, handle.cast_signed()) else {
        return;
    };
    let Some(target) = inside.attached::<Target>() else {
        return;
    };
    let subscribers = target.subscribers(kind.place);
    if subscribers.is_empty() {
        return;
    }
    let is_leaving = stopped::is_leaving(jni, env, subject.method);
    let listening = match kind.is(Event::VM_DEATH) {
        // It is told once, also on a thread that has called for it in a listener.
        true => Ok(None),
        false => Listening::begin(me).map(Some),
    };
    if matches!(listening, Err(Untold::Ending)) {
        return;
    }
    let pending = set_aside(jni);
    let here = || match transition::frame_location(jni, &inside, None, 0) {
        Ok(frame) => Ok(Some(frame)),
        Err(Failure::Jvmti(none)) if none.code == Error::NO_MORE_FRAMES => Ok(None),
        Err(failure) => Err(failure),
    };
    let is_held_back = matches!(listening, Ok(Some(_)))
        && leavers::holds_back(me, kind.place, inside.handle(), here);
    let is_ours = matches!(listening, Ok(Some(_))) && daemon::is_ours() && !telling.have_a_say();
    let mut call = Call::of(target);
    for one in subscribers.iter() {
        if is_ours && !one.is_nested {
            continue;
        }
        let fate = match one.filter.fits(env, jni, subject) {
            Ok(false) => Some(Fate::Filtered),
            Ok(true) if is_leaving || is_held_back => Some(Fate::Suppressed),
            Ok(true) if listening.is_err() && !one.is_nested => Some(Fate::Suppressed),
            Ok(true) if !one.filter.admits_one_more() => Some(Fate::Filtered),
            Ok(true) => match &one.profile {
                Some(profile) => counted(env, jni, one, profile, subject),
                None => {
                    let fate = call.told(jni, one, telling);
                    telling.told(one);
                    fate
                }
            },
            Err(_) => Some(Fate::Lost),
        };
        if let Some(fate) = fate {
            one.counts.count(fate);
            if let Fate::Lost = fate {
                jni.exception_clear();
            }
        }
    }
    put_back(jni, pending);
    drop((listening, inside));
    if kind.is(Event::THREAD_END) {
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

/// The calls of an event.
struct Call<'t, 'l> {
    target: &'t Target,
    /// Whose method is called, once somebody is.
    object: Option<JObject<'l>>,
    arguments: Arguments,
}

impl<'t, 'l> Call<'t, 'l> {
    fn of(target: &'t Target) -> Self {
        Self {
            target,
            object: None,
            arguments: [LISTENER; MOST],
        }
    }

    /// None: it was told, or is told no more. Who was told, Java counts.
    fn told(
        &mut self,
        jni: &mut Env<'l>,
        one: &Subscriber,
        telling: &mut dyn Telling<'l>,
    ) -> Option<Fate> {
        self.tell(jni, one, telling).is_err().then_some(Fate::Lost)
    }

    fn tell(
        &mut self,
        jni: &mut Env<'l>,
        one: &Subscriber,
        telling: &mut dyn Telling<'l>,
    ) -> Outcome<()> {
        if self.object.is_none() {
            self.object = self.target.object(jni)?;
        }
        let Some(object) = &self.object else {
            return Ok(());
        };
        telling.prepare(jni, &mut self.arguments)?;
        self.arguments[0] = jvalue { i: one.number };
        match self
            .target
            .tell(jni, object, one.kind.place, &self.arguments)?
        {
            JValueOwned::Void => Ok(()),
            answer => telling.answered(jni, answer),
        }
    }
}
