//! Threads that are suspended for the time of one action, and not longer than its deadline.
//!
//! The steward suspends them and the watchdog resumes them, so neither waits for a thread that is
//! suspended in turn. Nothing is suspended for a thread that stands still itself: it would let others
//! wait for the one who suspended it.

use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Global;
use jni::sys::jobject;
use jvmti::sys::Error;

use crate::failure::Outcome;
use crate::gate::{self, Inside, Me};
use crate::owned_monitors::is_virtual;
use crate::requester::{Granted, Requester};
use crate::thread_set::ThreadSet;
use crate::watchdog;

/// A deadline that is too far away to be told stands for this.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// How long closing waits for the watchdog, which waits for nobody.
const RELEASED: Duration = Duration::from_secs(1);

/// How the suspension ends.
mod outcome {
    pub(super) const UNKNOWN: u8 = 0;
    pub(super) const IN_TIME: u8 = 1;
    pub(super) const EXPIRED: u8 = 2;
}

/// How many threads are suspended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Some that the caller names.
    Some,
    /// All others. Only one thread of the VM may have that at a time: two would stop each other.
    Standstill,
}

/// Some threads, suspended at once for one environment.
pub(crate) struct Suspension {
    token: i64,
    handle: u64,
    /// Disposed only after the watchdog has let go of this.
    env: &'static jvmti::Env,
    outcome: AtomicU8,
    /// Of a standstill, the thread that acts meanwhile.
    acting: Option<Global<JThread<'static>>>,
    /// Keeps alive what is to be resumed.
    threads: Arc<Vec<Global<JThread<'static>>>>,
    /// Made when somebody resumes one of them.
    own: OnceLock<ThreadSet>,
    ours: Mutex<Ours>,
}

/// What is to be resumed, and room for the results, made while there is time.
struct Ours {
    threads: Vec<JThread<'static>>,
    results: Vec<Error>,
}

/// What [`begin`] has begun.
pub(crate) struct Begun {
    pub(crate) token: i64,
    /// How it went with each thread.
    pub(crate) results: Vec<Error>,
    /// When the watchdog lets them go.
    pub(crate) deadline: Instant,
}

static TOKENS: AtomicI64 = AtomicI64::new(1);

/// Suspends `threads` until [`end`], but at most for so many `nanos`. Until then the caller must hold
/// nothing that they could need.
pub(crate) fn begin(
    jni: &mut Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
    nanos: i64,
    extent: Extent,
) -> Outcome<Begun> {
    watchdog::thread()?;
    let handle = env.handle().cast_signed();
    let threads = Arc::new(globals(jni, threads)?);
    Requester::new(jni, env)?.ask(
        jni,
        move |jni, who| {
            if extent == Extent::Standstill
                && let Some(other) = another_standstill(jni, who)?
            {
                return Ok(Granted::After(other));
            }
            let acting = match extent {
                Extent::Some => None,
                Extent::Standstill => Some(jni.new_global_ref(who)?),
            };
            let env = gate::enter(Me::new(jni.get_raw()), handle)?;
            suspend(&env, Arc::clone(&threads), nanos, acting).map(Granted::Now)
        },
        |_, begun| drop(watchdog::end_soon(begun.token)),
    )
}

/// Resumes what `token` stands for; false: it took too long, and they were resumed before.
pub(crate) fn end(jni: &Env<'_>, token: i64) -> Outcome<bool> {
    watchdog::end(jni, token)
}

/// Resumes what `token` stands for, for a caller that cannot.
pub(crate) fn end_at_once(token: i64) {
    if let Some(suspension) = watchdog::end_soon(token) {
        watchdog::wait_for(&suspension, Instant::now() + RELEASED);
    }
}

/// Undoes every suspension of the closed environment `handle`; false: the watchdog has not done it.
pub(crate) fn release(handle: u64) -> bool {
    watchdog::expire(RELEASED, |one| one.handle == handle)
}

/// Undoes every suspension there is.
pub(crate) fn release_all() -> bool {
    watchdog::expire(RELEASED, |_| true)
}

/// Somebody has resumed `threads`: if they are suspended once more, it is not for what is under way.
pub(crate) fn leave(jni: &Env<'_>, env: &Inside, threads: &[&JThread<'_>]) -> Outcome<()> {
    let under_way = watchdog::suspensions();
    under_way
        .iter()
        .try_for_each(|one| one.leave(jni, env, threads))
}

/// The virtual threads but those of a list were suspended or resumed by somebody else.
pub(crate) fn leave_virtual(jni: &Env<'_>, env: &Inside, except: &[JThread<'_>]) -> Outcome<()> {
    let under_way = watchdog::suspensions();
    if under_way.is_empty() {
        return Ok(());
    }
    let left_out = ThreadSet::of(env, except)?;
    for one in under_way {
        let mut left = Vec::new();
        for thread in one.threads.iter() {
            if is_virtual(jni, thread)?
                && !left_out.contains(jni, except, env.object_hash_code(thread)?, thread)?
            {
                left.push(thread.as_raw());
            }
        }
        one.leave_those(left);
    }
    Ok(())
}

