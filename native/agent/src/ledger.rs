//! Which threads each environment has suspended and not resumed: closing it lets them go.
//!
//! A thread is entered before it is suspended, because a thread that suspends itself does nothing
//! after that.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JObject;
use jvmti::sys::Error;

use crate::failure::{Failure, Outcome};
use crate::gate::Inside;
use crate::thread_table::{Remembered, ThreadTable};

/// One thread that one environment suspends, or is about to.
#[derive(Default)]
struct Held {
    /// The call that suspends it has returned.
    settled: AtomicBool,
}

static HELD: ThreadTable<Held> = ThreadTable::new();

/// What an environment has done to all virtual threads.
#[derive(Default)]
struct AllVirtual {
    /// Calls that suspend them and have not returned.
    under_way: usize,
    /// They are suspended, as far as is known.
    suspended: bool,
}

static ALL_VIRTUAL: Mutex<BTreeMap<u64, AllVirtual>> = Mutex::new(BTreeMap::new());

/// A thread that was entered, until it is known whether it was suspended.
struct Entered(Arc<Remembered<Held>>);

/// Suspends `thread`, which may be the calling one: then another thread has to resume it.
pub(crate) fn suspend(jni: &mut Env<'_>, env: &Inside, thread: &JObject<'_>) -> Outcome<()> {
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
    jni: &mut Env<'_>,
    env: &Inside,
    threads: &[JObject<'_>],
) -> Outcome<Vec<Error>> {
    let entered = enter_all(jni, env, threads)?;
    if !env.is_open() {
        entered.iter().for_each(Entered::strike);
        return Err(Failure::Closed);
    }
    let mut results = vec![Error::INTERNAL; threads.len()];
    let answer = env.suspend_thread_list(threads, &mut results);
    let mut settled = Ok(());
    for (one, result) in entered.iter().zip(&results) {
        let suspended = answer.is_ok() && *result == Error::NONE;
        // Each of them, whatever became of those before it.
        settled = one.settle(jni, env, suspended).and(settled);
    }
    answer?;
    settled?;
    Ok(results)
}

/// Resumes `thread`, whoever has suspended it.
pub(crate) fn resume(jni: &Env<'_>, env: &Inside, thread: &JObject<'_>) -> Outcome<()> {
    let over = settled(jni, env, thread)?;
    env.resume_thread(thread)?;
    over.iter().for_each(|held| HELD.forget(held));
    Ok(())
}

/// Resumes the threads that can be, and answers how it went with each.
pub(crate) fn resume_list(
    jni: &Env<'_>,
    env: &Inside,
    threads: &[JObject<'_>],
) -> Outcome<Vec<Error>> {
    let over = threads
        .iter()
        .map(|thread| settled(jni, env, thread))
        .collect::<Outcome<Vec<_>>>()?;
    let mut results = vec![Error::INTERNAL; threads.len()];
    env.resume_thread_list(threads, &mut results)?;
    for (over, result) in over.iter().zip(&results) {
        if *result == Error::NONE {
            over.iter().for_each(|held| HELD.forget(held));
        }
    }
    Ok(results)
}

/// Suspends all virtual threads, those of the future included, but those of a list.
pub(crate) fn suspend_all_virtual(env: &Inside, except: &[JObject<'_>]) -> Outcome<()> {
    all_virtual().entry(env.handle()).or_default().under_way += 1;
    let answer = if env.is_open() {
        env.suspend_all_virtual_threads(except)
            .map_err(Failure::from)
    } else {
        Err(Failure::Closed)
    };
    let mut all = all_virtual();
    // Gone: it was closed meanwhile.
    if let Some(of) = all.get_mut(&env.handle()) {
        of.under_way -= 1;
        of.suspended |= answer.is_ok();
        if of.under_way == 0 && !of.suspended {
            all.remove(&env.handle());
        }
    }
    drop(all);
    if answer.is_ok() && !env.is_open() {
        let _ = env.resume_all_virtual_threads(&[]);
        all_virtual().remove(&env.handle());
        return Err(Failure::Closed);
    }
    answer
}

/// Resumes all virtual threads but those of a list.
pub(crate) fn resume_all_virtual(env: &Inside, except: &[JObject<'_>]) -> Outcome<()> {
    if !except.is_empty() {
        return Ok(env.resume_all_virtual_threads(except)?);
    }
    // Before the call: what is suspended after it is not forgotten.
    let before = all_virtual()
        .get_mut(&env.handle())
        .is_some_and(|of| std::mem::take(&mut of.suspended));
    let answer = env.resume_all_virtual_threads(except);
    let mut all = all_virtual();
    if let Some(of) = all.get_mut(&env.handle()) {
        of.suspended |= before && answer.is_err();
        if of.under_way == 0 && !of.suspended {
            all.remove(&env.handle());
        }
    }
    drop(all);
    Ok(answer?)
}

/// Resumes what the closed environment `handle` has suspended; true: nobody is suspending for it
/// any more. Only before somebody may dispose `env`.
pub(crate) fn release(env: &jvmti::Env, handle: u64) -> bool {
    if all_virtual().remove(&handle).is_some() {
        let _ = env.resume_all_virtual_threads(&[]);
    }
    let mut all_settled = true;
    for held in HELD.all_of(handle) {
        // Before the call: what was suspended by then is resumed.
        let settled = held.fact.settled.load(Ordering::SeqCst);
        let _ = env.resume_thread(&held.thread);
        if settled {
            HELD.forget(&held);
        } else {
            all_settled = false;
        }
    }
    all_settled
}

impl Entered {
    fn new(jni: &mut Env<'_>, env: &Inside, thread: &JObject<'_>) -> Outcome<Self> {
        Ok(Self(HELD.add(jni, env, thread, Held::default())?))
    }

    /// The call has returned. Nothing stays suspended for an environment that is closed.
    fn settle(&self, jni: &Env<'_>, env: &Inside, suspended: bool) -> Outcome<()> {
        self.0.fact.settled.store(true, Ordering::SeqCst);
        if !suspended {
            self.strike();
            return Ok(());
        }
        if jni.is_same_object(&self.0.thread, env.current_thread(jni)?)? {
            // It suspended itself, and somebody has resumed it since.
            self.strike();
        } else if !env.is_open() {
            let _ = env.resume_thread(&self.0.thread);
            self.strike();
            return Err(Failure::Closed);
        }
        Ok(())
    }

    fn strike(&self) {
        HELD.forget(&self.0);
    }
}

fn enter_all(jni: &mut Env<'_>, env: &Inside, threads: &[JObject<'_>]) -> Outcome<Vec<Entered>> {
    let mut entered = Vec::with_capacity(threads.len());
    for thread in threads {
        match Entered::new(jni, env, thread) {
            Ok(one) => entered.push(one),
            Err(failure) => {
                entered.iter().for_each(Entered::strike);
                return Err(failure);
            }
        }
    }
    Ok(entered)
}

/// What resuming `thread` from here on undoes, to be forgotten if that goes well. Asked before the
/// call: what another thread suspends right after it stays in the ledger.
fn settled(
    jni: &Env<'_>,
    env: &Inside,
    thread: &JObject<'_>,
) -> Outcome<Vec<Arc<Remembered<Held>>>> {
    if thread.is_null() {
        return Ok(Vec::new());
    }
    let mut held = HELD.of(jni, env, thread)?;
    held.retain(|one| one.fact.settled.load(Ordering::SeqCst));
    Ok(held)
}

fn all_virtual() -> MutexGuard<'static, BTreeMap<u64, AllVirtual>> {
    ALL_VIRTUAL.lock().unwrap_or_else(PoisonError::into_inner)
}
