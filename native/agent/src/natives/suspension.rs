//! `SuspensionNatives`: threads that stand still for the time of one action.

use jni::objects::{JClass, JIntArray, JLongArray, JObjectArray, JThread};
use jni::sys::{jboolean, jint, jlong};
use jni::{EnvUnowned, NativeMethod};

use super::native;
use super::thread::{thread_array, threads};
use crate::gate::{self, Me};
use crate::guard::{inside_jni, outside};
use crate::suspension::{self, Extent};
use crate::{steward, watchdog};

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(own_threads(env: jlong) -> java.lang.Thread[]),
        native!(begin(
            env: jlong,
            threads: java.lang.Thread[],
            nanos: jlong,
            all_others: jboolean,
            codes: jint[],
            token: jlong[],
        )),
        native!(end(env: jlong, token: jlong) -> jboolean),
    ]
}

fn own_threads<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JThread<'l>> {
    inside_jni(jni, class, env, |_, jni| {
        thread_array(jni, &[watchdog::thread()?, steward::thread()?])
    })
}

fn begin<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    targets: JObjectArray<'l, JThread<'l>>,
    nanos: jlong,
    all_others: jboolean,
    codes: JIntArray<'l>,
    token: JLongArray<'l>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let targets = threads(jni, &targets)?;
        let extent = match all_others {
            true => Extent::Standstill,
            false => Extent::Some,
        };
        let begun = suspension::begin(jni, env, &targets, nanos, extent)?;
        let results: Vec<jint> = begun.results.iter().map(|error| error.0).collect();
        // The token first: with it the caller can end what it cannot be told about.
        token.set_region(jni, 0, &[begun.token])?;
        codes.set_region(jni, 0, &results)?;
        Ok(())
    })
}

fn end<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, token: jlong) -> jboolean {
    outside(jni, class, |jni, _| {
        let in_time = suspension::end(jni, token)?;
        // What a closed environment has suspended was resumed by closing it.
        if !in_time {
            gate::enter(Me::new(jni.get_raw()), env)?;
        }
        Ok(in_time)
    })
}
