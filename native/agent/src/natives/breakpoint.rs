//! `BreakpointNatives`. An id comes with the class that declares the member.

use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JObject};
use jni::sys::{jboolean, jlong};

use super::field::field;
use super::method::method;
use super::values::array_of;
use crate::boundary::context;
use crate::boundary::guard::{inside_bound, inside_jni};
use crate::boundary::records::WatchFacts;
use crate::event::watches::{self, Watch};
use crate::event::{begun_changes, breakpoints};
use crate::vm::bare;

pub(super) fn set_breakpoint<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
    method_id: jlong,
    location: jlong,
) {
    inside_bound(jni, class, env, |env, jni, class| {
        let metadata = context::bound(jni, class)?.metadata(jni)?;
        breakpoints::set(jni, env, metadata, &target, (method(method_id), location))
    });
}

pub(super) fn clear_breakpoint<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
    method_id: jlong,
    location: jlong,
) {
    inside_jni(jni, class, env, |env, jni| {
        breakpoints::clear(jni, env, &target, (method(method_id), location))
    });
}

pub(super) fn is_changing<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> jboolean {
    inside_jni(jni, class, env, |_, jni| {
        begun_changes::is_under_way(jni, &target, None)
    })
}

pub(super) fn breakpoints<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let all = breakpoints::all(jni, env)?;
        let all = all
            .iter()
            .flat_map(|(method, location)| [method.as_raw() as jlong, *location]);
        bare::long_array(jni, &all.collect::<Vec<_>>())
    })
}

pub(super) fn set_field_access_watch<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
    field_id: jlong,
) {
    inside_jni(jni, class, env, |env, jni| {
        watches::set(jni, env, Watch::Access, &target, field(&target, field_id))
    });
}

pub(super) fn clear_field_access_watch<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
    field_id: jlong,
) {
    inside_jni(jni, class, env, |env, jni| {
        watches::clear(jni, env, Watch::Access, &target, field(&target, field_id))
    });
}

pub(super) fn set_field_modification_watch<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
    field_id: jlong,
) {
    inside_jni(jni, class, env, |env, jni| {
        watches::set(
            jni,
            env,
            Watch::Modification,
            &target,
            field(&target, field_id),
        )
    });
}

pub(super) fn clear_field_modification_watch<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
    field_id: jlong,
) {
    inside_jni(jni, class, env, |env, jni| {
        watches::clear(
            jni,
            env,
            Watch::Modification,
            &target,
            field(&target, field_id),
        )
    });
}

pub(super) fn watches<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    modification: jboolean,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let watch = match modification {
            true => Watch::Modification,
            false => Watch::Access,
        };
        let all = watches::all(jni, env, watch)?;
        let classes: Vec<_> = all.iter().map(|(class, _)| class).collect();
        let ids: Vec<_> = all.iter().map(|(_, id)| id.bits()).collect();
        let facts = WatchFacts {
            classes: &array_of::<JClass>(jni, &classes)?,
            field_ids: &bare::long_array(jni, &ids)?,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}
