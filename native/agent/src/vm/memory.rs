//! Memory that Java has as direct buffers. It goes back to the VM when its buffer, and whatever was made of that, cannot be
//! reached any more: an earlier end would leave Java with an address of nothing.

use std::collections::BTreeMap;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::{JByteBuffer, JObject};
use jni::refs::Weak;

use crate::failure::{Failure, Outcome};
use crate::vm::patience::LONG;
use crate::vm::{bare, image, steward};

/// How many blocks are looked at whenever one is added, as long as any is due.
const WINDOW: usize = 64;

/// How many the steward looks at in a round: that takes some hundredths of a second, if all are freed.
const ROUND: usize = 1 << 17;

/// What a block costs besides its bytes, more or less: so that those without any are bounded too.
const OVERHEAD: u64 = 128;

/// After a collection that was of little use none is asked for so long.
const REST: Duration = Duration::from_secs(10);

/// A collection that was asked for and frees a smaller part of what may be had was of little use.
const WORTH: u64 = 16;

/// How often somebody collects while others take what he has freed.
const ATTEMPTS: usize = 8;

/// How long somebody else's collection is waited for.
const PATIENCE: Duration = LONG;

/// In the order in which they were made. Never held across a call into the VM.
static BLOCKS: Mutex<BTreeMap<u64, Arc<Block>>> = Mutex::new(BTreeMap::new());

/// The number of the next block.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Where the next look begins.
static CURSOR: AtomicU64 = AtomicU64::new(0);

/// In each of so many rounds of the steward all are looked at: a collection that takes long may find what is old unreachable
/// after what is young, and the rest of the time nothing is told of it.
const ALL_AGAIN: usize = 8;

/// The rounds of the steward.
static ROUNDS: AtomicUsize = AtomicUsize::new(0);

/// What is to be looked at.
static DUE: Due = Due(AtomicUsize::new(0));

/// How often a block was looked at.
static LOOKS: AtomicU64 = AtomicU64::new(0);

/// An object that nobody has: once it is gone there was a collection, of those at least that are made most often.
static NOTHING: Mutex<Option<Arc<Weak<JObject<'static>>>>> = Mutex::new(None);

/// What all of them cost, and those that are being made.
static USED: AtomicU64 = AtomicU64::new(0);

/// The bytes among that.
static BYTES: AtomicU64 = AtomicU64::new(0);

/// What of them has been freed so far, and goes on from 0.
static FREED: AtomicU64 = AtomicU64::new(0);

/// When the last collection was of little use.
static OF_LITTLE_USE: Mutex<Option<Instant>> = Mutex::new(None);

/// Memory that a buffer shows.
struct Block {
    buffer: Weak<JObject<'static>>,
    /// Taken by whoever finds that the buffer cannot be reached, though others may be looking at it.
    held: Mutex<Option<(jvmti::Memory<'static>, Cost)>>,
}

/// So many bytes in a block, which count in [`USED`] and [`BYTES`].
struct Cost {
    bytes: u64,
}

impl Cost {
    /// Some, unless all together would cost more than `most`.
    fn of(bytes: usize, most: u64) -> Option<Self> {
        let bytes = bytes as u64;
        let sum = |used: u64| used.checked_add(bytes)?.checked_add(OVERHEAD);
        let fits = |used: u64| sum(used).filter(|sum| *sum <= most);
        let used = USED.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fits);
        used.ok()?;
        BYTES.fetch_add(bytes, Ordering::SeqCst);
        Some(Self { bytes })
    }
}

impl Drop for Cost {
    fn drop(&mut self) {
        BYTES.fetch_sub(self.bytes, Ordering::SeqCst);
        FREED.fetch_add(self.bytes + OVERHEAD, Ordering::SeqCst);
        USED.fetch_sub(self.bytes + OVERHEAD, Ordering::SeqCst);
    }
}

/// How many blocks are to be looked at: all after a collection, for nothing else makes one unreachable.
struct Due(AtomicUsize);

impl Due {
    fn all(&self, blocks: usize) {
        self.0.store(blocks, Ordering::SeqCst);
    }

    /// A block was added behind those that are due.
    fn one_more(&self) {
        let more = |due: usize| (due > 0).then_some(due + 1);
        let _ = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, more);
    }

    /// So many of them are looked at now.
    fn take(&self, most: usize) -> usize {
        let less = |due: usize| (due > 0).then(|| due - due.min(most));
        let due = self
            .0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
        due.map_or(0, |due| due.min(most))
    }
}

impl Block {
    fn free(&self) {
        let held = self
            .held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        drop(held);
    }
}

