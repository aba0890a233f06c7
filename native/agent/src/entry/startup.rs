//! What the agent does while the VM starts: prepare capabilities, hold some, set properties, run a class.
//!
//! Whatever any environment acquires in the OnLoad phase stays obtainable for the life of the VM,
//! even when it is given back at once. Nothing is held that was not asked for: a debugger that
//! starts after us could not have it.

use std::io::Write;
use std::sync::OnceLock;

use jni::objects::{JClass, JClassLoader, JObject, JStaticMethodID, JString, JValue};
use jni::signature::{Primitive, ReturnType};
use jni::sys::{JNIEnv, jobject};
use jni::{EnvUnowned, jni_sig, jni_str};
use jvmti::MethodId;
use jvmti::sys::{self, Capabilities, Capability};

use crate::entry::options::{HOLD, OptionError, Options, PREPARE, PROPERTY, Property, RECORD};
use crate::environment::held;
use crate::event::early::{self, Recordable};
use crate::failure::Failure;
use crate::vm::{image, lookups};

/// The class that runs once the VM is ready.
static RUN: OnceLock<Option<String>> = OnceLock::new();

/// A start that cannot go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Failure(#[from] Failure),
    #[error(transparent)]
    Jvmti(#[from] jvmti::Error),
}

/// The OnLoad phase.
pub(crate) fn on_load(options: Options) -> Result<(), StartError> {
    // The VM tells of VMInit in the order in which environments were made: nothing of ours runs Java before this has ended.
    record(&options.record)?;
    let env = image::plain()?;
    let offered = env.potential_capabilities()?;
    image::set_potential_at_start(offered.bits());
    for (names, key) in [(&options.prepare, PREPARE), (&options.hold, HOLD)] {
        check_offered(&offered, names, key)?;
    }
    prepare(env, &offered, &to_prepare(&options))?;
    held::hold(&options.hold)?;
    options
        .properties
        .iter()
        .try_for_each(|one| set(env, one))?;
    if options.run.is_some() {
        env.set_event_notification_mode(sys::EventMode::ENABLE, sys::Event::VM_INIT, None)?;
    }
    let _ = RUN.set(options.run);
    Ok(())
}

/// The live phase, by attach: what only the start can do is refused. A class cannot run here: the
/// VM lists an attached agent only after this call, so that the class would load a second image.
pub(crate) fn on_attach(options: &Options) -> Result<(), StartError> {
    let asked = [
        (
            !options.prepare.is_empty() || !options.groups.is_empty(),
            PREPARE,
        ),
        (!options.hold.is_empty(), HOLD),
        (options.run.is_some(), "run"),
        (!options.properties.is_empty(), PROPERTY),
        (!options.record.is_empty(), RECORD),
    ];
    match asked.iter().find(|(given, _)| *given) {
        Some((_, key)) => Err(OptionError::OnlyAtStart(key).into()),
        None => Ok(()),
    }
}

/// Has early events recorded.
fn record(asked: &[&'static Recordable]) -> Result<(), StartError> {
    if asked.is_empty() {
        return Ok(());
    }
    let env = image::environment()?;
    let needs: Vec<_> = asked.iter().flat_map(|one| one.needs).copied().collect();
    check_offered(&env.potential_capabilities()?, &needs, RECORD)?;
    Ok(early::begin(env, asked)?)
}

/// The VM sets only what is there, and of that only some.
fn set(env: &jvmti::Env, property: &Property) -> Result<(), StartError> {
    match env.set_system_property(&property.name, &property.value) {
        Err(error) if error.code == sys::Error::NOT_AVAILABLE => {
            let is_there = env.system_property(&property.name).is_ok();
            let wrong = match is_there {
                true => OptionError::NotSettable,
                false => OptionError::NotThere,
            };
            Err(wrong(property.name()).into())
        }
        other => Ok(other?),
    }
}

fn check_offered(
    offered: &Capabilities,
    names: &[Capability],
    key: &'static str,
) -> Result<(), OptionError> {
    match names.iter().find(|one| !offered.contains(**one)) {
        // Every VM has those, and they are offered while nobody holds them.
        Some(missing) if Capability::SOLO.contains(*missing) => {
            Err(OptionError::HeldByAnother(missing.name(), key))
        }
        Some(missing) => Err(OptionError::NotOffered(missing.name(), key)),
        None => Ok(()),
    }
}

/// What could not be had later. Those that slow the application down for good are left out unless named.
fn to_prepare(options: &Options) -> Capabilities {
    let mut wanted = Capability::ON_LOAD_ONLY.difference(&Capability::COSTLY);
    wanted = wanted.union(&options.groups);
    let named = options.prepare.iter().chain(&options.hold);
    named.for_each(|one| wanted.insert(*one));
    wanted
}

/// Acquires and releases what of `wanted` is offered: another agent may have some.
fn prepare(
    env: &jvmti::Env,
    offered: &Capabilities,
    wanted: &Capabilities,
) -> Result<(), jvmti::Error> {
    image::set_prepared_at_start(wanted.bits());
    let wanted = wanted.intersection(offered);
    env.add_capabilities(&wanted)?;
    env.relinquish_capabilities(&wanted)
}

/// The VM is ready and no application code has run: run the class that was asked for. Nothing else,
/// for agents whose VMInit comes later see what Java does here. Enabled by [`on_load`] alone.
pub(super) unsafe extern "system" fn vm_init(
    _env: *mut sys::Env,
    jni: *mut JNIEnv,
    _thread: jobject,
) {
    // SAFETY: the VM passes the JNI environment of this thread.
    let mut jni = unsafe { EnvUnowned::from_raw(jni) };
    let outcome = jni
        .with_env(|jni| {
            let class = RUN.get().and_then(Option::as_deref);
            class.map_or(Ok(()), |class| run(jni, class))
        })
        .into_outcome();
    drop(outcome);
}

/// Runs a class for its author, who reads what it throws; everything else goes on. One that is not there is a
/// wrong option, and stops the VM like the others.
fn run(jni: &mut jni::Env<'_>, class: &str) -> jni::errors::Result<()> {
    let prepared = lookups::prepare(jni).map_err(|_| jni::errors::Error::JavaException);
    let outcome = match prepared.and_then(|()| load(jni, class)) {
        Ok(loaded) => match initialise(jni, &loaded) {
            Ok(()) => match find_main(jni, &loaded) {
                Ok(main) => call_main(jni, &loaded, main),
                Err(error) => return stop(jni, class, &error),
            },
            thrown => thrown,
        },
        Err(error) => return stop(jni, class, &error),
    };
    if jni.exception_check() {
        jni.exception_describe();
        jni.exception_clear();
    } else if let Err(error) = outcome {
        let _ = writeln!(std::io::stderr(), "jvmtools: option 'run': {error}");
    }
    Ok(())
}

/// The class as the system class loader finds it.
fn load<'l>(jni: &mut jni::Env<'l>, class: &str) -> jni::errors::Result<JClass<'l>> {
    let loader = JClassLoader::get_system_class_loader(jni)?;
    let name = JString::from_str(jni, class)?;
    loader.load_class(jni, &name)
}

