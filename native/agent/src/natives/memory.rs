//! `MemoryNatives`.

use jni::EnvUnowned;
use jni::objects::{JClass, JObject};
use jni::sys::{jint, jlong};

use super::values::unsigned;
use crate::boundary::guard::inside_jni;
use crate::vm::memory;

pub(super) fn allocate<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    bytes: jint,
    limit: jlong,
) -> JObject<'l> {
    inside_jni(jni, class, env, |_, jni| {
        let length = unsigned("Allocate", bytes)? as usize;
        Ok(memory::allocate(jni, length, limit.cast_unsigned())?.into())
    })
}

pub(super) fn allocated<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jlong {
    inside_jni(jni, class, env, |_, jni| {
        Ok(memory::allocated(jni)?.cast_signed())
    })
}
