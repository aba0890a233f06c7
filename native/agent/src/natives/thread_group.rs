//! `ThreadGroupNatives`.

use jni::EnvUnowned;
use jni::objects::{JClass, JObject, JObjectArray, JThread};
use jni::sys::jlong;
use jvmti::JThreadGroup;

use super::values::array_of;
use crate::boundary::context;
use crate::boundary::guard::{inside_bound, inside_jni};
use crate::boundary::records::{ThreadGroupChildrenFacts, ThreadGroupFacts};
use crate::vm::bare;
use crate::vm::capacity::make_room;

pub(super) fn get_top_thread_groups<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JThreadGroup<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let groups = env.top_thread_groups(jni)?;
        array_of::<JThreadGroup>(jni, &groups)
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
        let name = bare::string(jni, &info.name)?;
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
        let threads = array_of::<JThread>(jni, &children.threads)?;
        let groups = array_of::<JThreadGroup>(jni, &children.groups)?;
        let facts = ThreadGroupChildrenFacts {
            threads: &threads,
            groups: &groups,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}
