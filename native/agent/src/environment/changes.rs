//! Which capabilities an environment holds: changed by the steward alone.
//!
//! On 17 two threads that change different solo capabilities at once lose one for the life of the VM,
//! and a thread that is suspended inside such a change would keep everybody else out.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jvmti::sys::{Capabilities, Capability, Error};

use crate::environment::gate::{self, Inside, Me};
use crate::environment::{handles, held, life, loans, queue, undone};
use crate::failure::{Failure, Outcome};
use crate::vm::patience::LONG;
use crate::vm::steward;

/// How long what only calls hold is waited for, and how often the one who waits passes the VM meanwhile.
const PATIENCE: Duration = LONG;
const ROUND: Duration = Duration::from_millis(500);

/// Environments that were given what only one can hold: if one of them is forgotten, others want it.
static SOLO: Mutex<Vec<u64>> = Mutex::new(Vec::new());

/// Enters `env` once it is its own: for whatever changes it, as events do, and would change the one
/// that others share.
pub(crate) fn own(jni: &Env<'_>, env: &Inside) -> Outcome<Inside> {
    let handle = env.handle().cast_signed();
    if !env.is_own() {
        let made_own =
            move |jni: &mut Env<'_>| life::enter_own(Me::new(jni.get_raw()), handle).map(drop);
        steward::ask(jni, made_own, |_, ()| {})?;
    }
    gate::enter(Me::new(jni.get_raw()), handle)
}

/// Adds `wanted` to what `env` holds: all of it or nothing.
pub(crate) fn add(jni: &Env<'_>, env: &Inside, wanted: Capabilities) -> Outcome<()> {
    let handle = env.handle();
    let added = obtain(
        jni,
        handle,
        wanted,
        |added| added,
        move |jni, added| {
            if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle.cast_signed()) {
                let _ = env.relinquish_capabilities(&added);
            }
            held::take_back();
        },
    );
    added.map(drop)
}

/// What became of a request.
enum Asked<T> {
    Granted(T),
    /// Nothing is in its way but these, which others hold for calls that are inside, or wait for.
    Passing(Capabilities),
}

/// Has the steward acquire `wanted` for `handle`, and then do `deed` with what of it is new. He only
/// tries: what others hold for calls that soon end is waited for here, with nothing in one's hands. If the
/// answer comes too late, `undo` undoes it.
pub(super) fn obtain<T: Send + 'static>(
    jni: &Env<'_>,
    handle: u64,
    wanted: Capabilities,
    deed: impl Fn(Capabilities) -> T + Copy + Send + 'static,
    undo: impl Fn(&mut Env<'_>, T) + Copy + Send + 'static,
) -> Outcome<T> {
    let mut waits_until = Instant::now() + PATIENCE;
    let place = queue::Place::last();
    loop {
        let (rung, behind) = (queue::rung(), place.behind());
        let asked = steward::ask(
            jni,
            move |jni| match queue::awaited(behind, handle, &wanted) {
                awaited if !awaited.is_empty() && !loans::lasts(handle, &wanted, queue::POLITE) => {
                    Ok(Asked::Passing(awaited))
                }
                _ => try_to_grant(jni, handle, &wanted, deed),
            },
            move |jni, late| {
                if let Asked::Granted(done) = late {
                    undo(jni, done);
                }
            },
        );
        let passing = match asked? {
            Asked::Granted(done) => return Ok(done),
            Asked::Passing(passing) => passing,
        };
        let left = waits_until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(kept(&passing));
        }
        place.wait(handle, wanted);
        let begun = Instant::now();
        queue::wait_for_ring(rung, left.min(ROUND));
        // A busy machine lets him sleep for longer: that wears nobody's patience out.
        waits_until += begun.elapsed().saturating_sub(ROUND);
        waits_until = later_by(waits_until, || {
            place.leave();
            // Here it stops if it is suspended.
            steward::pass_through_vm(jni)?;
            place.wait(handle, wanted);
            Ok(())
        })?;
    }
}

/// `until`, later by the time that `stop` takes.
fn later_by(until: Instant, stop: impl FnOnce() -> Outcome<()>) -> Outcome<Instant> {
    let stopped = Instant::now();
    stop()?;
    Ok(until + stopped.elapsed())
}

