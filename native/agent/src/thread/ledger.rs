//! Which threads each environment has suspended and not resumed: closing it lets them go.
//!
//! The steward suspends, and notes it after the call; nobody can suspend him in between. Whoever
//! resumes strikes out what he read before his call: what is suspended right after it stays. So a
//! thread that is suspended is always in the ledger, and one that is in it may run already.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Global;
use jvmti::sys::{Capabilities, Capability, Error};

use crate::environment::gate::{self, Inside, Me};
use crate::environment::handles;
use crate::environment::undone::Undone;
use crate::failure::{Failure, Outcome};
use crate::thread::apart::Apart;
use crate::thread::by_parts::{self, LONGEST};
use crate::thread::requester::{Granted, Requester};
use crate::thread::resumptions;
use crate::thread::suspended::{AT_ONCE, alias, any_done, globals, those_done};
use crate::thread::thread_set::ThreadSet;
use crate::thread::thread_table::{Remembered, ThreadTable};
use crate::thread::transition;
use crate::thread::under_way::under_way;
use crate::thread::virtual_thread::is_virtual;
use crate::thread::watchdog;
use crate::vm::steward;

static HELD: ThreadTable<()> = ThreadTable::new();

/// Calls that suspended all virtual threads, by environment.
static ALL_VIRTUAL: Mutex<Vec<Arc<u64>>> = Mutex::new(Vec::new());

/// Suspends `thread`, which may be the calling one: it stops when it returns from native code, and
/// then another thread has to resume it.
pub(crate) fn suspend(jni: &Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<()> {
    watchdog::thread()?;
    let handle = env.handle().cast_signed();
    let thread = Arc::new(jni.new_global_ref(thread)?);
    let suspended = Arc::clone(&thread);
    Requester::new(jni, env)?.ask(
        jni,
        move |jni, _| {
            let env = gate::enter(Me::new(jni.get_raw()), handle)?;
            Apart::some(jni, &env, &[&thread])?
                .suspend(|| Ok(env.suspend_thread(Some(&thread))?), |(), _| true)?;
            note(jni, &env, &thread).map(Granted::Now)
        },
        move |jni, ()| {
            if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle) {
                let _ = resume(jni, &env, &suspended);
            }
        },
    )
}

/// Suspends the threads that can be, and answers how it went with each.
pub(crate) fn suspend_list(
    jni: &Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
) -> Outcome<Vec<Error>> {
    watchdog::thread()?;
    let handle = env.handle().cast_signed();
    let threads = Arc::new(globals(jni, threads)?);
    let suspended = Arc::clone(&threads);
    Requester::new(jni, env)?.ask(
        jni,
        move |jni, who| {
            let env = gate::enter(Me::new(jni.get_raw()), handle)?;
            suspend_and_note(jni, &env, &threads, who).map(Granted::Now)
        },
        move |jni, results| {
            if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle) {
                let done: Vec<_> = those_done(&suspended, &results).map(alias).collect();
                for some in done.chunks(AT_ONCE) {
                    let _ = resume_list(jni, &env, some);
                    steward::go_on();
                }
            }
        },
    )
}

/// The one who asks comes last: whoever sees it suspended finds the others so, too.
fn suspend_and_note(
    jni: &mut Env<'_>,
    env: &Inside,
    threads: &[Global<JThread<'static>>],
    who: &JThread<'_>,
) -> Outcome<Vec<Error>> {
    let mut order = Vec::with_capacity(threads.len());
    let mut last = Vec::new();
    for (index, thread) in threads.iter().enumerate() {
        match jni.is_same_object(thread, who)? {
            true => last.push(index),
            false => order.push(index),
        }
    }
    order.append(&mut last);
    let all: Vec<_> = order.iter().map(|&index| alias(&threads[index])).collect();
    let answers = Apart::some(jni, env, &all.iter().collect::<Vec<_>>())?.suspend(
        || by_parts::suspend(env, &all, LONGEST),
        |answers, places| any_done(answers, places),
    )?;
    note_all(jni, env, those_done(&all, &answers))?;
    let mut results = answers.clone();
    for (&index, answer) in order.iter().zip(&answers) {
        results[index] = *answer;
    }
    Ok(results)
}

/// Enters threads that are suspended; those that cannot be entered do not stay so.
fn note_all<'t, 'l: 't>(
    jni: &mut Env<'_>,
    env: &Inside,
    threads: impl Iterator<Item = &'t JThread<'l>>,
) -> Outcome<()> {
    let mut noted = Ok(());
    for thread in threads {
        // Each of them, whatever became of those before it.
        noted = note(jni, env, thread).and(noted);
    }
    noted
}

