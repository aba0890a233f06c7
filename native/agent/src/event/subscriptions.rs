//! Who begins and ends to listen. The steward sees to it, so that nobody waits for a thread that is suspended meanwhile.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JObject;
use jvmti::Listener;
use jvmti::sys::{Capabilities, Error, Event};

use crate::environment::gate::{self, Inside, Me};
use crate::environment::undone::Undone;
use crate::environment::{freed, handles, life};
use crate::event::kind::Kind;
use crate::event::passes;
use crate::event::profile::Profile;
use crate::event::records;
use crate::event::subscriber::{self, Subscriber};
use crate::event::target::{self, Target};
use crate::event::teller;
use crate::failure::Outcome;
use crate::vm::{image, steward};

/// References that are made for each that ends.
const ROOM: usize = 16;

/// The environments that have somebody told, so that one that is forgotten is found without being asked for.
static ARMED: Mutex<Vec<u64>> = Mutex::new(Vec::new());

fn armed() -> MutexGuard<'static, Vec<u64>> {
    ARMED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn arm(env: &Inside) {
    armed().push(env.handle());
    // Whoever has closed it since may have come before.
    if !env.is_open() {
        Subscriptions.forget(env.handle());
    }
}

/// Whether anybody may be told.
pub(crate) fn is_any() -> bool {
    !armed().is_empty()
}

/// Closes those that are forgotten: what they asked the VM to tell of slows everybody down. Only by the steward.
pub(crate) fn sweep(jni: &Env<'_>) -> Outcome<()> {
    let known = armed().clone();
    let entries = known.iter().copied();
    life::sweep(
        jni,
        entries.filter_map(|handle| Some((handle, handles::entry(handle)?))),
    )
}

/// Those who listen.
pub(crate) struct Subscriptions;

impl Undone for Subscriptions {
    fn forget(&self, handle: u64) {
        armed().retain(|armed| *armed != handle);
        records::end(handle);
    }

    /// So that the VM's environment can be another's. It may be told then of what a thread was about to tell now, and
    /// looks at that as at any other event.
    fn undo(&self, env: &jvmti::Env, handle: u64) -> bool {
        let Some(entry) = handles::entry(handle) else {
            return true;
        };
        let Some(target) = entry.attached::<Target>() else {
            return true;
        };
        let all = target.take_all();
        let quiet = image::java_vm().and_then(|vm| {
            vm.with_local_frame(ROOM, |jni| -> Outcome<bool> {
                Ok(subscriber::turn_off_all(jni, env, &all))
            })
        });
        if !quiet.unwrap_or(false) {
            entry.stain();
        }
        true
    }

    fn give_up(&self, _: &jvmti::Env, handle: u64, unwanted: &Capabilities) {
        let ended = image::java_vm().and_then(|vm| {
            vm.with_local_frame(ROOM, |jni| -> Outcome<()> {
                let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
                let Some(target) = env.attached::<Target>() else {
                    return Ok(());
                };
                for one in target.give_up(unwanted) {
                    disable(jni, &env, target, &one);
                }
                Ok(())
            })
        });
        // Then it is closed.
        let _ = ended;
    }

    fn end_the_vm(&self) {
        teller::end_the_vm();
    }

    fn undo_all(&self) {
        records::flush_all();
    }

    fn wake(&self) {
        records::wake_all();
    }
}

/// Has `L` told of the events of `env`, and through it the `one`, of whom `delivery` knows.
pub(crate) fn begin<L: Listener>(
    jni: &mut Env<'_>,
    env: &Inside,
    delivery: &JObject<'_>,
    kinds: &'static [Kind],
    one: Subscriber,
) -> Outcome<()> {
    let (handle, number) = (env.handle(), one.number);
    let delivery = jni.new_global_ref(delivery)?;
    if one.kind.is(Event::OBJECT_FREE) {
        freed::make_room(env);
    }
    if one.kind.is_recorded {
        records::make_room(handle);
    }
    steward::ask(
        jni,
        move |jni| {
            let env = life::enter_own(Me::new(jni.get_raw()), handle.cast_signed())?;
            require_held(&env, one.kind)?;
            if env.attached::<Target>().is_none() {
                let target = Target::new(jni, &delivery, kinds)?;
                target::listen::<L>(&env)?;
                env.attach(target);
                arm(&env);
            }
            if one.kind.is_recorded {
                records::begin(jni, &env, one.kind, kinds.len())?;
            }
            let one = Arc::new(one);
            if let Some(target) = env.attached::<Target>() {
                target.add(Arc::clone(&one));
            }
            let enabled = one.enable::<L>(jni, &env);
            if enabled.is_err() {
                end_now(jni, &env, &one);
            }
            enabled
        },
        move |jni, ()| {
            if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())
                && let Some(one) = find(&env, number)
            {
                end_now(jni, &env, &one);
            }
        },
    )
}

