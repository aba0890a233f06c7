//! The thread that does what no thread may be stopped in the middle of.
//!
//! A thread that is suspended stops inside its next call into the VM, with whatever it has. So that
//! nobody waits for such a thread, capabilities are changed, environments are disposed and threads
//! are suspended by this one alone, one deed after the other, and none of us can suspend it. Whoever
//! asks waits in native code, with nothing in his hands and not for ever. To resume takes nobody but
//! the caller, or the watchdog.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::exceptions::JOutOfMemoryError;
use jni::objects::{JObject, JThread};
use jni::refs::Global;

use crate::failure::{Failure, Outcome};
use crate::vm::daemon::Daemon;
use crate::vm::last_moments;
use crate::vm::patience::{Patience, ROUND};

/// References that a deed makes and does not count.
const REFERENCES: usize = 64;

static STEWARD: Daemon = Daemon::new(c"jvmtools-steward", work);
static DEEDS: Mutex<Deeds<Deed>> = Mutex::new(Deeds::new());
/// Rung for each deed.
static BELL: Condvar = Condvar::new();

type Deed = Box<dyn FnOnce(&mut Env<'_>) + Send>;

/// What is to be done.
struct Deeds<D> {
    /// In the order in which it came.
    due: VecDeque<(Due, D)>,
    /// What nobody waits for.
    put_off: VecDeque<D>,
    /// Whether it is its turn: the last one was asked for.
    turn: bool,
}

/// What is not put off.
enum Due {
    Asked,
    Owed,
}

/// What the steward looks after by himself.
pub(crate) struct Chore {
    /// Whether there is anything to look after. Enters no VM and waits for nobody.
    pub(crate) wanted: fn() -> bool,
    pub(crate) round: fn(&mut Env<'_>) -> Outcome<()>,
}

/// Told once, when the image arrives.
static CHORES: OnceLock<&'static [Chore]> = OnceLock::new();

/// Grows with each part of a long deed.
static DONE: AtomicU64 = AtomicU64::new(0);
/// Grows with each deed.
static ENDED: AtomicU64 = AtomicU64::new(0);
/// How much was done when somebody went without an answer. Who asks while it is no more waits a moment only, so that a
/// call with several questions is not inside for as long as all of them.
static GAVE_UP_AT: AtomicU64 = AtomicU64::new(u64::MAX);

/// How long he rests between two rounds.
const BETWEEN_ROUNDS: Duration = Duration::from_secs(1);

/// Where the answer to one deed arrives.
struct Reply<T>(Mutex<Answer<T>>, Condvar);

enum Answer<T> {
    Awaited,
    /// The deed is under way.
    Begun,
    Given(Outcome<T>),
    /// Whoever asked has gone.
    Unwanted,
}

/// Tells the steward what to look after whenever it is wanted.
pub(crate) fn look_after(chores: &'static [Chore]) {
    let _ = CHORES.set(chores);
}

/// The steward's thread, which is started if it is not there yet.
pub(crate) fn thread() -> Outcome<&'static Global<JThread<'static>>> {
    STEWARD.thread()
}

/// The steward's thread, if it runs.
pub(crate) fn running() -> Option<&'static Global<JThread<'static>>> {
    STEWARD.running()
}

/// Has `deed` done and waits for its answer. If that comes too late, the deed is not begun any more,
/// or, if it was begun, `undo` undoes it.
pub(crate) fn ask<T: Send + 'static>(
    jni: &Env<'_>,
    deed: impl FnOnce(&mut Env<'_>) -> Outcome<T> + Send + 'static,
    undo: impl FnOnce(&mut Env<'_>, T) + Send + 'static,
) -> Outcome<T> {
    STEWARD.thread()?;
    let reply = Reply::new();
    let to = Arc::clone(&reply);
    let deed = Box::new(move |jni: &mut Env<'_>| {
        if to.begin() {
            let answer = attempt(jni, deed);
            if let Some(Ok(late)) = to.give(answer) {
                let _ = attempt(jni, |jni| {
                    undo(jni, late);
                    Ok(())
                });
            }
        }
    });
    push(Due::Asked, deed);
    reply.wait(jni)
}

/// Has `deed` done, and waits for that for a time; done it is all the same.
pub(crate) fn have_done(
    jni: &Env<'_>,
    deed: impl FnOnce(&mut Env<'_>) -> Outcome<()> + Send + 'static,
) -> Outcome<()> {
    STEWARD.thread()?;
    let reply = Reply::new();
    let to = Arc::clone(&reply);
    let deed = Box::new(move |jni: &mut Env<'_>| {
        to.begin();
        drop(to.give(attempt(jni, deed)));
    });
    push(Due::Asked, deed);
    reply.wait(jni)
}

/// Has `deed` done some time. Waits for nobody and enters no VM.
#[cfg(not(test))]
pub(crate) fn owe(deed: impl FnOnce() + Send + 'static) {
    push(Due::Owed, Box::new(move |_| deed()));
}

/// Tests have no VM that a steward could be attached to.
#[cfg(test)]
pub(crate) fn owe(deed: impl FnOnce() + Send + 'static) {
    static TURN: Mutex<()> = Mutex::new(());
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    deed();
    drop(turn);
}

/// Has `deed` done when nothing else is to be done, or after one that was asked for: so nobody waits for
/// many of these, and they are done however much is asked for. Waits for nobody and enters no VM.
pub(crate) fn put_off(deed: impl FnOnce() + Send + 'static) {
    lock().put_off.push_back(Box::new(move |_| deed()));
    BELL.notify_one();
}

/// A part of the deed that is under way is done: whoever waits for it knows that it goes on.
pub(crate) fn go_on() {
    DONE.fetch_add(1, Ordering::SeqCst);
}

fn all_done() -> u64 {
    DONE.load(Ordering::SeqCst) + ENDED.load(Ordering::SeqCst)
}

/// Stops here if the calling thread is suspended, or the VM stands still; answers when it is not.
pub(crate) fn pass_through_vm(jni: &Env<'_>) -> Outcome<()> {
    let nothing = JObject::null();
    jni.is_same_object(&nothing, &nothing)?;
    Ok(())
}

fn work(jni: &mut Env<'_>) {
    let mut round = Instant::now();
    let mut deeds = lock();
    loop {
        if let Some(deed) = deeds.next() {
            drop(deeds);
            // A panic is answered where it happens; one of what a deed drops ends here.
            let _ = catch_unwind(AssertUnwindSafe(|| deed(jni)));
            ENDED.fetch_add(1, Ordering::SeqCst);
            deeds = lock();
        } else if last_moments::have_begun() {
            drop(deeds);
            last_moments::rest(jni, last_moments::MOMENT);
            deeds = lock();
        } else if wanted().next().is_some() {
            let rest = BETWEEN_ROUNDS.saturating_sub(round.elapsed());
            if rest.is_zero() {
                drop(deeds);
                for chore in wanted() {
                    let _ = attempt(jni, chore.round);
                }
                round = Instant::now();
                deeds = lock();
            } else {
                let rested = BELL.wait_timeout(deeds, rest);
                (deeds, _) = rested.unwrap_or_else(PoisonError::into_inner);
            }
        } else {
            deeds = BELL.wait(deeds).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// For the last moments of the VM.
pub(crate) fn wake() {
    drop(lock());
    BELL.notify_all();
}

/// What there is to look after now.
fn wanted() -> impl Iterator<Item = &'static Chore> {
    let chores = CHORES.get().copied().unwrap_or_default();
    chores.iter().filter(|chore| (chore.wanted)())
}

/// Does a deed in a frame of references of its own, and leaves no exception behind.
fn attempt<T>(jni: &mut Env<'_>, deed: impl FnOnce(&mut Env<'_>) -> Outcome<T>) -> Outcome<T> {
    let done = catch_unwind(AssertUnwindSafe(|| {
        jni.with_local_frame(REFERENCES, |jni| deed(jni))
    }));
    let thrown = jni.exception_occurred();
    jni.exception_clear();
    let is_exhausted = thrown.is_some_and(|thrown| {
        let is_exhausted = jni.as_cast::<JOutOfMemoryError<'_>>(&thrown).is_ok();
        jni.delete_local_ref(thrown);
        is_exhausted
    });
    match done {
        Ok(Err(Failure::Pending)) if is_exhausted => Err(Failure::TooMuch(
            "",
            "the JVM has no memory for what is asked for".to_owned(),
        )),
        Ok(Err(Failure::Pending)) => Err(Failure::State(
            "the JVM has thrown an exception at a thread of the library".to_owned(),
        )),
        Ok(answer) => answer,
        Err(panic) => Err(Failure::from_panic(&*panic)),
    }
}

fn push(due: Due, deed: Deed) {
    lock().due.push_back((due, deed));
    BELL.notify_one();
}

fn lock() -> MutexGuard<'static, Deeds<Deed>> {
    DEEDS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<D> Deeds<D> {
    const fn new() -> Self {
        Self {
            due: VecDeque::new(),
            put_off: VecDeque::new(),
            turn: false,
        }
    }

    fn next(&mut self) -> Option<D> {
        let due = match self.turn && !self.put_off.is_empty() {
            true => None,
            false => self.due.pop_front(),
        };
        self.turn = matches!(due, Some((Due::Asked, _)));
        due.map(|(_, deed)| deed)
            .or_else(|| self.put_off.pop_front())
    }
}

impl<T> Answer<T> {
    /// The answer, if it is there. No other one is wanted from here on.
    fn take(&mut self) -> Option<Outcome<T>> {
        match std::mem::replace(self, Self::Unwanted) {
            Self::Given(answer) => Some(answer),
            Self::Awaited | Self::Begun | Self::Unwanted => None,
        }
    }

    /// How much is done on the way to it, where so many parts of deeds are done, and so many deeds: of its own deed, or
    /// of all until that begins. For what came before is done first, and that is not without end.
    fn progress(&self, done: u64, ended: u64) -> u64 {
        match self {
            Self::Begun => done,
            Self::Awaited | Self::Given(_) | Self::Unwanted => done + ended,
        }
    }
}

impl<T> Reply<T> {
    fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new(Answer::Awaited), Condvar::new()))
    }

    /// The deed begins, if its answer is wanted.
    fn begin(&self) -> bool {
        let mut place = self.lock();
        let is_wanted = matches!(*place, Answer::Awaited);
        if is_wanted {
            *place = Answer::Begun;
        }
        is_wanted
    }

    /// Gives the answer; back if nobody wants it.
    fn give(&self, answer: Outcome<T>) -> Option<Outcome<T>> {
        let mut place = self.lock();
        if matches!(*place, Answer::Unwanted) {
            return Some(answer);
        }
        *place = Answer::Given(answer);
        drop(place);
        self.1.notify_one();
        None
    }

    /// Between two rounds the caller passes the VM, so that the time of a collection, or in which he is suspended
    /// himself, is not his.
    fn wait(&self, jni: &Env<'_>) -> Outcome<T> {
        let mut patience = match GAVE_UP_AT.load(Ordering::SeqCst) == all_done() {
            true => Patience::short(self.progress()),
            false => Patience::new(self.progress()),
        };
        loop {
            if let Some(answer) = self.wait_a_round() {
                return answer;
            }
            if let Err(failure) = pass_through_vm(jni) {
                return self.leave().map_err(|_| failure);
            }
            if patience.is_over(self.progress()) {
                return self.leave();
            }
        }
    }

    fn progress(&self) -> u64 {
        let (done, ended) = (DONE.load(Ordering::SeqCst), ENDED.load(Ordering::SeqCst));
        self.lock().progress(done, ended)
    }

    fn wait_a_round(&self) -> Option<Outcome<T>> {
        let place = self.lock();
        let (mut place, _) = self
            .1
            .wait_timeout_while(place, ROUND, |place| {
                matches!(place, Answer::Awaited | Answer::Begun)
            })
            .unwrap_or_else(PoisonError::into_inner);
        match *place {
            Answer::Given(_) => place.take(),
            Answer::Awaited | Answer::Begun | Answer::Unwanted => None,
        }
    }

    /// Goes without an answer, unless it has come just now.
    fn leave(&self) -> Outcome<T> {
        self.lock().take().unwrap_or_else(|| {
            GAVE_UP_AT.store(all_done(), Ordering::SeqCst);
            Err(Failure::Stalled(
                "jvmtools-steward, the thread of the library that does this, has got no further for 5 \
                 seconds; what it does takes longer, or another tool has suspended it"
                    .to_owned(),
            ))
        })
    }

    fn lock(&self) -> MutexGuard<'_, Answer<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::paper::{stop_for, with_jni};

    #[test]
    fn who_waits_for_an_answer_passes_through_the_vm() {
        static REPLY: OnceLock<Arc<Reply<i32>>> = OnceLock::new();
        let reply = REPLY.get_or_init(Reply::new);
        // He is stopped there, and the answer comes only then.
        stop_for(|| drop(REPLY.wait().give(Ok(1))));
        let answer = with_jni(|jni| reply.wait(jni));
        assert!(
            matches!(answer, Ok(1)),
            "the time in which he is stopped counts: {:?}",
            answer.err()
        );
    }

    #[test]
    fn whoever_asks_waits_for_one_deed_that_was_put_off() {
        let mut deeds = Deeds::new();
        deeds.put_off.extend([101, 102, 103]);
        assert_eq!(deeds.next(), Some(101));
        deeds.due.push_back((Due::Owed, 1));
        deeds.due.push_back((Due::Owed, 2));
        deeds.due.push_back((Due::Asked, 3));
        deeds.due.push_back((Due::Asked, 4));
        let rest: Vec<_> = std::iter::from_fn(|| deeds.next()).collect();
        assert_eq!(rest, [1, 2, 3, 102, 4, 103]);
    }

    #[test]
    fn an_answer_that_nobody_wants_any_more_goes_back() {
        let reply = Reply::new();
        assert!(reply.begin());
        assert!(matches!(reply.leave(), Err(Failure::Stalled(_))));
        assert!(!reply.begin());
        assert!(matches!(reply.give(Ok(1)), Some(Ok(1))));
    }

    #[test]
    fn whoever_waits_for_his_turn_sees_all_that_is_done() {
        let awaited = Answer::<()>::Awaited;
        assert!(awaited.progress(8, 3) > awaited.progress(7, 3), "a part");
        assert!(awaited.progress(7, 4) > awaited.progress(7, 3), "a deed");
    }

    #[test]
    fn whose_deed_is_under_way_sees_only_that_go_on() {
        let begun = Answer::<()>::Begun;
        assert!(begun.progress(8, 3) > begun.progress(7, 3));
        assert_eq!(begun.progress(7, 4), begun.progress(7, 3));
    }

    #[test]
    fn an_answer_that_comes_just_as_one_leaves_is_taken() {
        let reply = Reply::new();
        assert!(reply.give(Ok(1)).is_none());
        assert!(matches!(reply.leave(), Ok(1)));
    }
}
