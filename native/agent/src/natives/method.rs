//! `MethodNatives`: everything that a reader of a stack wants to know of a method, at once.

use jni::objects::{JClass, JIntArray, JObject, JString};
use jni::sys::{jint, jlong, jvalue};
use jni::{Env, EnvUnowned, NativeMethod};
use jvmti::{MethodId, sys};

use super::row::native;
use crate::boundary::context::{self, unbound};
use crate::boundary::guard::inside_bound;
use crate::environment::gate::Inside;
use crate::failure::Outcome;

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![native!(resolve(env: jlong, method_id: jlong) -> JObject)]
}

fn resolve<'l>(
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

fn facts<'l>(
    env: &Inside,
    jni: &mut Env<'l>,
    caller: &JClass<'_>,
    declaring: &JClass<'_>,
    method: MethodId,
) -> Outcome<JObject<'l>> {
    let (name, signature, _) = env.method_name(method)?;
    let name = JString::from_jni_str(jni, name)?;
    let signature = JString::from_jni_str(jni, signature)?;
    let native = env.is_method_native(method)?;
    let source = match absent(env.source_file_name(declaring))? {
        Some(source) => JString::from_jni_str(jni, source)?,
        None => JString::default(),
    };
    let lines = if native {
        None
    } else {
        absent(env.line_number_table(method))?
    };
    let lines = line_array(jni, lines.as_deref().unwrap_or_default())?;
    let args = [
        jvalue {
            j: method.as_raw() as jlong,
        },
        jvalue {
            l: declaring.as_raw(),
        },
        jvalue { l: name.as_raw() },
        jvalue {
            l: signature.as_raw(),
        },
        jvalue {
            i: env.method_modifiers(method)?,
        },
        jvalue { z: native },
        jvalue { l: source.as_raw() },
        jvalue { l: lines.as_raw() },
    ];
    let context = context::of(jni, caller).ok_or_else(unbound)?;
    // SAFETY: the arguments are those of the MethodFacts constructor.
    unsafe { context.facts.method.construct(jni, &args) }
}

/// A class compiled without debug information is no failure.
fn absent<T>(answer: jvmti::Result<T>) -> jvmti::Result<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.code == sys::Error::ABSENT_INFORMATION => Ok(None),
        Err(error) => Err(error),
    }
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
    let array = JIntArray::new(jni, values.len())?;
    array.set_region(jni, 0, &values)?;
    Ok(array)
}
