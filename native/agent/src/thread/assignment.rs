//! Writing local variables, where the method can live with it.
//!
//! HotSpot compares little before it writes. A class is of a variable's type if one of its supertypes is *called* like that,
//! whatever loader it is of; without a table of variables any object will do; and the end of a variable's range counts as a
//! part of it, where the slot may hold an object of another type already. Each of these has the method go on with what its
//! verifier has ruled out. And the JDK's own code hands what it has checked to memory, so it is left alone.

use jni::Env;
use jni::objects::{JClass, JClassLoader, JObject, JThread};
use jni::signature::ReturnType;
use jni::{jni_sig, jni_str};
use jvmti::MethodId;
use jvmti::sys;

use crate::environment::gate::{self, Inside, Me};
use crate::failure::{Failure, Outcome};
use crate::thread::variables::{ensure_still, in_scope, renamed};
use crate::vm::capacity::make_room;
use crate::vm::jdk::{JdkClass, JdkMethod};
use crate::vm::steward;

static CLASS: JdkClass = JdkClass::new(jni_str!("java.lang.Class"));
static COMPONENT_TYPE: JdkMethod = JdkMethod::new(
    &CLASS,
    jni_str!("getComponentType"),
    jni_sig!(() -> java.lang.Class),
);

const OF_THE_JDK: &str = "variables of the JDK's own methods are not written: their code trusts them, and could crash the JVM";

/// A slot of a frame.
#[derive(Clone, Copy)]
pub(crate) struct Place<'t, 'l> {
    pub(crate) function: &'static str,
    pub(crate) thread: Option<&'t JThread<'l>>,
    pub(crate) depth: u32,
    pub(crate) slot: u16,
}

/// What is to be there.
#[derive(Clone, Copy)]
pub(crate) enum New<'v, 'l> {
    Object(Option<&'v JObject<'l>>),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
}

/// Writes a variable of a thread that is suspended, or of the current one.
pub(crate) fn assign(
    jni: &mut Env<'_>,
    env: &Inside,
    place: Place<'_, '_>,
    new: New<'_, '_>,
) -> Outcome<()> {
    ensure_still(jni, env, place.function, place.thread)?;
    ensure_fitting(jni, env, place, new)?;
    let Place {
        thread,
        depth,
        slot,
        ..
    } = place;
    // SAFETY: that the value fits was found out a moment ago, of a thread that stands still; the VM refuses if it does not
    // any more, and compares types once more where a table names them.
    let written = unsafe {
        match new {
            New::Object(value) => env.set_local_object(thread, depth, slot, value),
            New::Int(value) => env.set_local_int(thread, depth, slot, value),
            New::Long(value) => env.set_local_long(thread, depth, slot, value),
            New::Float(value) => env.set_local_float(thread, depth, slot, value),
            New::Double(value) => env.set_local_double(thread, depth, slot, value),
        }
    };
    Ok(written?)
}

fn ensure_fitting(
    jni: &mut Env<'_>,
    env: &Inside,
    place: Place<'_, '_>,
    new: New<'_, '_>,
) -> Outcome<()> {
    let refusal = |code| Err(Failure::Jvmti(jvmti::Error::new(place.function, code)));
    let frame = renamed(
        place.function,
        env.frame_location(place.thread, place.depth),
    )?;
    if frame.location < 0 {
        return refusal(sys::Error::OPAQUE_FRAME);
    }
    let declaring = env.method_declaring_class(jni, frame.method)?;
    let Some(loader) = env.class_loader(jni, &declaring)? else {
        return Err(Failure::NotTold(place.function, OF_THE_JDK));
    };
    let fits = match declared(env, frame.method, place.slot, frame.location)? {
        Declared::Not => return refusal(sys::Error::INVALID_SLOT),
        Declared::Unknown => fits_in_place_of_the_old(jni, env, place, new)?,
        Declared::As(signature) => match new {
            New::Object(Some(value)) => {
                fits_in_place_of_the_old(jni, env, place, new)?
                    || is_of(
                        jni,
                        env,
                        value,
                        &signature,
                        &declaring,
                        |jni, element, class| means(jni, env, loader, element, class),
                    )?
            }
            // The VM compares these.
            _ => true,
        },
    };
    match fits {
        true => Ok(()),
        false => refusal(sys::Error::TYPE_MISMATCH),
    }
}

