//! Threads of the library that have done their work, where they cannot end: they wait for more of it.
//!
//! HotSpot 21 gives a native thread that attaches two states, if allocations are sampled or events turned on meanwhile
//! (JDK-8319935). It deletes one of them when the thread detaches, and writes through the other one later, into memory that
//! is somebody else's by then (docs/proofs/attaching.c). So none of ours detaches there.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jni::objects::JObject;
use jni::refs::Global;
use jni::signature::{Primitive, ReturnType};
use jni::sys::jvalue;
use jni::{Env, JValue, jni_sig, jni_str};

use crate::failure::Outcome;
use crate::vm::jdk::{JdkField, JdkMethod, JdkStaticMethod, THREAD};
use crate::vm::{bare, image, last_moments};

/// The releases in which a thread may have two states.
const TWO_STATES: Range<i32> = 19..22;

/// References that work makes and does not count.
const REFERENCES: usize = 16;

static LOADER: JdkField = JdkField::new(
    &THREAD,
    jni_str!("contextClassLoader"),
    jni_sig!(java.lang.ClassLoader),
);

/// What else a listener may have left with its thread, and what would keep a class loader.
static LEFT: [JdkField; 3] = [
    JdkField::new(
        &THREAD,
        jni_str!("threadLocals"),
        jni_sig!(java.lang.ThreadLocal::ThreadLocalMap),
    ),
    JdkField::new(
        &THREAD,
        jni_str!("inheritableThreadLocals"),
        jni_sig!(java.lang.ThreadLocal::ThreadLocalMap),
    ),
    JdkField::new(
        &THREAD,
        jni_str!("uncaughtExceptionHandler"),
        jni_sig!(java.lang.Thread::UncaughtExceptionHandler),
    ),
];

/// `Thread.interrupted()`, which takes the status away.
static INTERRUPTED: JdkStaticMethod =
    JdkStaticMethod::new(&THREAD, jni_str!("interrupted"), jni_sig!(() -> boolean));

/// `Thread.setName(String)`.
static SET_NAME: JdkMethod = JdkMethod::new(
    &THREAD,
    jni_str!("setName"),
    jni_sig!((java.lang.String) -> void),
);

/// `Thread.setPriority(int)`.
static SET_PRIORITY: JdkMethod =
    JdkMethod::new(&THREAD, jni_str!("setPriority"), jni_sig!((jint) -> void));

/// `Thread.NORM_PRIORITY`, which one has that attaches.
const NORMAL: i32 = 5;

/// What a thread of the library that ends, if it can, does.
pub(super) struct Work {
    /// Says to the thread who it is.
    pub(super) who: Box<dyn FnOnce() + Send>,
    pub(super) deed: Box<Deed>,
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
        }
    }
}

/// How long work is offered: whoever waits may have been suspended there. To start a thread takes less, but adds one.
const PATIENCE: Duration = Duration::from_millis(50);

/// By the names of the threads.
type All = BTreeMap<CString, Waiting>;

static ALL: Mutex<All> = Mutex::new(BTreeMap::new());
static TAKEN: Condvar = Condvar::new();

#[derive(Default)]
struct Waiting {
    bell: Arc<Condvar>,
    /// Those who have shown that they run, and wait since.
    threads: usize,
    offers: BTreeMap<u64, Work>,
    last: u64,
}

/// The calling thread, which must not detach.
pub(super) struct Kept {
    name: CString,
    /// Its context class loader as it came.
    loader: Global<JObject<'static>>,
}

impl Kept {
    /// If it must not; before it does anything.
    pub(super) fn if_needed(jni: &mut Env<'_>, name: &CStr) -> Option<Self> {
        let feature = image::plain().and_then(image::feature);
        if feature.is_ok_and(|feature| !TWO_STATES.contains(&feature)) {
            return None;
        }
        let loader = loader(jni).unwrap_or_default();
        jni.exception_clear();
        Some(Self {
            name: name.to_owned(),
            loader,
        })
    }

