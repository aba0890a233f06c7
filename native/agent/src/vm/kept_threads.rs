//! Threads of the library that have done their work, and wait for more of it: where they cannot end, and for a while where to
//! start one takes longer than its work.
//!
//! HotSpot 21 gives a native thread that attaches two states, if allocations are sampled or events turned on meanwhile
//! (JDK-8319935). It deletes one of them when the thread detaches, and writes through the other one later, into memory that
//! is somebody else's by then (docs/proofs/attaching.c). So none of ours detaches there.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::{JObject, JThread};
use jni::refs::Global;

use crate::failure::Outcome;
use crate::vm::{image, last_moments, left_behind};

/// The releases in which a thread may have two states.
const TWO_STATES: Range<i32> = 19..22;

/// References that work makes and does not count.
const REFERENCES: usize = 16;

/// How long a thread waits for more work, in no Java, where its work is short and it can end.
const A_WHILE: Duration = Duration::from_millis(100);

/// What a thread of the library that ends, if it can, does.
pub(super) struct Work {
    /// Says to the thread who it is.
    pub(super) who: Box<dyn FnOnce() + Send>,
    pub(super) deed: Box<Deed>,
    /// Whether it had better not end at once.
    pub(super) is_short: bool,
}

/// What it gives goes after the thread is detached, or after the deed if it must not be.
pub(super) type Deed = dyn FnOnce(&mut Env<'_>) -> Box<dyn Send> + Send;

impl Work {
    pub(super) fn new<G: Send + 'static>(
        who: impl FnOnce() + Send + 'static,
        deed: impl FnOnce(&mut Env<'_>) -> G + Send + 'static,
    ) -> Self {
        Self {
            who: Box::new(who),
            deed: Box::new(|jni| Box::new(deed(jni))),
            is_short: false,
        }
    }

    pub(super) fn short(self) -> Self {
        Self {
            is_short: true,
            ..self
        }
    }
}

/// How long work is offered, for each who waits and once more: they may have been suspended there. To start a thread takes less,
/// but adds one; where the VM often stands still for longer, there are more of them before long, and so more patience.
const PATIENCE: Duration = Duration::from_millis(50);
/// For so long to one of them. To have all of a thousand wake up takes milliseconds.
const ALONE: Duration = Duration::from_millis(5);
const MOST_PATIENCE: Duration = Duration::from_secs(1);

/// Of each of these threads.
pub(crate) struct Seat {
    thread: Global<JThread<'static>>,
    /// Whether it has no work, and runs nothing of the application's.
    is_idle: AtomicBool,
}

static SEATS: Mutex<Vec<Arc<Seat>>> = Mutex::new(Vec::new());

impl Seat {
    fn new(thread: Global<JThread<'static>>) -> Arc<Self> {
        let seat = Arc::new(Self {
            thread,
            is_idle: AtomicBool::new(false),
        });
        seats().push(Arc::clone(&seat));
        seat
    }

    pub(crate) fn thread(&self) -> &Global<JThread<'static>> {
        &self.thread
    }
}

fn seats() -> MutexGuard<'static, Vec<Arc<Seat>>> {
    SEATS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Those that wait for work. If they stand still for somebody's action, what it begins needs more threads, which stay.
pub(crate) fn idle() -> Vec<Arc<Seat>> {
    let is_idle = |seat: &&Arc<Seat>| seat.is_idle.load(Ordering::SeqCst);
    seats().iter().filter(is_idle).map(Arc::clone).collect()
}

/// By the names of the threads.
type All = BTreeMap<CString, Waiting>;

static ALL: Mutex<All> = Mutex::new(BTreeMap::new());
static TAKEN: Condvar = Condvar::new();

#[derive(Default)]
struct Waiting {
    bell: Arc<Condvar>,
    /// Those who have been through the VM in this round, and have no work.
    present: usize,
    /// Another one begins when nobody has taken an offer in time.
    round: u64,
    offers: BTreeMap<u64, Work>,
    last: u64,
}

