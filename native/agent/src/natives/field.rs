//! `FieldNatives`. An id comes with the class that declares the field: the VM finds it there.

use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JObject};
use jni::sys::{jboolean, jint, jlong};
use jvmti::Field;

use super::values::{member_name, string_array};
use crate::boundary::context;
use crate::boundary::guard::{inside, inside_bound, inside_jni};
use crate::boundary::records::FieldFacts;
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::vm::bare;
use crate::vm::capacity::Room;

/// The flags that a class file may give a field; HotSpot 17 tells some of its own, too.
const OF_A_CLASS_FILE: jint = 0x50df;

pub(super) fn resolve<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
    field_ids: JLongArray<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let mut ids = vec![0; field_ids.len(jni)?];
        bare::get_longs(jni, &field_ids, &mut ids)?;
        let mut names = Vec::with_capacity(ids.len());
        let mut modifiers = Vec::with_capacity(ids.len());
        for id in ids {
            names.push(env.field_name(field(&target, id))?);
            modifiers.push(modifiers_of(env, &target, id)?);
        }
        let room = &mut Room::default();
        let generics = names.iter().map(|(_, _, generic)| generic.as_deref());
        let facts = FieldFacts {
            names: &string_array(jni, room, names.iter().map(|(name, ..)| Some(&**name)))?,
            signatures: &string_array(jni, room, names.iter().map(|(_, type_, _)| Some(&**type_)))?,
            generics: &string_array(jni, room, generics)?,
            modifiers: &bare::int_array(jni, &modifiers)?,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

pub(super) fn get_field_name<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
    field_id: jlong,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        member_name(jni, class, env.field_name(field(&target, field_id))?)
    })
}

pub(super) fn get_field_declaring_class<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
    field_id: jlong,
) -> JClass<'l> {
    inside_jni(jni, class, env, |env, jni| {
        Ok(env.field_declaring_class(jni, field(&target, field_id))?)
    })
}

pub(super) fn get_field_modifiers(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    target: JClass<'_>,
    field_id: jlong,
) -> jint {
    inside(jni, class, env, |env| modifiers_of(env, &target, field_id))
}

pub(super) fn is_field_synthetic(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    target: JClass<'_>,
    field_id: jlong,
) -> jboolean {
    inside(jni, class, env, |env| {
        Ok(env.is_field_synthetic(field(&target, field_id))?)
    })
}

fn modifiers_of(env: &Inside, class: &JClass<'_>, id: jlong) -> Outcome<jint> {
    Ok(env.field_modifiers(field(class, id))? & OF_A_CLASS_FILE)
}

/// The field of an id that Java has kept, with the class that declares it.
pub(super) fn field<'c>(class: &'c JClass<'_>, id: jlong) -> Field<'c> {
    // SAFETY: only this library gives Java ids, of the VM, and a value never parts one from its class.
    unsafe { Field::from_raw(class, id as jni::sys::jfieldID) }
}
