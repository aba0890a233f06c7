//! Frames that are left before their method has come to its end: called again, or returned from with a value.
//!
//! HotSpot compares less than it should. Of the value for a caller it looks at the kind, and of a reference at the *name*
//! of its class; a method that is called again gets whatever is in the slots of its parameters by then. And the JDK's own
//! code hands memory what a method of its own has checked, so its methods are left alone, and ours are, too.
//!
//! What is found out about the frame must still be so when the VM is asked. So the steward does both: nothing of ours is
//! suspended meanwhile, and nobody of ours begins to resume; who stands in the middle of that is not waited for, and the
//! VM refuses a thread that runs.

use std::time::Duration;

use jni::Env;
use jni::objects::{JClass, JClassLoader, JObject, JThread};
use jvmti::FrameInfo;
use jvmti::sys::{self, Capability};

use crate::environment::gate::{self, Inside, Me};
use crate::failure::{Failure, Outcome};
use crate::thread::assignment::is_in_range;
use crate::thread::carrier;
use crate::thread::interpreted;
use crate::thread::leavers;
use crate::thread::meaning::is_of;
use crate::thread::own_code;
use crate::thread::pending::{self, How};
use crate::thread::resumptions::Pinned;
use crate::thread::returned::{Returned, type_of};
use crate::thread::transition;
use crate::thread::variables::{
    STATIC, ensure_holds, ensure_suspended, is_current, parameter_types, renamed,
};
use crate::thread::virtual_thread::is_virtual;
use crate::vm::bytecode::{self, Kind};
use crate::vm::changed_classes;
use crate::vm::class_turns::{Place, Turn};
use crate::vm::constants::{self, Need};
use crate::vm::steward;

const POP: &str = "PopFrame";

const OF_THE_JDK: &str = "methods of the JDK's own are not left before their end: their callers trust them, and could crash the JVM";
const CONSTRUCTOR: &str = "a constructor is not returned from before its end: without what it would have done the object could crash the JVM";
const OVERWRITTEN: &str = "the method keeps something else by now where its parameters were, so it cannot be called again";
const UNSEEN: &str = "the method has assigned to a parameter, and whether it can be called with that only an environment sees that holds can_access_local_variables";
const CALLING: &str = "the method is at an instruction where the JVM may call Java itself, to link, to load or to throw, and that would be left instead: let it run a little";
const BY_HANDLE: &str = "a method that a method handle or reflection has called cannot be called again: the JVM would crash";
/// Where the classes of those frames are that call by method handles.
const HANDLES: &[u8] = b"Ljava/lang/invoke/";
const VIRTUAL: &str = "a method on a virtual thread is not called again: where the thread has waited before, its callers are not on the stack yet, and the JVM would crash";
const CHANGED: &str = "the method's class has been given another class file, and the JVM would crash where the caller is compiled";
const CHANGING: &str = "another thread is giving the method's class another class file";

/// The modifier of fields that are not written again.
const FINAL: i32 = 0x10;

/// The innermost frame of a thread that stands still, of a method that is not the JDK's.
pub(super) struct Top<'l> {
    frame: FrameInfo,
    declaring: JClass<'l>,
    loader: JClassLoader<'l>,
    name: String,
    signature: String,
}

/// Has `thread` call the method of its innermost frame again once it runs. `metadata` is an environment that reads
/// bytecodes.
pub(crate) fn pop(
    jni: &mut Env<'_>,
    env: &Inside,
    metadata: i64,
    thread: &JThread<'_>,
) -> Outcome<()> {
    let asked = Asked::new(POP, Capability::CAN_POP_FRAME, How::Popped, metadata);
    if thread.is_null() {
        return Err(asked.refusal(sys::Error::INVALID_THREAD));
    }
    asked.of(jni, env, Some(thread), move |jni, env, thread, top| {
        // Where its callers are, on the stack or still in the heap, nobody tells.
        if is_virtual(jni, thread)? {
            return Err(Failure::NotTold(POP, VIRTUAL));
        }
        if changed_classes::is_one(jni, &top.declaring)? {
            return Err(Failure::NotTold(POP, CHANGED));
        }
        ensure_called_plainly(jni, env, thread)?;
        ensure_callable(jni, env, metadata, thread, top)?;
        top.ensure_calls_no_java(jni, env, metadata, POP)?;
        // SAFETY: of a thread that stands still, and that the VM refuses if it does not any more; the parameters are
        // what the method declares, and nothing is pending.
        Ok(unsafe { env.pop_frame(thread) }?)
    })
}

