//! Capabilities that are held from the start, because the agent's options say so.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jvmti::sys::{Capabilities, Capability};

use crate::failure::Outcome;
use crate::vm::image;

/// What was asked to be held, and what of it is ours at the moment: an environment of ours that
/// needs a solo capability borrows it.
struct Held {
    env: &'static jvmti::Env,
    wanted: Capabilities,
    here: Capabilities,
}

static HELD: Mutex<Option<Held>> = Mutex::new(None);

/// Holds what is `named` from the start.
pub(crate) fn hold(named: &[Capability]) -> Outcome<()> {
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

fn held() -> MutexGuard<'static, Option<Held>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}