/// Whether something is suspended for the environment `handle`.
pub(crate) fn is_under_way(handle: u64) -> bool {
    watchdog::suspensions()
        .iter()
        .any(|one| one.handle == handle)
}

/// References that any thread can use.
pub(crate) fn globals(
    jni: &Env<'_>,
    threads: &[JThread<'_>],
) -> Outcome<Vec<Global<JThread<'static>>>> {
    let globals = threads.iter().map(|thread| jni.new_global_ref(thread));
    Ok(globals.collect::<Result<_, _>>()?)
}

/// The standstill that somebody else has.
fn another_standstill(jni: &Env<'_>, who: &JThread<'_>) -> Outcome<Option<Arc<Suspension>>> {
    for one in watchdog::suspensions() {
        if let Some(acting) = &one.acting
            && !jni.is_same_object(acting, who)?
        {
            return Ok(Some(one));
        }
    }
    Ok(None)
}

fn suspend(
    env: &Inside,
    threads: Arc<Vec<Global<JThread<'static>>>>,
    nanos: i64,
    acting: Option<Global<JThread<'static>>>,
) -> Outcome<Begun> {
    let all: Vec<_> = threads.iter().map(alias).collect();
    let mut results = vec![Error::INTERNAL; all.len()];
    let nanos = Duration::from_nanos(nanos.max(0).cast_unsigned());
    let deadline = Instant::now() + nanos.min(FAR);
    env.suspend_thread_list(&all, &mut results)?;
    let both = all.into_iter().zip(&results);
    let ours: Vec<_> = both
        .filter(|(_, result)| **result == Error::NONE)
        .map(|(thread, _)| thread)
        .collect();
    let suspension = Suspension {
        token: TOKENS.fetch_add(1, Ordering::Relaxed),
        handle: env.handle(),
        env: env.borrow_until_disposed(),
        outcome: AtomicU8::new(outcome::UNKNOWN),
        acting,
        threads,
        own: OnceLock::new(),
        ours: Mutex::new(Ours {
            results: vec![Error::INTERNAL; ours.len()],
            threads: ours,
        }),
    };
    let token = suspension.token;
    watchdog::watch(deadline, Arc::new(suspension));
    Ok(Begun {
        token,
        results,
        deadline,
    })
}

impl Suspension {
    pub(crate) fn token(&self) -> i64 {
        self.token
    }

    /// Its action has ended, in time unless the watchdog has begun to end it.
    pub(crate) fn end_in_time(&self) {
        self.decide(outcome::IN_TIME);
    }

    /// The watchdog begins to end it: too late, unless its action has ended.
    pub(crate) fn begin_to_end(&self) {
        self.decide(outcome::EXPIRED);
    }

    pub(crate) fn ended_in_time(&self) -> bool {
        self.outcome.load(Ordering::SeqCst) == outcome::IN_TIME
    }

    /// The first to decide has decided.
    fn decide(&self, outcome: u8) {
        let _ = self.outcome.compare_exchange(
            outcome::UNKNOWN,
            outcome,
            Ordering::SeqCst,
            Ordering::SeqCst,
        );
    }

    /// Lets the threads go. That some have ended, or that somebody else has resumed them, is no news.
    pub(crate) fn resume(&self) {
        let mut ours = self.ours.lock().unwrap_or_else(PoisonError::into_inner);
        let Ours { threads, results } = &mut *ours;
        if !threads.is_empty() {
            let _ = self.env.resume_thread_list(threads, results);
        }
    }

    /// Leaves those of `threads` that are among its own.
    fn leave(&self, jni: &Env<'_>, env: &Inside, threads: &[&JThread<'_>]) -> Outcome<()> {
        let own = match self.own.get() {
            Some(known) => known,
            None => {
                let made = ThreadSet::of(env, &self.threads)?;
                self.own.get_or_init(|| made)
            }
        };
        let mut left = Vec::new();
        for thread in threads {
            let hash = env.object_hash_code(thread)?;
            for place in own.places(jni, &self.threads, hash, thread)? {
                left.push(self.threads[place].as_raw());
            }
        }
        self.leave_those(left);
        Ok(())
    }

    fn leave_those(&self, mut left: Vec<jobject>) {
        if left.is_empty() {
            return;
        }
        left.sort_unstable();
        let mut ours = self.ours.lock().unwrap_or_else(PoisonError::into_inner);
        ours.threads
            .retain(|one| left.binary_search(&one.as_raw()).is_err());
        let remaining = ours.threads.len();
        ours.results.truncate(remaining);
    }
}

/// A second name of a thread that a global reference keeps.
pub(crate) fn alias(thread: &Global<JThread<'static>>) -> JThread<'static> {
    // SAFETY: a `JThread` is a `jobject` and deletes nothing. The global reference lives as long as
    // whatever holds the alias: a suspension holds both.
    unsafe { std::mem::transmute::<jobject, JThread<'static>>(thread.as_raw()) }
}
