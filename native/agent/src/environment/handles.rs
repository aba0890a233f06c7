//! Handles: an index with a generation, so that a stale one is an error and never a pointer.

use std::ptr::NonNull;
use std::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::objects::JObject;
use jni::refs::Weak;
use jvmti::{OwnedEnv, sys};

use crate::environment::attached::Attached;

/// How many environments can be open at once.
pub(crate) const PLACES: usize = 1 << 16;

/// The key of an entry that nobody can enter. No handle is 0: generations start at 1.
const SHUT: u64 = 0;

/// No handle is negative.
const CLAIMED: u64 = 1 << 63;

/// One place in the table. It is never freed, so a reader needs no protection; what it reads is
/// checked against the key.
#[repr(align(64))]
pub(crate) struct Entry {
    /// While open the handle, or the handle [`fenced`]; else [`SHUT`].
    key: AtomicU64,
    env: AtomicPtr<sys::Env>,
    /// The handle while closed but not yet disposed, with [`CLAIMED`] while a thread is at it, else
    /// [`SHUT`].
    closing: AtomicU64,
    /// The last handle that somebody has closed and waited for in vain.
    awaited: AtomicU64,
    /// Threads inside whose slot had no place left.
    deep: AtomicU32,
    generation: AtomicU32,
    /// Whether `env` is this one's alone: it becomes so at most once. Changed under the lock of
    /// `owner`, as is whether it is open, so that it is known what closing has to do.
    own: AtomicBool,
    /// Whether something stays in `env` that nobody can take back.
    stained: AtomicBool,
    /// Whether more objects carry a tag of it than are taken off in no time.
    many_tags: AtomicBool,
    /// With the handle it belongs to: a place passes from one environment to the next.
    owner: Mutex<Option<(u64, Owner)>>,
    pub(super) attached: Attached,
}

/// An environment that nobody enters any more.
pub(crate) struct Shut {
    pub(crate) env: &'static jvmti::Env,
    /// Whether it was this one's alone.
    pub(crate) own: bool,
    /// Whether everybody who is inside has passed a fence on the way in.
    pub(crate) fenced: bool,
}

/// The Java object an environment belongs to; collected, it takes the environment with it.
pub(crate) type Owner = Arc<Weak<JObject<'static>>>;

/// All zero, so that it takes address space and nothing else until places are used.
static TABLE: [Entry; PLACES] = [const { Entry::new() }; PLACES];

/// Whether the way into what is opened from now on carries a full fence.
static FENCED: AtomicBool = AtomicBool::new(true);

/// How many are shut whose place is not free yet.
static LEAVING: AtomicUsize = AtomicUsize::new(0);

/// What the VM has answered of whose environments they are.
static ANSWERS: [AtomicU64; 64] = [const { AtomicU64::new(SHUT) }; 64];

static FREE: Mutex<Free> = Mutex::new(Free {
    returned: Vec::new(),
    fresh: 0,
});

struct Free {
    returned: Vec<u32>,
    fresh: u32,
}

impl Entry {
    const fn new() -> Self {
        Self {
            key: AtomicU64::new(SHUT),
            closing: AtomicU64::new(SHUT),
            awaited: AtomicU64::new(SHUT),
            env: AtomicPtr::new(std::ptr::null_mut()),
            deep: AtomicU32::new(0),
            generation: AtomicU32::new(0),
            own: AtomicBool::new(false),
            stained: AtomicBool::new(false),
            many_tags: AtomicBool::new(false),
            owner: Mutex::new(None),
            attached: Attached::nothing(),
        }
    }

    /// Whether `handle` is open here.
    pub(crate) fn is(&self, handle: u64) -> bool {
        let key = self.key.load(Ordering::Acquire);
        key == handle || key == fenced(handle)
    }

    /// Whether `handle` is open here, and that is its environment. Nobody else has it then: whoever has the same after it
    /// has another handle.
    #[inline]
    fn has(&self, handle: u64, env: &jvmti::Env) -> bool {
        std::ptr::eq(self.env.load(Ordering::Acquire), env.as_raw()) && self.is(handle)
    }

    /// Whether `handle` is open here, and its way in needs no fence.
    #[inline(always)]
    pub(crate) fn is_unfenced(&self, handle: u64) -> bool {
        self.key.load(Ordering::Acquire) == handle
    }

