//! Capabilities that an environment holds only while calls that need them are inside.
//!
//! Several threads may need the same one at once: the first acquires it, the last gives it back.
//! Both happen in the process-wide turn, so that none relinquishes what another counts on.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jvmti::sys::{Capabilities, Capability};

use crate::capability_lock;
use crate::failure::Outcome;
use crate::gate::Inside;
use crate::startup;

/// How many calls count on a capability, by environment and capability.
static BORROWED: Mutex<BTreeMap<(u64, u8), u32>> = Mutex::new(BTreeMap::new());

/// Makes `env` hold `wanted` until as many [`give_back`].
pub(crate) fn borrow(env: &Inside, wanted: &Capabilities) -> Outcome<()> {
    let _turn = capability_lock::take();
    startup::lend(wanted)?;
    if let Err(error) = env.add_capabilities(wanted) {
        startup::take_back();
        return Err(error.into());
    }
    let mut borrowed = lock();
    for one in wanted.iter() {
        *borrowed.entry(place(env, one)).or_default() += 1;
    }
    Ok(())
}

/// Counts a [`borrow`] of `lent` down, and relinquishes what nobody counts on any more.
pub(crate) fn give_back(env: &Inside, lent: &Capabilities) -> Outcome<()> {
    let _turn = capability_lock::take();
    let mut unused = Capabilities::empty();
    let mut borrowed = lock();
    for one in lent.iter() {
        let place = place(env, one);
        match borrowed.get_mut(&place) {
            Some(count) if *count > 1 => *count -= 1,
            Some(_) => {
                borrowed.remove(&place);
                unused.insert(one);
            }
            None => {}
        }
    }
    drop(borrowed);
    env.relinquish_capabilities(&unused)?;
    startup::take_back();
    Ok(())
}

fn place(env: &Inside, capability: Capability) -> (u64, u8) {
    (env.handle(), capability.0)
}

fn lock() -> MutexGuard<'static, BTreeMap<(u64, u8), u32>> {
    BORROWED.lock().unwrap_or_else(PoisonError::into_inner)
}
