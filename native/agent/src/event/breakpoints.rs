//! Breakpoints, and who has set them.
//!
//! HotSpot writes over whatever is at the location: in the middle of an instruction that is an operand, and the method
//! does anything. So the steward looks whether one begins there; and once more afterwards, for another agent may have
//! redefined the class in between. Of ours nobody has: it is the turn of whoever sets or clears, and the steward takes it
//! for him, so that nobody is suspended meanwhile.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JClass;
use jvmti::MethodId;
use jvmti::sys::{self, Capabilities, Capability};

use crate::environment::death;
use crate::environment::gate::{self, Inside, Me};
use crate::environment::undone::Undone;
use crate::event::begun_changes;
use crate::event::placed::{Placed, Places, SOME, Within};
use crate::failure::{Failure, Outcome};
use crate::vm::class_turns::{Overtakes, Place, Waiting};
use crate::vm::patience::LONG;
use crate::vm::{bytecode, class_turns, image, steward};

const SET: &str = "SetBreakpoint";
const CHANGED: &str = "another thread keeps on changing the class; it may be suspended";
const OBSOLETE: &str = "the method is what it was before its class got another class file, and the JVM would crash at the next one";

/// How long the steward waits for those who change the classes, when an environment is closed or nobody waits any more.
/// Whoever keeps one for longer stands still, and changes nothing meanwhile.
const PATIENCE: Duration = Duration::from_millis(100);

/// Where one is.
pub(crate) type At = (MethodId, i64);

static SET_BY_US: Places<At> = Places::new();

/// Sets a breakpoint in a method of `class`. `metadata` is an environment that reads bytecodes.
pub(crate) fn set(
    jni: &Env<'_>,
    env: &Inside,
    metadata: i64,
    class: &JClass<'_>,
    at: At,
) -> Outcome<()> {
    let until = Instant::now() + LONG;
    while !set_unless_changed(jni, env, metadata, class, at)? {
        if Instant::now() >= until {
            return Err(Failure::Stalled(CHANGED.to_owned()));
        }
        // Nothing tells when that is over.
        class_turns::rest_a_moment(jni)?;
    }
    Ok(())
}

/// False, and nothing is set: another thread has begun to change the class, without a turn.
fn set_unless_changed(
    jni: &Env<'_>,
    env: &Inside,
    metadata: i64,
    class: &JClass<'_>,
    at: At,
) -> Outcome<bool> {
    let handle = env.handle();
    let thread = begun_changes::this_thread(jni);
    let class = Arc::new(jni.new_global_ref(class)?);
    in_turn(jni, &Arc::clone(&class), |place, overtakes| {
        let (class, late) = (Arc::clone(&class), place.clone());
        let to_undo = Arc::clone(&class);
        steward::ask(
            jni,
            move |jni| {
                let Some(_turn) = place.take(overtakes) else {
                    return Ok(None);
                };
                death::require_far().map_err(|_| ending())?;
                if begun_changes::is_under_way(jni, &class, Some(thread))? {
                    return Ok(Some(false));
                }
                let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
                let metadata = gate::enter(Me::new(jni.get_raw()), metadata)?;
                let within = Within::class(jni, &class)?;
                set_at(&env, &metadata, at)?;
                // One that a redefinition has taken away is set once more.
                let _ = SET_BY_US.forget_at(jni, handle, &class, at);
                SET_BY_US.add(jni, handle, within, at);
                Ok(Some(true))
            },
            move |jni, done| {
                if done == Some(true)
                    && let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())
                {
                    let _turn = late.take_within(PATIENCE);
                    let _ = SET_BY_US.forget_at(jni, handle, &to_undo, at);
                    let _ = env.clear_breakpoint(at.0, at.1);
                }
            },
        )
    })
}

/// Others' redefinitions go on, and are not known of for much longer.
fn ending() -> Failure {
    jvmti::Error::new(SET, sys::Error::WRONG_PHASE).into()
}

