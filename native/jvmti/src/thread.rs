//! Thread: who is there, what it is called, what it is doing.

use jni::objects::JObject;

use crate::env::{Env, call, local, or_null};
use crate::error::Result;
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
        Ok(threads
            .iter()
            .filter_map(|&thread| unsafe { local(jni, thread) })
            .collect())
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
}
