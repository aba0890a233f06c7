//! Questions about one virtual thread, which may be mounted or unmounted meanwhile.
//!
//! From 22 to 25 nothing keeps such a thread from that while the VM answers for it alone, and it crashes once in some
//! hundred thousand times (`docs/proofs/mounting.c`; it has other means from 26 on, JDK-8364343). For a list of threads it
//! holds all of them back, and is not known to. So there the thread is asked for in a list, at a safepoint.

use std::slice;

use jni::Env;
use jni::objects::JThread;
use jvmti::FrameInfo;
use jvmti::sys::{Error, ThreadState};

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::virtual_thread::is_virtual_here;
use crate::vm::image;

/// Where that is so.
const FIRST: i32 = 22;
const LAST: i32 = 25;

/// How many frames are asked for at first.
const USUAL_DEPTH: u32 = 128;

/// No stack is deeper.
const DEEPEST: u32 = 1 << 24;

/// Whether `thread`, which is not the current one, may be in transition while this JDK is asked for it.
pub(crate) fn moves(jni: &Env<'_>, feature: i32, thread: &JThread<'_>) -> bool {
    (FIRST..=LAST).contains(&feature) && is_virtual_here(jni, feature, thread)
}

/// Whether the VM may not be asked for `thread` alone, unless it is suspended.
pub(crate) fn is_unsteady(
    jni: &Env<'_>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
) -> Outcome<bool> {
    let moves = |thread: &JThread<'_>| Ok(moves(jni, image::feature(env)?, thread));
    is_other(jni, env, thread, moves)
}

/// Whether `thread` is virtual and not the current one: of such a one even 21 tells no CPU time, but looks where it is
/// mounted.
pub(crate) fn is_other_virtual(
    jni: &Env<'_>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
) -> Outcome<bool> {
    let is_virtual = |thread: &JThread<'_>| Ok(is_virtual_here(jni, image::feature(env)?, thread));
    is_other(jni, env, thread, is_virtual)
}