/// The calling thread, which waits for more.
pub(super) struct Kept {
    name: CString,
    seat: Arc<Seat>,
    /// After which it ends, if it may detach.
    patience: Option<Duration>,
    /// Its context class loader as it came.
    loader: Global<JObject<'static>>,
}

impl Kept {
    /// If it must not end, or not at once; before it does anything.
    pub(super) fn if_needed(jni: &mut Env<'_>, name: &CStr, is_short: bool) -> Option<Self> {
        let feature = image::plain().and_then(image::feature);
        let may_end = feature.is_ok_and(|feature| !TWO_STATES.contains(&feature));
        if may_end && !is_short {
            return None;
        }
        let loader = left_behind::loader(jni).unwrap_or_default();
        jni.exception_clear();
        let thread = thread(jni).unwrap_or_default();
        Some(Self {
            name: name.to_owned(),
            seat: Seat::new(thread),
            patience: may_end.then_some(A_WHILE),
            loader,
        })
    }

    /// Does that, and what is offered to those of its name from then on, for a while or as long as there is a VM.
    pub(super) fn serve(self, jni: &mut Env<'_>, first: Box<Deed>) {
        within_a_frame(jni, first);
        while let Some(next) = self.next(jni) {
            (next.who)();
            within_a_frame(jni, next.deed);
        }
    }

