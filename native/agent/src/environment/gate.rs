//! Who is inside which environment, told without a shared write on the way in.
//!
//! Each thread publishes the handle it works on in a [slot](slots) of its own with a plain store, and only
//! then looks whether the handle is still open. Whoever closes an environment marks it closed,
//! makes every thread of the process pass a barrier, and then reads all slots: a thread that it
//! does not see inside will see the environment closed. Where the system has no such barrier, the
//! way in pays for a full fence instead: the key of such an environment is not its handle, so that
//! whoever needs no fence is not asked.

use std::any::Any;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering, compiler_fence, fence};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

use crate::environment::handles::{self, Entry};
pub(crate) use crate::environment::slots::Me;
use crate::environment::slots::{self, slot};
use crate::environment::{disposal, freed, held, spares, tags};
use crate::failure::{Failure, Outcome};
use crate::platform;
use crate::vm::{image, steward};

/// Woken whenever an environment is gone: of those that wait for one, only few others.
static LEFT: [Left; 64] = [const { Left(Mutex::new(()), Condvar::new()) }; 64];
/// Woken whenever any is.
static ANY_LEFT: Left = Left(Mutex::new(()), Condvar::new());

struct Left(Mutex<()>, Condvar);

/// Chooses the barrier. Called by every way into the image, before any environment exists.
pub(crate) fn prepare() {
    if handles::needs_fence() && platform::has_barrier() {
        handles::need_no_fence();
    }
}

/// A thread's stay inside an open environment; leaving it may be what has it disposed.
pub(crate) struct Inside {
    /// None: counted in the entry.
    place: Option<&'static AtomicU64>,
    entry: &'static Entry,
    handle: u64,
    env: &'static jvmti::Env,
}

impl Inside {
    /// Which environment this is.
    pub(crate) fn handle(&self) -> u64 {
        self.handle
    }

    /// Whether it has not been closed since.
    pub(crate) fn is_open(&self) -> bool {
        self.entry.is(self.handle)
    }

    /// Whether this is an environment of the VM of its own, and not the one that many share.
    pub(crate) fn is_own(&self) -> bool {
        image::plain().is_ok_and(|plain| !ptr::eq(plain, self.env))
    }

    /// Gives it an environment of its own, for those who enter it from here on; back if it was closed
    /// meanwhile.
    pub(crate) fn adopt(&self, env: jvmti::OwnedEnv) -> Result<(), jvmti::OwnedEnv> {
        self.entry.adopt(self.handle, env)
    }

    /// The environment for what is over before it is disposed, as closing sees to.
    pub(crate) fn borrow_until_disposed(&self) -> &'static jvmti::Env {
        self.env
    }

    /// What is kept with it.
    #[inline]
    pub(crate) fn attached<T: 'static>(&self) -> Option<&T> {
        self.entry.attached.get()
    }

    /// Keeps something with it unless something is kept already.
    pub(crate) fn attach(&self, attachment: impl Any + Send + Sync) {
        self.entry.attached.set(attachment);
    }

    /// Something stays in the environment that closing cannot take back.
    #[inline]
    pub(crate) fn stain(&self) {
        self.entry.stain();
    }

    /// `tag` is on an object now: closing takes it off, unless it was put on too many.
    #[inline]
    pub(crate) fn has_tagged(&self, tag: i64) {
        if !self.entry.has_many_tags() && !tags::remember(self.handle, tag) {
            self.entry.tags_many();
        }
    }
}

impl std::ops::Deref for Inside {
    type Target = jvmti::Env;

    #[inline]
    fn deref(&self) -> &jvmti::Env {
        self.env
    }
}

/// Enters the environment that `handle` names.
#[inline(always)]
pub(crate) fn enter(me: Me, handle: i64) -> Outcome<Inside> {
    let handle = handle.cast_unsigned();
    let entry = handles::entry(handle).ok_or(Failure::Closed)?;
    let place = slot(me).vacant();
    match place {
        Some(place) => {
            place.store(handle, Ordering::Relaxed);
            compiler_fence(Ordering::SeqCst);
        }
        None => entry.enter_deep(),
    }
    match entry.env_unfenced(handle) {
        Some(env) => Ok(Inside {
            place,
            entry,
            handle,
            env,
        }),
        None => enter_fenced(place, entry, handle),
    }
}

/// The rest of the way in where no barrier reaches this thread, and where all is closed.
#[cold]
#[inline(never)]
fn enter_fenced(
    place: Option<&'static AtomicU64>,
    entry: &'static Entry,
    handle: u64,
) -> Outcome<Inside> {
    fence(Ordering::SeqCst);
    if let Some(env) = entry.env_if(handle) {
        return Ok(Inside {
            place,
            entry,
            handle,
            env,
        });
    }
    leave(place, entry);
    // Whoever is closing it may have seen this thread inside and wait for it.
    left_fenced(entry, handle);
    Err(Failure::Closed)
}

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        leave(self.place, self.entry);
        if !self.entry.is_unfenced(self.handle) {
            left_fenced(self.entry, self.handle);
        }
    }
}

#[inline(always)]
fn leave(place: Option<&AtomicU64>, entry: &Entry) {
    match place {
        Some(place) => {
            slots::vacate(place);
            compiler_fence(Ordering::SeqCst);
        }
        None => entry.leave_deep(),
    }
}

/// If the environment was closed while this thread was inside, the last one out has it disposed.
#[cold]
#[inline(never)]
fn left_fenced(entry: &'static Entry, handle: u64) {
    // Two threads that leave at once must not each see only the other one inside.
    fence(Ordering::SeqCst);
    if !entry.is(handle) {
        finish_soon(entry);
    }
}

