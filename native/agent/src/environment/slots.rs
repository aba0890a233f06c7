//! Where each thread states what it is inside of.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use jni::sys::{JNIEnv, jobject};
use jvmti::sys;

use crate::environment::ends;

/// Calls of one thread that may nest (a call, an upcall, a call in it …) before it counts in the
/// environment's own counter.
pub(super) const NESTING: usize = 5;

/// No handle is 0.
const VACANT: u64 = 0;

/// Threads that find their slot at once. Further ones share a place and search its list.
const BUCKETS: usize = 1 << 12;

/// Further slots there are before the VM is asked to tell of threads that end, for which it keeps something for each
/// thread.
const UNASKED: usize = 1 << 12;

/// The calling thread. Its JNI environment lies in the VM's own thread object, so its address is a
/// name that no two threads have at once, and that costs no look-up of thread-local storage.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Me(*mut JNIEnv);

/// One thread's statement of where it is. Never freed: a later thread at the same address has it again,
/// or, once it is told of the end of the first, another one of its bucket.
#[repr(align(64))]
pub(super) struct ThreadSlot {
    /// Null while no thread has it.
    owner: AtomicPtr<JNIEnv>,
    inside: [AtomicU64; NESTING],
    /// Whether it is in a listener.
    listening: AtomicBool,
    /// The list of the others in this bucket, which only grows at its head.
    next: AtomicPtr<ThreadSlot>,
}

/// All zero, so that it takes address space and nothing else until slots are used.
static SLOTS: [ThreadSlot; BUCKETS] = [const { ThreadSlot::new(ptr::null_mut()) }; BUCKETS];

/// How many there are that are not the first of a bucket.
static FURTHER: AtomicUsize = AtomicUsize::new(0);

/// The slot of the calling thread.
#[inline(always)]
pub(super) fn slot(me: Me) -> &'static ThreadSlot {
    let first = me.bucket();
    if first.is_of(me) {
        first
    } else {
        further_slot(me)
    }
}

/// Whether any thread is inside `handle`.
pub(super) fn any_holds(handle: u64) -> bool {
    SLOTS
        .iter()
        .any(|bucket| bucket.list().any(|slot| slot.holds(handle)))
}

/// What was stored in `place` is left.
#[inline(always)]
pub(super) fn vacate(place: &AtomicU64) {
    place.store(VACANT, Ordering::Release);
}

/// How many threads have a slot: those that have called, and of which no end is known.
pub(crate) fn owners() -> usize {
    let slots = SLOTS.iter().flat_map(ThreadSlot::list);
    slots
        .filter(|slot| !slot.owner.load(Ordering::Relaxed).is_null())
        .count()
}

/// As if `number` threads had called, at addresses that no thread has.
pub(crate) fn pretend(number: usize) {
    for number in 0..number {
        slot(Me(ptr::without_provenance_mut(usize::MAX - (number << 10))));
    }
}

/// Whether the thread is in a listener: its own to change.
pub(super) fn listening(me: Me) -> &'static AtomicBool {
    &slot(me).listening
}

/// Whether a thread is in a listener. Unlike the thread itself, who asks takes no slot.
pub(super) fn listens(thread: Me) -> bool {
    let mut bucket = thread.bucket().list();
    bucket.any(|slot| slot.is_of(thread) && slot.listening.load(Ordering::SeqCst))
}

/// Whether another thread than `me` is in a listener.
pub(super) fn any_listens_but(me: Me) -> bool {
    let mut slots = SLOTS.iter().flat_map(ThreadSlot::list);
    slots.any(|slot| !slot.is_of(me) && slot.listening.load(Ordering::SeqCst))
}

/// ThreadEnd, on the ending thread, which calls nothing of Java's any more. Enters no VM.
pub(crate) unsafe extern "system" fn thread_end(_: *mut sys::Env, jni: *mut JNIEnv, _: jobject) {
    Me(jni).end();
}

impl Me {
    pub(crate) fn new(jni: *mut JNIEnv) -> Self {
        Self(jni)
    }

    /// For those who only compare it.
    pub(crate) fn address(self) -> usize {
        self.0.addr()
    }

    /// Thread objects are more than a kilobyte each.
    #[inline(always)]
    fn bucket(self) -> &'static ThreadSlot {
        &SLOTS[(self.0 as usize >> 10) % BUCKETS]
    }

    /// This thread's slot is for others. One that comes back all the same, another agent's ThreadEnd calling, takes a
    /// slot like any that is new.
    pub(crate) fn end(self) {
        let mut bucket = self.bucket().list();
        if let Some(slot) = bucket.find(|slot| slot.is_of(self) && slot.is_vacant()) {
            slot.owner.store(ptr::null_mut(), Ordering::Release);
        }
    }
}

