//! A thread that returns from the method in which the VM has stopped it, to tell its listeners.
//!
//! The VM lets it do that from its innermost frame only, and takes whatever runs next for that: while listeners run they
//! can but ask for it, and once it is done no Java may run before the thread is back where it was. What can be refused is
//! refused when it is asked for. In between the frame stays: nothing of the program runs on the thread.
//!
//! Where the VM has stopped it before a bytecode, nothing else is under way in that frame: so it may be left wherever it
//! is, unlike one of a thread that was suspended.

use jni::Env;
use jni::objects::JThread;
use jni::refs::Global;
use jvmti::FrameInfo;
use jvmti::sys::{self, Capability};

use crate::environment::gate::{self, Inside, Me};
use crate::failure::{Failure, Outcome};
use crate::thread::interpreted;
use crate::thread::leaving::Top;
use crate::thread::meaning::is_called;
use crate::thread::pending::{self, How};
use crate::thread::returned::{Returned, type_of};
use crate::thread::variables::{ensure_holds, renamed};
use crate::vm::steward;

const ELSEWHERE: &str = "the thread is not in that frame any more";

/// What is asked for of the current thread.
pub(crate) struct EarlyReturn {
    handle: i64,
    metadata: i64,
    frame: FrameInfo,
    value: Returned,
}

/// Asks that the current thread return `value` from `frame`, in which the VM has stopped it. `metadata` is an environment
/// that asks for CPU times.
pub(crate) fn ask(
    jni: &mut Env<'_>,
    env: &Inside,
    metadata: i64,
    frame: FrameInfo,
    value: Returned,
) -> Outcome<EarlyReturn> {
    let function = value.function();
    ensure_holds(env, function, Capability::CAN_FORCE_EARLY_RETURN)?;
    let top = Top::of(jni, env, function, frame)?;
    top.ensure_returns(jni, env, &value)?;
    let fits = value.is_of_kind(top.type_())
        && match &value {
            Returned::Object(Some(value)) => is_called(jni, env, value, top.type_())?,
            _ => true,
        };
    if !fits {
        return Err(jvmti::Error::new(function, sys::Error::TYPE_MISMATCH).into());
    }
    interpreted::ensure_arrives(&value, frame.location)?;
    let handle = env.handle().cast_signed();
    let thread = current(jni, env)?;
    let asked = move |jni: &mut Env<'_>| pending::ensure_none_of_own(jni, &thread, frame);
    steward::ask(jni, asked, |_, ()| {})?;
    Ok(EarlyReturn {
        handle,
        metadata,
        frame,
        value,
    })
}

fn current(jni: &mut Env<'_>, env: &Inside) -> Outcome<Global<JThread<'static>>> {
    let current = env.current_thread(jni)?;
    let thread = jni.new_global_ref(&current)?;
    jni.delete_local_ref(current);
    Ok(thread)
}

impl EarlyReturn {
    /// Does it, on the thread that has asked, with its listeners gone. No Java may run on it from then on, before it is
    /// where the VM has stopped it.
    pub(crate) fn leave(&self, jni: &mut Env<'_>) -> Outcome<Leaving> {
        let env = gate::enter(Me::new(jni.get_raw()), self.handle)?;
        if env.frame_location(None, 0)? != self.frame {
            return Err(Failure::State(ELSEWHERE.to_owned()));
        }
        interpreted::ensure_arrives(&self.value, self.frame.location)?;
        self.announce(jni, &env)?;
        // SAFETY: the method is the one that was looked at; nothing runs above it, and whoever would have it left in
        // another way is refused, or has been before.
        unsafe { self.value.force(&env, None) }?;
        Ok(Leaving {
            handle: self.handle,
            frame: self.frame,
        })
    }

    /// From here on nobody has the thread leave that frame in another way.
    fn announce(&self, jni: &mut Env<'_>, env: &Inside) -> Outcome<()> {
        let thread = current(jni, env)?;
        let (metadata, frame) = (self.metadata, self.frame);
        let function = self.value.function();
        let asked = move |jni: &mut Env<'_>| {
            let metadata = gate::enter(Me::new(jni.get_raw()), metadata)?;
            pending::ensure_none(jni, &thread, frame, How::Returned)?;
            let class = renamed(function, metadata.method_declaring_class(jni, frame.method))?;
            let how = How::Returned;
            let leaves = pending::about_to_leave(jni, &metadata, &thread, &class, frame, how)?;
            pending::remember(jni, leaves);
            Ok(())
        };
        steward::ask(jni, asked, |_, ()| {})
    }
}

/// That the current thread was told to leave a frame.
#[derive(Clone, Copy)]
pub(crate) struct Leaving {
    handle: i64,
    pub(crate) frame: FrameInfo,
}

impl Leaving {
    /// Whether the current thread has not left it yet, as `env` sees it, or else the environment that has asked. Fails if
    /// neither can.
    pub(crate) fn is_pending(self, jni: &Env<'_>, env: &jvmti::Env) -> Outcome<bool> {
        let can_see = env.capabilities()?;
        if can_see.contains(Capability::CAN_FORCE_EARLY_RETURN) {
            return is_pending(env);
        }
        is_pending(&*gate::enter(Me::new(jni.get_raw()), self.handle)?)
    }
}

/// Whether the current thread is about to return early: the VM looks at that before it looks at the value.
fn is_pending(env: &jvmti::Env) -> Outcome<bool> {
    let now = env.frame_location(None, 0)?;
    let (_, signature, _) = env.method_name(now.method)?;
    let other = match Returned::Void.is_of_kind(type_of(&signature.to_string())) {
        true => Returned::Int(0),
        false => Returned::Void,
    };
    // SAFETY: the method cannot return that, so the VM refuses it.
    match unsafe { other.force(env, None) } {
        Err(refused) if refused.code == sys::Error::INTERNAL => Ok(true),
        Err(refused) if REFUSED.contains(&refused.code) => Ok(false),
        Err(refused) => Err(refused.into()),
        Ok(()) => Ok(true),
    }
}

/// With none pending.
const REFUSED: [sys::Error; 2] = [sys::Error::TYPE_MISMATCH, sys::Error::OPAQUE_FRAME];
