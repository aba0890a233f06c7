//! `ErrandNatives`: what is done by a thread that nobody waits for.

use std::ffi::CString;

use jni::EnvUnowned;
use jni::objects::{JClass, JObject, JString};
use jni::sys::{jboolean, jlong};

use crate::boundary::guard::outside;
use crate::vm::errand;

pub(super) fn number<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jlong {
    outside(jni, class, |_, _| Ok(errand::number()))
}

pub(super) fn ask<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    number: jlong,
    name: JString<'l>,
    deed: JObject<'l>,
) {
    outside(jni, class, |jni, _| {
        let name = CString::new(name.try_to_string(jni)?).unwrap_or_default();
        errand::ask(jni, number, name, &deed)
    });
}

pub(super) fn is_current<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> jboolean {
    outside(jni, class, |_, _| Ok(errand::is_current()))
}
