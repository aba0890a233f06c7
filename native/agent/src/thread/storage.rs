//! The number that each environment keeps for each thread.
//!
//! It is not kept in the VM's own thread-local storage: HotSpot frees that while the thread ends,
//! and crashes when another thread asks for it just then.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jni::Env;
use jni::objects::JThread;
use jvmti::sys::Error;

use crate::environment::gate::Inside;
use crate::environment::undone::Undone;
use crate::failure::Outcome;
use crate::thread::thread_table::{Remembered, ThreadTable};
use crate::thread::virtual_thread::is_alive;
use crate::vm::image;

/// Threads of which nothing is kept have 0.
const NOTHING: i64 = 0;

static STORAGE: ThreadTable<AtomicI64> = ThreadTable::new();

/// What is kept for `thread`.
pub(crate) fn get(jni: &mut Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<i64> {
    alive(jni, env, thread, "GetThreadLocalStorage")?;
    let kept = STORAGE.of(jni, env, thread)?;
    // Two that were added at once: the first one counts.
    let first = kept.first();
    Ok(first.map_or(NOTHING, |one| one.fact.load(Ordering::SeqCst)))
}

/// Keeps `value` for `thread` as long as it lives.
pub(crate) fn set(
    jni: &mut Env<'_>,
    env: &Inside,
    thread: &JThread<'_>,
    value: i64,
) -> Outcome<()> {
    alive(jni, env, thread, "SetThreadLocalStorage")?;
    let kept = STORAGE.of(jni, env, thread)?;
    if value == NOTHING {
        forget(&kept);
    } else if kept.is_empty() {
        let added = STORAGE.add(jni, env, thread, AtomicI64::new(value))?;
        if !env.is_open() {
            STORAGE.forget(&added);
        }
    } else {
        for one in &kept {
            one.fact.store(value, Ordering::SeqCst);
        }
    }
    Ok(())
}

/// Nothing is kept for the calling thread any more, in any environment: it is another one to whoever meets it next.
pub(crate) fn forget_current(jni: &mut Env<'_>) -> Outcome<()> {
    if STORAGE.is_empty() {
        return Ok(());
    }
    let plain = image::plain()?;
    let current = plain.current_thread(jni)?;
    forget(&STORAGE.of_any(jni, plain, &current)?);
    Ok(())
}

/// What environments keep for threads.
pub(crate) struct Storage;

impl Undone for Storage {
    fn forget(&self, handle: u64) {
        forget(&STORAGE.all_of(handle));
    }
}

fn forget(kept: &[Arc<Remembered<AtomicI64>>]) {
    for one in kept {
        STORAGE.forget(one);
    }
}

fn alive(
    jni: &mut Env<'_>,
    env: &Inside,
    thread: &JThread<'_>,
    function: &'static str,
) -> Outcome<()> {
    if !is_alive(jni, env, thread)? {
        return Err(jvmti::Error::new(function, Error::THREAD_NOT_ALIVE).into());
    }
    Ok(())
}
