//! Lists of threads that are suspended and resumed a part at a time: the VM goes through all suspended virtual threads
//! for each that it suspends or resumes. So whoever waits sees that it goes on.

use std::time::{Duration, Instant};

use jni::objects::JThread;
use jvmti::sys::Error;

use crate::environment::death;
use crate::failure::{Failure, Outcome};
use crate::thread::suspended::{AT_ONCE, alias, resume, those_done};
use crate::vm::patience::LONG;
use crate::vm::steward;

/// How long it may take to suspend those that stay suspended until they are resumed: everybody waits for it.
pub(super) const LONGEST: Duration = LONG;

/// Suspends all of them, unless that takes too long, or the VM is about to end.
pub(super) fn suspend(
    env: &jvmti::Env,
    threads: &[JThread<'static>],
    longest: Duration,
) -> Outcome<Vec<Error>> {
    let began = Instant::now();
    let in_time = || match began.elapsed() > longest {
        true => Err(Failure::Stalled(format!(
            "to suspend {} threads takes longer than {longest:?}, and to resume them would as well; fewer at a time, or \
             more time, help",
            threads.len()
        ))),
        false => death::require_far(),
    };
    let mut results = Vec::with_capacity(threads.len());
    for some in threads.chunks(AT_ONCE) {
        if !results.is_empty()
            && let Err(why_not) = in_time()
        {
            resume_again(env, threads, &results);
            return Err(why_not);
        }
        let mut answers = vec![Error::INTERNAL; some.len()];
        if let Err(error) = env.suspend_thread_list(some, &mut answers) {
            resume_again(env, threads, &results);
            return Err(error.into());
        }
        results.append(&mut answers);
        steward::go_on();
    }
    Ok(results)
}

/// Those that were suspended before it was given up.
fn resume_again(env: &jvmti::Env, threads: &[JThread<'static>], results: &[Error]) {
    let done: Vec<_> = those_done(threads, results).map(alias).collect();
    let mut answers = vec![Error::INTERNAL; done.len()];
    resume(env, &done, &mut answers, |part| {
        part();
        steward::go_on();
    });
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::ptr::{self, NonNull};

    use jni::sys::{jint, jobject};
    use jvmti::sys;

    use super::*;
    use crate::thread::suspended::on_paper::threads;
    use crate::vm::paper::with_jni;

    thread_local! {
        static SUSPENDED: Cell<jint> = const { Cell::new(0) };
        static PARTS: Cell<usize> = const { Cell::new(0) };
        /// The part after which the VM ends.
        static LAST: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    unsafe extern "system" fn suspend(
        _: *mut sys::Env,
        count: jint,
        _: *const jobject,
        results: *mut Error,
    ) -> Error {
        SUSPENDED.set(SUSPENDED.get() + count);
        PARTS.set(PARTS.get() + 1);
        if PARTS.get() == LAST.get() {
            // SAFETY: it looks at neither, and waits for nobody where there is no steward.
            unsafe { death::vm_death(ptr::null_mut(), ptr::null_mut()) };
        }
        // SAFETY: the layer lends as many.
        unsafe { done(count, results) }
    }

    unsafe extern "system" fn resume(
        _: *mut sys::Env,
        count: jint,
        _: *const jobject,
        results: *mut Error,
    ) -> Error {
        SUSPENDED.set(SUSPENDED.get() - count);
        // SAFETY: as above.
        unsafe { done(count, results) }
    }

    unsafe fn done(count: jint, results: *mut Error) -> Error {
        for place in 0..usize::try_from(count).unwrap() {
            // SAFETY: the caller has as many.
            unsafe { *results.add(place) = Error::NONE };
        }
        Error::NONE
    }

    fn env() -> jvmti::OwnedEnv {
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
            SuspendThreadList: Some(suspend),
            ResumeThreadList: Some(resume),
            ..sys::FunctionTable::default()
        }));
        let cell: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and its table answers what is asked here.
        unsafe { jvmti::OwnedEnv::from_raw(NonNull::from(cell)) }
    }

    #[test]
    fn when_the_vm_ends_meanwhile_no_more_are_suspended_and_all_run_again() {
        with_jni(|jni| {
            let env = env().leak();
            let all = threads(jni, &Vec::from_iter(1..=3 * AT_ONCE));
            let done = super::suspend(env, &all, LONGEST).unwrap();
            assert_eq!(done.len(), 3 * AT_ONCE);
            assert_eq!(SUSPENDED.take(), 3 * AT_ONCE as jint);
            PARTS.set(0);
            // From then on the end is near for all tests of this process; no other one asks.
            LAST.set(2);
            let refused = super::suspend(env, &all, LONGEST);
            assert_eq!(PARTS.get(), 2, "parts suspended, the second one at the end");
            assert!(matches!(refused, Err(Failure::Ending)));
            assert_eq!(SUSPENDED.get(), 0);
        });
    }

    #[test]
    fn what_takes_too_long_is_given_up_and_all_run_again() {
        with_jni(|jni| {
            let env = env().leak();
            let all = threads(jni, &Vec::from_iter(1..=2 * AT_ONCE));
            let refused = super::suspend(env, &all, Duration::ZERO);
            assert!(matches!(refused, Err(Failure::Stalled(_))));
            assert_eq!(SUSPENDED.get(), 0);
        });
    }
}