    /// The environment, if `handle` is open here and its way in needs no fence. Usable only while
    /// the gate holds the caller.
    #[inline(always)]
    pub(crate) fn env_unfenced(&self, handle: u64) -> Option<&'static jvmti::Env> {
        // In this order: if the place is still the handle's, so was the environment.
        let env = self.env.load(Ordering::Acquire);
        // SAFETY: published together with the key. One that many share is never disposed, another
        // one only after the gate has seen every thread leave.
        self.is_unfenced(handle)
            .then(|| unsafe { jvmti::Env::from_raw(NonNull::new_unchecked(env)) })
    }

    /// The environment, if `handle` is open here, for a caller that the gate holds, and that has
    /// passed a full fence since.
    pub(crate) fn env_if(&self, handle: u64) -> Option<&'static jvmti::Env> {
        let env = self.env.load(Ordering::Acquire);
        // SAFETY: as above.
        self.is(handle)
            .then(|| unsafe { jvmti::Env::from_raw(NonNull::new_unchecked(env)) })
    }

    /// The environment of its own that `handle` has here, closed or not. Only by the steward, who alone
    /// disposes it.
    pub(crate) fn own_env(&self, handle: u64) -> Option<&'static jvmti::Env> {
        let _owner = self.owner();
        let here = self.is(handle) || self.is_closing(handle);
        (here && self.own.load(Ordering::SeqCst)).then(|| self.env())
    }

    fn env(&self) -> &'static jvmti::Env {
        let env = self.env.load(Ordering::Relaxed);
        // SAFETY: published before the handle was; the callers are the one who closes it, and the
        // steward, who disposes it.
        unsafe { jvmti::Env::from_raw(NonNull::new_unchecked(env)) }
    }

    /// Counts a stay in the entry itself.
    #[cold]
    #[inline(never)]
    pub(crate) fn enter_deep(&self) {
        self.deep.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn leave_deep(&self) {
        self.deep.fetch_sub(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
    }

    pub(crate) fn is_deep(&self) -> bool {
        self.deep.load(Ordering::SeqCst) != 0
    }

    /// Shuts the entry to new calls, and answers the environment to the one caller that did it. From
    /// here on `handle` is closing.
    pub(crate) fn shut(&self, handle: u64) -> Option<Shut> {
        let _owner = self.owner();
        // In this order: a key that is not fenced may become so, and no other way round.
        let key = [handle, fenced(handle)]
            .into_iter()
            .find(|key| self.key.load(Ordering::SeqCst) == *key)?;
        self.closing.store(handle | CLAIMED, Ordering::SeqCst);
        // It may have got its fence just now; nobody else shuts it.
        let shut = self.change_key(key, SHUT) || self.change_key(fenced(handle), SHUT);
        shut.then(|| {
            LEAVING.fetch_add(1, Ordering::SeqCst);
            Shut {
                env: self.env(),
                own: self.own.load(Ordering::SeqCst),
                fenced: key != handle,
            }
        })
    }

    /// Gives the open `handle` an environment of its own; back if it was closed meanwhile. Only by the
    /// steward.
    pub(crate) fn adopt(&self, handle: u64, env: OwnedEnv) -> Result<(), OwnedEnv> {
        let _owner = self.owner();
        if !self.is(handle) {
            return Err(env);
        }
        self.env.store(env.into_raw().as_ptr(), Ordering::SeqCst);
        self.own.store(true, Ordering::SeqCst);
        Ok(())
    }

    /// What a higher room keeps with it, once it is shut. Only by the steward, who disposes.
    pub(crate) fn attached<T: 'static>(&self) -> Option<&T> {
        self.attached.get()
    }

    /// Something stays in the environment that closing cannot take back: it is no other's after this.
    #[inline]
    pub(crate) fn stain(&self) {
        if !self.is_stained() {
            self.stained.store(true, Ordering::Relaxed);
        }
    }

    #[inline]
    pub(crate) fn is_stained(&self) -> bool {
        self.stained.load(Ordering::Relaxed)
    }

    pub(crate) fn tags_many(&self) {
        self.many_tags.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn has_many_tags(&self) -> bool {
        self.many_tags.load(Ordering::Relaxed)
    }

    fn change_key(&self, from: u64, to: u64) -> bool {
        let changed = self
            .key
            .compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst);
        changed.is_ok()
    }

    /// From here on, whoever finds nobody inside may dispose. Only after the barrier: before it, a
    /// thread may be inside that nobody can see yet.
    pub(crate) fn begin_closing(&self, handle: u64) {
        self.closing.store(handle, Ordering::SeqCst);
    }

    /// Whether `handle` is closed here but not yet disposed.
    pub(crate) fn is_closing(&self, handle: u64) -> bool {
        self.closing.load(Ordering::SeqCst) & !CLAIMED == handle
    }

    /// Whether `handle` is closed here, and goes with the last one who is inside.
    pub(crate) fn is_left_to_others(&self, handle: u64) -> bool {
        self.closing.load(Ordering::SeqCst) == handle
    }

    /// Somebody who has closed `handle` has waited for it in vain.
    pub(crate) fn has_been_awaited(&self, handle: u64) {
        self.awaited.store(handle, Ordering::Relaxed);
    }

    /// Whether somebody has.
    pub(crate) fn was_awaited(&self, handle: u64) -> bool {
        self.awaited.load(Ordering::Relaxed) == handle
    }

    /// The handle that is closed here and not yet disposed.
    pub(crate) fn closing(&self) -> Option<u64> {
        let closing = self.closing.load(Ordering::SeqCst) & !CLAIMED;
        (closing != SHUT).then_some(closing)
    }

    /// Takes the right to dispose. Some for exactly one caller, who then frees the place.
    pub(crate) fn claim(&self, handle: u64) -> Option<OwnedEnv> {
        let claimed = self.closing.compare_exchange(
            handle,
            handle | CLAIMED,
            Ordering::SeqCst,
            Ordering::SeqCst,
        );
        claimed.ok()?;
        let env = NonNull::new(self.env.load(Ordering::Relaxed))?;
        // SAFETY: it adopted the environment, and whoever claims that is the only one to dispose it.
        Some(unsafe { OwnedEnv::from_raw(env) })
    }

    /// The owner stays here while somebody asks the VM about it: others may ask, too.
    pub(crate) fn owner_of(&self, handle: u64) -> Option<Owner> {
        let owner = self.owner();
        let (_, owner) = owner.as_ref().filter(|(of, _)| *of == handle)?;
        Some(Arc::clone(owner))
    }

    fn take_owner(&self, handle: u64) -> Option<Owner> {
        let (_, owner) = self.owner().take_if(|(of, _)| *of == handle)?;
        Some(owner)
    }

    fn owner(&self) -> MutexGuard<'_, Option<(u64, Owner)>> {
        self.owner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place that `handle` names, whether or not it is open there.
#[inline(always)]
pub(crate) fn entry(handle: u64) -> Option<&'static Entry> {
    // The lower half, less one: 0 is out of range.
    TABLE.get((handle as u32).wrapping_sub(1) as usize)
}

