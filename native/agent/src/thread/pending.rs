//! Threads that are to leave a frame once they run, and have not been seen elsewhere since.
//!
//! HotSpot refuses a second pop before the first is done, and a second forced return; of one after the other it does
//! both, the second from a frame that nobody has looked at. Of a thread that is to throw an exception as well it finds
//! "Exception installed and deoptimization is pending", and ends. And a frame that is called again must not be of a class that
//! gets another class file meanwhile, nor get something else for its parameters.
//!
//! Whether the thread has run nobody tells: it may be resumed and suspended again before it has, and what it uses of a
//! processor it may have used for others who look at its stack, or for a profiler's signals. So only who is elsewhere has
//! left the frame.

use std::mem;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::{JClass, JThread};
use jni::refs::Weak;
use jvmti::FrameInfo;

use crate::environment::gate::Inside;
use crate::failure::{Failure, Outcome};
use crate::thread::{carrier, transition, virtual_thread};
use crate::vm::bare;

/// How a frame is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Popped,
    Returned,
    /// By an exception that another thread throws in this one.
    Thrown,
}

/// Whether threads are to call methods of some classes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pops {
    None,
    /// Somebody runs who may not have come to it.
    Running,
    /// Somebody stands still.
    Standing,
}

pub(super) struct Leaving {
    thread: Weak<JThread<'static>>,
    /// None: it does not matter.
    class: Option<Weak<JClass<'static>>>,
    /// None: it ran, and was not seen standing since.
    frame: Option<FrameInfo>,
    how: How,
    /// Since when its thread is known to run, and what it, or who carries it, had used of a processor by then.
    runs: Option<(Instant, Option<i64>)>,
}

/// Who is never seen suspended for so long, and uses so many nanoseconds, has come to it, and is where he was once more: a
/// loop that is compiled stops at one place.
const SETTLED: Duration = Duration::from_millis(500);
const ENOUGH: i64 = 10_000_000;

pub(super) const PENDING: &str = "the thread is about to leave its frame already, or is at the same place again: let it run a little";

const THROWING: &str = "the thread is about to throw what another one has thrown in it, or is at the same place again, and the JVM could crash: let it run a little";

/// Touched by the steward alone, who holds the lock only to take it out and to put it back.
static LEAVING: Mutex<Vec<Leaving>> = Mutex::new(Vec::new());
/// For others.
static ANY: AtomicBool = AtomicBool::new(false);

/// So many that nobody looks where they are, only whether they have ended.
const FEW: usize = 64;
/// With how many it is looked where they are.
static CROWDED: AtomicUsize = AtomicUsize::new(FEW);

/// What is to be remembered of `thread` once it has been told to leave `frame`, of a method of `class`. Only by the
/// steward, as all of this.
pub(super) fn about_to_leave(
    jni: &mut Env<'_>,
    metadata: &Inside,
    thread: &JThread<'_>,
    class: &JClass<'_>,
    frame: FrameInfo,
    how: How,
) -> Outcome<Leaving> {
    forget_some(jni, metadata);
    Ok(Leaving {
        thread: bare::weak(jni, thread)?,
        class: Some(bare::weak(jni, class)?),
        frame: Some(frame),
        how,
        runs: None,
    })
}

/// What is to be remembered of `thread` once an exception is to be thrown in it, if it runs. Only by the steward.
pub(super) fn about_to_throw(
    jni: &mut Env<'_>,
    metadata: &Inside,
    thread: &JThread<'_>,
) -> Outcome<Leaving> {
    forget_some(jni, metadata);
    Ok(Leaving {
        thread: bare::weak(jni, thread)?,
        class: None,
        frame: None,
        how: How::Thrown,
        runs: None,
    })
}

/// It has been told to: what the VM has taken anew replaces what is done. Does not fail, for that cannot be taken back.
pub(super) fn remember(jni: &Env<'_>, leaves: Leaving) {
    retain(|one| {
        !jni.is_same_object(&one.thread, &leaves.thread)
            .unwrap_or(false)
    });
    leaving().push(leaves);
    ANY.store(true, Ordering::SeqCst);
}

/// Refuses to leave `frame` in one way if `thread` may still be about to leave it in another; in the same way the VM
/// does.
pub(super) fn ensure_none(
    jni: &Env<'_>,
    thread: &JThread<'_>,
    frame: FrameInfo,
    how: How,
) -> Outcome<()> {
    match found(jni, thread, frame) {
        Some(How::Thrown) => Err(Failure::State(THROWING.to_owned())),
        Some(pending) if pending != how => Err(Failure::State(PENDING.to_owned())),
        _ => Ok(()),
    }
}

