//! `ObjectNatives`.

use jni::objects::{JClass, JObject};
use jni::sys::{jint, jlong};
use jni::{EnvUnowned, NativeMethod};

use super::native;
use crate::guard::inside;

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(get_object_size(env: jlong, object: JObject) -> jlong),
        native!(get_object_hash_code(env: jlong, object: JObject) -> jint),
    ]
}

fn get_object_size<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    object: JObject<'l>,
) -> jlong {
    inside(jni, class, env, |env| Ok(env.object_size(&object)?))
}

fn get_object_hash_code<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    object: JObject<'l>,
) -> jint {
    inside(jni, class, env, |env| Ok(env.object_hash_code(&object)?))
}
