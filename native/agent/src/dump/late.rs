//! Nothing is asked once the threads run again.

use std::cell::Cell;
use std::iter;
use std::ptr::{self, NonNull};
use std::time::{Duration, Instant};

use jni::objects::{JObject, JThread};
use jni::sys::{jint, jobject};
use jvmti::sys::{self, ThreadState};
use jvmti::{FrameInfo, MethodId};

use super::locks::Limits;
use super::stacks::{Stack, deepened};
use super::{locals, locks, owners};
use crate::environment::gate::{self, Inside, Me};
use crate::environment::handles;
use crate::thread::paper::with_jni;
use crate::vm::capacity::Room;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

fn asked() -> sys::Error {
    ASKED.set(ASKED.get() + 1);
    sys::Error::OUT_OF_MEMORY
}

unsafe extern "system" fn hash(_: *mut sys::Env, object: jobject, hash: *mut jint) -> sys::Error {
    // SAFETY: the layer lends a place for it.
    unsafe { *hash = i32::try_from(object.addr()).unwrap() };
    sys::Error::NONE
}

unsafe extern "system" fn usage(
    _: *mut sys::Env,
    _: jobject,
    _: *mut sys::jvmtiMonitorUsage,
) -> sys::Error {
    asked()
}

unsafe extern "system" fn contended(_: *mut sys::Env, _: jobject, _: *mut jobject) -> sys::Error {
    asked()
}

unsafe extern "system" fn variables(
    _: *mut sys::Env,
    _: jni::sys::jmethodID,
    _: *mut jint,
    _: *mut *mut sys::jvmtiLocalVariableEntry,
) -> sys::Error {
    asked()
}

unsafe extern "system" fn trace(
    _: *mut sys::Env,
    _: jobject,
    _: jint,
    _: jint,
    _: *mut sys::jvmtiFrameInfo,
    _: *mut jint,
) -> sys::Error {
    asked()
}

fn inside() -> Inside {
    let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
        GetObjectHashCode: Some(hash),
        GetObjectMonitorUsage: Some(usage),
        GetCurrentContendedMonitor: Some(contended),
        GetLocalVariableTable: Some(variables),
        GetStackTrace: Some(trace),
        ..sys::FunctionTable::default()
    }));
    let cell: &'static mut sys::Env = Box::leak(Box::new(table));
    // SAFETY: leaked, and its table answers what is asked here.
    let env = unsafe { jvmti::OwnedEnv::from_raw(NonNull::from(cell)) };
    let handle = handles::publish(env.leak(), None).unwrap();
    let me = Me::new(ptr::without_provenance_mut(0x10));
    gate::enter(me, handle.cast_signed()).unwrap()
}

#[test]
fn nothing_is_asked_after_the_deadline() {
    let now = Instant::now();
    for (deadline, is_late) in [
        (now - Duration::from_millis(1), true),
        (now + Duration::from_secs(3600), false),
    ] {
        let limits = Limits {
            deadline: Some(deadline),
            listed_frames: 1024,
        };
        let env = inside();
        // SAFETY: the paper VM looks at no method.
        let method = unsafe { MethodId::from_raw(ptr::null_mut()) };
        let stacks = [Stack {
            state: ThreadState::BLOCKED_ON_MONITOR_ENTER,
            frames: vec![FrameInfo {
                method,
                location: 0,
            }],
        }];
        with_jni(|jni| {
            let room = &mut Room::default();
            // SAFETY: the paper VM looks at no reference.
            let thread = unsafe { JThread::from_raw(jni, ptr::without_provenance_mut(5)) };
            // SAFETY: as above.
            let monitor = unsafe { JObject::from_raw(jni, ptr::without_provenance_mut(7)) };
            let (threads, wanted) = ([thread], [Some(monitor)]);
            let expect = |what: &str, late: Option<bool>| {
                assert_eq!(ASKED.take(), usize::from(!is_late), "{what}");
                assert!(!is_late || late == Some(true), "{what}");
            };
            let owners = owners::read(jni, room, &env, &wanted, &stacks, iter::empty(), &limits);
            expect("owners", owners.ok().map(|all| all.is_none()));
            let all = locks::contended(jni, room, &env, &threads, &stacks, &limits);
            expect("contended monitors", all.ok().map(|all| all.is_none()));
            let results = [sys::Error::NONE];
            let all = locals::read(jni, room, &env, &threads, &stacks, &results, &limits);
            expect("local variables", all.ok().map(|all| all.is_none()));
            let deep = [Stack {
                state: ThreadState::ALIVE,
                frames: vec![stacks[0].frames[0]; super::stacks::USUAL_DEPTH],
            }];
            let all = deepened(&env, &threads, deep.into(), &limits);
            expect("deep stacks", all.ok().map(|all| all.is_none()));
        });
    }
}