/// The same if `thread` runs, and asks by itself: whatever was pending when it was seen before it has come to since. Of
/// what was thrown in it while it ran nobody knows, and it is refused once.
pub(super) fn ensure_none_of_own(
    jni: &Env<'_>,
    thread: &JThread<'_>,
    frame: FrameInfo,
) -> Outcome<()> {
    let mut is_unknown = false;
    retain_with(|mut one| {
        if !jni.is_same_object(&one.thread, thread).unwrap_or(false) {
            return Some(one);
        }
        let is_seen = one.frame.replace(frame).is_some();
        is_unknown |= !is_seen;
        (!is_seen).then_some(one)
    });
    match is_unknown {
        true => Err(Failure::State(THROWING.to_owned())),
        false => Ok(()),
    }
}

/// Refuses to throw something in `thread`, which is at `frame`, if it may still be about to leave that.
pub(super) fn ensure_stays(jni: &Env<'_>, thread: &JThread<'_>, frame: FrameInfo) -> Outcome<()> {
    let mut leaves = false;
    retain(|one| {
        leaves |= one.how != How::Thrown
            && one.is_at(frame)
            && jni.is_same_object(&one.thread, thread).unwrap_or(false);
        true
    });
    match leaves {
        true => Err(Failure::State(PENDING.to_owned())),
        false => Ok(()),
    }
}

/// Refuses another value for a parameter of `frame` if `thread` may be about to call its method again.
pub(super) fn ensure_not_popped(
    jni: &Env<'_>,
    thread: &JThread<'_>,
    frame: FrameInfo,
) -> Outcome<()> {
    match found(jni, thread, frame) {
        Some(How::Popped) => Err(Failure::State(PENDING.to_owned())),
        _ => Ok(()),
    }
}

/// How `thread`, which stands at `frame`, may still be about to leave it.
fn found(jni: &Env<'_>, thread: &JThread<'_>, frame: FrameInfo) -> Option<How> {
    let mut found = None;
    retain_with(|mut one| {
        if jni.is_same_object(&one.thread, thread).unwrap_or(false) {
            let stays = *one.frame.get_or_insert(frame) == frame;
            found = stays.then_some(one.how).or(found);
            return stays.then_some(one);
        }
        let is_gone = one.thread.is_garbage_collected(jni).unwrap_or(false);
        (!is_gone).then_some(one)
    });
    found
}

/// Whether there are any at all, also while the steward has them in his hands.
pub(crate) fn are_any() -> bool {
    ANY.load(Ordering::SeqCst)
}