    /// Does that, and what is offered to those of its name from then on, as long as there is a VM.
    pub(super) fn serve(self, jni: &mut Env<'_>, first: Box<Deed>) -> ! {
        let mut deed = first;
        loop {
            within_a_frame(jni, deed);
            self.forget(jni);
            let next = self.next(jni);
            (next.who)();
            deed = next.deed;
        }
    }

    /// Waits for work, and takes none before it has been through the VM, where it stands still if it is suspended.
    fn next(&self, jni: &mut Env<'_>) -> Work {
        loop {
            if wait_for_an_offer(&self.name) {
                // Others may have done something to it meanwhile.
                self.forget(jni);
                if let Some(work) = take(&self.name) {
                    return work;
                }
            } else {
                last_moments::rest(jni, last_moments::LONG_MOMENT);
            }
        }
    }

    /// What somebody has left with the thread.
    fn forget(&self, jni: &mut Env<'_>) {
        let _ = jni.with_local_frame(REFERENCES, |jni| -> Outcome<()> {
            // What another thread has it throw comes in the first step that may throw, and spares the others.
            for step in [
                Self::forget_interruption,
                Self::forget_references,
                Self::forget_name_and_priority,
            ] {
                let _ = step(self, jni);
                jni.exception_clear();
            }
            Ok(())
        });
        jni.exception_clear();
    }

    fn forget_interruption(&self, jni: &mut Env<'_>) -> Outcome<()> {
        let (method, thread) = (INTERRUPTED.id(jni)?, THREAD.get(jni)?);
        let boolean = ReturnType::Primitive(Primitive::Boolean);
        // SAFETY: the method is static, and takes nothing.
        unsafe { jni.call_static_method_unchecked(thread, method, boolean, &[]) }?;
        Ok(())
    }

    fn forget_references(&self, jni: &mut Env<'_>) -> Outcome<()> {
        let current = image::plain()?.current_thread(jni)?;
        // SAFETY: the fields are those of `Thread`, of the types of what they get.
        unsafe {
            for field in &LEFT {
                let field = field.id(jni)?;
                jni.set_field_unchecked(&current, field, JValue::Object(&JObject::null()))?;
            }
            let field = LOADER.id(jni)?;
            jni.set_field_unchecked(&current, field, JValue::Object(&self.loader))?;
        }
        Ok(())
    }

    /// Only what was changed: the methods ask a SecurityManager, and want the monitor of the thread.
    fn forget_name_and_priority(&self, jni: &mut Env<'_>) -> Outcome<()> {
        let plain = image::plain()?;
        let now = plain.thread_info(jni, None)?;
        let own = self.name.to_string_lossy();
        if now.name.to_str() != own {
            let text = bare::text(jni, &own)?;
            let text = [jvalue { l: text.as_raw() }];
            // SAFETY: the method takes a text.
            unsafe { call_own(plain, jni, &SET_NAME, &text) }?;
        }
        if now.priority != NORMAL {
            // SAFETY: the method takes an int.
            unsafe { call_own(plain, jni, &SET_PRIORITY, &[jvalue { i: NORMAL }]) }?;
        }
        Ok(())
    }
}

/// # Safety
///
/// The method is one of `Thread`, gives nothing, and takes those.
unsafe fn call_own(
    plain: &jvmti::Env,
    jni: &mut Env<'_>,
    method: &JdkMethod,
    taken: &[jvalue],
) -> Outcome<()> {
    let current = plain.current_thread(jni)?;
    let nothing = ReturnType::Primitive(Primitive::Void);
    let method = method.id(jni)?;
    // SAFETY: as above.
    unsafe { jni.call_method_unchecked(&current, method, nothing, taken) }?;
    Ok(())
}

/// Its local references go with it, and a panic.
fn within_a_frame(jni: &mut Env<'_>, deed: Box<Deed>) {
    let mut deed = Some(deed);
    let mut once = |jni: &mut Env<'_>| deed.take().map(|deed| deed(jni));
    let done = catch_unwind(AssertUnwindSafe(|| {
        let framed = jni.with_local_frame(REFERENCES, |jni| -> Outcome<_> { Ok(once(jni)) });
        // If there is no memory for one.
        framed.ok().flatten().or_else(|| once(jni))
    }));
    drop(done);
}