fn try_to_grant<T>(
    jni: &mut Env<'_>,
    handle: u64,
    wanted: &Capabilities,
    deed: impl FnOnce(Capabilities) -> T,
) -> Outcome<Asked<T>> {
    match grant(jni, handle, wanted) {
        Ok(new) => Ok(Asked::Granted(deed(new))),
        Err(Failure::Jvmti(refused)) if refused.code == Error::NOT_AVAILABLE => {
            let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
            let missing = wanted.difference(&env.potential_capabilities()?);
            let soon_free = loans::passing(jni)?;
            match passes(&missing, &soon_free, life::any_closing()) {
                true => Ok(Asked::Passing(missing)),
                false => Err(refused.into()),
            }
        }
        Err(failure) => Err(failure),
    }
}

/// Whether `missing` is worth waiting for: calls will give it back, or a closed environment may.
fn passes(missing: &Capabilities, soon_free: &Capabilities, any_closing: bool) -> bool {
    !missing.is_empty() && (any_closing || missing.difference(soon_free).is_empty())
}

fn kept(passing: &Capabilities) -> Failure {
    Failure::Stalled(format!(
        "another environment has had {passing:?} for 5 seconds, for calls that are inside or because what it \
         suspended is still being resumed, and only one environment can have it at a time; the thread of such a \
         call may be suspended"
    ))
}

/// Gives up what `env` holds of `unwanted`.
pub(crate) fn relinquish(jni: &Env<'_>, env: &Inside, unwanted: Capabilities) -> Outcome<()> {
    if !env.is_own() {
        return Ok(());
    }
    let handle = env.handle().cast_signed();
    steward::have_done(jni, move |jni| {
        let env = gate::enter(Me::new(jni.get_raw()), handle)?;
        let given_up = env.capabilities()?.intersection(&unwanted);
        if given_up.contains(Capability::CAN_SUSPEND) && undone::keeps_suspended(jni, &env)? {
            return Err(Failure::State(
                "threads are suspended: resume them before can_suspend is given up".to_owned(),
            ));
        }
        undone::give_up(&env, env.handle(), &given_up);
        env.relinquish_capabilities(&given_up)?;
        if !env.capabilities()?.iter().any(Capability::solo) {
            solo().retain(|one| *one != env.handle());
        }
        held::take_back();
        queue::ring();
        Ok(())
    })
}

/// What `env` holds or could add now; what others of ours would give up for it counts, too.
pub(crate) fn potential(jni: &mut Env<'_>, env: &Inside) -> Outcome<Capabilities> {
    sweep_solo(jni)?;
    // Without the steward's answer what is closed is still told as it is.
    let _ = life::wait_for_closed(jni);
    let potential = env.potential_capabilities()?;
    let lendable = held::lendable().union(&loans::passing(jni)?);
    Ok(potential.union(&lendable))
}

/// Acquires `wanted` for `handle` and answers what of it is new. Only by the steward.
fn grant(jni: &mut Env<'_>, handle: u64, wanted: &Capabilities) -> Outcome<Capabilities> {
    let env = life::enter_own(Me::new(jni.get_raw()), handle.cast_signed())?;
    let new = wanted.difference(&env.capabilities()?);
    loans::reclaim(jni, &new)?;
    held::lend(&new)?;
    if let Err(error) = env.add_capabilities(&new) {
        held::take_back();
        return Err(error.into());
    }
    if new.iter().any(Capability::solo) {
        let mut solo = solo();
        solo.retain(|one| *one != env.handle());
        solo.push(env.handle());
    }
    Ok(new)
}

/// Closes forgotten environments of which others may want something: capabilities, or threads to run again.
pub(crate) fn sweep_solo(jni: &Env<'_>) -> Outcome<()> {
    let mut known = solo().clone();
    known.retain(|handle| handles::entry(*handle).is_some_and(|entry| entry.is(*handle)));
    let entries = known.iter().copied();
    life::sweep(
        jni,
        entries.filter_map(|handle| Some((handle, handles::entry(handle)?))),
    )?;
    solo().retain(|handle| handles::entry(*handle).is_some_and(|entry| entry.is(*handle)));
    Ok(())
}

fn solo() -> MutexGuard<'static, Vec<u64>> {
    SOLO.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_in_which_one_is_stopped_does_not_count() {
        let until = Instant::now();
        let long = Duration::from_millis(5);
        let later = later_by(until, || {
            let stopped = Instant::now();
            while stopped.elapsed() < long {}
            Ok(())
        });
        assert!(
            later.unwrap() >= until + long,
            "its patience is worn out while it is stopped"
        );
    }

    #[test]
    fn who_closed_is_waited_for_as_calls_are() {
        let one = Capabilities::from_iter([Capability::CAN_SUSPEND]);
        let none = Capabilities::empty();
        assert!(passes(&one, &one, false));
        assert!(passes(&one, &none, true));
        assert!(!passes(&one, &none, false));
        assert!(!passes(&none, &none, true));
    }
}