/// Has `thread`, or the current one, return a value from its innermost frame once it runs. `metadata` as above.
pub(crate) fn force_return(
    jni: &mut Env<'_>,
    env: &Inside,
    metadata: i64,
    thread: Option<&JThread<'_>>,
    value: Returned,
) -> Outcome<()> {
    let function = value.function();
    let asked = Asked::new(
        function,
        Capability::CAN_FORCE_EARLY_RETURN,
        How::Returned,
        metadata,
    );
    asked.of(jni, env, thread, move |jni, env, thread, top| {
        top.ensure_returns(jni, env, &value)?;
        interpreted::ensure_arrives(&value, top.frame.location)?;
        top.ensure_calls_no_java(jni, env, metadata, function)?;
        // SAFETY: of a thread that stands still, and that the VM refuses if it does not any more; the value is one that
        // the method can return, which is neither the JDK's nor a constructor, and nothing is pending.
        Ok(unsafe { value.force(env, Some(thread)) }?)
    })
}

/// Has the VM tell when a frame of `thread`, or of the current one, is left.
pub(crate) fn notify_pop(
    jni: &mut Env<'_>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
    depth: u32,
) -> Outcome<()> {
    ensure_told_of(jni, env, "NotifyFramePop", thread)?;
    // Whoever has the environment next would be told.
    env.stain();
    Ok(env.notify_frame_pop(thread, depth)?)
}

/// Has the VM tell of no frame of `thread`, or of the current one.
pub(crate) fn clear_pops(
    jni: &mut Env<'_>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
) -> Outcome<()> {
    ensure_told_of(jni, env, "ClearAllFramePops", thread)?;
    Ok(env.clear_all_frame_pops(thread)?)
}

/// Refuses a thread that runs before the VM looks for its frame.
fn ensure_told_of(
    jni: &mut Env<'_>,
    env: &Inside,
    function: &'static str,
    thread: Option<&JThread<'_>>,
) -> Outcome<()> {
    ensure_holds(env, function, Capability::CAN_GENERATE_FRAME_POP_EVENTS)?;
    match thread {
        Some(thread) if !is_current(jni, env, thread)? => {
            ensure_suspended(jni, env, function, thread)
        }
        _ => Ok(()),
    }
}

impl<'l> Top<'l> {
    /// Refuses one of the JDK's own, or of ours.
    pub(super) fn of(
        jni: &mut Env<'l>,
        env: &Inside,
        function: &'static str,
        frame: FrameInfo,
    ) -> Outcome<Self> {
        let declaring = renamed(function, env.method_declaring_class(jni, frame.method))?;
        let Some(loader) = env.class_loader(jni, &declaring)? else {
            return Err(Failure::NotTold(function, OF_THE_JDK));
        };
        own_code::refuse(jni, env, function, &declaring, &loader)?;
        let (name, signature, _) = renamed(function, env.method_name(frame.method))?;
        Ok(Self {
            frame,
            declaring,
            loader,
            name: name.to_string(),
            signature: signature.to_string(),
        })
    }

    /// What its method returns.
    pub(super) fn type_(&self) -> &str {
        type_of(&self.signature)
    }

