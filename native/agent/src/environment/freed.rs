//! Environments of the VM that are told of freed objects, until the VM can be asked to end that.
//!
//! HotSpot's `flush_object_free_events` waits for the Service Thread to have posted such events, and lets no safepoint
//! begin meanwhile; the Service Thread may wait for one that has begun, and the VM stands still for ever (17, 21, 25; a
//! plain agent's, too). That is called when the event is turned off, or on once more, when callbacks are set while it is
//! on, and when the environment is disposed. So none of that is done but by the Service Thread itself, while it tells an
//! environment of ours that a marked object of ours is freed: it posts for one environment after the other.

use std::collections::BTreeSet;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use jvmti::event::ObjectFree;
use jvmti::sys::{Capabilities, Capability, Event, EventMode};
use jvmti::{Listener, OwnedEnv};

use crate::failure::Outcome;
use crate::vm::{bare, daemon, image, steward};

/// How many are ended in one go: the Service Thread has other things to do.
const AT_ONCE: usize = 1_024;

/// References that marking an object makes and does not count.
const REFERENCES: usize = 16;

/// By their addresses.
static TOLD: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// Those that nobody has any more, and that are told all the same.
static RETIRED: Mutex<Vec<Retired>> = Mutex::new(Vec::new());

/// Whether an object that nobody holds carries the mark.
static IS_MARKED: AtomicBool = AtomicBool::new(false);

/// Whose only objects are those that carry the mark.
static MARKS: OnceLock<&'static jvmti::Env> = OnceLock::new();

struct Retired {
    env: OwnedEnv,
    then: Box<dyn FnOnce(OwnedEnv) + Send>,
}

struct Mark;

impl Listener for Mark {
    fn object_free(_: &jvmti::Env, _: ObjectFree<'_>) {
        IS_MARKED.store(false, Ordering::SeqCst);
        if daemon::with_current(|_| ()).is_some() {
            end_some();
        } else {
            // Where the VM's own thread posts them, nobody waits for anybody.
            steward::owe(end_some);
        }
    }
}

/// From here on. Only by the steward.
pub(crate) fn tell(env: &jvmti::Env) -> jvmti::Result<()> {
    if are_told(env) {
        return Ok(());
    }
    env.set_event_notification_mode(EventMode::ENABLE, Event::OBJECT_FREE, None)?;
    told().insert(address(env));
    Ok(())
}

/// Whether that environment is.
pub(crate) fn are_told(env: &jvmti::Env) -> bool {
    told().contains(&address(env))
}

/// Has `env`, which is told of nothing else, told no more, and does `then` with it: after the next collection. Only by
/// the steward.
pub(super) fn retire(env: OwnedEnv, then: impl FnOnce(OwnedEnv) + Send + 'static) {
    let then = Box::new(then);
    retired().push(Retired { env, then });
    mark_one();
}

/// Unless it can be done now, the next one that is retired has it done. Only by the steward.
fn mark_one() {
    if !IS_MARKED.swap(true, Ordering::SeqCst) && mark().is_err() {
        IS_MARKED.store(false, Ordering::SeqCst);
    }
}

/// Puts the mark on an object that nobody holds.
fn mark() -> Outcome<()> {
    let marks = match MARKS.get() {
        Some(marks) => marks,
        None => open()?,
    };
    image::java_vm()?.with_local_frame(REFERENCES, |jni| {
        let marked = bare::long_array(jni, &[]).and_then(|one| Ok(marks.set_tag(&one, 1)?));
        jni.exception_clear();
        marked
    })
}

fn open() -> Outcome<&'static jvmti::Env> {
    let env = image::environment()?;
    let needed = [
        Capability::CAN_TAG_OBJECTS,
        Capability::CAN_GENERATE_OBJECT_FREE_EVENTS,
    ];
    env.add_capabilities(&needed.into_iter().collect::<Capabilities>())?;
    env.listen::<Mark>()?;
    env.set_event_notification_mode(EventMode::ENABLE, Event::OBJECT_FREE, None)?;
    Ok(MARKS.get_or_init(|| env.leak()))
}

/// The VM posts none just now, or this thread posts them.
fn end_some() {
    let mut waiting = retired();
    let many = waiting.len().min(AT_ONCE);
    let rest = waiting.split_off(many);
    let some = mem::replace(&mut *waiting, rest);
    let is_done = waiting.is_empty();
    drop(waiting);
    for one in some {
        let ended =
            (one.env).set_event_notification_mode(EventMode::DISABLE, Event::OBJECT_FREE, None);
        if ended.is_err() {
            // In the dead phase the VM takes it down itself.
            one.env.leak();
            continue;
        }
        told().remove(&address(&one.env));
        steward::put_off(move || (one.then)(one.env));
    }
    if !is_done {
        steward::owe(mark_one);
    }
}

fn address(env: &jvmti::Env) -> usize {
    env.as_raw().addr()
}

fn told() -> MutexGuard<'static, BTreeSet<usize>> {
    TOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn retired() -> MutexGuard<'static, Vec<Retired>> {
    RETIRED.lock().unwrap_or_else(PoisonError::into_inner)
}
