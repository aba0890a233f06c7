//! A kind of event, as those know it who tell Java of it.

use jni::strings::JNIStr;
use jvmti::sys::Event;

pub(crate) struct Kind {
    /// Its place among all of them.
    pub(super) place: usize,
    pub(super) event: Event,
    /// Whether the VM itself can tell of some threads only.
    pub(super) by_thread: bool,
    /// The method of the Java object that hands it to listeners.
    pub(super) method: &'static JNIStr,
    pub(super) signature: &'static JNIStr,
}
