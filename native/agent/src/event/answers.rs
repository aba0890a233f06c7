//! The events whose listeners have a say in what the VM does next.

use std::ffi::c_void;
use std::sync::Arc;

use jni::Env;
use jni::objects::{JByteArray, JClass, JValueOwned};
use jni::sys::jvalue;
use jvmti::FrameInfo;
use jvmti::event::{NewAddress, NewClassFile};

use crate::environment::gate::{self, Me};
use crate::environment::handles;
use crate::event::begun_changes;
use crate::event::counts::Fate;
use crate::event::filter::Subject;
use crate::event::kind::Kind;
use crate::event::passes;
use crate::event::stopped::{self, Stay};
use crate::event::subscriber::Subscriber;
use crate::event::target::Target;
use crate::event::telling::{Arguments, Make, Telling, Told, put_back, set_aside, tell};
use crate::failure::Outcome;
use crate::thread::early_return::EarlyReturn;
use crate::vm::{bare, daemon};

/// A class file, and the place for another one.
pub(super) struct ClassFile<'a, 'l> {
    /// The class that has been made of it before.
    pub(super) class: Option<&'a JClass<'l>>,
    pub(super) given: &'l [u8],
    pub(super) new: NewClassFile<'l>,
}

/// Asks whoever listens to that kind for another class file, each for one instead of the other's.
pub(super) fn asks_for_a_file<'l>(
    env: &jvmti::Env,
    jni: &mut Env<'l>,
    kind: &Kind,
    subject: &Subject<'_, '_>,
    make: &mut Make<'_, 'l>,
    file: ClassFile<'_, 'l>,
) {
    let mut asked = FileAsked {
        make,
        given: file.given,
        shown: JByteArray::null(),
        place: None,
        made: None,
    };
    if let Some(class) = file.class {
        let pending = set_aside(jni);
        let _ = announce_change(env, jni, kind, subject, class);
        jni.exception_clear();
        put_back(jni, pending);
    }
    let asking = passes::begin_to_ask(jni, file.class);
    tell(env, jni, kind, subject, &mut asked);
    drop(asking);
    let given = asked.made.as_deref().unwrap_or(file.given);
    // What is retransformed now is made of what listeners make of it.
    let passed = file
        .class
        .and_then(|class| passes::answer(env.as_raw(), jni, class, given));
    if let Some(bytes) = passed.or(asked.made)
        && file.new.set(&bytes).is_err()
    {
        passes::run_short(env.as_raw());
    }
}

/// No breakpoint is set in `class` from here on before that is over, if `env` has a place there, which listens to class files
/// for itself: whether anybody can be told or not, at the end of the VM, too.
fn announce_change(
    env: &jvmti::Env,
    jni: &mut Env<'_>,
    kind: &Kind,
    subject: &Subject<'_, '_>,
    class: &JClass<'_>,
) -> Outcome<()> {
    let Some(handle) = handles::of(env) else {
        return Ok(());
    };
    if daemon::is_current() {
        return Ok(());
    }
    let inside = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
    let Some(target) = inside.attached::<Target>() else {
        return Ok(());
    };
    let all = target.subscribers(kind.place);
    let mut places = all.iter().filter(|one| one.is_nested);
    if places.any(|one| one.filter.fits(env, jni, subject).unwrap_or(true)) {
        begun_changes::begin(jni, class)?;
    }
    Ok(())
}

struct FileAsked<'m, 'c, 'l> {
    make: &'m mut Make<'c, 'l>,
    given: &'l [u8],
    /// What the listener was shown.
    shown: JByteArray<'l>,
    /// Where that is among the arguments, of which the others are the same for all.
    place: Option<usize>,
    made: Option<Vec<u8>>,
}

