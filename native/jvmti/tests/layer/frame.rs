use std::ptr;

use jni::objects::JObject;
use jni::sys::{jdouble, jfloat, jint, jlong, jmethodID, jobject};
use jvmti::sys::{self, jvmtiFrameInfo, jvmtiStackInfo};
use jvmti::{Error, FrameInfo, StackInfos};

use crate::fake::{
    Bits, Fake, array, deleted, enter, every_way, method, object, raw, slot, with_jni,
};

/// Fills the caller's buffer with as many frames as it says it has room for.
unsafe extern "system" fn get_stack_trace(
    env: *mut sys::Env,
    thread: jobject,
    start: jint,
    room: jint,
    frames: *mut jvmtiFrameInfo,
    count: *mut jint,
) -> sys::Error {
    let code = enter(
        env,
        "GetStackTrace",
        vec![thread.bits(), start.bits(), room.bits()],
    );
    if code == sys::Error::NONE {
        // SAFETY: the layer under test lends room for so many frames, and a place for the count.
        unsafe {
            for at in 0..room as usize {
                *frames.add(at) = jvmtiFrameInfo {
                    method: method(0x100 + at),
                    location: at as i64,
                };
            }
            *count = room;
        }
    }
    code
}

#[test]
fn stack_trace_fills_the_callers_buffer() {
    let (frames, arguments) = every_way(
        "GetStackTrace",
        |table| table.GetStackTrace = Some(get_stack_trace),
        |env| {
            let mut frames = [FrameInfo::NONE; 3];
            let count = env.stack_trace(Some(&object(0x10)), 2, &mut frames)?;
            Ok(frames[..count]
                .iter()
                .map(|f| (f.method.as_raw() as usize, f.location))
                .collect::<Vec<_>>())
        },
    );
    assert_eq!(arguments, [0x10, 2, 3]);
    assert_eq!(frames, [(0x100, 0), (0x101, 1), (0x102, 2)]);
}

#[test]
fn stack_trace_without_room_has_no_frames_and_a_buffer_that_is_not_null() {
    unsafe extern "system" fn look(
        _env: *mut sys::Env,
        _thread: jobject,
        _start: jint,
        room: jint,
        frames: *mut jvmtiFrameInfo,
        count: *mut jint,
    ) -> sys::Error {
        // SAFETY: the layer under test lends a place for the count.
        unsafe { *count = 0 };
        if frames.is_null() || room != 0 {
            return sys::Error::NULL_POINTER;
        }
        sys::Error::NONE
    }
    let fake = Fake::new(|table| table.GetStackTrace = Some(look));
    assert_eq!(fake.env().stack_trace(None, 0, &mut []), Ok(0));
}

#[test]
fn stack_trace_never_answers_more_frames_than_fit() {
    slot!(GetStackTrace(thread: jobject, start: jint, room: jint, frames: *mut jvmtiFrameInfo) -> (
        count: jint = 99
    ));
    let fake = Fake::new(|table| table.GetStackTrace = Some(GetStackTrace));
    assert_eq!(
        fake.env().stack_trace(None, 0, &mut [FrameInfo::NONE; 2]),
        Ok(2)
    );
}

/// A thread, its state, and its frames.
type Planned<'a> = (usize, jint, &'a [(usize, jlong)]);