/// What another thread has given back since it was asked for. Of class files HotSpot tells without, and never gives that
/// environment the capability again.
fn require_held(env: &Inside, kind: &Kind) -> Outcome<()> {
    let held = env.capabilities()?;
    if kind
        .needs
        .iter()
        .all(|capability| held.contains(*capability))
    {
        return Ok(());
    }
    let missing = Error::MUST_POSSESS_CAPABILITY;
    Err(jvmti::Error::new("SetEventNotificationMode", missing).into())
}

/// Has the subscriber of that number told no more.
pub(crate) fn end(jni: &Env<'_>, env: &Inside, number: i32) -> Outcome<()> {
    let handle = env.handle();
    let Some(one) = find(env, number) else {
        return Ok(());
    };
    steward::have_done(jni, move |jni| {
        let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
        end_now(jni, &env, &one);
        Ok(())
    })
}

/// Whether the subscriber of that number is told no more, as the capability was given up.
pub(crate) fn is_given_up(env: &Inside, number: i32) -> bool {
    let target = env.attached::<Target>();
    target.is_some_and(|target| target.given_up(number).is_some())
}

/// What became of the events of the subscriber of that number; none if it is told no more.
pub(crate) fn counts(env: &Inside, number: i32) -> Option<[i64; 3]> {
    find(env, number).map(|one| one.counts.all())
}

/// Who counts for that number; none if it is over.
pub(crate) fn profile(env: &Inside, number: i32) -> Option<Arc<Profile>> {
    find(env, number)?.profile.clone()
}

fn find(env: &Inside, number: i32) -> Option<Arc<Subscriber>> {
    env.attached::<Target>()?.find(number)
}

/// By the steward.
fn end_now(jni: &mut Env<'_>, env: &Inside, one: &Subscriber) {
    let Some(target) = env.attached::<Target>() else {
        return;
    };
    target.remove(one.kind.place, one.number);
    disable(jni, env, target, one);
}

/// Has the VM tell no more of what this one alone has asked for.
fn disable(jni: &mut Env<'_>, env: &Inside, target: &Target, one: &Subscriber) {
    if let Some(event) = one.kind.event()
        && passes::need(env.handle(), event)
    {
        return;
    }
    let others = target.needing(one.kind);
    let others: Vec<&Subscriber> = others.iter().map(|other| &**other).collect();
    if others.is_empty() && one.kind.is_recorded {
        records::end_kind(env.handle(), one.kind);
    }
    if !one.disable(jni, env, &others) {
        env.stain();
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::{NonNull, without_provenance_mut};

    use jvmti::{OwnedEnv, sys};

    use super::*;

    #[test]
    fn what_is_closed_meanwhile_does_not_stay_armed() {
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable::default()));
        let raw: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and nothing of it is called.
        let env = unsafe { OwnedEnv::from_raw(NonNull::from(raw)) };
        let handle = handles::publish(env.leak(), None).unwrap();
        let me = Me::new(without_provenance_mut(6_001 << 10));
        let inside = gate::enter(me, handle.cast_signed()).unwrap();
        arm(&inside);
        assert!(armed().contains(&handle));
        Subscriptions.forget(handle);
        assert!(!armed().contains(&handle), "as whoever closes it asks for");
        assert!(handles::entry(handle).unwrap().shut(handle).is_some());
        arm(&inside);
        assert!(!armed().contains(&handle), "it came after that");
    }
}
