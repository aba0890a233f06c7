//! `GeneralNatives`: the life of environments, and the specification's General functions.

use jni::objects::{JClass, JObject, JString};
use jni::sys::{jboolean, jint, jlong};
use jni::{EnvUnowned, NativeMethod};
use jvmti::sys;

use super::row::native;
use crate::boundary::context::{self, unbound};
use crate::boundary::guard::{inside, inside_jni, outside};
use crate::environment::gate::{self, Me};
use crate::environment::life;
use crate::failure::Failure;
use crate::platform;
use crate::vm::image;

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(open(owner: JObject) -> jlong),
        native!(close(env: jlong) -> jboolean),
        native!(is_open(env: jlong) -> jboolean),
        native!(metadata() -> jlong),
        native!(library_path() -> JString),
        native!(origin() -> jint),
        native!(get_version_number(env: jlong) -> jint),
        native!(get_phase(env: jlong) -> jint),
        native!(get_error_name(env: jlong, code: jint) -> JString),
        native!(get_jlocation_format(env: jlong) -> jint, name = "getJLocationFormat"),
        native!(set_verbose_flag(env: jlong, flag: jint, value: jboolean)),
    ]
}

fn open<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, owner: JObject<'l>) -> jlong {
    outside(jni, class, |jni, _| {
        // With a Java exception pending it waits for the next time.
        let _ = life::sweep_some(jni);
        life::open(jni, &owner)
    })
}

fn close<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jboolean {
    outside(jni, class, |jni, _| {
        Ok(life::close(Me::new(jni.get_raw()), env))
    })
}

fn is_open<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jboolean {
    outside(jni, class, |jni, _| {
        Ok(gate::enter(Me::new(jni.get_raw()), env).is_ok())
    })
}

fn metadata<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jlong {
    outside(jni, class, |jni, class| {
        context::of(jni, class).ok_or_else(unbound)?.metadata(jni)
    })
}

fn library_path<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> JString<'l> {
    outside(jni, class, |jni, _| match platform::library_path() {
        _ if image::LINKED_IN => Ok(JString::default()),
        Some(path) => Ok(jni.new_string(path)?),
        None => Err(Failure::State(
            "the dynamic linker does not tell the library file".to_owned(),
        )),
    })
}

fn origin<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jint {
    outside(jni, class, |_, _| Ok(image::origin()))
}

fn get_version_number<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jint {
    inside(jni, class, env, |env| Ok(env.version_number()?))
}

fn get_phase<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jint {
    inside(jni, class, env, |env| Ok(env.phase()?.0))
}

fn get_error_name<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    code: jint,
) -> JString<'l> {
    inside_jni(jni, class, env, |env, jni| {
        Ok(JString::from_jni_str(
            jni,
            env.error_name(sys::Error(code))?,
        )?)
    })
}

fn get_jlocation_format<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jint {
    inside(jni, class, env, |env| Ok(env.jlocation_format()?.0))
}

fn set_verbose_flag<'l>(
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
