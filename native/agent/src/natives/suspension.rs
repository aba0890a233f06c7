//! `SuspensionNatives`: threads that stand still for the time of one action.

use jni::objects::{JClass, JLongArray, JObjectArray, JThread, JThrowable};
use jni::sys::{jboolean, jlong};
use jni::{Env, EnvUnowned, NativeMethod};

use super::native;
use super::thread::{thread_array, threads};
use crate::failure::{Failure, Outcome};
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
            suspension::end_at_once(begun.token);
        }
        Ok(is_told?)
    })
}

fn end<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, answer: JLongArray<'l>) -> jboolean {
    outside(jni, class, |jni, _| {
        let (token, stopped) = take_token(jni, &answer)?;
        let in_time = suspension::end(jni, token)?;
        if let Some(stopped) = stopped {
            jni.throw(stopped)?;
            return Err(Failure::Pending);
        }
        // What a closed environment has suspended was resumed by closing it.
        if !in_time {
            gate::enter(Me::new(jni.get_raw()), env)?;
        }
        Ok(in_time)
    })
}

/// Takes the token out of `answer`; with what somebody has made this thread throw meanwhile, which
/// keeps nothing from being ended.
fn take_token<'l>(
    jni: &mut Env<'l>,
    answer: &JLongArray<'_>,
) -> Outcome<(jlong, Option<JThrowable<'l>>)> {
    let mut token = OVER;
    let mut stopped = None;
    loop {
        let mut first = [OVER];
        let taken = answer.get_region(jni, 0, &mut first).and_then(|()| {
            if first[0] != OVER {
                token = first[0];
            }
            answer.set_region(jni, 0, &[OVER])
        });
        match taken {
            Ok(()) => return Ok((token, stopped)),
            Err(jni::errors::Error::JavaException) => {
                stopped = jni.exception_occurred().or(stopped);
                jni.exception_clear();
            }
            Err(other) => return Err(other.into()),
        }
    }
}
