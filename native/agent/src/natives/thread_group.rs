//! `ThreadGroupNatives`.

use jni::objects::{JClass, JObject, JObjectArray, JString};
use jni::sys::{jlong, jvalue};
use jni::{Env, EnvUnowned, NativeMethod};
use jvmti::JThreadGroup;

use super::row::native;
use super::thread::thread_array;
use super::values::or_null;
use crate::boundary::context::{self, unbound};
use crate::boundary::guard::{inside_bound, inside_jni};
use crate::failure::Outcome;
use crate::vm::capacity::make_room;

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
) -> JObjectArray<'l, JThreadGroup<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let groups = env.top_thread_groups(jni)?;
        group_array(jni, &groups)
    })
}

fn get_thread_group_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    group: JThreadGroup<'l>,
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
    group: JThreadGroup<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let children = env.thread_group_children(jni, &group)?;
        let made = children.threads.len() + children.groups.len();
        make_room(jni, made)?;
        let threads = thread_array(jni, &children.threads)?;
        let groups = group_array(jni, &children.groups)?;
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

/// A `ThreadGroup[]` of the references, which the VM made on this frame.
fn group_array<'l>(
    jni: &mut Env<'l>,
    groups: &[JThreadGroup<'_>],
) -> Outcome<JObjectArray<'l, JThreadGroup<'l>>> {
    make_room(jni, groups.len())?;
    let array = JObjectArray::<JThreadGroup<'_>>::new(jni, groups.len(), JThreadGroup::null())?;
    for (index, group) in groups.iter().enumerate() {
        array.set_element(jni, index, group)?;
    }
    Ok(array)
}
