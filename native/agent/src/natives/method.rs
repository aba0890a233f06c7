//! `MethodNatives`: everything that a reader of a stack wants to know of a method, at once; and what it declares.

use jni::objects::{JClass, JIntArray, JObject};
use jni::sys::{jint, jlong};
use jni::{Env, EnvUnowned};
use jvmti::{LocalVariableEntry, MethodId, sys};

use super::values::{absent, string_array};
use crate::boundary::context;
use crate::boundary::guard::inside_bound;
use crate::boundary::records::{MethodFacts, VariableTableFacts};
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::vm::bare;
use crate::vm::capacity::Room;

pub(super) fn resolve<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    method_id: jlong,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        // SAFETY: Java got it from a stack trace; the VM keeps ids of unloaded classes readable.
        let method = unsafe { MethodId::from_raw(method_id as jni::sys::jmethodID) };
        let declaring = match env.method_declaring_class(jni, method) {
            Ok(declaring) => declaring,
            Err(error) if error.code == sys::Error::INVALID_METHODID => return Ok(JObject::null()),
            Err(error) => return Err(error.into()),
        };
        // From here on the reference keeps the class, and with it the method.
        facts(env, jni, class, &declaring, method)
    })
}

pub(super) fn get_local_variable_table<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    method_id: jlong,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        // SAFETY: as above.
        let method = unsafe { MethodId::from_raw(method_id as jni::sys::jmethodID) };
        let Some(table) = absent(env.local_variable_table(method))? else {
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

fn facts<'l>(
    env: &Inside,
    jni: &mut Env<'l>,
    caller: &JClass<'_>,
    declaring: &JClass<'_>,
    method: MethodId,
) -> Outcome<JObject<'l>> {
    let (name, signature, _) = env.method_name(method)?;
    let name = bare::string(jni, name)?;
    let signature = bare::string(jni, signature)?;
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
        modifiers: env.method_modifiers(method)?,
        is_native: native,
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
