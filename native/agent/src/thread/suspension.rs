//! Threads that are suspended for the time of one action, and not longer than its deadline.
//!
//! The steward suspends them and the watchdog resumes them, so neither waits for a thread that is
//! suspended in turn. Nothing is suspended for a thread that stands still itself: it would let others
//! wait for the one who suspended it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Global;
use jni::sys::jobject;
use jvmti::sys::Error;

use crate::environment::gate::{self, Inside, Me};
use crate::environment::undone::Undone;
use crate::failure::Outcome;
use crate::thread::requester::{Granted, Requester};
use crate::thread::suspended::{Suspension, alias, globals, those_done};
use crate::thread::thread_set::ThreadSet;
use crate::thread::virtual_thread::is_virtual;
use crate::thread::watchdog;

/// A deadline that is too far away to be told stands for this.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// How long closing waits for the watchdog, which waits for nobody.
const RELEASED: Duration = Duration::from_secs(1);

/// How long the steward waits for it, where what it resumes just now is to be suspended for longer.
const RESUMED: Duration = Duration::from_secs(4);

/// How many threads are suspended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Some that the caller names.
    Some,
    /// All others. Only one thread of the VM may have that at a time: two would stop each other.
    Standstill,
}

/// What [`begin`] has begun.
pub(crate) struct Begun {
    pub(crate) token: i64,
    /// How it went with each thread.
    pub(crate) results: Vec<Error>,
    /// When the watchdog lets them go.
    pub(crate) deadline: Instant,
}

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
            suspend(jni, &env, Arc::clone(&threads), nanos, acting).map(Granted::Now)
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
        watchdog::wait_for(&suspension, RELEASED);
    }
}

/// What is suspended for the time of an action.
pub(crate) struct ForATime;

impl Undone for ForATime {
    /// False: the watchdog has not done it.
    fn undo(&self, _: &jvmti::Env, handle: u64) -> bool {
        watchdog::expire(RELEASED, |one| one.handle == handle)
    }

    fn undo_all(&self) {
        watchdog::expire(RELEASED, |_| true);
    }

    fn may_keep_suspended(&self, handle: u64) -> bool {
        watchdog::suspensions()
            .iter()
            .any(|one| one.handle == handle)
    }

    fn keeps_suspended(&self, _: &mut Env<'_>, env: &Inside) -> Outcome<bool> {
        Ok(self.may_keep_suspended(env.handle()))
    }
}

/// What is under way at one moment.
pub(super) struct UnderWay(Vec<Arc<Suspension>>);

pub(super) fn under_way() -> UnderWay {
    UnderWay(watchdog::suspensions())
}

impl UnderWay {
    /// Somebody has resumed `threads`: what is under way does not resume them any more.
    pub(super) fn leave(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        threads: &[&JThread<'_>],
    ) -> Outcome<()> {
        for one in &self.0 {
            one.leave(&one.names(jni, env, threads)?);
        }
        Ok(())
    }

    /// Somebody has resumed all virtual threads but those of a list.
    pub(super) fn leave_virtual(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        except: &[JThread<'_>],
    ) -> Outcome<()> {
        for (one, names) in self.virtual_threads(jni, env, except)? {
            one.leave(&names);
        }
        Ok(())
    }

    /// What is under way, each with its own names of the virtual threads but those of a list.
    fn virtual_threads(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        except: &[JThread<'_>],
    ) -> Outcome<Vec<(Arc<Suspension>, Names)>> {
        if self.0.is_empty() {
            return Ok(Vec::new());
        }
        let left_out = ThreadSet::of(env, except)?;
        let mut all = Vec::new();
        for one in &self.0 {
            let mut names = Names::new();
            for thread in one.threads.iter() {
                if is_virtual(jni, thread)?
                    && !left_out.contains(jni, except, env.object_hash_code(thread)?, thread)?
                {
                    names.push((thread.as_raw(), 0));
                }
            }
            all.push((Arc::clone(one), names));
        }
        Ok(all)
    }
}

/// Names of threads in one suspension, each with its place in somebody else's list.
type Names = Vec<(jobject, usize)>;

/// What is to be suspended for longer, taken out of what is under way before: so nothing that ends meanwhile or later
/// resumes it. What then could not be suspended is put back, at the latest when this is dropped. Only the steward has
/// one, so nothing else is suspended meanwhile.
pub(super) struct Apart(Vec<(Arc<Suspension>, Names, Vec<JThread<'static>>)>);

impl Apart {
    /// `threads`, which may be in what is under way.
    pub(super) fn some(jni: &Env<'_>, env: &Inside, threads: &[&JThread<'_>]) -> Outcome<Self> {
        let mut apart = Self(Vec::new());
        for one in under_way().0 {
            let names = one.names(jni, env, threads)?;
            apart.take(one, names)?;
        }
        Ok(apart)
    }

    /// All virtual threads but those of a list.
    pub(super) fn virtual_threads(
        jni: &Env<'_>,
        env: &Inside,
        except: &[JThread<'_>],
    ) -> Outcome<Self> {
        let mut apart = Self(Vec::new());
        for (one, names) in under_way().virtual_threads(jni, env, except)? {
            apart.take(one, names)?;
        }
        Ok(apart)
    }

    /// If they are being resumed just now, waits until that is over.
    fn take(&mut self, one: Arc<Suspension>, names: Names) -> Outcome<()> {
        if names.is_empty() {
            return Ok(());
        }
        match one.set_apart(&names) {
            Some(threads) => self.0.push((one, names, threads)),
            None if watchdog::wait_for(&one, RESUMED) => {}
            None => return Err(watchdog::stalled()),
        }
        Ok(())
    }

    /// Has `suspend` suspend them; those of whose places `is_suspended` holds then stay apart.
    pub(super) fn suspend<T>(
        mut self,
        suspend: impl FnOnce() -> Outcome<T>,
        is_suspended: impl Fn(&T, usize) -> bool,
    ) -> Outcome<T> {
        let suspended = suspend()?;
        for (_, names, threads) in &mut self.0 {
            names.retain(|(_, place)| is_suspended(&suspended, *place));
            names.sort_unstable();
            let is_named = |one: &JThread<'_>| {
                let found = names.binary_search_by_key(&one.as_raw(), |(name, _)| *name);
                found.is_ok()
            };
            threads.retain(|one| !is_named(one));
        }
        Ok(suspended)
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        if self.0.is_empty() {
            return;
        }
        for (one, _, threads) in self.0.drain(..) {
            one.put_back(threads);
        }
        watchdog::look_again();
    }
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
    jni: &Env<'_>,
    env: &Inside,
    threads: Arc<Vec<Global<JThread<'static>>>>,
    nanos: i64,
    acting: Option<Global<JThread<'static>>>,
) -> Outcome<Begun> {
    let all: Vec<_> = threads.iter().map(alias).collect();
    let nanos = Duration::from_nanos(nanos.max(0).cast_unsigned());
    let deadline = Instant::now() + nanos.min(FAR);
    let results = Apart::some(jni, env, &all.iter().collect::<Vec<_>>())?.suspend(
        || {
            let mut results = vec![Error::INTERNAL; all.len()];
            env.suspend_thread_list(&all, &mut results)?;
            Ok(results)
        },
        |results, place| results[place] == Error::NONE,
    )?;
    let ours: Vec<_> = those_done(&threads, &results).map(alias).collect();
    let suspension = Suspension::new(env, threads, ours, acting);
    let token = suspension.token();
    watchdog::watch(deadline, Arc::new(suspension));
    Ok(Begun {
        token,
        results,
        deadline,
    })
}
