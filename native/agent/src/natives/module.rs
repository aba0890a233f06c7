//! `ModuleNatives`.

use jni::objects::{JClass, JClassLoader, JObjectArray, JString};
use jni::signature::ReturnType;
use jni::strings::JNIString;
use jni::sys::{jboolean, jlong};
use jni::{Env, EnvUnowned, jni_sig, jni_str};
use jvmti::{JModule, sys};

use super::listed::Latest;
use super::values::array_of;
use crate::boundary::guard::{inside, inside_jni};
use crate::failure::Outcome;
use crate::vm::bare;
use crate::vm::jdk::{JdkClass, JdkMethod};

/// More than a class file can hold of a name: the safe layer knows what becomes of those.
const TOO_LONG: usize = 1 << 16;

static CLASS_LOADER: JdkClass = JdkClass::new(jni_str!("java.lang.ClassLoader"));

static GET_UNNAMED_MODULE: JdkMethod = JdkMethod::new(
    &CLASS_LOADER,
    jni_str!("getUnnamedModule"),
    jni_sig!(() -> java.lang.Module),
);

pub(super) fn get_all_modules<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JModule<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        static LATEST: Latest<JObjectArray<'static, JModule<'static>>> = Latest::new();
        LATEST.by_the_steward(jni, env, None, |env, jni, _| {
            let modules = env.all_modules(jni)?;
            let array = array_of::<JModule>(jni, &modules)?;
            Ok(jni.new_global_ref(array)?)
        })
    })
}

pub(super) fn get_named_module<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    loader: JClassLoader<'l>,
    package_name: JString<'l>,
) -> JModule<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let package = package("GetNamedModule", jni, &package_name)?;
        let loader = (!loader.is_null()).then_some(&loader);
        if let Some(loader) = loader
            && !is_constructed(jni, loader)?
        {
            return Ok(JModule::null());
        }
        let module = env.named_module(jni, loader, &package)?;
        Ok(module.unwrap_or_default())
    })
}

/// Whether its constructor has run: the VM ends the process when it is to make something of a loader without an unnamed
/// module.
fn is_constructed(jni: &mut Env<'_>, loader: &JClassLoader<'_>) -> Outcome<bool> {
    let unnamed = GET_UNNAMED_MODULE.id(jni)?;
    // SAFETY: the method is one of `ClassLoader`, final and without parameters.
    let module = unsafe { jni.call_method_unchecked(loader, unnamed, ReturnType::Object, &[]) };
    let module = module?.l()?;
    let is_there = !module.is_null();
    jni.delete_local_ref(module);
    Ok(is_there)
}

pub(super) fn add_module_reads<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    module: JModule<'l>,
    to_module: JModule<'l>,
) {
    inside(jni, class, env, |env| {
        Ok(env.add_module_reads(&module, &to_module)?)
    })
}

pub(super) fn add_module_exports<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    module: JModule<'l>,
    pkg_name: JString<'l>,
    to_module: JModule<'l>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let package = package("AddModuleExports", jni, &pkg_name)?;
        Ok(env.add_module_exports(&module, &package, &to_module)?)
    })
}

pub(super) fn add_module_opens<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    module: JModule<'l>,
    pkg_name: JString<'l>,
    to_module: JModule<'l>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let package = package("AddModuleOpens", jni, &pkg_name)?;
        Ok(env.add_module_opens(&module, &package, &to_module)?)
    })
}

pub(super) fn add_module_uses<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    module: JModule<'l>,
    service: JClass<'l>,
) {
    inside(jni, class, env, |env| {
        Ok(env.add_module_uses(&module, &service)?)
    })
}

pub(super) fn add_module_provides<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    module: JModule<'l>,
    service: JClass<'l>,
    impl_class: JClass<'l>,
) {
    inside(jni, class, env, |env| {
        Ok(env.add_module_provides(&module, &service, &impl_class)?)
    })
}

pub(super) fn is_modifiable_module<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    module: JModule<'l>,
) -> jboolean {
    inside(
        jni,
        class,
        env,
        |env| Ok(env.is_modifiable_module(&module)?),
    )
}

/// The name of a package, which no function takes a null for.
fn package(function: &'static str, jni: &Env<'_>, name: &JString<'_>) -> Outcome<JNIString> {
    if name.is_null() {
        return Err(jvmti::Error::new(function, sys::Error::NULL_POINTER).into());
    }
    bare::beginning(jni, name, TOO_LONG)
}
