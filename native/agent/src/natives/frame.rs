//! `FrameNatives`: stacks come out packed, one `long` a frame, and are resolved in Java.

use jni::objects::{JClass, JLongArray, JObject, JObjectArray, JThread};
use jni::sys::{jdouble, jfloat, jint, jlong};
use jni::{Env, EnvUnowned};
use jvmti::sys::ThreadState;
use jvmti::{FrameInfo, StackInfos};

use super::thread::threads as threads_of;
use super::values::{array_of, thread, unsigned};
use crate::boundary::context;
use crate::boundary::guard::{inside_bound, inside_jni};
use crate::boundary::records::StackFacts;
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::leaving;
use crate::thread::returned::Returned;
use crate::thread::transition;
use crate::vm::bare::long_array;
use crate::vm::capacity::filled;

/// Stacks up to this depth need no memory from the heap.
const USUAL_DEPTH: usize = 128;

/// Below this, a method id and a bytecode index fit into one `long`: an address has 48 bits, all of them in use on Linux
/// aarch64. None is one below, which would read as [`WIDE`].
const NARROW: u64 = (1 << 48) - 1;

/// Says that two `long`s follow for each frame.
const WIDE: jlong = -1;

pub(super) fn get_stack_trace<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    start_depth: jint,
    max_frames: jint,
) -> JLongArray<'l> {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let start_depth = unsigned("GetStackTrace", start_depth)?;
        let most = u32::try_from(max_frames).unwrap_or(0);
        if let Some(frames) = transition::stack_trace(jni, env, &target, start_depth, most)? {
            return pack_one(jni, &frames);
        }
        let most = most as usize;
        let mut usual = [FrameInfo::NONE; USUAL_DEPTH];
        let room = most.min(USUAL_DEPTH);
        let count = env.stack_trace(thread(&target), start_depth, &mut usual[..room])?;
        if count < USUAL_DEPTH || count == most {
            return pack_one(jni, &usual[..count]);
        }
        let mut room = USUAL_DEPTH;
        loop {
            // A running thread may grow its stack between two looks.
            room = most.min(room * 4);
            let mut frames = filled("GetStackTrace", FrameInfo::NONE, room)?;
            let count = env.stack_trace(thread(&target), start_depth, &mut frames)?;
            if count < frames.len() || count == most {
                return pack_one(jni, &frames[..count]);
            }
        }
    })
}

pub(super) fn get_all_stack_traces<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    max_frames: jint,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let max_frames = unsigned("GetAllStackTraces", max_frames)?;
        let stacks = env.all_stack_traces(jni, max_frames)?;
        stack_facts(jni, class, &stacks)
    })
}

pub(super) fn get_thread_list_stack_traces<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    threads: JObjectArray<'l, JThread<'l>>,
    max_frames: jint,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let threads = threads_of(jni, &threads)?;
        let max_frames = unsigned("GetThreadListStackTraces", max_frames)?;
        let stacks = env.thread_list_stack_traces(&threads, max_frames)?;
        stack_facts(jni, class, &stacks)
    })
}

pub(super) fn get_frame_count<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> jint {
    inside_jni(jni, (class, &target), env, |env, jni| {
        Ok(transition::frame_count(jni, env, thread(&target))?.cast_signed())
    })
}

pub(super) fn get_frame_location<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    depth: jint,
) -> JLongArray<'l> {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let depth = unsigned("GetFrameLocation", depth)?;
        let frame = transition::frame_location(jni, env, thread(&target), depth)?;
        long_array(jni, &[id(&frame).cast_signed(), frame.location])
    })
}

pub(super) fn pop_frame<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        let metadata = context::bound(jni, class)?.metadata(jni)?;
        leaving::pop(jni, env, metadata, &target)
    });
}

pub(super) fn force_early_return_object<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    value: JObject<'l>,
) {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        let value = match value.is_null() {
            true => None,
            false => Some(jni.new_global_ref(&value)?),
        };
        force_return(jni, env, class, &target, Returned::Object(value))
    });
}

pub(super) fn force_early_return_int<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    value: jint,
) {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        force_return(jni, env, class, &target, Returned::Int(value))
    });
}

pub(super) fn force_early_return_long<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    value: jlong,
) {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        force_return(jni, env, class, &target, Returned::Long(value))
    });
}

pub(super) fn force_early_return_float<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    value: jfloat,
) {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        force_return(jni, env, class, &target, Returned::Float(value))
    });
}

pub(super) fn force_early_return_double<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    value: jdouble,
) {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        force_return(jni, env, class, &target, Returned::Double(value))
    });
}

