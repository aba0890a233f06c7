//! Who is resumed while somebody reads threads that stand still: what is read of them may be of two moments.

use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jni::Env;
use jni::objects::JThread;
use jni::refs::Weak;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::thread_set::ThreadSet;
use crate::thread::thread_table::Remembered;
use crate::thread::virtual_thread::is_virtual;
use crate::vm::bare;
use crate::vm::capacity::Room;
use crate::vm::patience::LONG;

/// So many are named beside those that are read. One who stands still while he reads would gather names for as long.
const MORE: usize = 4096;

/// So long who resumes waits for what the steward finds out, at most: then he need not ask the VM any more.
const PATIENCE: Duration = Duration::from_millis(100);

/// So long who resumes waits for the steward's call into the VM, at most: another tool may keep the steward.
const PATIENCE_WITH_THE_VM: Duration = LONG;

/// So long the steward waits for those who are resuming, at most: one of them may be suspended there.
const PATIENCE_OF_THE_STEWARD: Duration = Duration::from_millis(20);

/// Whom one call resumes.
enum Resumed {
    Threads(Vec<Weak<JThread<'static>>>),
    Held(Vec<Arc<Remembered<()>>>),
    AllVirtual,
    /// They are too many to be named, or there was no memory for it.
    Anybody,
}

impl Resumed {
    fn names(&self) -> usize {
        match self {
            Self::Threads(threads) => threads.len().max(1),
            Self::Held(held) => held.len().max(1),
            Self::AllVirtual | Self::Anybody => 1,
        }
    }

