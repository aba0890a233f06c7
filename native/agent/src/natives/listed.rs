//! Lists for which the VM holds a lock while it waits for another one: whoever is suspended in that moment keeps everybody
//! waiting who makes an array of a class that had none, or the first class of a loader. So a thread asks that nobody of us
//! can suspend. Who has asked before a list was begun is content with it: many who ask at once wait for two lists, and not
//! for as many as they are.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use jni::Env;
use jni::objects::{JClass, JClassLoader, JObject, JObjectArray};
use jni::refs::{Global, Reference, Weak};
use jvmti::JModule;

use crate::environment::gate::{self, Inside, Me};
use crate::failure::Outcome;
use crate::vm::bare;
use crate::vm::steward;

/// Of asking and of beginning, in their order.
static MOMENT: AtomicU64 = AtomicU64::new(0);

/// An array that a list is told in.
pub(super) trait List:
    Reference<GlobalKind = Self>
    + Default
    + Into<JObject<'static>>
    + AsRef<JObject<'static>>
    + Send
    + Sync
    + 'static
{
}

impl List for JObjectArray<'static, JClass<'static>> {}
impl List for JObjectArray<'static, JModule<'static>> {}

/// The list of one kind that was made last, as long as somebody has it.
pub(super) struct Latest<A: List>(Mutex<Option<Made<A>>>);

struct Made<A: List> {
    begun: u64,
    /// Whose, if it is one of a loader's.
    loader: Option<Weak<JClassLoader<'static>>>,
    array: Weak<A>,
}

impl<A: List> Latest<A> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// What the steward was told when he called `list`.
    pub(super) fn by_the_steward<'l>(
        &'static self,
        jni: &mut Env<'l>,
        env: &Inside,
        loader: Option<&JClassLoader<'_>>,
        list: impl FnOnce(&Inside, &mut Env<'_>, Option<&JClassLoader<'_>>) -> Outcome<Global<A>>
        + Send
        + 'static,
    ) -> Outcome<A::Kind<'l>> {
        let handle = env.handle().cast_signed();
        let loader = loader.map(|one| jni.new_global_ref(one)).transpose()?;
        let asked = MOMENT.fetch_add(1, Ordering::SeqCst);
        let array = steward::ask(
            jni,
            move |jni| {
                let env = gate::enter(Me::new(jni.get_raw()), handle)?;
                let loader = loader.as_deref();
                if let Some(array) = self.begun_since(jni, asked, loader)? {
                    return Ok(array);
                }
                let begun = MOMENT.fetch_add(1, Ordering::SeqCst);
                let array = list(&env, jni, loader)?;
                self.put(Some(Made {
                    begun,
                    loader: loader.map(|one| bare::weak(jni, one)).transpose()?,
                    array: bare::weak::<&A>(jni, &array)?,
                }));
                Ok(array)
            },
            |_, unwanted| drop(unwanted),
        )?;
        Ok(jni.new_local_ref(&array)?)
    }

    fn begun_since(
        &self,
        jni: &mut Env<'_>,
        asked: u64,
        loader: Option<&JClassLoader<'_>>,
    ) -> Outcome<Option<Global<A>>> {
        // Nobody but the steward is here: it is out of the lock for his calls.
        let Some(made) = self.put(None) else {
            return Ok(None);
        };
        let is_for = match (&made.loader, loader) {
            (None, None) => true,
            (Some(of), Some(loader)) => jni.is_same_object(of, loader)?,
            _ => false,
        };
        if made.begun < asked || !is_for {
            return Ok(None);
        }
        let array = made.array.upgrade_global(jni)?;
        self.put(Some(made));
        Ok(array)
    }

    fn put(&self, made: Option<Made<A>>) -> Option<Made<A>> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *place, made)
    }
}