/// As the VM lays it out: the list of threads and, behind it, the frames of all, in one block.
fn stacks(threads: &[Planned<'_>]) -> *mut jvmtiStackInfo {
    let frames: usize = threads.iter().map(|(_, _, frames)| frames.len()).sum();
    let block = array(&vec![
        0_u64;
        (threads.len() * size_of::<jvmtiStackInfo>()
            + frames * size_of::<jvmtiFrameInfo>())
            / size_of::<u64>()
    ]);
    let infos = block.cast::<jvmtiStackInfo>();
    // SAFETY: the block has room for all of them, one after the other.
    unsafe {
        let mut next = infos.add(threads.len()).cast::<jvmtiFrameInfo>();
        for (at, (thread, state, frames)) in threads.iter().enumerate() {
            *infos.add(at) = jvmtiStackInfo {
                thread: raw(*thread),
                state: *state,
                frame_buffer: next,
                frame_count: frames.len() as jint,
            };
            for &(id, location) in *frames {
                *next = jvmtiFrameInfo {
                    method: method(id),
                    location,
                };
                next = next.add(1);
            }
        }
    }
    infos
}

type Stack = (usize, i32, Vec<(usize, i64)>);

fn decode(infos: &StackInfos) -> Vec<Stack> {
    let frames = |frames: &[FrameInfo]| {
        frames
            .iter()
            .map(|frame| (frame.method.as_raw() as usize, frame.location))
            .collect()
    };
    infos
        .iter()
        .map(|info| {
            (
                info.thread.as_raw() as usize,
                info.state.bits(),
                frames(info.frames),
            )
        })
        .collect()
}

slot!(GetAllStackTraces(max_frames: jint) -> (
    infos: *mut jvmtiStackInfo = stacks(&[(0x10, 5, &[(0x100, 1), (0x101, -1)]), (0x20, 2, &[])]),
    count: jint = 2
));

#[test]
fn all_stack_traces_are_one_block_freed_once() {
    let (stacks, arguments) = with_jni(|jni| {
        every_way(
            "GetAllStackTraces",
            |table| table.GetAllStackTraces = Some(GetAllStackTraces),
            |env| env.all_stack_traces(jni, 50).map(|infos| decode(&infos)),
        )
    });
    assert_eq!(arguments, [50]);
    assert_eq!(
        stacks,
        [(0x10, 5, vec![(0x100, 1), (0x101, -1)]), (0x20, 2, vec![])]
    );
}

#[test]
fn stacks_stay_until_their_owner_goes() {
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetAllStackTraces = Some(GetAllStackTraces));
        let infos = fake.env().all_stack_traces(jni, 1).unwrap();
        assert_eq!(
            (infos.len(), infos.is_empty(), infos.iter().len()),
            (2, false, 2)
        );
        assert_eq!(fake.live(), 1);
        assert!(format!("{infos:?}").contains("state: ThreadState(ALIVE | RUNNABLE)"));
        drop(infos);
        assert_eq!(fake.live(), 0);
    });
}

#[test]
fn no_threads_are_no_block() {
    slot!(GetAllStackTraces(max_frames: jint) -> (
        infos: *mut jvmtiStackInfo = ptr::null_mut(),
        count: jint = 0
    ));
    with_jni(|jni| {
        let fake = Fake::new(|table| table.GetAllStackTraces = Some(GetAllStackTraces));
        let infos = fake.env().all_stack_traces(jni, 1).unwrap();
        assert!(infos.is_empty());
        assert_eq!(decode(&infos), []);
        drop(infos);
        assert_eq!(fake.calls(), [("GetAllStackTraces", vec![1])]);
    });
}

/// Answers a state that shows which threads arrived: 1 for 0x10, 2 for 0x20, …
unsafe extern "system" fn get_thread_list_stack_traces(
    env: *mut sys::Env,
    length: jint,
    list: *const jobject,
    max_frames: jint,
    infos: *mut *mut jvmtiStackInfo,
) -> sys::Error {
    let code = enter(
        env,
        "GetThreadListStackTraces",
        vec![length.bits(), max_frames.bits()],
    );
    if code == sys::Error::NONE {
        // SAFETY: the layer under test lends a list of this length and a place for the block.
        unsafe {
            let list = std::slice::from_raw_parts(list, length as usize);
            let frames: &[(usize, jlong)] = &[(0x100, 3)];
            let one = |&thread: &jobject| (thread as usize, thread as jint / 16, frames);
            *infos = stacks(&list.iter().map(one).collect::<Vec<_>>());
        }
    }
    code
}

#[test]
fn thread_list_stack_traces_are_those_of_the_list() {
    let (stacks, arguments) = every_way(
        "GetThreadListStackTraces",
        |table| table.GetThreadListStackTraces = Some(get_thread_list_stack_traces),
        |env| {
            let threads = [object(0x20), object(0x10)];
            env.thread_list_stack_traces(&threads, 8)
                .map(|infos| decode(&infos))
        },
    );
    assert_eq!(arguments, [2, 8]);
    assert_eq!(
        stacks,
        [(0x20, 2, vec![(0x100, 3)]), (0x10, 1, vec![(0x100, 3)])]
    );
}

#[test]
fn an_empty_list_of_threads_has_no_stacks() {
    let fake =
        Fake::new(|table| table.GetThreadListStackTraces = Some(get_thread_list_stack_traces));
    let infos = fake.env().thread_list_stack_traces(&[], 8).unwrap();
    assert!(infos.is_empty());
}