/// Publishes an environment, which is not its own until it [adopts](Entry::adopt) one, and answers
/// its handle; `None` when every place is taken.
pub(crate) fn publish(env: &'static jvmti::Env, owner: Option<Owner>) -> Option<u64> {
    let place = {
        let mut free = free();
        match free.returned.pop() {
            Some(place) => place,
            None if (free.fresh as usize) < PLACES => {
                free.fresh += 1;
                free.fresh
            }
            None => return None,
        }
    };
    let entry = entry(u64::from(place))?;
    let generation = entry.generation.load(Ordering::Relaxed) + 1;
    entry.generation.store(generation, Ordering::Relaxed);
    let handle = u64::from(generation) << 32 | u64::from(place);
    entry.env.store(env.as_raw(), Ordering::Relaxed);
    entry.own.store(false, Ordering::Relaxed);
    entry.stained.store(false, Ordering::Relaxed);
    entry.many_tags.store(false, Ordering::Relaxed);
    *entry.owner() = owner.map(|owner| (handle, owner));
    let key = if needs_fence() {
        fenced(handle)
    } else {
        handle
    };
    entry.key.store(key, Ordering::SeqCst);
    Some(handle)
}

/// The key of an open `handle` whose way in carries a fence. It is no handle, whatever is forged:
/// it names no place.
const fn fenced(handle: u64) -> u64 {
    !handle
}

/// Whether the way into what is opened from now on carries a full fence.
pub(crate) fn needs_fence() -> bool {
    FENCED.load(Ordering::Relaxed)
}

/// What is opened from now on is entered without a fence.
pub(crate) fn need_no_fence() {
    FENCED.store(false, Ordering::SeqCst);
}

/// Gives every way in its fence, those of what is open included.
pub(crate) fn need_fence() {
    FENCED.store(true, Ordering::SeqCst);
    for (handle, entry) in open(0, PLACES) {
        entry.change_key(handle, fenced(handle));
    }
}

/// Takes the place of a disposed environment back. A place whose generations are used up, so that
/// the next handle would be negative, is not used again.
pub(crate) fn free_place(handle: u64) {
    if let Some(entry) = entry(handle) {
        entry.env.store(std::ptr::null_mut(), Ordering::SeqCst);
        let owner = entry.take_owner(handle);
        let mut free = free();
        // Whoever sees that it is closed no more, and opens another one, finds the place.
        entry.closing.store(SHUT, Ordering::SeqCst);
        if entry.generation.load(Ordering::Relaxed) < i32::MAX.cast_unsigned() {
            free.returned.push(handle as u32);
        }
        drop(free);
        LEAVING.fetch_sub(1, Ordering::SeqCst);
        // A call into the VM, in which this thread may stop.
        drop(owner);
    }
}

