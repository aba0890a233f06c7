//! The calls. Nothing here can be unsafe, so nothing here may crash.

#![forbid(unsafe_code)]

mod events;
mod heap;
mod modules;
mod monitors;
mod numbers;
mod objects;
mod threads;
mod victims;

use std::sync::OnceLock;

use jni::objects::{JClass, JObject, JObjectArray};
use jni::{Env as Jni, JavaVM};
use jvmti::sys::Capabilities;
use jvmti::{Agent as _, Env, OwnedEnv};

use victims::Victims;

/// Says what is called, then calls it: `call!(about, Type::method(arguments))`. `about` begins with what
/// each argument is that can be wrong, in their order, between commas: the name of a victim, `none`, or what ends
/// with the number. The parent misses methods that were never called, and those that were not given
/// everything.
macro_rules! call {
    ($about:expr, $type:ident::$method:ident$(::<$generic:ty>)?($($argument:expr),* $(,)?)) => {{
        let about = &$about;
        println!("call\t{}::{}\t{about}", stringify!($type), stringify!($method));
        $type::$method$(::<$generic>)?($($argument),*)
    }};
}
use call;

/// The environment of the OnLoad phase, for the dead one, in which none is to be had.
static FIRST: OnceLock<OwnedEnv> = OnceLock::new();

/// An agent that does as it is attached what it does at the start, which is nothing.
struct Agent;

impl jvmti::Agent for Agent {
    type Error = &'static str;

    fn on_load(_: &JavaVM, _: &str) -> Result<(), Self::Error> {
        Err("it is none")
    }
}

/// Everything that takes no object.
pub(crate) fn without_objects(vm: &JavaVM) {
    let opened = call!("", OwnedEnv::open(vm));
    if let Ok(env) = opened {
        let _ = FIRST.set(env);
    }
    let env = FIRST.get().expect("it is opened before the dead phase");
    numbers::attack(env);
    monitors::attack_without_jni(env);
    let _ = call!("", Env::as_raw(env));
    let _ = call!("", Agent::on_attach(vm, "\0"));
}

/// Everything but throwing, first without and then with all capabilities that there are, from a
/// thread that is attached and from one that is not.
pub(crate) fn from_platform_thread(
    jni: &mut Jni<'_>,
    class: &JClass<'_>,
    all: &JObjectArray<'_, JObject<'_>>,
) -> jni::errors::Result<()> {
    let vm = jni.get_java_vm()?;
    for wanted in [false, true] {
        let env = open(&vm, wanted);
        let victims = Victims::collect(jni, &env, class, all)?;
        std::thread::scope(|scope| {
            scope.spawn(|| {
                without_jni(&env, &victims);
                heap::attack(&env, &victims);
            });
        });
        without_jni(&env, &victims);
        heap::attack(&env, &victims);
        threads::attack(jni, &env, &victims)?;
        threads::suspend(jni, &env, &victims)?;
        objects::attack(jni, &env, &victims)?;
        modules::attack(jni, &env, &victims)?;
        monitors::attack(jni, &env)?;
        events::attack(jni, &env, class)?;
        if wanted {
            threads::suspend_itself(&vm, &env);
        }
    }
    Ok(())
}

/// Everything but throwing and suspending.
pub(crate) fn from_virtual_thread(
    jni: &mut Jni<'_>,
    class: &JClass<'_>,
    all: &JObjectArray<'_, JObject<'_>>,
) -> jni::errors::Result<()> {
    let env = open(&jni.get_java_vm()?, true);
    let victims = Victims::collect(jni, &env, class, all)?;
    without_jni(&env, &victims);
    threads::attack(jni, &env, &victims)?;
    objects::attack(jni, &env, &victims)?;
    modules::attack(jni, &env, &victims)?;
    monitors::attack(jni, &env)
}

/// Throws everything in every thread, the calling one last.
pub(crate) fn stop(
    jni: &mut Jni<'_>,
    class: &JClass<'_>,
    all: &JObjectArray<'_, JObject<'_>>,
) -> jni::errors::Result<()> {
    let env = open(&jni.get_java_vm()?, true);
    let victims = Victims::collect(jni, &env, class, all)?;
    threads::stop(jni, &env, &victims)
}

fn open(vm: &JavaVM, with_capabilities: bool) -> OwnedEnv {
    let env = call!("", OwnedEnv::open(vm)).expect("this thread is attached");
    if with_capabilities {
        let potential = env.potential_capabilities().expect("the phase is live");
        let added = call!("all", Env::add_capabilities(&env, &potential));
        assert_eq!(added, Ok(()));
    }
    assert_eq!(
        env.capabilities().map(|held| held == Capabilities::empty()),
        Ok(!with_capabilities)
    );
    env
}

fn without_jni(env: &Env, victims: &Victims) {
    numbers::attack(env);
    monitors::attack_without_jni(env);
    threads::attack_without_jni(env, victims);
    objects::attack_without_jni(env, victims);
    modules::attack_without_jni(env, victims);
}
