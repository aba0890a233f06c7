//! Writing local variables, where the method can live with it.
//!
//! HotSpot compares little before it writes. A class is of a variable's type if one of its supertypes is *called* like that,
//! whatever loader it is of; without a table of variables any object will do; and the end of a variable's range counts as a
//! part of it, where the slot may hold an object of another type already. Each of these has the method go on with what its
//! verifier has ruled out. And the JDK's own code hands what it has checked to memory, so it is left alone, and ours is, too.
//!
//! What is found out about a frame must still be so when the VM writes. So for another thread the steward does both:
//! nobody of ours can suspend that again meanwhile, and it is not resumed by us either, for before 21 the VM writes
//! wherever it is by then.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::{JClass, JObject, JThread};
use jni::refs::Global;
use jvmti::sys::{self, Capability};
use jvmti::{FrameInfo, MethodId};

use crate::environment::gate::{self, Inside, Me};
use crate::failure::{Failure, Outcome};
use crate::thread::meaning::{called, is_of};
use crate::thread::own_code;
use crate::thread::pending;
use crate::thread::resumptions::Pinned;
use crate::thread::variables::{
    STATIC, ensure_holds, ensure_still, ensure_suspended, in_scope, is_current, parameter_slots,
    renamed,
};
use crate::vm::patience::LONG;
use crate::vm::steward;

const OF_THE_JDK: &str = "variables of the JDK's own methods are not written: their code trusts them, and could crash the JVM";

const OF_AN_OLD_CLASS: &str = "the class file has no table of variables, and is so old that this may be where a subroutine returns to";
const RESUMING: &str = "somebody has been resuming this thread for 5 seconds, and may stand still";
const PATIENCE: Duration = LONG;

/// A slot of a frame.
#[derive(Clone, Copy)]
pub(crate) struct Place<'t, 'l> {
    pub(crate) function: &'static str,
    pub(crate) thread: Option<&'t JThread<'l>>,
    pub(crate) depth: u32,
    pub(crate) slot: u16,
    /// The method and the location at which the frame must be.
    pub(crate) at: Option<(i64, i64)>,
}

impl Place<'_, '_> {
    /// In a frame that is at `location` of `method`, unless that is 0.
    pub(crate) fn of(self, method: i64, location: i64) -> Self {
        let at = (method != 0).then_some((method, location));
        Self { at, ..self }
    }

    fn is_at(&self, frame: FrameInfo) -> bool {
        self.at
            .is_none_or(|at| at == (frame.method.as_raw() as i64, frame.location))
    }
}

/// What is to be there.
#[derive(Clone, Copy)]
pub(crate) enum New<'v, 'l> {
    Object(Option<&'v JObject<'l>>),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
}

/// Writes a variable of a thread that is suspended, or of the current one.
pub(crate) fn assign(
    jni: &mut Env<'_>,
    env: &Inside,
    place: Place<'_, '_>,
    new: New<'_, '_>,
) -> Outcome<()> {
    ensure_holds(env, place.function, Capability::CAN_ACCESS_LOCAL_VARIABLES)?;
    match place.thread {
        Some(thread) if !is_current(jni, env, thread)? => {
            ensure_suspended(jni, env, place.function, thread)?;
            assign_by_the_steward(jni, env, place, thread, new)
        }
        _ => ensure_fitting(jni, env, place, new).and_then(|()| write(env, place, new)),
    }
}

fn assign_by_the_steward(
    jni: &mut Env<'_>,
    env: &Inside,
    place: Place<'_, '_>,
    thread: &JThread<'_>,
    new: New<'_, '_>,
) -> Outcome<()> {
    let (value, new) = new.apart(jni)?;
    let asked = Arc::new(Asked {
        env: env.handle().cast_signed(),
        function: place.function,
        thread: jni.new_global_ref(thread)?,
        depth: place.depth,
        slot: place.slot,
        at: place.at,
        value,
        new,
    });
    let begun = Instant::now();
    loop {
        let asked = Arc::clone(&asked);
        // What was written cannot be taken back.
        if steward::ask(jni, move |jni| asked.write(jni), |_, _| {})? {
            return Ok(());
        }
        if begun.elapsed() >= PATIENCE {
            return Err(Failure::Stalled(RESUMING.to_owned()));
        }
        // Here it stops if it is suspended.
        steward::pass_through_vm(jni)?;
    }
}