/// A buffer of so many bytes, unless all that there are would cost more than `most`.
pub(crate) fn allocate<'l>(
    jni: &mut Env<'l>,
    length: usize,
    most: u64,
) -> Outcome<JByteBuffer<'l>> {
    prepare(jni)?;
    sweep_due(jni, WINDOW)?;
    let cost = match Cost::of(length, most) {
        Some(cost) => cost,
        None => make_room(jni, length, most)?,
    };
    // One that has no bytes has an address, too.
    let mut memory = image::plain()?.allocate(length.max(1))?;
    let bytes = ptr::slice_from_raw_parts_mut(memory.as_mut_ptr(), length);
    // SAFETY: they go when the weak reference to it has been cleared, or here if there is none, and then nobody gets it.
    let buffer = unsafe { bare::buffer(jni, bytes) }?;
    let block = Block {
        buffer: bare::weak::<&JObject<'_>>(jni, &buffer)?,
        held: Mutex::new(Some((memory, cost))),
    };
    let number = NEXT.fetch_add(1, Ordering::SeqCst);
    let first = {
        let mut blocks = blocks();
        blocks.insert(number, Arc::new(block));
        blocks.len() == 1
    };
    DUE.one_more();
    if first {
        // He rests until there is something to do.
        steward::owe(|| ());
    }
    Ok(buffer)
}

/// How many bytes there are in buffers that can be reached, as far as that is known.
pub(crate) fn allocated(jni: &Env<'_>) -> Outcome<u64> {
    sweep(jni, usize::MAX)?;
    Ok(BYTES.load(Ordering::SeqCst))
}

/// Whether there is memory to look after.
pub(crate) fn is_any() -> bool {
    !blocks().is_empty()
}

/// Frees what cannot be reached, of some: so that it costs the same however many there are.
pub(crate) fn sweep_some(jni: &mut Env<'_>) -> Outcome<()> {
    if ROUNDS
        .fetch_add(1, Ordering::SeqCst)
        .is_multiple_of(ALL_AGAIN)
    {
        DUE.all(blocks().len());
    }
    sweep_due(jni, ROUND)
}

/// How often a block was looked at, to see whether it can be reached.
pub(crate) fn looks() -> u64 {
    LOOKS.load(Ordering::SeqCst)
}

/// The same of at most so many of those that are due.
fn sweep_due(jni: &mut Env<'_>, most: usize) -> Outcome<()> {
    if has_collected(jni)? {
        DUE.all(blocks().len());
    }
    match DUE.take(most) {
        0 => Ok(()),
        some => sweep(jni, some),
    }
}

/// Whether there was a collection since the last time, or it is the first.
fn has_collected(jni: &mut Env<'_>) -> Outcome<bool> {
    let nothing = NOTHING.lock().unwrap_or_else(PoisonError::into_inner);
    let seen = nothing.clone();
    drop(nothing);
    if let Some(nothing) = seen
        && !nothing.is_garbage_collected(jni)?
    {
        return Ok(false);
    }
    let object = bare::byte_array(jni, &[])?;
    let next = bare::weak::<&JObject<'_>>(jni, &object)?;
    jni.delete_local_ref(object);
    let gone = {
        let mut nothing = NOTHING.lock().unwrap_or_else(PoisonError::into_inner);
        nothing.replace(Arc::new(next))
    };
    drop(gone);
    Ok(true)
}

/// The VM looks up once what it needs for such buffers, and whoever else makes one waits for the thread that does so:
/// it had better be one that nobody can suspend.
fn prepare(jni: &Env<'_>) -> Outcome<()> {
    static DONE: AtomicBool = AtomicBool::new(false);
    if DONE.load(Ordering::Acquire) {
        return Ok(());
    }
    let empty = |jni: &mut Env<'_>| {
        let nothing = ptr::slice_from_raw_parts_mut(ptr::dangling_mut(), 0);
        // SAFETY: there are none.
        unsafe { bare::buffer(jni, nothing) }.map(drop)
    };
    steward::ask(jni, empty, |_, ()| ())?;
    DONE.store(true, Ordering::Release);
    Ok(())
}

/// Frees what cannot be reached, after a collection if need be. One thread at a time, so that none takes what another
/// one has freed for a collection of little use; but whoever has waited in vain collects beside the one whose turn it is.
#[cold]
fn make_room(jni: &Env<'_>, length: usize, most: u64) -> Outcome<Cost> {
    let too_much = || {
        let used = USED.load(Ordering::SeqCst);
        let text = format!("{length} bytes more than the {used} in use, of at most {most}");
        Failure::TooMuch("Allocate", text)
    };
    if length as u64 > most {
        return Err(too_much());
    }
    collect_in_turn(
        PATIENCE,
        || Cost::of(length, most),
        most / WORTH,
        || sweep(jni, usize::MAX),
        || Ok(image::plain()?.force_garbage_collection()?),
    )?
    .ok_or_else(too_much)
}