/// So that what its initialiser throws is not taken for a class without main.
fn initialise(jni: &mut jni::Env<'_>, class: &JClass<'_>) -> jni::errors::Result<()> {
    let (name, loader) = (class.get_name(jni)?, class.get_class_loader(jni)?);
    JClass::for_name_with_loader(jni, &name, true, &loader).map(drop)
}

/// Its `public static void main(String[])`.
fn find_main(jni: &mut jni::Env<'_>, class: &JClass<'_>) -> jni::errors::Result<JStaticMethodID> {
    const PUBLIC: i32 = 1;
    let signature = jni_sig!((args: java.lang.String[]) -> void);
    let main = jni.get_static_method_id(class, jni_str!("main"), signature)?;
    // SAFETY: a method of a class that is loaded.
    let method = unsafe { MethodId::from_raw(main.into_raw()) };
    let modifiers = image::plain().map(|env| env.method_modifiers(method));
    match modifiers {
        Ok(Ok(modifiers)) if modifiers & PUBLIC == 0 => Err(jni::errors::Error::NoSuchMethod(
            "main is not public".to_owned(),
        )),
        _ => Ok(main),
    }
}

fn call_main(
    jni: &mut jni::Env<'_>,
    class: &JClass<'_>,
    main: JStaticMethodID,
) -> jni::errors::Result<()> {
    let strings = jni.find_class(jni_str!("java/lang/String"))?;
    let none = jni.new_object_array(0, &strings, JObject::null())?;
    let arguments = [JValue::from(&none).as_jni()];
    // SAFETY: a static method of this class, with one parameter that is an array of strings.
    let called = unsafe {
        jni.call_static_method_unchecked(
            class,
            main,
            ReturnType::Primitive(Primitive::Void),
            &arguments,
        )
    };
    called.map(drop)
}

/// Ends the VM with one line, as it ends by itself when the agent refuses to start.
fn stop(
    jni: &mut jni::Env<'_>,
    class: &str,
    error: &jni::errors::Error,
) -> jni::errors::Result<()> {
    let reason = thrown(jni).unwrap_or_else(|| error.to_string());
    let _ = writeln!(
        std::io::stderr(),
        "jvmtools: option 'run': '{class}' has no public static void main(String[]) that is found: {reason}"
    );
    let system = jni.find_class(jni_str!("java/lang/System"))?;
    jni.call_static_method(
        &system,
        jni_str!("exit"),
        jni_sig!((status: jint) -> void),
        &[1.into()],
    )?;
    Ok(())
}

/// What has been thrown, in its own words. Nothing is pending any more.
fn thrown(jni: &mut jni::Env<'_>) -> Option<String> {
    let thrown = jni.exception_occurred()?;
    jni.exception_clear();
    let text = jni.call_method(
        &thrown,
        jni_str!("toString"),
        jni_sig!(() -> java.lang.String),
        &[],
    );
    let text = text.and_then(|text| jni.cast_local::<JString>(text.l()?));
    let text = text.and_then(|text| text.try_to_string(jni));
    jni.exception_clear();
    text.ok()
}
