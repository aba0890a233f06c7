//! `MethodNatives`: everything that a reader of a stack wants to know of a method, at once, and what else the VM knows.
//!
//! An id comes with its class, which nothing is asked about: as an argument it stays loaded until the native returns.

use jni::objects::{JByteArray, JClass, JIntArray, JLongArray, JObject, JObjectArray, JString};
use jni::strings::{JNIStr, JNIString};
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, EnvUnowned};
use jvmti::{LocalVariableEntry, MethodId, sys};

use super::values::{absent, member_name, of_code, string_array};
use crate::boundary::context;
use crate::boundary::guard::{inside, inside_bound, inside_jni};
use crate::boundary::records::{MethodFacts, VariableTableFacts};
use crate::environment::gate::Inside;
use crate::environment::prefixes;
use crate::failure::Outcome;
use crate::vm::bare;
use crate::vm::capacity::Room;

/// More than a name can have: what begins with so much is nobody's.
const LONGEST_NAME: usize = 1 << 16;

pub(super) fn resolve<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    method_id: jlong,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let method = method(method_id);
        let declaring = match env.method_declaring_class(jni, method) {
            Ok(declaring) => declaring,
            Err(error) if error.code == sys::Error::INVALID_METHODID => return Ok(JObject::null()),
            Err(error) => return Err(error.into()),
        };
        // From here on the reference keeps the class, and with it the method.
        facts(env, jni, class, &declaring, method)
    })
}

pub(super) fn get_method_name<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    _held: JClass<'l>,
    method_id: jlong,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        member_name(jni, class, env.method_name(method(method_id))?)
    })
}

pub(super) fn get_method_declaring_class<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    _held: JClass<'l>,
    method_id: jlong,
) -> JClass<'l> {
    inside_jni(jni, class, env, |env, jni| {
        Ok(env.method_declaring_class(jni, method(method_id))?)
    })
}

pub(super) fn get_method_modifiers(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    _held: JClass<'_>,
    method_id: jlong,
) -> jint {
    inside(jni, class, env, |env| {
        Ok(env.method_modifiers(method(method_id))?)
    })
}

pub(super) fn get_max_locals(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    _held: JClass<'_>,
    method_id: jlong,
) -> jint {
    inside(jni, class, env, |env| {
        Ok(of_code(env.max_locals(method(method_id)))?.unwrap_or(-1))
    })
}

pub(super) fn get_arguments_size(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    _held: JClass<'_>,
    method_id: jlong,
) -> jint {
    inside(jni, class, env, |env| {
        Ok(of_code(env.arguments_size(method(method_id)))?.unwrap_or(-1))
    })
}

pub(super) fn get_line_number_table<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    _held: JClass<'l>,
    method_id: jlong,
) -> JIntArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        match of_code(env.line_number_table(method(method_id)))? {
            Some(lines) => line_array(jni, &lines),
            None => Ok(JIntArray::null()),
        }
    })
}

pub(super) fn get_method_location<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    _held: JClass<'l>,
    method_id: jlong,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        match of_code(env.method_location(method(method_id)))? {
            Some((start, end)) => bare::long_array(jni, &[start, end]),
            None => Ok(JLongArray::null()),
        }
    })
}

pub(super) fn get_bytecodes<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    _held: JClass<'l>,
    method_id: jlong,
) -> JByteArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        match of_code(env.bytecodes(method(method_id)))? {
            Some(codes) => bare::byte_array(jni, &codes),
            None => Ok(JByteArray::null()),
        }
    })
}

pub(super) fn is_method_native(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    _held: JClass<'_>,
    method_id: jlong,
) -> jboolean {
    inside(jni, class, env, |env| {
        Ok(env.is_method_native(method(method_id))?)
    })
}

pub(super) fn is_method_synthetic(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    _held: JClass<'_>,
    method_id: jlong,
) -> jboolean {
    inside(jni, class, env, |env| {
        Ok(env.is_method_synthetic(method(method_id))?)
    })
}

pub(super) fn is_method_obsolete(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    _held: JClass<'_>,
    method_id: jlong,
) -> jboolean {
    inside(jni, class, env, |env| {
        Ok(env.is_method_obsolete(method(method_id))?)
    })
}

