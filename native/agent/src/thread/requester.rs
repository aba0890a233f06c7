//! Who asks the steward to suspend threads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jni::Env;
use jvmti::sys::ThreadState;

use crate::environment::death;
use crate::environment::gate::Inside;
use crate::failure::{Failure, Outcome};
use crate::thread::suspended::{Caller, Suspension};
use crate::vm::patience::LONG;
use crate::vm::{image, steward};

/// How long to wait for the end of a standstill.
const PATIENCE: Duration = LONG;

/// The calling thread.
pub(super) struct Requester(Caller);

/// What became of a request.
pub(super) enum Granted<T> {
    Now(T),
    /// Not before this is over: another thread has all threads suspended, or some of these for long enough.
    After(Arc<Suspension>),
}

enum Answer<T> {
    Granted(Granted<T>),
    /// Whoever asks is suspended: what he asks for could make others wait for him.
    StandsStill,
}

impl Requester {
    pub(super) fn new(jni: &Env<'_>, env: &Inside) -> Outcome<Self> {
        let current = env.current_thread(jni)?;
        let thread = jni.new_global_ref(&current)?;
        jni.delete_local_ref(current);
        Ok(Self(Arc::new(thread)))
    }

    /// Has the steward do `deed`, once this thread runs and nobody else keeps all threads, or the same, suspended.
    /// If the answer comes too late, `undo` undoes the deed.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        jni: &Env<'_>,
        deed: impl Fn(&mut Env<'_>, &Caller) -> Outcome<Granted<T>> + Clone + Send + 'static,
        undo: impl Fn(&mut Env<'_>, T) + Clone + Send + 'static,
    ) -> Outcome<T> {
        let mut waits_until = Instant::now() + PATIENCE;
        loop {
            match self.ask_once(jni, deed.clone(), undo.clone())? {
                Answer::Granted(Granted::Now(done)) => return Ok(done),
                Answer::StandsStill => {
                    steward::pass_through_vm(jni)?;
                    waits_until = Instant::now() + PATIENCE;
                }
                Answer::Granted(Granted::After(other)) if Instant::now() < waits_until => {
                    let left = waits_until.saturating_duration_since(Instant::now());
                    other.wait_until_over(left);
                }
                Answer::Granted(Granted::After(other)) => {
                    let which = match other.term.standstill {
                        true => "all threads",
                        false => "a thread that is to be suspended",
                    };
                    return Err(Failure::Stalled(format!(
                        "another thread keeps {which} suspended for longer than 5 seconds; ask when it has resumed what it \
                         had suspended"
                    )));
                }
            }
        }
    }

    fn ask_once<T: Send + 'static>(
        &self,
        jni: &Env<'_>,
        deed: impl FnOnce(&mut Env<'_>, &Caller) -> Outcome<Granted<T>> + Send + 'static,
        undo: impl FnOnce(&mut Env<'_>, T) + Send + 'static,
    ) -> Outcome<Answer<T>> {
        let who = Arc::clone(&self.0);
        steward::ask(
            jni,
            move |jni| {
                death::require_far()?;
                if image::plain()?
                    .thread_state(Some(&who))?
                    .contains(ThreadState::SUSPENDED)
                {
                    return Ok(Answer::StandsStill);
                }
                deed(jni, &who).map(Answer::Granted)
            },
            |jni, answer| {
                if let Answer::Granted(Granted::Now(done)) = answer {
                    undo(jni, done);
                }
            },
        )
    }
}
