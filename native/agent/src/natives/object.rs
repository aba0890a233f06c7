//! `ObjectNatives`.

use jni::objects::{JClass, JObject};
use jni::sys::{jint, jlong, jvalue};
use jni::{EnvUnowned, NativeMethod};

use super::row::native;
use super::thread::thread_array;
use super::values::or_null;
use crate::boundary::context::{self, unbound};
use crate::boundary::guard::{inside, inside_bound};
use crate::vm::capacity::make_room;

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(get_object_size(env: jlong, object: JObject) -> jlong),
        native!(get_object_hash_code(env: jlong, object: JObject) -> jint),
        native!(get_object_monitor_usage(env: jlong, object: JObject) -> JObject),
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

fn get_object_monitor_usage<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    object: JObject<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let usage = env.object_monitor_usage(jni, &object)?;
        make_room(jni, usage.waiters.len() + usage.notify_waiters.len())?;
        let waiters = thread_array(jni, &usage.waiters)?;
        let notify_waiters = thread_array(jni, &usage.notify_waiters)?;
        let context = context::of(jni, class).ok_or_else(unbound)?;
        let args = [
            jvalue {
                l: or_null(usage.owner.as_ref()),
            },
            jvalue {
                i: usage.entry_count,
            },
            jvalue {
                l: waiters.as_raw(),
            },
            jvalue {
                l: notify_waiters.as_raw(),
            },
        ];
        // SAFETY: the arguments are those of the MonitorFacts constructor.
        unsafe { context.facts.monitor.construct(jni, &args) }
    })
}
