//! Whether the VM tells of the ends of all threads: as long as there are many slots, or somebody listens.
//!
//! Not for longer: as long as it does, the VM keeps something for each virtual thread, too, in each environment.

use std::sync::atomic::{AtomicBool, Ordering};

use jvmti::sys::{Event, EventMode};

use crate::failure::Outcome;
use crate::vm::image;

/// Many threads have a slot each, which others may have once they end.
static SLOTS_NEED_THEM: AtomicBool = AtomicBool::new(false);

/// From here on.
pub(super) fn tell_slots() -> Outcome<()> {
    SLOTS_NEED_THEM.store(true, Ordering::SeqCst);
    tell()
}

/// Until [`tell_no_more`]. Only by the steward.
pub(crate) fn tell() -> Outcome<()> {
    set_mode(EventMode::ENABLE)
}

/// Unless slots need it. Only by the steward.
pub(crate) fn tell_no_more() -> Outcome<()> {
    if SLOTS_NEED_THEM.load(Ordering::SeqCst) {
        return Ok(());
    }
    set_mode(EventMode::DISABLE)?;
    // Whoever needs it meanwhile has said so before he asked the VM.
    match SLOTS_NEED_THEM.load(Ordering::SeqCst) {
        true => tell(),
        false => Ok(()),
    }
}

fn set_mode(mode: EventMode) -> Outcome<()> {
    Ok(image::plain()?.set_event_notification_mode(mode, Event::THREAD_END, None)?)
}
