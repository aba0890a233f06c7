//! Thread: who is there, what it is called, what it is doing, which monitors it holds and wants; to
//! interrupt and stop it; what an environment keeps about it.

use std::ffi::c_void;
use std::ptr;

use jni::objects::JObject;

use crate::env::{Env, call, local, locals, or_null};
use crate::error::{Error, Result};
use crate::memory::{MutfString, out, out_array, take_str, text};
use crate::sys;

/// What the VM knows about a thread at one moment. Outlives the environment; its references belong
/// to the JNI frame `'l`.
#[derive(Debug)]
#[doc(alias = "jvmtiThreadInfo")]
pub struct ThreadInfo<'l> {
    /// Its name; empty for a thread without one, as virtual threads usually are.
    pub name: MutfString,
    /// Its priority, from 1 to 10.
    pub priority: i32,
    /// Whether the VM ends without waiting for it.
    pub is_daemon: bool,
    /// Its `java.lang.ThreadGroup`; none once the thread has terminated.
    pub thread_group: Option<JObject<'l>>,
    /// Its context class loader; none for the bootstrap loader.
    pub context_class_loader: Option<JObject<'l>>,
}

/// A monitor that a thread owns.
#[derive(Debug)]
#[doc(alias = "jvmtiMonitorStackDepthInfo")]
pub struct OwnedMonitor<'l> {
    /// The object that it belongs to, as a reference of the JNI frame `'l`.
    pub monitor: JObject<'l>,
    /// The depth of the frame that entered it, 0 for the topmost; -1 where the VM cannot tell, as
    /// for one entered through JNI.
    pub stack_depth: i32,
}

