//! What a thread dump is made of, read in one go: while threads stand still, no Java runs here that
//! could need something of theirs.

mod contended;
mod hosts;
mod limits;
mod locals;
mod lockers;
mod locks;
mod owners;
mod parts;
mod stacks;
mod still;
pub(crate) mod virtual_threads;

use std::cell::Cell;
use std::time::Duration;

use jni::Env;
use jni::ids::JFieldID;
use jni::objects::{JObject, JThread};
use jvmti::MethodId;
use jvmti::sys::{Error, ThreadState};

pub(crate) use hosts::Host;
pub(crate) use locals::Local;
pub(crate) use locks::{Blocker, Owned};
pub(crate) use parts::Parts;
pub(crate) use stacks::Stack;

use self::limits::Limits;
use self::lockers::Lockers;
use self::still::Still;
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::native_thread::{self, NativeThread};
use crate::thread::suspension::Extent;
use crate::thread::virtual_thread::is_virtual;
use crate::thread::watchdog;
use crate::vm::capacity::Room;
use crate::vm::steward;

/// What is asked for.
pub(crate) struct Wanted {
    pub(crate) parts: Parts,
    /// From which depth on the VM lists no monitors.
    pub(crate) listed_frames: usize,
    /// How many frames of each thread.
    pub(crate) depth: usize,
    /// For how long threads stand still, or each part that costs is asked for while they go on.
    pub(crate) patience: Duration,
}

/// Everything that was read. Each list has an element for each thread; one that was not asked for,
/// or that takes threads that stand still, is not there.
#[derive(Default)]
pub(crate) struct Dump<'l> {
    pub(crate) threads: Vec<JThread<'l>>,
    pub(crate) stacks: Vec<Stack>,
    pub(crate) suspended: Option<Vec<Error>>,
    pub(crate) cpu_nanos: Option<Vec<i64>>,
    pub(crate) contended: Option<Vec<Option<JObject<'l>>>>,
    /// Who owns those that are not among `monitors`.
    pub(crate) contended_owners: Option<Vec<Option<JThread<'l>>>>,
    pub(crate) monitors: Option<Vec<Owned<'l>>>,
    pub(crate) blockers: Vec<Blocker<'l>>,
    pub(crate) locals: Option<Vec<Local<'l>>>,
    pub(crate) hosts: Option<Vec<Host<'l>>>,
    pub(crate) natives: Option<Vec<Option<NativeThread>>>,
    pub(crate) has_ages: bool,
    /// Parts for which there was no time to ask all threads.
    pub(crate) late: i32,
    /// It took too long, or would: the threads ran again before everything was read.
    pub(crate) expired: bool,
}

/// Reads all platform threads, unless some are chosen, and those that are passed.
pub(crate) fn collect<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    [env, metadata]: [&Inside; 2],
    passed: Vec<JThread<'l>>,
    wanted: &Wanted,
) -> Outcome<Dump<'l>> {
    let fields = Fields {
        locks: locks::Fields::find(jni)?,
        container: hosts::find(jni)?,
        wait: contended::find(jni)?,
    };
    let mut dump = if wanted.parts.has(Parts::SUSPEND) {
        collect_still(jni, room, [env, metadata], &fields, passed, wanted)?
    } else {
        let threads = all_wanted(jni, room, env, passed, wanted)?;
        let dump = read(jni, room, [env, metadata], &fields, threads, None, wanted)?;
        dump.unwrap_or_default()
    };
    // These do not change while a thread lives: nobody need stand still for them.
    let has_ages = wanted.parts.has(Parts::AGES);
    if let Some(natives) = dump.natives.as_mut().filter(|_| has_ages) {
        native_thread::add_ages(jni, env, &dump.threads, natives)?;
    }
    Ok(Dump { has_ages, ..dump })
}

/// Where the class library keeps things, found before anybody stands still.
struct Fields {
    locks: locks::Fields,
    container: Option<JFieldID>,
    wait: MethodId,
}

