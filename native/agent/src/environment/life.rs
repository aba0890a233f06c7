//! The life of an environment: opened for a Java object, closed once, disposed by the steward when
//! the last thread has left it.
//!
//! What needs nothing of its own shares one environment of the VM, the plain one: the VM walks all of
//! its environments in many calls, and keeps a disposed one until a collection. One of its own an
//! environment gets with its first capability, and gives it back for the next one if nothing of it
//! stays there.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jni::objects::JObject;
use jvmti::sys::{Event, EventMode};

use crate::environment::freed;
use crate::environment::gate::{self, Inside, Me};
use crate::environment::handles::{self, Entry, Owner, Shut};
use crate::environment::tags::Tags;
use crate::environment::{queue, spares, undone};
use crate::failure::{Failure, Outcome};
use crate::vm::bare;
use crate::vm::patience::LONG;
use crate::vm::{image, steward};

/// How long `close` waits for threads that are still inside, and for the steward.
const PATIENCE: Duration = Duration::from_millis(500);

/// How many places are looked at for collected owners whenever an environment is opened.
const WINDOW: usize = 64;

/// How many environments are closed and have not given back yet what they held.
static CLOSING: AtomicUsize = AtomicUsize::new(0);

/// How many environments were found forgotten, by whomever.
static FORGOTTEN: AtomicUsize = AtomicUsize::new(0);

/// A collection that was asked for and leaves fewer places than that was of little use.
const WORTH: usize = handles::PLACES / 16;

/// After such a one, none is asked for so long: most environments are not forgotten, but open.
const REST: Duration = Duration::from_secs(10);

/// How long somebody else's collection is waited for.
const COLLECTED: Duration = LONG;

/// Whether somebody has garbage collected.
static COLLECTING: AtomicBool = AtomicBool::new(false);

/// When the last collection was of little use.
static OF_LITTLE_USE: Mutex<Option<Instant>> = Mutex::new(None);

/// Whether anybody has ever asked for an event of HotSpot's own.
static HOTSPOT_IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Where the next look for collected owners begins.
static CURSOR: AtomicUsize = AtomicUsize::new(0);

/// Opens an environment that lives until it is closed or `owner` is collected.
pub(crate) fn open(jni: &jni::Env<'_>, owner: &JObject<'_>) -> Outcome<i64> {
    if let Some(handle) = publish(jni, owner)? {
        return Ok(handle);
    }
    find_places(jni)?;
    if handles::free_places() == 0 {
        collect(jni)?;
    }
    publish(jni, owner)?.ok_or_else(|| {
        Failure::State(format!(
            "{} environments are open: close some",
            handles::PLACES - 1
        ))
    })
}

fn publish(jni: &jni::Env<'_>, owner: &JObject<'_>) -> Outcome<Option<i64>> {
    let plain = image::plain()?;
    let owner: Owner = Arc::new(bare::weak(jni, owner)?);
    Ok(handles::publish(plain, Some(owner)).map(u64::cast_signed))
}

/// Enters `handle` once it has an environment of the VM of its own. Only by the steward.
pub(crate) fn enter_own(me: Me, handle: i64) -> Outcome<Inside> {
    let inside = gate::enter(me, handle)?;
    if inside.is_own() {
        return Ok(inside);
    }
    if let Err(own) = inside.adopt(spares::take()?) {
        spares::retire(own, Some(&Tags::default()));
        return Err(Failure::Closed);
    }
    drop(inside);
    gate::enter(me, handle)
}

/// Closes `handle`, resumes what it has suspended and forgets what it keeps; harmless for one that
/// is closed already.
/// False: threads are still inside, and the last one out has it disposed.
pub(crate) fn close(me: Me, handle: i64) -> bool {
    let of = handle.cast_unsigned();
    let Some(entry) = handles::entry(of) else {
        return true;
    };
    // Whoever closes it at the same time waits as well: what it has suspended runs again when he is told that it is closed.
    close_soon(entry, of, Disposal::Awaited);
    unless_inside(me, of, || is_gone_soon(entry, of))
}

/// Whether it goes while somebody waits for it: whoever has waited in vain for those inside has done so for all.
fn is_gone_soon(entry: &'static Entry, handle: u64) -> bool {
    let is_gone = || !entry.is_closing(handle);
    if entry.was_awaited(handle) {
        return is_gone();
    }
    let gone = gate::wait_for(handle, soon(), is_gone);
    if !gone && entry.is_left_to_others(handle) {
        entry.has_been_awaited(handle);
    }
    gone
}

