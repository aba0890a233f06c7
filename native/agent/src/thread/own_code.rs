//! Methods of the library itself, of whichever copy: natives take for true what these hand them, as the number of a
//! method. So their variables are not written, and they are not left before their end.

use std::sync::OnceLock;

use jni::Env;
use jni::objects::{JClass, JClassLoader};

use crate::environment::gate::Inside;
use crate::failure::{Failure, Outcome};

/// Whether a class, which is of that class loader, is one of a copy's.
pub(crate) type IsOwn = fn(&mut Env<'_>, &Inside, &JClass<'_>, &JClassLoader<'_>) -> Outcome<bool>;

const OWN: &str = "methods of this library itself are neither written to nor left before their end: its native code trusts them, and could crash the JVM";

static IS_OWN: OnceLock<IsOwn> = OnceLock::new();

/// Said once, on arrival.
pub(crate) fn know(is_own: IsOwn) {
    let _ = IS_OWN.set(is_own);
}

/// Refuses a method of `class`.
pub(super) fn refuse(
    jni: &mut Env<'_>,
    env: &Inside,
    function: &'static str,
    class: &JClass<'_>,
    loader: &JClassLoader<'_>,
) -> Outcome<()> {
    match IS_OWN.get() {
        Some(is_own) if is_own(jni, env, class, loader)? => Err(Failure::NotTold(function, OWN)),
        _ => Ok(()),
    }
}
