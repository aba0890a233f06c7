//! Watched fields, and who watches them.
//!
//! HotSpot changes the flags of a field without regard to others who do, so the steward does it. It counts watches in all
//! and marks the field: with its class unloaded the mark is gone, and the count stays.

use std::sync::Arc;

use jni::Env;
use jni::objects::JClass;
use jni::sys::jfieldID;
use jvmti::Field;
use jvmti::sys::{Capabilities, Capability, Error};

use crate::environment::gate::{self, Inside, Me};
use crate::environment::undone::Undone;
use crate::event::placed::{Placed, Places, SOME, Within};
use crate::failure::Outcome;
use crate::vm::{image, steward};

/// What the VM tells of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Watch {
    Access,
    Modification,
}

/// A field, by what the VM calls it in its class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id(usize);

/// What is watched.
type Place = (Watch, Id);

static SET_BY_US: Places<Place> = Places::new();

impl Watch {
    fn set(self, env: &jvmti::Env, field: Field<'_>) -> jvmti::Result<()> {
        match self {
            Self::Access => env.set_field_access_watch(field),
            Self::Modification => env.set_field_modification_watch(field),
        }
    }

    fn clear(self, env: &jvmti::Env, field: Field<'_>) -> jvmti::Result<()> {
        match self {
            Self::Access => env.clear_field_access_watch(field),
            Self::Modification => env.clear_field_modification_watch(field),
        }
    }

    fn capability(self) -> Capability {
        match self {
            Self::Access => Capability::CAN_GENERATE_FIELD_ACCESS_EVENTS,
            Self::Modification => Capability::CAN_GENERATE_FIELD_MODIFICATION_EVENTS,
        }
    }
}

impl Id {
    fn of(field: Field<'_>) -> Self {
        Self(field.as_raw() as usize)
    }

    /// As a number, for Java.
    pub(crate) fn bits(self) -> i64 {
        self.0 as i64
    }

    fn within<'c>(self, class: &'c JClass<'_>) -> Field<'c> {
        // SAFETY: it was that of a field of the class when it was remembered with it.
        unsafe { Field::from_raw(class, self.0 as jfieldID) }
    }
}

/// Has `env` watch a field of `class`.
pub(crate) fn set(
    jni: &Env<'_>,
    env: &Inside,
    watch: Watch,
    class: &JClass<'_>,
    field: Field<'_>,
) -> Outcome<()> {
    let (handle, id) = (env.handle(), Id::of(field));
    let class = jni.new_global_ref(class)?;
    let watched = jni.new_global_ref(&*class)?;
    steward::ask(
        jni,
        move |jni| {
            let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
            let within = Within::class(jni, &class)?;
            watch.set(&env, id.within(&class))?;
            // One that somebody else has ended is set once more.
            let _ = SET_BY_US.forget_at(jni, handle, &class, (watch, id));
            SET_BY_US.add(jni, handle, within, (watch, id));
            Ok(())
        },
        move |jni, ()| {
            if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle.cast_signed()) {
                let _ = SET_BY_US.forget_at(jni, handle, &watched, (watch, id));
                let _ = watch.clear(&env, id.within(&watched));
            }
        },
    )
}

/// Ends a watch of a field of `class`, whoever has set it.
pub(crate) fn clear(
    jni: &Env<'_>,
    env: &Inside,
    watch: Watch,
    class: &JClass<'_>,
    field: Field<'_>,
) -> Outcome<()> {
    let (handle, id) = (env.handle(), Id::of(field));
    let class = jni.new_global_ref(class)?;
    steward::have_done(jni, move |jni| {
        let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
        let cleared = watch.clear(&env, id.within(&class));
        let is_gone = |error: jvmti::Error| error.code == Error::NOT_FOUND;
        if cleared.is_ok() || cleared.is_err_and(is_gone) {
            SET_BY_US.forget_at(jni, handle, &class, (watch, id))?;
        }
        Ok(cleared?)
    })
}

/// The fields that `env` watches, each with its class.
pub(crate) fn all<'l>(
    jni: &mut Env<'l>,
    env: &Inside,
    watch: Watch,
) -> Outcome<Vec<(JClass<'l>, Id)>> {
    let mut all = Vec::new();
    for one in SET_BY_US.of(env.handle()) {
        if one.place.0 == watch
            && let Some(class) = one.class.upgrade_local(jni)?
        {
            all.push((class, one.place.1));
        }
    }
    Ok(all)
}

/// What environments watch.
pub(crate) struct Watches;

impl Watches {
    /// Ends some of `all`, and forgets them.
    fn end(env: &jvmti::Env, all: &[Arc<Placed<Place>>]) -> Outcome<()> {
        for one in all {
            // First, so that it is not asked for once more, whatever fails.
            SET_BY_US.forget(one);
            let (watch, id) = one.place;
            image::java_vm()?.with_local_frame(1, |jni| -> Outcome<()> {
                if let Some(class) = one.class.upgrade_local(jni)? {
                    let _ = watch.clear(env, id.within(&class));
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl Undone for Watches {
    fn undo(&self, env: &jvmti::Env, handle: u64) -> bool {
        let some = SET_BY_US.some_of(handle, SOME);
        Self::end(env, &some).is_err() || some.len() < SOME
    }

    fn give_up(&self, env: &jvmti::Env, handle: u64, unwanted: &Capabilities) {
        let mut all = SET_BY_US.of(handle);
        all.retain(|one| unwanted.contains(one.place.0.capability()));
        for some in all.chunks(SOME) {
            let _ = Self::end(env, some);
            steward::go_on();
        }
    }
}
