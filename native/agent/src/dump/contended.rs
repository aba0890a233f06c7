//! The monitor that each thread waits for: to enter it, or in `Object.wait` to be notified on it.
//!
//! Since 21 the VM goes through all threads each time it is asked for one thread's. So who waits for a
//! monitor for which others wait is told by the monitor, all of them at once.

use std::collections::HashMap;

use jni::objects::{JObject, JThread};
use jni::{Env, jni_sig, jni_str};
use jvmti::MethodId;
use jvmti::sys::{Capability, ThreadState};

use super::limits::{Forecast, Limits};
use super::parts::Parts;
use super::stacks::Stack;
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::transition::moves;
use crate::thread::virtual_thread::is_virtual_here;
use crate::vm::capacity::Room;
use crate::vm::image;
use crate::vm::jdk::{JdkMethod, OBJECT};

/// From here on the VM does not tell what a thread in `Object.wait` waits on: the receiver of the frame is it.
const SILENT: i32 = 23;

/// What calls the native method in which a thread waits.
static WAIT: JdkMethod = JdkMethod::new(&OBJECT, jni_str!("wait"), jni_sig!((jlong) -> void));

/// A monitor, or none, for each thread.
pub(super) type Contended<'l> = Vec<Option<JObject<'l>>>;

/// Looks up what [`read`] needs, which may take Java: before threads stand still.
pub(super) fn find(jni: &mut Env<'_>) -> Outcome<MethodId> {
    Ok(WAIT.id(jni)?.into())
}

/// The monitor that each thread waits for; none of a thread that has ended, or that the VM cannot be asked for. Nothing at all once it is seen that the
/// last one would be asked after the deadline; while threads go on, of some.
pub(super) fn read<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    env: &Inside,
    wait: MethodId,
    threads: &[JThread<'l>],
    stacks: &[Stack],
    limits: &Limits,
) -> Outcome<Option<Contended<'l>>> {
    let feature = image::feature(env)?;
    let is_silent = feature >= SILENT;
    let held = env.capabilities()?;
    let tells_receivers = held.contains(Capability::CAN_ACCESS_LOCAL_VARIABLES);
    let by_monitor = held.contains(Capability::CAN_GET_MONITOR_INFO);
    let waits =
        |stack: &&Stack| blocked(stack) || stack.state.contains(ThreadState::IN_OBJECT_WAIT);
    let forecast = Forecast::of(limits, stacks.iter().filter(waits).count());
    let mut found: Contended<'_> = threads.iter().map(|_| None).collect();
    let mut crowds = Crowds::default();
    let mut done = 0;
    for (row, (thread, stack)) in threads.iter().zip(stacks).enumerate() {
        if !waits(&stack) {
            continue;
        }
        if forecast.is_late(done) {
            if limits.give_up(Parts::CONTENDED) {
                return Ok(None);
            }
            break;
        }
        done += 1;
        let moves = !stack.state.contains(ThreadState::SUSPENDED) && moves(jni, feature, thread);
        if moves || found[row].is_some() {
            continue;
        }
        if blocked(stack) || !is_silent {
            found[row] = env
                .current_contended_monitor(jni, Some(thread))
                .unwrap_or_default();
        } else if tells_receivers {
            let is_virtual = is_virtual_here(jni, feature, thread);
            if let Some(depth) = waiting_frame(env, wait, thread, stack, is_virtual) {
                found[row] = env
                    .local_instance(jni, Some(thread), depth)
                    .unwrap_or_default();
            }
        }
        room.made(jni, 1)?;
        if blocked(stack) && by_monitor {
            crowds.look(jni, room, env, threads, stacks, &mut found, row)?;
        }
    }
    Ok(Some(found))
}

/// The frame whose receiver a thread waits on: the native one on top; of a virtual thread, which may be on no stack then,
/// the one that has called it.
fn waiting_frame(
    env: &Inside,
    wait: MethodId,
    thread: &JThread<'_>,
    stack: &Stack,
    is_virtual: bool,
) -> Option<u32> {
    stack.frames.first().filter(|top| top.location < 0)?;
    if !is_virtual {
        return Some(0);
    }
    let caller = match stack.frames.get(1) {
        Some(caller) => *caller,
        // A dump may have one frame of each.
        None => env.frame_location(Some(thread), 1).ok()?,
    };
    (caller.method == wait).then_some(1)
}

