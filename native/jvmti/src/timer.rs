//! Timers: the time, and how much of it threads used.

use jni::objects::JThread;

use crate::env::{Env, call, or_current};
use crate::error::Result;
use crate::memory::out;
use crate::sys;

impl Env {
    /// What [`current_thread_cpu_time`](Self::current_thread_cpu_time) measures, and how.
    ///
    /// Phase: start, live. Capability: `can_get_current_thread_cpu_time`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "GetCurrentThreadCpuTimerInfo")]
    pub fn current_thread_cpu_timer_info(&self) -> Result<sys::jvmtiTimerInfo> {
        out(|info| call!(self, GetCurrentThreadCpuTimerInfo, info))
    }

    /// The CPU time that the current thread has used, in nanoseconds. May be called from any
    /// callback. A virtual thread is not measured.
    ///
    /// Phase: start, live. Capability: `can_get_current_thread_cpu_time`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_UNSUPPORTED_OPERATION` on a virtual
    /// thread.
    #[doc(alias = "GetCurrentThreadCpuTime")]
    #[inline]
    pub fn current_thread_cpu_time(&self) -> Result<i64> {
        out(|nanos| call!(self, GetCurrentThreadCpuTime, nanos))
    }

    /// What [`thread_cpu_time`](Self::thread_cpu_time) measures, and how.
    ///
    /// Phase: live. Capability: `can_get_thread_cpu_time`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "GetThreadCpuTimerInfo")]
    pub fn thread_cpu_timer_info(&self) -> Result<sys::jvmtiTimerInfo> {
        out(|info| call!(self, GetThreadCpuTimerInfo, info))
    }

    /// The CPU time that `thread`, or the current thread, has used, in nanoseconds.
    ///
    /// Phase: live. Capability: `can_get_thread_cpu_time`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is null;
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE` if it was not started or has terminated;
    /// `JVMTI_ERROR_UNSUPPORTED_OPERATION` for a virtual thread.
    #[doc(alias = "GetThreadCpuTime")]
    #[inline]
    pub fn thread_cpu_time(&self, thread: Option<&JThread<'_>>) -> Result<i64> {
        let thread = or_current("GetThreadCpuTime", thread)?;
        out(|nanos| call!(self, GetThreadCpuTime, thread, nanos))
    }

    /// What [`time`](Self::time) measures, and how.
    ///
    /// Phase: any. Capability: none. Errors: none of its own. May be called from any callback.
    #[doc(alias = "GetTimerInfo")]
    pub fn timer_info(&self) -> Result<sys::jvmtiTimerInfo> {
        out(|info| call!(self, GetTimerInfo, info))
    }

    /// The system timer, in nanoseconds since some moment: only differences mean anything.
    ///
    /// Phase: any. Capability: none. Errors: none of its own. May be called from any callback.
    #[doc(alias = "GetTime")]
    #[inline]
    pub fn time(&self) -> Result<i64> {
        out(|nanos| call!(self, GetTime, nanos))
    }

    /// How many processors the VM may use now. May change while it runs.
    ///
    /// Phase: any. Capability: none. Errors: none of its own.
    #[doc(alias = "GetAvailableProcessors")]
    pub fn available_processors(&self) -> Result<i32> {
        out(|count| call!(self, GetAvailableProcessors, count))
    }
}
