//! The life of an environment: opened for a Java object, closed once, disposed by the last one out.

use std::time::{Duration, Instant};

use jni::objects::JObject;

use crate::capability_lock;
use crate::failure::{Failure, Outcome};
use crate::gate::{self, Me};
use crate::handles::{self, Entry, Owner, Shut};
use crate::image;
use crate::ledger;
use crate::startup;
use crate::storage;
use crate::suspension;

/// How long `close` waits for threads that are still inside, and for its turn to dispose.
const PATIENCE: Duration = Duration::from_millis(250);

/// How long `close` waits before it resumes once more what is just being suspended.
const PAUSE: Duration = Duration::from_millis(1);

/// Opens an environment that lives until it is closed or `owner` is collected.
pub(crate) fn open(jni: &jni::Env<'_>, owner: &JObject<'_>) -> Outcome<i64> {
    let owner: Owner = jni.new_weak_ref(owner)?;
    let env = image::environment().map_err(in_its_phase)?;
    match handles::publish(env, Some(owner)) {
        Ok(handle) => Ok(handle.cast_signed()),
        Err(env) => {
            let turn = capability_lock::take();
            env.dispose()?;
            drop(turn);
            Err(Failure::State(format!(
                "{} environments are open: close some",
                handles::PLACES
            )))
        }
    }
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

/// Closes `handle`, resumes what it has suspended and forgets what it keeps; harmless for one that
/// is closed already.
/// False: threads are still inside, and the last one out disposes it.
pub(crate) fn close(me: Me, handle: i64) -> bool {
    let of = handle.cast_unsigned();
    close_after(me, handle, |env| {
        storage::release(of);
        // Not lazily: each has its own.
        ledger::release(env, of) & suspension::release(env, of)
    })
}

/// Closes `handle`. `release` undoes what the environment did to the VM, and is asked again while
/// it answers that more may come.
pub(crate) fn close_after(me: Me, handle: i64, release: impl Fn(&jvmti::Env) -> bool) -> bool {
    let handle = handle.cast_unsigned();
    let Some(entry) = handles::entry(handle) else {
        return true;
    };
    let Some(Shut { env, fenced }) = entry.shut(handle) else {
        return !entry.is_closing(handle);
    };
    // No event of it is delivered from here on. Fails only in the dead phase, which has none.
    let _ = env.clear_event_callbacks();
    let deadline = Instant::now() + PATIENCE;
    while !release(env) && Instant::now() < deadline {
        std::thread::sleep(PAUSE);
    }
    if !gate::barrier(fenced) {
        // Nobody can tell who is inside: better a silent environment than a freed one.
        return false;
    }
    entry.begin_closing(handle);
    let deadline = Instant::now() + PATIENCE;
    let mut gone = finish(entry, handle);
    // Only others can leave while this thread waits.
    while !gone
        && !gate::occupied_by_me(me, handle)
        && gate::wait_until_empty(entry, handle, deadline)
    {
        gone = finish(entry, handle);
    }
    gone
}

/// Disposes the closed `handle` unless a thread is still inside, or another is disposing it;
/// answers whether it is gone.
pub(crate) fn finish(entry: &'static Entry, handle: u64) -> bool {
    if !entry.is_closing(handle) {
        return true;
    }
    if gate::occupied(entry, handle) {
        return false;
    }
    let Some(turn) = capability_lock::take_within(PATIENCE) else {
        return false;
    };
    let Some(env) = entry.claim(handle) else {
        return !entry.is_closing(handle);
    };
    // In the dead phase the VM refuses and takes the environment down itself.
    let _ = env.dispose();
    startup::take_back();
    drop(turn);
    handles::free_place(handle);
    gate::announce();
    true
}

/// Disposes what was closed while another thread had the turn.
pub(crate) fn finish_deferred() {
    for entry in handles::entries() {
        if let Some(handle) = entry.pending() {
            finish(entry, handle);
        }
    }
}

/// Closes every environment whose owner was collected without closing it.
pub(crate) fn sweep(jni: &jni::Env<'_>) -> Outcome<()> {
    for (handle, entry) in handles::open() {
        let Some(owner) = entry.take_owner(handle) else {
            continue;
        };
        match owner.is_garbage_collected(jni) {
            Ok(true) => {
                close(Me::new(jni.get_raw()), handle.cast_signed());
            }
            Ok(false) => entry.put_owner_back(handle, owner),
            Err(error) => {
                entry.put_owner_back(handle, owner);
                return Err(error.into());
            }
        }
    }
    Ok(())
}