impl Env {
    /// All live platform threads that are attached to the VM, in no order. Virtual threads are not
    /// among them.
    ///
    /// Costs one local reference per thread; the frame of `jni` grows as it must.
    ///
    /// Phase: live. Capability: none. Errors: none of its own.
    #[doc(alias = "GetAllThreads")]
    pub fn all_threads<'l>(&self, jni: &jni::Env<'l>) -> Result<Vec<JObject<'l>>> {
        let threads = out_array(*self, |count, threads| {
            call!(self, GetAllThreads, count, threads)
        })?;
        // SAFETY: new local references of the current frame, each seen once.
        Ok(unsafe { locals(jni, &threads) })
    }

    /// Name, priority, group and context class loader of `thread`, or of the current thread.
    ///
    /// The thread may be platform or virtual, and new, alive or terminated.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is not a `java.lang.Thread`.
    #[doc(alias = "GetThreadInfo")]
    pub fn thread_info<'l>(
        &self,
        jni: &jni::Env<'l>,
        thread: Option<&JObject<'_>>,
    ) -> Result<ThreadInfo<'l>> {
        let info: sys::jvmtiThreadInfo =
            out(|info| call!(self, GetThreadInfo, or_null(thread), info))?;
        // SAFETY: the function succeeded, so the name is a block that is ours, and group and loader
        // are new local references of the current frame.
        Ok(unsafe {
            ThreadInfo {
                name: text(take_str(*self, info.name)),
                priority: info.priority,
                is_daemon: info.is_daemon,
                thread_group: local(jni, info.thread_group),
                context_class_loader: local(jni, info.context_class_loader),
            }
        })
    }

    /// The state of `thread`, or of the current thread, as the VM's bits
    /// (`JVMTI_THREAD_STATE_ALIVE` = 1 and so on); 0 is a thread that was not started.
    ///
    /// The thread may be platform or virtual, and new, alive or terminated. `None` is the cheapest
    /// way to ask about the current thread.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is not a `java.lang.Thread`.
    #[doc(alias = "GetThreadState")]
    #[inline]
    pub fn thread_state(&self, thread: Option<&JObject<'_>>) -> Result<i32> {
        out(|state| call!(self, GetThreadState, or_null(thread), state))
    }

    /// Interrupts `thread`: it has the interrupted status, and what it waits for in `Object.wait`,
    /// `Thread.sleep` or `LockSupport.park` ends.
    ///
    /// This is less than `Thread.interrupt` on HotSpot: a platform thread that is blocked in an
    /// `InterruptibleChannel` or a `Selector` stays there.
    ///
    /// Phase: live. Capability: `can_signal_thread`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is null or
    /// not a `java.lang.Thread`, `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "InterruptThread")]
    pub fn interrupt_thread(&self, thread: &JObject<'_>) -> Result<()> {
        call!(self, InterruptThread, thread.as_raw())
    }

    /// Throws `exception` in `thread`, wherever it is.
    ///
    /// `exception` is a `java.lang.Throwable`; HotSpot does not check that it is one, and what it
    /// does with another object is undefined. A virtual thread must be suspended or the current one.
    ///
    /// Phase: live. Capability: `can_signal_thread`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is null or
    /// not a `java.lang.Thread`, `JVMTI_ERROR_THREAD_NOT_ALIVE`, `JVMTI_ERROR_INVALID_OBJECT` (on
    /// HotSpot `JVMTI_ERROR_NULL_POINTER`) if `exception` is null; for a virtual thread also
    /// `JVMTI_ERROR_THREAD_NOT_SUSPENDED`, and `JVMTI_ERROR_OPAQUE_FRAME` where it cannot be thrown.
    #[doc(alias = "StopThread")]
    pub fn stop_thread(&self, thread: &JObject<'_>, exception: &JObject<'_>) -> Result<()> {
        call!(self, StopThread, thread.as_raw(), exception.as_raw())
    }

    /// The objects whose monitors `thread`, or the current thread, owns.
    ///
    /// Costs one local reference per monitor.
    ///
    /// Phase: live. Capability: `can_get_owned_monitor_info`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is not a
    /// `java.lang.Thread`, `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "GetOwnedMonitorInfo")]
    pub fn owned_monitor_info<'l>(
        &self,
        jni: &jni::Env<'l>,
        thread: Option<&JObject<'_>>,
    ) -> Result<Vec<JObject<'l>>> {
        let monitors = out_array(*self, |count, monitors| {
            call!(self, GetOwnedMonitorInfo, or_null(thread), count, monitors)
        })?;
        // SAFETY: new local references of the current frame, each seen once.
        Ok(unsafe { locals(jni, &monitors) })
    }

    /// The objects whose monitors `thread`, or the current thread, owns, each with the frame that
    /// entered it.
    ///
    /// Costs one local reference per monitor.
    ///
    /// Phase: live. Capability: `can_get_owned_monitor_stack_depth_info`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is not a
    /// `java.lang.Thread`, `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "GetOwnedMonitorStackDepthInfo")]
    pub fn owned_monitor_stack_depth_info<'l>(
        &self,
        jni: &jni::Env<'l>,
        thread: Option<&JObject<'_>>,
    ) -> Result<Vec<OwnedMonitor<'l>>> {
        let monitors = out_array(*self, |count, monitors| {
            call!(
                self,
                GetOwnedMonitorStackDepthInfo,
                or_null(thread),
                count,
                monitors
            )
        })?;
        Ok(monitors
            .iter()
            .filter_map(|info: &sys::jvmtiMonitorStackDepthInfo| {
                // SAFETY: a new local reference of the current frame, seen once.
                let monitor = unsafe { local(jni, info.monitor) }?;
                Some(OwnedMonitor {
                    monitor,
                    stack_depth: info.stack_depth,
                })
            })
            .collect())
    }

    /// The object whose monitor `thread`, or the current thread, waits to enter, or to enter again
    /// after `Object.wait`, on HotSpot also while it is still to be notified; `None` if it waits for
    /// none.
    ///
    /// Phase: live. Capability: `can_get_current_contended_monitor`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is not a
    /// `java.lang.Thread`, `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "GetCurrentContendedMonitor")]
    pub fn current_contended_monitor<'l>(
        &self,
        jni: &jni::Env<'l>,
        thread: Option<&JObject<'_>>,
    ) -> Result<Option<JObject<'l>>> {
        let monitor =
            out(|monitor| call!(self, GetCurrentContendedMonitor, or_null(thread), monitor))?;
        // SAFETY: the function succeeded, so this is a new local reference of the current frame, or
        // `NULL`.
        Ok(unsafe { local(jni, monitor) })
    }

    /// The value that [`set_thread_local_storage`](Self::set_thread_local_storage) set for `thread`,
    /// or the current thread, in this environment; 0 if it did not.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is not a `java.lang.Thread`,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "GetThreadLocalStorage")]
    #[inline]
    pub fn thread_local_storage(&self, thread: Option<&JObject<'_>>) -> Result<i64> {
        let data: *mut c_void =
            out(|data| call!(self, GetThreadLocalStorage, or_null(thread), data))?;
        Ok(data.addr() as isize as i64)
    }

    /// Keeps `value` for `thread`, or the current thread, in this environment, as long as the thread
    /// lives. The interface calls it a pointer; to this layer it is a number and never read through.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is not a `java.lang.Thread`,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE`; `JVMTI_ERROR_ILLEGAL_ARGUMENT` for a value that is wider than
    /// a pointer.
    #[doc(alias = "SetThreadLocalStorage")]
    #[inline]
    pub fn set_thread_local_storage(&self, thread: Option<&JObject<'_>>, value: i64) -> Result<()> {
        let address = isize::try_from(value)
            .map_err(|_| Error::new("SetThreadLocalStorage", sys::Error::ILLEGAL_ARGUMENT))?;
        let data: *const c_void = ptr::without_provenance(address as usize);
        call!(self, SetThreadLocalStorage, or_null(thread), data)
    }
}