/// Whether threads are to call methods of one of `classes` again.
pub(crate) fn pops_in(
    jni: &mut Env<'_>,
    metadata: &Inside,
    classes: &[impl AsRef<JClass<'static>>],
) -> Outcome<Pops> {
    let mut worst = Pops::None;
    let mut failed = Ok(());
    retain_with(|mut one| {
        let found = pops(jni, metadata, &mut one, classes);
        match found {
            Ok(None) => None,
            Ok(Some(pops)) => {
                worst = worst.max(pops);
                Some(one)
            }
            Err(failure) => {
                failed = Err(failure);
                Some(one)
            }
        }
    });
    failed.map(|()| worst)
}

/// None: it is known to have left.
fn pops(
    jni: &mut Env<'_>,
    metadata: &Inside,
    one: &mut Leaving,
    classes: &[impl AsRef<JClass<'static>>],
) -> Outcome<Option<Pops>> {
    if one.how != How::Popped || !is_among(jni, one, classes)? {
        return Ok(Some(Pops::None));
    }
    let Some(thread) = one.thread.upgrade_local(jni)? else {
        return Ok(None);
    };
    let found = where_it_is(jni, metadata, one, &thread);
    jni.delete_local_ref(thread);
    found
}

fn where_it_is(
    jni: &mut Env<'_>,
    metadata: &Inside,
    one: &mut Leaving,
    thread: &JThread<'_>,
) -> Outcome<Option<Pops>> {
    match transition::frame_location(jni, metadata, Some(thread), 0) {
        Ok(frame) if one.is_at(frame) => {}
        // Or it has ended.
        Ok(_) | Err(Failure::Jvmti(_)) => return Ok(None),
        Err(failure) => return Err(failure),
    }
    if transition::stands_still(jni, metadata, thread)? {
        one.runs = None;
        return Ok(Some(Pops::Standing));
    }
    let used = used(jni, metadata, thread);
    let (since, before) = *one.runs.get_or_insert_with(|| (Instant::now(), used));
    // Another carrier may have used less.
    let has_used = |(used, before)| !(0..=ENOUGH).contains(&(used - before));
    let has_run = since.elapsed() >= SETTLED && used.zip(before).is_none_or(has_used);
    Ok((!has_run).then_some(Pops::Running))
}

/// The CPU time of `thread`, or of who carries it: nobody else does, before it has run.
fn used(jni: &mut Env<'_>, metadata: &Inside, thread: &JThread<'_>) -> Option<i64> {
    let carrier = carrier::of(jni, thread).ok()?;
    let used = metadata.thread_cpu_time(Some(carrier.as_ref().unwrap_or(thread)));
    if let Some(carrier) = carrier {
        jni.delete_local_ref(carrier);
    }
    used.ok()
}

fn is_among(
    jni: &Env<'_>,
    one: &Leaving,
    classes: &[impl AsRef<JClass<'static>>],
) -> Outcome<bool> {
    let Some(own) = &one.class else {
        return Ok(false);
    };
    for class in classes {
        if jni.is_same_object(own, class.as_ref())? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Forgets who has ended, and who has come to what he was to throw, while there are few; else who is elsewhere, too, each
/// time as many more have come as were left.
fn forget_some(jni: &mut Env<'_>, metadata: &Inside) {
    let many = leaving().len();
    if many < FEW {
        retain_with(|mut one| {
            let stays = match one.how {
                How::Thrown => has_thrown(jni, metadata, &mut one).map(|thrown| !thrown),
                How::Popped | How::Returned => is_alive(jni, metadata, &one),
            };
            stays.unwrap_or(true).then_some(one)
        });
    } else if many >= CROWDED.load(Ordering::SeqCst) {
        retain_with(|one| is_there(jni, metadata, &one).unwrap_or(true).then_some(one));
        CROWDED.store(FEW.max(2 * leaving().len()), Ordering::SeqCst);
    }
}

/// Whether its thread is known to have come to what it was to throw.
fn has_thrown(jni: &mut Env<'_>, metadata: &Inside, one: &mut Leaving) -> Outcome<bool> {
    let Some(thread) = one.thread.upgrade_local(jni)? else {
        return Ok(true);
    };
    let found = where_it_is(jni, metadata, one, &thread);
    jni.delete_local_ref(thread);
    Ok(found?.is_none())
}

/// Whether its thread has not ended.
fn is_alive(jni: &mut Env<'_>, metadata: &Inside, one: &Leaving) -> Outcome<bool> {
    let Some(thread) = one.thread.upgrade_local(jni)? else {
        return Ok(false);
    };
    let is_alive = virtual_thread::is_alive(jni, metadata, &thread);
    jni.delete_local_ref(thread);
    is_alive
}

/// Whether its thread is where it was.
fn is_there(jni: &mut Env<'_>, metadata: &Inside, one: &Leaving) -> Outcome<bool> {
    let Some(thread) = one.thread.upgrade_local(jni)? else {
        return Ok(false);
    };
    let found = transition::frame_location(jni, metadata, Some(&thread), 0);
    jni.delete_local_ref(thread);
    match found {
        Ok(frame) => Ok(one.is_at(frame)),
        // Or it has ended.
        Err(Failure::Jvmti(_)) => Ok(false),
        Err(failure) => Err(failure),
    }
}

impl Leaving {
    /// The same of a thread that stands at `frame`, if that is known.
    pub(super) fn standing_at(self, frame: Option<FrameInfo>) -> Self {
        Self { frame, ..self }
    }

    fn is_at(&self, frame: FrameInfo) -> bool {
        self.frame.is_none_or(|own| own == frame)
    }
}

fn retain(mut stays: impl FnMut(&Leaving) -> bool) {
    retain_with(|one| stays(&one).then_some(one));
}

fn retain_with(each: impl FnMut(Leaving) -> Option<Leaving>) {
    let all = mem::take(&mut *leaving());
    let rest: Vec<_> = all.into_iter().filter_map(each).collect();
    ANY.store(!rest.is_empty(), Ordering::SeqCst);
    leaving().extend(rest);
}

fn leaving() -> MutexGuard<'static, Vec<Leaving>> {
    LEAVING.lock().unwrap_or_else(PoisonError::into_inner)
}
