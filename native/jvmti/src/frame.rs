//! Stack Frame: where threads are.

use std::fmt;
use std::hint::black_box;
use std::iter;
use std::ptr;

use jni::objects::{JObject, JThread};
use jni::sys::{jint, jobject};

use crate::env::{self, Env, call, not_null, or_current, raw_list};
use crate::error::{Error, Result, collect, list_length};
use crate::memory::{Allocated, borrow, out, out_array};
use crate::method::MethodId;
use crate::sys::{self, ThreadState};

/// A method, and where in it.
#[repr(C)]
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "jvmtiFrameInfo")]
pub struct FrameInfo {
    /// The method.
    pub method: MethodId,
    /// The index of the bytecode; −1 in a native method.
    pub location: i64,
}

impl FrameInfo {
    /// No frame, to fill a buffer with.
    pub const NONE: Self = Self {
        method: MethodId::NONE,
        location: 0,
    };
}

/// The stacks of several threads, as the VM returned them: one block for all of them, given back
/// on drop.
pub struct StackInfos<'a>(Allocated<'a, sys::jvmtiStackInfo>);

/// One thread of [`StackInfos`].
#[derive(Copy, Clone, Debug)]
#[doc(alias = "jvmtiStackInfo")]
pub struct StackInfo<'a> {
    /// The thread; of a list of threads the very reference that is in the list.
    pub thread: &'a JThread<'a>,
    /// The thread's state, as [`Env::thread_state`] answers it.
    pub state: ThreadState,
    /// Its frames, the innermost first. Empty for a thread without any, also for one that was not
    /// started or has terminated.
    pub frames: &'a [FrameInfo],
}

impl StackInfos<'_> {
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
            // SAFETY: a `JThread` is a `jobject`; who made `self` has one that lives as long.
            thread: unsafe { &*(&raw const info.thread).cast() },
            state: ThreadState::from_bits_retain(info.state),
            // SAFETY: the VM put so many frames into the block, which `self` keeps, and a
            // `FrameInfo` is laid out like them.
            frames: unsafe {
                borrow(
                    info.frame_buffer.cast(),
                    usize::try_from(info.frame_count).unwrap_or(0),
                )
            },
        })
    }
}

impl fmt::Debug for StackInfos<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Env {
    /// Writes frames of `thread`, or of the current thread, into `frames`, the innermost first, and
    /// answers how many: as many as fit and exist. An empty `frames` answers 0.
    ///
    /// `start_depth` 0 begins at the innermost frame. To begin `n` frames from the outermost, begin
    /// at [`frame_count`](Self::frame_count) less `n`, which is exact for a thread that is suspended
    /// or the current one. The function would take −`n` for that; but HotSpot 21 and 25 crash on it
    /// if the thread is virtual and not mounted. The thread may be running, and may be virtual.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if `start_depth` lies beyond the stack,
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null, `JVMTI_ERROR_THREAD_NOT_ALIVE` if it was not
    /// started or has terminated.
    #[doc(alias = "GetStackTrace")]
    #[inline]
    pub fn stack_trace(
        &self,
        thread: Option<&JThread<'_>>,
        start_depth: u32,
        frames: &mut [FrameInfo],
    ) -> Result<usize> {
        let thread = or_current("GetStackTrace", thread)?;
        let room = i32::try_from(frames.len()).unwrap_or(i32::MAX);
        let count: i32 = out(|count| {
            call!(
                self,
                GetStackTrace,
                thread,
                env::depth(start_depth),
                room,
                // A `FrameInfo` is laid out like what the VM writes.
                frames.as_mut_ptr().cast(),
                count
            )
        })?;
        Ok(count.clamp(0, room) as usize)
    }

