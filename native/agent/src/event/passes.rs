//! A retransformation in the middle of which no Java of its caller runs.
//!
//! The VM shows what a class is made from to a hook, while everybody else who changes that class waits: a transformer that
//! ran there could keep them for ever, or wait for one of them itself. So the hook only compares and copies. What is not
//! as it was expected to be is answered, and then nothing is changed: the last class gets a flag that the VM lets no class
//! get. Java makes something of it, and comes back with both.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JClass;
use jni::refs::Global;
use jvmti::Listener;
use jvmti::sys::{self, Capability, Event, EventMode};

use crate::environment::gate::{self, Inside, Me};
use crate::event::class_file;
use crate::event::target::{self, Target};
use crate::failure::{Failure, Outcome};
use crate::vm::steward;

const FUNCTION: &str = "RetransformClasses";

/// How many calls of each environment have hooks now. Only the steward changes it.
static HOOKED: Mutex<BTreeMap<u64, usize>> = Mutex::new(BTreeMap::new());

thread_local! {
    /// How many changes of ours this thread is in the middle of.
    static CHANGES: Cell<usize> = const { Cell::new(0) };
    /// The classes about whose files listeners are asked on this thread, the innermost one last.
    static ASKED: RefCell<Vec<Global<JClass<'static>>>> = const { RefCell::new(Vec::new()) };
    /// What this thread does, the innermost one last: another agent's hook may call the library.
    static PASSES: RefCell<Vec<Pass>> = const { RefCell::new(Vec::new()) };
}

/// A class in a pass.
pub(crate) struct Place {
    class: Global<JClass<'static>>,
    /// What it is expected to be made from.
    from: Vec<u8>,
    /// What it is to be made from in that case.
    to: Vec<u8>,
    /// What it would have been made from.
    found: Option<Vec<u8>>,
}

/// That this thread changes classes, until this is dropped.
pub(crate) struct Changing(());

/// Refuses classes about whose files listeners are asked on this thread: HotSpot would free twice what it has cached of
/// them (25).
pub(crate) fn begin_to_change(jni: &Env<'_>, classes: &[JClass<'_>]) -> Outcome<Changing> {
    let is_one = |asked: &Global<JClass<'static>>| {
        let mut all = classes.iter();
        all.any(|class| jni.is_same_object(asked, class).unwrap_or(false))
    };
    if ASKED.with_borrow(|asked| asked.iter().any(is_one)) {
        return Err(Failure::State(
            "this thread is changing the class already: a listener of its class file cannot"
                .to_owned(),
        ));
    }
    CHANGES.set(CHANGES.get() + 1);
    Ok(Changing(()))
}

impl Drop for Changing {
    fn drop(&mut self) {
        CHANGES.set(CHANGES.get() - 1);
    }
}

/// That listeners are asked about a class file, until this is dropped.
pub(super) struct Asking(bool);

/// Of a class that is changed; of one that is loaded there is none.
pub(super) fn begin_to_ask(jni: &Env<'_>, class: Option<&JClass<'_>>) -> Asking {
    let class = class.and_then(|class| jni.new_global_ref(class).ok());
    let is_any = class.is_some();
    ASKED.with_borrow_mut(|asked| asked.extend(class));
    Asking(is_any)
}

impl Drop for Asking {
    fn drop(&mut self) {
        if self.0 {
            drop(ASKED.with_borrow_mut(Vec::pop));
        }
    }
}

/// One call of the VM.
struct Pass {
    /// How many changes its thread is in the middle of then.
    depth: usize,
    env: *mut sys::Env,
    places: Vec<Place>,
    /// Which one is likely to be next: the VM shows them in their order.
    next: usize,
    /// How many it has not shown yet.
    left: usize,
    /// Whether the VM was given what it refuses.
    is_given_up: bool,
    /// Whether there was no memory for what a class is to be made from.
    is_short: bool,
}

impl Place {
    /// For each class two of `files`: what it is expected to be made from, and what it is to be made from then.
    pub(crate) fn of<'f>(
        jni: &Env<'_>,
        classes: &[JClass<'_>],
        mut files: impl Iterator<Item = &'f [u8]>,
    ) -> Outcome<Vec<Self>> {
        let mut next = || files.next().unwrap_or_default().to_vec();
        classes
            .iter()
            .map(|class| {
                Ok(Self {
                    class: jni.new_global_ref(class)?,
                    from: next(),
                    to: next(),
                    found: None,
                })
            })
            .collect()
    }

