//! `ExtensionNatives`.

use jni::objects::{JClass, JObject, JThread};
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, EnvUnowned};
use jvmti::{ExtensionParameter, MutfString};

use super::values::strings;
use crate::boundary::context;
use crate::boundary::guard::{inside, inside_bound, inside_jni};
use crate::boundary::records::ExtensionFacts;
use crate::failure::Outcome;
use crate::thread::carrier;
use crate::vm::bare;
use crate::vm::capacity::make_room;

pub(super) fn get_extension_functions<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let mut all = Extensions::default();
        for one in env.extension_functions()? {
            all.add(one.id, one.short_description, one.parameters);
            all.error_counts.push(one.errors.len() as jint);
            all.errors.extend(one.errors.iter().map(|error| error.0));
        }
        all.make(jni, class)
    })
}

pub(super) fn get_extension_events<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let mut all = Extensions::default();
        for one in env.extension_events()? {
            all.add(one.id, one.short_description, one.parameters);
            all.numbers.push(one.index);
        }
        all.make(jni, class)
    })
}

pub(super) fn is_class_unloading_enabled<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> jboolean {
    inside(jni, class, env, |env| Ok(env.is_class_unloading_enabled()?))
}

pub(super) fn virtual_thread<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> JThread<'l> {
    inside_jni(jni, (class, &target), env, |env, jni| {
        Ok(env.virtual_thread(jni, &target)?.unwrap_or_default())
    })
}

/// Read where the VM reads it. Its own function asks on 21 by a handshake with its caller, and keeps all virtual threads
/// from moving while that may be suspended.
pub(super) fn carrier_thread<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> JThread<'l> {
    inside_jni(jni, (class, &target), env, |_, jni| {
        Ok(carrier::of(jni, &target)?.unwrap_or_default())
    })
}

/// What Java makes lists of.
#[derive(Default)]
struct Extensions {
    ids: Vec<MutfString>,
    descriptions: Vec<MutfString>,
    numbers: Vec<jint>,
    parameter_counts: Vec<jint>,
    parameter_names: Vec<MutfString>,
    parameter_facts: Vec<jint>,
    error_counts: Vec<jint>,
    errors: Vec<jint>,
}

impl Extensions {
    fn add(
        &mut self,
        id: MutfString,
        description: MutfString,
        parameters: Vec<ExtensionParameter>,
    ) {
        self.ids.push(id);
        self.descriptions.push(description);
        self.parameter_counts.push(parameters.len() as jint);
        for one in parameters {
            let facts = [one.kind.0, one.base_type.0, jint::from(one.null_ok)];
            self.parameter_facts.extend(facts);
            self.parameter_names.push(one.name);
        }
    }

    fn make<'l>(&self, jni: &mut Env<'l>, class: &JClass<'_>) -> Outcome<JObject<'l>> {
        make_room(jni, 2 * self.ids.len() + self.parameter_names.len())?;
        let facts = ExtensionFacts {
            ids: &strings(jni, &self.ids)?,
            descriptions: &strings(jni, &self.descriptions)?,
            numbers: &bare::int_array(jni, &self.numbers)?,
            parameter_counts: &bare::int_array(jni, &self.parameter_counts)?,
            parameter_names: &strings(jni, &self.parameter_names)?,
            parameter_facts: &bare::int_array(jni, &self.parameter_facts)?,
            error_counts: &bare::int_array(jni, &self.error_counts)?,
            errors: &bare::int_array(jni, &self.errors)?,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    }
}