/// Whether `others` have left the closed `handle`, in which this thread is not itself: only others can leave while it
/// waits for them.
fn unless_inside(me: Me, handle: u64, others: impl FnOnce() -> bool) -> bool {
    !gate::occupied_by_me(me, handle) && others()
}

/// For how long one waits for what closing does.
fn soon() -> Instant {
    Instant::now() + PATIENCE
}

/// Whether somebody waits until an environment is gone.
enum Disposal {
    Awaited,
    PutOff,
}

/// Closes `handle` without waiting for anybody; false if somebody else has closed it.
fn close_soon(entry: &'static Entry, handle: u64, disposal: Disposal) -> bool {
    let Some(shut) = entry.shut(handle) else {
        return false;
    };
    // No call into the VM comes before: this thread may be suspended in it, perhaps by `handle`.
    if shut.own {
        CLOSING.fetch_add(1, Ordering::SeqCst);
        steward::owe(move || wind_up(entry, handle, shut, disposal));
    } else {
        handles::free_place(handle);
        gate::announce(handle);
    }
    undone::forget(handle);
    true
}

/// Waits until what was closed before has given back what it can.
pub(crate) fn wait_for_closed(jni: &jni::Env<'_>) -> Outcome<()> {
    match CLOSING.load(Ordering::SeqCst) {
        0 => Ok(()),
        _ => steward::have_done(jni, |_| Ok(())),
    }
}

/// Whether something that was closed has not yet given back what it can.
pub(super) fn any_closing() -> bool {
    CLOSING.load(Ordering::SeqCst) != 0
}

/// What closing does to the VM. By the steward, so that nobody is suspending for it.
fn wind_up(entry: &'static Entry, handle: u64, shut: Shut, disposal: Disposal) {
    if !undone::undo(shut.env, handle) {
        // The VM stands still, or another tool keeps somebody of ours from it: once more later.
        steward::owe(move || wind_up(entry, handle, shut, disposal));
        return;
    }
    // Others want what it held, whoever may still stand inside.
    let _ = spares::relinquish_all(shut.env);
    queue::ring();
    CLOSING.fetch_sub(1, Ordering::SeqCst);
    // The VM looks at all its environments for the rest.
    match disposal {
        Disposal::Awaited => dispose(entry, handle, &shut),
        Disposal::PutOff => steward::put_off(move || dispose(entry, handle, &shut)),
    }
}

/// Somebody asks for an event of HotSpot's own: from now on closing takes such callbacks away.
pub(crate) fn ask_hotspot() {
    HOTSPOT_IS_ASKED.store(true, Ordering::SeqCst);
}

/// Disposes what has given back all that it held, once nobody is inside. Only by the steward.
fn dispose(entry: &'static Entry, handle: u64, shut: &Shut) {
    // No event of it is delivered from here on. Fails only in the dead phase, which has none.
    let _ = match freed::are_told(shut.env) {
        // What is told of freed objects keeps its callbacks, and finds nobody who listens. Others have turned off all that they
        // have turned on, but those who have just had classes retransformed.
        true => shut.env.set_event_notification_mode(
            EventMode::DISABLE,
            Event::CLASS_FILE_LOAD_HOOK,
            None,
        ),
        false => shut.env.clear_event_callbacks(),
    };
    if HOTSPOT_IS_ASKED.load(Ordering::SeqCst) {
        let _ = shut.env.clear_extension_event_callbacks();
    }
    // Without a barrier nobody can tell who still uses it: better a silent environment than a freed
    // one.
    if gate::barrier(shut.fenced) {
        entry.begin_closing(handle);
        gate::finish(entry, handle);
    }
}

/// Closes environments whose owner was collected without closing them: a part of them each time, so
/// that opening costs the same however many there are.
pub(crate) fn sweep_some(jni: &jni::Env<'_>) -> Outcome<()> {
    let from = CURSOR.fetch_add(WINDOW, Ordering::Relaxed) % handles::made().max(1);
    sweep(jni, handles::open(from, WINDOW))
}