/// Asks again and again until it was the turn of who asks.
fn in_turn<T>(
    jni: &Env<'_>,
    class: &JClass<'_>,
    ask: impl Fn(Place, Overtakes) -> Outcome<Option<T>>,
) -> Outcome<T> {
    let mut waiting = Waiting::of(jni, &[class])?;
    loop {
        if let Some(done) = ask(waiting.place(), waiting.overtakes())? {
            return Ok(done);
        }
        waiting.rest(jni)?;
    }
}

fn set_at(env: &Inside, metadata: &Inside, (method, location): At) -> Outcome<()> {
    let invalid = || Err(jvmti::Error::new(SET, sys::Error::INVALID_LOCATION).into());
    if !env
        .capabilities()?
        .contains(Capability::CAN_GENERATE_BREAKPOINT_EVENTS)
    {
        return Err(jvmti::Error::new(SET, sys::Error::MUST_POSSESS_CAPABILITY).into());
    }
    if is_obsolete(metadata, method)? {
        return Err(Failure::NotTold(SET, OBSOLETE));
    }
    if !begins(metadata, method, location)? {
        return invalid();
    }
    // SAFETY: an instruction begins there, as far as anybody can tell.
    unsafe { env.set_breakpoint(method, location) }?;
    if !begins(metadata, method, location)? {
        let _ = env.clear_breakpoint(method, location);
        return invalid();
    }
    Ok(())
}

/// Whether a redefinition has left the method to those who run it: the VM keeps a breakpoint in it for longer than it
/// keeps the method, and crashes at the next redefinition.
fn is_obsolete(metadata: &Inside, method: MethodId) -> Outcome<bool> {
    let answer = metadata.is_method_obsolete(method);
    Ok(answer.map_err(|error| jvmti::Error::new(SET, error.code))?)
}

/// Whether an instruction begins at `location`.
fn begins(metadata: &Inside, method: MethodId, location: i64) -> jvmti::Result<bool> {
    Ok(is_one_of(&starts(metadata, method)?, location))
}

/// Where instructions begin: nowhere in a native method.
fn starts(metadata: &Inside, method: MethodId) -> jvmti::Result<Vec<usize>> {
    match metadata.bytecodes(method) {
        Ok(code) => Ok(bytecode::starts(&code).unwrap_or_default()),
        Err(error) if error.code == sys::Error::NATIVE_METHOD => Ok(Vec::new()),
        Err(error) => Err(jvmti::Error::new(SET, error.code)),
    }
}

fn is_one_of(starts: &[usize], location: i64) -> bool {
    usize::try_from(location).is_ok_and(|location| starts.binary_search(&location).is_ok())
}

/// Clears a breakpoint in a method of `class`, whoever has set it.
pub(crate) fn clear(jni: &Env<'_>, env: &Inside, class: &JClass<'_>, at: At) -> Outcome<()> {
    let handle = env.handle();
    let class = Arc::new(jni.new_global_ref(class)?);
    in_turn(jni, &Arc::clone(&class), |place, overtakes| {
        let class = Arc::clone(&class);
        steward::ask(
            jni,
            move |jni| {
                let Some(_turn) = place.take(overtakes) else {
                    return Ok(None);
                };
                let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
                let cleared = env.clear_breakpoint(at.0, at.1);
                let is_gone = |error: jvmti::Error| error.code == sys::Error::NOT_FOUND;
                if cleared.is_ok() || cleared.is_err_and(is_gone) {
                    SET_BY_US.forget_at(jni, handle, &class, at)?;
                }
                Ok(Some(cleared?))
            },
            |_, _| (),
        )
    })
}

/// Method and location of each that `env` has set and not cleared, whose class is still there.
pub(crate) fn all(jni: &Env<'_>, env: &Inside) -> Outcome<Vec<At>> {
    let mut all = Vec::new();
    for one in SET_BY_US.of(env.handle()) {
        if !one.class.is_garbage_collected(jni)? {
            all.push(one.place);
        }
    }
    Ok(all)
}

/// Whether any environment has set some.
pub(crate) fn are_any() -> bool {
    SET_BY_US.is_any()
}

