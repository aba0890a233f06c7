//! `CapabilityNatives`: a set of capabilities is a `long` whose bits are the specification's.

use jni::objects::{JBooleanArray, JClass};
use jni::sys::jlong;
use jni::{EnvUnowned, NativeMethod};
use jvmti::sys::Capabilities;

use super::native;
use crate::guard::{inside, inside_jni, outside};
use crate::{borrowed, changes, image};

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(get_potential_capabilities(env: jlong) -> jlong),
        native!(get_capabilities(env: jlong) -> jlong),
        native!(add_capabilities(env: jlong, mask: jlong)),
        native!(relinquish_capabilities(env: jlong, mask: jlong)),
        native!(potential_at_start() -> jlong),
        native!(borrow_capabilities(env: jlong, mask: jlong, has: jboolean[])),
        native!(return_capabilities(env: jlong, mask: jlong, has: jboolean[])),
    ]
}

fn get_potential_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jlong {
    inside_jni(jni, class, env, |env, jni| {
        Ok(changes::potential(jni, env)?.bits().cast_signed())
    })
}

fn get_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jlong {
    inside(jni, class, env, |env| {
        Ok(env.capabilities()?.bits().cast_signed())
    })
}

fn add_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, mask: jlong) {
    inside_jni(jni, class, env, |env, jni| {
        changes::add(jni, env, Capabilities::from_bits(mask.cast_unsigned()))
    })
}

fn relinquish_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, mask: jlong) {
    inside_jni(jni, class, env, |env, jni| {
        changes::relinquish(jni, env, Capabilities::from_bits(mask.cast_unsigned()))
    })
}

fn potential_at_start<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jlong {
    outside(jni, class, |_, _| {
        Ok(image::potential_at_start().cast_signed())
    })
}

fn borrow_capabilities<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    mask: jlong,
    has: JBooleanArray<'l>,
) {
    inside_jni(jni, class, env, |env, jni| {
        borrowed::borrow(jni, env, Capabilities::from_bits(mask.cast_unsigned()))?;
        Ok(has.set_region(jni, 0, &[true])?)
    })
}

fn return_capabilities<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    mask: jlong,
    has: JBooleanArray<'l>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let mut borrowed = [false];
        has.get_region(jni, 0, &mut borrowed)?;
        if borrowed[0] {
            has.set_region(jni, 0, &[false])?;
            borrowed::give_back(jni, env, Capabilities::from_bits(mask.cast_unsigned()))?;
        }
        Ok(())
    })
}
