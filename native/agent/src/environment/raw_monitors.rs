//! The raw monitors that environments have made.
//!
//! The VM frees a monitor that is destroyed, whoever is about to enter it, waits in it or is just leaving it. So
//! whoever does so keeps it, and it is destroyed when nobody does: nobody owns it then, for who owns it is inside
//! [`RawMonitor::hold`]. All are monitors of the plain environment, which is never disposed: so nobody who waits for one
//! is inside an environment, and closing waits for none of them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JObject;
use jni::refs::Weak;
use jni::strings::JNIStr;
use jni::sys::JNIEnv;
use jvmti::sys::Error;

use crate::environment::gate::Inside;
use crate::environment::undone::Undone;
use crate::failure::{Failure, Outcome};
use crate::vm::patience::ROUND;
use crate::vm::{bare, image, steward};

/// How many are looked at for collected owners whenever one is made.
const WINDOW: usize = 64;

/// How many the steward looks at by himself, now and then.
const MANY: usize = 8192;

/// The handle of its environment, and a number of its own.
type Key = (u64, u64);

/// All that are not closed. Never held across a call into the VM.
static ALL: Mutex<All> = Mutex::new(All {
    monitors: BTreeMap::new(),
    next: 1,
    cursor: (0, 0),
});

struct All {
    monitors: BTreeMap<Key, Arc<RawMonitor>>,
    /// The number of the next one.
    next: u64,
    /// Where the next look begins.
    cursor: Key,
}

/// A monitor of the VM, and who waits in it. It is destroyed when the last thread has left it.
pub(crate) struct RawMonitor {
    vm: jvmti::RawMonitor<'static>,
    /// The Java object that it belongs to; collected, it takes the monitor with it.
    owner: Weak<JObject<'static>>,
    closed: AtomicBool,
    inside: Mutex<Ownership>,
}

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitEnd {
    Signalled,
    TimedOut,
    Interrupted,
}

/// A new one for `env` and `owner`; answers its number.
pub(crate) fn create(
    jni: &Env<'_>,
    env: &Inside,
    owner: &JObject<'_>,
    name: &JNIStr,
) -> Outcome<u64> {
    sweep(jni, WINDOW)?;
    let made = Arc::new(RawMonitor {
        vm: image::plain()?.create_raw_monitor(name.as_cstr())?,
        owner: bare::weak(jni, owner)?,
        closed: AtomicBool::new(false),
        inside: Mutex::new(Ownership::default()),
    });
    let (number, first) = {
        let mut all = all();
        let number = all.next;
        all.next += 1;
        all.monitors.insert((env.handle(), number), made);
        (number, all.monitors.len() == 1)
    };
    // Whoever has closed it since may have come before.
    if !env.is_open() {
        close(env.handle(), number);
    }
    if first && steward::thread().is_ok() {
        // He rests until there is something to do.
        steward::owe(|| ());
    }
    Ok(number)
}

/// The one with this number, unless it is closed.
pub(crate) fn find(env: &Inside, number: u64) -> Outcome<Arc<RawMonitor>> {
    let found = all().monitors.get(&(env.handle(), number)).cloned();
    found.ok_or_else(closed)
}

/// Closes it, whoever is in it; harmless for one that is closed.
pub(crate) fn close(handle: u64, number: u64) {
    let gone = all().monitors.remove(&(handle, number));
    if let Some(gone) = gone {
        gone.close();
    }
}

/// Whether there is one.
pub(crate) fn is_any() -> bool {
    !all().monitors.is_empty()
}

/// Closes some whose owner was collected. By the steward, so that none waits for the next one to be made.
pub(crate) fn sweep_some(jni: &Env<'_>) -> Outcome<()> {
    sweep(jni, MANY)
}

/// Looks at so many: making one costs the same however many there are.
fn sweep(jni: &Env<'_>, most: usize) -> Outcome<()> {
    let some = all().some(most);
    for ((handle, number), one) in some {
        if one.owner.is_garbage_collected(jni)? {
            close(handle, number);
        }
    }
    Ok(())
}

/// What environments have made.
pub(crate) struct RawMonitors;

impl Undone for RawMonitors {
    fn forget(&self, handle: u64) {
        let gone = all().take_all_of(handle);
        gone.iter().for_each(|one| one.close());
    }
}

fn all() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn closed() -> Failure {
    Failure::State("this raw monitor is closed".to_owned())
}

impl All {
    /// The next ones to be looked at.
    fn some(&mut self, most: usize) -> Vec<(Key, Arc<RawMonitor>)> {
        let round = self.monitors.range(self.cursor..);
        let round = round.chain(self.monitors.range(..self.cursor));
        let some: Vec<_> = round
            .take(most)
            .map(|(key, one)| (*key, Arc::clone(one)))
            .collect();
        if let Some(((handle, number), _)) = some.last() {
            self.cursor = (*handle, number + 1);
        }
        some
    }

    fn take_all_of(&mut self, handle: u64) -> Vec<Arc<RawMonitor>> {
        let its = self.monitors.range((handle, 0)..=(handle, u64::MAX));
        let keys: Vec<_> = its.map(|(key, _)| *key).collect();
        let taken = keys.iter().filter_map(|key| self.monitors.remove(key));
        taken.collect()
    }
}

impl RawMonitor {
    fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    fn require_open(&self) -> Outcome<()> {
        match self.closed.load(Ordering::SeqCst) {
            true => Err(closed()),
            false => Ok(()),
        }
    }

