//! That whoever listens to all threads is told of all.
//!
//! HotSpot tells only threads that it keeps a state for of events that can be asked for of one thread, and ThreadEnd is
//! among those. To threads that run already it gives one when such an event is asked for of all, but only if none was asked
//! for of any before (`recompute_enabled`), be it by another agent, and not to those that start at that very moment; to
//! those that start later whenever one is. So ThreadEnd is asked for of all first of all, and as long as somebody listens.
//! Then the VM is told of each thread that it need not tell of its end, which gives that one a state, and asks for nothing.

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JThread;
use jvmti::sys::{Event, EventMode};

use crate::environment::ends;
use crate::failure::Outcome;
use crate::vm::{capacity, image, steward};

/// For each thread the VM goes through all threads, and each environment of each. After so long only those are asked for
/// that have started meanwhile, unless the library itself has asked for some before: then none other has a state.
const LONG: Duration = Duration::from_millis(5);
/// So many are asked for in any case: it may only have been kept from running.
const ALWAYS: usize = 128;

/// How many listen.
static LISTENING: AtomicUsize = AtomicUsize::new(0);
/// How many of those who listen name threads.
static NAMING: AtomicUsize = AtomicUsize::new(0);

/// Held by whoever listens to threads that he names: the VM keeps a state for each of them.
pub(super) struct Named(());

impl Named {
    pub(super) fn some() -> Self {
        NAMING.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        NAMING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Held by whoever listens to all threads for what can be asked for of one: the VM keeps a state for every thread.
pub(super) struct Everybody(());

impl Everybody {
    /// By the steward.
    pub(super) fn reach(jni: &mut Env<'_>) -> Outcome<Self> {
        let is_first = LISTENING.fetch_add(1, Ordering::SeqCst) == 0;
        let all = Self(());
        if is_first {
            give_states(jni)?;
        }
        Ok(all)
    }
}

impl Drop for Everybody {
    fn drop(&mut self) {
        if LISTENING.fetch_sub(1, Ordering::SeqCst) == 1 {
            steward::owe(|| {
                if LISTENING.load(Ordering::SeqCst) == 0 {
                    // Where the VM refuses, it has died.
                    let _ = ends::tell_no_more();
                }
            });
        }
    }
}

fn give_states(jni: &mut Env<'_>) -> Outcome<()> {
    let plain = image::plain()?;
    let known = with_each(plain, jni, |_, _| Ok(()))?;
    ends::tell()?;
    let begun = Instant::now();
    let asked = Cell::new(0);
    let is_long = || asked.get() >= ALWAYS && begun.elapsed() > LONG;
    with_each(plain, jni, |thread, hash| {
        if NAMING.load(Ordering::SeqCst) == 0 && is_long() && known.contains(&hash) {
            return Ok(());
        }
        asked.set(asked.get() + 1);
        plain.set_event_notification_mode(EventMode::DISABLE, Event::THREAD_END, Some(thread))
    })?;
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
    for thread in threads {
        // Whoever waits for the steward sees that it goes on.
        steward::go_on();
        let hash = env.object_hash_code(&thread)?;
        let _ = deed(&thread, hash);
        hashes.insert(hash);
        jni.delete_local_ref(thread);
    }
    Ok(hashes)
}
