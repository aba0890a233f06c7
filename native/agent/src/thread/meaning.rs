//! What the classes of a loader mean by a name: a class of that name may be another loader's.
//!
//! Nothing is loaded for it, no code but the JDK's is run, and no list is made of what there is: a value is of a type only if
//! a supertype of its class is called so, and those are few.

use std::collections::HashMap;

use jni::Env;
use jni::objects::{JClass, JClassLoader, JObject, JValue};
use jni::signature::ReturnType;
use jni::{jni_sig, jni_str};

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::vm::bare;
use crate::vm::capacity::Room;
use crate::vm::jdk::{JdkClass, JdkMethod};

static CLASS: JdkClass = JdkClass::new(jni_str!("java.lang.Class"));
static COMPONENT_TYPE: JdkMethod = JdkMethod::new(
    &CLASS,
    jni_str!("getComponentType"),
    jni_sig!(() -> java.lang.Class),
);

static CLASS_LOADER: JdkClass = JdkClass::new(jni_str!("java.lang.ClassLoader"));
static FIND_LOADED_CLASS: JdkMethod = JdkMethod::new(
    &CLASS_LOADER,
    jni_str!("findLoadedClass"),
    jni_sig!((java.lang.String) -> java.lang.Class),
);

/// Whether `value` is of the type that the classes of `loader` mean by a descriptor.
pub(super) fn is_of(
    jni: &mut Env<'_>,
    env: &Inside,
    loader: &JClassLoader<'_>,
    value: &JObject<'_>,
    signature: &str,
) -> Outcome<bool> {
    let mut class = jni.get_object_class(value)?;
    let element = signature.trim_start_matches('[');
    for _ in element.len()..signature.len() {
        let Some(component) = component_type(jni, &class)? else {
            return Ok(false);
        };
        class = component;
    }
    // Only the JDK defines classes of these names; and what is no class is itself alone, which the VM compares.
    if element.starts_with("Ljava/") || !element.starts_with('L') {
        return Ok(true);
    }
    is_subtype(jni, env, loader, class, element)
}

/// Whether `value` is of a type with this descriptor, whosever that is: what the VM compares.
pub(super) fn is_called(
    jni: &mut Env<'_>,
    env: &Inside,
    value: &JObject<'_>,
    signature: &str,
) -> Outcome<bool> {
    let mut class = jni.get_object_class(value)?;
    let mut own = env.class_signature(&class)?.0.to_string();
    let element = signature.trim_start_matches('[');
    for _ in element.len()..signature.len() {
        let Some(component) = component_type(jni, &class)? else {
            return Ok(false);
        };
        class = component;
        own.remove(0);
    }
    Ok(own == element
        || own.starts_with('[') && OF_ARRAYS.contains(&element)
        || !called(jni, env, class, element)?.is_empty())
}

/// Interfaces of each array, which the VM does not tell.
const OF_ARRAYS: [&str; 2] = ["Ljava/lang/Cloneable;", "Ljava/io/Serializable;"];

/// None of what is no array.
fn component_type<'l>(jni: &mut Env<'l>, class: &JClass<'_>) -> Outcome<Option<JClass<'l>>> {
    let component = COMPONENT_TYPE.id(jni)?;
    // SAFETY: the method is one of `Class`, without parameters.
    let answer = unsafe { jni.call_method_unchecked(class, component, ReturnType::Object, &[]) };
    let answer = answer?.l()?;
    // SAFETY: the component type of an array is a class.
    let component = unsafe { JClass::from_raw(jni, answer.into_raw()) };
    Ok((!component.is_null()).then_some(component))
}

/// Whether `class` is, or is a subtype of, what `loader` has got so far for the name in `signature`.
fn is_subtype<'l>(
    jni: &mut Env<'l>,
    env: &Inside,
    loader: &JClassLoader<'_>,
    class: JClass<'l>,
    signature: &str,
) -> Outcome<bool> {
    let is_own = is_builtin(jni, env, loader)?;
    let mut others = Vec::new();
    for one in called(jni, env, class, signature)? {
        let definer = env.class_loader(jni, &one)?;
        if let Some(definer) = definer {
            // There can be no second one of that name.
            if jni.is_same_object(&definer, loader)? {
                return Ok(true);
            }
            // It asks nobody but those, and would look into its archive for what it does not know.
            if is_own && !is_builtin(jni, env, &definer)? {
                continue;
            }
        }
        others.push(one);
    }
    if others.is_empty() {
        return Ok(false);
    }
    let known = known(jni, loader, signature)?;
    for one in &others {
        if jni.is_same_object(one, &known)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What `loader` has got for the name; null if it has nothing.
fn known<'l>(
    jni: &mut Env<'l>,
    loader: &JClassLoader<'_>,
    signature: &str,
) -> Outcome<JObject<'l>> {
    let name = signature.trim_start_matches('L').trim_end_matches(';');
    let name = bare::text(jni, &name.replace('/', "."))?;
    let find = FIND_LOADED_CLASS.id(jni)?;
    let arguments = [JValue::Object(&name).as_jni()];
    // SAFETY: the method is one of `ClassLoader`, final, and takes a string.
    let answer = unsafe { jni.call_method_unchecked(loader, find, ReturnType::Object, &arguments) };
    Ok(answer?.l()?)
}
/// Whether it is one of the JDK's for the class path and its own modules.
fn is_builtin(jni: &mut Env<'_>, env: &Inside, loader: &JClassLoader<'_>) -> Outcome<bool> {
    let class = jni.get_object_class(loader)?;
    let signature = env.class_signature(&class)?.0.to_string();
    jni.delete_local_ref(class);
    Ok(signature.starts_with("Ljdk/internal/loader/ClassLoaders$"))
}

/// Those of `class` and its supertypes that are called like that: several if they are of several loaders.
pub(super) fn called<'l>(
    jni: &mut Env<'l>,
    env: &Inside,
    class: JClass<'l>,
    signature: &str,
) -> Outcome<Vec<JClass<'l>>> {
    let mut room = Room::default();
    // An interface is inherited in as many ways as its subtypes are, and theirs.
    let mut seen: HashMap<String, Vec<JClass<'l>>> = HashMap::new();
    let mut next = vec![class];
    'next: while let Some(one) = next.pop() {
        let namesakes = seen
            .entry(env.class_signature(&one)?.0.to_string())
            .or_default();
        for other in namesakes.iter() {
            if jni.is_same_object(&one, other)? {
                jni.delete_local_ref(one);
                continue 'next;
            }
        }
        let interfaces = env.implemented_interfaces(jni, &one).unwrap_or_default();
        room.made(jni, interfaces.len() + 1)?;
        next.extend(interfaces);
        next.extend(jni.get_superclass(&one)?);
        namesakes.push(one);
    }
    Ok(seen.remove(signature).unwrap_or_default())
}
