//! Who is resumed while somebody reads threads that stand still: what is read of them may be of two moments.

use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Global;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::thread_set::ThreadSet;
use crate::thread::thread_table::Remembered;
use crate::thread::virtual_thread::is_virtual;
use crate::vm::capacity::Room;

/// Those that read.
static READERS: Mutex<Vec<Arc<Mutex<Resumed>>>> = Mutex::new(Vec::new());

#[derive(Default)]
struct Resumed {
    threads: Vec<Global<JThread<'static>>>,
    held: Vec<Arc<Remembered<()>>>,
    all_virtual: bool,
    /// There was no memory to name them.
    anybody: bool,
}

/// Who is resumed by others while this lives.
pub(crate) struct Resumptions(Arc<Mutex<Resumed>>);

impl Resumptions {
    pub(crate) fn from_now_on() -> Self {
        let resumed = Arc::default();
        lock(&READERS).push(Arc::clone(&resumed));
        Self(resumed)
    }

    /// For each of `threads` whether it was. Makes a local reference for each that was.
    pub(crate) fn among<'l>(
        &self,
        jni: &mut Env<'l>,
        room: &mut Room,
        env: &Inside,
        threads: &[JThread<'_>],
    ) -> Outcome<Vec<bool>> {
        let resumed = mem::take(&mut *lock(&self.0));
        room.made(jni, resumed.threads.len() + resumed.held.len())?;
        let mut named: Vec<JThread<'l>> = Vec::new();
        for thread in &resumed.threads {
            named.push(jni.new_local_ref(thread)?);
        }
        for held in &resumed.held {
            named.extend(held.thread.upgrade_local(jni)?);
        }
        let mut was = vec![resumed.anybody; threads.len()];
        if !named.is_empty() {
            let (here, there) = (ThreadSet::of(env, threads)?, ThreadSet::of(env, &named)?);
            for (places, _) in here.in_both(jni, threads, &there, &named)? {
                places.iter().for_each(|&place| was[place] = true);
            }
        }
        if resumed.all_virtual {
            for (was, thread) in was.iter_mut().zip(threads) {
                *was |= is_virtual(jni, thread)?;
            }
        }
        Ok(was)
    }
}

impl Drop for Resumptions {
    fn drop(&mut self) {
        lock(&READERS).retain(|one| !Arc::ptr_eq(one, &self.0));
    }
}

/// `threads` are about to be resumed.
pub(super) fn of_threads(jni: &Env<'_>, threads: &[&JThread<'_>]) {
    for reader in readers() {
        let named = threads.iter().filter(|thread| !thread.is_null());
        let named = named.map(|thread| jni.new_global_ref(*thread));
        match named.collect::<Result<Vec<_>, _>>() {
            Ok(mut named) => lock(&reader).threads.append(&mut named),
            Err(_) => lock(&reader).anybody = true,
        }
    }
}

/// What an environment has suspended is about to be resumed.
pub(super) fn of_held(held: &[Arc<Remembered<()>>]) {
    for reader in readers() {
        lock(&reader).held.extend(held.iter().map(Arc::clone));
    }
}

/// All virtual threads are about to be resumed.
pub(super) fn of_all_virtual() {
    for reader in readers() {
        lock(&reader).all_virtual = true;
    }
}

fn readers() -> Vec<Arc<Mutex<Resumed>>> {
    lock(&READERS).clone()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
