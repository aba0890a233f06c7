//! `DumpNatives`: everything that a thread dump tells, read in one call.

use std::time::Duration;

use jni::objects::{JClass, JIntArray, JLongArray, JObject, JObjectArray, JString, JThread};
use jni::signature::{Primitive, ReturnType};
use jni::sys::{jint, jlong};
use jni::{Env, EnvUnowned, jni_sig, jni_str};

use super::frame::pack_list;
use super::thread::{error_array, threads};
use super::values::{array_of, references, string_array};
use crate::boundary::context;
use crate::boundary::guard::{inside_bound, inside_jni, outside};
use crate::boundary::records::DumpFacts;
use crate::dump::{self, Dump, Local, Owned, Parts, Wanted, virtual_threads};
use crate::environment::gate::{self, Me};
use crate::failure::Outcome;
use crate::thread::native_thread::NativeThread;
use crate::vm::bare::{int_array, long_array};
use crate::vm::capacity::Room;
use crate::vm::jdk::{JdkMethod, THREAD};

static GET_ID: JdkMethod = JdkMethod::new(&THREAD, jni_str!("getId"), jni_sig!(() -> jlong));

/// The arrays of a dump, and what making them takes.
const REFERENCES: usize = 32;

/// In place of the number of monitors that a thread owns.
const NOT_TOLD: jint = -1;
/// In place of a number of the operating system, and of an age.
const UNKNOWN: jlong = -1;
/// In place of it where there was no time to ask.
const NOT_ASKED: jint = jint::MIN;
/// Less that number, where it may own more.
const NOT_ALL: jint = -2;

pub(super) fn virtual_threads<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JThread<'l>> {
    inside_jni(jni, class, env, |_, jni| {
        let found = virtual_threads::tracked(jni)?;
        array_of::<JThread>(jni, &found)
    })
}

#[allow(clippy::too_many_arguments, reason = "as the bridge declares it")]
pub(super) fn collect<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    others: JObjectArray<'l, JThread<'l>>,
    nanos: jlong,
    listed_frames: jint,
    depth: jint,
    parts: jint,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let others = threads(jni, &others)?;
        let metadata = context::bound(jni, class)?.metadata(jni)?;
        let metadata = gate::enter(Me::new(jni.get_raw()), metadata)?;
        let mut room = Room::default();
        room.made(jni, others.len())?;
        let dump = dump::collect(
            jni,
            &mut room,
            [env, &metadata],
            others,
            &Wanted {
                parts: Parts(parts),
                listed_frames: usize::try_from(listed_frames).unwrap_or(0),
                depth: usize::try_from(depth).unwrap_or(0),
                patience: Duration::from_nanos(u64::try_from(nanos).unwrap_or(0)),
            },
        )?;
        facts(jni, &mut room, class, &dump)
    })
}

pub(super) fn thread_id<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, thread: JThread<'l>) -> jlong {
    outside(jni, class, |jni, _| {
        let (of, get_id) = (THREAD.get(jni)?, GET_ID.id(jni)?);
        let long = ReturnType::Primitive(Primitive::Long);
        // SAFETY: the method is one of `Thread`, without parameters.
        let answer =
            unsafe { jni.call_nonvirtual_method_unchecked(&thread, of, get_id, long, &[]) };
        Ok(answer?.j()?)
    })
}

fn facts<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    class: &JClass<'_>,
    dump: &Dump<'l>,
) -> Outcome<JObject<'l>> {
    room.made(jni, REFERENCES)?;
    let stacks: Vec<_> = dump
        .stacks
        .iter()
        .map(|stack| (stack.state, stack.frames.as_slice()))
        .collect();
    let suspended = part(&dump.suspended, |results| error_array(jni, results))?;
    let cpu_nanos = part(&dump.cpu_nanos, |nanos| long_array(jni, nanos))?;
    let contended = part(&dump.contended, |wanted| {
        references(jni, wanted.iter().map(Option::as_ref))
    })?;
    let contended_owners = part(&dump.contended_owners, |owners| {
        or_nobody(jni, owners.iter().map(Option::as_ref))
    })?;
    let monitors = part(&dump.monitors, |owned| monitors(jni, owned))?;
    let blockers = dump.blockers.iter().map(|blocker| blocker.object.as_ref());
    let blockers = references(jni, blockers)?;
    let blocker_owners = dump.blockers.iter().map(|blocker| blocker.owner.as_ref());
    let blocker_owners = or_nobody(jni, blocker_owners)?;
    let locals = part(&dump.locals, |locals| locals_of(jni, room, locals))?;
    let hosts = part(&dump.hosts, |hosts| {
        let containers = hosts.iter().map(|host| host.container.as_ref());
        let carriers = hosts.iter().map(|host| host.carrier.as_ref());
        let owners = hosts.iter().map(|host| host.container_owner.as_ref());
        let containers = references(jni, containers)?;
        Ok((
            or_nobody(jni, carriers)?,
            containers,
            or_nobody(jni, owners)?,
        ))
    })?;
    let natives = part(&dump.natives, |natives| natives_of(jni, natives))?;
    let facts = DumpFacts {
        threads: &array_of::<JThread>(jni, &dump.threads)?,
        packed: &long_array(jni, &pack_list(&stacks))?,
        suspended: suspended.as_ref(),
        cpu_nanos: cpu_nanos.as_ref(),
        contended: contended.as_ref(),
        contended_owners: contended_owners.as_ref(),
        monitor_counts: monitors.as_ref().map(|owned| &owned.counts),
        monitors: monitors.as_ref().map(|owned| &owned.monitors),
        monitor_depths: monitors.as_ref().map(|owned| &owned.depths),
        blockers: Some(&blockers),
        blocker_owners: Some(&blocker_owners),
        local_places: locals.as_ref().map(|locals| &locals.places),
        local_names: locals.as_ref().map(|locals| &locals.names),
        local_signatures: locals.as_ref().map(|locals| &locals.signatures),
        local_bits: locals.as_ref().map(|locals| &locals.bits),
        local_objects: locals.as_ref().map(|locals| &locals.objects),
        carriers: hosts.as_ref().map(|(carriers, ..)| carriers),
        containers: hosts.as_ref().map(|(_, containers, _)| containers),
        container_owners: hosts.as_ref().map(|(.., owners)| owners),
        native_ids: natives.as_ref().map(|(ids, _)| ids),
        ages_nanos: natives
            .as_ref()
            .filter(|_| dump.has_ages)
            .map(|(_, ages)| ages),
        late: dump.late,
        expired: dump.expired,
    };
    facts.make(jni, &context::bound(jni, class)?.records)
}