    /// Refuses a value that its method does not return, as far as the VM does not look, and a constructor.
    pub(super) fn ensure_returns(
        &self,
        jni: &mut Env<'_>,
        env: &Inside,
        value: &Returned,
    ) -> Outcome<()> {
        let function = value.function();
        if self.name == "<init>" {
            return Err(Failure::NotTold(function, CONSTRUCTOR));
        }
        let type_ = self.type_();
        let fits = match value {
            Returned::Object(Some(value)) if type_.starts_with(['L', '[']) => {
                self.takes(jni, env, value, type_)?
            }
            Returned::Int(value) => is_in_range(*value, type_),
            _ => true,
        };
        match fits {
            true => Ok(()),
            false => Err(jvmti::Error::new(function, sys::Error::TYPE_MISMATCH).into()),
        }
    }

    /// Whether it is of the class of that name.
    fn is_of_class(&self, env: &Inside, name: &[u8]) -> Outcome<bool> {
        let (own, _) = env.class_signature(&self.declaring)?;
        Ok(own.to_bytes() == [b"L", name, b";"].concat())
    }

    /// Whether its class has this field, so that nothing is to be found, loaded, or refused.
    fn has(&self, env: &Inside, field: &constants::Field<'_>) -> Outcome<bool> {
        let is_initialised = || {
            let status = env.class_status(&self.declaring)?;
            Outcome::Ok(status.contains(sys::ClassStatus::INITIALIZED))
        };
        if !self.is_of_class(env, field.class)? || !is_initialised()? {
            return Ok(false);
        }
        for one in env.class_fields(&self.declaring)? {
            let (name, type_, _) = env.field_name(one)?;
            if name.to_bytes() == field.name && type_.to_bytes() == field.type_ {
                let modifiers = env.field_modifiers(one)?;
                return Ok((modifiers & STATIC != 0) == field.is_static
                    && !(field.is_written && modifiers & FINAL != 0));
            }
        }
        Ok(false)
    }

    /// Refuses one that may be about to call the JDK by itself: what is asked for would befall that frame.
    fn ensure_calls_no_java(
        &self,
        jni: &mut Env<'_>,
        env: &Inside,
        metadata: i64,
        function: &'static str,
    ) -> Outcome<()> {
        let metadata = gate::enter(Me::new(jni.get_raw()), metadata)?;
        let code = renamed(function, metadata.bytecodes(self.frame.method))?;
        // Those of an obsolete method are not in the class any more.
        let constants = match metadata.is_method_obsolete(self.frame.method)? {
            true => Vec::new(),
            false => renamed(function, metadata.constant_pool(&self.declaring))?.1,
        };
        let at = usize::try_from(self.frame.location).unwrap_or(usize::MAX);
        let is_static = env.method_modifiers(self.frame.method)? & STATIC != 0;
        let calls = match constants::need(&code, at, !is_static, &constants) {
            Need::Nothing => false,
            Need::Java => true,
            Need::Class(name) => !self.is_of_class(env, name)?,
            Need::Field(field) => !self.has(env, &field)?,
        };
        match calls {
            true => Err(Failure::NotTold(function, CALLING)),
            false => Ok(()),
        }
    }

    /// Whether `value` is what the method's class means by a descriptor.
    fn takes(
        &self,
        jni: &mut Env<'_>,
        env: &Inside,
        value: &JObject<'_>,
        type_: &str,
    ) -> Outcome<bool> {
        is_of(jni, env, &self.loader, value, type_)
    }
}

/// What is asked for, and what it needs.
#[derive(Clone, Copy)]
struct Asked {
    function: &'static str,
    capability: Capability,
    how: How,
    metadata: i64,
}

impl Asked {
    fn new(function: &'static str, capability: Capability, how: How, metadata: i64) -> Self {
        Self {
            function,
            capability,
            how,
            metadata,
        }
    }

