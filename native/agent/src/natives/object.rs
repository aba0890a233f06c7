//! `ObjectNatives`.

use jni::EnvUnowned;
use jni::objects::{JClass, JObject, JThread};
use jni::sys::{jint, jlong};

use super::values::array_of;
use crate::boundary::context;
use crate::boundary::guard::{inside, inside_bound};
use crate::boundary::records::MonitorFacts;
use crate::vm::capacity::make_room;

pub(super) fn get_object_size<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    object: JObject<'l>,
) -> jlong {
    inside(jni, class, env, |env| Ok(env.object_size(&object)?))
}

pub(super) fn get_object_hash_code<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    object: JObject<'l>,
) -> jint {
    inside(jni, class, env, |env| Ok(env.object_hash_code(&object)?))
}

pub(super) fn get_object_monitor_usage<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    object: JObject<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let usage = env.object_monitor_usage(jni, &object)?;
        make_room(jni, usage.waiters.len() + usage.notify_waiters.len())?;
        let waiters = array_of::<JThread>(jni, &usage.waiters)?;
        let notify_waiters = array_of::<JThread>(jni, &usage.notify_waiters)?;
        let facts = MonitorFacts {
            owner: usage.owner.as_ref(),
            entry_count: usage.entry_count,
            waiters: &waiters,
            notify_waiters: &notify_waiters,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}
