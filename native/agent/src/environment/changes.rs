//! Which capabilities an environment holds: changed by the steward alone.
//!
//! On 17 two threads that change different solo capabilities at once lose one for the life of the VM,
//! and a thread that is suspended inside such a change would keep everybody else out.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jni::Env;
use jvmti::sys::{Capabilities, Capability};

use crate::environment::gate::{self, Inside, Me};
use crate::environment::{handles, held, life, loans, undone};
use crate::failure::{Failure, Outcome};
use crate::vm::steward;

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
    let handle = env.handle().cast_signed();
    let added = steward::ask(
        jni,
        move |jni| grant(jni, handle, &wanted),
        move |jni, added| {
            if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle) {
                let _ = env.relinquish_capabilities(&added);
            }
            held::take_back();
        },
    );
    added.map(drop)
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
        env.relinquish_capabilities(&given_up)?;
        held::take_back();
        Ok(())
    })
}

/// What `env` holds or could add now; what others of ours would give up for it counts, too.
pub(crate) fn potential(jni: &mut Env<'_>, env: &Inside) -> Outcome<Capabilities> {
    sweep_solo(jni)?;
    // Without the steward's answer what is closed is still told as it is.
    let _ = life::wait_for_closed(jni);
    let potential = env.potential_capabilities()?;
    let lendable = held::lendable().union(&loans::idle(jni)?);
    Ok(potential.union(&lendable))
}

/// Acquires `wanted` for `handle` and answers what of it is new. Only by the steward.
pub(crate) fn grant(
    jni: &mut Env<'_>,
    handle: i64,
    wanted: &Capabilities,
) -> Outcome<Capabilities> {
    let env = life::enter_own(Me::new(jni.get_raw()), handle)?;
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