/// What the class file says of a slot at a location.
enum Declared {
    /// Nothing, for it has no table.
    Unknown,
    /// That it holds no variable there.
    Not,
    As(String),
}

/// The VM goes by the first variable in whose range, the end included, the location is. So that must be the right one.
fn declared(env: &Inside, method: MethodId, slot: u16, location: i64) -> Outcome<Declared> {
    let table = match env.local_variable_table(method) {
        Ok(table) if !table.is_empty() => table,
        Err(error) if error.code != sys::Error::ABSENT_INFORMATION => return Err(error.into()),
        _ => return Ok(Declared::Unknown),
    };
    let first = table.iter().find(|one| {
        let since = location - one.start_location;
        one.slot == slot && (0..=i64::from(one.length)).contains(&since)
    });
    Ok(match first {
        Some(one) if in_scope(one, location) => Declared::As(one.signature.to_string()),
        _ => Declared::Not,
    })
}

/// Whether a reference may follow the one that is there now, whatever the slot's type is: as one to an object of the same
/// class, or of a subclass. Of numbers the VM knows that they are none.
fn fits_in_place_of_the_old(
    jni: &mut Env<'_>,
    env: &Inside,
    place: Place<'_, '_>,
    new: New<'_, '_>,
) -> Outcome<bool> {
    let New::Object(Some(value)) = new else {
        return Ok(true);
    };
    let old = env.local_object(jni, place.thread, place.depth, place.slot);
    let Some(old) = renamed(place.function, old)? else {
        return Ok(false);
    };
    let class = jni.get_object_class(&old)?;
    Ok(jni.is_instance_of(value, &class)?)
}

/// Whether `value` is of the type that the code of `declaring` means by `signature`; `means` tells whether a class is
/// what its loader's classes mean by one, or a subtype.
pub(super) fn is_of<'l>(
    jni: &mut Env<'l>,
    env: &Inside,
    value: &JObject<'_>,
    signature: &str,
    declaring: &JClass<'_>,
    means: impl FnOnce(&mut Env<'l>, String, &JClass<'_>) -> Outcome<bool>,
) -> Outcome<bool> {
    let mut class = jni.get_object_class(value)?;
    let element = signature.trim_start_matches('[');
    for _ in element.len()..signature.len() {
        let component = COMPONENT_TYPE.id(jni)?;
        // SAFETY: the method is one of `Class`, without parameters.
        let answer =
            unsafe { jni.call_method_unchecked(&class, component, ReturnType::Object, &[]) };
        let answer = answer?.l()?;
        if answer.is_null() {
            return Ok(false);
        }
        // SAFETY: the component type of an array is a class.
        class = unsafe { JClass::from_raw(jni, answer.into_raw()) };
    }
    // Only the JDK defines classes of these names; and what is no class is itself alone, which the VM compares.
    if element.starts_with("Ljava/") || !element.starts_with('L') {
        return Ok(true);
    }
    if jni.is_same_object(&class, declaring)? {
        return Ok(env.class_signature(&class)?.0.to_string() == element);
    }
    means(jni, element.to_owned(), &class)
}

/// Whether `class` is, or is a subtype of, what the classes of `loader` have got so far for the name in `signature`.
fn means(
    jni: &mut Env<'_>,
    env: &Inside,
    loader: JClassLoader<'_>,
    signature: String,
    class: &JClass<'_>,
) -> Outcome<bool> {
    let (loader, class) = (jni.new_global_ref(loader)?, jni.new_global_ref(class)?);
    let handle = env.handle().cast_signed();
    steward::ask(
        jni,
        move |jni| {
            let env = gate::enter(Me::new(jni.get_raw()), handle)?;
            is_known(jni, &env, &loader, &signature, &class)
        },
        |_, _| {},
    )
}

/// The same by the steward: the VM lists classes under a lock in which nobody may be suspended.
pub(super) fn is_known(
    jni: &mut Env<'_>,
    env: &Inside,
    loader: &JClassLoader<'_>,
    signature: &str,
    class: &JClass<'_>,
) -> Outcome<bool> {
    let known = env.class_loader_classes(jni, Some(loader))?;
    make_room(jni, known.len())?;
    for one in &known {
        if env.class_signature(one)?.0.to_string() == signature {
            return Ok(jni.is_assignable_from(class, one)?);
        }
    }
    Ok(false)
}
