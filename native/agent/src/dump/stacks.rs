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
use crate::thread::virtual_thread::{VIRTUAL_THREADS, is_virtual_here};
use crate::thread::{carrier, transition};
use crate::vm::capacity::{Room, filled};
use crate::vm::image;

/// The VM reserves memory for as many frames for each thread.
pub(super) const USUAL_DEPTH: usize = 512;

/// How many threads of a list the VM reads at once.
const AT_ONCE: usize = 1 << 13;

/// How many frames the VM reserves memory for at once: 64 MB.
const FRAMES_AT_ONCE: usize = AT_ONCE * USUAL_DEPTH;

/// Of so many platform threads all there are are read at once: each of a list the VM looks for among all others, so that of
/// twice as many threads that takes four times as long.
const ALL_AT_ONCE: RangeInclusive<usize> = 1 << 8..=1 << 14;

/// How many frames of deep stacks of virtual threads are read at once: all others stand still for that, some twenty
/// milliseconds, and four times as long at most where those are deeper that come next. `Stacks` has the same.
const DEEP_AT_ONCE: usize = 1 << 16;

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
    /// Of a thread that has ended.
    const ENDED: Self = Self {
        state: ThreadState::TERMINATED,
        frames: Vec::new(),
    };

    fn of(info: StackInfo<'_>) -> Self {
        Self {
            state: info.state,
            frames: info.frames.to_vec(),
        }
    }
}

/// The stacks of all `threads`; those of thousands at one moment, but for deep ones. Nothing at all after the deadline.
pub(super) fn read(
    jni: &mut Env<'_>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'_>],
    limits: &Limits,
) -> Outcome<Option<Vec<Stack>>> {
    let usual = USUAL_DEPTH.min(limits.depth);
    let stacks = tops(jni, room, env, threads, usual, limits)?;
    deepened(jni, room, env, threads, stacks, limits)
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
    let are_few = !ALL_AT_ONCE.contains(&threads.len());
    if limits.are_chosen || are_few || any_moves(jni, env, threads)? {
        return of_list(jni, room, env, threads, most);
    }
    let mut found = of_all(jni, room, env, threads, most)?;
    let missing = found.iter().zip(threads).filter(|(one, _)| one.is_none());
    let rest = copies(jni, room, missing.map(|(_, thread)| thread))?;
    let mut rest = of_list(jni, room, env, &rest, most)?.into_iter();
    found.iter_mut().for_each(|one| {
        if one.is_none() {
            *one = rest.next();
        }
    });
    Ok(found.into_iter().flatten().collect())
}

/// Whether one is virtual, which is not among all, or carries such ones: while it changes from one to the other all that it
/// has is hidden, and only who asks for a list keeps it from that.
fn any_moves(jni: &mut Env<'_>, env: &Inside, threads: &[JThread<'_>]) -> Outcome<bool> {
    let feature = image::feature(env)?;
    if feature < VIRTUAL_THREADS {
        return Ok(false);
    }
    for thread in threads {
        if is_virtual_here(jni, feature, thread) || carrier::carries(jni, thread).unwrap_or(true) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn of_list(
    jni: &Env<'_>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'_>],
    most: usize,
) -> Outcome<Vec<Stack>> {
    let mut stacks = Vec::with_capacity(threads.len());
    for some in threads.chunks(at_once(most)) {
        let infos = env.thread_list_stack_traces(some, most as u32)?;
        stacks.extend(infos.iter().map(Stack::of));
        room.made(jni, some.len())?;
    }
    Ok(stacks)
}

/// Of how many threads so many frames are read at once.
fn at_once(most: usize) -> usize {
    (FRAMES_AT_ONCE / most.max(1)).clamp(1, AT_ONCE)
}

/// Nothing of those that have ended, and of those that have more frames than all can be asked for.
fn of_all(
    jni: &Env<'_>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'_>],
    most: usize,
) -> Outcome<Vec<Option<Stack>>> {
    let asked = most.min(FRAMES_AT_ONCE / threads.len().max(1));
    let infos = env.all_stack_traces(jni, asked as u32)?;
    room.made(jni, infos.len())?;
    let infos: Vec<_> = infos.iter().collect();
    let all: Vec<_> = infos.iter().map(|info| info.thread).collect();
    let places = ThreadSet::of(env, &all)?;
    let is_whole = |place: &usize| asked == most || infos[*place].frames.len() < asked;
    let of = |thread: &JThread<'_>| {
        let hash = env.object_hash_code(thread)?;
        let place = places.place(jni, &all, hash, thread)?;
        Ok(place.filter(is_whole).map(|place| Stack::of(infos[place])))
    };
    threads.iter().map(of).collect()
}