    /// Has the steward look at the innermost frame of `thread`, and then do `deed`.
    fn of(
        self,
        jni: &mut Env<'_>,
        env: &Inside,
        thread: Option<&JThread<'_>>,
        deed: impl FnOnce(&mut Env<'_>, &Inside, &JThread<'_>, &Top<'_>) -> Outcome<()> + Send + 'static,
    ) -> Outcome<()> {
        ensure_holds(env, self.function, self.capability)?;
        let thread = match thread {
            Some(thread) if !is_current(jni, env, thread)? => thread,
            // Its innermost frame is the native that asks.
            _ => return Err(self.refusal(sys::Error::OPAQUE_FRAME)),
        };
        ensure_suspended(jni, env, self.function, thread)?;
        let handle = env.handle().cast_signed();
        let thread = jni.new_global_ref(thread)?;
        let asked = move |jni: &mut Env<'_>| {
            let env = gate::enter(Me::new(jni.get_raw()), handle)?;
            // Who stands in the middle of resuming it is not waited for: once he does, it runs.
            let pinned = Pinned::now(jni, &thread)?;
            let top = self.top(jni, &env, &thread)?;
            let metadata = gate::enter(Me::new(jni.get_raw()), self.metadata)?;
            pending::ensure_none(jni, &thread, top.frame, self.how)?;
            // Until it is remembered that it is popped, nobody changes its class.
            let _turn = self.turn(jni, &top)?;
            let leaves = pending::about_to_leave(
                jni,
                &metadata,
                &thread,
                &top.declaring,
                top.frame,
                self.how,
            )?;
            let announced = leavers::announce(jni, &env, &thread, top.frame)?;
            pinned.as_ref().map(Pinned::asks);
            deed(jni, &env, &thread, &top).map_err(explained)?;
            pending::remember(jni, leaves);
            announced.keep();
            Ok(())
        };
        // What was begun cannot be undone.
        steward::ask(jni, asked, |_, ()| {})
    }

    /// The turn of the class, if it must be nobody else's meanwhile.
    fn turn(self, jni: &Env<'_>, top: &Top<'_>) -> Outcome<Option<Turn>> {
        if self.how != How::Popped {
            return Ok(None);
        }
        let turn = Place::among(jni, &[&top.declaring])?.take_within(Duration::ZERO);
        match turn {
            None => Err(Failure::State(CHANGING.to_owned())),
            turn => Ok(turn),
        }
    }

    fn top<'l>(self, jni: &mut Env<'l>, env: &Inside, thread: &JThread<'_>) -> Outcome<Top<'l>> {
        if !transition::stands_still(jni, env, thread)? {
            return Err(self.refusal(sys::Error::THREAD_NOT_SUSPENDED));
        }
        let frame = match transition::frame_location(jni, env, Some(thread), 0) {
            Err(Failure::Jvmti(refused)) => return Err(self.refusal(refused.code)),
            frame => frame?,
        };
        if frame.location < 0 {
            return Err(self.refusal(sys::Error::OPAQUE_FRAME));
        }
        match Top::of(jni, env, self.function, frame) {
            Err(Failure::NotTold(_, OF_THE_JDK)) if is_unmounted(jni, thread)? => {
                Err(self.refusal(sys::Error::OPAQUE_FRAME))
            }
            top => top,
        }
    }

    fn refusal(self, code: sys::Error) -> Failure {
        jvmti::Error::new(self.function, code).into()
    }
}

fn is_unmounted(jni: &mut Env<'_>, thread: &JThread<'_>) -> Outcome<bool> {
    Ok(is_virtual(jni, thread)? && carrier::of(jni, thread)?.is_none())
}

/// Another agent may have been faster.
fn explained(refused: Failure) -> Failure {
    match refused {
        Failure::Jvmti(error) if error.code == sys::Error::INTERNAL => {
            Failure::State(pending::PENDING.to_owned())
        }
        other => other,
    }
}