    fn is_as_expected(&self) -> bool {
        self.found.as_ref() == Some(&self.from)
    }
}

/// Has `change` make each class of `places` from what it is to be made from. If one is not what was expected, nothing is
/// done, and what they would be made from is answered.
pub(crate) fn run<L: Listener>(
    jni: &mut Env<'_>,
    env: &Inside,
    places: Vec<Place>,
    change: impl FnOnce(&mut Env<'_>) -> Outcome<()>,
) -> Outcome<Option<Vec<Vec<u8>>>> {
    if places.is_empty() {
        return Ok(None);
    }
    hook::<L>(jni, env)?;
    let pass = Pass::new(env.as_raw(), places);
    PASSES.with_borrow_mut(|passes| passes.push(pass));
    let changed = change(jni);
    let pass = PASSES.with_borrow_mut(Vec::pop);
    unhook(jni, env);
    pass.map_or(Ok(None), |pass| pass.outcome(changed))
}

/// What `class`, of which the VM shows `given`, is to be made from in the pass of this thread and of that environment;
/// none if nothing else.
pub(super) fn answer(
    env: *mut sys::Env,
    jni: &Env<'_>,
    class: &JClass<'_>,
    given: &[u8],
) -> Option<Vec<u8>> {
    let is_class = |place: &Place| jni.is_same_object(&place.class, class).unwrap_or(false);
    in_pass(env, |pass| pass.answer(given, is_class)).flatten()
}

/// There was no memory for that.
pub(super) fn run_short(env: *mut sys::Env) {
    in_pass(env, |pass| pass.is_short = true);
}

/// The innermost one, if it is of that environment.
fn in_pass<T>(env: *mut sys::Env, deed: impl FnOnce(&mut Pass) -> T) -> Option<T> {
    PASSES
        .try_with(|passes| {
            let mut passes = passes.try_borrow_mut().ok()?;
            let pass = passes.last_mut().filter(|pass| {
                // Another agent's hook, or a listener, may change other classes meanwhile.
                pass.env == env && pass.depth == CHANGES.get()
            })?;
            Some(deed(pass))
        })
        .ok()
        .flatten()
}

/// Whether a pass of that environment needs the event.
pub(super) fn need(handle: u64, event: Event) -> bool {
    event == Event::CLASS_FILE_LOAD_HOOK && hooked().contains_key(&handle)
}

impl Pass {
    fn new(env: *mut sys::Env, places: Vec<Place>) -> Self {
        Self {
            depth: CHANGES.get() + 1,
            env,
            left: places.len(),
            next: 0,
            places,
            is_given_up: false,
            is_short: false,
        }
    }

    fn outcome(self, changed: Outcome<()>) -> Outcome<Option<Vec<Vec<u8>>>> {
        if self.is_short {
            return Err(jvmti::Error::new(FUNCTION, sys::Error::OUT_OF_MEMORY).into());
        }
        match changed {
            Ok(()) if self.is_done() => Ok(None),
            Ok(()) => Err(Failure::State(
                "the JVM has not shown what the classes are made from".to_owned(),
            )),
            Err(Failure::Jvmti(refused)) if self.is_given_up && is_of_a_flag(refused.code) => {
                Ok(Some(
                    self.places
                        .into_iter()
                        .filter_map(|place| place.found)
                        .collect(),
                ))
            }
            Err(failure) => Err(failure),
        }
    }

    fn is_done(&self) -> bool {
        self.places.iter().all(Place::is_as_expected)
    }

    /// What `class` is to be made from in place of `given`; none for a class that is not of this pass.
    fn answer(&mut self, given: &[u8], is_class: impl Fn(&Place) -> bool) -> Option<Vec<u8>> {
        let (before, from_next) = self.places.split_at(self.next);
        let after = from_next.iter().position(&is_class);
        let at = after.map_or_else(
            || before.iter().position(&is_class),
            |after| Some(self.next + after),
        )?;
        self.next = at + 1;
        let place = &mut self.places[at];
        let is_first_time = place.found.replace(given.to_vec()).is_none();
        self.left -= usize::from(is_first_time);
        let to = place.is_as_expected().then(|| place.to.clone());
        if self.left == 0 && !self.is_done() {
            self.is_given_up = true;
            return class_file::with_another_flag(given);
        }
        to
    }
}

fn is_of_a_flag(code: sys::Error) -> bool {
    code == sys::Error::UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED
}

/// From here on the VM shows the hook what classes are made from. For one thread alone it cannot be asked to.
fn hook<L: Listener>(jni: &Env<'_>, env: &Inside) -> Outcome<()> {
    let handle = env.handle();
    steward::ask(
        jni,
        move |jni| {
            let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
            // Whoever hears of class files without it is never asked about a retransformation any more.
            if !env
                .capabilities()?
                .contains(Capability::CAN_RETRANSFORM_CLASSES)
            {
                let missing = sys::Error::MUST_POSSESS_CAPABILITY;
                return Err(jvmti::Error::new(FUNCTION, missing).into());
            }
            let mut hooked = hooked();
            let calls = hooked.entry(handle).or_default();
            *calls += 1;
            if *calls > 1 {
                return Ok(());
            }
            drop(hooked);
            let enabled = enable::<L>(&env);
            if enabled.is_err() {
                end(&env, handle);
            }
            enabled
        },
        move |jni, ()| settle(jni, handle),
    )
}

fn enable<L: Listener>(env: &Inside) -> Outcome<()> {
    // HotSpot remembers whether one that has seen class files could have classes retransformed then.
    env.stain();
    target::listen::<L>(env)?;
    let hook = Event::CLASS_FILE_LOAD_HOOK;
    Ok(env.set_event_notification_mode(EventMode::ENABLE, hook, None)?)
}

/// Takes [`hook`] back.
fn unhook(jni: &Env<'_>, env: &Inside) {
    let handle = env.handle();
    // It is owed if the steward does not answer.
    let _ = steward::have_done(jni, move |jni| {
        settle(jni, handle);
        Ok(())
    });
}

/// One call less. Of what has been closed meanwhile no event is delivered.
fn settle(jni: &Env<'_>, handle: u64) {
    match gate::enter(Me::new(jni.get_raw()), handle.cast_signed()) {
        Ok(env) => end(&env, handle),
        Err(_) => drop(count_down(handle)),
    }
}

fn end(env: &Inside, handle: u64) {
    let hook = Event::CLASS_FILE_LOAD_HOOK;
    let is_told = |target: &Target| target.tells_of(hook);
    if count_down(handle) && !env.attached::<Target>().is_some_and(is_told) {
        let _ = env.set_event_notification_mode(EventMode::DISABLE, hook, None);
    }
}

/// Whether that was the last call.
fn count_down(handle: u64) -> bool {
    let mut hooked = hooked();
    let left = hooked.get(&handle).map_or(0, |calls| calls - 1);
    match left {
        0 => drop(hooked.remove(&handle)),
        left => drop(hooked.insert(handle, left)),
    }
    left == 0
}

fn hooked() -> MutexGuard<'static, BTreeMap<u64, usize>> {
    HOOKED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No constants, and the flags 0x0021.
    const FILE: &[u8] = &[0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 1, 0x00, 0x21, 0, 4];

    /// Places of classes that are only numbers here, each expected to be made from its number.
    fn pass(count: u8) -> Pass {
        let place = |number| Place {
            class: Global::null(),
            from: vec![number],
            to: vec![number, number],
            found: None,
        };
        Pass::new(std::ptr::null_mut(), (0..count).map(place).collect())
    }

    #[test]
    fn classes_are_looked_for_from_the_one_before() {
        let mut pass = pass(4);
        for (number, looks) in [(0, 1), (1, 1), (3, 2), (2, 3), (2, 4)] {
            let seen = Cell::new(0);
            let file = pass.answer(&[number], |place| {
                seen.set(seen.get() + 1);
                place.from == [number]
            });
            assert_eq!(file, Some(vec![number, number]));
            assert_eq!(seen.get(), looks, "{number}");
        }
        assert!(pass.answer(&[9], |_| false).is_none(), "not of this pass");
        assert!(pass.is_done() && !pass.is_given_up);
    }

    #[test]
    fn the_last_one_tells_the_vm_that_one_was_not_as_expected() {
        let mut pass = pass(2);
        assert_eq!(pass.answer(FILE, |place| place.from == [0]), None);
        assert!(!pass.is_given_up);
        assert_eq!(pass.answer(&[1], |place| place.from == [1]), None);
        assert!(pass.is_given_up);
    }
}