/// What `try_` has got, after a collection if need be; one that frees less than `worth` is of little use.
fn collect_in_turn<T>(
    patience: Duration,
    try_: impl Fn() -> Option<T>,
    worth: u64,
    sweep: impl Fn() -> Outcome<()>,
    collect: impl Fn() -> Outcome<()>,
) -> Outcome<Option<T>> {
    let _turn = Turn::take(patience);
    for _ in 0..ATTEMPTS {
        sweep()?;
        if let Some(got) = try_() {
            return Ok(Some(got));
        }
        if of_little_use().is_some_and(|since| since.elapsed() < REST) {
            break;
        }
        let before = FREED.load(Ordering::SeqCst);
        collect()?;
        sweep()?;
        let freed = FREED.load(Ordering::SeqCst).wrapping_sub(before);
        *of_little_use() = (freed < worth).then(Instant::now);
        if let Some(got) = try_() {
            return Ok(Some(got));
        }
        // Others may have taken what was freed.
    }
    Ok(None)
}

/// Whose turn it is to collect.
struct Turn;

static TURN: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

impl Turn {
    /// None if whoever has it does not come back: he may be suspended.
    fn take(patience: Duration) -> Option<Self> {
        let taken = TURN.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = TURN.1.wait_timeout_while(taken, patience, |taken| *taken);
        let (mut taken, result) = waited.unwrap_or_else(PoisonError::into_inner);
        (!result.timed_out()).then(|| {
            *taken = true;
            Self
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        *TURN.0.lock().unwrap_or_else(PoisonError::into_inner) = false;
        TURN.1.notify_one();
    }
}

/// Frees what cannot be reached of the next `most`. Nothing is taken out before it is known to be unreachable, so that
/// whoever looks at the same time sees it too: this thread may be suspended in a call.
fn sweep(jni: &Env<'_>, most: usize) -> Outcome<()> {
    let some: Vec<(u64, Arc<Block>)> = {
        let blocks = blocks();
        let from = CURSOR.load(Ordering::SeqCst);
        let round = blocks.range(from..).chain(blocks.range(..from));
        round
            .take(most)
            .map(|(number, one)| (*number, Arc::clone(one)))
            .collect()
    };
    LOOKS.fetch_add(some.len() as u64, Ordering::SeqCst);
    if let Some((last, _)) = some.last() {
        CURSOR.store(last + 1, Ordering::SeqCst);
    }
    for (number, one) in some {
        if one.buffer.is_garbage_collected(jni)? {
            blocks().remove(&number);
            one.free();
        }
    }
    Ok(())
}

fn of_little_use() -> MutexGuard<'static, Option<Instant>> {
    OF_LITTLE_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn blocks() -> MutexGuard<'static, BTreeMap<u64, Arc<Block>>> {
    BLOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};

    use super::*;

    #[test]
    fn all_are_due_once_after_a_collection() {
        let due = Due(AtomicUsize::new(0));
        due.one_more();
        assert_eq!(due.take(64), 0, "there was none");
        due.all(100);
        assert_eq!(due.take(64), 64);
        due.one_more();
        assert_eq!(
            due.take(64),
            37,
            "what was added comes before the first ones"
        );
        assert_eq!(due.take(64), 0);
    }

    /// He who has the turn stands still inside a collection, and does not come back.
    #[test]
    fn whoever_has_waited_for_a_collection_in_vain_collects_by_himself() {
        const LENGTH: usize = 1000;
        const MOST: u64 = 1500;
        let stands_still = Turn::take(Duration::ZERO);
        assert!(stands_still.is_some());
        let unreachable = RefCell::new(Cost::of(LENGTH, MOST));
        assert!(unreachable.borrow().is_some());
        let collections = Cell::new(0);
        let got = collect_in_turn(
            Duration::ZERO,
            || Cost::of(LENGTH, MOST),
            MOST / WORTH,
            || Ok(()),
            || {
                collections.set(collections.get() + 1);
                drop(unreachable.take());
                Ok(())
            },
        );
        assert!(matches!(got, Ok(Some(_))));
        assert_eq!(collections.get(), 1);
        assert!(Turn::take(Duration::ZERO).is_none(), "it is still his");
        drop(stands_still);
        assert!(Turn::take(Duration::ZERO).is_some());
    }
}