    fn may_resume(&self, jni: &Env<'_>, thread: &JThread<'_>) -> Outcome<bool> {
        let is_it = |one: &Weak<JThread<'static>>| Ok(jni.is_same_object(one, thread)?);
        match self {
            Self::Threads(threads) => is_any(threads, is_it),
            Self::Held(held) => is_any(held, |one| is_it(&one.thread)),
            Self::AllVirtual => is_virtual(jni, thread),
            Self::Anybody => Ok(true),
        }
    }
}

fn is_any<T>(all: &[T], is_it: impl Fn(&T) -> Outcome<bool>) -> Outcome<bool> {
    for one in all {
        if is_it(one)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// One who reads, and the calls that he has seen.
struct Reader {
    number: u64,
    seen: Vec<Arc<Resumed>>,
    names: usize,
    most: usize,
}

impl Reader {
    /// Answers what is of no use any more.
    fn see(&mut self, resumed: &Arc<Resumed>) -> Vec<Arc<Resumed>> {
        self.names = self.names.saturating_add(resumed.names());
        if self.names <= self.most {
            self.seen.push(Arc::clone(resumed));
            return Vec::new();
        }
        // However many come, nothing more is kept.
        self.names = usize::MAX;
        match self.seen.as_slice() {
            [one] if matches!(**one, Resumed::Anybody) => Vec::new(),
            _ => mem::replace(&mut self.seen, vec![Arc::new(Resumed::Anybody)]),
        }
    }
}

/// Nothing is asked of JNI under the lock, nor is what JNI deletes dropped there: who does may stand still.
struct Known {
    readers: Vec<Reader>,
    /// The calls that are inside the VM.
    under_way: Vec<Arc<Resumed>>,
    /// How many of those who name nobody have begun, and how many of them have ended.
    unnamed: Unnamed,
    /// Whether somebody may begin one.
    pin: Pin,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Unnamed {
    begun: u64,
    ended: u64,
}

/// What the steward does with a thread that nobody is to resume meanwhile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pin {
    None,
    /// He finds out what there is.
    Looking,
    /// He is about to ask the VM, or has.
    Asking,
}

impl Known {
    fn has_one_of(&self, calls: &[Arc<Resumed>]) -> bool {
        let is_among = |one| calls.iter().any(|call| Arc::ptr_eq(call, one));
        self.under_way.iter().any(is_among)
    }
}

static KNOWN: Mutex<Known> = Mutex::new(Known {
    readers: Vec::new(),
    under_way: Vec::new(),
    unnamed: Unnamed { begun: 0, ended: 0 },
    pin: Pin::None,
});

/// Somebody has ended what another one waits for.
static ENDED: Condvar = Condvar::new();

static READERS: AtomicU64 = AtomicU64::new(0);

/// The calls of the watchdog that are over.
pub(super) struct WatchdogCalls(u64);

impl WatchdogCalls {
    pub(super) fn so_far() -> Self {
        Self(known().unnamed.ended)
    }

    /// Whether one was under way then, or has begun since.
    pub(super) fn are_more(&self) -> bool {
        known().unnamed.begun != self.0
    }
}

/// Who is resumed by others while this lives.
pub(crate) struct Resumptions(u64);

impl Resumptions {
    /// For one who reads so many threads.
    pub(crate) fn from_now_on(threads: usize) -> Self {
        let mut reader = Reader {
            number: READERS.fetch_add(1, Ordering::Relaxed),
            seen: Vec::new(),
            names: 0,
            most: threads.saturating_add(MORE),
        };
        let this = Self(reader.number);
        let mut useless = Vec::new();
        let mut known = known();
        // However many they name, those are kept anyway.
        let names = known.under_way.iter().map(|call| call.names());
        reader.most = names.fold(reader.most, usize::saturating_add);
        for resumed in &known.under_way {
            useless.extend(reader.see(resumed));
        }
        known.readers.push(reader);
        drop(known);
        this
    }

    /// For each of `threads` whether it was. Makes a local reference for each that was.
    pub(crate) fn among<'l>(
        &self,
        jni: &mut Env<'l>,
        room: &mut Room,
        env: &Inside,
        threads: &[JThread<'_>],
    ) -> Outcome<Vec<bool>> {
        let seen = self.seen();
        let (mut anybody, mut all_virtual) = (false, false);
        let mut named: Vec<JThread<'l>> = Vec::new();
        for resumed in &seen {
            room.made(jni, resumed.names())?;
            match &**resumed {
                Resumed::Threads(threads) => {
                    for thread in threads {
                        named.extend(thread.upgrade_local(jni)?);
                    }
                }
                Resumed::Held(held) => {
                    for held in held {
                        named.extend(held.thread.upgrade_local(jni)?);
                    }
                }
                Resumed::AllVirtual => all_virtual = true,
                Resumed::Anybody => anybody = true,
            }
        }
        let mut was = vec![anybody; threads.len()];
        if !named.is_empty() {
            let (here, there) = (ThreadSet::of(env, threads)?, ThreadSet::of(env, &named)?);
            for (places, _) in here.in_both(jni, threads, &there, &named)? {
                places.iter().for_each(|&place| was[place] = true);
            }
        }
        if all_virtual {
            for (was, thread) in was.iter_mut().zip(threads) {
                *was |= is_virtual(jni, thread)?;
            }
        }
        Ok(was)
    }

    fn seen(&self) -> Vec<Arc<Resumed>> {
        let mut known = known();
        let reader = known.readers.iter_mut().find(|one| one.number == self.0);
        reader.map_or_else(Vec::new, |reader| mem::take(&mut reader.seen))
    }
}

impl Drop for Resumptions {
    fn drop(&mut self) {
        let mut known = known();
        let at = known.readers.iter().position(|one| one.number == self.0);
        let _reader = at.map(|at| known.readers.swap_remove(at));
        drop(known);
    }
}

/// Nobody of ours resumes a thread while this lives, unless he loses patience before it [asks](Pinned::asks) the VM. Only
/// by the steward, and only for one call into the VM.
pub(super) struct Pinned;

impl Pinned {
    /// None if somebody does not come back from resuming `thread`: he may be suspended there.
    pub(super) fn now(jni: &Env<'_>, thread: &JThread<'_>) -> Outcome<Option<Self>> {
        let (pinned, under_way) = Self::begin();
        let mut awaited = Vec::new();
        for call in under_way {
            if call.may_resume(jni, thread)? {
                awaited.push(call);
            }
        }
        Ok(pinned.once_ended(&awaited))
    }

    /// From here on nobody begins to resume; who is doing it is answered.
    fn begin() -> (Self, Vec<Arc<Resumed>>) {
        let mut known = known();
        known.pin = Pin::Looking;
        (Self, known.under_way.clone())
    }

    /// None if they do not end in time.
    fn once_ended(self, calls: &[Arc<Resumed>]) -> Option<Self> {
        let are_under_way = |known: &mut Known| {
            known.unnamed.begun != known.unnamed.ended || known.has_one_of(calls)
        };
        let rested = ENDED.wait_timeout_while(known(), PATIENCE_OF_THE_STEWARD, are_under_way);
        let (known, result) = rested.unwrap_or_else(PoisonError::into_inner);
        drop(known);
        (!result.timed_out()).then_some(self)
    }

    /// Whether still nobody has lost patience: then the VM can be asked.
    pub(super) fn asks(&self) -> bool {
        let mut known = known();
        let holds = known.pin != Pin::None;
        if holds {
            known.pin = Pin::Asking;
        }
        holds
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        known().pin = Pin::None;
        ENDED.notify_all();
    }
}

/// Once nothing is pinned, or it has been for too long.
fn unpinned() -> MutexGuard<'static, Known> {
    let is_pinned = |known: &mut Known| known.pin != Pin::None;
    let is_asking = |known: &mut Known| known.pin == Pin::Asking;
    let looked = ENDED.wait_timeout_while(known(), PATIENCE, is_pinned);
    let (known, _) = looked.unwrap_or_else(PoisonError::into_inner);
    let asked = ENDED.wait_timeout_while(known, PATIENCE_WITH_THE_VM, is_asking);
    let (mut known, _) = asked.unwrap_or_else(PoisonError::into_inner);
    known.pin = Pin::None;
    known
}

/// A call that resumes threads: whoever begins to read before it ends sees it too.
#[must_use = "until the VM has answered"]
pub(super) struct Resuming(Arc<Resumed>);

impl Resuming {
    fn begin(resumed: Resumed) -> Self {
        let resumed = Arc::new(resumed);
        let mut useless = Vec::new();
        let mut known = unpinned();
        for reader in &mut known.readers {
            useless.extend(reader.see(&resumed));
        }
        known.under_way.push(Arc::clone(&resumed));
        drop(known);
        Self(resumed)
    }
}

impl Drop for Resuming {
    fn drop(&mut self) {
        let mut known = known();
        let mut calls = known.under_way.iter();
        let at = calls.position(|one| Arc::ptr_eq(one, &self.0));
        let _call = at.map(|at| known.under_way.swap_remove(at));
        drop(known);
        ENDED.notify_all();
    }
}

/// A call that resumes whomever: for the watchdog, who allocates nothing. A dump knows its own deadline.
#[must_use = "until the VM has answered"]
pub(super) struct ResumingUnnamed(());

impl ResumingUnnamed {
    pub(super) fn begin() -> Self {
        unpinned().unnamed.begun += 1;
        Self(())
    }
}

impl Drop for ResumingUnnamed {
    fn drop(&mut self) {
        known().unnamed.ended += 1;
        ENDED.notify_all();
    }
}

/// `threads` are about to be resumed.
pub(super) fn of_threads(jni: &Env<'_>, threads: &[&JThread<'_>]) -> Resuming {
    let named = threads.iter().filter(|thread| !thread.is_null());
    let named = named.map(|thread| bare::weak(jni, *thread));
    let named: Outcome<Vec<_>> = named.collect();
    Resuming::begin(named.map_or(Resumed::Anybody, Resumed::Threads))
}

/// What an environment has suspended is about to be resumed.
pub(super) fn of_held(held: &[Arc<Remembered<()>>]) -> Resuming {
    Resuming::begin(Resumed::Held(held.to_vec()))
}

/// All virtual threads are about to be resumed.
pub(super) fn of_all_virtual() -> Resuming {
    Resuming::begin(Resumed::AllVirtual)
}

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// For tests that pin.
#[cfg(test)]
pub(super) static ALONE: Mutex<()> = Mutex::new(());

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Instant;

