//! What the agent does while the VM starts: prepare capabilities, hold some, run a class.
//!
//! Whatever any environment acquires in the OnLoad phase stays obtainable for the life of the VM,
//! even when it is given back at once. Nothing is held that was not asked for: a debugger that
//! starts after us could not have it.

use std::io::Write;
use std::sync::{Mutex, OnceLock, PoisonError};

use jni::objects::JObject;
use jni::sys::{JNIEnv, jobject};
use jni::{EnvUnowned, jni_sig, jni_str};
use jvmti::sys::{self, Capabilities, Capability};

use crate::failure::{Failure, Outcome};
use crate::image;
use crate::options::{OptionError, Options};

/// What was asked to be held, and what of it is ours at the moment: an environment of ours that
/// needs a solo capability borrows it.
struct Held {
    env: &'static jvmti::Env,
    wanted: Capabilities,
    here: Capabilities,
}

static HELD: Mutex<Option<Held>> = Mutex::new(None);

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
    let env = image::make_plain(at_vm_init())?;
    let offered = env.potential_capabilities()?;
    image::set_potential_at_start(offered.bits());
    for (names, key) in [(&options.prepare, "prepare"), (&options.hold, "hold")] {
        check_offered(&offered, names, key)?;
    }
    prepare(env, &offered, &options.prepare)?;
    hold(&options.hold)?;
    if options.run.is_some() {
        env.set_event_notification_mode(sys::EventMode::ENABLE, sys::Event::VM_INIT, None)?;
    }
    let _ = RUN.set(options.run);
    Ok(())
}

fn at_vm_init() -> sys::EventCallbacks {
    sys::EventCallbacks {
        VMInit: Some(vm_init),
        ..sys::EventCallbacks::default()
    }
}

/// The live phase, by attach: what only the start can do is refused. A class cannot run here: the
/// VM lists an attached agent only after this call, so that the class would load a second image.
pub(crate) fn on_attach(options: &Options) -> Result<(), StartError> {
    let asked = [
        (!options.prepare.is_empty(), "prepare"),
        (!options.hold.is_empty(), "hold"),
        (options.run.is_some(), "run"),
    ];
    match asked.iter().find(|(given, _)| *given) {
        Some((_, key)) => Err(OptionError::OnlyAtStart(key).into()),
        None => Ok(()),
    }
}

fn check_offered(
    offered: &Capabilities,
    names: &[Capability],
    key: &'static str,
) -> Result<(), OptionError> {
    match names.iter().find(|one| !offered.contains(**one)) {
        Some(missing) => Err(OptionError::NotOffered(missing.name(), key)),
        None => Ok(()),
    }
}

/// Acquires and releases what could not be had later. Those that slow the application down for
/// good are left out unless named.
fn prepare(
    env: &jvmti::Env,
    offered: &Capabilities,
    named: &[Capability],
) -> Result<(), jvmti::Error> {
    let mut wanted = Capabilities::empty();
    for one in Capability::ALL
        .iter()
        .copied()
        .filter(|one| offered.contains(*one))
    {
        if named.contains(&one) || one.on_load_only() && !one.costly() {
            wanted.insert(one);
        }
    }
    env.add_capabilities(&wanted)?;
    env.relinquish_capabilities(&wanted)
}

fn hold(named: &[Capability]) -> Outcome<()> {
    if named.is_empty() {
        return Ok(());
    }
    let env = image::environment()?.leak();
    let mut wanted = Capabilities::empty();
    named.iter().for_each(|one| wanted.insert(*one));
    env.add_capabilities(&wanted)?;
    *held() = Some(Held {
        env,
        wanted,
        here: wanted,
    });
    Ok(())
}

/// Lends `asked` from what is held to an environment that is about to acquire it. Only by the
/// steward.
pub(crate) fn lend(asked: &Capabilities) -> Outcome<()> {
    let lent = held()
        .as_ref()
        .map(|held| (held.env, held.here.intersection(asked)));
    if let Some((env, lent)) = lent.filter(|(_, lent)| !lent.is_empty()) {
        env.relinquish_capabilities(&lent)?;
        if let Some(held) = &mut *held() {
            held.here = held.here.difference(&lent);
        }
    }
    Ok(())
}

/// What is held but lent to whoever asks.
pub(crate) fn lendable() -> Capabilities {
    held()
        .as_ref()
        .map_or_else(Capabilities::empty, |held| held.here)
}

/// Takes back what was lent and is free again. Only by the steward.
pub(crate) fn take_back() {
    let missing = held()
        .as_ref()
        .map(|held| (held.env, held.wanted.difference(&held.here)));
    for (env, one) in missing
        .iter()
        .flat_map(|(env, caps)| caps.iter().map(move |c| (env, c)))
    {
        let mut alone = Capabilities::empty();
        alone.insert(one);
        // Refused while another environment still uses it.
        if env.add_capabilities(&alone).is_ok()
            && let Some(held) = &mut *held()
        {
            held.here.insert(one);
        }
    }
}

fn held() -> std::sync::MutexGuard<'static, Option<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The VM is ready and no application code has run: run the class that was asked for. Nothing else,
/// for agents whose VMInit comes later see what Java does here.
unsafe extern "system" fn vm_init(_env: *mut sys::Env, jni: *mut JNIEnv, _thread: jobject) {
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

/// Runs a class for its author, who reads why it did not run; everything else goes on.
fn run(jni: &mut jni::Env<'_>, class: &str) -> jni::errors::Result<()> {
    let outcome = run_main(jni, class);
    if jni.exception_check() {
        jni.exception_describe();
        jni.exception_clear();
    } else if let Err(error) = outcome {
        let _ = writeln!(std::io::stderr(), "jvmtools: option 'run': {error}");
    }
    Ok(())
}

/// `public static void main(String[])` of `class`, found by the system class loader.
fn run_main(jni: &mut jni::Env<'_>, class: &str) -> jni::errors::Result<()> {
    let name = jni::strings::JNIString::from(class.replace('.', "/"));
    let main = jni.find_class(&name)?;
    let strings = jni.find_class(jni_str!("java/lang/String"))?;
    let none = jni.new_object_array(0, &strings, JObject::null())?;
    jni.call_static_method(
        &main,
        jni_str!("main"),
        jni_sig!((args: java.lang.String[]) -> void),
        &[(&none).into()],
    )?;
    Ok(())
}