/// The same, and what is below those of the usual depth: they are read again, as they are by then.
pub(super) fn deepened(
    jni: &mut Env<'_>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'_>],
    mut stacks: Vec<Stack>,
    limits: &Limits,
) -> Outcome<Option<Vec<Stack>>> {
    let feature = image::feature(env)?;
    let mut virtual_ones = Vec::new();
    for (row, thread) in threads.iter().enumerate() {
        if stacks[row].frames.len() != USUAL_DEPTH || limits.cut(USUAL_DEPTH) {
            continue;
        }
        if is_virtual_here(jni, feature, thread) {
            virtual_ones.push(row);
            continue;
        }
        if limits.are_past() {
            return Ok(None);
        }
        stacks[row] = deepen(env, thread, limits)?;
    }
    let all = deepen_in_lists(jni, room, env, threads, &mut stacks, virtual_ones, limits)?;
    Ok(all.then_some(stacks))
}

/// Reads the deep stack of a platform thread again, and its state with it: nobody else stands still for it.
fn deepen(env: &Inside, thread: &JThread<'_>, limits: &Limits) -> Outcome<Stack> {
    let deepest = DEEPEST.min(limits.depth);
    let mut asked = USUAL_DEPTH;
    loop {
        asked = deepest.min(asked * 16);
        // SAFETY: it is not virtual, and no thread becomes that.
        let infos = match unsafe { env.platform_stack_trace(thread, asked as u32) } {
            // What was seen of it is not all that it had.
            Err(error) if error.code == sys::Error::THREAD_NOT_ALIVE => return Ok(Stack::ENDED),
            infos => infos?,
        };
        let stack = infos.iter().next().map_or(Stack::ENDED, Stack::of);
        if stack.frames.len() < asked || asked == deepest {
            return Ok(stack);
        }
    }
}

/// The same of virtual threads, for which all others stand still: of as many at once as have few frames together, if they are
/// as deep as those before. False: it is past the deadline.
fn deepen_in_lists(
    jni: &mut Env<'_>,
    room: &mut Room,
    env: &Inside,
    threads: &[JThread<'_>],
    stacks: &mut [Stack],
    mut deep: Vec<usize>,
    limits: &Limits,
) -> Outcome<bool> {
    let deepest = DEEPEST.min(limits.depth);
    let mut asked = USUAL_DEPTH;
    while !deep.is_empty() && asked < deepest {
        asked = deepest.min(asked * 4);
        let mut few = few_of(asked, asked);
        let mut left = deep.as_slice();
        while !left.is_empty() {
            if limits.are_past() {
                return Ok(false);
            }
            let (rows, rest) = left.split_at(few.min(left.len()));
            let some = copies(jni, room, rows.iter().map(|&row| &threads[row]))?;
            let read = of_list(jni, room, env, &some, asked)?;
            let frames: usize = read.iter().map(|stack| stack.frames.len()).sum();
            // Those that have ended, or have left their depth, say nothing of the next ones.
            few = few_of(frames.div_ceil(rows.len()).max(USUAL_DEPTH), asked);
            rows.iter()
                .zip(read)
                .for_each(|(&row, stack)| stacks[row] = stack);
            some.into_iter().for_each(|one| jni.delete_local_ref(one));
            left = rest;
        }
        deep.retain(|&row| stacks[row].frames.len() == asked);
    }
    Ok(true)
}

/// How many stacks of so many frames are read at once, where each may have as many as are asked for.
fn few_of(frames: usize, asked: usize) -> usize {
    let most = 4 * DEEP_AT_ONCE / asked.max(1);
    (DEEP_AT_ONCE / frames.max(1)).min(most).max(1)
}

/// For those who take a list.
fn copies<'l, 't>(
    jni: &mut Env<'l>,
    room: &mut Room,
    threads: impl Iterator<Item = &'t JThread<'t>>,
) -> Outcome<Vec<JThread<'l>>> {
    let mut copies = Vec::new();
    for thread in threads {
        room.made(jni, 1)?;
        copies.push(jni.new_local_ref(thread)?);
    }
    Ok(copies)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_stand_still_for_a_few_frames_of_deep_stacks() {
        for frames in [USUAL_DEPTH, 600, 16 * USUAL_DEPTH, DEEP_AT_ONCE] {
            let some = few_of(frames, frames) * frames;
            assert!((DEEP_AT_ONCE / 2..=DEEP_AT_ONCE).contains(&some));
        }
        assert_eq!(few_of(DEEPEST, DEEPEST), 1);
        for asked in [2_048, 8_192, 32_768, DEEPEST] {
            let some = few_of(USUAL_DEPTH, asked);
            assert!(
                some == 1 || some * asked <= 4 * DEEP_AT_ONCE,
                "the next ones may be deep"
            );
        }
    }
}
