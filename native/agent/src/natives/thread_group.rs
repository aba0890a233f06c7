//! `ThreadGroupNatives`.

use jni::objects::{JClass, JObject, JObjectArray, JString};
use jni::sys::jlong;
use jni::{Env, EnvUnowned};
use jvmti::JThreadGroup;

use super::thread::thread_array;
use crate::boundary::context;
use crate::boundary::guard::{inside_bound, inside_jni};
use crate::boundary::records::{ThreadGroupChildrenFacts, ThreadGroupFacts};
use crate::failure::Outcome;
use crate::vm::capacity::make_room;

pub(super) fn get_top_thread_groups<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JThreadGroup<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let groups = env.top_thread_groups(jni)?;
        group_array(jni, &groups)
    })
}

pub(super) fn get_thread_group_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    group: JThreadGroup<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let info = env.thread_group_info(jni, &group)?;
        let name = JString::from_jni_str(jni, &info.name)?;
        let facts = ThreadGroupFacts {
            parent: info.parent.as_ref(),
            name: &name,
            max_priority: info.max_priority,
            daemon: info.is_daemon,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

pub(super) fn get_thread_group_children<'l>(
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
        let facts = ThreadGroupChildrenFacts {
            threads: &threads,
            groups: &groups,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
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
