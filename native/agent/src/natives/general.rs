//! `GeneralNatives`: the life of environments, and the specification's General functions.

use jni::EnvUnowned;
use jni::objects::{JClass, JObject, JString};
use jni::sys::{jboolean, jint, jlong};
use jvmti::sys;

use crate::boundary::context;
use crate::boundary::guard::{inside, inside_jni, outside};
use crate::environment::gate::{self, Me};
use crate::environment::{life, local_storage};
use crate::failure::Failure;
use crate::platform;
use crate::vm::bare;
use crate::vm::image;

pub(super) fn open<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, owner: JObject<'l>) -> jlong {
    outside(jni, class, |jni, _| {
        // With a Java exception pending it waits for the next time.
        let _ = life::sweep_some(jni);
        life::open(jni, &owner)
    })
}

pub(super) fn close<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jboolean {
    outside(jni, class, |jni, _| {
        Ok(life::close(Me::new(jni.get_raw()), env))
    })
}

pub(super) fn is_open<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jboolean {
    outside(jni, class, |jni, _| {
        Ok(gate::enter(Me::new(jni.get_raw()), env).is_ok())
    })
}

pub(super) fn metadata<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jlong {
    outside(jni, class, |jni, class| {
        context::bound(jni, class)?.metadata(jni)
    })
}

pub(super) fn library_path<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> JString<'l> {
    outside(jni, class, |jni, _| match platform::library_path() {
        _ if image::LINKED_IN => Ok(JString::default()),
        Some(path) => bare::text(jni, &path),
        None => Err(Failure::State(
            "the dynamic linker does not tell the library file".to_owned(),
        )),
    })
}

pub(super) fn origin<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jint {
    outside(jni, class, |_, _| Ok(image::origin()))
}

pub(super) fn get_version_number<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jint {
    inside(jni, class, env, |env| Ok(env.version_number()?))
}

pub(super) fn get_phase<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jint {
    inside(jni, class, env, |env| Ok(env.phase()?.0))
}

pub(super) fn get_error_name<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    code: jint,
) -> JString<'l> {
    inside_jni(jni, class, env, |env, jni| {
        bare::string(jni, env.error_name(sys::Error(code))?)
    })
}

pub(super) fn get_jlocation_format<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jint {
    inside(jni, class, env, |env| Ok(env.jlocation_format()?.0))
}

pub(super) fn set_verbose_flag<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    flag: jint,
    value: jboolean,
) {
    inside(jni, class, env, |env| {
        Ok(env.set_verbose_flag(sys::VerboseFlag(flag), value)?)
    })
}

pub(super) fn get_environment_local_storage<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> jlong {
    inside(jni, class, env, |env| Ok(local_storage::get(env)))
}

pub(super) fn set_environment_local_storage<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    value: jlong,
) {
    inside(jni, class, env, |env| {
        local_storage::set(env, value);
        Ok(())
    })
}