pub(super) fn get_local_variable_table<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    method_id: jlong,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let Some(table) = of_code(env.local_variable_table(method(method_id)))? else {
            return Ok(JObject::null());
        };
        let room = &mut Room::default();
        let names = table.iter().map(|one| Some(&*one.name));
        let signatures = table.iter().map(|one| Some(&*one.signature));
        let generics = table.iter().map(|one| one.generic.as_deref());
        let slots: Vec<jint> = table.iter().map(|one| one.slot.into()).collect();
        let range = |one: &LocalVariableEntry| [one.start_location as jint, one.length];
        let ranges: Vec<jint> = table.iter().flat_map(range).collect();
        let facts = VariableTableFacts {
            names: &string_array(jni, room, names)?,
            signatures: &string_array(jni, room, signatures)?,
            generics: &string_array(jni, room, generics)?,
            slots: &bare::int_array(jni, &slots)?,
            ranges: &bare::int_array(jni, &ranges)?,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

pub(super) fn set_native_method_prefix<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    prefix: JString<'l>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let prefix = match prefix.is_null() {
            true => None,
            false => Some(bare::beginning(jni, &prefix, LONGEST_NAME)?),
        };
        prefixes::use_them();
        env.set_native_method_prefix(prefix.as_deref().map(JNIStr::as_cstr))?;
        env.stain();
        Ok(())
    })
}

pub(super) fn set_native_method_prefixes<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    prefixes: JObjectArray<'l, JString<'l>>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let prefixes = names(jni, &prefixes)?;
        let list: Vec<_> = prefixes.iter().map(|one| one.as_cstr()).collect();
        prefixes::use_them();
        env.set_native_method_prefixes(&list)?;
        env.stain();
        Ok(())
    })
}

/// What a `String[]` says, each as far as a name can be long.
pub(super) fn names(
    jni: &mut Env<'_>,
    texts: &JObjectArray<'_, JString<'_>>,
) -> Outcome<Vec<JNIString>> {
    let mut names = Vec::new();
    for index in 0..texts.len(jni)? {
        let text = bare::element(jni, texts, index)?;
        names.push(bare::beginning(jni, &text, LONGEST_NAME)?);
        jni.delete_local_ref(text);
    }
    Ok(names)
}

/// The method of an id that Java has kept.
pub(super) fn method(id: jlong) -> MethodId {
    // SAFETY: only this library gives Java ids, of the VM; it keeps those of unloaded classes readable.
    unsafe { MethodId::from_raw(id as jni::sys::jmethodID) }
}

fn facts<'l>(
    env: &Inside,
    jni: &mut Env<'l>,
    caller: &JClass<'_>,
    declaring: &JClass<'_>,
    method: MethodId,
) -> Outcome<JObject<'l>> {
    let (name, signature, generic) = env.method_name(method)?;
    let name = bare::string(jni, name)?;
    let signature = bare::string(jni, signature)?;
    let generic = generic.map(|text| bare::string(jni, text)).transpose()?;
    let native = env.is_method_native(method)?;
    let source = match absent(env.source_file_name(declaring))? {
        Some(source) => Some(bare::string(jni, source)?),
        None => None,
    };
    let lines = if native {
        None
    } else {
        absent(env.line_number_table(method))?
    };
    let lines = line_array(jni, lines.as_deref().unwrap_or_default())?;
    let facts = MethodFacts {
        id: method.as_raw() as jlong,
        declaring_class: declaring,
        name: &name,
        signature: &signature,
        generic: generic.as_ref(),
        modifiers: env.method_modifiers(method)?,
        is_native: native,
        is_obsolete: env.is_method_obsolete(method)?,
        source_file: source.as_ref(),
        lines: &lines,
    };
    facts.make(jni, &context::bound(jni, caller)?.records)
}

/// `{startLocation, line, …}`. A location fits an `int`: code is shorter than 65,536 bytes.
fn line_array<'l>(
    jni: &mut Env<'l>,
    lines: &[sys::jvmtiLineNumberEntry],
) -> Outcome<JIntArray<'l>> {
    let values: Vec<jint> = lines
        .iter()
        .flat_map(|line| [line.start_location as jint, line.line_number])
        .collect();
    bare::int_array(jni, &values)
}
