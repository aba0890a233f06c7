//! The life of an environment: opened for a Java object, closed once, disposed by the steward when
//! the last thread has left it.
//!
//! What needs nothing of its own shares one environment of the VM, the plain one: the VM walks all of
//! its environments in many calls, and keeps a disposed one until a collection. One of its own an
//! environment gets with its first capability, and gives it back for the next one if nothing of it
//! stays there.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use jni::objects::JObject;

use crate::environment::gate::{self, Inside, Me};
use crate::environment::handles::{self, Entry, Owner, Shut};
use crate::environment::{spares, undone};
use crate::failure::{Failure, Outcome};
use crate::vm::{image, steward};

/// How long `close` waits for threads that are still inside, and for the steward.
const PATIENCE: Duration = Duration::from_millis(500);

/// How many places are looked at for collected owners whenever an environment is opened.
const WINDOW: usize = 64;

/// How many environments are closed and not wound up yet.
static CLOSING: AtomicUsize = AtomicUsize::new(0);

/// Where the next look for collected owners begins.
static CURSOR: AtomicUsize = AtomicUsize::new(0);

/// Opens an environment that lives until it is closed or `owner` is collected.
pub(crate) fn open(jni: &jni::Env<'_>, owner: &JObject<'_>) -> Outcome<i64> {
    if let Some(handle) = publish(jni, owner)? {
        return Ok(handle);
    }
    sweep_all(jni)?;
    publish(jni, owner)?.ok_or_else(|| {
        Failure::State(format!(
            "{} environments are open: close some",
            handles::PLACES
        ))
    })
}

fn publish(jni: &jni::Env<'_>, owner: &JObject<'_>) -> Outcome<Option<i64>> {
    let plain = image::plain().map_err(in_its_phase)?;
    let owner: Owner = Arc::new(jni.new_weak_ref(owner)?);
    Ok(handles::publish(plain, Some(owner)).map(u64::cast_signed))
}

/// A thread that runs Java is attached: the VM says that it is not once the VM has died.
fn in_its_phase(failure: Failure) -> Failure {
    match failure {
        Failure::Jvmti(error) if error.code == jvmti::sys::Error::UNATTACHED_THREAD => {
            Failure::Jvmti(jvmti::Error {
                code: jvmti::sys::Error::WRONG_PHASE,
                ..error
            })
        }
        other => other,
    }
}

/// Enters `handle` once it has an environment of the VM of its own. Only by the steward.
pub(crate) fn enter_own(me: Me, handle: i64) -> Outcome<Inside> {
    let inside = gate::enter(me, handle)?;
    if inside.is_own() {
        return Ok(inside);
    }
    if let Err(own) = inside.adopt(spares::take()?) {
        spares::retire(own, false);
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
    if !close_soon(entry, of) {
        return !entry.is_closing(of);
    }
    // Only others can leave while this thread waits.
    !gate::occupied_by_me(me, of) && gate::wait_until_gone(entry, of, Instant::now() + PATIENCE)
}

/// Closes `handle` without waiting for anybody; false if somebody else has closed it.
fn close_soon(entry: &'static Entry, handle: u64) -> bool {
    let Some(shut) = entry.shut(handle) else {
        return false;
    };
    // No call into the VM comes before: this thread may be suspended in it, perhaps by `handle`.
    if shut.own {
        CLOSING.fetch_add(1, Ordering::SeqCst);
        steward::owe(move || wind_up(entry, handle, shut));
    } else {
        handles::free_place(handle);
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

/// What closing does to the VM. By the steward, so that nobody is suspending for it.
fn wind_up(entry: &'static Entry, handle: u64, shut: Shut) {
    // No event of it is delivered from here on. Fails only in the dead phase, which has none.
    let _ = shut.env.clear_event_callbacks();
    if !undone::undo(shut.env, handle) {
        // The VM stands still, or another tool keeps somebody of ours from it: once more later.
        steward::owe(move || wind_up(entry, handle, shut));
        return;
    }
    // Others want what it held, whoever may still stand inside.
    let _ = spares::relinquish_all(shut.env);
    // Without a barrier nobody can tell who still uses it: better a silent environment than a freed
    // one.
    if gate::barrier(shut.fenced) {
        entry.begin_closing(handle);
        gate::finish(entry, handle);
    }
    // Only now can others have its capabilities.
    CLOSING.fetch_sub(1, Ordering::SeqCst);
}

/// Closes environments whose owner was collected without closing them: a part of them each time, so
/// that opening costs the same however many there are.
pub(crate) fn sweep_some(jni: &jni::Env<'_>) -> Outcome<()> {
    let from = CURSOR.fetch_add(WINDOW, Ordering::Relaxed) % handles::made().max(1);
    sweep(jni, handles::open(from, WINDOW))?;
    match from {
        // The few that there are usually are all looked at each time.
        1..WINDOW => sweep(jni, handles::open(0, from)),
        _ => Ok(()),
    }
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
            close_soon(entry, handle);
        }
    }
    Ok(())
}