#[test]
fn a_thread_alone_that_is_not_alive_has_no_frames_either() {
    unsafe extern "system" fn picky(
        env: *mut sys::Env,
        length: jint,
        list: *const jobject,
        max_frames: jint,
        infos: *mut *mut jvmtiStackInfo,
    ) -> sys::Error {
        if length == 1 {
            return sys::Error::THREAD_NOT_ALIVE;
        }
        // SAFETY: the caller's promise.
        unsafe { get_thread_list_stack_traces(env, length, list, max_frames, infos) }
    }
    let fake = Fake::new(|table| table.GetThreadListStackTraces = Some(picky));
    let thread = [object(0x20)];
    let infos = fake.env().thread_list_stack_traces(&thread, 8).unwrap();
    assert_eq!(decode(&infos), [(0x20, 2, vec![(0x100, 3)])]);
}

#[test]
fn a_platform_thread_may_be_alone_in_its_list() {
    let (stacks, arguments) = every_way(
        "GetThreadListStackTraces",
        |table| table.GetThreadListStackTraces = Some(get_thread_list_stack_traces),
        |env| {
            let thread = object(0x20);
            // SAFETY: the fake table knows no virtual threads.
            unsafe { env.platform_stack_trace(&thread, 8) }.map(|infos| decode(&infos))
        },
    );
    assert_eq!(arguments, [1, 8]);
    assert_eq!(stacks, [(0x20, 2, vec![(0x100, 3)])]);
    let fake =
        Fake::new(|table| table.GetThreadListStackTraces = Some(get_thread_list_stack_traces));
    let null = object(0);
    // SAFETY: as above.
    let error = unsafe { fake.env().platform_stack_trace(&null, 8) }.map(|_| ());
    assert_eq!(
        error.map_err(|error| error.code),
        Err(sys::Error::INVALID_THREAD)
    );
    assert_eq!(fake.calls(), []);
}

#[test]
fn the_threads_of_a_list_are_the_references_of_the_list() {
    unsafe extern "system" fn others(
        _env: *mut sys::Env,
        _length: jint,
        _list: *const jobject,
        _max_frames: jint,
        infos: *mut *mut jvmtiStackInfo,
    ) -> sys::Error {
        // SAFETY: the layer under test lends a place for the block.
        unsafe { *infos = stacks(&[(0xBAD, 5, &[])]) };
        sys::Error::NONE
    }
    let fake = Fake::new(|table| table.GetThreadListStackTraces = Some(others));
    let thread = [object(0x20)];
    let infos = fake.env().thread_list_stack_traces(&thread, 8).unwrap();
    assert_eq!(decode(&infos), [(0x20, 5, vec![])]);
}

#[test]
fn a_list_with_a_null_does_not_reach_the_vm() {
    let fake =
        Fake::new(|table| table.GetThreadListStackTraces = Some(get_thread_list_stack_traces));
    let threads = [object(0x20), object(0)];
    let error = fake.env().thread_list_stack_traces(&threads, 8);
    assert_eq!(
        error.map(|_| ()),
        Err(Error::new(
            "GetThreadListStackTraces",
            sys::Error::INVALID_THREAD
        ))
    );
    assert_eq!(fake.calls(), []);
}

/// With so many threads, `u32::MAX` frames for each are more than there are addresses.
const MANY: usize = 1 << 16;

#[test]
fn more_frames_of_a_list_than_memory_holds_do_not_reach_the_vm() {
    let fake =
        Fake::new(|table| table.GetThreadListStackTraces = Some(get_thread_list_stack_traces));
    let threads: Vec<_> = (0..MANY).map(|_| object(0x20)).collect();
    let infos = fake.env().thread_list_stack_traces(&threads, u32::MAX);
    assert_eq!(
        infos.map(|_| ()),
        Err(Error::new(
            "GetThreadListStackTraces",
            sys::Error::OUT_OF_MEMORY
        ))
    );
    assert_eq!(fake.calls(), []);
}

