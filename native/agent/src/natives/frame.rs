//! `FrameNatives`: stacks come out packed, one `long` a frame, and are resolved in Java.

use jni::objects::{JClass, JLongArray, JObject, JObjectArray, JThread};
use jni::sys::{jint, jlong, jvalue};
use jni::{Env, EnvUnowned, NativeMethod};
use jvmti::StackInfos;
use jvmti::sys::{self, jvmtiFrameInfo};

use super::thread::{thread_array, threads as threads_of};
use super::{long_array, native, thread, unbound};
use crate::context;
use crate::failure::Outcome;
use crate::guard::{inside, inside_bound, inside_jni};

/// Stacks up to this depth need no memory from the heap.
const USUAL_DEPTH: usize = 128;

/// Below this, a method id and a bytecode index fit into one `long` that is not negative.
const NARROW: u64 = 1 << 47;

/// Says that two `long`s follow for each frame.
const WIDE: jlong = -1;

pub(crate) const NO_FRAME: jvmtiFrameInfo = jvmtiFrameInfo {
    method: std::ptr::null_mut(),
    location: 0,
};

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(get_stack_trace(
            env: jlong,
            thread: java.lang.Thread,
            start_depth: jint,
            max_frames: jint,
        ) -> jlong[]),
        native!(get_all_stack_traces(env: jlong, max_frames: jint) -> JObject),
        native!(get_thread_list_stack_traces(
            env: jlong,
            threads: java.lang.Thread[],
            max_frames: jint,
        ) -> JObject),
        native!(get_frame_count(env: jlong, thread: java.lang.Thread) -> jint),
        native!(get_frame_location(env: jlong, thread: java.lang.Thread, depth: jint) -> jlong[]),
    ]
}

fn get_stack_trace<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    start_depth: jint,
    max_frames: jint,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let most = usize::try_from(max_frames).unwrap_or(0);
        let mut usual = [NO_FRAME; USUAL_DEPTH];
        let room = most.min(USUAL_DEPTH);
        let count = env.stack_trace(thread(&target), start_depth, &mut usual[..room])?;
        if count < USUAL_DEPTH || count == most {
            return pack_one(jni, &usual[..count]);
        }
        let mut frames = vec![NO_FRAME; USUAL_DEPTH];
        loop {
            // A running thread may grow its stack between two looks.
            frames.resize(most.min(frames.len() * 4), NO_FRAME);
            let count = env.stack_trace(thread(&target), start_depth, &mut frames)?;
            if count < frames.len() || count == most {
                return pack_one(jni, &frames[..count]);
            }
        }
    })
}

fn get_all_stack_traces<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    max_frames: jint,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let stacks = env.all_stack_traces(max_frames)?;
        stack_facts(jni, class, &stacks, stacks.len())
    })
}

fn get_thread_list_stack_traces<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    threads: JObjectArray<'l, JThread<'l>>,
    max_frames: jint,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let threads = threads_of(jni, &threads)?;
        let stacks = list_stack_traces(jni, env, &threads, max_frames)?;
        stack_facts(jni, class, &stacks, threads.len())
    })
}

/// The stacks of some threads; what the VM adds to a list of one is to be ignored.
pub(crate) fn list_stack_traces(
    jni: &mut Env<'_>,
    env: &jvmti::Env,
    threads: &[JObject<'_>],
    max_frames: jint,
) -> Outcome<StackInfos> {
    match (env.thread_list_stack_traces(threads, max_frames), threads) {
        // Only in a list of one is it an error that a thread is not alive, so ask for it twice.
        (Err(error), [thread]) if error.code == sys::Error::THREAD_NOT_ALIVE => {
            let twice = [jni.new_local_ref(thread)?, jni.new_local_ref(thread)?];
            Ok(env.thread_list_stack_traces(&twice, max_frames)?)
        }
        (answer, _) => Ok(answer?),
    }
}

fn get_frame_count<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> jint {
    inside(jni, class, env, |env| Ok(env.frame_count(thread(&target))?))
}

fn get_frame_location<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    depth: jint,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let frame = env.frame_location(thread(&target), depth)?;
        long_array(jni, &[id(&frame).cast_signed(), frame.location])
    })
}

/// Frames of one thread: narrow, or [`WIDE`] and pairs.
fn pack_one<'l>(jni: &mut Env<'l>, frames: &[jvmtiFrameInfo]) -> Outcome<JLongArray<'l>> {
    let mut packed = Vec::with_capacity(frames.len() * 2 + 1);
    if !frames.iter().all(is_narrow) {
        packed.push(WIDE);
        frames.iter().for_each(|frame| packed.extend(wide(frame)));
    } else {
        packed.extend(frames.iter().map(narrow));
    }
    long_array(jni, &packed)
}

/// Threads and frames of the first `length` stacks.
fn stack_facts<'l>(
    jni: &mut Env<'l>,
    class: &JClass<'_>,
    stacks: &StackInfos,
    length: usize,
) -> Outcome<JObject<'l>> {
    let rows: Vec<_> = stacks
        .iter()
        .take(length)
        .map(|stack| (stack.state, stack.frames))
        .collect();
    let threads = thread_array(
        jni,
        length,
        stacks.iter().take(length).map(|stack| stack.thread),
    )?;
    let packed = long_array(jni, &pack_list(&rows))?;
    let context = context::of(jni, class).ok_or_else(unbound)?;
    let args = [
        jvalue {
            l: threads.as_raw(),
        },
        jvalue { l: packed.as_raw() },
    ];
    // SAFETY: the arguments are those of the StackFacts constructor.
    unsafe { context.facts.stack.construct(jni, &args) }
}

/// Longs per frame, then state, count and frames of each thread.
pub(super) fn pack_list(rows: &[(jint, &[jvmtiFrameInfo])]) -> Vec<jlong> {
    let narrow_all = rows.iter().all(|(_, frames)| frames.iter().all(is_narrow));
    let mut packed = vec![if narrow_all { 1 } else { 2 }];
    for (state, frames) in rows {
        packed.push(jlong::from(*state));
        packed.push(frames.len() as jlong);
        if narrow_all {
            packed.extend(frames.iter().map(narrow));
        } else {
            frames.iter().for_each(|frame| packed.extend(wide(frame)));
        }
    }
    packed
}

fn id(frame: &jvmtiFrameInfo) -> u64 {
    frame.method as u64
}

fn is_narrow(frame: &jvmtiFrameInfo) -> bool {
    id(frame) < NARROW
}

/// A bytecode index is at most 65534, so that -1, "in native code", is 0xFFFF and nothing else.
fn narrow(frame: &jvmtiFrameInfo) -> jlong {
    (id(frame) << 16).cast_signed() | (frame.location & 0xFFFF)
}

fn wide(frame: &jvmtiFrameInfo) -> [jlong; 2] {
    [id(frame).cast_signed(), frame.location]
}
