//! Lists for which the VM holds a lock while it waits for another one: whoever is suspended in that moment keeps everybody
//! waiting who makes an array of a class that had none, or the first class of a loader. So a thread asks that nobody of us
//! can suspend.

use jni::Env;
use jni::objects::JObject;
use jni::refs::{Global, Reference};

use crate::environment::gate::{self, Inside, Me};
use crate::failure::Outcome;
use crate::vm::steward;

/// The array in which `list`, called by the steward, puts what it was told.
pub(super) fn by_the_steward<'l, A>(
    jni: &mut Env<'l>,
    env: &Inside,
    list: impl FnOnce(&Inside, &mut Env<'_>) -> Outcome<Global<A>> + Send + 'static,
) -> Outcome<A::Kind<'l>>
where
    A: Reference + Default + Into<JObject<'static>> + AsRef<JObject<'static>> + Send + Sync,
    A: 'static,
{
    let handle = env.handle().cast_signed();
    let array = steward::ask(
        jni,
        move |jni| {
            let env = gate::enter(Me::new(jni.get_raw()), handle)?;
            list(&env, jni)
        },
        |_, unwanted| drop(unwanted),
    )?;
    Ok(jni.new_local_ref(&array)?)
}
