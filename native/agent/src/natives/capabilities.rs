//! `CapabilitiesNatives`: a set of capabilities is a `long` whose bits are the specification's.

use jni::EnvUnowned;
use jni::objects::{JClass, JObject};
use jni::sys::jlong;
use jvmti::sys::Capabilities;

use crate::boundary::bracket;
use crate::boundary::guard::{around, inside, inside_jni, outside};
use crate::environment::gate::{self, Me};
use crate::environment::{borrowed, changes};
use crate::vm::image;

pub(super) fn get_potential_capabilities<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> jlong {
    inside_jni(jni, class, env, |env, jni| {
        Ok(changes::potential(jni, env)?.bits().cast_signed())
    })
}

pub(super) fn get_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jlong {
    inside(jni, class, env, |env| {
        Ok(env.capabilities()?.bits().cast_signed())
    })
}

pub(super) fn add_capabilities<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    mask: jlong,
) {
    inside_jni(jni, class, env, |env, jni| {
        changes::add(jni, env, Capabilities::from_bits(mask.cast_unsigned()))
    })
}

pub(super) fn relinquish_capabilities<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    mask: jlong,
) {
    inside_jni(jni, class, env, |env, jni| {
        changes::relinquish(jni, env, Capabilities::from_bits(mask.cast_unsigned()))
    })
}

pub(super) fn potential_at_start<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jlong {
    outside(jni, class, |_, _| {
        Ok(image::potential_at_start().cast_signed())
    })
}

pub(super) fn prepared_at_start<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jlong {
    outside(jni, class, |_, _| {
        Ok(image::prepared_at_start().cast_signed())
    })
}

pub(super) fn while_borrowed<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    mask: jlong,
    action: JObject<'l>,
) {
    let wanted = Capabilities::from_bits(mask.cast_unsigned());
    around(jni, class, env, |jni, _| {
        bracket::run(
            jni,
            &action,
            |jni| {
                let inside = gate::enter(Me::new(jni.get_raw()), env)?;
                borrowed::borrow(jni, &inside, wanted)
            },
            |jni, ()| borrowed::give_back(jni, env.cast_unsigned(), wanted),
        )
    })
}
