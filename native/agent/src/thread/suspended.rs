//! Threads that were suspended at once, until somebody lets them go.

use std::mem;
use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Global;
use jni::sys::jobject;
use jvmti::sys::Error;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::thread_set::ThreadSet;

static TOKENS: AtomicI64 = AtomicI64::new(1);

/// How the suspension ends.
mod outcome {
    pub(super) const UNKNOWN: u8 = 0;
    pub(super) const IN_TIME: u8 = 1;
    pub(super) const EXPIRED: u8 = 2;
}

/// Some threads, suspended at once for one environment.
pub(crate) struct Suspension {
    token: i64,
    pub(super) handle: u64,
    /// Disposed only after the watchdog has let go of this.
    env: &'static jvmti::Env,
    outcome: AtomicU8,
    /// Of a standstill, the thread that acts meanwhile.
    pub(super) acting: Option<Global<JThread<'static>>>,
    /// Keeps alive what is to be resumed.
    pub(super) threads: Arc<Vec<Global<JThread<'static>>>>,
    /// Made when somebody resumes one of them.
    own: OnceLock<ThreadSet>,
    ours: Mutex<Ours>,
}

/// What is to be resumed, and room for the results, made while there is time.
struct Ours {
    threads: Vec<JThread<'static>>,
    results: Vec<Error>,
    /// The watchdog resumes them, or has.
    begun: bool,
    /// The steward has some apart.
    apart: bool,
}

impl Suspension {
    /// Those of `threads` that `env` has just `suspended`, which are aliases of theirs. Of a standstill, `acting` is the
    /// thread that acts meanwhile.
    pub(super) fn new(
        env: &Inside,
        threads: Arc<Vec<Global<JThread<'static>>>>,
        suspended: Vec<JThread<'static>>,
        acting: Option<Global<JThread<'static>>>,
    ) -> Self {
        Self {
            token: TOKENS.fetch_add(1, Ordering::Relaxed),
            handle: env.handle(),
            env: env.borrow_until_disposed(),
            outcome: AtomicU8::new(outcome::UNKNOWN),
            acting,
            threads,
            own: OnceLock::new(),
            ours: Mutex::new(Ours {
                results: vec![Error::INTERNAL; suspended.len()],
                threads: suspended,
                begun: false,
                apart: false,
            }),
        }
    }

    pub(super) fn token(&self) -> i64 {
        self.token
    }

    /// Its action has ended, in time unless the watchdog has begun to end it.
    pub(super) fn end_in_time(&self) {
        self.decide(outcome::IN_TIME);
    }

    /// The watchdog begins to end it: too late, unless its action has ended.
    pub(super) fn begin_to_end(&self) {
        self.decide(outcome::EXPIRED);
    }

    pub(super) fn ended_in_time(&self) -> bool {
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
    pub(super) fn resume(&self) {
        let mut ours = self.lock();
        ours.begun = true;
        let (threads, mut results) = (mem::take(&mut ours.threads), mem::take(&mut ours.results));
        // Whoever wants to leave it waits for no call into the VM.
        drop(ours);
        if !threads.is_empty() {
            let _ = self.env.resume_thread_list(&threads, &mut results);
        }
    }

    /// Its own names of `threads`, each with the place in that list.
    pub(super) fn names(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        threads: &[&JThread<'_>],
    ) -> Outcome<Vec<(jobject, usize)>> {
        let own = match self.own.get() {
            Some(known) => known,
            None => {
                let made = ThreadSet::of(env, &self.threads)?;
                self.own.get_or_init(|| made)
            }
        };
        let mut names = Vec::new();
        // A null is nobody's: the VM refuses it by itself.
        let some = threads.iter().enumerate().filter(|(_, one)| !one.is_null());
        for (index, thread) in some {
            let hash = env.object_hash_code(thread)?;
            for place in own.places(jni, &self.threads, hash, thread)? {
                names.push((self.threads[place].as_raw(), index));
            }
        }
        Ok(names)
    }

    /// Does not resume those of `names` any more.
    pub(super) fn leave(&self, names: &[(jobject, usize)]) {
        if !names.is_empty() {
            drop(self.lock().take_out(names));
        }
    }

    /// Those of `names` that it would resume, until [`Self::put_back`]. None: they are being resumed, or were.
    pub(super) fn set_apart(&self, names: &[(jobject, usize)]) -> Option<Vec<JThread<'static>>> {
        let mut ours = self.lock();
        if ours.begun {
            return None;
        }
        ours.apart = true;
        Some(ours.take_out(names))
    }

    /// It resumes these again; if it has resumed all others meanwhile, these are now.
    pub(super) fn put_back(&self, threads: Vec<JThread<'static>>) {
        let mut ours = self.lock();
        if !ours.begun {
            ours.threads.extend(threads);
            let length = ours.threads.len();
            ours.results.resize(length, Error::INTERNAL);
        } else if !threads.is_empty() {
            drop(ours);
            let mut results = vec![Error::INTERNAL; threads.len()];
            let _ = self.env.resume_thread_list(&threads, &mut results);
            ours = self.lock();
        }
        ours.apart = false;
    }

    /// Whether some that it was to resume are still [apart](Self::set_apart).
    pub(super) fn has_some_apart(&self) -> bool {
        self.lock().apart
    }

    fn lock(&self) -> MutexGuard<'_, Ours> {
        self.ours.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ours {
    fn take_out(&mut self, names: &[(jobject, usize)]) -> Vec<JThread<'static>> {
        let mut named: Vec<_> = names.iter().map(|(name, _)| *name).collect();
        named.sort_unstable();
        let is_named = |one: &mut JThread<'static>| named.binary_search(&one.as_raw()).is_ok();
        let taken = self.threads.extract_if(.., is_named).collect();
        self.results.truncate(self.threads.len());
        taken
    }
}

/// References that any thread can use.
pub(super) fn globals(
    jni: &Env<'_>,
    threads: &[JThread<'_>],
) -> Outcome<Vec<Global<JThread<'static>>>> {
    let globals = threads.iter().map(|thread| jni.new_global_ref(thread));
    Ok(globals.collect::<Result<_, _>>()?)
}

/// A second name of a thread that a global reference keeps.
pub(super) fn alias(thread: &Global<JThread<'static>>) -> JThread<'static> {
    // SAFETY: a `JThread` is a `jobject` and deletes nothing. The global reference lives as long as
    // whatever holds the alias: a suspension holds both.
    unsafe { mem::transmute::<jobject, JThread<'static>>(thread.as_raw()) }
}

/// Those with which it went well.
pub(super) fn those_done<'a, T>(
    threads: &'a [T],
    results: &'a [Error],
) -> impl Iterator<Item = &'a T> {
    let all = threads.iter().zip(results);
    all.filter(|(_, result)| **result == Error::NONE)
        .map(|(thread, _)| thread)
}
