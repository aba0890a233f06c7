//! The stacks of a dump, whole.

use std::ops::RangeInclusive;

use jni::Env;
use jni::objects::JThread;
use jvmti::sys::{self, ThreadState};
use jvmti::{FrameInfo, StackInfo};

use super::limits::Limits;
use crate::environment::gate::Inside;
use crate::failure::{Failure, Outcome};
use crate::thread::thread_set::ThreadSet;
use crate::thread::transition;
use crate::thread::virtual_thread::is_virtual_here;
use crate::vm::capacity::{Room, filled};
use crate::vm::image;

/// The VM reserves memory for as many frames for each thread.
pub(super) const USUAL_DEPTH: usize = 512;

/// How many threads of a list the VM reads at once: 64 MB.
const AT_ONCE: usize = 1 << 13;

/// Of so many platform threads all there are are read at once, up to 128 MB: each of a list the VM looks for among all others,
/// so that of twice as many threads that takes four times as long.
const ALL_AT_ONCE: RangeInclusive<usize> = 1 << 8..=1 << 14;

/// No stack is deeper.
const DEEPEST: usize = 1 << 24;

/// What the VM answers where there is no such frame.
const NONE: [sys::Error; 2] = [sys::Error::ILLEGAL_ARGUMENT, sys::Error::THREAD_NOT_ALIVE];

/// One thread's state, and where it is.
pub(crate) struct Stack {
    pub(crate) state: ThreadState,
    pub(crate) frames: Vec<FrameInfo>,
}

impl Stack {
    fn of(info: StackInfo<'_>) -> Self {
        Self {
            state: info.state,
            frames: info.frames.to_vec(),
        }
    }
}

/// The stacks of all `threads`; those of thousands at one moment. Nothing at all after the deadline.
pub(super) fn read(
    jni: &mut Env<'_>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'_>],
    limits: &Limits,
) -> Outcome<Option<Vec<Stack>>> {
    let usual = USUAL_DEPTH.min(limits.depth);
    let stacks = tops(jni, room, env, threads, usual, limits)?;
    deepened(jni, env, threads, stacks, limits)
}

/// So many frames of each of `threads`.
pub(super) fn tops(
    jni: &mut Env<'_>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'_>],
    most: usize,
    limits: &Limits,
) -> Outcome<Vec<Stack>> {
    let feature = image::feature(env)?;
    let is_platform = |thread: &&JThread<'_>| !is_virtual_here(jni, feature, thread);
    let platform = threads.iter().filter(is_platform).count();
    if limits.are_chosen || !ALL_AT_ONCE.contains(&platform) {
        return of_list(jni, room, env, threads, most);
    }
    let mut found = of_all(jni, room, env, threads, most)?;
    let mut rest = Vec::new();
    for (_, thread) in found.iter().zip(threads).filter(|(one, _)| one.is_none()) {
        room.made(jni, 1)?;
        rest.push(jni.new_local_ref(thread)?);
    }
    let mut rest = of_list(jni, room, env, &rest, most)?.into_iter();
    found.iter_mut().for_each(|one| {
        if one.is_none() {
            *one = rest.next();
        }
    });
    Ok(found.into_iter().flatten().collect())
}

fn of_list(
    jni: &Env<'_>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'_>],
    most: usize,
) -> Outcome<Vec<Stack>> {
    let mut stacks = Vec::with_capacity(threads.len());
    for some in threads.chunks(AT_ONCE) {
        let infos = env.thread_list_stack_traces(some, most as u32)?;
        stacks.extend(infos.iter().map(Stack::of));
        room.made(jni, some.len())?;
    }
    Ok(stacks)
}

/// Of virtual threads nothing, nor of those that have ended.
fn of_all(
    jni: &Env<'_>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'_>],
    most: usize,
) -> Outcome<Vec<Option<Stack>>> {
    let infos = env.all_stack_traces(jni, most as u32)?;
    room.made(jni, infos.len())?;
    let infos: Vec<_> = infos.iter().collect();
    let all: Vec<_> = infos.iter().map(|info| info.thread).collect();
    let places = ThreadSet::of(env, &all)?;
    let of = |thread: &JThread<'_>| {
        let hash = env.object_hash_code(thread)?;
        let place = places.place(jni, &all, hash, thread)?;
        Ok(place.map(|place| Stack::of(infos[place])))
    };
    threads.iter().map(of).collect()
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