/// Sets all in `class` again, which has just been redefined and so has lost them: those at which an instruction begins
/// in its new code; none if another agent is about to do the same. Only by the steward. `metadata` is an environment that
/// reads bytecodes.
pub(crate) fn set_again(jni: &mut Env<'_>, metadata: &Inside, class: &JClass<'_>) {
    let is_over = death::require_far().is_err();
    if is_over || begun_changes::is_under_way(jni, class, None).unwrap_or(true) {
        return;
    }
    let all = SET_BY_US.within(jni, class).unwrap_or_default();
    // The code of a method is looked at before and after all of them: that takes the VM the longer, the more there are.
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    in_parts(&all, |one| {
        let is_obsolete = is_obsolete(metadata, one.place.0).unwrap_or(true);
        if is_obsolete || !is_one_of(known_starts(&mut before, metadata, one), one.place.1) {
            SET_BY_US.forget(one);
            return;
        }
        let (method, location) = one.place;
        let env = gate::enter(Me::new(jni.get_raw()), one.handle.cast_signed());
        // SAFETY: an instruction begins there, as far as anybody can tell.
        match env.and_then(|env| Ok(unsafe { env.set_breakpoint(method, location) }?)) {
            Ok(()) => {}
            // Its owner was faster.
            Err(Failure::Jvmti(refused)) if refused.code == sys::Error::DUPLICATE => {}
            Err(_) => SET_BY_US.forget(one),
        }
    });
    in_parts(&all, |one| {
        if !is_one_of(known_starts(&mut after, metadata, one), one.place.1) {
            SET_BY_US.forget(one);
            if let Ok(env) = gate::enter(Me::new(jni.get_raw()), one.handle.cast_signed()) {
                let _ = env.clear_breakpoint(one.place.0, one.place.1);
            }
        }
    });
}

/// Where instructions begin in the method of one, looked at once; nowhere if the VM does not tell.
fn known_starts<'k>(
    known: &'k mut BTreeMap<MethodId, Vec<usize>>,
    metadata: &Inside,
    one: &Placed<At>,
) -> &'k [usize] {
    let (method, _) = one.place;
    let of_it = known.entry(method);
    of_it.or_insert_with(|| starts(metadata, method).unwrap_or_default())
}

/// Each of them; whoever waits for all sees that it goes on.
fn in_parts(all: &[Arc<Placed<At>>], mut deed: impl FnMut(&Placed<At>)) {
    for some in all.chunks(SOME) {
        some.iter().for_each(|one| deed(one));
        steward::go_on();
    }
}

/// Clears some of `handle`; false if there may be more. Who changes a class is waited for until then.
fn undo_some(env: &jvmti::Env, handle: u64, until: Instant) -> Outcome<bool> {
    let some = SET_BY_US.some_of(handle, SOME);
    for one in &some {
        // First, so that it is not asked for once more, whatever fails.
        SET_BY_US.forget(one);
        let (method, location) = one.place;
        image::java_vm()?.with_local_frame(1, |jni| -> Outcome<()> {
            // Another agent's redefinition has dropped it if its class is gone: then the method means nothing.
            if let Some(class) = one.class.upgrade_local(jni)? {
                let place = Place::among(jni, &[&class])?;
                let left = until.saturating_duration_since(Instant::now());
                let _turn = place.take_within(left);
                let _ = env.clear_breakpoint(method, location);
            }
            Ok(())
        })?;
    }
    Ok(some.len() < SOME)
}

/// What environments have set.
pub(crate) struct Breakpoints;

impl Undone for Breakpoints {
    fn undo(&self, env: &jvmti::Env, handle: u64) -> bool {
        undo_some(env, handle, Instant::now() + PATIENCE).unwrap_or(true)
    }

    fn give_up(&self, env: &jvmti::Env, handle: u64, unwanted: &Capabilities) {
        if unwanted.contains(Capability::CAN_GENERATE_BREAKPOINT_EVENTS) {
            let until = Instant::now() + PATIENCE;
            while !undo_some(env, handle, until).unwrap_or(true) {
                steward::go_on();
            }
        }
    }
}