#[test]
fn more_frames_of_all_than_memory_holds_do_not_reach_the_vm_and_leave_no_reference() {
    slot!(GetAllThreads() -> (
        count: jint = MANY as jint,
        threads: *mut jobject = array(&[raw(0x10); MANY])
    ));
    with_jni(|jni| {
        let fake = Fake::new(|table| {
            table.GetAllThreads = Some(GetAllThreads);
            table.GetAllStackTraces = Some(GetAllStackTraces);
        });
        let before = deleted();
        let infos = fake.env().all_stack_traces(jni, u32::MAX);
        assert_eq!(
            infos.map(|_| ()),
            Err(Error::new("GetAllStackTraces", sys::Error::OUT_OF_MEMORY))
        );
        assert_eq!(deleted() - before, MANY);
        let calls = fake.calls();
        assert!(calls.iter().all(|(name, _)| *name != "GetAllStackTraces"));
    });
}

slot!(GetFrameCount(thread: jobject) -> (count: jint = 12));

#[test]
fn frame_count_is_the_depth_of_the_stack() {
    let result = every_way(
        "GetFrameCount",
        |table| table.GetFrameCount = Some(GetFrameCount),
        |env| env.frame_count(None),
    );
    assert_eq!(result, (12, vec![0]));
}

#[test]
fn frame_count_of_another_thread_asks_for_it_where_that_is_safe() {
    slot!(GetVersionNumber() -> (version: jint = 0x3013_0000));
    let fake = Fake::new(|table| {
        table.GetVersionNumber = Some(GetVersionNumber);
        table.GetFrameCount = Some(GetFrameCount);
    });
    assert_eq!(fake.env().frame_count(Some(&object(0x10))), Ok(12));
    assert_eq!(fake.calls()[1], ("GetFrameCount", vec![0x10]));
}

#[test]
fn frame_count_of_another_thread_is_counted_before_jdk_19() {
    slot!(GetVersionNumber() -> (version: jint = 0x3012_0000));
    unsafe extern "system" fn deep(
        env: *mut sys::Env,
        thread: jobject,
        start: jint,
        room: jint,
        _frames: *mut jvmtiFrameInfo,
        count: *mut jint,
    ) -> sys::Error {
        enter(env, "GetStackTrace", vec![thread.bits(), start.bits()]);
        // SAFETY: the layer under test lends a place for the count.
        unsafe { *count = room.min(5_000) };
        sys::Error::NONE
    }
    let fake = Fake::new(|table| {
        table.GetVersionNumber = Some(GetVersionNumber);
        table.GetStackTrace = Some(deep);
    });
    assert_eq!(fake.env().frame_count(Some(&object(0x10))), Ok(5_000));
    let calls = fake.calls();
    assert_eq!(calls.len(), 4, "the version, and three looks");
    assert_eq!(calls[3], ("GetStackTrace", vec![0x10, 0]));
    let bare = Fake::new(|table| table.GetVersionNumber = Some(GetVersionNumber));
    assert_eq!(
        bare.env().frame_count(Some(&object(0x10))),
        Err(Error::new("GetFrameCount", sys::Error::NOT_AVAILABLE))
    );
}

slot!(GetFrameLocation(thread: jobject, depth: jint) -> (
    method: jmethodID = crate::fake::method(0x77),
    location: jlong = -1
));

#[test]
fn frame_location_is_method_and_index() {
    let (frame, arguments) = every_way(
        "GetFrameLocation",
        |table| table.GetFrameLocation = Some(GetFrameLocation),
        |env| {
            env.frame_location(None, 4)
                .map(|frame| (frame.method.as_raw() as usize, frame.location))
        },
    );
    assert_eq!(arguments, [0, 4]);
    assert_eq!(frame, (0x77, -1));
}

slot!(PopFrame(thread: jobject) -> ());

#[test]
fn pop_frame_names_its_thread() {
    let ((), arguments) = every_way(
        "PopFrame",
        |table| table.PopFrame = Some(PopFrame),
        // SAFETY: the paper VM has no frames.
        |env| unsafe { env.pop_frame(&object(0x10)) },
    );
    assert_eq!(arguments, [0x10]);
}

slot!(ForceEarlyReturnObject(thread: jobject, value: jobject) -> ());
slot!(ForceEarlyReturnInt(thread: jobject, value: jint) -> ());
slot!(ForceEarlyReturnLong(thread: jobject, value: jlong) -> ());
slot!(ForceEarlyReturnFloat(thread: jobject, value: jfloat) -> ());
slot!(ForceEarlyReturnDouble(thread: jobject, value: jdouble) -> ());
slot!(ForceEarlyReturnVoid(thread: jobject) -> ());

