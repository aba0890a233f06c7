//! `HeapNatives`: tags.

use jni::objects::{JClass, JLongArray, JObject};
use jni::sys::{jlong, jvalue};
use jni::{EnvUnowned, NativeMethod, jni_str};

use super::row::native;
use super::values::{long_array, object_array};
use crate::boundary::context::{self, unbound};
use crate::boundary::guard::{inside, inside_bound};
use crate::vm::capacity::filled;

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(get_tag(env: jlong, object: JObject) -> jlong),
        native!(set_tag(env: jlong, object: JObject, tag: jlong)),
        native!(get_objects_with_tags(env: jlong, tags: jlong[]) -> JObject),
    ]
}

fn get_tag<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, object: JObject<'l>) -> jlong {
    inside(jni, class, env, |env| Ok(env.tag(&object)?))
}

fn set_tag<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    object: JObject<'l>,
    tag: jlong,
) {
    inside(jni, class, env, |env| {
        env.stain();
        Ok(env.set_tag(&object, tag)?)
    })
}

fn get_objects_with_tags<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    tags: JLongArray<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let mut wanted = filled("GetObjectsWithTags", 0, tags.len(jni)?)?;
        tags.get_region(jni, 0, &mut wanted)?;
        let found = env.objects_with_tags(jni, &wanted)?;
        let objects = object_array(jni, jni_str!("java/lang/Object"), &found.objects)?;
        let tags = long_array(jni, &found.tags)?;
        let context = context::of(jni, class).ok_or_else(unbound)?;
        let args = [
            jvalue {
                l: objects.as_raw(),
            },
            jvalue { l: tags.as_raw() },
        ];
        // SAFETY: the arguments are those of the TagFacts constructor.
        unsafe { context.facts.tag.construct(jni, &args) }
    })
}