impl ThreadSlot {
    const fn new(owner: *mut JNIEnv) -> Self {
        Self {
            owner: AtomicPtr::new(owner),
            inside: [const { AtomicU64::new(VACANT) }; NESTING],
            listening: AtomicBool::new(false),
            next: AtomicPtr::new(ptr::null_mut()),
        }
    }

    #[inline(always)]
    fn is_of(&self, me: Me) -> bool {
        self.owner.load(Ordering::Relaxed) == me.0
    }

    /// A place in it for one more handle; none if that nests too deep.
    #[inline(always)]
    pub(super) fn vacant(&'static self) -> Option<&'static AtomicU64> {
        let first = &self.inside[0];
        if first.load(Ordering::Relaxed) == VACANT {
            Some(first)
        } else {
            self.nested()
        }
    }

    #[cold]
    #[inline(never)]
    fn nested(&'static self) -> Option<&'static AtomicU64> {
        self.inside
            .iter()
            .find(|place| place.load(Ordering::Relaxed) == VACANT)
    }

    fn is_vacant(&self) -> bool {
        self.inside
            .iter()
            .all(|place| place.load(Ordering::Relaxed) == VACANT)
            && !self.listening.load(Ordering::Relaxed)
    }

    pub(super) fn holds(&self, handle: u64) -> bool {
        self.inside
            .iter()
            .any(|place| place.load(Ordering::Acquire) == handle)
    }

    /// Makes it `me`'s, if it is nobody's.
    fn take(&self, me: Me) -> bool {
        self.owner
            .compare_exchange(ptr::null_mut(), me.0, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    }

    /// This slot and those behind it.
    fn list(&'static self) -> impl Iterator<Item = &'static Self> {
        std::iter::successors(Some(self), |slot| {
            let next = slot.next.load(Ordering::Acquire);
            // SAFETY: the list holds leaked boxes, valid for ever.
            unsafe { next.as_ref() }
        })
    }
}

/// A slot that is not the first of its bucket, or is not this thread's yet. Only the thread itself takes it.
#[cold]
#[inline(never)]
fn further_slot(me: Me) -> &'static ThreadSlot {
    let first = me.bucket();
    first
        .list()
        .find(|slot| slot.is_of(me))
        .or_else(|| first.list().find(|slot| slot.take(me)))
        .unwrap_or_else(|| added(me, first))
}

/// A new slot, behind the `first` of its bucket.
fn added(me: Me, first: &ThreadSlot) -> &'static ThreadSlot {
    let slot: &'static ThreadSlot = Box::leak(Box::new(ThreadSlot::new(me.0)));
    let new = ptr::from_ref(slot).cast_mut();
    loop {
        let second = first.next.load(Ordering::Acquire);
        slot.next.store(second, Ordering::Relaxed);
        let added = first
            .next
            .compare_exchange(second, new, Ordering::AcqRel, Ordering::Relaxed);
        if added.is_ok() {
            break;
        }
    }
    let further = FURTHER.fetch_add(1, Ordering::Relaxed) + 1;
    // Where the VM refuses, it is asked again when there are twice as many.
    if further >= UNASKED && further.is_power_of_two() {
        let _ = ends::tell_slots();
    }
    slot
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bucket of all threads of a test, which has it for itself.
    fn thread(bucket: usize, number: usize) -> Me {
        Me::new(ptr::without_provenance_mut(
            (number * BUCKETS + bucket) << 10,
        ))
    }

    fn slots(bucket: usize) -> usize {
        SLOTS[bucket].list().count()
    }

    #[test]
    fn the_slot_of_a_thread_that_has_ended_is_for_another_one() {
        for number in 1..1_000 {
            let me = thread(3_001, number);
            let place = slot(me).vacant().unwrap();
            place.store(1, Ordering::Relaxed);
            vacate(place);
            me.end();
        }
        assert_eq!(slots(3_001), 1);
    }

    #[test]
    fn threads_that_are_there_have_a_slot_each() {
        let all: Vec<_> = (1..10).map(|number| thread(3_002, number)).collect();
        for (number, me) in all.iter().enumerate() {
            let place = slot(*me).vacant().unwrap();
            place.store(100 + number as u64, Ordering::Relaxed);
        }
        for (number, me) in all.iter().enumerate() {
            assert!(slot(*me).holds(100 + number as u64), "{number}");
            assert!(!slot(*me).holds(101 + number as u64), "{number}");
        }
        assert!(any_holds(108));
        assert_eq!(slots(3_002), 9);
    }

    #[test]
    fn who_is_inside_keeps_his_slot_whatever_the_vm_tells() {
        let (me, other) = (thread(3_003, 1), thread(3_003, 2));
        slot(me).vacant().unwrap().store(200, Ordering::Relaxed);
        me.end();
        assert!(!slot(other).holds(200));
        assert!(slot(me).holds(200));
        assert_eq!(slots(3_003), 2);
    }
}