/// Numbers and ages.
fn natives_of<'l>(
    jni: &mut Env<'l>,
    natives: &[Option<NativeThread>],
) -> Outcome<(JLongArray<'l>, JLongArray<'l>)> {
    let ids = natives
        .iter()
        .map(|one| one.map_or(UNKNOWN, |one| one.id.into()));
    let nanos = |age: Duration| jlong::try_from(age.as_nanos()).unwrap_or(UNKNOWN);
    let ages = natives
        .iter()
        .map(|one| one.and_then(|one| one.age).map_or(UNKNOWN, nanos));
    let (ids, ages): (Vec<_>, Vec<_>) = (ids.collect(), ages.collect());
    Ok((long_array(jni, &ids)?, long_array(jni, &ages)?))
}

/// The arrays of a part that was asked for.
fn part<T, A>(part: &Option<T>, arrays: impl FnOnce(&T) -> Outcome<A>) -> Outcome<Option<A>> {
    part.as_ref().map(arrays).transpose()
}

fn or_nobody<'l, 't>(
    jni: &mut Env<'l>,
    owners: impl Iterator<Item = Option<&'t JThread<'t>>>,
) -> Outcome<JObjectArray<'l, JThread<'l>>> {
    let nobody = JThread::null();
    let owners: Vec<_> = owners.map(|owner| owner.unwrap_or(&nobody)).collect();
    array_of::<JThread>(jni, &owners)
}

/// How many monitors each thread owns, the monitors of all, and the depths of the frames.
struct Monitors<'l> {
    counts: JIntArray<'l>,
    monitors: JObjectArray<'l, JObject<'l>>,
    depths: JIntArray<'l>,
}

fn monitors<'l>(jni: &mut Env<'l>, owned: &[Owned<'_>]) -> Outcome<Monitors<'l>> {
    let counts = owned.iter().map(|some| match some {
        Owned::All(all) => all.len() as jint,
        Owned::Untold => NOT_TOLD,
        Owned::NotAsked => NOT_ASKED,
        Owned::Upper(upper) => NOT_ALL - upper.len() as jint,
    });
    let counts: Vec<jint> = counts.collect();
    let all = || owned.iter().flat_map(Owned::listed);
    let depths: Vec<jint> = all().map(|one| one.stack_depth).collect();
    Ok(Monitors {
        counts: int_array(jni, &counts)?,
        monitors: references(jni, all().map(|one| Some(&one.monitor)))?,
        depths: int_array(jni, &depths)?,
    })
}

/// Where the local variables are, and what.
struct Locals<'l> {
    places: JIntArray<'l>,
    names: JObjectArray<'l, JString<'l>>,
    signatures: JObjectArray<'l, JString<'l>>,
    bits: JLongArray<'l>,
    objects: JObjectArray<'l, JObject<'l>>,
}

fn locals_of<'l>(jni: &mut Env<'l>, room: &mut Room, locals: &[Local<'_>]) -> Outcome<Locals<'l>> {
    let places: Vec<jint> = locals.iter().flat_map(|local| local.place).collect();
    let bits: Vec<jlong> = locals.iter().map(|local| local.value.bits()).collect();
    let names = locals.iter().map(|local| Some(&*local.name));
    let signatures = locals.iter().map(|local| Some(&*local.signature));
    Ok(Locals {
        places: int_array(jni, &places)?,
        names: string_array(jni, room, names)?,
        signatures: string_array(jni, room, signatures)?,
        bits: long_array(jni, &bits)?,
        objects: references(jni, locals.iter().map(|local| local.value.object()))?,
    })
}
