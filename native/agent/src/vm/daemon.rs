//! The native threads of our own, attached as daemons for the life of the VM.
//!
//! None of them may be suspended by us: what others wait for is done by them. Each is attached
//! before anything of ours is suspended, because on 17 attaching blocks while a suspended thread
//! owns the monitor of its thread group.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use jni::objects::JThread;
use jni::refs::Global;
use jni::sys::{JNI_OK, JNI_VERSION_1_8, JNIEnv, JavaVMAttachArgs};
use jni::{AttachGuard, Env};

use crate::failure::{Failure, Outcome};
use crate::platform;
use crate::vm::image;
use crate::vm::kept_threads::{self, Deed, Kept, Work};
use crate::vm::patience::{LONG, ROUND};

/// How soon a thread that was not attached is attached again.
const SHORT: Duration = Duration::from_millis(10);

/// How long to wait for the thread to be attached.
const PATIENCE: Duration = LONG;

thread_local! {
    static IS_ONE: Cell<bool> = const { Cell::new(false) };
    static IS_OURS: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling thread is one of these, from before the VM knows it.
#[inline]
pub(crate) fn is_current() -> bool {
    IS_ONE.try_with(Cell::get).unwrap_or(false)
}

/// The calling thread is one from now on, and runs no listener.
pub(crate) fn become_one() {
    IS_ONE.set(true);
}

/// Whether the library has started the calling thread, for one that runs code of the application among them.
#[inline]
pub(crate) fn is_ours() -> bool {
    IS_OURS.try_with(Cell::get).unwrap_or(false)
}

/// One thread that is started when it is first needed.
pub(crate) struct Daemon {
    name: &'static CStr,
    work: fn(&mut Env<'_>),
    started: Mutex<bool>,
    attached: Condvar,
    thread: OnceLock<Global<JThread<'static>>>,
    /// Its number in the operating system, from its first step on; 0 before.
    number: AtomicU32,
    /// Somebody has waited for it in vain: who comes after him waits a moment only.
    late: AtomicBool,
}

impl Daemon {
    /// `work` is what the thread does; it does not return.
    pub(crate) const fn new(name: &'static CStr, work: fn(&mut Env<'_>)) -> Self {
        Self {
            name,
            work,
            started: Mutex::new(false),
            attached: Condvar::new(),
            thread: OnceLock::new(),
            number: AtomicU32::new(0),
            late: AtomicBool::new(false),
        }
    }

    /// Its `java.lang.Thread`, once it is attached; starts it if need be.
    ///
    /// On the thread itself that is an error: it is asked for by those who will wait for it. The VM runs the callbacks
    /// of other agents there, which may call the library.
    pub(crate) fn thread(&'static self) -> Outcome<&'static Global<JThread<'static>>> {
        if self.number.load(Ordering::Relaxed) == platform::current_thread_id() {
            return Err(Failure::Stalled(format!(
                "{} would wait for itself: a callback of another agent has called the library on it",
                self.name()
            )));
        }
        if let Some(thread) = self.thread.get() {
            return Ok(thread);
        }
        self.start()?;
        let patience = match self.late.load(Ordering::Relaxed) {
            true => ROUND,
            false => PATIENCE,
        };
        let deadline = Instant::now() + patience;
        let mut started = self.lock();
        loop {
            if let Some(thread) = self.thread.get() {
                return Ok(thread);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || !*started {
                self.late.store(*started, Ordering::Relaxed);
                if image::has_ended() {
                    return Err(Failure::Ending);
                }
                return Err(Failure::Stalled(format!(
                    "{} is not attached: somebody keeps its thread group",
                    self.name()
                )));
            }
            (started, _) = self
                .attached
                .wait_timeout(started, left)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Its `java.lang.Thread`, if it runs.
    pub(crate) fn running(&self) -> Option<&Global<JThread<'static>>> {
        self.thread.get()
    }

    fn start(&'static self) -> Outcome<()> {
        let mut started = self.lock();
        if !*started {
            let thread = thread::Builder::new().name(self.name());
            thread.spawn(|| self.live()).map_err(|error| {
                Failure::State(format!("{} cannot be started: {error}", self.name()))
            })?;
            *started = true;
        }
        Ok(())
    }

    fn live(&'static self) {
        let number = platform::current_thread_id();
        self.number.store(number, Ordering::Relaxed);
        become_one();
        let attached = attach(self.name);
        // SAFETY: the JNI environment of this thread, which stays attached; the guard does not
        // detach.
        let guard = attached.map(|raw| unsafe { AttachGuard::from_unowned(raw) });
        self.serve(guard, |guard| {
            do_and_leave(guard, self.name, Box::new(|_| Box::new(())), false);
        });
    }

    /// What the thread does once it has tried to attach itself, unless the VM does not tell who it is: then it has to `leave`.
    fn serve<'l>(&self, mut guard: Option<AttachGuard<'l>>, leave: impl FnOnce(AttachGuard<'l>)) {
        let named = guard
            .as_mut()
            .is_some_and(|guard| self.introduce(guard.borrow_env_mut()).is_ok());
        *self.lock() = named;
        self.attached.notify_all();
        if !named {
            self.number.store(0, Ordering::Relaxed);
        }
        match guard {
            Some(mut guard) if named => (self.work)(guard.borrow_env_mut()),
            Some(guard) => leave(guard),
            None => {}
        }
    }

    fn introduce(&self, jni: &mut Env<'_>) -> Outcome<()> {
        let current = image::plain()?.current_thread(jni)?;
        let thread = jni.new_global_ref(&current)?;
        jni.delete_local_ref(current);
        let _ = self.thread.set(thread);
        Ok(())
    }

    fn name(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.started.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a thread that ends with its work, where it can, and else leaves it to one that has not ended. It is told `who` it is
/// before the VM tells others of it. The VM does not take it while there is no memory for its `java.lang.Thread`: then the
/// work begins later.
pub(crate) fn spawn<G: Send + 'static>(
    name: CString,
    who: impl FnOnce() + Send + 'static,
    work: impl FnOnce(&mut Env<'_>) -> G + Send + 'static,
) -> Outcome<()> {
    start(name, Work::new(who, work))
}

/// The same, for what takes less than to start a thread: it does not end at once.
pub(crate) fn spawn_for_a_moment(
    name: CString,
    who: impl FnOnce() + Send + 'static,
    work: impl FnOnce(&mut Env<'_>) + Send + 'static,
) -> Outcome<()> {
    start(name, Work::new(who, work).short())
}

fn start(name: CString, work: Work) -> Outcome<()> {
    let words = name.to_string_lossy().into_owned();
    let thread = thread::Builder::new().name(words.clone());
    thread
        .spawn(move || live_for(work, &name))
        .map(drop)
        .map_err(|error| Failure::State(format!("{words} cannot be started: {error}")))
}

fn live_for(work: Work, name: &CStr) {
    let Err(work) = kept_threads::offer(name, work) else {
        return;
    };
    let Work {
        who,
        deed,
        is_short,
    } = work;
    IS_OURS.set(true);
    who();
    let Some(raw) = until_some(|| attach(name), SHORT) else {
        return;
    };
    // SAFETY: the JNI environment of this thread, which stays attached until the work is done.
    let guard = unsafe { AttachGuard::from_unowned(raw) };
    do_and_leave(guard, name, deed, is_short);
}

fn do_and_leave(mut guard: AttachGuard<'_>, name: &CStr, deed: Box<Deed>, is_short: bool) {
    let jni = guard.borrow_env_mut();
    let kept = Kept::if_needed(jni, name, is_short);
    let done = catch_unwind(AssertUnwindSafe(|| match kept {
        Some(kept) => {
            kept.serve(jni, deed);
            None
        }
        None => Some(deed(jni)),
    }));
    drop(guard);
    // After a panic, too: it would be a thread of Java's for ever.
    detach();
    drop(done);
}

/// Asks again and again, as long as there is a VM: soon, for what was thrown at one that is attached just then is not thrown
/// again, and then ever more seldom, for each attempt may be a collection.
fn until_some<T>(mut ask: impl FnMut() -> Option<T>, first_pause: Duration) -> Option<T> {
    let mut pause = first_pause;
    loop {
        let answer = ask();
        if answer.is_some() || image::has_ended() {
            return answer;
        }
        thread::sleep(pause);
        pause = LONG.min(pause * 8);
    }
}

fn attach(name: &CStr) -> Option<*mut JNIEnv> {
    let vm = image::vm();
    let mut env: *mut c_void = ptr::null_mut();
    let mut args = JavaVMAttachArgs {
        version: JNI_VERSION_1_8,
        name: name.as_ptr().cast_mut(),
        group: ptr::null_mut(),
    };
    // SAFETY: the VM's own pointer, and arguments that it only reads.
    let answer = unsafe {
        ((**vm).v1_4.AttachCurrentThreadAsDaemon)(vm, &mut env, ptr::from_mut(&mut args).cast())
    };
    (answer == JNI_OK).then_some(env.cast())
}

/// With the JNI environment of this thread, which the VM has called; none if it is not one of Java's.
pub(crate) fn with_current<T>(deed: impl FnOnce(&mut Env<'_>) -> T) -> Option<T> {
    let vm = image::vm();
    let mut env: *mut c_void = ptr::null_mut();
    // SAFETY: the VM's own pointer, and a place for one.
    let answer = unsafe { ((**vm).v1_2.GetEnv)(vm, &mut env, JNI_VERSION_1_8) };
    if answer != JNI_OK {
        return None;
    }
    // SAFETY: the JNI environment of this thread; the guard stays on this frame and does not detach.
    let mut guard = unsafe { AttachGuard::from_unowned(env.cast()) };
    Some(deed(guard.borrow_env_mut()))
}

fn detach() {
    let vm = image::vm();
    // SAFETY: the VM's own pointer; no JNI environment of this thread is used after this.
    unsafe { ((**vm).v1_4.DetachCurrentThread)(vm) };
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::vm::paper::with_jni;

    #[test]
    fn one_that_cannot_be_attached_is_not_waited_for_without_end() {
        static KEPT: Daemon = Daemon::new(c"kept", |_| {});
        *KEPT.lock() = true;
        KEPT.late.store(true, Ordering::Relaxed);
        let (tell, told) = mpsc::channel();
        thread::spawn(move || tell.send(KEPT.thread().err()));
        let answer = told.recv_timeout(Duration::from_secs(60));
        let refused = answer.expect("whoever needs it waits for a minute");
        let Some(Failure::Stalled(why)) = refused else {
            panic!("{refused:?}");
        };
        assert!(why.contains("kept is not attached"), "{why}");
    }

    #[test]
    fn one_that_is_not_taken_at_first_is_taken_later() {
        let mut refused = 3;
        let ask = || {
            refused -= 1;
            (refused == 0).then_some("taken")
        };
        assert_eq!(until_some(ask, Duration::ZERO), Some("taken"));
    }

    #[test]
    fn one_that_is_not_told_who_it_is_does_not_end_attached() {
        static NAMELESS: Daemon = Daemon::new(c"nameless", |_| panic!("it serves"));
        *NAMELESS.lock() = true;
        let left = Cell::new(false);
        with_jni(|jni| {
            // SAFETY: the paper VM is attached everywhere, and the guard stays on the stack.
            let guard = unsafe { AttachGuard::from_unowned(jni.get_raw()) };
            // There is no plain environment that could tell.
            NAMELESS.serve(Some(guard), |_| left.set(true));
        });
        assert!(left.get(), "its thread ends, and is attached for ever");
        assert!(
            !*NAMELESS.lock(),
            "the next one who needs it starts it again"
        );
    }
}
