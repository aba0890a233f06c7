//! Who listens to events of one kind.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JThread;
use jvmti::Listener;
use jvmti::sys::{Capabilities, Error, Event, EventMode};

use crate::environment::freed;
use crate::environment::gate::Inside;
use crate::environment::life;
use crate::event::counts::Counts;
use crate::event::everybody::{Everybody, Named};
use crate::event::filter::{Filter, Objects};
use crate::event::kind::{Kind, Source};
use crate::event::profile::Profile;
use crate::failure::{Failure, Outcome};
use crate::thread::interpreted::{self, Interpreted};
use crate::thread::virtual_thread::{is_alive, is_virtual};
use crate::vm::{image, steward};

/// From this JDK on who names threads has no others asked for: a virtual one is told no more of what is asked for of it alone
/// once the VM keeps a state for who carries it.
const HAS_VIRTUAL: i32 = 21;

/// So many threads the VM is asked for one by one.
const FEW: usize = 64;

/// Whoever waits for the steward sees that it goes on.
fn go_on_now_and_then(place: usize) {
    if place.is_multiple_of(FEW) {
        steward::go_on();
    }
}

fn each(
    jni: &mut Env<'_>,
    threads: &Objects<JThread<'static>>,
    mut deed: impl FnMut(&mut Env<'_>, &JThread<'_>) -> Outcome<()>,
) -> Outcome<()> {
    for (place, thread) in threads.iter().enumerate() {
        go_on_now_and_then(place);
        let thread = thread.upgrade_local(jni)?.ok_or_else(not_alive)?;
        deed(jni, &thread)?;
        jni.delete_local_ref(thread);
    }
    Ok(())
}

/// Has the VM tell none of them any more; false: it is not known whether it does. Of more than a few it is not tried, but
/// where that cannot be disposed.
pub(super) fn turn_off_all(jni: &mut Env<'_>, env: &jvmti::Env, all: &[Arc<Subscriber>]) -> bool {
    let asked = |one: &Arc<Subscriber>| one.threads().map_or(1, Objects::len);
    let is_few = freed::are_told(env) || all.iter().map(asked).sum::<usize>() <= FEW;
    let mut are_off = is_few;
    for one in all.iter().filter(|_| is_few) {
        are_off &= one.turn_off(jni, env, &[]);
    }
    are_off
}

fn not_alive() -> Failure {
    jvmti::Error::new("SetEventNotificationMode", Error::THREAD_NOT_ALIVE).into()
}

/// A listener of Java's, which knows it by a number.
pub(crate) struct Subscriber {
    pub(super) number: i32,
    pub(super) kind: &'static Kind,
    pub(super) filter: Filter,
    /// Who counts, in place of a listener.
    pub(super) profile: Option<Arc<Profile>>,
    /// Whether it is told of what a listener does, too: one of the library's own, which does next to nothing.
    pub(super) is_nested: bool,
    pub(super) counts: Counts,
    /// Until the VM is asked for its events no more.
    interpreted: Mutex<Option<Interpreted>>,
    /// While the VM is asked for its events.
    everybody: Mutex<Option<Everybody>>,
    named: Mutex<Option<Named>>,
    /// Whether it names virtual threads for their exceptions. Compiled code looks at a mark of the thread that carries them,
    /// which the VM sets when it is asked for their events, and not when another one carries them (21, 25).
    names_carried: AtomicBool,
}

impl Subscriber {
    pub(crate) fn new(
        number: i32,
        kind: &'static Kind,
        filter: Filter,
        profile: Option<Arc<Profile>>,
        is_nested: bool,
    ) -> Self {
        Self {
            number,
            kind,
            filter,
            profile,
            is_nested,
            counts: Counts::default(),
            interpreted: Mutex::new(kind.event().and_then(Interpreted::if_for)),
            everybody: Mutex::default(),
            named: Mutex::default(),
            names_carried: AtomicBool::new(false),
        }
    }

    /// Whether it is told no more without `unwanted`.
    pub(super) fn needs(&self, unwanted: &Capabilities) -> bool {
        let mut needs = self.kind.needs.iter();
        needs.any(|one| unwanted.contains(*one))
    }

    /// Has the VM tell of what is asked for.
    pub(super) fn enable<L: Listener>(&self, jni: &mut Env<'_>, env: &Inside) -> Outcome<()> {
        if self.stays() {
            env.stain();
        }
        if let Source::OfHotSpot(event) = self.kind.source {
            life::ask_hotspot();
            env.listen_to::<L>(event)?;
        }
        let names_carried = self.names_carried(jni)?;
        self.names_carried.store(names_carried, Ordering::Relaxed);
        // Those who are named have a state from this on.
        if let Some(few) = self.threads() {
            if image::feature(env)? >= HAS_VIRTUAL {
                *self.named.lock().unwrap_or_else(PoisonError::into_inner) = Some(Named::some());
            } else {
                *self.everybody() = Some(Everybody::reach(jni)?);
            }
            return each(jni, few, |_, thread| {
                self.set_mode(env, EventMode::ENABLE, Some(thread))
            });
        }
        if self.kind.by_thread {
            *self.everybody() = Some(Everybody::reach(jni)?);
        }
        // Of few the VM says it.
        let many = self.filter.threads.as_ref();
        if let Some(many) = many.filter(|_| self.kind.by_thread) {
            each(jni, many, |jni, thread| {
                let is_alive = is_alive(jni, env, thread)?;
                is_alive.then_some(()).ok_or_else(not_alive)
            })?;
        }
        self.set_mode(env, EventMode::ENABLE, None)
    }

