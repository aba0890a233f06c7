//! Event Management: what is called, and when.

mod each;
mod inlining;
mod listener;
mod typed;
mod values;

use std::cell::Cell;

use jni::objects::JThread;

use crate::env::{Env, call, or_current};
use crate::error::{Error, Result};
use crate::sys;

pub use inlining::{CompileInfo, InlinedCode};
use listener::callbacks;
pub use listener::*;
pub use typed::{FieldOf, ReturnedValue};
pub use values::{NewAddress, NewClassFile};

impl Env {
    /// Has every event of this environment that is enabled from now on delivered to `L`, instead of to whom it was
    /// before. See [`Listener`].
    ///
    /// Phase: onload, live. Capability: none, though most events need one to be enabled. Errors:
    /// none of its own.
    #[doc(alias = "SetEventCallbacks")]
    pub fn listen<L: Listener>(&self) -> Result<()> {
        // SAFETY: each is for its event, and nothing unwinds out of it; this is the code that calls.
        unsafe { self.set_event_callbacks(&callbacks::<L>()) }
    }

    /// Replaces all callbacks of this environment; the VM copies them. An event is delivered only if
    /// it has one and is enabled.
    ///
    /// Phase: onload, live. Capability: none, though most events need one to be enabled. Errors:
    /// none of its own.
    ///
    /// # Safety
    ///
    /// Whatever events are enabled from now on, on any thread, until the VM ends: each callback may
    /// be called as its event is specified, at any time and by several threads at once, and does not
    /// unwind. Its code stays loaded: it may still be running when it has been replaced.
    #[doc(alias = "SetEventCallbacks")]
    pub unsafe fn set_event_callbacks(&self, callbacks: &sys::EventCallbacks) -> Result<()> {
        let size = size_of::<sys::EventCallbacks>() as i32;
        call!(self, SetEventCallbacks, callbacks, size)
    }

    /// Takes all callbacks of this environment away, which ends all delivery, except that callbacks
    /// on other threads may still be running when this returns.
    ///
    /// Phase: onload, live. Capability: none. Errors: none of its own.
    #[doc(alias = "SetEventCallbacks")]
    pub fn clear_event_callbacks(&self) -> Result<()> {
        // SAFETY: there is none that could be called.
        unsafe { self.set_event_callbacks(&sys::EventCallbacks::default()) }
    }

    /// Enables or disables an event for one thread or, with `None`, for all. It is delivered on a
    /// thread if it is enabled for that thread or for all. Here `None` does not mean the current
    /// thread.
    ///
    /// Phase: onload (for all threads only), live. Capability: the event's.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY` if the event's capability is missing;
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if the event cannot be limited to a thread and one is named,
    /// or if `mode` is none; `JVMTI_ERROR_INVALID_EVENT_TYPE`; `JVMTI_ERROR_INVALID_THREAD` if
    /// `thread` is null; `JVMTI_ERROR_THREAD_NOT_ALIVE` if it was not started or
    /// has terminated.
    #[doc(alias = "SetEventNotificationMode")]
    pub fn set_event_notification_mode(
        &self,
        mode: sys::EventMode,
        event: sys::Event,
        thread: Option<&JThread<'_>>,
    ) -> Result<()> {
        let thread = or_current("SetEventNotificationMode", thread)?;
        call!(self, SetEventNotificationMode, mode, event, thread)
    }

    /// Has the VM tell again what it has told before this environment could hear it: the methods that
    /// are compiled ([`COMPILED_METHOD_LOAD`](sys::Event::COMPILED_METHOD_LOAD)) or the code that it
    /// has made ([`DYNAMIC_CODE_GENERATED`](sys::Event::DYNAMIC_CODE_GENERATED)). The callback runs on
    /// this thread, while this is called.
    ///
    /// Phase: live. Capability: the event's.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_ILLEGAL_ARGUMENT` if it is another event,
    /// `JVMTI_ERROR_INVALID_EVENT_TYPE` if it is none; `JVMTI_ERROR_NOT_AVAILABLE` within a callback of such a call,
    /// where HotSpot would crash.
    #[doc(alias = "GenerateEvents")]
    pub fn generate_events(&self, event: sys::Event) -> Result<()> {
        thread_local! {
            static GENERATES: Cell<bool> = const { Cell::new(false) };
        }
        if GENERATES.replace(true) {
            let nested = sys::Error::NOT_AVAILABLE;
            return Err(Error::new("GenerateEvents", nested));
        }
        let answer = call!(self, GenerateEvents, event);
        GENERATES.set(false);
        answer
    }
}
