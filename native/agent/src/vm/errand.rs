//! What a thread of the library's own does for others, who do not wait for it.
//!
//! Whoever asks may be suspended wherever he enters the VM. So to note that it is under way and to start the thread for it
//! is one step, in which nobody calls the VM: the next who asks never relies on one who stands still. Nor does he
//! wait for the monitor of a thread group, which a suspended thread may own: the new thread does.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::CString;
use std::mem;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use jni::objects::JObject;
use jni::refs::Global;
use jni::signature::{Primitive, ReturnType};
use jni::{Env, jni_sig, jni_str};

use crate::failure::Outcome;
use crate::vm::daemon;
use crate::vm::jdk::{JdkClass, JdkMethod};

static RUNNABLE: JdkClass = JdkClass::new(jni_str!("java.lang.Runnable"));
/// `Runnable.run()`.
pub(crate) static RUN: JdkMethod = JdkMethod::new(&RUNNABLE, jni_str!("run"), jni_sig!(() -> void));

type Asked = BTreeMap<i64, bool>;

/// Those under way, and whether they are to be done once more.
static UNDER_WAY: Mutex<Asked> = Mutex::new(BTreeMap::new());

thread_local! {
    static IS_ONE: Cell<bool> = const { Cell::new(false) };
}

/// The number of a new one.
pub(crate) fn number() -> i64 {
    static LAST: AtomicI64 = AtomicI64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// Whether the calling thread is on one.
pub(crate) fn is_current() -> bool {
    IS_ONE.try_with(Cell::get).unwrap_or(false)
}

/// Has `deed`, a `Runnable`, run from now on by a thread of that name; those who ask meanwhile share one more run.
pub(crate) fn ask(jni: &Env<'_>, number: i64, name: CString, deed: &JObject<'_>) -> Outcome<()> {
    let deed = jni.new_global_ref(deed)?;
    if !begins(number) {
        return Ok(());
    }
    let is_one = || IS_ONE.set(true);
    let begun = daemon::spawn_for_a_moment(name, is_one, move |jni| {
        let _panic = Broken(number);
        run(jni, &deed);
        while goes_on(number) {
            run(jni, &deed);
        }
    });
    if begun.is_err() {
        under_way().remove(&number);
    }
    begun
}

/// Has it begin anew with whoever asks next, if a panic ends its thread.
struct Broken(i64);

impl Drop for Broken {
    fn drop(&mut self) {
        if thread::panicking() {
            under_way().remove(&self.0);
        }
    }
}

/// Whether it is not under way yet; or else it is done once more.
fn begins(number: i64) -> bool {
    match under_way().entry(number) {
        Entry::Vacant(none) => {
            none.insert(false);
            true
        }
        Entry::Occupied(mut again) => {
            again.insert(true);
            false
        }
    }
}

/// Whether it is to be done once more; or else it is over.
fn goes_on(number: i64) -> bool {
    let mut all = under_way();
    let is_asked = all.get_mut(&number).is_some_and(mem::take);
    if !is_asked {
        all.remove(&number);
    }
    is_asked
}

/// Once more if it throws something: somebody has thrown that at this thread, and nobody else would do the rest.
fn run(jni: &mut Env<'_>, deed: &Global<JObject<'static>>) {
    if run_once(jni, deed).is_err() {
        jni.exception_clear();
        let _ = run_once(jni, deed);
    }
    jni.exception_clear();
}

fn run_once(jni: &mut Env<'_>, deed: &Global<JObject<'static>>) -> Outcome<()> {
    let run = RUN.id(jni)?;
    let nothing = ReturnType::Primitive(Primitive::Void);
    // SAFETY: the natives of ours that come here take a `Runnable`.
    unsafe { jni.call_method_unchecked(deed, run, nothing, &[]) }?;
    Ok(())
}

fn under_way() -> MutexGuard<'static, Asked> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_while_it_is_under_way_has_it_done_once_more() {
        let (one, other) = (number(), number());
        assert!(begins(one) && begins(other));
        assert!(!begins(one) && !begins(one));
        assert!(goes_on(one), "both of them share one");
        assert!(!goes_on(one) && !goes_on(other));
        assert!(begins(one), "it begins anew");
        assert!(!goes_on(one));
        let all = under_way();
        assert!(!all.contains_key(&one) && !all.contains_key(&other));
    }

    #[test]
    fn what_a_panic_ends_begins_anew() {
        let one = number();
        assert!(begins(one));
        let ended = thread::spawn(move || {
            let _panic = Broken(one);
            panic!("it does not go on");
        });
        assert!(ended.join().is_err());
        assert!(begins(one));
        under_way().remove(&one);
    }
}
