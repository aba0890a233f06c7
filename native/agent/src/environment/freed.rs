//! Environments of the VM that are told of freed objects until the VM ends.
//!
//! HotSpot's `flush_object_free_events` waits for the Service Thread to have posted such events, and lets no safepoint
//! begin meanwhile; the Service Thread may wait for one that has begun, and the VM stands still for ever (17, 21, 25; a
//! plain agent's, too). That is called when the event is turned off, or on once more, when callbacks are set while it is
//! on, and when the environment is disposed. So none of that is done: whoever has the environment next hears of freed
//! objects only if he listens, and one that cannot be another's stays as it is.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jvmti::sys::{Event, EventMode};

/// By their addresses, which no others get.
static TOLD: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// From here on. Only by the steward.
pub(crate) fn tell(env: &jvmti::Env) -> jvmti::Result<()> {
    if are_told(env) {
        return Ok(());
    }
    env.set_event_notification_mode(EventMode::ENABLE, Event::OBJECT_FREE, None)?;
    told().insert(address(env));
    Ok(())
}

/// Whether that environment is.
pub(crate) fn are_told(env: &jvmti::Env) -> bool {
    told().contains(&address(env))
}

fn address(env: &jvmti::Env) -> usize {
    env.as_raw().addr()
}

fn told() -> MutexGuard<'static, BTreeSet<usize>> {
    TOLD.lock().unwrap_or_else(PoisonError::into_inner)
}
