//! `JniTableNatives`: counters of JNI calls.

use jni::EnvUnowned;
use jni::objects::{JClass, JIntArray, JLongArray, JObject};
use jni::sys::jlong;
use jvmti::sys::Error;

use crate::boundary::guard::{around, inside_jni};
use crate::environment::jni_counters;
use crate::vm::{bare, jni_table};

pub(super) fn get_jnifunction_table<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JIntArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        bare::int_array(jni, &jni_table::filled(env)?)
    })
}

pub(super) fn set_jnifunction_table<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    owner: JObject<'l>,
    slots: JIntArray<'l>,
) -> jlong {
    inside_jni(jni, class, env, |env, jni| {
        if owner.is_null() || slots.is_null() {
            return Err(jvmti::Error::new("SetJNIFunctionTable", Error::NULL_POINTER).into());
        }
        let mut room = vec![0; slots.len(jni)?];
        bare::get_ints(jni, &slots, &mut room)?;
        // A negative one is beyond every table.
        let slots = room.into_iter().map(|slot| slot as usize).collect();
        Ok(jni_counters::open(jni, env, &owner, slots)?.cast_signed())
    })
}

pub(super) fn calls<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    counter: jlong,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let calls = jni_counters::calls(env, counter.cast_unsigned())?;
        bare::long_array(jni, &calls)
    })
}

pub(super) fn stop_counting<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    counter: jlong,
) {
    around(jni, class, env, |jni, _| {
        jni_counters::close(jni, env.cast_unsigned(), counter.cast_unsigned())
    })
}
