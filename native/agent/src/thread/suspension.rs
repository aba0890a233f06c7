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
use crate::thread::by_parts;
use crate::thread::requester::{Granted, Requester};
use crate::thread::suspended::{Caller, Shared, Suspension, Term, alias, any_done, globals};
use crate::thread::under_way::InCommon;
use crate::thread::watchdog;

/// A deadline that is too far away to be told stands for this.
const FAR: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// How long closing waits for the watchdog, which waits for nobody.
const RELEASED: Duration = Duration::from_secs(1);

/// How many threads are suspended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// One that nobody else has suspended.
    One,
    /// Some that the caller names, together with who else has suspended them.
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
            let env = gate::enter(Me::new(jni.get_raw()), handle)?;
            suspend(jni, &env, who, Arc::clone(&threads), nanos, extent)
        },
        |_, begun| drop(watchdog::end_soon(begun.token)),
    )
}

/// Resumes what `token` stands for; false: it took too long, and they were resumed before.
pub(crate) fn end(jni: &Env<'_>, token: i64) -> Outcome<bool> {
    watchdog::end(jni, token)
}

/// Has what a token stands for resumed when this goes, whatever becomes of its reader, and waits for nobody.
pub(crate) struct AtLast(i64);

impl AtLast {
    pub(crate) fn of(begun: &Begun) -> Self {
        Self(begun.token)
    }

    /// Resumes it now; false: it took too long, and they were resumed before.
    pub(crate) fn end(&self, jni: &Env<'_>) -> Outcome<bool> {
        end(jni, self.0)
    }

    /// It is somebody else's to resume it now.
    pub(crate) fn hand_over(self) -> i64 {
        let token = self.0;
        std::mem::forget(self);
        token
    }
}

impl Drop for AtLast {
    fn drop(&mut self) {
        drop(watchdog::end_soon(self.0));
    }
}

/// What is suspended for the time of an action.
pub(crate) struct ForATime;

impl Undone for ForATime {
    fn wake(&self) {
        watchdog::wake();
    }

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
        if one.term.standstill && !jni.is_same_object(&*one.term.asked_by, who)? {
            return Ok(Some(one));
        }
    }
    Ok(None)
}

fn suspend(
    jni: &Env<'_>,
    env: &Inside,
    who: &Caller,
    threads: Arc<Vec<Global<JThread<'static>>>>,
    nanos: i64,
    extent: Extent,
) -> Outcome<Granted<Begun>> {
    let all: Vec<_> = threads.iter().map(alias).collect();
    let nanos = Duration::from_nanos(nanos.max(0).cast_unsigned()).min(FAR);
    let before = InCommon::with(jni, env, &all.iter().collect::<Vec<_>>())?;
    let together = extent != Extent::One;
    if together
        && let Some(other) = before.lengthened(jni, env, who, &all, Instant::now() + nanos)?
    {
        return Ok(Granted::After(other));
    }
    let joined_until = before.joined_until().filter(|_| together);
    let before = Apart::take(before)?;
    // From here on they stand still.
    let began = Instant::now();
    // To resume them takes as long.
    let suspend = || by_parts::suspend(env, &all, nanos / 3);
    let (mut results, shared) = match together {
        true => before.suspend_together(suspend)?,
        false => (
            before.suspend(suspend, |results, places| any_done(results, places))?,
            Shared::new(),
        ),
    };
    // Resuming takes as long as suspending.
    let deadline = began + nanos.saturating_sub(began.elapsed());
    let term = Term {
        asked_by: Arc::clone(who),
        standstill: extent == Extent::Standstill,
        deadline,
        joined_until: joined_until.map_or(deadline, |until| until.min(deadline)),
    };
    let kept_together: Vec<_> = shared.keys().copied().collect();
    let suspension = Suspension::new(env, threads, &results, shared, term);
    let token = suspension.token();
    watchdog::watch(deadline, Arc::new(suspension));
    // Those that it keeps together with others stand still because of it, too.
    for place in kept_together {
        results[place] = Error::NONE;
    }
    Ok(Granted::Now(Begun {
        token,
        results,
        deadline,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread::suspended::on_paper::{inside, suspended};
    use crate::vm::paper::with_jni;

    #[test]
    fn whatever_becomes_of_its_reader_it_is_to_be_resumed() {
        with_jni(|jni| {
            let env = inside();
            let one = suspended(jni, &env, &[1]);
            let of = || Begun {
                token: one.token(),
                results: Vec::new(),
                deadline: Instant::now() + FAR,
            };
            watchdog::watch(of().deadline, Arc::clone(&one));
            assert_eq!(AtLast::of(&of()).hand_over(), one.token());
            assert!(!one.ended_in_time());
            drop(AtLast::of(&of()));
            assert!(one.ended_in_time());
        });
    }
}