    /// Runs `action` while the calling thread owns it, unless it is closed by then.
    pub(crate) fn hold<'l, T>(
        &self,
        jni: &mut Env<'l>,
        action: impl FnOnce(&mut Env<'l>) -> Outcome<T>,
    ) -> Outcome<T> {
        self.vm.hold(jni, |jni| {
            self.require_open()?;
            let outer = self.inside().change_owner(jni.get_raw());
            let done = action(jni);
            self.inside().change_owner(outer);
            if self.require_open().is_err() {
                // Those who wait come to see it.
                let _ = self.vm.notify_all();
            }
            done
        })?
    }

    /// Gives it up for so long at most, or until another thread signals. Closing ends it, too, half a second later at
    /// the latest.
    pub(crate) fn wait(&self, me: *mut JNIEnv, bound: Duration) -> Outcome<WaitEnd> {
        const FUNCTION: &str = "RawMonitorWait";
        if !self.inside().is_owned_by(me) {
            // Whoever is not the owner must not be among those who wait.
            return Err(jvmti::Error::new(FUNCTION, Error::NOT_MONITOR_OWNER).into());
        }
        let start = Instant::now();
        loop {
            let left = bound.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(WaitEnd::TimedOut);
            }
            let ticket = self.inside().begin_to_wait();
            let waited = self.vm.wait(millis_of(left.min(ROUND)));
            let signalled = self.inside().end_to_wait(ticket, me);
            match waited {
                Err(error) if error.code == Error::INTERRUPT => {
                    if signalled {
                        // It is for somebody else.
                        self.signal()?;
                    }
                    return Ok(WaitEnd::Interrupted);
                }
                Err(error) => return Err(error.into()),
                Ok(()) if signalled => return Ok(WaitEnd::Signalled),
                Ok(()) => self.require_open()?,
            }
        }
    }

    /// Ends the wait of one thread.
    pub(crate) fn signal(&self) -> Outcome<()> {
        self.vm.notify()?;
        self.inside().signal_one();
        Ok(())
    }

    /// Ends the wait of all threads.
    pub(crate) fn signal_all(&self) -> Outcome<()> {
        self.vm.notify_all()?;
        self.inside().signal_all();
        Ok(())
    }

    fn inside(&self) -> MutexGuard<'_, Ownership> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of more than none, the VM would wait without end for 0.
fn millis_of(time: Duration) -> i64 {
    time.as_nanos()
        .div_ceil(1_000_000)
        .try_into()
        .unwrap_or(i64::MAX)
}

/// Who owns it, and who waits in it: only the owner changes that. The VM does not tell why a wait has ended, so it is
/// known here who was signalled.
#[derive(Default)]
struct Ownership {
    /// The address of the owner's JNI environment, 0 if there is none.
    owner: usize,
    /// In the order in which the VM has them, the next one to be notified last.
    waiting: Vec<Waiter>,
    next: u64,
}

struct Waiter {
    ticket: u64,
    signalled: bool,
}

impl Ownership {
    fn is_owned_by(&self, me: *mut JNIEnv) -> bool {
        self.owner == me as usize
    }

    /// Answers who was it before.
    fn change_owner(&mut self, to: *mut JNIEnv) -> *mut JNIEnv {
        std::mem::replace(&mut self.owner, to as usize) as *mut JNIEnv
    }

    fn begin_to_wait(&mut self) -> u64 {
        self.owner = 0;
        let ticket = self.next;
        self.next += 1;
        self.waiting.push(Waiter {
            ticket,
            signalled: false,
        });
        ticket
    }

    /// Whether who had this ticket was signalled.
    fn end_to_wait(&mut self, ticket: u64, me: *mut JNIEnv) -> bool {
        self.owner = me as usize;
        let place = self.waiting.iter().position(|one| one.ticket == ticket);
        place.is_some_and(|place| self.waiting.remove(place).signalled)
    }

    fn signal_one(&mut self) {
        let next = self.waiting.iter_mut().rfind(|one| !one.signalled);
        if let Some(next) = next {
            next.signalled = true;
        }
    }

    fn signal_all(&mut self) {
        for one in &mut self.waiting {
            one.signalled = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    #[test]
    fn each_signal_is_for_one_who_waits_already() {
        let me = ptr::without_provenance_mut(1);
        let mut inside = Ownership::default();
        inside.signal_one();
        let [first, second] = [inside.begin_to_wait(), inside.begin_to_wait()];
        inside.signal_one();
        let third = inside.begin_to_wait();
        assert!(!inside.end_to_wait(first, me));
        assert!(!inside.end_to_wait(third, me), "it came later");
        assert!(inside.end_to_wait(second, me), "whom the VM notifies");
        inside.signal_one();
        assert!(inside.waiting.is_empty());
    }

    #[test]
    fn all_who_wait_are_signalled() {
        let me = ptr::without_provenance_mut(1);
        let mut inside = Ownership::default();
        let tickets = [(); 3].map(|()| inside.begin_to_wait());
        inside.signal_all();
        assert!(tickets.iter().all(|one| inside.end_to_wait(*one, me)));
    }

    #[test]
    fn who_waits_owns_it_no_longer() {
        let (me, nobody) = (ptr::without_provenance_mut(1), ptr::null_mut());
        let mut inside = Ownership::default();
        assert_eq!(inside.change_owner(me), nobody);
        assert!(inside.is_owned_by(me));
        let ticket = inside.begin_to_wait();
        assert!(!inside.is_owned_by(me));
        inside.end_to_wait(ticket, me);
        assert_eq!(inside.change_owner(nobody), me);
    }

    #[test]
    fn no_wait_is_without_end() {
        assert_eq!(millis_of(Duration::from_nanos(1)), 1);
        assert_eq!(millis_of(Duration::from_millis(500)), 500);
        assert_eq!(millis_of(Duration::MAX), i64::MAX);
    }
}
