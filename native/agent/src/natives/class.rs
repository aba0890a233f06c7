//! `ClassNatives`.

use jni::objects::{JClass, JObjectArray, JString};
use jni::sys::jlong;
use jni::{Env, EnvUnowned};

use super::values::{absent, string_or_null};
use crate::boundary::guard::inside_jni;
use crate::failure::Outcome;
use crate::vm::capacity::make_room;

pub(super) fn get_implemented_interfaces<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JObjectArray<'l, JClass<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let interfaces = env.implemented_interfaces(jni, &target)?;
        class_array(jni, &interfaces)
    })
}

pub(super) fn get_source_debug_extension<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JString<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let text = absent(env.source_debug_extension(&target))?;
        string_or_null(jni, text.as_deref())
    })
}

/// A `Class[]` of the references, which the VM made on this frame.
fn class_array<'l>(
    jni: &mut Env<'l>,
    classes: &[JClass<'_>],
) -> Outcome<JObjectArray<'l, JClass<'l>>> {
    make_room(jni, classes.len())?;
    let array = JObjectArray::<JClass<'_>>::new(jni, classes.len(), JClass::null())?;
    for (index, class) in classes.iter().enumerate() {
        array.set_element(jni, index, class)?;
    }
    Ok(array)
}
