//! A kind of event, as those know it who tell Java of it.

use jni::strings::JNIStr;
use jvmti::sys::Event;

pub(crate) struct Kind {
    /// Its place among all of them.
    pub(super) place: usize,
    pub(crate) event: Event,
    /// Whether the VM itself can tell of some threads only.
    pub(super) by_thread: bool,
    /// Whether it is told later.
    pub(super) is_recorded: bool,
    /// The method of the Java object that hands it to listeners.
    pub(super) method: &'static JNIStr,
    pub(super) signature: &'static JNIStr,
}

const COLLECTIONS: &[Event] = &[
    Event::GARBAGE_COLLECTION_START,
    Event::GARBAGE_COLLECTION_FINISH,
];

impl Kind {
    /// What the VM is asked to tell: how long a collection took is known from both of its ends.
    pub(super) fn events(&self) -> &[Event] {
        match COLLECTIONS.contains(&self.event) {
            true => COLLECTIONS,
            false => std::slice::from_ref(&self.event),
        }
    }
}
