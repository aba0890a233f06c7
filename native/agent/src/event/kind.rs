//! A kind of event, as those know it who tell Java of it.

use jni::strings::JNIStr;
use jvmti::event::HotSpotEvent;
use jvmti::sys::{Capability, Event};

pub(crate) struct Kind {
    /// Its place among all of them.
    pub(super) place: usize,
    pub(super) source: Source,
    /// Whether the VM itself can tell of some threads only.
    pub(super) by_thread: bool,
    /// Without it nobody is told.
    pub(super) needs: &'static [Capability],
    /// Whether it is told later.
    pub(super) is_recorded: bool,
    /// The method of the Java object that hands it to listeners.
    pub(super) method: &'static JNIStr,
    pub(super) signature: &'static JNIStr,
}

/// Where the VM has it from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The specification.
    Specified(Event),
    /// HotSpot's own.
    OfHotSpot(HotSpotEvent),
}

const COLLECTIONS: &[Source] = &[
    Source::Specified(Event::GARBAGE_COLLECTION_START),
    Source::Specified(Event::GARBAGE_COLLECTION_FINISH),
];

impl Kind {
    /// What the VM is asked to tell: how long a collection took is known from both of its ends.
    pub(super) fn sources(&self) -> &[Source] {
        match COLLECTIONS.contains(&self.source) {
            true => COLLECTIONS,
            false => std::slice::from_ref(&self.source),
        }
    }

    pub(super) fn is(&self, event: Event) -> bool {
        self.source == Source::Specified(event)
    }

    /// Its event in the specification.
    pub(crate) fn event(&self) -> Option<Event> {
        match self.source {
            Source::Specified(event) => Some(event),
            Source::OfHotSpot(_) => None,
        }
    }
}
