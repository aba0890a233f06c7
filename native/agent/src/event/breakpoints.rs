//! Breakpoints, and who has set them.
//!
//! HotSpot writes over whatever is at the location: in the middle of an instruction that is an operand, and the method
//! does anything. So the steward looks whether one begins there; and once more afterwards, for another agent may have
//! redefined the class in between.

use jni::Env;
use jni::objects::JClass;
use jvmti::MethodId;
use jvmti::sys::{self, Capabilities, Capability};

use crate::environment::gate::{self, Inside, Me};
use crate::environment::undone::Undone;
use crate::event::placed::{Placed, Places};
use crate::failure::{Failure, Outcome};
use crate::vm::{bare, bytecode, image, steward};

const SET: &str = "SetBreakpoint";

/// Where one is.
type Place = (MethodId, i64);

static SET_BY_US: Places<Place> = Places::new();

/// Sets a breakpoint in a method of `class`. `metadata` is an environment that reads bytecodes.
pub(crate) fn set(
    jni: &Env<'_>,
    env: &Inside,
    metadata: i64,
    class: &JClass<'_>,
    method: MethodId,
    location: i64,
) -> Outcome<()> {
    let handle = env.handle();
    let class = jni.new_global_ref(class)?;
    steward::ask(
        jni,
        move |jni| {
            let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
            let metadata = gate::enter(Me::new(jni.get_raw()), metadata)?;
            let class = bare::weak(jni, &*class)?;
            set_at(&env, &metadata, method, location)?;
            // One that a redefinition has taken away is set once more.
            forget(handle, (method, location));
            SET_BY_US.add(Placed {
                handle,
                class,
                place: (method, location),
            });
            Ok(())
        },
        move |jni, ()| {
            if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle.cast_signed()) {
                forget(handle, (method, location));
                let _ = env.clear_breakpoint(method, location);
            }
        },
    )
}

fn set_at(env: &Inside, metadata: &Inside, method: MethodId, location: i64) -> Outcome<()> {
    let invalid = || Err(jvmti::Error::new(SET, sys::Error::INVALID_LOCATION).into());
    if !env
        .capabilities()?
        .contains(Capability::CAN_GENERATE_BREAKPOINT_EVENTS)
    {
        return Err(jvmti::Error::new(SET, sys::Error::MUST_POSSESS_CAPABILITY).into());
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

/// Whether an instruction begins at `location`.
fn begins(metadata: &Inside, method: MethodId, location: i64) -> jvmti::Result<bool> {
    let code = match metadata.bytecodes(method) {
        Ok(code) => code,
        Err(error) if error.code == sys::Error::NATIVE_METHOD => return Ok(false),
        Err(error) => return Err(jvmti::Error::new(SET, error.code)),
    };
    let starts = bytecode::starts(&code).unwrap_or_default();
    Ok(usize::try_from(location).is_ok_and(|location| starts.binary_search(&location).is_ok()))
}

/// Clears a breakpoint, whoever has set it.
pub(crate) fn clear(jni: &Env<'_>, env: &Inside, method: MethodId, location: i64) -> Outcome<()> {
    let handle = env.handle();
    steward::have_done(jni, move |jni| {
        let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
        let cleared = env.clear_breakpoint(method, location);
        let is_gone = |error: jvmti::Error| error.code == sys::Error::NOT_FOUND;
        if cleared.is_ok() || cleared.is_err_and(is_gone) {
            forget(handle, (method, location));
        }
        Ok(cleared?)
    })
}

/// Method and location of each that `env` has set and not cleared, whose class is still there.
pub(crate) fn all(jni: &Env<'_>, env: &Inside) -> Outcome<Vec<Place>> {
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
/// in its new code. Only by the steward. `metadata` is an environment that reads bytecodes.
pub(crate) fn set_again(jni: &Env<'_>, metadata: &Inside, class: &JClass<'_>) {
    for one in SET_BY_US.within(jni, class) {
        let (method, location) = one.place;
        let env = gate::enter(Me::new(jni.get_raw()), one.handle.cast_signed());
        match env.and_then(|env| set_at(&env, metadata, method, location)) {
            Ok(()) => {}
            // Its owner was faster.
            Err(Failure::Jvmti(refused)) if refused.code == sys::Error::DUPLICATE => {}
            Err(_) => SET_BY_US.forget(&one),
        }
    }
}

fn forget(handle: u64, place: Place) {
    let all = SET_BY_US.of(handle).into_iter();
    all.filter(|one| one.place == place)
        .for_each(|one| SET_BY_US.forget(&one));
}

/// What environments have set.
pub(crate) struct Breakpoints;

impl Undone for Breakpoints {
    fn undo(&self, env: &jvmti::Env, handle: u64) -> bool {
        let Ok(vm) = image::java_vm() else {
            return true;
        };
        let _ = vm.with_local_frame(0, |jni| -> Outcome<()> {
            for one in SET_BY_US.of(handle) {
                let (method, location) = one.place;
                // Another agent's redefinition has dropped it if its class is gone: then the method means nothing.
                if !one.class.is_garbage_collected(jni)? {
                    let _ = env.clear_breakpoint(method, location);
                }
                SET_BY_US.forget(&one);
            }
            Ok(())
        });
        true
    }

    fn give_up(&self, env: &jvmti::Env, handle: u64, unwanted: &Capabilities) {
        if unwanted.contains(Capability::CAN_GENERATE_BREAKPOINT_EVENTS) {
            self.undo(env, handle);
        }
    }
}
