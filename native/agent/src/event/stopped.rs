//! Where the VM has stopped a thread to tell its listeners, and that it is to return from there at once.

use std::cell::{Cell, RefCell};

use jni::Env;
use jvmti::{FrameInfo, MethodId};

use crate::environment::gate::Inside;
use crate::failure::{Failure, Outcome};
use crate::thread::early_return::{self, EarlyReturn, Leaving};
use crate::thread::returned::Returned;

const NOT_THERE: &str = "the calling thread is in no listener of a breakpoint or of a single step there, and only those can have the method return";
const ALREADY: &str =
    "the method returns early already: a listener that was told of the same event has asked for it";

thread_local! {
    /// None: it is not told of where it is.
    static STOPPED: RefCell<Option<Stopped>> = const { RefCell::new(None) };
    /// What it was told to leave last, and may not have left yet.
    static LEAVES: Cell<Option<Leaving>> = const { Cell::new(None) };
}

/// A thread's stay before a bytecode.
struct Stopped {
    frame: FrameInfo,
    asked: Option<EarlyReturn>,
}

/// As long as the listeners of one event are told.
pub(super) struct Stay {
    /// Where it is that listens: what happens in a listener is none of its listeners' affair.
    outer: Option<Stopped>,
}

impl Stay {
    pub(super) fn begin(frame: FrameInfo) -> Self {
        let asked = None;
        let outer = of_mine(|now| now.replace(Stopped { frame, asked }));
        Self { outer }
    }

    /// What was asked for.
    pub(super) fn take(&self) -> Option<EarlyReturn> {
        of_mine(|now| now.as_mut()?.asked.take())
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        let outer = self.outer.take();
        let _ = of_mine(|now| std::mem::replace(now, outer));
    }
}

/// Whether a listener that is being told has asked.
pub(super) fn is_asked() -> bool {
    of_mine(|now| now.as_ref()?.asked.as_ref().map(drop)).is_some()
}

/// What `look` finds of the calling thread: nothing on one that ends, and has given its storage back.
fn of_mine<T>(look: impl FnOnce(&mut Option<Stopped>) -> Option<T>) -> Option<T> {
    STOPPED
        .try_with(|now| look(&mut now.borrow_mut()))
        .ok()
        .flatten()
}

/// Asks that the calling thread return `value` from where it is, at `location` of `method`, once its listeners have
/// returned.
pub(crate) fn ask(
    jni: &mut Env<'_>,
    env: &Inside,
    metadata: i64,
    (method, location): (i64, i64),
    value: Returned,
) -> Outcome<()> {
    let refusal = |why: &str| Err(Failure::State(why.to_owned()));
    let frame = of_mine(|now| now.as_ref().map(|now| now.frame));
    let is_there =
        |frame: &FrameInfo| frame.method.as_raw() as i64 == method && frame.location == location;
    let Some(frame) = frame.filter(is_there) else {
        return refusal(NOT_THERE);
    };
    if is_asked() {
        return refusal(ALREADY);
    }
    let asked = early_return::ask(jni, env, metadata, frame, value)?;
    let _ = of_mine(|now| now.as_mut()?.asked.replace(asked));
    Ok(())
}

/// It was done, and is pending from here on.
pub(super) fn leaves(leaving: Leaving) {
    LEAVES.set(Some(leaving));
}

/// Whether the calling thread is about to return early, so that any Java that it ran now would return instead. The VM
/// tells one environment after the other, and may have come from one that has asked for that to the next.
pub(super) fn is_leaving(jni: &Env<'_>, env: &jvmti::Env, method: Option<MethodId>) -> bool {
    let Some(leaving) = LEAVES.get() else {
        return false;
    };
    let is_pending = leaving.is_pending(jni, env);
    if !matches!(is_pending, Ok(true)) {
        LEAVES.set(None);
    }
    // If it cannot be seen any more, the method tells, and nobody is kept from more than one event.
    is_pending.unwrap_or(method == Some(leaving.frame.method))
}
