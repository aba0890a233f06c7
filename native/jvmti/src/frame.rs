//! Stack Frame: where threads are.

use std::fmt;

use jni::objects::JObject;
use jni::sys::jobject;

use crate::env::{Env, call, or_null, raw_list};
use crate::error::{Result, list_length};
use crate::memory::{Allocated, borrow, out, out_array};
use crate::sys;

/// The stacks of several threads, as the VM returned them: one block for all of them, given back
/// on drop, which must come before the environment is disposed.
pub struct StackInfos(Allocated<sys::jvmtiStackInfo>);

/// One thread of [`StackInfos`].
#[derive(Copy, Clone, Debug)]
#[doc(alias = "jvmtiStackInfo")]
pub struct StackInfo<'a> {
    /// A local reference to the thread, in the JNI frame that was current when the stacks were
    /// taken.
    pub thread: jobject,
    /// The thread's state, as [`Env::thread_state`] answers it.
    pub state: i32,
    /// Its frames, the innermost first. Empty for a thread without any, also for one that was not
    /// started or has terminated.
    pub frames: &'a [sys::jvmtiFrameInfo],
}

impl StackInfos {
    /// How many threads there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no thread.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The threads in the VM's order, which for a list of threads is the list's.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = StackInfo<'_>> {
        self.0.iter().map(|info| StackInfo {
            thread: info.thread,
            state: info.state,
            // SAFETY: the VM put so many frames into the block, which `self` keeps.
            frames: unsafe {
                borrow(
                    info.frame_buffer,
                    usize::try_from(info.frame_count).unwrap_or(0),
                )
            },
        })
    }
}

impl fmt::Debug for StackInfos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Env {
    /// Writes frames of `thread`, or of the current thread, into `frames`, the innermost first, and
    /// answers how many: as many as fit and exist. An empty `frames` answers 0.
    ///
    /// `start_depth` 0 begins at the innermost frame; a negative one counts from the outermost, so
    /// that −1 is the outermost alone. A frame's location is a bytecode index, −1 in a native
    /// method. The thread may be running, and may be virtual.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if `start_depth` lies beyond the stack,
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is not a `java.lang.Thread`,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE` if it was not started or has terminated.
    #[doc(alias = "GetStackTrace")]
    #[inline]
    pub fn stack_trace(
        &self,
        thread: Option<&JObject<'_>>,
        start_depth: i32,
        frames: &mut [sys::jvmtiFrameInfo],
    ) -> Result<usize> {
        let room = i32::try_from(frames.len()).unwrap_or(i32::MAX);
        let count: i32 = out(|count| {
            call!(
                self,
                GetStackTrace,
                or_null(thread),
                start_depth,
                room,
                frames.as_mut_ptr(),
                count
            )
        })?;
        Ok(count.clamp(0, room) as usize)
    }

    /// The stacks of all live platform threads, each with at most `max_frames` frames, all taken at
    /// one safepoint. Virtual threads are not among them.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if `max_frames` is negative.
    #[doc(alias = "GetAllStackTraces")]
    pub fn all_stack_traces(&self, max_frames: i32) -> Result<StackInfos> {
        out_array(*self, |count, infos| {
            call!(self, GetAllStackTraces, max_frames, infos, count)
        })
        .map(StackInfos)
    }

    /// The stacks of `threads`, in their order, each with at most `max_frames` frames, all taken at
    /// one safepoint.
    ///
    /// The threads may be platform or virtual; those not started or terminated have no frames, and
    /// the state says which.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if one is not a `java.lang.Thread`,
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if `max_frames` is negative.
    #[doc(alias = "GetThreadListStackTraces")]
    pub fn thread_list_stack_traces(
        &self,
        threads: &[JObject<'_>],
        max_frames: i32,
    ) -> Result<StackInfos> {
        let length = list_length("GetThreadListStackTraces", threads.len())?;
        let infos = out(|infos| {
            call!(
                self,
                GetThreadListStackTraces,
                length,
                raw_list(threads),
                max_frames,
                infos
            )
        })?;
        // SAFETY: the function succeeded, so this is a block of ours with one element per thread.
        Ok(StackInfos(unsafe {
            Allocated::from_raw(*self, infos, length)
        }))
    }

    /// How many frames are on the stack of `thread`, or of the current thread; 0 for a thread that
    /// runs no Java.
    ///
    /// Unless the thread is suspended or the current one, the answer may be out of date at once.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is not a `java.lang.Thread`,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE` if it was not started or has terminated.
    #[doc(alias = "GetFrameCount")]
    #[inline]
    pub fn frame_count(&self, thread: Option<&JObject<'_>>) -> Result<i32> {
        out(|count| call!(self, GetFrameCount, or_null(thread), count))
    }

    /// Method and bytecode index of one frame of `thread`, or of the current thread; the innermost
    /// is at depth 0. The location is −1 in a native method.
    ///
    /// Unless the thread is suspended or the current one, the answer may be out of date at once.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if `depth` is negative, `JVMTI_ERROR_NO_MORE_FRAMES` if the
    /// stack is not so deep, `JVMTI_ERROR_INVALID_THREAD` if `thread` is not a `java.lang.Thread`,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE` if it was not started or has terminated.
    #[doc(alias = "GetFrameLocation")]
    #[inline]
    pub fn frame_location(
        &self,
        thread: Option<&JObject<'_>>,
        depth: i32,
    ) -> Result<sys::jvmtiFrameInfo> {
        let mut location = 0;
        let method = out(|method| {
            call!(
                self,
                GetFrameLocation,
                or_null(thread),
                depth,
                method,
                &raw mut location
            )
        })?;
        Ok(sys::jvmtiFrameInfo { method, location })
    }
}
