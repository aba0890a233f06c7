//! `SuspensionNatives`: threads that stand still for the time of one action.

use jni::objects::{JClass, JIntArray, JObject, JObjectArray, JThread};
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, EnvUnowned};
use jvmti::sys;

use super::thread::threads;
use super::values::array_of;
use crate::boundary::bracket;
use crate::boundary::guard::{around, inside_jni};
use crate::bridge;
use crate::environment::gate::{self, Inside, Me};
use crate::failure::{Failure, Outcome};
use crate::thread::suspension::{self, AtLast, Begun, Extent};
use crate::thread::watchdog;
use crate::vm::{bare, kept_threads, steward};

const ROOM: usize = 16;

pub(super) fn own_threads<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JThread<'l>> {
    inside_jni(jni, class, env, |_, jni| {
        array_of::<JThread>(jni, &[watchdog::thread()?, steward::thread()?])
    })
}

pub(super) fn idle_threads<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JThread<'l>> {
    inside_jni(jni, class, env, |_, jni| {
        let idle = kept_threads::idle();
        let threads: Vec<_> = idle.iter().map(|seat| seat.thread()).collect();
        array_of::<JThread>(jni, &threads)
    })
}

#[allow(clippy::too_many_arguments, reason = "as the bridge declares it")]
pub(super) fn while_suspended<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    targets: JObjectArray<'l, JThread<'l>>,
    nanos: jlong,
    extent: jint,
    codes: JIntArray<'l>,
    action: JObject<'l>,
) -> jboolean {
    around(jni, class, env, |jni, _| {
        bracket::run(
            jni,
            &action,
            |jni| {
                // The action may close it.
                let inside = gate::enter(Me::new(jni.get_raw()), env)?;
                let begun = begin(jni, &inside, &targets, nanos, extent_of(extent)?)?;
                drop(inside);
                let suspension = AtLast::of(&begun);
                tell(jni, &codes, &begun.results)?;
                Ok(suspension.hand_over())
            },
            |jni, token| {
                let in_time = suspension::end(jni, token)?;
                // What a closed environment has suspended was resumed by closing it.
                if !in_time {
                    gate::enter(Me::new(jni.get_raw()), env)?;
                }
                Ok(in_time)
            },
        )
    })
}

fn extent_of(number: jint) -> Outcome<Extent> {
    match number {
        bridge::SUSPEND_ONE => Ok(Extent::One),
        bridge::SUSPEND_SOME => Ok(Extent::Some),
        bridge::SUSPEND_OTHERS => Ok(Extent::Standstill),
        other => Err(Failure::State(format!("nobody is suspended by {other}"))),
    }
}

/// Keeps no local reference during the action. More than the room that is planned come into it.
fn begin(
    jni: &mut Env<'_>,
    env: &Inside,
    targets: &JObjectArray<'_, JThread<'_>>,
    nanos: jlong,
    extent: Extent,
) -> Outcome<Begun> {
    jni.with_local_frame(ROOM, |jni| {
        let targets = threads(jni, targets)?;
        suspension::begin(jni, env, &targets, nanos, extent)
    })
}

fn tell(jni: &Env<'_>, codes: &JIntArray<'_>, results: &[sys::Error]) -> Outcome<()> {
    let results: Vec<jint> = results.iter().map(|error| error.0).collect();
    bare::set_ints(jni, codes, &results)
}