    /// Waits for work, and takes none before it has been through the VM since that was offered: it stands still there if it is
    /// suspended, by whose action offers it, too.
    fn next(&self, jni: &mut Env<'_>) -> Option<Work> {
        let until = self.patience.map(|patience| Instant::now() + patience);
        // Of its work, and not of what others remember of it while it waits.
        left_behind::forget_remembered(jni);
        let mut round = None;
        loop {
            let offered = offered(&self.name);
            left_behind::forget(jni, &self.name, &self.loader);
            if let Some(work) = take(&self.name, &mut round, offered) {
                return Some(work);
            }
            self.seat.is_idle.store(true, Ordering::SeqCst);
            loop {
                match wait(&self.name, round, until) {
                    Call::Come => break,
                    Call::Rest => last_moments::rest(jni, last_moments::LONG_MOMENT),
                    Call::Leave => return None,
                }
            }
            self.seat.is_idle.store(false, Ordering::SeqCst);
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        seats().retain(|seat| !Arc::ptr_eq(seat, &self.seat));
    }
}

/// Its local references go with it, and a panic.
fn within_a_frame(jni: &mut Env<'_>, deed: Box<Deed>) {
    let mut deed = Some(deed);
    let mut once = |jni: &mut Env<'_>| deed.take().map(|deed| deed(jni));
    let done = catch_unwind(AssertUnwindSafe(|| {
        let framed = jni.with_local_frame(REFERENCES, |jni| -> Outcome<_> { Ok(once(jni)) });
        // If there is no memory for one.
        framed.ok().flatten().or_else(|| {
            jni.exception_clear();
            once(jni)
        })
    }));
    drop(done);
}

fn thread(jni: &mut Env<'_>) -> Outcome<Global<JThread<'static>>> {
    let current = image::plain()?.current_thread(jni)?;
    let kept = jni.new_global_ref(&current)?;
    jni.delete_local_ref(current);
    Ok(kept)
}

/// Has it done by a thread of that name that waits for work, if one takes it in time; or else it is for the caller, who must be a
/// thread that nobody waits for. Asks the VM for nothing.
pub(super) fn offer(name: &CStr, work: Work) -> Result<(), Work> {
    offer_for(patience, name, work)
}

fn patience(waiting: usize) -> Duration {
    let times = u32::try_from(waiting + 1).unwrap_or(u32::MAX);
    PATIENCE.saturating_mul(times).min(MOST_PATIENCE)
}

fn offer_for(patience: impl Fn(usize) -> Duration, name: &CStr, work: Work) -> Result<(), Work> {
    let mut all = lock();
    // In the last moments they wait without looking.
    let rests = last_moments::have_begun();
    let Some(waiting) = all
        .get_mut(name)
        .filter(|waiting| !rests && waiting.offers.len() < waiting.present)
    else {
        return Err(work);
    };
    waiting.last += 1;
    let number = waiting.last;
    waiting.offers.insert(number, work);
    let patience = patience(waiting.present);
    let is_there = |all: &mut All| of(all, name).offers.contains_key(&number);
    waiting.bell.notify_one();
    let waited = TAKEN.wait_timeout_while(all, patience.min(ALONE), is_there);
    let (mut all, waited) = waited.unwrap_or_else(PoisonError::into_inner);
    if waited.timed_out() {
        of(&mut all, name).bell.notify_all();
        let waited = TAKEN.wait_timeout_while(all, patience.saturating_sub(ALONE), is_there);
        (all, _) = waited.unwrap_or_else(PoisonError::into_inner);
    }
    let waiting = of(&mut all, name);
    let Some(work) = waiting.offers.remove(&number) else {
        return Ok(());
    };
    // Whoever waits stands still, as far as one can know.
    waiting.present = 0;
    waiting.round += 1;
    waiting.bell.notify_all();
    Err(work)
}

/// What somebody waits for.
#[derive(Debug, PartialEq, Eq)]
enum Call {
    /// There is an offer, or another round has begun.
    Come,
    /// The last moments have begun.
    Rest,
    /// It is late enough, and nobody counts on him any more.
    Leave,
}

/// By one who is present in that `round`.
fn wait(name: &CStr, round: Option<u64>, until: Option<Instant>) -> Call {
    let mut all = lock();
    let bell = Arc::clone(&of(&mut all, name).bell);
    loop {
        let waiting = of(&mut all, name);
        if !waiting.offers.is_empty() || round != Some(waiting.round) {
            return Call::Come;
        }
        if last_moments::have_begun() {
            return Call::Rest;
        }
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        all = match left {
            Some(Duration::ZERO) => {
                waiting.present -= 1;
                return Call::Leave;
            }
            Some(left) => {
                let waited = bell.wait_timeout(all, left);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => bell.wait(all).unwrap_or_else(PoisonError::into_inner),
        };
    }
}

/// How many offers there were.
fn offered(name: &CStr) -> u64 {
    of(&mut lock(), name).last
}

/// One of the first so many that were `offered`, by one who has been through the VM since; he is present in that `round` from
/// now on.
fn take(name: &CStr, round: &mut Option<u64>, offered: u64) -> Option<Work> {
    let mut all = lock();
    let waiting = of(&mut all, name);
    if round.replace(waiting.round) != Some(waiting.round) {
        waiting.present += 1;
    }
    let first = waiting.offers.first_entry()?;
    if *first.key() > offered {
        return None;
    }
    let work = first.remove();
    waiting.present -= 1;
    TAKEN.notify_all();
    Some(work)
}

fn of<'a>(all: &'a mut All, name: &CStr) -> &'a mut Waiting {
    all.entry(name.to_owned()).or_default()
}

/// The last moments have begun.
pub(crate) fn wake() {
    for waiting in lock().values() {
        waiting.bell.notify_all();
    }
}

fn lock() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::mpsc;
    use std::thread;

    use super::*;
    use crate::vm::paper::{self, with_jni};

    const LONG: Duration = Duration::from_secs(60);

    fn work(deed: impl FnOnce() + Send + 'static) -> Work {
        Work::new(deed, |_| ())
    }

    fn until_present(name: &CStr, threads: usize) {
        while of(&mut lock(), name).present != threads {
            thread::yield_now();
        }
    }

    fn offer_long(name: &CStr, deed: impl FnOnce() + Send + 'static) -> bool {
        let begun = Instant::now();
        let taken = offer_for(|_| LONG, name, work(deed)).is_ok();
        assert!(begun.elapsed() < LONG, "it knows at once");
        taken
    }