impl<'l> Telling<'l> for FileAsked<'_, '_, 'l> {
    fn have_a_say(&self) -> bool {
        true
    }

    fn prepare(&mut self, jni: &mut Env<'l>, arguments: &mut Arguments) -> Outcome<()> {
        let now = self.made.as_deref().unwrap_or(self.given);
        let shown = bare::byte_array(jni, now)?;
        let now = jvalue { l: shown.as_raw() };
        jni.delete_local_ref(std::mem::replace(&mut self.shown, shown));
        if let Some(place) = self.place {
            arguments[place] = now;
            return Ok(());
        }
        (self.make)(jni, now, arguments)?;
        // SAFETY: all behind the listener's number are as wide as that.
        let is_now = |one: &jvalue| unsafe { one.j == now.j };
        self.place = (1..arguments.len()).find(|&place| is_now(&arguments[place]));
        Ok(())
    }

    fn answered(&mut self, jni: &mut Env<'l>, answer: JValueOwned<'l>) -> Outcome<()> {
        let answer = answer.l()?;
        if answer.is_null() {
            return Ok(());
        }
        // SAFETY: the method that was called returns a `byte[]`.
        let array = unsafe { JByteArray::from_raw(jni, answer.into_raw()) };
        let length = array.len(jni)?;
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(length)
            .map_err(|_| jvmti::Error::new("Allocate", jvmti::sys::Error::OUT_OF_MEMORY))?;
        bytes.resize(length, 0);
        bare::get_bytes(jni, &array, &mut bytes)?;
        jni.delete_local_ref(array);
        self.made = Some(bytes);
        Ok(())
    }
}

/// Asks whoever listens to that kind for another address, each for one instead of the other's.
pub(super) fn asks_for_an_address<'l>(
    env: &jvmti::Env,
    jni: &mut Env<'l>,
    kind: &Kind,
    subject: &Subject<'_, '_>,
    make: &mut Make<'_, 'l>,
    (given, new): (*const c_void, NewAddress<'l>),
) {
    let mut asked = AddressAsked {
        make,
        now: given as i64,
    };
    tell(env, jni, kind, subject, &mut asked);
    if asked.now != given as i64 {
        // SAFETY: whoever answers says that there is a function of the method's signature.
        unsafe { new.set(asked.now as *mut c_void) };
    }
}

struct AddressAsked<'m, 'c, 'l> {
    make: &'m mut Make<'c, 'l>,
    now: i64,
}

impl<'l> Telling<'l> for AddressAsked<'_, '_, 'l> {
    fn have_a_say(&self) -> bool {
        true
    }

    fn prepare(&mut self, jni: &mut Env<'l>, arguments: &mut Arguments) -> Outcome<()> {
        (self.make)(jni, jvalue { j: self.now }, arguments)
    }

    fn answered(&mut self, _: &mut Env<'l>, answer: JValueOwned<'l>) -> Outcome<()> {
        match answer.j()? {
            0 => {}
            address => self.now = address,
        }
        Ok(())
    }
}

/// Tells whoever listens to that kind, who may ask that the method return at once, where the VM has stopped it.
pub(super) fn lets_return<'l>(
    env: &jvmti::Env,
    jni: &mut Env<'l>,
    kind: &Kind,
    subject: &Subject<'_, '_>,
    make: &mut Make<'_, 'l>,
    frame: FrameInfo,
) {
    let stay = Stay::begin(frame);
    let mut asked = ReturnAsked {
        told: Told::with(make),
        by: None,
    };
    tell(env, jni, kind, subject, &mut asked);
    let Some(early) = stay.take() else {
        return;
    };
    if !leave(jni, &early)
        && let Some(by) = asked.by
    {
        // Java would be taken for what is to be left, if somebody else has had the frame left.
        by.counts.count(Fate::Lost);
    }
}

/// The last thing that is done before the VM goes on.
fn leave(jni: &mut Env<'_>, early: &EarlyReturn) -> bool {
    if jni.exception_check() {
        return false;
    }
    match early.leave(jni) {
        Ok(leaving) => {
            stopped::leaves(leaving);
            true
        }
        Err(_) => {
            jni.exception_clear();
            false
        }
    }
}

struct ReturnAsked<'m, 'c, 'l> {
    told: Told<'m, 'c, 'l>,
    /// Who has asked.
    by: Option<Arc<Subscriber>>,
}

impl<'l> Telling<'l> for ReturnAsked<'_, '_, 'l> {
    fn prepare(&mut self, jni: &mut Env<'l>, arguments: &mut Arguments) -> Outcome<()> {
        self.told.prepare(jni, arguments)
    }

    fn told(&mut self, one: &Arc<Subscriber>) {
        if self.by.is_none() && stopped::is_asked() {
            self.by = Some(Arc::clone(one));
        }
    }
}