fn is_other(
    jni: &Env<'_>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
    is_one: impl FnOnce(&JThread<'_>) -> Outcome<bool>,
) -> Outcome<bool> {
    let Some(thread) = thread.filter(|thread| !thread.is_null()) else {
        return Ok(false);
    };
    if !is_one(thread)? {
        return Ok(false);
    }
    let current = env.current_thread(jni)?;
    let is_current = jni.is_same_object(&current, thread)?;
    jni.delete_local_ref(current);
    Ok(!is_current)
}

/// The state of `thread`, or of the current one.
pub(crate) fn state(
    jni: &Env<'_>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
) -> Outcome<ThreadState> {
    match thread {
        Some(thread) if is_unsteady(jni, env, Some(thread))? => {
            listed(env, thread, 0, |state, _| state)
        }
        thread => Ok(env.thread_state(thread)?),
    }
}

/// Whether `thread` is suspended.
pub(crate) fn is_suspended(jni: &Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<bool> {
    Ok(state(jni, env, Some(thread))?.contains(ThreadState::SUSPENDED))
}

/// The same of a thread that is not the current one, on any JDK: on 21 the question of a virtual thread's state alone may
/// crash, too, while it runs.
pub(crate) fn stands_still(jni: &Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<bool> {
    let state = match is_virtual_here(jni, image::feature(env)?, thread) {
        true => listed(env, thread, 0, |state, _| state)?,
        false => env.thread_state(Some(thread))?,
    };
    Ok(state.contains(ThreadState::SUSPENDED))
}

/// So many frames of `thread` from `start_depth` on, if it is [unsteady](is_unsteady).
pub(crate) fn stack_trace(
    jni: &Env<'_>,
    env: &Inside,
    thread: &JThread<'_>,
    start_depth: u32,
    most: u32,
) -> Outcome<Option<Vec<FrameInfo>>> {
    const FUNCTION: &str = "GetStackTrace";
    if !is_unsteady(jni, env, Some(thread))? {
        return Ok(None);
    }
    let most = start_depth.saturating_add(most);
    let mut found = frames(env, FUNCTION, thread, most.max(start_depth + 1))?;
    let start = start_depth as usize;
    if start > 0 && start >= found.len() {
        return Err(jvmti::Error::new(FUNCTION, Error::ILLEGAL_ARGUMENT).into());
    }
    found.truncate(most as usize);
    found.drain(..start);
    Ok(Some(found))
}

/// How many frames `thread`, or the current one, has.
pub(crate) fn frame_count(
    jni: &Env<'_>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
) -> Outcome<u32> {
    match thread {
        Some(thread) if is_unsteady(jni, env, Some(thread))? => {
            Ok(frames(env, "GetFrameCount", thread, DEEPEST)?.len() as u32)
        }
        thread => Ok(env.frame_count(thread)?),
    }
}

/// Where the frame of `thread`, or of the current one, at `depth` is.
pub(crate) fn frame_location(
    jni: &Env<'_>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
    depth: u32,
) -> Outcome<FrameInfo> {
    const FUNCTION: &str = "GetFrameLocation";
    match thread {
        Some(thread) if is_unsteady(jni, env, Some(thread))? => {
            let found = frames(env, FUNCTION, thread, depth.saturating_add(1))?;
            let none = || jvmti::Error::new(FUNCTION, Error::NO_MORE_FRAMES);
            Ok(*found.get(depth as usize).ok_or_else(none)?)
        }
        thread => Ok(env.frame_location(thread, depth)?),
    }
}

/// The frames of `thread`, no more than `most`, for `function`.
fn frames(
    env: &Inside,
    function: &'static str,
    thread: &JThread<'_>,
    most: u32,
) -> Outcome<Vec<FrameInfo>> {
    let most = most.min(DEEPEST);
    let mut room = USUAL_DEPTH.min(most);
    loop {
        let seen = |state, frames: &[FrameInfo]| (state, frames.to_vec());
        let (state, frames): (ThreadState, _) = listed(env, thread, room, seen)?;
        if !state.contains(ThreadState::ALIVE) {
            return Err(jvmti::Error::new(function, Error::THREAD_NOT_ALIVE).into());
        }
        // A running thread may grow its stack between two looks.
        if frames.len() < room as usize || room == most {
            return Ok(frames);
        }
        room = most.min(room.saturating_mul(16));
    }
}

fn listed<T>(
    env: &Inside,
    thread: &JThread<'_>,
    most: u32,
    answer: impl FnOnce(ThreadState, &[FrameInfo]) -> T,
) -> Outcome<T> {
    let infos = env.thread_list_stack_traces(slice::from_ref(thread), most)?;
    let one = infos.iter().next();
    let none = || jvmti::Error::new("GetThreadListStackTraces", Error::INTERNAL);
    Ok(one
        .map(|one| answer(one.state, one.frames))
        .ok_or_else(none)?)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::ptr::{self, NonNull};

    use jni::objects::JThread;
    use jni::sys::{jint, jobject};
    use jvmti::sys::{self, Error, ThreadState};

    use super::{frame_count, frame_location, stack_trace, state};
    use crate::environment::gate::{self, Inside, Me};
    use crate::environment::handles;
    use crate::failure::{Failure, Outcome};
    use crate::vm::paper::{VIRTUAL, with_jni};

    const CURRENT: usize = VIRTUAL + 1;
    const OTHER: usize = VIRTUAL + 2;
    const ENDED: usize = VIRTUAL + 3;
    const PLATFORM: usize = 5;
    /// How deep the stack of each is.
    const DEEP: jint = 300;

    thread_local! {
        static FEATURE: Cell<jint> = const { Cell::new(0) };
        static ALONE: Cell<usize> = const { Cell::new(0) };
    }

    unsafe extern "system" fn version(_: *mut sys::Env, version: *mut jint) -> Error {
        // SAFETY: the layer lends a place for it.
        unsafe { *version = 0x3000_0000 | FEATURE.get() << 16 };
        Error::NONE
    }

    unsafe extern "system" fn current(_: *mut sys::Env, thread: *mut jobject) -> Error {
        // SAFETY: as above.
        unsafe { *thread = ptr::without_provenance_mut(CURRENT) };
        Error::NONE
    }

    unsafe extern "system" fn state_of(_: *mut sys::Env, _: jobject, bits: *mut jint) -> Error {
        ALONE.set(ALONE.get() + 1);
        // SAFETY: as above.
        unsafe { *bits = ThreadState::ALIVE.bits() };
        Error::NONE
    }

    unsafe extern "system" fn lists(
        _: *mut sys::Env,
        length: jint,
        threads: *const jobject,
        most: jint,
        infos: *mut *mut sys::jvmtiStackInfo,
    ) -> Error {
        assert_eq!(length, 2, "for one alone the VM holds nobody back");
        // SAFETY: the layer passes so many.
        let [one, other] = unsafe { [*threads, *threads.add(1)] };
        assert_eq!(one, other);
        let frame = |depth: jint| sys::jvmtiFrameInfo {
            method: ptr::null_mut(),
            location: depth.into(),
        };
        let info = |thread: jobject| {
            let is_alive = thread.addr() != ENDED;
            let frames: Vec<_> = (0..DEEP.min(most)).map(frame).collect();
            sys::jvmtiStackInfo {
                thread,
                state: if is_alive {
                    ThreadState::ALIVE
                } else {
                    ThreadState::TERMINATED
                }
                .bits(),
                frame_count: if is_alive { frames.len() as jint } else { 0 },
                frame_buffer: frames.leak().as_mut_ptr(),
            }
        };
        // SAFETY: the layer lends a place for it, and gives the list to `deallocate`.
        unsafe { *infos = vec![info(one), info(other)].leak().as_mut_ptr() };
        Error::NONE
    }

    unsafe extern "system" fn deallocate(_: *mut sys::Env, _: *mut u8) -> Error {
        Error::NONE
    }

    fn inside() -> Inside {
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
            GetVersionNumber: Some(version),
            GetCurrentThread: Some(current),
            GetThreadState: Some(state_of),
            GetThreadListStackTraces: Some(lists),
            Deallocate: Some(deallocate),
            ..sys::FunctionTable::default()
        }));
        let cell: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and its table answers what is asked here.
        let env = unsafe { jvmti::OwnedEnv::from_raw(NonNull::from(cell)) };
        let handle = handles::publish(env.leak(), None).unwrap();
        gate::enter(
            Me::new(ptr::without_provenance_mut(0x30)),
            handle.cast_signed(),
        )
        .unwrap()
    }

    fn code<T>(outcome: Outcome<T>) -> Option<Error> {
        match outcome {
            Err(Failure::Jvmti(error)) => Some(error.code),
            _ => None,
        }
    }

    #[test]
    fn only_the_steady_are_asked_for_alone() {
        let env = inside();
        let asked_alone = |feature, thread| {
            FEATURE.set(feature);
            with_jni(|jni| {
                // SAFETY: the paper VM looks at no reference.
                let thread = unsafe { JThread::from_raw(jni, ptr::without_provenance_mut(thread)) };
                state(jni, &env, Some(&thread)).unwrap();
            });
            ALONE.take() == 1
        };
        for feature in [17, 21, 26] {
            assert!(asked_alone(feature, OTHER), "{feature}");
        }
        for feature in [22, 25] {
            assert!(!asked_alone(feature, OTHER), "{feature}");
            assert!(asked_alone(feature, CURRENT) && asked_alone(feature, PLATFORM));
        }
    }

    #[test]
    fn a_list_answers_as_the_thread_alone_would() {
        let env = inside();
        FEATURE.set(25);
        with_jni(|jni| {
            // SAFETY: the paper VM looks at no reference.
            let thread = |raw| unsafe { JThread::from_raw(jni, ptr::without_provenance_mut(raw)) };
            let (other, ended) = (thread(OTHER), thread(ENDED));
            let deep = DEEP as u32;
            assert_eq!(frame_count(jni, &env, Some(&other)).unwrap(), deep);
            let last = frame_location(jni, &env, Some(&other), deep - 1).unwrap();
            assert_eq!(last.location, i64::from(deep) - 1);
            let beyond = frame_location(jni, &env, Some(&other), deep);
            assert_eq!(code(beyond), Some(Error::NO_MORE_FRAMES));
            let some = |start, most| {
                let found = stack_trace(jni, &env, &other, start, most)
                    .unwrap()
                    .unwrap();
                found.iter().map(|frame| frame.location).collect::<Vec<_>>()
            };
            assert_eq!(some(2, 3), [2, 3, 4]);
            assert_eq!(some(deep - 1, u32::MAX), [i64::from(deep) - 1]);
            assert_eq!(some(3, 0), []);
            let beyond = stack_trace(jni, &env, &other, deep, 1);
            assert_eq!(code(beyond), Some(Error::ILLEGAL_ARGUMENT));
            let (gone, count) = (
                Some(Error::THREAD_NOT_ALIVE),
                frame_count(jni, &env, Some(&ended)),
            );
            assert_eq!(code(count), gone);
            assert_eq!(code(stack_trace(jni, &env, &ended, 0, 1)), gone);
        });
    }
}
