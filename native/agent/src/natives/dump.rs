//! `DumpNatives`: everything that a thread dump tells, read in one call.

use jni::objects::{JClass, JObject, JObjectArray, JString, JThread};
use jni::sys::{jint, jlong, jobject, jvalue};
use jni::{Env, EnvUnowned, NativeMethod, jni_sig, jni_str};
use jvmti::MutfString;

use super::frame::pack_list;
use super::row::native;
use super::thread::{error_array, thread_array, threads};
use super::values::{int_array, long_array};
use crate::boundary::context::{self, unbound};
use crate::boundary::guard::{inside_bound, inside_jni, outside};
use crate::dump::{self, Dump, Local, Parts, virtual_threads};
use crate::failure::Outcome;
use crate::vm::capacity::Room;

/// The arrays of a dump, and what making them takes.
const REFERENCES: usize = 32;

/// In place of the number of monitors that a thread owns.
const NOT_TOLD: jint = -1;

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(virtual_threads(env: jlong) -> java.lang.Thread[]),
        native!(collect(
            env: jlong,
            virtual_threads: java.lang.Thread[],
            nanos: jlong,
            parts: jint,
        ) -> JObject),
        native!(thread_id(thread: java.lang.Thread) -> jlong),
    ]
}

fn virtual_threads<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JThread<'l>> {
    inside_jni(jni, class, env, |_, jni| {
        let found = virtual_threads::tracked(jni)?;
        thread_array(jni, &found)
    })
}

fn collect<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    others: JObjectArray<'l, JThread<'l>>,
    nanos: jlong,
    parts: jint,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let others = threads(jni, &others)?;
        let mut room = Room::default();
        room.made(jni, others.len())?;
        let dump = dump::collect(jni, &mut room, env, others, nanos, Parts(parts))?;
        facts(jni, &mut room, class, &dump)
    })
}

fn thread_id<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, thread: JThread<'l>) -> jlong {
    outside(jni, class, |jni, _| {
        let name = jni_str!("getId");
        let of = jni_str!("java/lang/Thread");
        let answer = jni.call_nonvirtual_method(&thread, of, name, jni_sig!(() -> jlong), &[])?;
        Ok(answer.j()?)
    })
}

fn facts<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    class: &JClass<'_>,
    dump: &Dump<'l>,
) -> Outcome<JObject<'l>> {
    room.made(jni, REFERENCES)?;
    let context = context::of(jni, class).ok_or_else(unbound)?;
    let who = thread_array(jni, &dump.threads)?;
    let stacks: Vec<_> = dump
        .stacks
        .iter()
        .map(|stack| (stack.state, stack.frames.as_slice()))
        .collect();
    let packed = long_array(jni, &pack_list(&stacks))?;
    let suspended = part(&dump.suspended, |results| error_array(jni, results))?;
    let cpu_nanos = part(&dump.cpu_nanos, |nanos| long_array(jni, nanos))?;
    let contended = part(&dump.contended, |wanted| {
        references(jni, wanted.iter().map(Option::as_ref))
    })?;
    let nobody = JThread::null();
    let contended_owners = part(&dump.contended_owners, |owners| {
        let owners = owners.iter().map(|owner| owner.as_ref().unwrap_or(&nobody));
        thread_array(jni, &owners.collect::<Vec<_>>())
    })?;
    let [counts, monitors, depths] = monitors(jni, dump)?;
    let blockers = dump.blockers.iter().map(|blocker| blocker.object.as_ref());
    let blockers = references(jni, blockers)?;
    let owners = dump.blockers.iter().map(|blocker| blocker.owner.as_ref());
    let owners: Vec<_> = owners.map(|owner| owner.unwrap_or(&nobody)).collect();
    let owners = thread_array(jni, &owners)?;
    let [places, names, signatures, bits, objects] = locals(jni, room, dump)?;
    let references = [
        who.as_raw(),
        packed.as_raw(),
        suspended,
        cpu_nanos,
        contended,
        contended_owners,
        counts,
        monitors,
        depths,
        blockers.as_raw(),
        owners.as_raw(),
        places,
        names,
        signatures,
        bits,
        objects,
    ];
    let mut args: Vec<jvalue> = references.iter().map(|one| jvalue { l: *one }).collect();
    args.push(jvalue { z: dump.expired });
    // SAFETY: the arguments are those of the DumpFacts constructor.
    unsafe { context.facts.dump.construct(jni, &args) }
}

/// The array of a part that was asked for, else null.
fn part<'l, T, A: AsRef<JObject<'l>>>(
    part: &Option<T>,
    array: impl FnOnce(&T) -> Outcome<A>,
) -> Outcome<jobject> {
    match part {
        Some(part) => Ok(array(part)?.as_ref().as_raw()),
        None => Ok(std::ptr::null_mut()),
    }
}

/// How many monitors each thread owns, the monitors of all, and the depths of the frames.
fn monitors(jni: &mut Env<'_>, dump: &Dump<'_>) -> Outcome<[jobject; 3]> {
    let Some(owned) = &dump.monitors else {
        return Ok([std::ptr::null_mut(); 3]);
    };
    let counts = owned.iter().map(|some| match some {
        Some(some) => some.len() as jint,
        None => NOT_TOLD,
    });
    let counts: Vec<jint> = counts.collect();
    let all = || owned.iter().flatten().flatten();
    let depths: Vec<jint> = all().map(|one| one.stack_depth).collect();
    Ok([
        int_array(jni, &counts)?.as_raw(),
        references(jni, all().map(|one| Some(&one.monitor)))?.as_raw(),
        int_array(jni, &depths)?.as_raw(),
    ])
}

/// Places, names, signatures, bits and objects of the local variables.
fn locals(jni: &mut Env<'_>, room: &mut Room, dump: &Dump<'_>) -> Outcome<[jobject; 5]> {
    let Some(locals) = &dump.locals else {
        return Ok([std::ptr::null_mut(); 5]);
    };
    let places: Vec<jint> = locals.iter().flat_map(|local| local.place).collect();
    let bits: Vec<jlong> = locals.iter().map(Local::bits).collect();
    Ok([
        int_array(jni, &places)?.as_raw(),
        strings(jni, room, locals, |local| &local.name)?.as_raw(),
        strings(jni, room, locals, |local| &local.signature)?.as_raw(),
        long_array(jni, &bits)?.as_raw(),
        references(jni, locals.iter().map(Local::object))?.as_raw(),
    ])
}

/// An `Object[]`, null where there is none.
fn references<'l, 'o>(
    jni: &mut Env<'l>,
    objects: impl Iterator<Item = Option<&'o JObject<'o>>>,
) -> Outcome<JObjectArray<'l, JObject<'l>>> {
    let objects: Vec<_> = objects.collect();
    let object = jni.find_class(jni_str!("java/lang/Object"))?;
    let array = jni.new_object_array(objects.len() as jint, &object, JObject::null())?;
    for (index, object) in objects.iter().enumerate() {
        if let Some(object) = object {
            array.set_element(jni, index, object)?;
        }
    }
    Ok(array)
}

fn strings<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    locals: &[Local<'_>],
    text: for<'a> fn(&'a Local<'_>) -> &'a MutfString,
) -> Outcome<JObjectArray<'l, JString<'l>>> {
    let array = JObjectArray::<JString<'_>>::new(jni, locals.len(), JString::null())?;
    for (index, local) in locals.iter().enumerate() {
        room.made(jni, 1)?;
        let string = JString::from_jni_str(jni, text(local))?;
        array.set_element(jni, index, &string)?;
        jni.delete_local_ref(string);
    }
    Ok(array)
}
