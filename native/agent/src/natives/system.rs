//! `SystemNatives`: system properties, and where class loaders look for more.

use std::ffi::CString;

use jni::objects::{JByteArray, JClass, JObjectArray, JString};
use jni::sys::jlong;
use jni::{Env, EnvUnowned};
use jvmti::sys::Error;

use super::values::{platform_text, string_or_null, strings};
use crate::boundary::guard::inside_jni;
use crate::failure::Outcome;

pub(super) fn get_system_properties<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JString<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        strings(jni, &env.system_properties()?)
    })
}

pub(super) fn get_system_property<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    property: JByteArray<'l>,
) -> JString<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let Some(name) = platform_text(jni, &property)? else {
            return Ok(JString::null());
        };
        match env.system_property(&name) {
            Ok(value) => string_or_null(jni, Some(&value)),
            Err(error) if error.code == Error::NOT_AVAILABLE => Ok(JString::null()),
            Err(error) => Err(error.into()),
        }
    })
}

pub(super) fn add_to_bootstrap_class_loader_search<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    segment: JByteArray<'l>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let file = file(jni, "AddToBootstrapClassLoaderSearch", &segment)?;
        Ok(env.add_to_bootstrap_class_loader_search(&file)?)
    })
}

pub(super) fn add_to_system_class_loader_search<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    segment: JByteArray<'l>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let file = file(jni, "AddToSystemClassLoaderSearch", &segment)?;
        // The loader's own code, which may wait for whatever it likes: nobody else may wait for who calls it.
        Ok(env.add_to_system_class_loader_search(&file)?)
    })
}

fn file(jni: &Env<'_>, function: &'static str, segment: &JByteArray<'_>) -> Outcome<CString> {
    let none = || jvmti::Error::new(function, Error::ILLEGAL_ARGUMENT);
    Ok(platform_text(jni, segment)?.ok_or_else(none)?)
}