    use super::*;

    /// What those who read see is seen by all tests at once, so that one of them tells all.
    #[test]
    fn a_reader_sees_what_is_under_way_and_what_begins_and_no_more_than_he_can_keep() {
        let _one_at_a_time = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let before = of_all_virtual();
        drop(of_all_virtual());
        let reader = Resumptions::from_now_on(3);
        assert_eq!(reader.seen().len(), 1);
        drop(before);
        drop(of_all_virtual());
        assert_eq!(reader.seen().len(), 1);
        for _ in 0..3 + MORE {
            drop(of_held(&[]));
        }
        let seen = reader.seen();
        assert!(matches!(seen.as_slice(), [one] if matches!(**one, Resumed::Anybody)));
        assert!(known().under_way.is_empty());
        drop(reader);
        assert!(known().readers.is_empty());

        // What is under way is kept anyway, however many it names.
        let names = (0..2 * MORE).map(|_| Weak::null()).collect();
        let many = Resuming::begin(Resumed::Threads(names));
        let reader = Resumptions::from_now_on(1);
        assert!(matches!(reader.seen().as_slice(), [one] if matches!(**one, Resumed::Threads(_))));
        drop((many, reader));

        // Who resumes waits for who has the threads pinned, and he for those who are about to resume, both for a time.
        let resuming = of_all_virtual();
        let (pinned, under_way) = Pinned::begin();
        assert_eq!(under_way.len(), 1);
        assert!(pinned.once_ended(&under_way).is_none());
        let (pinned, _) = Pinned::begin();
        let pinned = pinned.once_ended(&[]).unwrap();
        assert!(pinned.asks(), "nobody waits for who resumes others");
        drop((pinned, resuming));
        let (pinned, others) = Pinned::begin();
        let pinned = pinned.once_ended(&under_way).unwrap();
        assert!(others.is_empty());
        let begun = Instant::now();
        drop(of_all_virtual());
        assert!(begun.elapsed() >= PATIENCE);
        assert!(!pinned.asks());
        drop(pinned);

        // Once the VM is asked, he waits for it, but not for ever.
        let resumes_while_asked = |ends: bool| {
            let (pinned, _) = Pinned::begin();
            assert!(pinned.asks());
            let (resumed, told) = mpsc::channel();
            thread::spawn(move || {
                drop(of_all_virtual());
                resumed.send(())
            });
            assert!(told.recv_timeout(2 * PATIENCE).is_err());
            let pinned = (!ends).then_some(pinned);
            told.recv_timeout(Duration::from_secs(60)).unwrap();
            drop(pinned);
        };
        resumes_while_asked(true);
        resumes_while_asked(false);

        // The watchdog names nobody, and whoever begins to read meanwhile cannot tell either.
        let before = WatchdogCalls::so_far();
        assert!(!before.are_more());
        let watchdog = ResumingUnnamed::begin();
        let meanwhile = WatchdogCalls::so_far();
        assert!(before.are_more() && meanwhile.are_more());
        assert!(Pinned::begin().0.once_ended(&[]).is_none());
        drop(watchdog);
        assert!(meanwhile.are_more() && !WatchdogCalls::so_far().are_more());
        assert!(Pinned::begin().0.once_ended(&[]).is_some());
    }
}