/// Enters a thread that is suspended; one that cannot be entered does not stay so.
fn note(jni: &mut Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<()> {
    let noted = HELD.of(jni, env, thread).and_then(|before| {
        HELD.add(jni, env, thread, ())?;
        // It was not suspended any more, or it could not have been suspended now.
        before.iter().for_each(|one| HELD.forget(one));
        Ok(())
    });
    if noted.is_err() {
        let _ = env.resume_thread(thread);
    }
    noted
}

/// Resumes `thread`, whoever has suspended it.
pub(crate) fn resume(jni: &Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<()> {
    let over = held(jni, env, thread)?;
    let under_way = under_way();
    let _resuming = resumptions::of_threads(jni, &[thread]);
    env.resume_thread(thread)?;
    over.iter().for_each(|held| HELD.forget(held));
    under_way.leave(jni, env, &[thread])
}

/// Resumes the threads that can be, and answers how it went with each.
pub(crate) fn resume_list(
    jni: &Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
) -> Outcome<Vec<Error>> {
    let over = threads
        .iter()
        .map(|thread| held(jni, env, thread))
        .collect::<Outcome<Vec<_>>>()?;
    let under_way = under_way();
    let mut results = vec![Error::INTERNAL; threads.len()];
    let _resuming = resumptions::of_threads(jni, &threads.iter().collect::<Vec<_>>());
    env.resume_thread_list(threads, &mut results)?;
    for (over, result) in over.iter().zip(&results) {
        if *result == Error::NONE {
            over.iter().for_each(|held| HELD.forget(held));
        }
    }
    let resumed: Vec<_> = those_done(threads, &results).collect();
    under_way.leave(jni, env, &resumed)?;
    Ok(results)
}

/// Suspends all virtual threads, those of the future included, but those of a list.
pub(crate) fn suspend_all_virtual(
    jni: &Env<'_>,
    env: &Inside,
    except: &[JThread<'_>],
) -> Outcome<()> {
    watchdog::thread()?;
    let handle = env.handle();
    let except = Arc::new(globals(jni, except)?);
    Requester::new(jni, env)?.ask(
        jni,
        move |jni, _| {
            let env = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
            let except: Vec<_> = except.iter().map(alias).collect();
            let before = calls_of(handle);
            Apart::virtual_threads(jni, &env, &except)?.suspend(
                || Ok(env.suspend_all_virtual_threads(&except)?),
                |(), _| true,
            )?;
            all_virtual().push(Arc::new(handle));
            // Of those before it, which may be any number, one is enough.
            forget_calls(&before);
            Ok(Granted::Now(()))
        },
        move |jni, ()| {
            if let Ok(env) = gate::enter(Me::new(jni.get_raw()), handle.cast_signed()) {
                let _ = resume_all_virtual(jni, &env, &[]);
            }
        },
    )
}

/// Resumes all virtual threads but those of a list.
pub(crate) fn resume_all_virtual(
    jni: &Env<'_>,
    env: &Inside,
    except: &[JThread<'_>],
) -> Outcome<()> {
    let over = calls_of(env.handle());
    let held = HELD.all_of(env.handle());
    let under_way = under_way();
    let _resuming = resumptions::of_all_virtual();
    env.resume_all_virtual_threads(except)?;
    if except.is_empty() {
        forget_calls(&over);
    }
    let left_out = ThreadSet::of(env, except)?;
    for one in held {
        if is_virtual(jni, &one.thread)?
            && !left_out.contains(jni, except, one.hash(), &one.thread)?
        {
            HELD.forget(&one);
        }
    }
    under_way.leave_virtual(jni, env, except)
}

/// What environments have suspended until somebody resumes it.
pub(crate) struct Ledger;

impl Undone for Ledger {
    fn undo(&self, env: &jvmti::Env, handle: u64) -> bool {
        release_some(env, handle)
    }

    /// Resumes for one that is being closed, too.
    fn undo_all(&self) {
        let mut handles = HELD.handles();
        handles.extend(all_virtual().iter().map(|call| **call));
        for handle in handles {
            if let Some(env) = handles::entry(handle).and_then(|entry| entry.own_env(handle)) {
                while !release_some(env, handle) {}
            }
        }
    }

    fn may_keep_suspended(&self, handle: u64) -> bool {
        self.may_keep_until_resumed(handle)
    }

    fn may_keep_until_resumed(&self, handle: u64) -> bool {
        HELD.any_of(handle).is_some() || !calls_of(handle).is_empty()
    }

    fn may_keep_any_suspended(&self) -> bool {
        !HELD.is_empty() || !all_virtual().is_empty()
    }

    /// Strikes out what it finds is not.
    fn keeps_until_resumed(&self, jni: &mut Env<'_>, env: &Inside) -> Outcome<bool> {
        if !calls_of(env.handle()).is_empty() {
            return Ok(true);
        }
        while let Some(held) = HELD.any_of(env.handle()) {
            if is_suspended(jni, env, &held)? {
                return Ok(true);
            }
            HELD.forget(&held);
        }
        Ok(false)
    }
}

/// Resumes some of what the environment `handle` has suspended; false if there may be more. Only where nobody is
/// suspending for it: by the steward.
fn release_some(env: &jvmti::Env, handle: u64) -> bool {
    let over = calls_of(handle);
    if !over.is_empty() {
        // It may have been given up since.
        let needed = Capabilities::from_iter([Capability::CAN_SUPPORT_VIRTUAL_THREADS]);
        let _ = env.add_capabilities(&needed);
        let _resuming = resumptions::of_all_virtual();
        let _ = env.resume_all_virtual_threads(&[]);
        forget_calls(&over);
    }
    // Many at once: for each call the VM looks through all threads.
    let some = HELD.some_of(handle, AT_ONCE);
    let threads: Vec<_> = some.iter().map(|held| alias(&held.thread)).collect();
    let mut results = vec![Error::INTERNAL; threads.len()];
    if !threads.is_empty() {
        let _resuming = resumptions::of_held(&some);
        let _ = env.resume_thread_list(&threads, &mut results);
    }
    some.iter().for_each(|held| HELD.forget(held));
    some.len() < AT_ONCE
}

fn is_suspended(jni: &mut Env<'_>, env: &Inside, held: &Remembered<()>) -> Outcome<bool> {
    let Some(thread) = held.thread.upgrade_local(jni)? else {
        return Ok(false);
    };
    let is_suspended = transition::is_suspended(jni, env, &thread);
    jni.delete_local_ref(thread);
    is_suspended
}

/// What resuming `thread` from here on undoes, to be forgotten if that goes well.
fn held(jni: &Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<Vec<Arc<Remembered<()>>>> {
    if thread.is_null() {
        return Ok(Vec::new());
    }
    match HELD.of(jni, env, thread) {
        // Out of its phase the call itself says so.
        Err(Failure::Jvmti(refused)) if refused.code == Error::WRONG_PHASE => Ok(Vec::new()),
        held => held,
    }
}

/// The calls of the environment `handle` that a resume from here on undoes.
fn calls_of(handle: u64) -> Vec<Arc<u64>> {
    let mut calls = all_virtual().clone();
    calls.retain(|call| **call == handle);
    calls
}

fn forget_calls(over: &[Arc<u64>]) {
    all_virtual().retain(|call| !over.iter().any(|one| Arc::ptr_eq(one, call)));
}

fn all_virtual() -> MutexGuard<'static, Vec<Arc<u64>>> {
    ALL_VIRTUAL.lock().unwrap_or_else(PoisonError::into_inner)
}
