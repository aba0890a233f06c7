//! Which threads each environment has suspended and not resumed: closing it lets them go.
//!
//! A thread is entered before it is suspended, because a thread that suspends itself does nothing
//! after that.

use std::collections::BTreeSet;
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

/// Environments that have suspended all virtual threads.
static ALL_VIRTUAL: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());

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
    let first = all_virtual().insert(env.handle());
    let answer = if env.is_open() {
        env.suspend_all_virtual_threads(except)
            .map_err(Failure::from)
    } else {
        Err(Failure::Closed)
    };
    if answer.is_err() && first {
        all_virtual().remove(&env.handle());
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
        all_virtual().remove(&env.handle());
    }
    Ok(())
}

/// Resumes what the closed environment `handle` has suspended; true: nobody is suspending for it
/// any more. Only before somebody may dispose `env`.
pub(crate) fn release(env: &jvmti::Env, handle: u64) -> bool {
    if all_virtual().remove(&handle) {
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

fn strike_thread(jni: &Env<'_>, env: &Inside, thread: &JObject<'_>) -> Outcome<()> {
    for held in HELD.of(jni, env, thread)? {
        if held.fact.settled.load(Ordering::SeqCst) {
            HELD.forget(&held);
        }
    }
    Ok(())
}

fn all_virtual() -> MutexGuard<'static, BTreeSet<u64>> {
    ALL_VIRTUAL.lock().unwrap_or_else(PoisonError::into_inner)
}
