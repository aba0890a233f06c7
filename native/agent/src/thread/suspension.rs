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
use crate::thread::apart::Apart;
use crate::thread::requester::{Granted, Requester};
use crate::thread::suspended::{Suspension, alias, globals};
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
        suspension.wait_until_over(RELEASED);
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
    let before = Apart::some(jni, env, &all.iter().collect::<Vec<_>>())?;
    let (results, shared) = before.suspend_together(|| {
        let mut results = vec![Error::INTERNAL; all.len()];
        env.suspend_thread_list(&all, &mut results)?;
        Ok(results)
    })?;
    let suspension = Suspension::new(env, threads, &results, shared, acting);
    let token = suspension.token();
    watchdog::watch(deadline, Arc::new(suspension));
    Ok(Begun {
        token,
        results,
        deadline,
    })
}
