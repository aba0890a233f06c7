//! The stacks of a dump, whole.

use jni::Env;
use jni::objects::JThread;
use jvmti::FrameInfo;
use jvmti::sys::{self, ThreadState};

use super::limits::Limits;
use crate::environment::gate::Inside;
use crate::failure::{Failure, Outcome};
use crate::thread::transition;
use crate::vm::capacity::{Room, filled};

/// The VM reserves memory for as many frames for each thread.
pub(super) const USUAL_DEPTH: usize = 512;

/// How many threads the VM reads at once: 64 MB.
const AT_ONCE: usize = 1 << 13;

/// No stack is deeper.
const DEEPEST: usize = 1 << 24;

/// What the VM answers where there is no such frame.
const NONE: [sys::Error; 2] = [sys::Error::ILLEGAL_ARGUMENT, sys::Error::THREAD_NOT_ALIVE];

/// One thread's state, and where it is.
pub(crate) struct Stack {
    pub(crate) state: ThreadState,
    pub(crate) frames: Vec<FrameInfo>,
}

/// The stacks of all `threads`; those of a thousand at one moment. Nothing at all after the deadline.
pub(super) fn read(
    jni: &mut Env<'_>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'_>],
    limits: &Limits,
) -> Outcome<Option<Vec<Stack>>> {
    let usual = USUAL_DEPTH.min(limits.depth);
    let mut stacks = Vec::with_capacity(threads.len());
    for some in threads.chunks(AT_ONCE) {
        let infos = env.thread_list_stack_traces(some, usual as u32)?;
        stacks.extend(infos.iter().map(|info| Stack {
            state: info.state,
            frames: info.frames.to_vec(),
        }));
        room.made(jni, some.len())?;
    }
    deepened(jni, env, threads, stacks, limits)
}

/// The same, and what is below those of the usual depth.
pub(super) fn deepened(
    jni: &Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
    mut stacks: Vec<Stack>,
    limits: &Limits,
) -> Outcome<Option<Vec<Stack>>> {
    for (stack, thread) in stacks.iter_mut().zip(threads) {
        if stack.frames.len() == USUAL_DEPTH && !limits.cut(USUAL_DEPTH) {
            if limits.are_past() {
                return Ok(None);
            }
            deepen(jni, env, thread, stack, limits)?;
        }
    }
    Ok(Some(stacks))
}

/// Reads a deep stack again. A thread that has ended since keeps what was seen of it.
fn deepen(
    jni: &Env<'_>,
    env: &Inside,
    thread: &JThread<'_>,
    stack: &mut Stack,
    limits: &Limits,
) -> Outcome<()> {
    let deepest = DEEPEST.min(limits.depth);
    if !stack.state.contains(ThreadState::SUSPENDED) {
        match transition::stack_trace(jni, env, thread, 0, deepest as u32) {
            Ok(None) => {}
            Ok(Some(frames)) => {
                stack.frames = frames;
                return Ok(());
            }
            Err(Failure::Jvmti(gone)) if gone.code == sys::Error::THREAD_NOT_ALIVE => return Ok(()),
            Err(failure) => return Err(failure),
        }
    }
    let mut room = USUAL_DEPTH;
    loop {
        room = deepest.min(room * 16);
        let mut frames = filled("GetStackTrace", FrameInfo::NONE, room)?;
        let count = match env.stack_trace(Some(thread), 0, &mut frames) {
            Err(error) if error.code == sys::Error::THREAD_NOT_ALIVE => return Ok(()),
            answer => answer?,
        };
        if count < room || room == deepest {
            frames.truncate(count);
            stack.frames = frames;
            return Ok(());
        }
    }
}
/// So many frames of a thread at most, from a depth on; none if it is not as deep, or has ended.
pub(super) fn from(
    jni: &Env<'_>,
    env: &Inside,
    thread: &JThread<'_>,
    stack: &Stack,
    start: usize,
    most: usize,
) -> Outcome<Vec<FrameInfo>> {
    let start = u32::try_from(start).unwrap_or(u32::MAX);
    let found = match stack.state.contains(ThreadState::SUSPENDED) {
        true => Ok(None),
        false => transition::stack_trace(jni, env, thread, start, most as u32),
    };
    let found = found.and_then(|unsteady| match unsteady {
        Some(frames) => Ok(frames),
        None => {
            let mut frames = filled("GetStackTrace", FrameInfo::NONE, most)?;
            let count = env.stack_trace(Some(thread), start, &mut frames)?;
            frames.truncate(count);
            Ok(frames)
        }
    });
    match found {
        Err(Failure::Jvmti(none)) if NONE.contains(&none.code) => Ok(Vec::new()),
        found => found,
    }
}
