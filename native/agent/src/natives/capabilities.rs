//! `CapabilityNatives`: a set of capabilities is a `long` whose bits are the specification's.

use jni::objects::JClass;
use jni::sys::jlong;
use jni::{EnvUnowned, NativeMethod};
use jvmti::sys::Capabilities;

use super::native;
use crate::guard::{inside, outside};
use crate::{borrowed, capability_lock, image, startup};

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(get_potential_capabilities(env: jlong) -> jlong),
        native!(get_capabilities(env: jlong) -> jlong),
        native!(add_capabilities(env: jlong, mask: jlong)),
        native!(relinquish_capabilities(env: jlong, mask: jlong)),
        native!(potential_at_start() -> jlong),
        native!(borrow_capabilities(env: jlong, mask: jlong)),
        native!(return_capabilities(env: jlong, mask: jlong)),
    ]
}

fn get_potential_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jlong {
    inside(jni, class, env, |env| {
        let potential = env.potential_capabilities()?;
        Ok(potential.union(&startup::lendable()).bits().cast_signed())
    })
}

fn get_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) -> jlong {
    inside(jni, class, env, |env| {
        Ok(env.capabilities()?.bits().cast_signed())
    })
}

fn add_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, mask: jlong) {
    inside(jni, class, env, |env| {
        let wanted = Capabilities::from_bits(mask.cast_unsigned());
        let _turn = capability_lock::take();
        startup::lend(&wanted)?;
        let added = env.add_capabilities(&wanted);
        if added.is_err() {
            startup::take_back();
        }
        Ok(added?)
    })
}

fn relinquish_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, mask: jlong) {
    inside(jni, class, env, |env| {
        let unwanted = Capabilities::from_bits(mask.cast_unsigned());
        let _turn = capability_lock::take();
        env.relinquish_capabilities(&unwanted)?;
        startup::take_back();
        Ok(())
    })
}

fn potential_at_start<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jlong {
    outside(jni, class, |_, _| {
        Ok(image::potential_at_start().cast_signed())
    })
}

fn borrow_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, mask: jlong) {
    inside(jni, class, env, |env| {
        borrowed::borrow(env, &Capabilities::from_bits(mask.cast_unsigned()))
    })
}

fn return_capabilities<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, mask: jlong) {
    inside(jni, class, env, |env| {
        borrowed::give_back(env, &Capabilities::from_bits(mask.cast_unsigned()))
    })
}
