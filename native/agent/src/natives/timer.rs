//! `TimerNatives`.

use jni::objects::{JClass, JLongArray, JThread};
use jni::sys::{jint, jlong};
use jni::{Env, EnvUnowned, NativeMethod};
use jvmti::sys::jvmtiTimerInfo;

use super::row::native;
use super::values::{long_array, thread};
use crate::boundary::guard::{inside, inside_jni};
use crate::failure::Outcome;

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(get_current_thread_cpu_timer_info(env: jlong) -> jlong[]),
        native!(get_current_thread_cpu_time(env: jlong) -> jlong),
        native!(get_thread_cpu_timer_info(env: jlong) -> jlong[]),
        native!(get_thread_cpu_time(env: jlong, thread: java.lang.Thread) -> jlong),
        native!(get_timer_info(env: jlong) -> jlong[]),
        native!(get_time(env: jlong) -> jlong),
        native!(get_available_processors(env: jlong) -> jint),
    ]
}

fn get_current_thread_cpu_timer_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        pack(jni, &env.current_thread_cpu_timer_info()?)
    })
}

fn get_current_thread_cpu_time<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jlong {
    inside(jni, class, env, |env| Ok(env.current_thread_cpu_time()?))
}

fn get_thread_cpu_timer_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        pack(jni, &env.thread_cpu_timer_info()?)
    })
}

fn get_thread_cpu_time<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> jlong {
    inside(jni, class, env, |env| {
        Ok(env.thread_cpu_time(thread(&target))?)
    })
}

fn get_timer_info<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| pack(jni, &env.timer_info()?))
}

fn get_time<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jlong {
    inside(jni, class, env, |env| Ok(env.time()?))
}

fn get_available_processors<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jint {
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