/// Refuses a method that a method handle has called, as reflection does: with something more than its parameters, of
/// which HotSpot does not know when it calls again.
fn ensure_called_plainly(jni: &mut Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<()> {
    let caller = match transition::frame_location(jni, env, Some(thread), 1) {
        Ok(caller) => caller,
        // The VM itself refuses it.
        Err(Failure::Jvmti(none)) if none.code == sys::Error::NO_MORE_FRAMES => return Ok(()),
        Err(failure) => return Err(failure),
    };
    let declaring = renamed(POP, env.method_declaring_class(jni, caller.method))?;
    let (signature, _) = renamed(POP, env.class_signature(&declaring))?;
    match signature.to_bytes().starts_with(HANDLES) {
        true => Err(Failure::NotTold(POP, BY_HANDLE)),
        false => Ok(()),
    }
}

/// Refuses a method that could not be called with what is in the slots of its parameters.
fn ensure_callable(
    jni: &mut Env<'_>,
    env: &Inside,
    metadata: i64,
    thread: &JThread<'_>,
    top: &Top<'_>,
) -> Outcome<()> {
    let refusal = |why| Err(Failure::NotTold(POP, why));
    let code = {
        let metadata = gate::enter(Me::new(jni.get_raw()), metadata)?;
        renamed(POP, metadata.bytecodes(top.frame.method))?
    };
    let is_static = env.method_modifiers(top.frame.method)? & STATIC != 0;
    let parameters = parameters(&top.signature, is_static);
    let Some(stores) = bytecode::stores(&code) else {
        return refusal(OVERWRITTEN);
    };
    for store in stores {
        let slot = usize::from(store.slot);
        let Some((kind, type_)) = parameters.get(slot) else {
            continue;
        };
        if *kind != store.kind {
            return refusal(OVERWRITTEN);
        }
        if store.kind == Kind::Reference {
            if !env
                .capabilities()?
                .contains(Capability::CAN_ACCESS_LOCAL_VARIABLES)
            {
                return refusal(UNSEEN);
            }
            let value = env.local_object(jni, Some(thread), 0, store.slot);
            let Some(value) = renamed(POP, value)? else {
                continue;
            };
            let fits = match type_ {
                Some(type_) => top.takes(jni, env, &value, type_)?,
                None => jni.is_instance_of(&value, &top.declaring)?,
            };
            if !fits {
                return refusal(OVERWRITTEN);
            }
        }
    }
    Ok(())
}

/// What each slot holds in which a method gets its parameters, and the descriptor of a parameter's type; none for the
/// receiver.
fn parameters(signature: &str, is_static: bool) -> Vec<(Kind, Option<&str>)> {
    let mut slots = Vec::new();
    if !is_static {
        slots.push((Kind::Reference, None));
    }
    for type_ in parameter_types(signature) {
        let kind = match type_ {
            "J" => Kind::Long,
            "D" => Kind::Double,
            "F" => Kind::Float,
            reference if reference.starts_with(['L', '[']) => Kind::Reference,
            _ => Kind::Int,
        };
        slots.push((kind, Some(type_)));
        if matches!(kind, Kind::Long | Kind::Double) {
            slots.push((Kind::Half, None));
        }
    }
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_in_the_range_of_what_is_returned() {
        let within = [
            (1, "Z"),
            (-128, "B"),
            (0xFFFF, "C"),
            (-32768, "S"),
            (i32::MIN, "I"),
        ];
        let beyond = [
            (2, "Z"),
            (-1, "Z"),
            (128, "B"),
            (-1, "C"),
            (0x10000, "C"),
            (32768, "S"),
        ];
        assert!(
            within
                .into_iter()
                .all(|(value, type_)| is_in_range(value, type_))
        );
        assert!(
            !beyond
                .into_iter()
                .any(|(value, type_)| is_in_range(value, type_))
        );
    }

    #[test]
    fn parameters_are_where_the_caller_puts_them() {
        use Kind::{Double, Float, Half, Int, Long, Reference};
        let kinds = |signature, is_static| {
            parameters(signature, is_static)
                .into_iter()
                .map(|(kind, _)| kind)
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds("()V", true), []);
        assert_eq!(
            kinds("(ZJ[JFLx/Y;D)V", false),
            [
                Reference, Int, Long, Half, Reference, Float, Reference, Double, Half
            ]
        );
        assert_eq!(parameters("(JLx/Y;)I", true)[2], (Reference, Some("Lx/Y;")));
    }
}