    fn names_carried(&self, jni: &mut Env<'_>) -> Outcome<bool> {
        let thrown = self.kind.is(Event::EXCEPTION) || self.kind.is(Event::EXCEPTION_CATCH);
        let Some(threads) = self.filter.threads.as_ref().filter(|_| thrown) else {
            return Ok(false);
        };
        let mut any = false;
        each(jni, threads, |jni, thread| {
            any |= is_virtual(jni, thread)?;
            Ok(())
        })?;
        Ok(any)
    }

    /// Has the VM tell no more of what this one alone has asked for, with `others` still asking.
    ///
    /// False: it is not known whether the VM tells no more.
    pub(super) fn disable(&self, jni: &mut Env<'_>, env: &jvmti::Env, others: &[&Self]) -> bool {
        let is_off = self.turn_off(jni, env, others);
        let interpreted = self.interpreted.lock();
        drop(interpreted.unwrap_or_else(PoisonError::into_inner).take());
        let everybody = self.everybody().take();
        drop(everybody);
        let named = self.named.lock();
        drop(named.unwrap_or_else(PoisonError::into_inner).take());
        is_off
    }

    fn everybody(&self) -> MutexGuard<'_, Option<Everybody>> {
        let everybody = self.everybody.lock();
        everybody.unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether something stays in the environment: HotSpot remembers whether one that has seen class files could have
    /// classes retransformed then, and what it is to call for events of its own.
    fn stays(&self) -> bool {
        let mut sources = self.kind.sources().iter();
        sources.any(|source| match source {
            Source::Specified(event) => *event == Event::CLASS_FILE_LOAD_HOOK,
            Source::OfHotSpot(_) => true,
        })
    }

    /// Threads that have ended are nothing to it.
    fn turn_off(&self, jni: &mut Env<'_>, env: &jvmti::Env, others: &[&Self]) -> bool {
        let Some(threads) = self.threads() else {
            let is_wanted = others.iter().any(|other| other.threads().is_none());
            return is_wanted || self.set_mode(env, EventMode::DISABLE, None).is_ok();
        };
        let mut is_off = true;
        for (place, thread) in threads.iter().enumerate() {
            go_on_now_and_then(place);
            let thread = match thread.upgrade_local(jni) {
                Ok(Some(thread)) => thread,
                Ok(None) => continue,
                Err(_) => {
                    is_off = false;
                    continue;
                }
            };
            let is_wanted = others.iter().any(|other| {
                let theirs = other.threads();
                theirs
                    .is_some_and(|theirs| theirs.contain(env, jni, thread.as_ref()).unwrap_or(true))
            });
            is_off &= is_wanted || self.is_off(env, &thread);
            jni.delete_local_ref(thread);
        }
        is_off
    }

    fn is_off(&self, env: &jvmti::Env, thread: &JThread<'_>) -> bool {
        match self.set_mode(env, EventMode::DISABLE, Some(thread)) {
            Err(Failure::Jvmti(refused)) => refused.code == Error::THREAD_NOT_ALIVE,
            answer => answer.is_ok(),
        }
    }

    /// The threads that the VM is to tell of; none: all. Of many it tells more cheaply if it tells of all: it goes through
    /// all threads for each that it is asked for. But for what it has threads interpreted for.
    fn threads(&self) -> Option<&Objects<JThread<'static>>> {
        let threads = self.filter.threads.as_ref();
        if self.names_carried.load(Ordering::Relaxed) {
            return None;
        }
        let is_few = |threads: &&Objects<_>| {
            threads.len() <= FEW || self.kind.event().is_some_and(interpreted::is_for)
        };
        threads.filter(|_| self.kind.by_thread).filter(is_few)
    }

    fn set_mode(
        &self,
        env: &jvmti::Env,
        mode: EventMode,
        thread: Option<&JThread<'_>>,
    ) -> Outcome<()> {
        for source in self.kind.sources() {
            let event = match *source {
                Source::Specified(event) => event,
                // Before 21 it would be enabled without this.
                Source::OfHotSpot(event) => env.hotspot_event(event)?,
            };
            match (event, mode) {
                (Event::OBJECT_FREE, EventMode::ENABLE) => freed::tell(env)?,
                (Event::OBJECT_FREE, _) => {}
                _ => env.set_event_notification_mode(mode, event, thread)?,
            }
        }
        Ok(())
    }
}
