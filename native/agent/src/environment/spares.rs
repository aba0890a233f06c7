//! Environments of the VM that nobody needs now, kept for the next one who does.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jvmti::OwnedEnv;
use jvmti::sys::Capabilities;

use crate::environment::tags::Tags;
use crate::failure::Outcome;
use crate::vm::image;

/// How many environments of the VM are kept for the next ones: each thread of the program pays for each when it ends, and
/// whoever changes what is listened to, for each with each thread.
const SPARE: usize = 8;

static SPARES: Mutex<Vec<OwnedEnv>> = Mutex::new(Vec::new());

/// An environment of the VM, which holds no capability and has one owner: whoever asks.
pub(super) fn take() -> Outcome<OwnedEnv> {
    let spare = spares().pop();
    match spare {
        Some(own) => Ok(own),
        None => image::environment(),
    }
}

/// Keeps an environment of the VM for the next one if all that stays in it are `tags`, which are taken
/// off first. In the dead phase the VM refuses and takes it down itself. Only by the steward.
pub(super) fn retire(env: OwnedEnv, tags: Option<&Tags>) {
    let kept = tags.filter(|_| spares().len() < SPARE);
    if kept.is_some_and(|tags| tags.take_off(&env).is_ok() && is_cleared(&env)) {
        spares().push(env);
    } else {
        let _ = env.dispose();
    }
}

fn is_cleared(env: &jvmti::Env) -> bool {
    relinquish_all(env).is_ok() && env.capabilities() == Ok(Capabilities::empty())
}

/// Gives up all that `env` holds.
pub(super) fn relinquish_all(env: &jvmti::Env) -> jvmti::Result<()> {
    env.relinquish_capabilities(&env.capabilities()?)
}

fn spares() -> MutexGuard<'static, Vec<OwnedEnv>> {
    SPARES.lock().unwrap_or_else(PoisonError::into_inner)
}