pub(super) fn force_early_return_void<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        force_return(jni, env, class, &target, Returned::Void)
    });
}

/// Has `target`, or the current thread if it is null, return `value`. `class` is the caller's.
fn force_return(
    jni: &mut Env<'_>,
    env: &Inside,
    class: &JClass<'_>,
    target: &JThread<'_>,
    value: Returned,
) -> Outcome<()> {
    let metadata = context::bound(jni, class)?.metadata(jni)?;
    leaving::force_return(jni, env, metadata, thread(target), value)
}

pub(super) fn notify_frame_pop<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    depth: jint,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let depth = unsigned("NotifyFramePop", depth)?;
        leaving::notify_pop(jni, env, thread(&target), depth)
    });
}

pub(super) fn clear_all_frame_pops<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        leaving::clear_pops(jni, env, thread(&target))
    });
}

/// Frames of one thread: narrow, or [`WIDE`] and pairs.
fn pack_one<'l>(jni: &mut Env<'l>, frames: &[FrameInfo]) -> Outcome<JLongArray<'l>> {
    let mut packed = Vec::with_capacity(frames.len() * 2 + 1);
    if !frames.iter().all(is_narrow) {
        packed.push(WIDE);
        frames.iter().for_each(|frame| packed.extend(wide(frame)));
    } else {
        packed.extend(frames.iter().map(narrow));
    }
    long_array(jni, &packed)
}

/// Threads and frames.
fn stack_facts<'l>(
    jni: &mut Env<'l>,
    class: &JClass<'_>,
    stacks: &StackInfos<'_>,
) -> Outcome<JObject<'l>> {
    let rows: Vec<_> = stacks
        .iter()
        .map(|stack| (stack.state, stack.frames))
        .collect();
    let threads: Vec<_> = stacks.iter().map(|stack| stack.thread).collect();
    let threads = array_of::<JThread>(jni, &threads)?;
    let packed = long_array(jni, &pack_list(&rows))?;
    let facts = StackFacts {
        threads: &threads,
        packed: &packed,
    };
    facts.make(jni, &context::bound(jni, class)?.records)
}

/// Longs per frame, then state, count and frames of each thread.
pub(super) fn pack_list(rows: &[(ThreadState, &[FrameInfo])]) -> Vec<jlong> {
    let narrow_all = rows.iter().all(|(_, frames)| frames.iter().all(is_narrow));
    let mut packed = vec![if narrow_all { 1 } else { 2 }];
    for (state, frames) in rows {
        packed.push(jlong::from(state.bits()));
        packed.push(frames.len() as jlong);
        if narrow_all {
            packed.extend(frames.iter().map(narrow));
        } else {
            frames.iter().for_each(|frame| packed.extend(wide(frame)));
        }
    }
    packed
}

fn id(frame: &FrameInfo) -> u64 {
    frame.method.as_raw() as u64
}

fn is_narrow(frame: &FrameInfo) -> bool {
    id(frame) < NARROW
}

/// A bytecode index is at most 65534, so that -1, "in native code", is 0xFFFF and nothing else.
fn narrow(frame: &FrameInfo) -> jlong {
    (id(frame) << 16).cast_signed() | (frame.location & 0xFFFF)
}

fn wide(frame: &FrameInfo) -> [jlong; 2] {
    [id(frame).cast_signed(), frame.location]
}

#[cfg(test)]
mod tests {
    use super::*;
    use jvmti::MethodId;

    fn frame(id: u64, location: i64) -> FrameInfo {
        // SAFETY: nobody asks the VM for it.
        let method = unsafe { MethodId::from_raw(id as _) };
        FrameInfo { method, location }
    }

    #[test]
    fn any_address_of_forty_eight_bits_takes_one_long() {
        let highest = 0xFFFF_FFFF_FFF8;
        let frames = [frame(highest, 65534), frame(8, -1)];
        let packed = pack_list(&[(ThreadState::empty(), &frames)]);
        assert_eq!(packed[0], 1);
        assert_eq!(packed[3].cast_unsigned(), highest << 16 | 65534);
        assert_eq!(packed[4], 8 << 16 | 0xFFFF);
    }

    #[test]
    fn one_that_does_not_fit_makes_all_take_two() {
        let frames = [frame(8, 7), frame(1 << 48, 9)];
        let packed = pack_list(&[(ThreadState::empty(), &frames)]);
        assert_eq!(packed, [2, 0, 2, 8, 7, 1 << 48, 9]);
    }
}