fn blocked(stack: &Stack) -> bool {
    stack.state.contains(ThreadState::BLOCKED_ON_MONITOR_ENTER)
}

/// The monitors that were seen, and who may wait for them.
#[derive(Default)]
struct Crowds {
    /// The first row of each, by hash code, and whether it has been asked for all its own.
    seen: HashMap<i32, Vec<(usize, bool)>>,
    /// The rows of threads that are blocked, by hash code: once they are needed.
    blocked: Option<HashMap<i32, Vec<usize>>>,
}

impl Crowds {
    /// Has the monitor of `row` tell all who wait for it, if it is the second one's.
    #[allow(clippy::too_many_arguments, reason = "what the reading is made of")]
    fn look<'l>(
        &mut self,
        jni: &mut Env<'l>,
        room: &mut Room,
        env: &Inside,
        threads: &[JThread<'l>],
        stacks: &[Stack],
        found: &mut Contended<'l>,
        row: usize,
    ) -> Outcome<()> {
        let Some(monitor) = found[row].as_ref() else {
            return Ok(());
        };
        let alike = self.seen.entry(env.object_hash_code(monitor)?).or_default();
        let mut first = None;
        for one in alike.iter_mut() {
            if let Some(other) = &found[one.0]
                && jni.is_same_object(other, monitor)?
            {
                first = Some(one);
                break;
            }
        }
        match first {
            None => alike.push((row, false)),
            Some((_, true)) => {}
            Some((_, asked)) => {
                *asked = true;
                let usage = env.object_monitor_usage(jni, monitor)?;
                room.made(jni, 1 + usage.waiters.len() + usage.notify_waiters.len())?;
                let monitor = jni.new_local_ref(monitor)?;
                for waiter in &usage.waiters {
                    if let Some(row) = self.row(jni, env, threads, stacks, waiter)?
                        && found[row].is_none()
                    {
                        room.made(jni, 1)?;
                        found[row] = Some(jni.new_local_ref(&monitor)?);
                    }
                }
            }
        }
        Ok(())
    }

