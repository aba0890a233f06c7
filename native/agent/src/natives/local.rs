//! `LocalNatives`.

use jni::EnvUnowned;
use jni::objects::{JClass, JObject, JThread};
use jni::sys::{jdouble, jfloat, jint, jlong};
use jvmti::sys;

use super::values::{references, string_array, thread, unsigned};
use crate::boundary::context;
use crate::boundary::guard::{inside_bound, inside_jni};
use crate::boundary::records::LocalFacts;
use crate::failure::Outcome;
use crate::thread::assignment::{New, Place, assign};
use crate::thread::variables::{self, Value, Variable, ensure_still};
use crate::vm::bare::{int_array, long_array};
use crate::vm::capacity::Room;

pub(super) fn variables<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    depth: jint,
) -> JObject<'l> {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        let depth = unsigned("GetLocalObject", depth)?;
        let scope = variables::read(jni, env, thread(&target), depth)?;
        let found = scope.variables.as_slice();
        let room = &mut Room::default();
        let names = found.iter().map(|one| Some(&*one.name));
        let signatures = found.iter().map(|one| Some(&*one.signature));
        let value = |one: &Variable<'_>| one.value.as_ref().map_or(0, Value::bits);
        let code = |one: &Variable<'_>| {
            one.value
                .as_ref()
                .map_or_else(|refusal| refusal.code.0, |_| 0)
        };
        let objects = found.iter().map(|one| one.value.as_ref().ok());
        let objects = objects.map(|value| value.and_then(Value::object));
        let slots: Vec<jint> = found.iter().map(|one| one.slot.into()).collect();
        let bits: Vec<jlong> = found.iter().map(value).collect();
        let codes: Vec<jint> = found.iter().map(code).collect();
        let facts = LocalFacts {
            method_id: scope.frame.method.as_raw() as jlong,
            location: scope.frame.location,
            names: &string_array(jni, room, names)?,
            signatures: &string_array(jni, room, signatures)?,
            slots: &int_array(jni, &slots)?,
            bits: &long_array(jni, &bits)?,
            objects: &references(jni, objects)?,
            codes: &int_array(jni, &codes)?,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

pub(super) fn get_local_object<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    depth: jint,
    slot: jint,
) -> JObject<'l> {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let at = place("GetLocalObject", &target, depth, slot)?;
        ensure_still(jni, env, at.function, at.thread)?;
        let value = env.local_object(jni, at.thread, at.depth, at.slot)?;
        Ok(value.unwrap_or_default())
    })
}

pub(super) fn get_local_instance<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    depth: jint,
) -> JObject<'l> {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let at = place("GetLocalInstance", &target, depth, 0)?;
        ensure_still(jni, env, at.function, at.thread)?;
        match env.local_instance(jni, at.thread, at.depth) {
            Err(refusal) if refusal.code == sys::Error::INVALID_SLOT => Ok(JObject::null()),
            instance => Ok(instance?.unwrap_or_default()),
        }
    })
}

pub(super) fn get_local_int<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    depth: jint,
    slot: jint,
) -> jint {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let at = place("GetLocalInt", &target, depth, slot)?;
        ensure_still(jni, env, at.function, at.thread)?;
        Ok(env.local_int(at.thread, at.depth, at.slot)?)
    })
}

pub(super) fn get_local_long<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    depth: jint,
    slot: jint,
) -> jlong {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let at = place("GetLocalLong", &target, depth, slot)?;
        ensure_still(jni, env, at.function, at.thread)?;
        Ok(env.local_long(at.thread, at.depth, at.slot)?)
    })
}

pub(super) fn get_local_float<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    depth: jint,
    slot: jint,
) -> jfloat {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let at = place("GetLocalFloat", &target, depth, slot)?;
        ensure_still(jni, env, at.function, at.thread)?;
        Ok(env.local_float(at.thread, at.depth, at.slot)?)
    })
}

pub(super) fn get_local_double<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    depth: jint,
    slot: jint,
) -> jdouble {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let at = place("GetLocalDouble", &target, depth, slot)?;
        ensure_still(jni, env, at.function, at.thread)?;
        Ok(env.local_double(at.thread, at.depth, at.slot)?)
    })
}

#[allow(clippy::too_many_arguments, reason = "as the bridge declares it")]
pub(super) fn set_local_object<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    method: jlong,
    location: jlong,
    target: JThread<'l>,
    depth: jint,
    slot: jint,
    value: JObject<'l>,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let place = place("SetLocalObject", &target, depth, slot)?.of(method, location);
        assign(
            jni,
            env,
            place,
            New::Object((!value.is_null()).then_some(&value)),
        )
    });
}

#[allow(clippy::too_many_arguments, reason = "as the bridge declares it")]
pub(super) fn set_local_int<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    method: jlong,
    location: jlong,
    target: JThread<'l>,
    depth: jint,
    slot: jint,
    value: jint,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let place = place("SetLocalInt", &target, depth, slot)?.of(method, location);
        assign(jni, env, place, New::Int(value))
    });
}

#[allow(clippy::too_many_arguments, reason = "as the bridge declares it")]
pub(super) fn set_local_long<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    method: jlong,
    location: jlong,
    target: JThread<'l>,
    depth: jint,
    slot: jint,
    value: jlong,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let place = place("SetLocalLong", &target, depth, slot)?.of(method, location);
        assign(jni, env, place, New::Long(value))
    });
}

#[allow(clippy::too_many_arguments, reason = "as the bridge declares it")]
pub(super) fn set_local_float<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    method: jlong,
    location: jlong,
    target: JThread<'l>,
    depth: jint,
    slot: jint,
    value: jfloat,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let place = place("SetLocalFloat", &target, depth, slot)?.of(method, location);
        assign(jni, env, place, New::Float(value))
    });
}

#[allow(clippy::too_many_arguments, reason = "as the bridge declares it")]
pub(super) fn set_local_double<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    method: jlong,
    location: jlong,
    target: JThread<'l>,
    depth: jint,
    slot: jint,
    value: jdouble,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let place = place("SetLocalDouble", &target, depth, slot)?.of(method, location);
        assign(jni, env, place, New::Double(value))
    });
}

/// A class file numbers slots with 16 bits.
fn place<'t, 'l>(
    function: &'static str,
    target: &'t JThread<'l>,
    depth: jint,
    slot: jint,
) -> Outcome<Place<'t, 'l>> {
    let none = |_| jvmti::Error::new(function, sys::Error::INVALID_SLOT);
    Ok(Place {
        function,
        thread: thread(target),
        depth: unsigned(function, depth)?,
        slot: u16::try_from(slot).map_err(none)?,
        at: None,
    })
}
