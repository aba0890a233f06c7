//! Environments of the VM that nobody needs now, kept for the next one who does.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jvmti::OwnedEnv;
use jvmti::sys::Capabilities;

use crate::environment::tags::Tags;
use crate::failure::Outcome;
use crate::vm::image;

/// So many environments of the VM are kept for the next ones at most. Of those that are disposed the VM does not think less
/// until it collects garbage.
const MOST: usize = 256;

/// And so many that nobody needs: each thread of the program pays for each when it ends, and whoever changes what is listened
/// to, for each with each thread.
const FEW: usize = 8;

/// So many are disposed in one go.
const PART: usize = 32;

static SPARES: Mutex<Spares<OwnedEnv>> = Mutex::new(Spares::NONE);

struct Spares<E> {
    kept: Vec<E>,
    /// So few were there at some time since that was last looked at: so many were not needed.
    fewest: usize,
}

impl<E> Spares<E> {
    const NONE: Self = Self {
        kept: Vec::new(),
        fewest: 0,
    };

    fn take(&mut self) -> Option<E> {
        let one = self.kept.pop();
        self.fewest = self.fewest.min(self.kept.len());
        one
    }

    /// Some that nobody has needed since this was asked last.
    fn take_unneeded(&mut self) -> Vec<E> {
        let unneeded = self.fewest.saturating_sub(FEW).min(PART);
        let some = self.kept.split_off(self.kept.len() - unneeded);
        self.fewest = self.kept.len();
        some
    }
}

/// An environment of the VM, which holds no capability and has one owner: whoever asks.
pub(super) fn take() -> Outcome<OwnedEnv> {
    let spare = spares().take();
    match spare {
        Some(own) => Ok(own),
        None => image::environment(),
    }
}

/// Keeps an environment of the VM for the next one if all that stays in it are `tags`, which are taken
/// off first. In the dead phase the VM refuses and takes it down itself. Only by the steward.
pub(super) fn retire(env: OwnedEnv, tags: Option<&Tags>) {
    let kept = tags.filter(|_| spares().kept.len() < MOST);
    if kept.is_some_and(|tags| tags.take_off(&env).is_ok() && is_cleared(&env)) {
        spares().kept.push(env);
    } else {
        let _ = env.dispose();
    }
}

/// Whether there are more than nobody needs.
pub(crate) fn are_many() -> bool {
    spares().kept.len() > FEW
}

/// Disposes some that nobody has needed for a round. Only by the steward.
pub(crate) fn dispose_unneeded() {
    let unneeded = spares().take_unneeded();
    for env in unneeded {
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

fn spares() -> MutexGuard<'static, Spares<OwnedEnv>> {
    SPARES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(spares: &mut Spares<usize>, all: usize) {
        spares.kept.extend(spares.kept.len()..all);
    }

    #[test]
    fn those_that_are_needed_again_and_again_are_kept() {
        let mut spares = Spares::NONE;
        for _ in 0..10 {
            with(&mut spares, 100);
            assert_eq!(spares.take_unneeded().len(), 0);
            for _ in 0..95 {
                assert!(spares.take().is_some());
            }
        }
        with(&mut spares, 100);
        assert_eq!(
            spares.take_unneeded().len(),
            0,
            "five were there all the time"
        );
    }

    #[test]
    fn those_that_nobody_needs_for_a_round_go_part_by_part() {
        let mut spares = Spares::NONE;
        with(&mut spares, 70);
        let gone = [0, 1, 2, 3, 4].map(|_| spares.take_unneeded().len());
        assert_eq!(gone, [0, PART, 70 - PART - FEW, 0, 0]);
        assert_eq!(spares.kept.len(), FEW);
    }
}