/// The handle of an environment of its own that events are told of: which one that is, its storage word says. As asking the VM
/// for that costs as much as all else on the way in, the last answers are kept, and looked at whether they are still so.
#[inline]
pub(crate) fn of(env: &jvmti::Env) -> Option<u64> {
    let answer = &ANSWERS[(env.as_raw() as usize >> 6) % ANSWERS.len()];
    let known = answer.load(Ordering::Relaxed);
    match entry(known) {
        Some(entry) if entry.has(known, env) => Some(known),
        _ => {
            let asked = env.environment_local_storage().ok()?.cast_unsigned();
            answer.store(asked, Ordering::Relaxed);
            Some(asked)
        }
    }
}

/// Every open handle with its place, of `count` places after the first so many.
pub(crate) fn open(from: usize, count: usize) -> impl Iterator<Item = (u64, &'static Entry)> {
    let places = TABLE.iter().take(made()).skip(from).take(count);
    places.filter_map(|entry| {
        let key = entry.key.load(Ordering::Acquire);
        let handle = if key & CLAIMED == 0 { key } else { fenced(key) };
        (key != SHUT).then_some((handle, entry))
    })
}

/// How many more environments can be opened now.
pub(crate) fn free_places() -> usize {
    let free = free();
    PLACES - free.fresh as usize + free.returned.len()
}

/// Whether a place becomes free without anybody closing one more.
pub(crate) fn any_leaving() -> bool {
    LEAVING.load(Ordering::SeqCst) > 0
}

/// How many places were used so far.
pub(crate) fn made() -> usize {
    free().fresh as usize
}

fn free() -> MutexGuard<'static, Free> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::ffi::c_void;

    use super::*;

    fn some_env() -> OwnedEnv {
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable::default()));
        let cell: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and a table without functions answers every call.
        unsafe { OwnedEnv::from_raw(NonNull::from(cell)) }
    }

    #[test]
    fn a_stale_handle_names_nothing_even_when_its_place_is_used_again() {
        let first = publish(some_env().leak(), None).unwrap();
        let place = entry(first).unwrap();
        assert!(place.env_if(first).is_some());
        assert!(place.shut(first).is_some());
        assert!(place.shut(first).is_none(), "only one caller closes");
        assert!(place.claim(first).is_none(), "not before the barrier");
        place.begin_closing(first);
        assert!(place.env_if(first).is_none());
        assert!(place.claim(first).is_some());
        assert!(place.claim(first).is_none(), "only one caller disposes");
        free_place(first);
        let second = loop {
            let handle = publish(some_env().leak(), None).unwrap();
            if std::ptr::eq(entry(handle).unwrap(), place) {
                break handle;
            }
        };
        assert_ne!(first, second);
        assert!(place.env_if(first).is_none());
        assert!(place.env_if(second).is_some());
    }

    #[test]
    fn whose_an_environment_is_the_vm_is_asked_again_only_when_it_is_closed() {
        static STORED: AtomicU64 = AtomicU64::new(0);
        static ASKED: AtomicUsize = AtomicUsize::new(0);
        unsafe extern "system" fn stored(_: *mut sys::Env, word: *mut *mut c_void) -> sys::Error {
            ASKED.fetch_add(1, Ordering::Relaxed);
            let stored = STORED.load(Ordering::Relaxed) as usize;
            // SAFETY: the caller's place.
            unsafe { *word = std::ptr::without_provenance_mut(stored) };
            sys::Error::NONE
        }
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
            GetEnvironmentLocalStorage: Some(stored),
            ..Default::default()
        }));
        let cell: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and a table with one function answers every call.
        let env = unsafe { OwnedEnv::from_raw(NonNull::from(cell)) }.leak();
        let first = publish(env, None).unwrap();
        STORED.store(first, Ordering::Relaxed);
        assert_eq!([of(env), of(env)], [Some(first), Some(first)]);
        assert_eq!(ASKED.load(Ordering::Relaxed), 1);
        assert!(entry(first).unwrap().shut(first).is_some());
        let second = publish(env, None).unwrap();
        STORED.store(second, Ordering::Relaxed);
        assert_eq!([of(env), of(env)], [Some(second), Some(second)]);
        assert_eq!(ASKED.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn forged_handles_name_nothing() {
        for forged in [
            0,
            1,
            SHUT,
            u64::from(u32::MAX),
            u64::MAX,
            fenced(1 << 32 | 1),
            1 << 63,
            i64::MAX.cast_unsigned(),
        ] {
            assert!(
                entry(forged).is_none_or(|place| place.env_if(forged).is_none()),
                "{forged:x}"
            );
        }
    }
}
