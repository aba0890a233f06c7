//! Threads of the library that have done their work, where they cannot end: they wait for more of it.
//!
//! HotSpot 21 gives a native thread that attaches two states, if allocations are sampled or events turned on meanwhile
//! (JDK-8319935). It deletes one of them when the thread detaches, and writes through the other one later, into memory that
//! is somebody else's by then (docs/proofs/attaching.c). So none of ours detaches there.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::{CStr, CString};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use jni::objects::JObject;
use jni::refs::Global;
use jni::signature::{Primitive, ReturnType};
use jni::{Env, JValue, jni_sig, jni_str};

use crate::failure::Outcome;
use crate::vm::jdk::{JdkField, JdkStaticMethod, THREAD};
use crate::vm::{image, last_moments};

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

/// What a thread of the library that ends, if it can, does.
pub(super) struct Work {
    /// Says to the thread who it is.
    pub(super) who: Box<dyn FnOnce() + Send>,
    pub(super) deed: Box<Deed>,
}

/// What it gives goes after the thread is detached.
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

type All = BTreeMap<CString, Waiting>;

/// By the names of the threads.
static ALL: Mutex<All> = Mutex::new(BTreeMap::new());
static BELL: Condvar = Condvar::new();

#[derive(Default)]
struct Waiting {
    threads: usize,
    work: VecDeque<Work>,
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
        let feature = image::plain().and_then(image::feature).unwrap_or(0);
        if !TWO_STATES.contains(&feature) {
            return None;
        }
        let loader = loader(jni).unwrap_or_default();
        jni.exception_clear();
        Some(Self {
            name: name.to_owned(),
            loader,
        })
    }

    /// Does that, and what is given to one of its name from then on, as long as there is a VM.
    pub(super) fn serve(self, jni: &mut Env<'_>, first: Box<Deed>) -> ! {
        let mut deed = first;
        loop {
            within_a_frame(jni, deed);
            let _ = self.forget(jni);
            jni.exception_clear();
            let rest = || last_moments::rest(jni, last_moments::LONG_MOMENT);
            let next = next(&self.name, rest);
            (next.who)();
            deed = next.deed;
        }
    }

    fn forget(&self, jni: &mut Env<'_>) -> Outcome<()> {
        let current = image::plain()?.current_thread(jni)?;
        let (interrupted, thread) = (INTERRUPTED.id(jni)?, THREAD.get(jni)?);
        let boolean = ReturnType::Primitive(Primitive::Boolean);
        // SAFETY: the method is static, and takes nothing; the fields are those of `Thread`, of the types of what they get.
        unsafe {
            jni.call_static_method_unchecked(thread, interrupted, boolean, &[])?;
            for field in &LEFT {
                let field = field.id(jni)?;
                jni.set_field_unchecked(&current, field, JValue::Object(&JObject::null()))?;
            }
            let field = LOADER.id(jni)?;
            jni.set_field_unchecked(&current, field, JValue::Object(&self.loader))?;
        }
        jni.delete_local_ref(current);
        Ok(())
    }
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

/// Has it done by a thread of that name that waits for work; if there is none, it is for the caller. Asks the VM for nothing.
pub(super) fn give(name: &CStr, work: Work) -> Result<(), Work> {
    let mut all = lock();
    // In the last moments they wait without looking.
    let rests = last_moments::have_begun();
    match all.get_mut(name) {
        Some(waiting) if !rests && waiting.work.len() < waiting.threads => {
            waiting.work.push_back(work);
            BELL.notify_all();
            Ok(())
        }
        _ => Err(work),
    }
}

/// Waits for work for a thread of that name; in the VM's last moments by having a `rest` again and again.
fn next(name: &CStr, mut rest: impl FnMut()) -> Work {
    let mut all = lock();
    all.entry(name.to_owned()).or_default().threads += 1;
    loop {
        if let Some(waiting) = all.get_mut(name)
            && let Some(work) = waiting.work.pop_front()
        {
            waiting.threads -= 1;
            return work;
        }
        if last_moments::have_begun() {
            drop(all);
            rest();
            all = lock();
        } else {
            all = BELL.wait(all).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The last moments have begun.
pub(crate) fn wake() {
    let _all = lock();
    BELL.notify_all();
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
    fn work_is_for_those_of_its_name_who_wait_and_no_more_of_it_than_they_are() {
        let (name, other) = (c"kept-one", c"kept-another");
        let (tell, told) = mpsc::channel();
        let work = |text: &'static str| {
            let tell = tell.clone();
            Work::new(move || tell.send(text).unwrap(), |_| ())
        };
        assert!(give(name, work("nobody waits")).is_err());
        let begin = || {
            (next(name, || ()).who)();
        };
        let waits = thread::spawn(begin);
        while lock().get(name).is_none_or(|waiting| waiting.threads == 0) {
            thread::yield_now();
        }
        assert!(give(other, work("of another name")).is_err());
        assert!(give(name, work("is done")).is_ok());
        let second = give(name, work("one too many"));
        assert_eq!(told.recv(), Ok("is done"));
        waits.join().expect("it has done its work");
        drop(second);
        assert!(give(name, work("nobody waits any more")).is_err());
    }
}