fn collect_still<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    [env, metadata]: [&Inside; 2],
    fields: &Fields,
    passed: Vec<JThread<'l>>,
    wanted: &Wanted,
) -> Outcome<Dump<'l>> {
    // First our own, which are threads too.
    watchdog::thread()?;
    steward::thread()?;
    let threads = all_wanted(jni, room, env, passed, wanted)?;
    let extent = match wanted.parts.has(Parts::CHOSEN) {
        true => Extent::Some,
        false => Extent::Standstill,
    };
    let nanos = i64::try_from(wanted.patience.as_nanos()).unwrap_or(i64::MAX);
    let still = Still::begin(jni, room, env, &threads, nanos, extent)?;
    let dump = read(
        jni,
        room,
        [env, metadata],
        fields,
        threads,
        Some(&still),
        wanted,
    );
    let in_time = still.end(jni)?;
    let dump = dump?;
    let expired = !in_time || dump.is_none();
    Ok(Dump {
        expired,
        ..dump.unwrap_or_default()
    })
}

fn all_wanted<'l>(
    jni: &Env<'l>,
    room: &mut Room,
    env: &Inside,
    passed: Vec<JThread<'l>>,
    wanted: &Wanted,
) -> Outcome<Vec<JThread<'l>>> {
    if wanted.parts.has(Parts::CHOSEN) {
        return Ok(passed);
    }
    let mut threads = env.all_threads(jni)?;
    room.made(jni, threads.len())?;
    threads.extend(passed);
    Ok(threads)
}

/// None: the threads cannot stand still for as long as it would take.
fn read<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    [env, metadata]: [&Inside; 2],
    fields: &Fields,
    threads: Vec<JThread<'l>>,
    still: Option<&Still>,
    wanted: &Wanted,
) -> Outcome<Option<Dump<'l>>> {
    let parts = wanted.parts;
    let limits = Limits {
        deadline: still.map(|still| still.deadline),
        patience: wanted.patience,
        late: Cell::new(0),
        listed_frames: wanted.listed_frames,
        depth: wanted.depth,
        are_chosen: parts.has(Parts::CHOSEN),
    };
    let Some(mut stacks) = stacks::read(jni, room, env, &threads, &limits)? else {
        return Ok(None);
    };
    let mut contended = None;
    if parts.has(Parts::CONTENDED) {
        contended = contended::read(jni, room, env, fields.wait, &threads, &stacks, &limits)?;
        if contended.is_none() {
            return Ok(None);
        }
    }
    let mut monitors = None;
    if parts.has(Parts::MONITORS) {
        let lockers = &mut Lockers::new(metadata);
        monitors = locks::monitors(jni, room, env, lockers, &threads, &stacks, &limits)?;
        if monitors.is_none() {
            return Ok(None);
        }
    }
    let mut contended_owners = None;
    if let Some(contended) = contended.as_ref().filter(|_| parts.has(Parts::OWNERS)) {
        let told = monitors.iter().flatten().flat_map(Owned::listed);
        let told = told.map(|one| &one.monitor);
        contended_owners = owners::read(jni, room, env, contended, &stacks, told, &limits)?;
        if contended_owners.is_none() {
            return Ok(None);
        }
    }
    let blockers = locks::blockers(jni, room, &fields.locks, &threads)?;
    let hosts = hosts::read(jni, room, fields.container, &threads)?;
    let mut locals = None;
    if let Some(still) = still.filter(|_| parts.has(Parts::LOCALS)) {
        let until = limits.half_of_the_rest();
        let results = &still.results;
        locals = locals::read(jni, room, env, &threads, &stacks, results, &limits, until)?;
        if locals.is_none() {
            return Ok(None);
        }
    }
    let suspended = match still {
        Some(still) => Some(still.results_at_the_end(jni, room, env, &threads, &stacks, &limits)?),
        None => None,
    };
    let natives = native_thread::all(jni, env, &threads)?;
    let cpu_nanos = match parts.has(Parts::CPU) {
        true => Some(cpu_nanos(jni, env, &threads, natives.as_deref())?),
        false => None,
    };
    let suspensions = still.iter().flat_map(|still| &still.results);
    for (stack, result) in stacks.iter_mut().zip(suspensions) {
        if *result == Error::NONE {
            // That is the dump's own doing.
            stack.state.remove(ThreadState::SUSPENDED);
        }
    }
    Ok(Some(Dump {
        threads,
        stacks,
        suspended,
        cpu_nanos,
        contended,
        contended_owners,
        monitors,
        blockers,
        locals,
        hosts,
        natives,
        has_ages: false,
        late: limits.late.get(),
        expired: false,
    }))
}

