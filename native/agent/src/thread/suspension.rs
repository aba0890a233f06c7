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
use crate::thread::owned_monitors::is_virtual;
use crate::thread::requester::{Granted, Requester};
use crate::thread::suspended::{Suspension, alias, globals};
use crate::thread::thread_set::ThreadSet;
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
    let suspension = Suspension::new(env, threads, ours, acting);
    let token = suspension.token();
    watchdog::watch(deadline, Arc::new(suspension));
    Ok(Begun {
        token,
        results,
        deadline,
    })
}
