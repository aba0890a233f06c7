//! `TimerNatives`.

use jni::objects::{JClass, JLongArray, JThread};
use jni::sys::{jint, jlong};
use jni::{Env, EnvUnowned};
use jvmti::sys::{Capability, Error, jvmtiTimerInfo};

use super::values::thread;
use crate::boundary::guard::{inside, inside_jni};
use crate::failure::Outcome;
use crate::thread::transition;
use crate::vm::bare::long_array;

pub(super) fn get_current_thread_cpu_timer_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        pack(jni, &env.current_thread_cpu_timer_info()?)
    })
}

pub(super) fn get_current_thread_cpu_time<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> jlong {
    inside(jni, class, env, |env| Ok(env.current_thread_cpu_time()?))
}

pub(super) fn get_thread_cpu_timer_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        pack(jni, &env.thread_cpu_timer_info()?)
    })
}

pub(super) fn get_thread_cpu_time<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> jlong {
    const FUNCTION: &str = "GetThreadCpuTime";
    inside_jni(jni, (class, &target), env, |env, jni| {
        if transition::is_other_virtual(jni, env, thread(&target))? {
            let held = env.capabilities()?;
            let code = match held.contains(Capability::CAN_GET_THREAD_CPU_TIME) {
                true => Error::UNSUPPORTED_OPERATION,
                false => Error::MUST_POSSESS_CAPABILITY,
            };
            return Err(jvmti::Error::new(FUNCTION, code).into());
        }
        Ok(env.thread_cpu_time(thread(&target))?)
    })
}

pub(super) fn get_timer_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| pack(jni, &env.timer_info()?))
}

pub(super) fn get_time<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jlong {
    inside(jni, class, env, |env| Ok(env.time()?))
}

pub(super) fn get_available_processors<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> jint {
    inside(jni, class, env, |env| Ok(env.available_processors()?))
}

/// `{maxValue, maySkipForward, maySkipBackward, kind}`.
fn pack<'l>(jni: &mut Env<'l>, info: &jvmtiTimerInfo) -> Outcome<JLongArray<'l>> {
    let values = [
        info.max_value,
        jlong::from(info.may_skip_forward),
        jlong::from(info.may_skip_backward),
        jlong::from(info.kind.0),
    ];
    long_array(jni, &values)
}
