//! `ClassNatives`.

use jni::EnvUnowned;
use jni::objects::{JClass, JClassLoader, JObjectArray, JString};
use jni::sys::{jboolean, jlong};

use super::values::{absent, array_of, string_or_null};
use crate::boundary::guard::{inside, inside_jni};

pub(super) fn get_implemented_interfaces<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JObjectArray<'l, JClass<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let interfaces = env.implemented_interfaces(jni, &target)?;
        array_of::<JClass>(jni, &interfaces)
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

pub(super) fn is_modifiable_class<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> jboolean {
    inside(jni, class, env, |env| Ok(env.is_modifiable_class(&target)?))
}

pub(super) fn get_class_loader_classes<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    loader: JClassLoader<'l>,
) -> JObjectArray<'l, JClass<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let classes = env.class_loader_classes(jni, Some(&loader))?;
        array_of::<JClass>(jni, &classes)
    })
}
