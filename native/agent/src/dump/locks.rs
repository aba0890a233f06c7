//! What threads own, as the VM tells, and what they are parked on, as their fields tell.

use jni::Env;
use jni::ids::JFieldID;
use jni::objects::{JClass, JObject, JThread};
use jni::signature::ReturnType;
use jni::{jni_sig, jni_str};
use jvmti::OwnedMonitor;
use jvmti::sys::ThreadState;

use super::limits::{Forecast, Limits};
use super::lockers::Lockers;
use super::parts::Parts;
use super::stacks::{self, Stack};
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::owned_monitors::{self, Told};
use crate::vm::capacity::Room;
use crate::vm::jdk::{JdkClass, JdkField, THREAD};

static SYNCHRONIZER: JdkClass = JdkClass::new(jni_str!(
    "java.util.concurrent.locks.AbstractOwnableSynchronizer"
));

static PARK_BLOCKER: JdkField =
    JdkField::new(&THREAD, jni_str!("parkBlocker"), jni_sig!(java.lang.Object));
static OWNER: JdkField = JdkField::new(
    &SYNCHRONIZER,
    jni_str!("exclusiveOwnerThread"),
    jni_sig!(java.lang.Thread),
);

/// Of so many frames that nobody has asked for it is seen whether they may have locked something; of more that is not known.
const LOOKED_THROUGH: usize = 1 << 10;

/// Where the class library keeps what a parked thread waits for, and who owns it.
pub(super) struct Fields {
    park_blocker: JFieldID,
    synchronizer: &'static JClass<'static>,
    owner: JFieldID,
}

/// The monitors that a thread owns.
pub(crate) enum Owned<'l> {
    All(Vec<OwnedMonitor<'l>>),
    /// Deeper frames may have entered others.
    Upper(Vec<OwnedMonitor<'l>>),
    /// The VM does not tell them.
    Untold,
    /// There was no time to ask.
    NotAsked,
}

impl<'l> Owned<'l> {
    pub(crate) fn listed(&self) -> &[OwnedMonitor<'l>] {
        match self {
            Self::All(some) | Self::Upper(some) => some,
            Self::Untold | Self::NotAsked => &[],
        }
    }
}

/// What a thread is parked on, and the thread that owns it, if it is a lock and has one.
#[derive(Default)]
pub(crate) struct Blocker<'l> {
    pub(crate) object: Option<JObject<'l>>,
    pub(crate) owner: Option<JThread<'l>>,
}

impl Fields {
    pub(super) fn find(jni: &mut Env<'_>) -> Outcome<Self> {
        owned_monitors::prepare(jni)?;
        Ok(Self {
            park_blocker: PARK_BLOCKER.id(jni)?,
            owner: OWNER.id(jni)?,
            synchronizer: SYNCHRONIZER.get(jni)?,
        })
    }
}

/// The monitors that each thread owns; none of a thread that has ended. Nothing at all once it is seen that the last one would be asked after the deadline; while threads go
/// on, of some.
/// Only those are asked that are in a method which may lock: since 21 each question goes through all
/// threads first, and deoptimises frames, which has crashed 21 where virtual threads are mounted.
pub(super) fn monitors<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    env: &Inside,
    lockers: &mut Lockers<'_>,
    threads: &[JThread<'l>],
    stacks: &[Stack],
    limits: &Limits,
) -> Outcome<Option<Vec<Owned<'l>>>> {
    let told = Told::here(jni, env)?;
    room.made(jni, 1)?;
    let forecast = Forecast::of(limits, threads.len());
    let mut late = false;
    let mut all = Vec::with_capacity(threads.len());
    for (thread, stack) in threads.iter().zip(stacks) {
        if !late && forecast.is_late(all.len()) {
            if limits.give_up(Parts::MONITORS) {
                return Ok(None);
            }
            late = true;
        }
        let unseen = limits.cut(stack.frames.len());
        let is_alive = stack.state.contains(ThreadState::ALIVE);
        let may_own = unseen || lockers.among(jni, room, &stack.frames)?;
        all.push(match is_alive && may_own {
            true if late => Owned::NotAsked,
            true => match owned(jni, room, env, &told, thread, stack)? {
                None => Owned::Untold,
                Some(owned)
                    if are_all(jni, room, env, lockers, (thread, stack), &owned, limits)? =>
                {
                    Owned::All(owned)
                }
                Some(owned) => Owned::Upper(owned),
            },
            false => Owned::All(Vec::new()),
        });
    }
    Ok(Some(all))
}

fn owned<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    env: &Inside,
    told: &Told<'_>,
    thread: &JThread<'_>,
    stack: &Stack,
) -> Outcome<Option<Vec<OwnedMonitor<'l>>>> {
    if !told.of(jni, thread, stack.state.contains(ThreadState::SUSPENDED))? {
        return Ok(None);
    }
    let answer = env.owned_monitor_stack_depth_info(jni, Some(thread));
    let owned = answer.unwrap_or_default();
    room.made(jni, owned.len())?;
    let ours = told.ours(jni, thread, owned.iter().map(|one| &one.monitor));
    Ok(ours.then_some(owned))
}

/// Whether the VM has listed what frames of any depth own, or they own nothing.
fn are_all(
    jni: &Env<'_>,
    room: &mut Room,
    env: &Inside,
    lockers: &mut Lockers<'_>,
    (thread, stack): (&JThread<'_>, &Stack),
    owned: &[OwnedMonitor<'_>],
    limits: &Limits,
) -> Outcome<bool> {
    let listed = limits.listed_frames;
    let depths = owned.iter().map(|one| usize::try_from(one.stack_depth));
    if depths.flatten().any(|depth| depth >= listed) {
        return Ok(true);
    }
    let is_cut = limits.cut(stack.frames.len());
    let read;
    let deeper = match is_cut {
        true => {
            read = stacks::from(jni, env, thread, stack, listed, LOOKED_THROUGH)?;
            &read[..]
        }
        false => stack.frames.get(listed..).unwrap_or_default(),
    };
    let is_end = !is_cut || deeper.len() < LOOKED_THROUGH;
    Ok(deeper.is_empty() || is_end && !lockers.among(jni, room, deeper)?)
}

/// What each thread is parked on.
pub(super) fn blockers<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    fields: &Fields,
    threads: &[JThread<'l>],
) -> Outcome<Vec<Blocker<'l>>> {
    let mut all = Vec::with_capacity(threads.len());
    for thread in threads {
        room.made(jni, 2)?;
        all.push(blocker(jni, fields, thread)?);
    }
    Ok(all)
}

fn blocker<'l>(jni: &mut Env<'l>, fields: &Fields, thread: &JThread<'_>) -> Outcome<Blocker<'l>> {
    let object = read(jni, thread, fields.park_blocker)?;
    let owner = match &object {
        Some(object) if jni.is_instance_of(object, fields.synchronizer)? => {
            let owner = read(jni, object, fields.owner)?;
            // SAFETY: the type of the field.
            owner.map(|owner| unsafe { JThread::from_raw(jni, owner.into_raw()) })
        }
        _ => None,
    };
    Ok(Blocker { object, owner })
}

fn read<'l>(
    jni: &mut Env<'l>,
    object: &JObject<'_>,
    field: JFieldID,
) -> Outcome<Option<JObject<'l>>> {
    // SAFETY: the field is one of the object's class, and a reference.
    let value = unsafe { jni.get_field_unchecked(object, field, ReturnType::Object) }?.l()?;
    Ok((!value.is_null()).then_some(value))
}