#[test]
fn force_early_return_object_takes_a_reference() {
    let ((), arguments) = every_way(
        "ForceEarlyReturnObject",
        |table| table.ForceEarlyReturnObject = Some(ForceEarlyReturnObject),
        |env| {
            let value = object::<JObject<'_>>(0x20);
            // SAFETY: the paper VM has no frames.
            unsafe { env.force_early_return_object(Some(&object(0x10)), Some(&value)) }
        },
    );
    assert_eq!(arguments, [0x10, 0x20]);
}

#[test]
fn force_early_return_object_takes_none_for_null() {
    let fake = Fake::new(|table| table.ForceEarlyReturnObject = Some(ForceEarlyReturnObject));
    // SAFETY: the paper VM has no frames.
    unsafe { fake.env().force_early_return_object(None, None) }.unwrap();
    assert_eq!(fake.calls(), [("ForceEarlyReturnObject", vec![0, 0])]);
}

#[test]
fn force_early_return_int_keeps_its_sign() {
    let ((), arguments) = every_way(
        "ForceEarlyReturnInt",
        |table| table.ForceEarlyReturnInt = Some(ForceEarlyReturnInt),
        // SAFETY: the paper VM has no frames.
        |env| unsafe { env.force_early_return_int(Some(&object(0x10)), i32::MIN) },
    );
    assert_eq!(arguments, [0x10, i32::MIN.into()]);
}

#[test]
fn force_early_return_long_keeps_both_halves() {
    let ((), arguments) = every_way(
        "ForceEarlyReturnLong",
        |table| table.ForceEarlyReturnLong = Some(ForceEarlyReturnLong),
        // SAFETY: the paper VM has no frames.
        |env| unsafe { env.force_early_return_long(Some(&object(0x10)), i64::MIN + 1) },
    );
    assert_eq!(arguments, [0x10, i64::MIN + 1]);
}

#[test]
fn force_early_return_float_keeps_its_bits() {
    const FLOAT: u32 = 0x7FC0_1234;
    let ((), arguments) = every_way(
        "ForceEarlyReturnFloat",
        |table| table.ForceEarlyReturnFloat = Some(ForceEarlyReturnFloat),
        // SAFETY: the paper VM has no frames.
        |env| unsafe { env.force_early_return_float(Some(&object(0x10)), f32::from_bits(FLOAT)) },
    );
    assert_eq!(arguments, [0x10, FLOAT.into()]);
}

#[test]
fn force_early_return_double_keeps_its_bits() {
    const DOUBLE: i64 = 0x7FF8_0000_1234_5678;
    let ((), arguments) = every_way(
        "ForceEarlyReturnDouble",
        |table| table.ForceEarlyReturnDouble = Some(ForceEarlyReturnDouble),
        |env| {
            let value = f64::from_bits(DOUBLE.cast_unsigned());
            // SAFETY: the paper VM has no frames.
            unsafe { env.force_early_return_double(Some(&object(0x10)), value) }
        },
    );
    assert_eq!(arguments, [0x10, DOUBLE]);
}

#[test]
fn force_early_return_void_returns_nothing() {
    let ((), arguments) = every_way(
        "ForceEarlyReturnVoid",
        |table| table.ForceEarlyReturnVoid = Some(ForceEarlyReturnVoid),
        // SAFETY: the paper VM has no frames.
        |env| unsafe { env.force_early_return_void(Some(&object(0x10))) },
    );
    assert_eq!(arguments, [0x10]);
}

slot!(NotifyFramePop(thread: jobject, depth: jint) -> ());
slot!(ClearAllFramePops(thread: jobject) -> ());

#[test]
fn notify_frame_pop_names_a_frame() {
    let ((), arguments) = every_way(
        "NotifyFramePop",
        |table| table.NotifyFramePop = Some(NotifyFramePop),
        |env| env.notify_frame_pop(Some(&object(0x10)), u32::MAX),
    );
    assert_eq!(arguments, [0x10, i32::MAX.into()]);
}

#[test]
fn clear_all_frame_pops_names_its_thread() {
    let ((), arguments) = every_way(
        "ClearAllFramePops",
        |table| table.ClearAllFramePops = Some(ClearAllFramePops),
        |env| env.clear_all_frame_pops(Some(&object(0x10))),
    );
    assert_eq!(arguments, [0x10]);
}