/// What the steward is asked to write.
struct Asked {
    env: i64,
    function: &'static str,
    thread: Global<JThread<'static>>,
    depth: u32,
    slot: u16,
    at: Option<(i64, i64)>,
    value: Option<Global<JObject<'static>>>,
    /// If it is no object.
    new: New<'static, 'static>,
}

impl Asked {
    /// Whether it is written: not while others resume its thread, for a moment.
    fn write(&self, jni: &mut Env<'_>) -> Outcome<bool> {
        let env = gate::enter(Me::new(jni.get_raw()), self.env)?;
        let place = Place {
            function: self.function,
            thread: Some(&*self.thread),
            depth: self.depth,
            slot: self.slot,
            at: self.at,
        };
        let new = match &self.value {
            Some(value) => New::Object(Some(&**value)),
            None => self.new,
        };
        let Some(pinned) = Pinned::now(jni, &self.thread)? else {
            return Ok(false);
        };
        ensure_still(jni, &env, self.function, place.thread)?;
        ensure_fitting(jni, &env, place, new)?;
        self.ensure_no_parameter_again(jni, &env)?;
        let asks = pinned.asks();
        if asks {
            write(&env, place, new)?;
        }
        Ok(asks)
    }

    /// Refuses a parameter of a method that is to be called again: as what that is declared was found out before.
    fn ensure_no_parameter_again(&self, jni: &Env<'_>, env: &Inside) -> Outcome<()> {
        if self.depth > 0 {
            return Ok(());
        }
        let frame = renamed(self.function, env.frame_location(Some(&self.thread), 0))?;
        let (_, signature, _) = env.method_name(frame.method)?;
        let is_static = env.method_modifiers(frame.method)? & STATIC != 0;
        match usize::from(self.slot) < parameter_slots(&signature.to_string(), is_static) {
            true => pending::ensure_not_popped(jni, &self.thread, frame),
            false => Ok(()),
        }
    }
}

fn write(env: &Inside, place: Place<'_, '_>, new: New<'_, '_>) -> Outcome<()> {
    let Place {
        thread,
        depth,
        slot,
        ..
    } = place;
    // SAFETY: that the value fits was found out a moment ago, of the current thread, or of one that we do not let go on.
    let written = unsafe {
        match new {
            New::Object(value) => env.set_local_object(thread, depth, slot, value),
            New::Int(value) => env.set_local_int(thread, depth, slot, value),
            New::Long(value) => env.set_local_long(thread, depth, slot, value),
            New::Float(value) => env.set_local_float(thread, depth, slot, value),
            New::Double(value) => env.set_local_double(thread, depth, slot, value),
        }
    };
    Ok(written?)
}

impl New<'_, '_> {
    /// The object, for another thread, and what is no object.
    fn apart(
        self,
        jni: &Env<'_>,
    ) -> Outcome<(Option<Global<JObject<'static>>>, New<'static, 'static>)> {
        Ok(match self {
            Self::Object(None) => (None, New::Object(None)),
            Self::Object(Some(value)) => (Some(jni.new_global_ref(value)?), New::Object(None)),
            Self::Int(value) => (None, New::Int(value)),
            Self::Long(value) => (None, New::Long(value)),
            Self::Float(value) => (None, New::Float(value)),
            Self::Double(value) => (None, New::Double(value)),
        })
    }
}

