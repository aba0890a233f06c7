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
        watchdog::wait_for(&suspension, Instant::now() + RELEASED);
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

/// Has `suspend` suspend threads that `leave` then takes out of what is under way, so that nothing that ends later
/// resumes them: that they could be suspended shows that nobody suspends them any more. The watchdog may be resuming
/// some of them just then, with others: then they are suspended `again`. Only by the steward.
pub(super) fn from_now_on<T>(
    suspend: impl FnOnce() -> Outcome<T>,
    leave: impl FnOnce(&T, UnderWay) -> Outcome<()>,
    again: impl FnOnce(&T),
) -> Outcome<T> {
    let before = watchdog::turns();
    let suspended = suspend()?;
    leave(&suspended, under_way())?;
    if !watchdog::is_idle_since(before, RELEASED) {
        again(&suspended);
    }
    Ok(suspended)
}

impl UnderWay {
    /// Somebody has resumed `threads`, or suspended them after they were resumed: what is under way does not resume
    /// them any more.
    pub(super) fn leave(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        threads: &[&JThread<'_>],
    ) -> Outcome<()> {
        let mut all = self.0.iter();
        all.try_for_each(|one| one.leave(jni, env, threads))
    }

    /// The virtual threads but those of a list were suspended or resumed by somebody else.
    pub(super) fn leave_virtual(
        self,
        jni: &Env<'_>,
        env: &Inside,
        except: &[JThread<'_>],
    ) -> Outcome<()> {
        leave_virtual(self.0, jni, env, except)
    }
}

fn leave_virtual(
    under_way: Vec<Arc<Suspension>>,
    jni: &Env<'_>,
    env: &Inside,
    except: &[JThread<'_>],
) -> Outcome<()> {
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
    let (results, ours) = from_now_on(
        || {
            let mut results = vec![Error::INTERNAL; all.len()];
            env.suspend_thread_list(&all, &mut results)?;
            let ours: Vec<_> = those_done(&threads, &results).map(alias).collect();
            Ok((results, ours))
        },
        |(_, ours), under_way| {
            let left = under_way.leave(jni, env, &ours.iter().collect::<Vec<_>>());
            if left.is_err() {
                let _ = env.resume_thread_list(ours, &mut vec![Error::INTERNAL; ours.len()]);
            }
            left
        },
        |(_, ours)| {
            let _ = env.suspend_thread_list(ours, &mut vec![Error::INTERNAL; ours.len()]);
        },
    )?;
    let suspension = Suspension::new(env, threads, ours, acting);
    let token = suspension.token();
    watchdog::watch(deadline, Arc::new(suspension));
    Ok(Begun {
        token,
        results,
        deadline,
    })
}