/// Sweeps all, and waits until one of those that were forgotten has left its place.
fn find_places(jni: &jni::Env<'_>) -> Outcome<()> {
    sweep_all(jni)?;
    // Some of those places come when the steward has disposed.
    gate::wait_for_any(soon(), || {
        handles::free_places() > 0 || !handles::any_leaving()
    });
    Ok(())
}

/// Has garbage collected and sweeps, unless that was of little use a moment ago. Of those who find no
/// place at the same time one does it for all.
fn collect(jni: &jni::Env<'_>) -> Outcome<()> {
    let rests = |since: Instant| since.elapsed() < REST;
    if of_little_use().is_some_and(rests) {
        return Ok(());
    }
    if COLLECTING.swap(true, Ordering::SeqCst) {
        let deadline = Instant::now() + COLLECTED;
        gate::wait_for_any(deadline, || !COLLECTING.load(Ordering::SeqCst));
        return Ok(());
    }
    let before = FORGOTTEN.load(Ordering::SeqCst);
    let done = image::plain()
        .and_then(|plain| Ok(plain.force_garbage_collection()?))
        .and_then(|()| find_places(jni));
    if done.is_ok() {
        // Others may have swept before this thread did.
        let found = FORGOTTEN.load(Ordering::SeqCst).wrapping_sub(before);
        *of_little_use() = (found < WORTH).then(Instant::now);
    }
    COLLECTING.store(false, Ordering::SeqCst);
    gate::announce_any();
    done
}

fn of_little_use() -> MutexGuard<'static, Option<Instant>> {
    OF_LITTLE_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Closes every environment whose owner was collected without closing it.
pub(crate) fn sweep_all(jni: &jni::Env<'_>) -> Outcome<()> {
    sweep(jni, handles::open(0, handles::PLACES))
}

