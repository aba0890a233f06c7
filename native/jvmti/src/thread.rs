//! Thread: who is there, what it is called, what it is doing, which monitors it holds and wants; to
//! suspend and resume, interrupt and stop it, and to run one of an agent's own; what an environment
//! keeps about it.

use std::ffi::c_void;
use std::ops::RangeBounds;
use std::ptr;

use jni::objects::{JClassLoader, JObject, JThread, JThrowable};

use crate::env::{Env, call, local, locals, not_null, or_current, raw_list};
use crate::error::{Error, Result, collect, list_length};
use crate::memory::{MutfString, out, out_array, take_str, text};
use crate::reference::JThreadGroup;
use crate::sys::{self, ThreadState};

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
    pub thread_group: Option<JThreadGroup<'l>>,
    /// Its context class loader; none for the bootstrap loader.
    pub context_class_loader: Option<JClassLoader<'l>>,
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
    pub fn all_threads<'l>(&self, jni: &jni::Env<'l>) -> Result<Vec<JThread<'l>>> {
        let threads = out_array(self, |count, threads| {
            call!(self, GetAllThreads, count, threads)
        })?;
        // SAFETY: new local references of the current frame to threads, each seen once.
        unsafe { locals::<JThread<'_>>("GetAllThreads", jni, &threads) }
    }

    /// The thread that calls, which for a virtual thread is that, and not its carrier.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_WRONG_PHASE` also where the VM answers that there is none, as it may early in the
    /// start phase, before it knows what a `java.lang.Thread` is.
    #[doc(alias = "GetCurrentThread")]
    pub fn current_thread<'l>(&self, jni: &jni::Env<'l>) -> Result<JThread<'l>> {
        let thread = out(|thread| call!(self, GetCurrentThread, thread))?;
        // SAFETY: a new local reference of the current frame to a thread.
        unsafe { local::<JThread<'_>>(jni, thread) }
            .ok_or(Error::new("GetCurrentThread", sys::Error::WRONG_PHASE))
    }

    /// Name, priority, group and context class loader of `thread`, or of the current thread.
    ///
    /// The thread may be platform or virtual, and new, alive or terminated.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null.
    #[doc(alias = "GetThreadInfo")]
    pub fn thread_info<'l>(
        &self,
        jni: &jni::Env<'l>,
        thread: Option<&JThread<'_>>,
    ) -> Result<ThreadInfo<'l>> {
        let thread = or_current("GetThreadInfo", thread)?;
        let info: sys::jvmtiThreadInfo = out(|info| call!(self, GetThreadInfo, thread, info))?;
        // SAFETY: the function succeeded, so the name is a block that is ours, and group and loader
        // are new local references of the current frame.
        Ok(unsafe {
            ThreadInfo {
                name: text(take_str(self, info.name)),
                priority: info.priority,
                is_daemon: info.is_daemon,
                thread_group: local::<JThreadGroup<'_>>(jni, info.thread_group),
                context_class_loader: local::<JClassLoader<'_>>(jni, info.context_class_loader),
            }
        })
    }

    /// The state of `thread`, or of the current thread; empty is a thread that was not started.
    ///
    /// The thread may be platform or virtual, and new, alive or terminated. `None` is the cheapest
    /// way to ask about the current thread.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null.
    #[doc(alias = "GetThreadState")]
    #[inline]
    pub fn thread_state(&self, thread: Option<&JThread<'_>>) -> Result<ThreadState> {
        let thread = or_current("GetThreadState", thread)?;
        let state = out(|state| call!(self, GetThreadState, thread, state))?;
        Ok(ThreadState::from_bits_retain(state))
    }

    /// Stops `thread`, or the current thread, where it is, until it is resumed. It keeps all its
    /// locks: whoever suspends must not need one of them before it resumes.
    ///
    /// Once this answers, another thread runs no more Java. For the current thread it answers only
    /// when another thread has resumed it.
    ///
    /// The thread may be platform or virtual.
    ///
    /// Phase: live. Capability: `can_suspend`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_THREAD_SUSPENDED` if it already is; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`;
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "SuspendThread")]
    pub fn suspend_thread(&self, thread: Option<&JThread<'_>>) -> Result<()> {
        let thread = or_current("SuspendThread", thread)?;
        call!(self, SuspendThread, thread)
    }

    /// Suspends each of `threads` as [`suspend_thread`](Self::suspend_thread) does, and writes into
    /// `results`, in the same order, what became of each: [`sys::Error::NONE`], or its errors.
    ///
    /// Those that cannot be suspended do not fail the call. If the current thread is among them, it
    /// comes last on HotSpot, and the call answers when another thread has resumed it.
    ///
    /// This layer allocates nothing for it and does not panic.
    ///
    /// Phase: live. Capability: `can_suspend`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if `results` is not as long as `threads`;
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`. After an error, `results` says nothing.
    #[doc(alias = "SuspendThreadList")]
    pub fn suspend_thread_list(
        &self,
        threads: &[JThread<'_>],
        results: &mut [sys::Error],
    ) -> Result<()> {
        let length = result_length("SuspendThreadList", threads, results)?;
        call!(
            self,
            SuspendThreadList,
            length,
            raw_list(threads),
            results.as_mut_ptr()
        )
    }

    /// Suspends all virtual threads, on HotSpot also those that start later, but for `except`, which
    /// stay as they are. If the current thread is among those suspended, the call answers when
    /// another thread has resumed it.
    ///
    /// Phase: live, from 21 on. Capability: `can_suspend` and `can_support_virtual_threads`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if one of `except` is not a virtual thread;
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "SuspendAllVirtualThreads")]
    pub fn suspend_all_virtual_threads(&self, except: &[JThread<'_>]) -> Result<()> {
        let length = list_length("SuspendAllVirtualThreads", except.len())?;
        call!(self, SuspendAllVirtualThreads, length, raw_list(except))
    }

    /// Lets `thread` run again, whoever suspended it: suspensions are not counted.
    ///
    /// Phase: live. Capability: `can_suspend`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_THREAD_NOT_SUSPENDED`; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`;
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "ResumeThread")]
    pub fn resume_thread(&self, thread: &JThread<'_>) -> Result<()> {
        let thread = not_null("ResumeThread", thread)?;
        call!(self, ResumeThread, thread)
    }

    /// Resumes each of `threads` as [`resume_thread`](Self::resume_thread) does, and writes into
    /// `results`, in the same order, what became of each: [`sys::Error::NONE`], or its errors.
    ///
    /// Those that cannot be resumed do not fail the call.
    ///
    /// This layer allocates nothing for it and does not panic.
    ///
    /// Phase: live. Capability: `can_suspend`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if `results` is not as long as `threads`;
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`. After an error, `results` says nothing.
    #[doc(alias = "ResumeThreadList")]
    pub fn resume_thread_list(
        &self,
        threads: &[JThread<'_>],
        results: &mut [sys::Error],
    ) -> Result<()> {
        let length = result_length("ResumeThreadList", threads, results)?;
        call!(
            self,
            ResumeThreadList,
            length,
            raw_list(threads),
            results.as_mut_ptr()
        )
    }

    /// Lets all virtual threads run again but for `except`, which stay as they are.
    ///
    /// Phase: live, from 21 on. Capability: `can_suspend` and `can_support_virtual_threads`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if one of `except` is not a virtual thread;
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "ResumeAllVirtualThreads")]
    pub fn resume_all_virtual_threads(&self, except: &[JThread<'_>]) -> Result<()> {
        let length = list_length("ResumeAllVirtualThreads", except.len())?;
        call!(self, ResumeAllVirtualThreads, length, raw_list(except))
    }

    /// Starts `thread`, a `java.lang.Thread` that was not started, as a daemon that runs `start`
    /// with this environment, a `JNIEnv*` of its own and `arg`, and ends when `start` returns.
    ///
    /// It runs no `run` method and has no Java frame; nothing frees the local references that
    /// `start` is handed before it returns, unless it opens frames of its own. `priority` is from 1
    /// to 10.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// After any error `start` does not run. `JVMTI_ERROR_INVALID_PRIORITY`;
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null or runs already;
    /// `JVMTI_ERROR_UNSUPPORTED_OPERATION` if it is virtual.
    ///
    /// # Safety
    ///
    /// `start` may be called with `arg`, once, on another thread, from now until the VM ends: what
    /// `arg` points to is fit to be used there and stays until `start` is done with it, the library
    /// that `start` is in stays loaded, and this environment is not disposed before `start` has its
    /// last use of it. `start` does not unwind. `thread`'s constructor has run: from 21 on, HotSpot
    /// crashes otherwise.
    #[doc(alias = "RunAgentThread")]
    pub unsafe fn run_agent_thread(
        &self,
        thread: &JThread<'_>,
        start: sys::jvmtiStartFunction,
        arg: *const c_void,
        priority: i32,
    ) -> Result<()> {
        let thread = not_null("RunAgentThread", thread)?;
        call!(self, RunAgentThread, thread, Some(start), arg, priority)
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
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is null,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "InterruptThread")]
    pub fn interrupt_thread(&self, thread: &JThread<'_>) -> Result<()> {
        let thread = not_null("InterruptThread", thread)?;
        call!(self, InterruptThread, thread)
    }

    /// Throws `exception` in `thread`, wherever it is.
    ///
    /// A virtual thread must be suspended or the current one.
    ///
    /// Phase: live. Capability: `can_signal_thread`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is null,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE`, `JVMTI_ERROR_INVALID_OBJECT` (on
    /// HotSpot `JVMTI_ERROR_NULL_POINTER`) if `exception` is null; for a virtual thread also
    /// `JVMTI_ERROR_THREAD_NOT_SUSPENDED`, and `JVMTI_ERROR_OPAQUE_FRAME` where it cannot be thrown.
    #[doc(alias = "StopThread")]
    pub fn stop_thread(&self, thread: &JThread<'_>, exception: &JThrowable<'_>) -> Result<()> {
        let thread = not_null("StopThread", thread)?;
        call!(self, StopThread, thread, exception.as_raw())
    }

    /// The objects whose monitors `thread`, or the current thread, owns.
    ///
    /// Costs one local reference per monitor.
    ///
    /// Before 23, HotSpot makes those for a virtual thread other than the current one on the thread
    /// that carries it (JDK-8328285): they are not the caller's, dangle a moment later, and must
    /// not be used. Do not ask there.
    ///
    /// Phase: live. Capability: `can_get_owned_monitor_info`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is null,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE`; before JDK 23 `JVMTI_ERROR_UNSUPPORTED_OPERATION` for a
    /// virtual thread other than the current one, about which HotSpot is wrong.
    #[doc(alias = "GetOwnedMonitorInfo")]
    pub fn owned_monitor_info<'l>(
        &self,
        jni: &jni::Env<'l>,
        thread: Option<&JThread<'_>>,
    ) -> Result<Vec<JObject<'l>>> {
        const FUNCTION: &str = "GetOwnedMonitorInfo";
        self.ensure_own_references(FUNCTION, jni, thread)?;
        let thread = or_current(FUNCTION, thread)?;
        let monitors = out_array(self, |count, monitors| {
            call!(self, GetOwnedMonitorInfo, thread, count, monitors)
        })?;
        // SAFETY: new local references of the current frame, each seen once.
        unsafe { locals::<JObject<'_>>(FUNCTION, jni, &monitors) }
    }

    /// The objects whose monitors `thread`, or the current thread, owns, each with the frame that
    /// entered it.
    ///
    /// Costs one local reference per monitor. Before 23, do not ask HotSpot for a virtual thread other
    /// than the current one: see [`owned_monitor_info`](Self::owned_monitor_info).
    ///
    /// Phase: live. Capability: `can_get_owned_monitor_stack_depth_info`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is null,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE`; before JDK 23 `JVMTI_ERROR_UNSUPPORTED_OPERATION` for a
    /// virtual thread other than the current one, about which HotSpot is wrong.
    #[doc(alias = "GetOwnedMonitorStackDepthInfo")]
    pub fn owned_monitor_stack_depth_info<'l>(
        &self,
        jni: &jni::Env<'l>,
        thread: Option<&JThread<'_>>,
    ) -> Result<Vec<OwnedMonitor<'l>>> {
        const FUNCTION: &str = "GetOwnedMonitorStackDepthInfo";
        self.ensure_own_references(FUNCTION, jni, thread)?;
        let thread = or_current(FUNCTION, thread)?;
        let monitors = out_array(self, |count, monitors| {
            call!(self, GetOwnedMonitorStackDepthInfo, thread, count, monitors)
        })?;
        let owned = |info: &sys::jvmtiMonitorStackDepthInfo| {
            Some(OwnedMonitor {
                // SAFETY: a new local reference of the current frame, seen once.
                monitor: unsafe { local::<JObject<'_>>(jni, info.monitor) }?,
                stack_depth: info.stack_depth,
            })
        };
        collect(FUNCTION, monitors.len(), monitors.iter().filter_map(owned))
    }

    /// Refuses what HotSpot before 23 answers with references that it makes on the thread that
    /// carries the virtual one (JDK-8328285): to this thread they are nothing, or anything.
    fn ensure_own_references(
        &self,
        function: &'static str,
        jni: &jni::Env<'_>,
        thread: Option<&JThread<'_>>,
    ) -> Result<()> {
        match self.is_another_virtual(jni, thread, &(19..23))? {
            true => Err(Error::new(function, sys::Error::UNSUPPORTED_OPERATION)),
            false => Ok(()),
        }
    }

    /// Whether the VM is of one of some feature releases, from 19 on, and `thread` a virtual one, but not the
    /// current one.
    pub(crate) fn is_another_virtual(
        &self,
        jni: &jni::Env<'_>,
        thread: Option<&JThread<'_>>,
        releases: &impl RangeBounds<i32>,
    ) -> Result<bool> {
        let Some(thread) = thread else {
            return Ok(false);
        };
        let version = self.version_number();
        if !version.is_ok_and(|version| releases.contains(&(version >> 16 & 0xfff))) {
            return Ok(false);
        }
        let raw = jni.get_raw();
        // SAFETY: the JNI environment of this thread; a VM of these versions has the function.
        if !unsafe { ((**raw).v19.IsVirtualThread)(raw, thread.as_raw()) } {
            return Ok(false);
        }
        let current = self.current_thread(jni)?;
        // SAFETY: the JNI environment of this thread.
        let same = unsafe { ((**raw).v1_2.IsSameObject)(raw, thread.as_raw(), current.as_raw()) };
        jni.delete_local_ref(current);
        Ok(!same)
    }

    /// The object whose monitor `thread`, or the current thread, waits to enter, or to enter again
    /// after `Object.wait`, on HotSpot also while it is still to be notified; `None` if it waits for
    /// none.
    ///
    /// Phase: live. Capability: `can_get_current_contended_monitor`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is
    /// null, `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "GetCurrentContendedMonitor")]
    pub fn current_contended_monitor<'l>(
        &self,
        jni: &jni::Env<'l>,
        thread: Option<&JThread<'_>>,
    ) -> Result<Option<JObject<'l>>> {
        let thread = or_current("GetCurrentContendedMonitor", thread)?;
        let monitor = out(|monitor| call!(self, GetCurrentContendedMonitor, thread, monitor))?;
        // SAFETY: the function succeeded, so this is a new local reference of the current frame, or
        // `NULL`.
        Ok(unsafe { local::<JObject<'_>>(jni, monitor) })
    }

    /// The value that [`set_thread_local_storage`](Self::set_thread_local_storage) set for the
    /// current thread in this environment; 0 if it did not.
    ///
    /// The function would take any thread. HotSpot frees what it keeps while a thread ends, without
    /// regard to others that ask for it just then, and crashes; a thread that asks for its own is
    /// not ending.
    ///
    /// Phase: start, live. Capability: none. Errors: none of its own.
    #[doc(alias = "GetThreadLocalStorage")]
    #[inline]
    pub fn thread_local_storage(&self) -> Result<i64> {
        let data: *mut c_void = out(|data| call!(self, GetThreadLocalStorage, CURRENT, data))?;
        Ok(data.addr() as isize as i64)
    }

    /// Keeps `value` for the current thread in this environment, as long as the thread lives. The
    /// interface calls it a pointer; to this layer it is a number and never read through.
    ///
    /// Only for the current thread, as [`thread_local_storage`](Self::thread_local_storage) says.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` for a value that is wider than a pointer.
    #[doc(alias = "SetThreadLocalStorage")]
    #[inline]
    pub fn set_thread_local_storage(&self, value: i64) -> Result<()> {
        let address = isize::try_from(value)
            .map_err(|_| Error::new("SetThreadLocalStorage", sys::Error::ILLEGAL_ARGUMENT))?;
        let data: *const c_void = ptr::without_provenance(address as usize);
        call!(self, SetThreadLocalStorage, CURRENT, data)
    }
}

/// Stands for the calling thread.
const CURRENT: sys::jthread = ptr::null_mut();

/// The length of a list of threads as the `jint` that C asks for, if there is a result for each.
fn result_length(
    function: &'static str,
    threads: &[JThread<'_>],
    results: &[sys::Error],
) -> Result<i32> {
    if results.len() == threads.len() {
        list_length(function, threads.len())
    } else {
        Err(Error::new(function, sys::Error::ILLEGAL_ARGUMENT))
    }
}
