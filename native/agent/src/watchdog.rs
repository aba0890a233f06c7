//! The thread that resumes what was suspended for too long.
//!
//! It is native, a daemon, attached once and before anything is suspended: on 17 attaching blocks
//! while a suspended thread owns the monitor of its thread group. When a deadline passes it calls
//! ResumeThreadList and nothing else: it allocates nothing, logs nothing, and takes no lock that
//! anybody holds across a call into the VM.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use jni::objects::JThread;
use jni::refs::Global;
use jni::sys::{JNI_OK, JNI_VERSION_1_8, JNIEnv, JavaVMAttachArgs};
use jni::{AttachGuard, Env};

use crate::failure::{Failure, Outcome};
use crate::gate::{self, Me};
use crate::image;
use crate::suspension::Suspension;

/// How soon a suspension that cannot even be finished is undone once more.
const AGAIN: Duration = Duration::from_millis(10);

/// How long to wait for the thread to be attached; nothing of ours is suspended by then.
const PATIENCE: Duration = Duration::from_secs(5);

/// A suspension, and when it is to be looked at: never again once it is over.
struct Watched {
    due: Option<Instant>,
    suspension: Arc<Suspension>,
}

static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());
/// Rung when something is watched that was not before.
static BELL: Condvar = Condvar::new();

static STARTED: AtomicBool = AtomicBool::new(false);
/// The thread once it is attached.
static THREAD: OnceLock<Global<JThread<'static>>> = OnceLock::new();

/// The watchdog's thread, which is started if it is not there yet.
pub(crate) fn thread() -> Outcome<&'static Global<JThread<'static>>> {
    if let Some(thread) = THREAD.get() {
        return Ok(thread);
    }
    if !STARTED.swap(true, Ordering::SeqCst) {
        let spawned = std::thread::Builder::new()
            .name("jvmtools-watchdog".to_owned())
            .spawn(watch_for_ever);
        if let Err(error) = spawned {
            STARTED.store(false, Ordering::SeqCst);
            return Err(Failure::State(format!(
                "the thread that resumes cannot be started: {error}"
            )));
        }
    }
    let deadline = Instant::now() + PATIENCE;
    let mut watched = lock();
    loop {
        if let Some(thread) = THREAD.get() {
            return Ok(thread);
        }
        let Some(left) = deadline.checked_duration_since(Instant::now()) else {
            return Err(Failure::State(
                "the thread that resumes is not attached yet: somebody keeps its thread group"
                    .to_owned(),
            ));
        };
        (watched, _) = BELL
            .wait_timeout(watched, left)
            .unwrap_or_else(PoisonError::into_inner);
    }
}

/// Undoes `suspension` at `deadline`, unless [`forget`] comes first.
pub(crate) fn watch(deadline: Instant, suspension: Arc<Suspension>) {
    lock().push(Watched {
        due: Some(deadline),
        suspension,
    });
    BELL.notify_all();
}

/// What is watched under `token` is watched no longer.
pub(crate) fn forget(token: i64) -> Option<Arc<Suspension>> {
    let mut watched = lock();
    let at = watched
        .iter()
        .position(|one| one.suspension.token() == token)?;
    Some(watched.swap_remove(at).suspension)
}

/// What is watched for the environment `handle`.
pub(crate) fn watched_for(handle: u64) -> Vec<Arc<Suspension>> {
    let watched = lock();
    let suspensions = watched.iter().map(|one| &one.suspension);
    let of = suspensions.filter(|one| one.handle() == handle);
    of.map(Arc::clone).collect()
}

fn watch_for_ever() {
    let Some(raw) = attach() else {
        STARTED.store(false, Ordering::SeqCst);
        return;
    };
    // SAFETY: the JNI environment of this thread, which stays attached; the guard does not detach.
    let mut guard = unsafe { AttachGuard::from_unowned(raw) };
    if name_thread(guard.borrow_env_mut()).is_err() {
        STARTED.store(false, Ordering::SeqCst);
        return;
    }
    let me = Me::new(raw);
    // Makes this thread's slot, so that nothing is allocated later.
    gate::occupied_by_me(me, 0);
    let mut watched = lock();
    BELL.notify_all();
    loop {
        let now = Instant::now();
        let next = watched.iter_mut().filter(|one| one.due.is_some());
        match next.min_by_key(|one| one.due) {
            Some(next) if next.due.is_some_and(|due| due <= now) => {
                next.due = Some(now + AGAIN);
                let suspension = Arc::clone(&next.suspension);
                drop(watched);
                let over = suspension.expire(me);
                let token = suspension.token();
                // Not under the lock, should it be the last to know of it.
                drop(suspension);
                watched = lock();
                let same = |one: &&mut Watched| over && one.suspension.token() == token;
                if let Some(done) = watched.iter_mut().find(same) {
                    done.due = None;
                }
            }
            Some(next) => {
                let left = next.due.map_or(AGAIN, |due| due - now);
                (watched, _) = BELL
                    .wait_timeout(watched, left)
                    .unwrap_or_else(PoisonError::into_inner);
            }
            None => watched = BELL.wait(watched).unwrap_or_else(PoisonError::into_inner),
        }
    }
}

fn attach() -> Option<*mut JNIEnv> {
    let vm = image::vm();
    let mut env: *mut c_void = ptr::null_mut();
    let mut args = JavaVMAttachArgs {
        version: JNI_VERSION_1_8,
        name: c"jvmtools-watchdog".as_ptr().cast_mut(),
        group: ptr::null_mut(),
    };
    // SAFETY: the VM's own pointer, and arguments that it only reads.
    let answer = unsafe {
        ((**vm).v1_4.AttachCurrentThreadAsDaemon)(vm, &mut env, ptr::from_mut(&mut args).cast())
    };
    (answer == JNI_OK).then_some(env.cast())
}

fn name_thread(jni: &mut Env<'_>) -> Outcome<()> {
    let env = image::environment()?;
    let current = env.current_thread(jni);
    env.dispose()?;
    let thread = jni.new_global_ref(current?)?;
    let _ = THREAD.set(thread);
    Ok(())
}

fn lock() -> MutexGuard<'static, Vec<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}