fn ensure_fitting(
    jni: &mut Env<'_>,
    env: &Inside,
    place: Place<'_, '_>,
    new: New<'_, '_>,
) -> Outcome<()> {
    let refusal = |code| Err(Failure::Jvmti(jvmti::Error::new(place.function, code)));
    let frame = renamed(
        place.function,
        env.frame_location(place.thread, place.depth),
    )?;
    if !place.is_at(frame) {
        // It went on meanwhile, and was suspended again.
        return refusal(sys::Error::THREAD_NOT_SUSPENDED);
    }
    if frame.location < 0 {
        return refusal(sys::Error::OPAQUE_FRAME);
    }
    let declaring = env.method_declaring_class(jni, frame.method)?;
    let Some(loader) = env.class_loader(jni, &declaring)? else {
        return Err(Failure::NotTold(place.function, OF_THE_JDK));
    };
    own_code::refuse(jni, env, place.function, &declaring, &loader)?;
    let fits = match (
        declared(env, frame.method, place.slot, frame.location)?,
        new,
    ) {
        (Declared::Not, _) => return refusal(sys::Error::INVALID_SLOT),
        (_, New::Object(None)) => true,
        (Declared::Unknown, New::Object(Some(value))) => match old(jni, env, place)? {
            Some(old) => is_like(jni, value, &old)?,
            None => false,
        },
        (Declared::Unknown, _) => {
            if may_return_by_a_slot(env, &declaring)? {
                return Err(Failure::NotTold(place.function, OF_AN_OLD_CLASS));
            }
            true
        }
        (Declared::As(signature), New::Object(Some(value))) => {
            match old(jni, env, place)? {
                Some(old) if is_like(jni, value, &old)? => true,
                // No verifier has read the table: it may be wrong.
                Some(old) if !is_called(jni, env, &old, &signature)? => false,
                _ => is_of(jni, env, &loader, value, &signature)?,
            }
        }
        (Declared::As(signature), New::Int(value)) => is_in_range(value, &signature),
        // The VM compares these.
        (Declared::As(_), _) => true,
    };
    match fits {
        true => Ok(()),
        false => refusal(sys::Error::TYPE_MISMATCH),
    }
}

/// Whether a number is in the range of the type, on which compiled code relies.
pub(super) fn is_in_range(value: i32, type_: &str) -> bool {
    match type_ {
        "Z" => (0..=1).contains(&value),
        "B" => i8::try_from(value).is_ok(),
        "C" => u16::try_from(value).is_ok(),
        "S" => i16::try_from(value).is_ok(),
        _ => true,
    }
}

/// Whether a slot of a method of `class` may hold where a subroutine returns to, which the VM takes for a number.
fn may_return_by_a_slot(env: &Inside, class: &JClass<'_>) -> jvmti::Result<bool> {
    /// The last one that had an instruction for that.
    const LAST: i32 = 50;
    Ok(env.class_version_numbers(class)?.1 <= LAST)
}

/// What the class file says of a slot at a location.
enum Declared {
    /// Nothing, for it has no table.
    Unknown,
    /// That it holds no variable there.
    Not,
    As(String),
}

/// The VM goes by the first variable in whose range, the end included, the location is. So that must be the right one.
fn declared(env: &Inside, method: MethodId, slot: u16, location: i64) -> Outcome<Declared> {
    let table = match env.local_variable_table(method) {
        Ok(table) if !table.is_empty() => table,
        Err(error) if error.code != sys::Error::ABSENT_INFORMATION => return Err(error.into()),
        _ => return Ok(Declared::Unknown),
    };
    let first = table.iter().find(|one| {
        let since = location - one.start_location;
        one.slot == slot && (0..=i64::from(one.length)).contains(&since)
    });
    Ok(match first {
        Some(one) if in_scope(one, location) => Declared::As(one.signature.to_string()),
        _ => Declared::Not,
    })
}

/// The object that is there now.
fn old<'l>(
    jni: &Env<'l>,
    env: &Inside,
    place: Place<'_, '_>,
) -> jvmti::Result<Option<JObject<'l>>> {
    let old = env.local_object(jni, place.thread, place.depth, place.slot);
    renamed(place.function, old)
}

/// Whether a reference may follow another one, whatever the slot's type is: as one to an object of the same class, or of a
/// subclass.
fn is_like(jni: &mut Env<'_>, value: &JObject<'_>, old: &JObject<'_>) -> Outcome<bool> {
    let class = jni.get_object_class(old)?;
    Ok(jni.is_instance_of(value, &class)?)
}

/// Whether the class of `old` or one of its supertypes is called like that, as far as it goes for arrays.
fn is_called(jni: &mut Env<'_>, env: &Inside, old: &JObject<'_>, signature: &str) -> Outcome<bool> {
    let class = jni.get_object_class(old)?;
    if signature.starts_with('[') {
        return Ok(env.class_signature(&class)?.0.to_string().starts_with('['));
    }
    Ok(!called(jni, env, class, signature)?.is_empty())
}
