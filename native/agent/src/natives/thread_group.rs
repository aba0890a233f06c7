//! `ThreadGroupNatives`.

use jni::objects::{JClass, JObject, JObjectArray, JString};
use jni::sys::{jlong, jvalue};
use jni::{EnvUnowned, NativeMethod, jni_str};

use super::thread::thread_array;
use super::{native, object_array, or_null, unbound};
use crate::context;
use crate::guard::{inside_bound, inside_jni};

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(get_top_thread_groups(env: jlong) -> java.lang.ThreadGroup[]),
        native!(get_thread_group_info(env: jlong, group: java.lang.ThreadGroup) -> JObject),
        native!(get_thread_group_children(env: jlong, group: java.lang.ThreadGroup) -> JObject),
    ]
}

fn get_top_thread_groups<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JObject<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let groups = env.top_thread_groups(jni)?;
        object_array(jni, jni_str!("java/lang/ThreadGroup"), &groups)
    })
}

fn get_thread_group_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    group: JObject<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let info = env.thread_group_info(jni, &group)?;
        let name = JString::from_jni_str(jni, &info.name)?;
        let context = context::of(jni, class).ok_or_else(unbound)?;
        let args = [
            jvalue {
                l: or_null(info.parent.as_ref()),
            },
            jvalue { l: name.as_raw() },
            jvalue {
                i: info.max_priority,
            },
            jvalue { z: info.is_daemon },
        ];
        // SAFETY: the arguments are those of the ThreadGroupFacts constructor.
        unsafe { context.facts.thread_group.construct(jni, &args) }
    })
}

fn get_thread_group_children<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    group: JObject<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let children = env.thread_group_children(jni, &group)?;
        let made = children.threads.len() + children.groups.len();
        super::make_room(jni, made)?;
        let threads = children.threads.iter().map(JObject::as_raw);
        let threads = thread_array(jni, children.threads.len(), threads)?;
        let groups = object_array(jni, jni_str!("java/lang/ThreadGroup"), &children.groups)?;
        let context = context::of(jni, class).ok_or_else(unbound)?;
        let args = [
            jvalue {
                l: threads.as_raw(),
            },
            jvalue { l: groups.as_raw() },
        ];
        // SAFETY: the arguments are those of the ThreadGroupChildrenFacts constructor.
        unsafe { context.facts.thread_group_children.construct(jni, &args) }
    })
}
