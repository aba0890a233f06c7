//! Which threads each environment has suspended and not resumed: closing it lets them go.
//!
//! A thread is entered before it is suspended, because a thread that suspends itself does nothing
//! after that.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JThread;
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

/// One call that suspends all virtual threads for one environment.
struct AllVirtual {
    handle: u64,
    /// It has returned.
    settled: AtomicBool,
}

static ALL_VIRTUAL: Mutex<Vec<Arc<AllVirtual>>> = Mutex::new(Vec::new());

/// A thread that was entered, until it is known whether it was suspended.
struct Entered(Arc<Remembered<Held>>);

/// Suspends `thread`, which may be the calling one: then another thread has to resume it.
pub(crate) fn suspend(jni: &mut Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<()> {
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
    threads: &[JThread<'_>],
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
pub(crate) fn resume(jni: &Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<()> {
    let over = settled(jni, env, thread)?;
    env.resume_thread(thread)?;
    over.iter().for_each(|held| HELD.forget(held));
    Ok(())
}

/// Resumes the threads that can be, and answers how it went with each.
pub(crate) fn resume_list(
    jni: &Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
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
pub(crate) fn suspend_all_virtual(env: &Inside, except: &[JThread<'_>]) -> Outcome<()> {
    let call = Arc::new(AllVirtual {
        handle: env.handle(),
        settled: AtomicBool::new(false),
    });
    all_virtual().push(Arc::clone(&call));
    let answer = if env.is_open() {
        env.suspend_all_virtual_threads(except)
            .map_err(Failure::from)
    } else {
        Err(Failure::Closed)
    };
    // Of those before it, which may be any number, one is enough.
    let before = settled_all_virtual(call.handle);
    call.settled.store(true, Ordering::SeqCst);
    if answer.is_err() {
        forget_all_virtual(&[call]);
    } else if env.is_open() {
        forget_all_virtual(&before);
    } else {
        let _ = env.resume_all_virtual_threads(&[]);
        forget_all_virtual(&[call]);
        return Err(Failure::Closed);
    }
    answer
}

/// Resumes all virtual threads but those of a list.
pub(crate) fn resume_all_virtual(env: &Inside, except: &[JThread<'_>]) -> Outcome<()> {
    let over = settled_all_virtual(env.handle());
    env.resume_all_virtual_threads(except)?;
    if except.is_empty() {
        forget_all_virtual(&over);
    }
    Ok(())
}

/// Resumes what the closed environment `handle` has suspended; true: nobody is suspending for it
/// any more. Only before somebody may dispose `env`.
pub(crate) fn release(env: &jvmti::Env, handle: u64) -> bool {
    // Before the call, as below.
    let over = settled_all_virtual(handle);
    let mut all_settled = true;
    if all_virtual().iter().any(|call| call.handle == handle) {
        let _ = env.resume_all_virtual_threads(&[]);
        forget_all_virtual(&over);
        all_settled = !all_virtual().iter().any(|call| call.handle == handle);
    }
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
    fn new(jni: &mut Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<Self> {
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

fn enter_all(jni: &mut Env<'_>, env: &Inside, threads: &[JThread<'_>]) -> Outcome<Vec<Entered>> {
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
    thread: &JThread<'_>,
) -> Outcome<Vec<Arc<Remembered<Held>>>> {
    if thread.is_null() {
        return Ok(Vec::new());
    }
    let mut held = HELD.of(jni, env, thread)?;
    held.retain(|one| one.fact.settled.load(Ordering::SeqCst));
    Ok(held)
}

/// The calls of the environment `handle` that a resume from here on undoes.
fn settled_all_virtual(handle: u64) -> Vec<Arc<AllVirtual>> {
    let mut calls = all_virtual().clone();
    calls.retain(|call| call.handle == handle && call.settled.load(Ordering::SeqCst));
    calls
}

fn forget_all_virtual(over: &[Arc<AllVirtual>]) {
    all_virtual().retain(|call| !over.iter().any(|one| Arc::ptr_eq(one, call)));
}

fn all_virtual() -> MutexGuard<'static, Vec<Arc<AllVirtual>>> {
    ALL_VIRTUAL.lock().unwrap_or_else(PoisonError::into_inner)
}
