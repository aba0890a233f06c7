//! Threads that were suspended at once, until somebody lets them go.

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Global;
use jni::sys::jobject;
use jvmti::sys::Error;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::thread_set::ThreadSet;

/// How many are suspended, or resumed, at once: then one can tell that it goes on.
pub(super) const AT_ONCE: usize = 1024;

static TOKENS: AtomicI64 = AtomicI64::new(1);

/// How the suspension ends.
mod outcome {
    pub(super) const UNKNOWN: u8 = 0;
    pub(super) const IN_TIME: u8 = 1;
    pub(super) const EXPIRED: u8 = 2;
}

/// The thread of a call that suspends.
pub(super) type Caller = Arc<Global<JThread<'static>>>;

/// Who has threads suspended, and for how long.
pub(super) struct Term {
    pub(super) asked_by: Caller,
    /// All others are, for him to act meanwhile.
    pub(super) standstill: bool,
    /// When the watchdog lets them go.
    pub(super) deadline: Instant,
    /// Until when others may suspend some of them for longer: the first deadline of those who have begun to
    /// keep them so, each while another one did. So nobody keeps them so for ever, one after the other.
    pub(super) joined_until: Instant,
}

impl Term {
    /// Whether somebody else may have some of the threads suspended until `deadline` from now on.
    pub(super) fn allows(&self, deadline: Instant) -> bool {
        deadline <= self.deadline || Instant::now() < self.joined_until
    }
}

/// Some threads, suspended at once for one environment.
pub(crate) struct Suspension {
    token: i64,
    pub(super) handle: u64,
    pub(super) term: Term,
    /// Disposed only after the watchdog has let go of this.
    env: &'static jvmti::Env,
    outcome: AtomicU8,
    /// Those that it has suspended, or keeps so together with others: nobody else is resumed.
    pub(super) suspended: Vec<JThread<'static>>,
    /// Made when somebody resumes or suspends threads meanwhile.
    own: OnceLock<ThreadSet>,
    ours: Mutex<Ours>,
    /// Rung when it is over, or has none apart any more.
    changed: Condvar,
    /// Keeps alive what is suspended.
    _threads: Arc<Vec<Global<JThread<'static>>>>,
}

/// How many suspensions keep one thread suspended: it is for the last of them to resume it.
pub(super) struct Keepers(AtomicUsize);

impl Keepers {
    pub(super) fn one() -> Arc<Self> {
        Arc::new(Self(AtomicUsize::new(1)))
    }