    /// The stacks of all live platform threads, each with at most `max_frames` frames, all taken at
    /// one safepoint. Virtual threads are not among them.
    ///
    /// While all threads stand still the VM reserves memory for as many frames for each of them,
    /// however few it has. Costs one local reference per thread.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_OUT_OF_MEMORY` also if there is no memory for so many frames, without which
    /// HotSpot would abort.
    ///
    /// # Panics
    ///
    /// If `jni` is not the environment of the innermost frame.
    #[doc(alias = "GetAllStackTraces")]
    pub fn all_stack_traces<'a, 'l: 'a>(
        &'a self,
        jni: &jni::Env<'l>,
        max_frames: u32,
    ) -> Result<StackInfos<'a>> {
        const FUNCTION: &str = "GetAllStackTraces";
        jni.assert_top();
        if max_frames > FEW_FRAMES {
            let threads = self.all_threads(jni)?;
            env::declare(jni, threads.len())?;
            // Some may start meanwhile.
            let enough = ensure_memory(FUNCTION, threads.len() * 2, max_frames);
            for thread in threads {
                jni.delete_local_ref(thread);
            }
            enough?;
        }
        out_array(self, |count, infos| {
            call!(
                self,
                GetAllStackTraces,
                env::depth(max_frames),
                infos,
                count
            )
        })
        .map(StackInfos)
    }

    /// The stacks of `threads`, in their order, each with at most `max_frames` frames, all taken at
    /// one safepoint.
    ///
    /// The threads may be platform or virtual; those not started or terminated have no frames, and
    /// the state says which. What the VM reserves is as for
    /// [`all_stack_traces`](Self::all_stack_traces).
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if one is null; `JVMTI_ERROR_OUT_OF_MEMORY` also if there is no
    /// memory for so many frames, without which HotSpot would abort.
    #[doc(alias = "GetThreadListStackTraces")]
    pub fn thread_list_stack_traces<'a>(
        &'a self,
        threads: &'a [JThread<'_>],
        max_frames: u32,
    ) -> Result<StackInfos<'a>> {
        let length = list_length(LIST, threads.len())?;
        if threads.iter().any(|thread| thread.is_null()) {
            return Err(Error::new(LIST, sys::Error::INVALID_THREAD));
        }
        // HotSpot refuses a thread that is not alive where it is alone in the list; and from 22 to 25 it crashes if a
        // virtual one that is alone is mounted meanwhile.
        let twice = threads.first().map(|one| [one.as_raw(); 2]);
        let (asked, list) = match twice.as_ref().filter(|_| threads.len() == 1) {
            Some(twice) => (2, twice.as_ptr()),
            None => (length, raw_list(threads)),
        };
        // SAFETY: the list is there, and as long.
        let mut infos = unsafe { self.listed_stack_traces(asked, list, length, max_frames) }?;
        // HotSpot answers with the references that it was given; so does every VM from here on.
        for (info, thread) in infos.iter_mut().zip(threads) {
            info.thread = thread.as_raw();
        }
        Ok(StackInfos(infos))
    }

    /// The state and the stack of one platform thread, with at most `max_frames` frames, both taken at one moment, for
    /// which no other thread stands still.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD` if it is null; `JVMTI_ERROR_THREAD_NOT_ALIVE`; `JVMTI_ERROR_OUT_OF_MEMORY` also if
    /// there is no memory for so many frames.
    ///
    /// # Safety
    ///
    /// The thread is not virtual: from JDK 22 to 25 HotSpot crashes if one that is alone in a list is mounted meanwhile.
    #[doc(alias = "GetThreadListStackTraces")]
    pub unsafe fn platform_stack_trace<'a>(
        &'a self,
        thread: &'a JThread<'_>,
        max_frames: u32,
    ) -> Result<StackInfos<'a>> {
        if thread.is_null() {
            return Err(Error::new(LIST, sys::Error::INVALID_THREAD));
        }
        // SAFETY: a list of one.
        let mut infos = unsafe { self.listed_stack_traces(1, &thread.as_raw(), 1, max_frames) }?;
        infos
            .iter_mut()
            .for_each(|info| info.thread = thread.as_raw());
        Ok(StackInfos(infos))
    }

    /// The first `length` stacks of a list.
    ///
    /// # Safety
    ///
    /// There are `asked` threads at `list`, no fewer than `length`; one that is alone is not virtual.
    unsafe fn listed_stack_traces(
        &self,
        asked: jint,
        list: *const jobject,
        length: jint,
        max_frames: u32,
    ) -> Result<Allocated<'_, sys::jvmtiStackInfo>> {
        ensure_memory(LIST, asked as usize, max_frames)?;
        let infos = out(|infos| {
            call!(
                self,
                GetThreadListStackTraces,
                asked,
                list,
                env::depth(max_frames),
                infos
            )
        })?;
        // SAFETY: the function succeeded, so this is a block of ours with one element per thread, or more.
        Ok(unsafe { Allocated::from_raw(self, infos, length) })
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
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null, `JVMTI_ERROR_THREAD_NOT_ALIVE` if it was not
    /// started or has terminated.
    #[doc(alias = "GetFrameCount")]
    pub fn frame_count(&self, thread: Option<&JThread<'_>>) -> Result<u32> {
        const FUNCTION: &str = "GetFrameCount";
        let raw = or_current(FUNCTION, thread)?;
        if thread.is_some() && self.major_version()? < COUNTS_ENDING_THREADS {
            return self.count_frames(thread).map_err(|refusal| Error {
                function: FUNCTION,
                ..refusal
            });
        }
        let count: i32 = out(|count| call!(self, GetFrameCount, raw, count))?;
        Ok(u32::try_from(count).unwrap_or(0))
    }

    fn count_frames(&self, thread: Option<&JThread<'_>>) -> Result<u32> {
        let mut frames = vec![FrameInfo::NONE; FEW_FRAMES as usize];
        loop {
            let count = self.stack_trace(thread, 0, &mut frames)?;
            if count < frames.len() {
                return Ok(u32::try_from(count).unwrap_or(u32::MAX));
            }
            // A running thread may grow its stack between two looks.
            let more = frames.len() * 4;
            frames = collect("GetStackTrace", more, iter::repeat(FrameInfo::NONE))?;
        }
    }

    /// Method and bytecode index of one frame of `thread`, or of the current thread; the innermost
    /// is at depth 0.
    ///
    /// Unless the thread is suspended or the current one, the answer may be out of date at once.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NO_MORE_FRAMES` if the stack is not so deep, `JVMTI_ERROR_INVALID_THREAD` if
    /// `thread` is null, `JVMTI_ERROR_THREAD_NOT_ALIVE` if it was not started or has terminated.
    #[doc(alias = "GetFrameLocation")]
    #[inline]
    pub fn frame_location(&self, thread: Option<&JThread<'_>>, depth: u32) -> Result<FrameInfo> {
        let thread = or_current("GetFrameLocation", thread)?;
        let mut location = 0;
        let method = out(|method| {
            call!(
                self,
                GetFrameLocation,
                thread,
                env::depth(depth),
                method,
                &raw mut location
            )
        })?;
        // SAFETY: the VM has just handed it out.
        let method = unsafe { MethodId::from_raw(method) };
        Ok(FrameInfo { method, location })
    }

    /// Has the VM tell, once, when a frame of `thread`, or of the current thread, is left; the innermost one is at depth 0.
    ///
    /// The thread is suspended or the current one. What was asked for is forgotten with the environment.
    ///
    /// Phase: live. Capability: `can_generate_frame_pop_events`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_OPAQUE_FRAME` for a native method; `JVMTI_ERROR_NO_MORE_FRAMES` if the stack is not so deep; from 25 on
    /// `JVMTI_ERROR_DUPLICATE` if it is asked for already; `JVMTI_ERROR_THREAD_NOT_SUSPENDED`;
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if `thread` is null,
    /// `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "NotifyFramePop")]
    pub fn notify_frame_pop(&self, thread: Option<&JThread<'_>>, depth: u32) -> Result<()> {
        let thread = or_current("NotifyFramePop", thread)?;
        call!(self, NotifyFramePop, thread, env::depth(depth))
    }

    /// Forgets what [`notify_frame_pop`](Self::notify_frame_pop) was asked for in this environment about frames of `thread`,
    /// or of the current thread.
    ///
    /// The thread is suspended or the current one. Of JDK 25.
    ///
    /// Phase: live. Capability: `can_generate_frame_pop_events`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_AVAILABLE` before 25; `JVMTI_ERROR_THREAD_NOT_SUSPENDED`; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`;
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null, `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    #[doc(alias = "ClearAllFramePops")]
    pub fn clear_all_frame_pops(&self, thread: Option<&JThread<'_>>) -> Result<()> {
        let thread = or_current("ClearAllFramePops", thread)?;
        call!(self, ClearAllFramePops, thread)
    }

    /// Has `thread` leave its innermost frame when it is resumed, and call that method again from its caller, with
    /// the arguments as the method has left them. What `synchronized` methods have locked is unlocked.
    ///
    /// The thread is suspended; the current one is in native code and cannot. The frame and its caller are of Java
    /// code. A virtual thread must be mounted. Until it has run, its frame must not be left in another way: HotSpot
    /// answers `JVMTI_ERROR_INTERNAL` to a second call, and mixes this up with
    /// [`force_early_return_void`](Self::force_early_return_void) and its like.
    ///
    /// Phase: live. Capability: `can_pop_frame`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_OPAQUE_FRAME` if the frame or its caller is native, or called by the VM itself, if the thread
    /// waits for a monitor, or is virtual and not mounted; `JVMTI_ERROR_NO_MORE_FRAMES` if there is no caller;
    /// `JVMTI_ERROR_THREAD_NOT_SUSPENDED`; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` if
    /// `thread` is null, `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    ///
    /// # Safety
    ///
    /// The method is called with whatever is in the slots of its parameters: each still has a value of the
    /// parameter's type, which the verifier does not ask for. Code that has looked at a value before it hands it to
    /// memory does not look again. Nothing else is pending for the frame. The thread is a platform thread: once a
    /// virtual one has waited, the callers of its innermost frame are in the heap, and HotSpot looks for them on the
    /// stack.
    #[doc(alias = "PopFrame")]
    pub unsafe fn pop_frame(&self, thread: &JThread<'_>) -> Result<()> {
        let thread = not_null("PopFrame", thread)?;
        call!(self, PopFrame, thread)
    }

    /// Has `thread`, or the current one, return `value` from its innermost frame when it is resumed: a reference, or `null`.
    /// No more of the method runs, not even a `finally`; what it has locked is unlocked.
    ///
    /// The thread is suspended; the current one is in native code and cannot. A virtual thread must be mounted.
    /// Until it has run, its frame must not be left in another way, as [`pop_frame`](Self::pop_frame) says.
    ///
    /// Phase: live. Capability: `can_force_early_return`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_OPAQUE_FRAME` if the frame is native, if the thread waits for a monitor, or is virtual and not
    /// mounted; `JVMTI_ERROR_TYPE_MISMATCH` if the method returns a primitive type or nothing, or if the class of
    /// `value` has no supertype that is called like what it returns; `JVMTI_ERROR_NO_MORE_FRAMES` if there is no
    /// frame; `JVMTI_ERROR_INTERNAL` if it returns already; `JVMTI_ERROR_THREAD_NOT_SUSPENDED`;
    /// `JVMTI_ERROR_INVALID_OBJECT` for a reference that was deleted; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`;
    /// `JVMTI_ERROR_INVALID_THREAD` if `thread` is null, `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    ///
    /// # Safety
    ///
    /// The caller goes on with what it gets: `value` is of the type that the method's class means, of which HotSpot
    /// compares the name alone, and an `int` is in the range of the type that it returns. The caller, as code that
    /// checks a value before it is handed to memory, may rely on what the rest of the method would have done, and a
    /// constructor on having run to its end. Nothing else is pending for the frame.
    #[doc(alias = "ForceEarlyReturnObject")]
    pub unsafe fn force_early_return_object(
        &self,
        thread: Option<&JThread<'_>>,
        value: Option<&JObject<'_>>,
    ) -> Result<()> {
        let thread = or_current("ForceEarlyReturnObject", thread)?;
        let value = value.map_or(ptr::null_mut(), |value| value.as_raw());
        call!(self, ForceEarlyReturnObject, thread, value)
    }

    /// Has `thread`, or the current one, return `value` from its innermost frame when it is resumed: an `int`, `short`, `char`, `byte` or `boolean`.
    ///
    /// For which frames, and what it does, [`force_early_return_object`](Self::force_early_return_object) says.
    ///
    /// Phase: live. Capability: `can_force_early_return`.
    ///
    /// # Errors
    ///
    /// Those of [`force_early_return_object`](Self::force_early_return_object), but for `JVMTI_ERROR_INVALID_OBJECT`.
    ///
    /// # Safety
    ///
    /// That of [`force_early_return_object`](Self::force_early_return_object).
    #[doc(alias = "ForceEarlyReturnInt")]
    pub unsafe fn force_early_return_int(
        &self,
        thread: Option<&JThread<'_>>,
        value: i32,
    ) -> Result<()> {
        let thread = or_current("ForceEarlyReturnInt", thread)?;
        call!(self, ForceEarlyReturnInt, thread, value)
    }

    /// Has `thread`, or the current one, return `value` from its innermost frame when it is resumed: a `long`.
    ///
    /// For which frames, and what it does, [`force_early_return_object`](Self::force_early_return_object) says.
    ///
    /// Phase: live. Capability: `can_force_early_return`.
    ///
    /// # Errors
    ///
    /// Those of [`force_early_return_object`](Self::force_early_return_object), but for `JVMTI_ERROR_INVALID_OBJECT`.
    ///
    /// # Safety
    ///
    /// That of [`force_early_return_object`](Self::force_early_return_object).
    #[doc(alias = "ForceEarlyReturnLong")]
    pub unsafe fn force_early_return_long(
        &self,
        thread: Option<&JThread<'_>>,
        value: i64,
    ) -> Result<()> {
        let thread = or_current("ForceEarlyReturnLong", thread)?;
        call!(self, ForceEarlyReturnLong, thread, value)
    }

    /// Has `thread`, or the current one, return `value` from its innermost frame when it is resumed: a `float`.
    ///
    /// For which frames, and what it does, [`force_early_return_object`](Self::force_early_return_object) says.
    ///
    /// Phase: live. Capability: `can_force_early_return`.
    ///
    /// # Errors
    ///
    /// Those of [`force_early_return_object`](Self::force_early_return_object), but for `JVMTI_ERROR_INVALID_OBJECT`.
    ///
    /// # Safety
    ///
    /// That of [`force_early_return_object`](Self::force_early_return_object).
    #[doc(alias = "ForceEarlyReturnFloat")]
    pub unsafe fn force_early_return_float(
        &self,
        thread: Option<&JThread<'_>>,
        value: f32,
    ) -> Result<()> {
        let thread = or_current("ForceEarlyReturnFloat", thread)?;
        call!(self, ForceEarlyReturnFloat, thread, value)
    }

    /// Has `thread`, or the current one, return `value` from its innermost frame when it is resumed: a `double`.
    ///
    /// For which frames, and what it does, [`force_early_return_object`](Self::force_early_return_object) says.
    ///
    /// Phase: live. Capability: `can_force_early_return`.
    ///
    /// # Errors
    ///
    /// Those of [`force_early_return_object`](Self::force_early_return_object), but for `JVMTI_ERROR_INVALID_OBJECT`.
    ///
    /// # Safety
    ///
    /// That of [`force_early_return_object`](Self::force_early_return_object).
    #[doc(alias = "ForceEarlyReturnDouble")]
    pub unsafe fn force_early_return_double(
        &self,
        thread: Option<&JThread<'_>>,
        value: f64,
    ) -> Result<()> {
        let thread = or_current("ForceEarlyReturnDouble", thread)?;
        call!(self, ForceEarlyReturnDouble, thread, value)
    }

    /// Has `thread`, or the current one, return from its innermost frame when it is resumed, where the method returns
    /// nothing.
    ///
    /// For which frames, and what it does, [`force_early_return_object`](Self::force_early_return_object) says.
    ///
    /// Phase: live. Capability: `can_force_early_return`.
    ///
    /// # Errors
    ///
    /// Those of [`force_early_return_object`](Self::force_early_return_object), but for `JVMTI_ERROR_INVALID_OBJECT`.
    ///
    /// # Safety
    ///
    /// That of [`force_early_return_object`](Self::force_early_return_object).
    #[doc(alias = "ForceEarlyReturnVoid")]
    pub unsafe fn force_early_return_void(&self, thread: Option<&JThread<'_>>) -> Result<()> {
        let thread = or_current("ForceEarlyReturnVoid", thread)?;
        call!(self, ForceEarlyReturnVoid, thread)
    }
}

/// The first JDK whose GetFrameCount does not read what the VM keeps for a thread after that has
/// ended, and with it what was kept: 17 crashes, as its PopFrame did (JDK-8266593).
const COUNTS_ENDING_THREADS: i32 = 19;

const LIST: &str = "GetThreadListStackTraces";

/// For so many frames of each thread the VM has memory: less than a thread takes anyway.
const FEW_FRAMES: u32 = 1 << 10;

/// Takes as much memory as the VM will reserve for so many frames of each thread, and gives it back:
/// HotSpot aborts where there is none.
fn ensure_memory(function: &'static str, threads: usize, max_frames: u32) -> Result<()> {
    if max_frames <= FEW_FRAMES {
        return Ok(());
    }
    let mut reserved = Vec::<FrameInfo>::new();
    let taken = reserved.try_reserve_exact(threads.saturating_mul(max_frames as usize));
    // Without a look at it, it need not be taken at all.
    black_box(reserved.as_ptr());
    taken.map_err(|_| Error::new(function, sys::Error::OUT_OF_MEMORY))
}