fn cpu_nanos(
    jni: &mut Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
    natives: Option<&[Option<NativeThread>]>,
) -> Outcome<Vec<i64>> {
    /// Of a thread that has ended, or that is virtual.
    const UNKNOWN: i64 = -1;
    let told = match natives {
        Some(natives) => native_thread::cpu_nanos(jni, env, threads, natives)?,
        None => vec![None; threads.len()],
    };
    let time = |(thread, told): (_, Option<i64>)| match told {
        Some(nanos) => Ok(nanos),
        None if is_virtual(jni, thread)? => Ok(UNKNOWN),
        None => Ok(env.thread_cpu_time(Some(thread)).unwrap_or(UNKNOWN)),
    };
    threads.iter().zip(told).map(time).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::iter;
    use std::ptr::{self, NonNull};
    use std::time::{Duration, Instant};

    use jni::Env;
    use jni::objects::{JObject, JThread};
    use jni::sys::{jint, jobject};
    use jvmti::sys::{self, ThreadState};
    use jvmti::{FrameInfo, MethodId};

    use super::limits::Limits;
    use super::lockers::Lockers;
    use super::stacks::{Stack, deepened};
    use super::{Owned, Parts, contended, locals, locks, owners, stacks};
    use crate::environment::gate::{self, Inside, Me};
    use crate::environment::handles;
    use crate::vm::capacity::Room;
    use crate::vm::paper::with_jni;

    thread_local! {
        static ASKED: Cell<usize> = const { Cell::new(0) };
    }

    fn asked() -> sys::Error {
        ASKED.set(ASKED.get() + 1);
        sys::Error::OUT_OF_MEMORY
    }

    unsafe extern "system" fn hash(
        _: *mut sys::Env,
        object: jobject,
        hash: *mut jint,
    ) -> sys::Error {
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

    unsafe extern "system" fn contended_monitor(
        _: *mut sys::Env,
        _: jobject,
        _: *mut jobject,
    ) -> sys::Error {
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

    unsafe extern "system" fn version(_: *mut sys::Env, version: *mut jint) -> sys::Error {
        // SAFETY: the layer lends a place for it.
        unsafe { *version = 0x3011_0000 };
        sys::Error::NONE
    }

    unsafe extern "system" fn capabilities(
        _: *mut sys::Env,
        capabilities: *mut sys::Capabilities,
    ) -> sys::Error {
        // SAFETY: the layer lends a place for it.
        unsafe { *capabilities = sys::Capabilities::empty() };
        sys::Error::NONE
    }

    unsafe extern "system" fn current(_: *mut sys::Env, thread: *mut jobject) -> sys::Error {
        // SAFETY: the layer lends a place for it.
        unsafe { *thread = ptr::without_provenance_mut(9) };
        sys::Error::NONE
    }

    unsafe extern "system" fn modifiers(
        _: *mut sys::Env,
        _: jni::sys::jmethodID,
        _: *mut jint,
    ) -> sys::Error {
        asked()
    }

    unsafe extern "system" fn trace(
        _: *mut sys::Env,
        _: jint,
        _: *const jobject,
        _: jint,
        _: *mut *mut sys::jvmtiStackInfo,
    ) -> sys::Error {
        asked()
    }

    fn inside() -> Inside {
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
            GetObjectHashCode: Some(hash),
            GetVersionNumber: Some(version),
            GetCurrentThread: Some(current),
            GetCapabilities: Some(capabilities),
            GetMethodModifiers: Some(modifiers),
            GetObjectMonitorUsage: Some(usage),
            GetCurrentContendedMonitor: Some(contended_monitor),
            GetLocalVariableTable: Some(variables),
            GetThreadListStackTraces: Some(trace),
            ..sys::FunctionTable::default()
        }));
        let cell: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and its table answers what is asked here.
        let env = unsafe { jvmti::OwnedEnv::from_raw(NonNull::from(cell)) };
        let handle = handles::publish(env.leak(), None).unwrap();
        let me = Me::new(ptr::without_provenance_mut(0x10));
        gate::enter(me, handle.cast_signed()).unwrap()
    }

    fn until(deadline: Option<Instant>) -> Limits {
        Limits {
            deadline,
            patience: Duration::ZERO,
            late: Cell::new(0),
            listed_frames: 1024,
            depth: usize::MAX,
            are_chosen: false,
        }
    }

    /// One that is blocked, in a native method, and what it wants.
    fn with_one_blocked(
        test: impl for<'l> FnOnce(&mut Env<'l>, &[JThread<'l>], &[Option<JObject<'l>>], &[Stack]),
    ) {
        // SAFETY: the paper VM looks at no method.
        let method = unsafe { MethodId::from_raw(ptr::null_mut()) };
        let stacks = [Stack {
            state: ThreadState::ALIVE.union(ThreadState::BLOCKED_ON_MONITOR_ENTER),
            frames: vec![FrameInfo {
                method,
                location: 0,
            }],
        }];
        with_jni(|jni| {
            // SAFETY: the paper VM looks at no reference.
            let thread = unsafe { JThread::from_raw(jni, ptr::without_provenance_mut(5)) };
            // SAFETY: as above.
            let monitor = unsafe { JObject::from_raw(jni, ptr::without_provenance_mut(7)) };
            test(jni, &[thread], &[Some(monitor)], &stacks);
        });
    }

    #[test]
    fn nothing_is_asked_after_the_deadline() {
        let now = Instant::now();
        for (deadline, is_late) in [
            (now - Duration::from_millis(1), true),
            (now + Duration::from_secs(3600), false),
        ] {
            let (env, limits) = (inside(), until(Some(deadline)));
            with_one_blocked(|jni, threads, wanted, stacks| {
                let room = &mut Room::default();
                let expect = |what: &str, late: Option<bool>| {
                    assert_eq!(ASKED.take(), usize::from(!is_late), "{what}");
                    assert!(!is_late || late == Some(true), "{what}");
                };
                let owners = owners::read(jni, room, &env, wanted, stacks, iter::empty(), &limits);
                expect("owners", owners.ok().map(|all| all.is_none()));
                let all =
                    contended::read(jni, room, &env, MethodId::NONE, threads, stacks, &limits);
                expect("contended monitors", all.ok().map(|all| all.is_none()));
                let lockers = &mut Lockers::new(&env);
                let all = locks::monitors(jni, room, &env, lockers, threads, stacks, &limits);
                expect("owned monitors", all.ok().map(|all| all.is_none()));
                let results = [sys::Error::NONE];
                let all = locals::read(jni, room, &env, threads, stacks, &results, &limits, None);
                expect("local variables", all.ok().map(|all| all.is_none()));
                let deep = [Stack {
                    state: ThreadState::ALIVE,
                    frames: vec![stacks[0].frames[0]; stacks::USUAL_DEPTH],
                }];
                let all = deepened(jni, room, &env, threads, deep.into(), &limits);
                expect("deep stacks", all.ok().map(|all| all.is_none()));
            });
        }
    }

    #[test]
    fn local_variables_have_half_of_the_time_that_is_left() {
        let now = Instant::now();
        let (env, limits) = (inside(), until(Some(now + Duration::from_secs(7200))));
        let half = limits.half_of_the_rest().unwrap();
        assert!(half > now + Duration::from_secs(3500));
        assert!(half <= now + Duration::from_secs(3700));
        with_one_blocked(|jni, threads, _, stacks| {
            let room = &mut Room::default();
            let results = [sys::Error::NONE];
            for (until, is_late) in [(now - Duration::from_millis(1), true), (half, false)] {
                let until = Some(until);
                let some = locals::read(jni, room, &env, threads, stacks, &results, &limits, until);
                assert!(some.unwrap().is_some());
                assert_eq!(ASKED.take(), usize::from(!is_late));
                assert_eq!(limits.late.take() == Parts::LOCALS.0, is_late);
            }
        });
    }

    #[test]
    fn while_threads_go_on_some_are_asked() {
        let (env, limits) = (inside(), until(None));
        with_one_blocked(|jni, threads, wanted, stacks| {
            let room = &mut Room::default();
            let owners = owners::read(jni, room, &env, wanted, stacks, iter::empty(), &limits);
            assert!(matches!(owners.unwrap().unwrap().as_slice(), [None]));
            let all = contended::read(jni, room, &env, MethodId::NONE, threads, stacks, &limits);
            assert!(matches!(all.unwrap().unwrap().as_slice(), [None]));
            assert_eq!(ASKED.take(), 0);
            let lockers = &mut Lockers::new(&env);
            let all = locks::monitors(jni, room, &env, lockers, threads, stacks, &limits);
            assert!(matches!(
                all.unwrap().unwrap().as_slice(),
                [Owned::NotAsked]
            ));
            let parts = [Parts::OWNERS, Parts::CONTENDED, Parts::MONITORS];
            assert!(parts.iter().all(|part| limits.late.get() & part.0 != 0));
        });
    }
}
