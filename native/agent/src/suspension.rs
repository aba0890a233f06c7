//! Threads that are suspended for the time of one action, and not longer than its deadline.

use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Global;
use jni::sys::jobject;
use jvmti::sys::{Error, ThreadState};

use crate::failure::{Failure, Outcome};
use crate::gate::{self, Inside, Me};
use crate::watchdog;

/// A deadline that is too far away to be told stands for this.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// Whoever changes the phase from `SUSPENDED` resumes the threads.
mod phase {
    /// The call that suspends has not returned.
    pub(super) const SUSPENDING: u8 = 0;
    /// It has not returned by the deadline, perhaps because its thread was suspended in turn.
    pub(super) const LATE: u8 = 1;
    pub(super) const SUSPENDED: u8 = 2;
    pub(super) const ENDED: u8 = 3;
    pub(super) const EXPIRED: u8 = 4;
}

/// Some threads, suspended at once for one environment.
pub(crate) struct Suspension {
    token: i64,
    handle: u64,
    phase: AtomicU8,
    /// Keeps alive what the lists below refer to.
    threads: Vec<Global<JThread<'static>>>,
    /// Those that were not suspended before.
    candidates: Vec<JThread<'static>>,
    /// Those that it suspended.
    ours: OnceLock<Vec<JThread<'static>>>,
    /// For the watchdog alone, made while there is time.
    results: Mutex<Vec<Error>>,
}

static TOKENS: AtomicI64 = AtomicI64::new(1);

/// Suspends `threads` under the watchdog's eye; answers the token of the suspension, and how it
/// went with each. Until [`end`] the caller must hold nothing that they could need.
pub(crate) fn begin(
    jni: &mut Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
    nanos: i64,
) -> Outcome<(i64, Vec<Error>)> {
    watchdog::thread()?;
    let suspension = Arc::new(Suspension::new(jni, env, threads)?);
    let deadline = deadline(nanos);
    let mut results = vec![Error::INTERNAL; threads.len()];
    let mut ours = Vec::with_capacity(threads.len());
    watchdog::watch(deadline, Arc::clone(&suspension));
    let answer = env.suspend_thread_list(threads, &mut results);
    if answer.is_ok() {
        let all = suspension.threads.iter().zip(&results);
        ours.extend(
            all.filter(|(_, result)| **result == Error::NONE)
                .map(|(thread, _)| alias(thread)),
        );
    }
    let _ = suspension.ours.set(ours);
    suspension.suspended(env);
    if let Err(error) = answer {
        end(env, suspension.token);
        return Err(error.into());
    }
    if !env.is_open() {
        end(env, suspension.token);
        return Err(Failure::Closed);
    }
    Ok((suspension.token, results))
}

/// Resumes what `token` stands for; false: somebody else did, because it took too long.
pub(crate) fn end(env: &jvmti::Env, token: i64) -> bool {
    watchdog::forget(token).is_some_and(|suspension| {
        let in_time = suspension.take(phase::SUSPENDED, phase::ENDED);
        if in_time {
            resume(env, suspension.ours(), &mut suspension.room());
        }
        in_time
    })
}

/// Undoes every suspension of the closed environment `handle`; true: nobody is suspending for it
/// any more. Only before somebody may dispose `env`.
pub(crate) fn release(env: &jvmti::Env, handle: u64) -> bool {
    let mut settled = true;
    for suspension in watchdog::watched_for(handle) {
        if suspension.undo(env, &mut suspension.room()) {
            watchdog::forget(suspension.token());
        } else {
            settled = false;
        }
    }
    settled
}

/// The moment that lies `nanos` ahead.
pub(crate) fn deadline(nanos: i64) -> Instant {
    let nanos = Duration::from_nanos(nanos.max(0).cast_unsigned());
    Instant::now() + nanos.min(FAR)
}

impl Suspension {
    fn new(jni: &mut Env<'_>, env: &Inside, threads: &[JThread<'_>]) -> Outcome<Self> {
        let mut kept = Vec::with_capacity(threads.len());
        let mut candidates = Vec::with_capacity(threads.len());
        for (thread, state) in threads.iter().zip(states(env, threads)?) {
            let kept_thread = jni.new_global_ref(thread)?;
            if state & ThreadState::SUSPENDED.0 == 0 {
                candidates.push(alias(&kept_thread));
            }
            kept.push(kept_thread);
        }
        Ok(Self {
            token: TOKENS.fetch_add(1, Ordering::Relaxed),
            handle: env.handle(),
            phase: AtomicU8::new(phase::SUSPENDING),
            results: Mutex::new(vec![Error::INTERNAL; kept.len()]),
            threads: kept,
            candidates,
            ours: OnceLock::new(),
        })
    }

    pub(crate) fn token(&self) -> i64 {
        self.token
    }

    pub(crate) fn handle(&self) -> u64 {
        self.handle
    }

    /// The call that suspends has returned; what came too late is undone.
    fn suspended(&self, env: &jvmti::Env) {
        if !self.take(phase::SUSPENDING, phase::SUSPENDED) {
            resume(env, self.ours(), &mut self.room());
            self.phase.store(phase::EXPIRED, Ordering::SeqCst);
        }
    }

    /// The deadline has passed: the watchdog resumes. False: it is to come again.
    pub(crate) fn expire(&self, me: Me) -> bool {
        let Ok(env) = gate::enter(me, self.handle.cast_signed()) else {
            // Closing it has resumed them.
            return true;
        };
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let over = self.undo(&env, &mut results);
        env.leave_to_others();
        over
    }

    /// Resumes the threads for those who do not wait for the action to end. False: the call that
    /// suspends them is still under way.
    fn undo(&self, env: &jvmti::Env, results: &mut [Error]) -> bool {
        if self.take(phase::SUSPENDED, phase::EXPIRED) {
            resume(env, self.ours(), results);
            return true;
        }
        let _ = self.take(phase::SUSPENDING, phase::LATE);
        let late = self.phase.load(Ordering::SeqCst) == phase::LATE;
        if late {
            resume(env, &self.candidates, results);
        }
        !late
    }

    fn ours(&self) -> &[JThread<'static>] {
        self.ours.get().map_or(&[], Vec::as_slice)
    }

    /// Room for a result of each thread.
    fn room(&self) -> Vec<Error> {
        vec![Error::INTERNAL; self.threads.len()]
    }

    fn take(&self, from: u8, to: u8) -> bool {
        let taken = self
            .phase
            .compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst);
        taken.is_ok()
    }
}

/// What each thread is doing. Of many at once, because since 21 each question about a platform
/// thread goes through all threads first.
fn states(env: &Inside, threads: &[JThread<'_>]) -> Outcome<Vec<i32>> {
    match threads {
        [thread] => Ok(vec![env.thread_state(Some(thread))?]),
        many => {
            let infos = env.thread_list_stack_traces(many, 0)?;
            Ok(infos.iter().map(|info| info.state).collect())
        }
    }
}

/// Resumes `threads`; those that have ended, or that somebody else has resumed, are not news.
fn resume(env: &jvmti::Env, threads: &[JThread<'static>], results: &mut [Error]) {
    if let Some(results) = results.get_mut(..threads.len())
        && !threads.is_empty()
    {
        let _ = env.resume_thread_list(threads, results);
    }
}

/// A second name of a thread that `threads` keeps.
fn alias(thread: &Global<JThread<'static>>) -> JThread<'static> {
    // SAFETY: a `JThread` is a `jobject` and deletes nothing. The global reference lives as long as
    // the suspension that holds both.
    unsafe { std::mem::transmute::<jobject, JThread<'static>>(thread.as_raw()) }
}