    fn row(
        &mut self,
        jni: &Env<'_>,
        env: &Inside,
        threads: &[JThread<'_>],
        stacks: &[Stack],
        waiter: &JThread<'_>,
    ) -> Outcome<Option<usize>> {
        if self.blocked.is_none() {
            let mut rows: HashMap<i32, Vec<usize>> = HashMap::new();
            for (row, (thread, stack)) in threads.iter().zip(stacks).enumerate() {
                if blocked(stack) {
                    rows.entry(env.object_hash_code(thread)?)
                        .or_default()
                        .push(row);
                }
            }
            self.blocked = Some(rows);
        }
        let hash = env.object_hash_code(waiter)?;
        for &row in self
            .blocked
            .iter()
            .flat_map(|rows| rows.get(&hash))
            .flatten()
        {
            if jni.is_same_object(&threads[row], waiter)? {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::ptr::{self, NonNull};
    use std::time::Duration;

    use jni::objects::{JObject, JThread};
    use jni::sys::{jint, jobject};
    use jvmti::MethodId;
    use jvmti::sys::{self, Capabilities, Capability, ThreadState};

    use super::super::limits::Limits;
    use super::{Stack, read};
    use crate::environment::gate::{self, Inside, Me};
    use crate::environment::handles;
    use crate::vm::capacity::Room;
    use crate::vm::paper::with_jni;

    const MONITOR: usize = 0x100;
    const THREADS: usize = 10;
    /// The VM lists every thread but this one.
    const UNLISTED: usize = 4;

    thread_local! {
        static THREADS_ASKED: Cell<usize> = const { Cell::new(0) };
        static MONITORS_ASKED: Cell<usize> = const { Cell::new(0) };
    }

    unsafe extern "system" fn hash(
        _: *mut sys::Env,
        object: jobject,
        hash: *mut jint,
    ) -> sys::Error {
        // SAFETY: the layer lends a place for it. Some have the same.
        unsafe { *hash = i32::try_from(object.addr() % 3).unwrap() };
        sys::Error::NONE
    }

    unsafe extern "system" fn version(_: *mut sys::Env, version: *mut jint) -> sys::Error {
        // SAFETY: the layer lends a place for it.
        unsafe { *version = 0x3011_0000 };
        sys::Error::NONE
    }

    unsafe extern "system" fn capabilities(
        _: *mut sys::Env,
        held: *mut Capabilities,
    ) -> sys::Error {
        // SAFETY: the layer lends a place for it.
        unsafe { *held = Capabilities::from_iter([Capability::CAN_GET_MONITOR_INFO]) };
        sys::Error::NONE
    }

    unsafe extern "system" fn contended(
        _: *mut sys::Env,
        _: jobject,
        monitor: *mut jobject,
    ) -> sys::Error {
        THREADS_ASKED.set(THREADS_ASKED.get() + 1);
        // SAFETY: the layer lends a place for it.
        unsafe { *monitor = ptr::without_provenance_mut(MONITOR) };
        sys::Error::NONE
    }

    unsafe extern "system" fn usage(
        _: *mut sys::Env,
        _: jobject,
        usage: *mut sys::jvmtiMonitorUsage,
    ) -> sys::Error {
        MONITORS_ASKED.set(MONITORS_ASKED.get() + 1);
        let rows = (0..THREADS).filter(|row| *row != UNLISTED);
        let mut waiters: Vec<jobject> = rows.map(raw_thread).collect();
        let count = waiters.len() as jint;
        // SAFETY: the layer lends a place for it, and gives the list to `deallocate`.
        unsafe {
            *usage = sys::jvmtiMonitorUsage {
                owner: ptr::null_mut(),
                entry_count: 0,
                waiter_count: count,
                waiters: waiters.as_mut_ptr(),
                notify_waiter_count: 0,
                notify_waiters: ptr::null_mut(),
            };
        }
        waiters.leak();
        sys::Error::NONE
    }

    unsafe extern "system" fn deallocate(_: *mut sys::Env, _: *mut u8) -> sys::Error {
        sys::Error::NONE
    }

    fn raw_thread(row: usize) -> jobject {
        ptr::without_provenance_mut(0x10 + row)
    }

    fn inside() -> Inside {
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
            GetObjectHashCode: Some(hash),
            GetVersionNumber: Some(version),
            GetCapabilities: Some(capabilities),
            GetObjectMonitorUsage: Some(usage),
            GetCurrentContendedMonitor: Some(contended),
            Deallocate: Some(deallocate),
            ..sys::FunctionTable::default()
        }));
        let cell: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and its table answers what is asked here.
        let env = unsafe { jvmti::OwnedEnv::from_raw(NonNull::from(cell)) };
        let handle = handles::publish(env.leak(), None).unwrap();
        gate::enter(
            Me::new(ptr::without_provenance_mut(0x20)),
            handle.cast_signed(),
        )
        .unwrap()
    }

    #[test]
    fn a_monitor_that_many_wait_for_is_asked_once() {
        let env = inside();
        let limits = Limits {
            deadline: None,
            patience: Duration::MAX,
            late: Cell::new(0),
            listed_frames: 1024,
            depth: usize::MAX,
            are_chosen: false,
        };
        let stacks: Vec<Stack> = (0..THREADS)
            .map(|_| Stack {
                state: ThreadState::BLOCKED_ON_MONITOR_ENTER,
                frames: Vec::new(),
            })
            .collect();
        with_jni(|jni| {
            let threads: Vec<JThread<'_>> = (0..THREADS)
                // SAFETY: the paper VM looks at no reference.
                .map(|row| unsafe { JThread::from_raw(jni, raw_thread(row)) })
                .collect();
            let room = &mut Room::default();
            let found = read(jni, room, &env, MethodId::NONE, &threads, &stacks, &limits)
                .unwrap()
                .unwrap();
            let all_wait = |one: &Option<JObject<'_>>| {
                one.as_ref()
                    .is_some_and(|one| one.as_raw().addr() == MONITOR)
            };
            assert!(found.len() == THREADS && found.iter().all(all_wait));
        });
        // The first two show that it is the same, and one is not listed.
        assert_eq!(THREADS_ASKED.take(), 3);
        assert_eq!(MONITORS_ASKED.take(), 1);
    }
}