    #[test]
    fn work_is_for_those_of_its_name_who_are_present() {
        let (name, other) = (c"kept-one", c"kept-another");
        let (tell, told) = mpsc::channel();
        assert!(!offer_long(name, || panic!("nobody waits")));
        let waits = thread::spawn(move || {
            let mut round = None;
            for _ in 0..2 {
                let next = loop {
                    if let Some(work) = take(name, &mut round, u64::MAX) {
                        break work;
                    }
                    assert_eq!(wait(name, round, None), Call::Come);
                };
                (next.who)();
                round = None;
            }
        });
        for text in ["first", "second"] {
            until_present(name, 1);
            assert!(!offer_long(other, || panic!("of another name")));
            let tell = tell.clone();
            assert!(offer_long(name, move || tell.send(text).unwrap()));
            assert_eq!(told.recv(), Ok(text));
        }
        waits.join().expect("it has done its work");
        assert!(!offer_long(name, || panic!("it has left")));
    }

    #[test]
    fn nobody_is_asked_who_stands_still_until_he_has_been_through_the_vm() {
        let name = c"kept-suspended";
        let mut round = None;
        assert!(take(name, &mut round, u64::MAX).is_none());
        let at_once = |_| Duration::ZERO;
        assert!(offer_for(at_once, name, work(|| panic!("to nobody who runs"))).is_err());
        assert!(!offer_long(name, || panic!("he is known to stand still")));
        assert_eq!(
            wait(name, round, None),
            Call::Come,
            "he is asked whether he runs"
        );
        assert!(
            take(name, &mut round, u64::MAX).is_none(),
            "somebody else does it by now"
        );
        assert_eq!(of(&mut lock(), name).present, 1);
        assert!(take(name, &mut round, u64::MAX).is_none());
        assert_eq!(of(&mut lock(), name).present, 1, "he is one");
    }

    #[test]
    fn who_was_suspended_before_work_was_offered_does_not_take_it() {
        let name = c"kept-before";
        let mut round = None;
        let before = offered(name);
        assert!(take(name, &mut round, before).is_none());
        let offers = thread::spawn(move || offer_long(name, || ()));
        while of(&mut lock(), name).offers.is_empty() {
            thread::yield_now();
        }
        assert!(take(name, &mut round, before).is_none());
        assert_eq!(
            wait(name, round, None),
            Call::Come,
            "once more through the VM"
        );
        assert!(take(name, &mut round, offered(name)).is_some());
        assert!(offers.join().unwrap());
    }

    #[test]
    fn nobody_counts_on_who_leaves() {
        let name = c"kept-late";
        let mut round = None;
        assert!(take(name, &mut round, u64::MAX).is_none());
        assert_eq!(wait(name, round, Some(Instant::now())), Call::Leave);
        assert!(!offer_long(name, || panic!("nobody waits")));
    }

    #[test]
    fn the_more_wait_the_longer_it_is_offered() {
        assert_eq!(patience(1), 2 * PATIENCE);
        assert_eq!(patience(1_000), MOST_PATIENCE);
    }

    #[test]
    fn a_deed_keeps_its_panic_and_its_references_to_itself() {
        with_jni(|jni| {
            let done = Arc::new(AtomicUsize::new(0));
            for (has_memory, frames) in [(true, 1), (false, 0)] {
                paper::set_has_memory(has_memory);
                let done = Arc::clone(&done);
                within_a_frame(
                    jni,
                    Box::new(move |_| {
                        assert_eq!((paper::frames(), paper::pending()), (frames, false));
                        done.fetch_add(1, Ordering::Relaxed);
                        panic!("of the deed");
                    }),
                );
                assert_eq!(paper::frames(), 0);
            }
            assert_eq!(done.load(Ordering::Relaxed), 2);
        });
    }
}