/// Closes those of `handles` whose owner was collected.
pub(crate) fn sweep(
    jni: &jni::Env<'_>,
    handles: impl Iterator<Item = (u64, &'static Entry)>,
) -> Outcome<()> {
    for (handle, entry) in handles {
        let Some(owner) = entry.owner_of(handle) else {
            continue;
        };
        if owner.is_garbage_collected(jni)? {
            let closed = close_soon(entry, handle, Disposal::PutOff);
            FORGOTTEN.fetch_add(usize::from(closed), Ordering::SeqCst);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ptr;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Barrier, mpsc};

    use jvmti::sys;

    use super::*;
    use crate::environment::gate::{enter, prepare};
    use crate::environment::slots::NESTING;
    use crate::platform;

    static DISPOSED: AtomicBool = AtomicBool::new(false);

    extern "system" fn dispose(_: *mut sys::Env) -> sys::Error {
        DISPOSED.store(true, Ordering::SeqCst);
        sys::Error::NONE
    }

    fn environment() -> jvmti::OwnedEnv {
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
            DisposeEnvironment: Some(dispose),
            ..sys::FunctionTable::default()
        }));
        let env: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and its table answers every call.
        unsafe { jvmti::OwnedEnv::from_raw(ptr::NonNull::from(env)) }
    }

    /// The handle of an environment of its own.
    fn published() -> u64 {
        let handle = handles::publish(environment().leak(), None).unwrap();
        let entry = handles::entry(handle).unwrap();
        entry.adopt(handle, environment()).unwrap();
        handle
    }

    /// A JNI environment is only an address here.
    fn thread(number: usize) -> Me {
        Me::new(ptr::without_provenance_mut((number + 1) << 12))
    }

    /// Closes an environment while two threads enter and leave it without pause; whoever is inside
    /// must never see it disposed.
    fn close_while_threads_come_and_go() {
        for _ in 0..300 {
            DISPOSED.store(false, Ordering::SeqCst);
            let handle = published();
            let start = Barrier::new(3);
            std::thread::scope(|scope| {
                for number in 0..2 {
                    let start = &start;
                    scope.spawn(move || {
                        start.wait();
                        while let Ok(inside) = enter(thread(number), handle.cast_signed()) {
                            assert!(!DISPOSED.load(Ordering::Relaxed), "disposed under a thread");
                            drop(inside);
                        }
                    });
                }
                start.wait();
                // On a machine too busy to let a thread leave in time, that thread disposes it.
                if close(thread(2), handle.cast_signed()) {
                    assert!(DISPOSED.load(Ordering::SeqCst));
                }
            });
            assert!(DISPOSED.load(Ordering::SeqCst));
            assert!(!handles::open(0, handles::PLACES).any(|(open, _)| open == handle));
        }
    }

    /// Nested deeper than the slot has places, and closed by the thread that is inside.
    fn the_last_one_out_disposes() {
        DISPOSED.store(false, Ordering::SeqCst);
        let handle = published().cast_signed();
        let mut inside: Vec<_> = (0..NESTING + 3)
            .map(|_| enter(thread(0), handle).unwrap())
            .collect();
        assert!(!close(thread(0), handle));
        let begun = Instant::now();
        assert!(
            !close(thread(1), handle),
            "told that it is gone while the one who closed it is still inside"
        );
        assert!(begun.elapsed() >= PATIENCE, "he may have left any moment");
        let begun = Instant::now();
        for _ in 0..20 {
            assert!(!close(thread(2), handle));
        }
        assert!(
            begun.elapsed() < 20 * PATIENCE,
            "one has waited in vain for all who come later"
        );
        assert!(enter(thread(0), handle).is_err());
        while let Some(last) = inside.pop() {
            assert!(!DISPOSED.load(Ordering::SeqCst));
            drop(last);
        }
        assert!(DISPOSED.load(Ordering::SeqCst));
        assert!(close(thread(0), handle));
    }

    /// Only he could leave.
    fn who_is_inside_does_not_wait_for_himself() {
        let handle = published().cast_signed();
        let inside = enter(thread(0), handle).unwrap();
        assert!(gate::occupied_by_me(thread(0), inside.handle()));
        assert!(!gate::occupied_by_me(thread(1), inside.handle()));
        assert!(!close(thread(0), handle));
        let himself = || panic!("he waits for himself");
        assert!(!unless_inside(thread(0), inside.handle(), himself));
        assert!(unless_inside(thread(1), inside.handle(), || true));
        drop(inside);
        assert!(close(thread(0), handle));
    }

    /// There may be any number of them, and whoever asks the steward comes before the next one.
    fn what_was_forgotten_is_disposed_when_nobody_asks() {
        DISPOSED.store(false, Ordering::SeqCst);
        let handle = published();
        let entry = handles::entry(handle).unwrap();
        assert!(close_soon(entry, handle, Disposal::PutOff));
        assert!(enter(thread(0), handle.cast_signed()).is_err());
        assert!(
            !DISPOSED.load(Ordering::SeqCst),
            "whoever asks next waits for it, and for all others"
        );
    }

    /// As after a barrier that a sandbox forbids, for what was opened before.
    fn the_fence_comes_back() {
        let handle = published();
        let entry = handles::entry(handle).unwrap();
        assert!(entry.is_unfenced(handle));
        handles::need_fence();
        assert!(!entry.is_unfenced(handle));
        assert!(handles::open(0, handles::PLACES).any(|(open, _)| open == handle));
        drop(enter(thread(0), handle.cast_signed()).unwrap());
        assert!(close(thread(0), handle.cast_signed()));
        assert!(enter(thread(0), handle.cast_signed()).is_err());
    }

    #[test]
    fn what_never_comes_is_not_waited_for_without_end() {
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            let for_one = gate::wait_for(1, soon(), || false);
            tell.send(for_one || gate::wait_for_any(soon(), || false))
        });
        let found = told.recv_timeout(Duration::from_secs(60));
        assert_eq!(
            found,
            Ok(false),
            "whoever closes, or opens without a place, waits for a minute"
        );
    }

    /// One test, because the barrier is chosen once for the process: first without, then with, except
    /// in Wine, whose barrier cannot be trusted.
    #[test]
    fn nobody_is_inside_what_is_disposed() {
        assert!(handles::needs_fence());
        close_while_threads_come_and_go();
        the_last_one_out_disposes();
        who_is_inside_does_not_wait_for_himself();
        what_was_forgotten_is_disposed_when_nobody_asks();
        prepare();
        if cfg!(windows) && handles::needs_fence() {
            println!("the way in has a fence, for this system has no barrier");
            assert!(!platform::has_barrier());
        } else {
            println!("the way in has no fence, for this system has a barrier");
            close_while_threads_come_and_go();
            the_last_one_out_disposes();
            the_fence_comes_back();
        }
        close_while_threads_come_and_go();
    }
}
