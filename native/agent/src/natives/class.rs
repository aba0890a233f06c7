//! `ClassNatives`.

use jni::EnvUnowned;
use jni::objects::{
    JByteArray, JClass, JClassLoader, JIntArray, JLongArray, JObject, JObjectArray, JString,
};
use jni::sys::{jboolean, jint, jlong};
use jvmti::ClassDefinition;

use super::listed::Latest;
use super::redefinition::{self, ClassFiles};
use super::values::{absent, array_of, object_array, string_or_null};
use crate::boundary::context;
use crate::boundary::guard::{inside, inside_bound, inside_jni};
use crate::boundary::records::{ClassSignatureFacts, ClassVersionFacts};
use crate::event::passes::{self, Place};
use crate::event::upcalls::Upcalls;
use crate::vm::bare;
use crate::vm::jdk::OBJECT;

type Listed = JObjectArray<'static, JClass<'static>>;

pub(super) fn get_implemented_interfaces<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JObjectArray<'l, JClass<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let interfaces = env.implemented_interfaces(jni, &target)?;
        array_of::<JClass>(jni, &interfaces)
    })
}

pub(super) fn get_source_debug_extension<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JString<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let text = absent(env.source_debug_extension(&target))?;
        string_or_null(jni, text.as_deref())
    })
}

pub(super) fn get_class_signature<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let (signature, generic) = env.class_signature(&target)?;
        let signature = bare::string(jni, signature)?;
        let generic = generic.map(|text| bare::string(jni, text)).transpose()?;
        let facts = ClassSignatureFacts {
            signature: &signature,
            generic: generic.as_ref(),
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

pub(super) fn get_class_status(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    target: JClass<'_>,
) -> jint {
    inside(jni, class, env, |env| Ok(env.class_status(&target)?.bits()))
}

pub(super) fn get_source_file_name<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JString<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let name = absent(env.source_file_name(&target))?;
        string_or_null(jni, name.as_deref())
    })
}

pub(super) fn get_class_modifiers(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    target: JClass<'_>,
) -> jint {
    inside(jni, class, env, |env| Ok(env.class_modifiers(&target)?))
}

pub(super) fn is_interface(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    target: JClass<'_>,
) -> jboolean {
    inside(jni, class, env, |env| Ok(env.is_interface(&target)?))
}

pub(super) fn is_array_class(
    jni: EnvUnowned<'_>,
    class: JClass<'_>,
    env: jlong,
    target: JClass<'_>,
) -> jboolean {
    inside(jni, class, env, |env| Ok(env.is_array_class(&target)?))
}

pub(super) fn get_class_loader<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JClassLoader<'l> {
    inside_jni(jni, class, env, |env, jni| {
        Ok(env.class_loader(jni, &target)?.unwrap_or_default())
    })
}

pub(super) fn get_class_version_numbers<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let Some((minor, major)) = absent(env.class_version_numbers(&target))? else {
            return Ok(JObject::null());
        };
        let facts = ClassVersionFacts { minor, major };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

pub(super) fn get_loaded_classes<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JClass<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        static LATEST: Latest<Listed> = Latest::new();
        LATEST.by_the_steward(jni, env, None, |env, jni, _| {
            let classes = env.loaded_classes(jni)?;
            let array = array_of::<JClass>(jni, &classes)?;
            Ok(jni.new_global_ref(array)?)
        })
    })
}

pub(super) fn is_modifiable_class<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> jboolean {
    inside(jni, class, env, |env| Ok(env.is_modifiable_class(&target)?))
}

pub(super) fn get_class_loader_classes<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    loader: JClassLoader<'l>,
) -> JObjectArray<'l, JClass<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        static LATEST: Latest<Listed> = Latest::new();
        let loader = (!loader.is_null()).then_some(&loader);
        LATEST.by_the_steward(jni, env, loader, |env, jni, loader| {
            let classes = env.class_loader_classes(jni, loader)?;
            let array = array_of::<JClass>(jni, &classes)?;
            Ok(jni.new_global_ref(array)?)
        })
    })
}

pub(super) fn get_class_methods<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let methods = env.class_methods(&target)?;
        let ids: Vec<_> = methods.iter().map(|one| one.as_raw() as jlong).collect();
        bare::long_array(jni, &ids)
    })
}

pub(super) fn get_class_fields<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let fields = env.class_fields(&target)?;
        let ids: Vec<_> = fields.iter().map(|one| one.as_raw() as jlong).collect();
        bare::long_array(jni, &ids)
    })
}

pub(super) fn get_constant_pool<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JClass<'l>,
) -> JByteArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let Some((count, constants)) = absent(env.constant_pool(&target))? else {
            return Ok(JByteArray::null());
        };
        // A class file counts them with 16 bits.
        let mut bytes = (count as u16).to_be_bytes().to_vec();
        bytes.extend_from_slice(&constants);
        bare::byte_array(jni, &bytes)
    })
}

pub(super) fn redefine_classes<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    types: JObjectArray<'l, JClass<'l>>,
    class_bytes: JByteArray<'l>,
    byte_counts: JIntArray<'l>,
) {
    inside_bound(jni, class, env, |env, jni, class| {
        let files = ClassFiles::read(jni, &class_bytes, &byte_counts)?;
        let classes = redefinition::classes(jni, &types)?;
        redefinition::change(jni, class, &classes, |jni| {
            let each = classes.iter().zip(files.each());
            let definitions: Vec<_> = each
                .map(|(class, bytes)| ClassDefinition { class, bytes })
                .collect();
            env.redefine_classes(jni, &definitions)
        })
    })
}

pub(super) fn retransform_classes<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    types: JObjectArray<'l, JClass<'l>>,
) {
    inside_bound(jni, class, env, |env, jni, class| {
        let classes = redefinition::classes(jni, &types)?;
        redefinition::change(jni, class, &classes, |jni| {
            let classes: Vec<_> = classes.iter().collect();
            env.retransform_classes(jni, &classes)
        })
    })
}

pub(super) fn retransform_from<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    types: JObjectArray<'l, JClass<'l>>,
    class_bytes: JByteArray<'l>,
    byte_counts: JIntArray<'l>,
) -> JObjectArray<'l, JObject<'l>> {
    inside_bound(jni, class, env, |env, jni, class| {
        let files = ClassFiles::read(jni, &class_bytes, &byte_counts)?;
        let classes = redefinition::classes(jni, &types)?;
        let places = Place::of(jni, &classes, files.each())?;
        let found = passes::run::<Upcalls>(jni, env, places, |jni| {
            redefinition::change(jni, class, &classes, |jni| {
                let classes: Vec<_> = classes.iter().collect();
                env.retransform_classes(jni, &classes)
            })
        })?;
        let Some(found) = found else {
            return Ok(JObjectArray::<JObject<'_>>::null());
        };
        let mut arrays = Vec::with_capacity(found.len());
        for file in &found {
            arrays.push(bare::byte_array(jni, file)?);
        }
        object_array(jni, &OBJECT, &arrays)
    })
}
