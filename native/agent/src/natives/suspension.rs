//! `SuspensionNatives`: threads that stand still for the time of one action.

use jni::objects::{JClass, JLongArray, JObjectArray, JThread};
use jni::sys::{jboolean, jlong};
use jni::{EnvUnowned, NativeMethod};

use super::native;
use super::thread::{thread_array, threads};
use crate::gate::{self, Me};
use crate::guard::{inside_jni, outside};
use crate::suspension::{self, Extent};
use crate::{steward, watchdog};

/// No suspension has this token.
const OVER: jlong = 0;

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(own_threads(env: jlong) -> java.lang.Thread[]),
        native!(begin(
            env: jlong,
            threads: java.lang.Thread[],
            nanos: jlong,
            all_others: jboolean,
            answer: jlong[],
        )),
        native!(end(env: jlong, answer: jlong[]) -> jboolean),
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
    answer: JLongArray<'l>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let targets = threads(jni, &targets)?;
        let extent = match all_others {
            true => Extent::Standstill,
            false => Extent::Some,
        };
        let begun = suspension::begin(jni, env, &targets, nanos, extent)?;
        let codes = begun.results.iter().map(|error| jlong::from(error.0));
        let told: Vec<jlong> = std::iter::once(begun.token).chain(codes).collect();
        let is_told = answer.set_region(jni, 0, &told);
        if is_told.is_err() {
            // Nobody else could end it.
            watchdog::end_soon(begun.token);
        }
        Ok(is_told?)
    })
}

fn end<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, answer: JLongArray<'l>) -> jboolean {
    outside(jni, class, |jni, _| {
        let mut token = [OVER];
        answer.get_region(jni, 0, &mut token)?;
        answer.set_region(jni, 0, &[OVER])?;
        let in_time = suspension::end(jni, token[0])?;
        // What a closed environment has suspended was resumed by closing it.
        if !in_time {
            gate::enter(Me::new(jni.get_raw()), env)?;
        }
        Ok(in_time)
    })
}
