//! `FieldNatives`. An id comes with the class that declares the field: the VM finds it there.

use jni::objects::{JClass, JFieldID, JLongArray, JObject, JValueOwned};
use jni::signature::{Primitive, ReturnType};
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, EnvUnowned};
use jvmti::{Field, sys};

use super::values::{member_name, references, string_array};
use crate::boundary::context;
use crate::boundary::guard::{inside, inside_bound, inside_jni};
use crate::boundary::records::{FieldFacts, FieldValueFacts};
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::vm::bare;
use crate::vm::capacity::Room;

/// The flags that a class file may give a field; HotSpot 17 tells some of its own, too.
const OF_A_CLASS_FILE: jint = 0x50df;

/// `Modifier.STATIC`.
const STATIC: jint = 0x8;

/// What reads values is the JNI's, and has no function here.
const VALUES: &str = "GetObjectField";

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

pub(super) fn values<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
    field_ids: JLongArray<'l>,
    object: JObject<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let mut ids = vec![0; field_ids.len(jni)?];
        bare::get_longs(jni, &field_ids, &mut ids)?;
        if !jni.is_instance_of(&object, &target)? {
            return Err(jvmti::Error::new(VALUES, sys::Error::INVALID_OBJECT).into());
        }
        let room = &mut Room::default();
        let mut bits = Vec::with_capacity(ids.len());
        let mut objects = Vec::with_capacity(ids.len());
        for id in ids {
            if modifiers_of(env, &target, id)? & STATIC != 0 {
                return Err(jvmti::Error::new(VALUES, sys::Error::INVALID_FIELDID).into());
            }
            let (_, type_, _) = env.field_name(field(&target, id))?;
            room.made(jni, 1)?;
            let (number, reference) = value(jni, &object, id, type_.to_bytes()[0])?;
            bits.push(number);
            objects.push(reference);
        }
        let facts = FieldValueFacts {
            bits: &bare::long_array(jni, &bits)?,
            objects: &references(jni, objects.iter().map(Option::as_ref))?,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

/// What a field of the object holds, whose type begins with that letter: its bits, or its object.
fn value<'l>(
    jni: &mut Env<'l>,
    object: &JObject<'_>,
    id: jlong,
    letter: u8,
) -> Outcome<(jlong, Option<JObject<'l>>)> {
    // SAFETY: only this library gives Java ids, of the VM.
    let id = unsafe { JFieldID::from_raw(id as jni::sys::jfieldID) };
    // SAFETY: the object is one of the class that declares the field, which is not static and of that type.
    let value = unsafe { jni.get_field_unchecked(object, id, of_letter(letter)) }?;
    Ok(match value {
        JValueOwned::Object(object) => (0, (!object.is_null()).then_some(object)),
        JValueOwned::Bool(value) => (value.into(), None),
        JValueOwned::Byte(value) => (value.into(), None),
        JValueOwned::Char(value) => (value.into(), None),
        JValueOwned::Short(value) => (value.into(), None),
        JValueOwned::Int(value) => (value.into(), None),
        JValueOwned::Long(value) => (value, None),
        JValueOwned::Float(value) => (value.to_bits().into(), None),
        JValueOwned::Double(value) => (value.to_bits().cast_signed(), None),
        JValueOwned::Void => (0, None),
    })
}

fn of_letter(letter: u8) -> ReturnType {
    match letter {
        b'Z' => ReturnType::Primitive(Primitive::Boolean),
        b'B' => ReturnType::Primitive(Primitive::Byte),
        b'C' => ReturnType::Primitive(Primitive::Char),
        b'S' => ReturnType::Primitive(Primitive::Short),
        b'I' => ReturnType::Primitive(Primitive::Int),
        b'J' => ReturnType::Primitive(Primitive::Long),
        b'F' => ReturnType::Primitive(Primitive::Float),
        b'D' => ReturnType::Primitive(Primitive::Double),
        _ => ReturnType::Object,
    }
}

fn modifiers_of(env: &Inside, class: &JClass<'_>, id: jlong) -> Outcome<jint> {
    Ok(env.field_modifiers(field(class, id))? & OF_A_CLASS_FILE)
}

/// The field of an id that Java has kept, with the class that declares it.
pub(super) fn field<'c>(class: &'c JClass<'_>, id: jlong) -> Field<'c> {
    // SAFETY: only this library gives Java ids, of the VM, and a value never parts one from its class.
    unsafe { Field::from_raw(class, id as jni::sys::jfieldID) }
}