    /// Only while one of them is sure to stay.
    pub(super) fn one_more(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// One of them is over; whether it was the last.
    fn one_less(&self) -> bool {
        self.0.fetch_sub(1, Ordering::SeqCst) == 1
    }
}

/// With whom a suspension keeps threads suspended, by their places.
pub(super) type Shared = HashMap<usize, Arc<Keepers>>;

/// A thread that a suspension keeps suspended.
pub(super) struct Kept {
    pub(super) thread: JThread<'static>,
    /// Those that do, if there are others.
    pub(super) keepers: Option<Arc<Keepers>>,
}

impl Kept {
    fn is_to_be_resumed(&self) -> bool {
        self.keepers
            .as_ref()
            .is_none_or(|keepers| keepers.one_less())
    }
}

/// What is to be resumed, and room for doing it, made while there is time.
struct Ours {
    kept: Vec<Kept>,
    threads: Vec<JThread<'static>>,
    results: Vec<Error>,
    /// The watchdog resumes them, or has.
    begun: bool,
    /// The steward has some apart.
    apart: bool,
    /// All are resumed, but those that are apart.
    over: bool,
}

/// One of the threads of a suspension that is in somebody's list, too.
pub(super) struct Named {
    /// What the suspension calls it: once for each time that it has suspended it.
    pub(super) names: Vec<jobject>,
    /// Its places in the list.
    pub(super) places: Vec<usize>,
}

impl Suspension {
    /// Those of `threads` that `env` has just suspended, with these `results`, and those whose places are `shared` with
    /// other suspensions.
    pub(super) fn new(
        env: &Inside,
        threads: Arc<Vec<Global<JThread<'static>>>>,
        results: &[Error],
        mut shared: Shared,
        term: Term,
    ) -> Self {
        let mut kept = Vec::with_capacity(threads.len());
        for (place, (thread, result)) in threads.iter().zip(results).enumerate() {
            let keepers = shared.remove(&place);
            if *result == Error::NONE || keepers.is_some() {
                let thread = alias(thread);
                kept.push(Kept { thread, keepers });
            }
        }
        Self {
            token: TOKENS.fetch_add(1, Ordering::Relaxed),
            handle: env.handle(),
            term,
            env: env.borrow_until_disposed(),
            outcome: AtomicU8::new(outcome::UNKNOWN),
            suspended: kept.iter().map(|one| alias(&one.thread)).collect(),
            own: OnceLock::new(),
            ours: Mutex::new(Ours {
                threads: Vec::with_capacity(kept.len()),
                results: vec![Error::INTERNAL; kept.len()],
                kept,
                begun: false,
                apart: false,
                over: false,
            }),
            changed: Condvar::new(),
            _threads: threads,
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

    /// Lets the threads go that nobody else keeps. That some have ended, or that somebody else has resumed them, is no
    /// news. Each part of many is resumed by `a_part`.
    pub(super) fn resume(&self, a_part: impl Fn(&mut dyn FnMut())) {
        let mut ours = self.lock();
        ours.begun = true;
        let kept = mem::take(&mut ours.kept);
        let (mut threads, mut results) =
            (mem::take(&mut ours.threads), mem::take(&mut ours.results));
        // Whoever wants to leave it waits for no call into the VM.
        drop(ours);
        threads.extend(those_to_be_resumed(&kept));
        results.truncate(threads.len());
        resume(self.env, &threads, &mut results, a_part);
    }

    /// The watchdog has resumed them, and watches it no more.
    pub(super) fn tell_over(&self) {
        self.lock().over = true;
        self.changed.notify_all();
    }

    /// Waits until it is over, but at most `bound`; whether it is.
    pub(super) fn wait_until_over(&self, bound: Duration) -> bool {
        self.wait_while(bound, |ours| !ours.over)
    }

    /// Waits until it is over and none is [apart](Self::set_apart), but at most `bound`; whether that is so.
    pub(super) fn wait_until_all_run(&self, bound: Duration) -> bool {
        self.wait_while(bound, |ours| !ours.over || ours.apart)
    }

    fn wait_while(&self, bound: Duration, condition: impl Fn(&Ours) -> bool) -> bool {
        let waited = self
            .changed
            .wait_timeout_while(self.lock(), bound, |ours| condition(ours));
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }

    /// Those of its threads that are in `threads`, the list that `listed` was made of.
    pub(super) fn named_in(
        &self,
        jni: &Env<'_>,
        env: &jvmti::Env,
        threads: &[&JThread<'_>],
        listed: &ThreadSet,
    ) -> Outcome<Vec<Named>> {
        let own = match self.own.get() {
            Some(known) => known,
            None => {
                let made = ThreadSet::of(env, &self.suspended)?;
                self.own.get_or_init(|| made)
            }
        };
        let both = own.in_both(jni, &self.suspended, listed, threads)?;
        let name = |place: usize| self.suspended[place].as_raw();
        let all = both.into_iter().map(|(own, places)| Named {
            names: own.into_iter().map(name).collect(),
            places,
        });
        Ok(all.collect())
    }

    /// Whether it still keeps one of those that are `named`, which nobody has resumed meanwhile.
    pub(super) fn keeps(&self, named: &[Named]) -> bool {
        let names = in_order(named);
        self.lock().has_one(&names)
    }

    /// Does not resume those that are `named` any more.
    pub(super) fn leave(&self, named: &[Named]) {
        if !named.is_empty() {
            let names = in_order(named);
            drop(self.lock().take_out(&names));
        }
    }

    /// Those that are `named` and that it would resume, until [`Self::put_back`]. None: they are being resumed, or were.
    pub(super) fn set_apart(&self, named: &[Named]) -> Option<Vec<Kept>> {
        let names = in_order(named);
        let mut ours = self.lock();
        if ours.begun {
            return None;
        }
        ours.apart = true;
        Some(ours.take_out(&names))
    }

    /// It keeps these again; if it has resumed all others meanwhile, these are now.
    pub(super) fn put_back(&self, kept: Vec<Kept>) {
        let mut ours = self.lock();
        if !ours.begun {
            ours.kept.extend(kept);
            let length = ours.kept.len();
            ours.threads.reserve(length);
            ours.results.resize(length, Error::INTERNAL);
        } else if !kept.is_empty() {
            drop(ours);
            let threads: Vec<_> = those_to_be_resumed(&kept).collect();
            let mut results = vec![Error::INTERNAL; threads.len()];
            if !threads.is_empty() {
                let _ = self.env.resume_thread_list(&threads, &mut results);
            }
            ours = self.lock();
        }
        ours.apart = false;
        drop(ours);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Ours> {
        self.ours.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ours {
    /// Whether one with one of `names`, which are in order, is still to be resumed.
    fn has_one(&self, names: &[jobject]) -> bool {
        let is_named = |one: &Kept| names.binary_search(&one.thread.as_raw()).is_ok();
        !names.is_empty() && self.kept.iter().any(is_named)
    }

    /// Those with one of `names`, which are in order.
    fn take_out(&mut self, names: &[jobject]) -> Vec<Kept> {
        let is_named = |one: &mut Kept| names.binary_search(&one.thread.as_raw()).is_ok();
        let taken = self.kept.extract_if(.., is_named).collect();
        self.results.truncate(self.kept.len());
        taken
    }
}

/// Those of `kept` that nobody else keeps.
fn those_to_be_resumed(kept: &[Kept]) -> impl Iterator<Item = JThread<'static>> {
    let last = kept.iter().filter(|one| one.is_to_be_resumed());
    last.map(|one| alias(&one.thread))
}

/// The names of those that are `named`, in order.
pub(super) fn in_order(named: &[Named]) -> Vec<jobject> {
    let mut names: Vec<_> = named.iter().flat_map(|one| &one.names).copied().collect();
    names.sort_unstable();
    names
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
pub(super) fn alias(thread: &impl AsRef<JThread<'static>>) -> JThread<'static> {
    // SAFETY: a `JThread` is a `jobject` and deletes nothing. The global reference lives as long as
    // whatever holds the alias: a suspension holds both.
    unsafe { mem::transmute::<jobject, JThread<'static>>(thread.as_ref().as_raw()) }
}

/// Resumes those that can be, each part by `a_part`.
pub(super) fn resume(
    env: &jvmti::Env,
    threads: &[JThread<'static>],
    results: &mut [Error],
    a_part: impl Fn(&mut dyn FnMut()),
) {
    for (some, results) in threads.chunks(AT_ONCE).zip(results.chunks_mut(AT_ONCE)) {
        a_part(&mut || {
            let _ = env.resume_thread_list(some, results);
        });
    }
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

/// Whether it went well at one of the `places` of a thread.
pub(super) fn any_done(results: &[Error], places: &[usize]) -> bool {
    places.iter().any(|&place| results[place] == Error::NONE)
}

/// What tests suspend, and the VM in which they do.
#[cfg(test)]
pub(super) mod on_paper {
    use std::cell::{Cell, RefCell};
    use std::ptr::{self, NonNull};

    use jni::sys::jint;
    use jvmti::sys::{self, ThreadState};

    use super::*;
    use crate::environment::gate::{self, Me};
    use crate::environment::handles;

    thread_local! {
        pub(in crate::thread) static HASHED: Cell<usize> = const { Cell::new(0) };
        pub(in crate::thread) static RESUMED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
        pub(in crate::thread) static RUNS: Cell<usize> = const { Cell::new(0) };
    }

    /// Threads of one hundred have one hash code.
    unsafe extern "system" fn hash(_: *mut sys::Env, object: jobject, hash: *mut jint) -> Error {
        if object.is_null() {
            return Error::INVALID_OBJECT;
        }
        HASHED.set(HASHED.get() + 1);
        // SAFETY: the layer lends a place for it.
        unsafe { *hash = i32::try_from(object.addr() / 100).unwrap() };
        Error::NONE
    }

    unsafe extern "system" fn resume(
        _: *mut sys::Env,
        count: jint,
        threads: *const jobject,
        results: *mut Error,
    ) -> Error {
        for place in 0..usize::try_from(count).unwrap() {
            // SAFETY: the layer lends as many of both.
            unsafe {
                RESUMED.with_borrow_mut(|resumed| resumed.push((*threads.add(place)).addr()));
                *results.add(place) = Error::NONE;
            }
        }
        Error::NONE
    }

    unsafe extern "system" fn state(_: *mut sys::Env, thread: jobject, bits: *mut jint) -> Error {
        let runs = thread.addr() == RUNS.get();
        let state = match runs {
            true => ThreadState::ALIVE,
            false => ThreadState::ALIVE | ThreadState::SUSPENDED,
        };
        // SAFETY: the layer lends a place for it.
        unsafe { *bits = state.bits() };
        Error::NONE
    }

    unsafe extern "system" fn version(_: *mut sys::Env, version: *mut jint) -> Error {
        // SAFETY: the layer lends a place for it.
        unsafe { *version = 0x3011_0000 };
        Error::NONE
    }

    pub(in crate::thread) fn inside() -> Inside {
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
            GetObjectHashCode: Some(hash),
            GetThreadState: Some(state),
            GetVersionNumber: Some(version),
            ResumeThreadList: Some(resume),
            ..sys::FunctionTable::default()
        }));
        let cell: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and its table answers what is asked here.
        let env = unsafe { jvmti::OwnedEnv::from_raw(NonNull::from(cell)) };
        let handle = handles::publish(env.leak(), None).unwrap();
        let me = Me::new(ptr::from_ref(&HASHED).cast_mut().cast());
        gate::enter(me, handle.cast_signed()).unwrap()
    }

    pub(in crate::thread) fn threads(jni: &Env<'_>, numbers: &[usize]) -> Vec<JThread<'static>> {
        let raw = |&number| ptr::without_provenance_mut(number);
        // SAFETY: the paper VM looks at no reference.
        let thread = |number| unsafe { mem::transmute(JThread::from_raw(jni, raw(number))) };
        numbers.iter().map(thread).collect()
    }

    pub(in crate::thread) fn term(jni: &Env<'_>) -> Term {
        let deadline = Instant::now() + Duration::from_secs(3600);
        let asked_by = globals(jni, &threads(jni, &[999])).unwrap().remove(0);
        let asked_by = Arc::new(asked_by);
        mem::forget(Arc::clone(&asked_by));
        Term {
            asked_by,
            standstill: false,
            deadline,
            joined_until: deadline,
        }
    }

    /// Of a list, each thread of which was suspended at the first of its places.
    pub(in crate::thread) fn suspended(
        jni: &Env<'_>,
        env: &Inside,
        numbers: &[usize],
    ) -> Arc<Suspension> {
        let threads = Arc::new(globals(jni, &threads(jni, numbers)).unwrap());
        // There is no VM that could delete them.
        mem::forget(Arc::clone(&threads));
        let mut results = vec![Error::THREAD_SUSPENDED; numbers.len()];
        for (place, number) in numbers.iter().enumerate() {
            if !numbers[..place].contains(number) {
                results[place] = Error::NONE;
            }
        }
        Arc::new(Suspension::new(
            env,
            threads,
            &results,
            Shared::new(),
            term(jni),
        ))
    }

    /// Whom its end resumes.
    pub(in crate::thread) fn resumed(one: &Suspension) -> Vec<usize> {
        RESUMED.take();
        one.resume(|part| part());
        RESUMED.take()
    }
}
