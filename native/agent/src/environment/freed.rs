//! Environments of the VM that are told of freed objects, until the VM can be asked to end that.
//!
//! HotSpot's `flush_object_free_events` waits for the Service Thread to have posted such events, and lets no safepoint
//! begin meanwhile; the Service Thread may wait for one that has begun, and the VM stands still for ever (17, 21, 25; a
//! plain agent's, too). That is called when the event is turned off, or on once more, when callbacks are set while it is
//! on, and when the environment is disposed. So none of that is done but by the Service Thread itself, while it tells an
//! environment of ours that a marked object of ours is freed: it posts for one environment after the other.

use std::collections::{BTreeSet, VecDeque};
use std::ptr;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JObject;
use jni::refs::Weak;
use jvmti::event::ObjectFree;
use jvmti::sys::{Capabilities, Capability, Event, EventMode};
use jvmti::{Listener, OwnedEnv};

use crate::failure::Outcome;
use crate::vm::{bare, daemon, image, steward};

/// Of the time since some were ended before, that part and no more than so long some are ended in one go: whoever ends the
/// VM meanwhile waits for it, and for ever if a safepoint begins.
const PART: u32 = 20;
const MOMENT: Duration = Duration::from_millis(50);

/// Where so many wait to be ended, who wants to be told waits a while: each makes it dearer to listen, to end, and to start a
/// thread, for everybody. As they are ended in collections, there are more where none come: to have them come would be dearer.
const MANY: usize = 256;
/// How long who wants to be told waits for others to be ended, where there are so many.
const PATIENCE: Duration = Duration::from_millis(100);

/// Its name in HotSpot.
const SERVICE_THREAD: &str = "Service Thread";

/// References that marking an object makes and does not count.
const REFERENCES: usize = 16;

/// By their addresses.
static TOLD: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// Those that nobody has any more, and that are told all the same, the oldest first.
static RETIRED: Mutex<VecDeque<Retired>> = Mutex::new(VecDeque::new());
static FEWER: Condvar = Condvar::new();

/// When some were ended last.
static ENDED: Mutex<Option<Instant>> = Mutex::new(None);

/// The object that carries the mark, which nobody holds. Once it is gone, we may have been told of it or not: an agent that goes
/// through the heap is told of what is dead in all environments, in their stead.
static MARKED: Mutex<Option<Weak<JObject<'static>>>> = Mutex::new(None);

/// Whose only objects are those that carry the mark.
static MARKS: OnceLock<&'static jvmti::Env> = OnceLock::new();

struct Retired {
    env: OwnedEnv,
    then: Box<dyn FnOnce(OwnedEnv) + Send>,
}

struct Mark;

impl Listener for Mark {
    fn object_free(_: &jvmti::Env, _: ObjectFree<'_>) {
        match daemon::with_current(|jni| is_service_thread(jni)) {
            Some(true) => end_some(),
            // Whoever ends the VM tells of what is left, and the Service Thread may wait for him.
            Some(false) => {}
            // Where the VM's own thread tells of them, nobody waits for anybody.
            None => steward::owe(end_some),
        }
    }
}

/// It is in the group at the top: one of the application's that has such a name, and ends the VM, is not.
fn is_service_thread(jni: &Env<'_>) -> bool {
    let is_it = image::plain().and_then(|plain| {
        let info = plain.thread_info(jni, None)?;
        Ok(info.name.to_str() == SERVICE_THREAD
            && match &info.thread_group {
                Some(group) => plain.thread_group_info(jni, group)?.parent.is_none(),
                None => false,
            })
    });
    is_it.unwrap_or(false)
}

/// Who wants `env` to be told waits a moment where many others wait to be ended: who opens and closes without pause would have
/// more and more of them.
pub(crate) fn make_room(env: &jvmti::Env) {
    if !are_told(env) {
        drop(FEWER.wait_timeout_while(retired(), PATIENCE, |all| all.len() >= MANY));
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

/// Has `env`, which is told of nothing else, told no more, and does `then` with it: in one of the next collections.
/// Only by the steward.
pub(super) fn retire(env: OwnedEnv, then: impl FnOnce(OwnedEnv) + Send + 'static) {
    let then = Box::new(then);
    retired().push_back(Retired { env, then });
    let _ = mark();
}

/// Whether any has to be ended.
pub(crate) fn is_any() -> bool {
    !retired().is_empty()
}

/// Puts the mark on an object that nobody holds, unless there is one. Only by the steward.
pub(crate) fn mark() -> Outcome<()> {
    let marks = match MARKS.get() {
        Some(marks) => marks,
        None => open()?,
    };
    image::java_vm()?.with_local_frame(REFERENCES, |jni| {
        let before = marked().take();
        if let Some(before) = before
            && !before.is_garbage_collected(jni)?
        {
            *marked() = Some(before);
            return Ok(());
        }
        let made = bare::long_array(jni, &[]).and_then(|one| {
            let one = JObject::from(one);
            marks.set_tag(&one, tag())?;
            bare::weak(jni, one)
        });
        jni.exception_clear();
        *marked() = Some(made?);
        Ok(())
    })
}

/// Those agents may be told of it, too: none has it for anything of its own.
fn tag() -> i64 {
    ptr::from_ref(&MARKS).addr() as i64
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
    let begun = Instant::now();
    let ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
    let since = ended.map_or(Duration::ZERO, |ended| begun - ended);
    drop(ended);
    let moment = MOMENT.min(since / PART);
    while let Some(one) = next() {
        end(one);
        if begun.elapsed() > moment {
            break;
        }
    }
    *ENDED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    FEWER.notify_all();
    if is_any() {
        steward::owe(|| drop(mark()));
    }
}

fn next() -> Option<Retired> {
    retired().pop_front()
}

fn end(one: Retired) {
    let Retired { env, then } = one;
    let ended = env.set_event_notification_mode(EventMode::DISABLE, Event::OBJECT_FREE, None);
    if ended.is_err() {
        // In the dead phase the VM takes it down itself.
        env.leak();
        return;
    }
    told().remove(&address(&env));
    steward::put_off(move || then(env));
}

fn address(env: &jvmti::Env) -> usize {
    env.as_raw().addr()
}

fn told() -> MutexGuard<'static, BTreeSet<usize>> {
    TOLD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn marked() -> MutexGuard<'static, Option<Weak<JObject<'static>>>> {
    MARKED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn retired() -> MutexGuard<'static, VecDeque<Retired>> {
    RETIRED.lock().unwrap_or_else(PoisonError::into_inner)
}
