//! The number that each environment keeps for its owner.
//!
//! It is not kept in the VM's own environment, which many may share, and of which one gets another with its first
//! capability.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::environment::gate::Inside;
use crate::environment::undone::Undone;

/// Of whom nothing is kept has 0.
const NOTHING: i64 = 0;

/// By handle. Never held across a call into the VM.
static NUMBERS: Mutex<BTreeMap<u64, i64>> = Mutex::new(BTreeMap::new());

pub(crate) fn get(env: &Inside) -> i64 {
    numbers().get(&env.handle()).copied().unwrap_or(NOTHING)
}

pub(crate) fn set(env: &Inside, value: i64) {
    match value {
        NOTHING => numbers().remove(&env.handle()),
        value => numbers().insert(env.handle(), value),
    };
    // Whoever has closed it since may have come before.
    if !env.is_open() {
        LocalStorage.forget(env.handle());
    }
}

/// What environments keep for their owners.
pub(crate) struct LocalStorage;

impl Undone for LocalStorage {
    fn forget(&self, handle: u64) {
        numbers().remove(&handle);
    }
}

fn numbers() -> MutexGuard<'static, BTreeMap<u64, i64>> {
    NUMBERS.lock().unwrap_or_else(PoisonError::into_inner)
}