/// A thread has left what is closed here: it is disposed if that was the last one.
fn finish_soon(entry: &'static Entry) {
    // Whoever was counted in the entry may have kept another one from being disposed, that is closing there now.
    if let Some(closing) = entry.closing() {
        steward::owe(move || finish(entry, closing));
    }
}

/// Disposes the closed `handle` unless a thread is still inside. Only by the steward.
pub(super) fn finish(entry: &'static Entry, handle: u64) {
    if occupied(entry, handle) {
        return;
    }
    let Some(env) = entry.claim(handle) else {
        return;
    };
    entry.attached.clear();
    let mut remains = Remains {
        // Who has tagged something has left, and nobody tags any more.
        tags: tags::forget(handle),
        are_many: entry.has_many_tags(),
        is_stained: entry.is_stained(),
    };
    let gone = move || {
        held::take_back();
        handles::free_place(handle);
        announce(handle);
    };
    if freed::are_told(&env) {
        gone();
        // Of what has no tag the VM has nothing to tell.
        if !remains.are_many && remains.tags.take_off(&env).is_ok() {
            remains.tags = tags::Tags::default();
        }
        freed::retire(env, |env| {
            let _ = env.clear_event_callbacks();
            part_with(env, remains, || {});
        });
    } else {
        part_with(env, remains, gone);
    }
}

/// What is left in an environment of the VM that nobody has any more.
struct Remains {
    tags: tags::Tags,
    /// More than are remembered.
    are_many: bool,
    /// Something else is.
    is_stained: bool,
}

/// Disposes `env`, or keeps it for the next one, and does what comes `then`. Only by the steward.
fn part_with(env: jvmti::OwnedEnv, remains: Remains, then: impl FnOnce() + Send + 'static) {
    if remains.are_many && disposal::may_be_apart(&env) {
        disposal::begin(env, move || steward::owe(then));
    } else {
        let is_clean = !remains.is_stained && !remains.are_many;
        spares::retire(env, is_clean.then_some(&remains.tags));
        then();
    }
}

/// Wakes those who wait for `handle` to be gone, or for any that is.
pub(super) fn announce(handle: u64) {
    left(handle).announce();
    announce_any();
}

/// Wakes those who wait for what has no environment.
pub(super) fn announce_any() {
    ANY_LEFT.announce();
}

/// Whether any thread is inside `handle`. Exact after [`barrier`] once the handle is closed.
fn occupied(entry: &Entry, handle: u64) -> bool {
    entry.is_deep() || slots::any_holds(handle)
}

/// Whether the calling thread itself is inside `handle`.
pub(crate) fn occupied_by_me(me: Me, handle: u64) -> bool {
    slot(me).holds(handle)
}

/// Waits until what `handle` has an influence on when it is gone is `so`; false: `deadline` has passed.
pub(crate) fn wait_for(handle: u64, deadline: Instant, so: impl Fn() -> bool) -> bool {
    left(handle).wait_until(deadline, so)
}

/// Waits until what environments that are gone have an influence on is `so`; false: `deadline` has
/// passed.
pub(crate) fn wait_for_any(deadline: Instant, so: impl Fn() -> bool) -> bool {
    ANY_LEFT.wait_until(deadline, so)
}

fn left(handle: u64) -> &'static Left {
    &LEFT[handle as usize % LEFT.len()]
}

impl Left {
    fn announce(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner));
        self.1.notify_all();
    }

    fn wait_until(&self, deadline: Instant, so: impl Fn() -> bool) -> bool {
        let bound = deadline.saturating_duration_since(Instant::now());
        let lock = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.1.wait_timeout_while(lock, bound, |()| !so());
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

/// Makes every running thread of the process pass a full fence, but where all inside have passed
/// one; answers whether that worked.
pub(crate) fn barrier(fenced: bool) -> bool {
    fence(Ordering::SeqCst);
    fenced || issue_barrier()
}

fn issue_barrier() -> bool {
    let issued = platform::issue_barrier();
    if !issued {
        // A sandbox that came later forbids it: the way in gets its fence back.
        handles::need_fence();
    }
    issued
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, mpsc};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// As long as whoever waits would be there without being woken.
    const LONG: Duration = Duration::from_secs(3600);

    /// Waits like `wait` until it is announced.
    fn is_woken(wait: fn(Instant, &dyn Fn() -> bool) -> bool) -> bool {
        let gone = Arc::new(AtomicBool::new(false));
        let is_gone = Arc::clone(&gone);
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            let so = || {
                let so = is_gone.load(Ordering::SeqCst);
                let _ = tell.send(None);
                so
            };
            let waited = wait(Instant::now() + LONG, &so);
            tell.send(Some(waited))
        });
        assert_eq!(told.recv(), Ok(None), "he has looked, and waits");
        gone.store(true, Ordering::SeqCst);
        announce(7);
        let end = std::iter::from_fn(|| told.recv_timeout(Duration::from_secs(60)).ok());
        end.flatten().next().unwrap_or(false)
    }

    #[test]
    fn who_waits_for_one_is_woken_when_it_is_gone() {
        assert!(is_woken(|deadline, so| wait_for(7, deadline, so)));
    }

    #[test]
    fn who_waits_for_any_is_woken_by_one() {
        assert!(is_woken(|deadline, so| wait_for_any(deadline, so)));
    }
}
