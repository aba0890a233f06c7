//! Threads that stand still for a dump.

use std::time::Instant;

use jni::Env;
use jni::objects::JThread;
use jvmti::sys::{Error, ThreadState};

use super::limits::Limits;
use super::stacks::{self, Stack};
use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::carrier;
use crate::thread::resumptions::Resumptions;
use crate::thread::suspension::{self, AtLast, Extent};
use crate::thread::virtual_thread::VIRTUAL_THREADS;
use crate::thread::watchdog;
use crate::vm::capacity::Room;
use crate::vm::image;
use crate::vm::steward;

/// A thread that was not to be suspended: the calling one, or one of our own.
const NOT_ASKED: Error = Error(-1);

/// From this JDK on nobody resumes what we have suspended and we do not know of it: `Thread.resume()` does so no more,
/// and an agent must hold can_suspend, which only one environment can, and ours does. But a carrier stops nothing that it
/// carries.
const NOBODY_ELSE_RESUMES: i32 = 21;

/// So many frames of each thread are looked at once more.
const COMPARED: usize = 64;

/// Threads that stand still until [`end`](Still::end), or until it has taken too long.
pub(super) struct Still {
    suspension: AtLast,
    /// When the watchdog lets them go.
    pub(super) deadline: Instant,
    /// How the suspension of each thread went.
    pub(super) results: Vec<Error>,
    resumptions: Resumptions,
}

impl Still {
    /// Suspends `threads`, but for the calling one and our own.
    pub(super) fn begin(
        jni: &mut Env<'_>,
        room: &mut Room,
        env: &Inside,
        threads: &[JThread<'_>],
        nanos: i64,
        extent: Extent,
    ) -> Outcome<Self> {
        if image::feature(env)? >= VIRTUAL_THREADS {
            carrier::prepare_to_tell(jni)?;
        }
        let current = env.current_thread(jni)?;
        room.made(jni, threads.len() + 1)?;
        let own = [watchdog::thread()?, steward::thread()?];
        let mut asked = Vec::with_capacity(threads.len());
        let mut others = Vec::with_capacity(threads.len());
        for thread in threads {
            let mut other = !jni.is_same_object(thread, &current)?;
            for own in own {
                other &= !jni.is_same_object(thread, own)?;
            }
            asked.push(other);
            if other {
                others.push(jni.new_local_ref(thread)?);
            }
        }
        let resumptions = Resumptions::from_now_on(threads.len());
        let begun = suspension::begin(jni, env, &others, nanos, extent)?;
        let suspension = AtLast::of(&begun);
        let mut answers = begun.results.into_iter();
        let results = asked
            .iter()
            .map(|asked| asked.then(|| answers.next()).flatten().unwrap_or(NOT_ASKED))
            .collect();
        Ok(Self {
            suspension,
            deadline: begun.deadline,
            results,
            resumptions,
        })
    }

    /// The results, where those that were resumed since, by whomever, are not suspended.
    pub(super) fn results_at_the_end(
        &self,
        jni: &mut Env<'_>,
        room: &mut Room,
        env: &Inside,
        threads: &[JThread<'_>],
        stacks: &[Stack],
        limits: &Limits,
    ) -> Outcome<Vec<Error>> {
        let stands_still =
            |result: &Error| matches!(*result, Error::NONE | Error::THREAD_SUSPENDED);
        let mut results = self.results.clone();
        let resumed = self.resumptions.among(jni, room, env, threads)?;
        for (result, resumed) in results.iter_mut().zip(resumed) {
            if resumed && stands_still(result) {
                *result = Error::THREAD_NOT_SUSPENDED;
            }
        }
        let all_may_run = image::feature(env)? < NOBODY_ELSE_RESUMES;
        let mut rows = Vec::new();
        for (row, thread) in threads.iter().enumerate() {
            if stands_still(&results[row]) && (all_may_run || carrier::carries(jni, thread)?) {
                rows.push(row);
            }
        }
        if rows.is_empty() {
            return Ok(results);
        }
        let mut others = Vec::with_capacity(rows.len());
        for &row in &rows {
            room.made(jni, 1)?;
            others.push(jni.new_local_ref(&threads[row])?);
        }
        let now = stacks::tops(jni, room, env, &others, COMPARED, limits)?;
        for (&row, now) in rows.iter().zip(now) {
            let frames = stacks[row].frames.iter().take(COMPARED);
            let stays = now.state.contains(ThreadState::SUSPENDED)
                && now.frames.iter().take(frames.len()).eq(frames);
            let has_ended = !now.state.contains(ThreadState::ALIVE);
            if !stays && !has_ended {
                results[row] = Error::THREAD_NOT_SUSPENDED;
            }
        }
        Ok(results)
    }

    /// Lets them go; false: the watchdog has done so already.
    pub(super) fn end(&self, jni: &Env<'_>) -> Outcome<bool> {
        self.suspension.end(jni)
    }
}
