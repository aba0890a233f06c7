//! `HeapNatives`: tags, and how often allocations are sampled.

use jni::EnvUnowned;
use jni::objects::{JClass, JLongArray, JObject};
use jni::sys::{jint, jlong};

use super::values::object_array;
use crate::boundary::context;
use crate::boundary::guard::{inside, inside_bound};
use crate::boundary::records::TagFacts;
use crate::vm::bare::{self, long_array};
use crate::vm::capacity::filled;
use crate::vm::jdk::OBJECT;

pub(super) fn get_tag<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    object: JObject<'l>,
) -> jlong {
    inside(jni, class, env, |env| Ok(env.tag(&object)?))
}

pub(super) fn set_tag<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    object: JObject<'l>,
    tag: jlong,
) {
    inside(jni, class, env, |env| {
        env.set_tag(&object, tag)?;
        if tag != 0 {
            env.has_tagged(tag);
        }
        Ok(())
    })
}

pub(super) fn get_objects_with_tags<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    tags: JLongArray<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let mut wanted = filled("GetObjectsWithTags", 0, tags.len(jni)?)?;
        bare::get_longs(jni, &tags, &mut wanted)?;
        let found = env.objects_with_tags(jni, &wanted)?;
        let objects = object_array(jni, &OBJECT, &found.objects)?;
        let tags = long_array(jni, &found.tags)?;
        let facts = TagFacts {
            objects: &objects,
            tags: &tags,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

pub(super) fn set_heap_sampling_interval<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    bytes: jint,
) {
    inside(jni, class, env, |env| {
        // A negative one is the VM's to refuse.
        Ok(env.set_heap_sampling_interval(bytes.cast_unsigned())?)
    });
}
