//! Which threads each environment has suspended and not resumed: closing it lets them go.
//!
//! A thread is entered before it is suspended, because a thread that suspends itself does nothing
//! after that. The lock is never held across a call into the VM, in which a suspended thread stops.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JObject;
use jni::refs::Global;
use jvmti::sys::Error;

use crate::failure::{Failure, Outcome};
use crate::gate::Inside;

/// One thread that one environment suspends, or is about to.
struct Held {
    thread: Global<JObject<'static>>,
    /// The call that suspends it has not returned.
    pending: AtomicBool,
}

/// By environment, and by the identity hash code of the thread.
type Places = BTreeMap<(u64, i32), Vec<Arc<Held>>>;

struct Ledger {
    held: Places,
    /// Environments that have suspended all virtual threads.
    all_virtual: BTreeSet<u64>,
}

static LEDGER: Mutex<Ledger> = Mutex::new(Ledger {
    held: BTreeMap::new(),
    all_virtual: BTreeSet::new(),
});

/// A thread that was entered, until it is known whether it was suspended.
struct Entered {
    place: (u64, i32),
    held: Arc<Held>,
}

/// Suspends `thread`, which may be the calling one: then another thread has to resume it.
pub(crate) fn suspend(jni: &Env<'_>, env: &Inside, thread: &JObject<'_>) -> Outcome<()> {
    let entered = Entered::new(jni, env, thread)?;
    if !env.is_open() {
        entered.strike();
        return Err(Failure::Closed);
    }
    let answer = env.suspend_thread(Some(thread));
    entered.settle(jni, env, answer.is_ok())?;
    Ok(answer?)
}

/// Suspends the threads that can be, and answers how it went with each.
pub(crate) fn suspend_list(
    jni: &Env<'_>,
    env: &Inside,
    threads: &[JObject<'_>],
) -> Outcome<Vec<Error>> {
    let entered = threads
        .iter()
        .map(|thread| Entered::new(jni, env, thread))
        .collect::<Outcome<Vec<_>>>()?;
    if !env.is_open() {
        entered.iter().for_each(Entered::strike);
        return Err(Failure::Closed);
    }
    let mut results = vec![Error::INTERNAL; threads.len()];
    let answer = env.suspend_thread_list(threads, &mut results);
    let settled: Outcome<Vec<()>> = entered
        .iter()
        .zip(&results)
        .map(|(one, result)| one.settle(jni, env, answer.is_ok() && *result == Error::NONE))
        .collect();
    answer?;
    settled?;
    Ok(results)
}

/// Resumes `thread`, whoever has suspended it.
pub(crate) fn resume(jni: &Env<'_>, env: &Inside, thread: &JObject<'_>) -> Outcome<()> {
    env.resume_thread(thread)?;
    strike_thread(jni, env, thread)
}

/// Resumes the threads that can be, and answers how it went with each.
pub(crate) fn resume_list(
    jni: &Env<'_>,
    env: &Inside,
    threads: &[JObject<'_>],
) -> Outcome<Vec<Error>> {
    let mut results = vec![Error::INTERNAL; threads.len()];
    env.resume_thread_list(threads, &mut results)?;
    for (thread, result) in threads.iter().zip(&results) {
        if *result == Error::NONE {
            strike_thread(jni, env, thread)?;
        }
    }
    Ok(results)
}

/// Suspends all virtual threads, those of the future included, but those of a list.
pub(crate) fn suspend_all_virtual(env: &Inside, except: &[JObject<'_>]) -> Outcome<()> {
    let first = lock().all_virtual.insert(env.handle());
    let answer = if env.is_open() {
        env.suspend_all_virtual_threads(except)
            .map_err(Failure::from)
    } else {
        Err(Failure::Closed)
    };
    if answer.is_err() && first {
        lock().all_virtual.remove(&env.handle());
    } else if !env.is_open() {
        let _ = env.resume_all_virtual_threads(&[]);
        return Err(Failure::Closed);
    }
    answer
}

/// Resumes all virtual threads but those of a list.
pub(crate) fn resume_all_virtual(env: &Inside, except: &[JObject<'_>]) -> Outcome<()> {
    env.resume_all_virtual_threads(except)?;
    if except.is_empty() {
        lock().all_virtual.remove(&env.handle());
    }
    Ok(())
}

/// Resumes what the closed environment `handle` has suspended; true: nobody is suspending for it
/// any more. Only before somebody may dispose `env`.
pub(crate) fn release(env: &jvmti::Env, handle: u64) -> bool {
    let (all_virtual, held) = {
        let mut ledger = lock();
        let places = (handle, i32::MIN)..=(handle, i32::MAX);
        let held: Vec<_> = ledger
            .held
            .range(places)
            .flat_map(|(place, held)| held.iter().map(|one| (*place, Arc::clone(one))))
            .collect();
        (ledger.all_virtual.remove(&handle), held)
    };
    if all_virtual {
        let _ = env.resume_all_virtual_threads(&[]);
    }
    let mut settled = true;
    for (place, held) in held {
        // Before the call: what was suspended by then is resumed.
        let pending = held.pending.load(Ordering::SeqCst);
        let _ = env.resume_thread(&held.thread);
        if pending {
            settled = false;
        } else {
            Entered { place, held }.strike();
        }
    }
    settled
}

impl Entered {
    fn new(jni: &Env<'_>, env: &Inside, thread: &JObject<'_>) -> Outcome<Self> {
        let place = (env.handle(), env.object_hash_code(thread)?);
        let held = Arc::new(Held {
            thread: jni.new_global_ref(thread)?,
            pending: AtomicBool::new(true),
        });
        let mut ledger = lock();
        ledger
            .held
            .entry(place)
            .or_default()
            .push(Arc::clone(&held));
        drop(ledger);
        Ok(Self { place, held })
    }

    /// The call has returned. Nothing stays suspended for an environment that is closed.
    fn settle(&self, jni: &Env<'_>, env: &Inside, suspended: bool) -> Outcome<()> {
        self.held.pending.store(false, Ordering::SeqCst);
        if !suspended {
            self.strike();
            return Ok(());
        }
        if jni.is_same_object(&self.held.thread, env.current_thread(jni)?)? {
            // It suspended itself, and somebody has resumed it since.
            self.strike();
        } else if !env.is_open() {
            let _ = env.resume_thread(&self.held.thread);
            self.strike();
            return Err(Failure::Closed);
        }
        Ok(())
    }

    fn strike(&self) {
        strike(self.place, &self.held);
    }
}

fn strike_thread(jni: &Env<'_>, env: &Inside, thread: &JObject<'_>) -> Outcome<()> {
    let place = (env.handle(), env.object_hash_code(thread)?);
    let alike = lock().held.get(&place).cloned().unwrap_or_default();
    for held in alike {
        if !held.pending.load(Ordering::SeqCst) && jni.is_same_object(&held.thread, thread)? {
            strike(place, &held);
        }
    }
    Ok(())
}

fn strike(place: (u64, i32), held: &Arc<Held>) {
    let mut ledger = lock();
    if let Some(here) = ledger.held.get_mut(&place) {
        here.retain(|one| !Arc::ptr_eq(one, held));
        if here.is_empty() {
            ledger.held.remove(&place);
        }
    }
}

fn lock() -> MutexGuard<'static, Ledger> {
    LEDGER.lock().unwrap_or_else(PoisonError::into_inner)
}