fn loader(jni: &mut Env<'_>) -> Outcome<Global<JObject<'static>>> {
    let current = image::plain()?.current_thread(jni)?;
    let field = LOADER.id(jni)?;
    // SAFETY: the field is one of `Thread`, and a reference.
    let loader = unsafe { jni.get_field_unchecked(&current, field, ReturnType::Object) }?.l()?;
    let kept = jni.new_global_ref(&loader)?;
    jni.delete_local_ref(loader);
    jni.delete_local_ref(current);
    Ok(kept)
}

/// Has it done by a thread of that name that waits for work, if one takes it in time; or else it is for the caller, who must be a
/// thread that nobody waits for. Asks the VM for nothing.
pub(super) fn offer(name: &CStr, work: Work) -> Result<(), Work> {
    offer_for(PATIENCE, name, work)
}

fn offer_for(patience: Duration, name: &CStr, work: Work) -> Result<(), Work> {
    let mut all = lock();
    // In the last moments they wait without looking.
    let rests = last_moments::have_begun();
    let Some(waiting) = all
        .get_mut(name)
        .filter(|waiting| !rests && waiting.offers.len() < waiting.threads)
    else {
        return Err(work);
    };
    waiting.last += 1;
    let number = waiting.last;
    waiting.offers.insert(number, work);
    waiting.bell.notify_one();
    let is_there = |all: &mut All| of(all, name).offers.contains_key(&number);
    let waited = TAKEN.wait_timeout_while(all, patience, is_there);
    let (mut all, _) = waited.unwrap_or_else(PoisonError::into_inner);
    of(&mut all, name)
        .offers
        .remove(&number)
        .map_or(Ok(()), Err)
}

/// Whether there is one; or else the last moments have begun.
fn wait_for_an_offer(name: &CStr) -> bool {
    let mut all = lock();
    let waiting = of(&mut all, name);
    let bell = Arc::clone(&waiting.bell);
    waiting.threads += 1;
    let nothing = |all: &mut All| of(all, name).offers.is_empty() && !last_moments::have_begun();
    let mut all = bell
        .wait_while(all, nothing)
        .unwrap_or_else(PoisonError::into_inner);
    let waiting = of(&mut all, name);
    waiting.threads -= 1;
    !waiting.offers.is_empty()
}

fn take(name: &CStr) -> Option<Work> {
    let (_, work) = of(&mut lock(), name).offers.pop_first()?;
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
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn work_is_for_those_of_its_name_who_run_and_comes_back_if_none_takes_it() {
        let (name, other) = (c"kept-one", c"kept-another");
        let (tell, told) = mpsc::channel();
        let work = |text: &'static str| {
            let tell = tell.clone();
            Work::new(move || tell.send(text).unwrap(), |_| ())
        };
        let until_one_waits = || {
            while of(&mut lock(), name).threads == 0 {
                thread::yield_now();
            }
        };
        assert!(offer(name, work("nobody waits")).is_err());
        let waits = thread::spawn(move || {
            assert!(wait_for_an_offer(name));
            (take(name).expect("it is still there").who)();
        });
        until_one_waits();
        assert!(offer(other, work("of another name")).is_err());
        let long = Duration::from_secs(60);
        assert!(offer_for(long, name, work("is done")).is_ok());
        assert_eq!(told.recv(), Ok("is done"));
        waits.join().expect("it has done its work");
        let (resume, resumed) = mpsc::channel::<()>();
        let (wake, woken) = mpsc::channel();
        let suspended = thread::spawn(move || {
            assert!(wait_for_an_offer(name));
            wake.send(()).unwrap();
            assert!(resumed.recv().is_err());
            assert!(take(name).is_none(), "somebody else does it by now");
        });
        until_one_waits();
        while woken.try_recv().is_err() {
            assert!(offer(name, work("nobody who runs")).is_err());
        }
        assert!(offer_for(long, name, work("he is known to stand still")).is_err());
        drop(resume);
        suspended.join().expect("it goes on");
        assert!(told.try_recv().is_err());
    }
}
