//! That whoever listens to all threads is told of all.
//!
//! HotSpot tells only threads that it keeps a state for of events that can be asked for of one thread, and ThreadEnd is
//! among those. To threads that run already it gives one when such an event is asked for of all, but only if none was asked
//! for of any before (`recompute_enabled`), be it by another agent, and not to those that start at that very moment; to
//! those that start later whenever one is. So ThreadEnd is asked for of all first of all, and then of each by itself.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use jni::Env;
use jni::objects::JThread;
use jvmti::sys::{Event, EventMode};

use crate::environment::slots;
use crate::failure::Outcome;
use crate::vm::{capacity, image, steward};

/// Of more the VM is asked for those alone that have started meanwhile: it goes through all for each, seconds for ten
/// thousand.
const MANY: usize = 2_048;
/// Whoever waits for the steward sees that it goes on, after so many.
const SOME: usize = 64;

/// Has the VM keep a state for every thread from here on. By the steward.
pub(super) fn reach(jni: &mut Env<'_>) -> Outcome<()> {
    static ARE_REACHED: AtomicBool = AtomicBool::new(false);
    if ARE_REACHED.load(Ordering::SeqCst) {
        return Ok(());
    }
    let plain = image::plain()?;
    let known = with_each(plain, jni, |_, _| Ok(()))?;
    slots::tell_of_ends()?;
    let are_many = known.len() > MANY;
    with_each(plain, jni, |thread, hash| {
        if are_many && known.contains(&hash) {
            return Ok(());
        }
        plain.set_event_notification_mode(EventMode::ENABLE, Event::THREAD_END, Some(thread))
    })?;
    ARE_REACHED.store(true, Ordering::SeqCst);
    Ok(())
}

/// Does that with each thread that is alive and its hash code; all of these. Those that end meanwhile need nothing.
fn with_each(
    env: &jvmti::Env,
    jni: &mut Env<'_>,
    deed: impl Fn(&JThread<'_>, i32) -> jvmti::Result<()>,
) -> Outcome<HashSet<i32>> {
    let threads = env.all_threads(jni)?;
    capacity::make_room(jni, threads.len())?;
    let mut hashes = HashSet::with_capacity(threads.len());
    for (place, thread) in threads.into_iter().enumerate() {
        if place.is_multiple_of(SOME) {
            steward::go_on();
        }
        let hash = env.object_hash_code(&thread)?;
        let _ = deed(&thread, hash);
        hashes.insert(hash);
        jni.delete_local_ref(thread);
    }
    Ok(hashes)
}
