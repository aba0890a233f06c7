//! The counters of JNI calls that environments have opened.
//!
//! The table of JNI functions is the VM's, so the plain environment changes it, and the steward alone asks for that.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JObject;
use jni::refs::Weak;
use jvmti::sys::Error;

use crate::environment::death;
use crate::environment::gate::{self, Inside, Me};
use crate::environment::undone::Undone;
use crate::failure::{Failure, Outcome};
use crate::vm::jni_table::{self, Counted};
use crate::vm::{bare, steward};

/// How many are looked at for collected owners whenever one is opened.
const WINDOW: usize = 64;

/// How many the steward looks at in a round.
const ROUND: usize = 1 << 13;

/// The handle of its environment, and a number of its own.
type Key = (u64, u64);

/// All that are not closed. Never held across a call into the VM.
static ALL: Mutex<All> = Mutex::new(All {
    counters: BTreeMap::new(),
    next: 1,
    cursor: (0, 0),
});

struct All {
    counters: BTreeMap<Key, Arc<Counter>>,
    /// The number of the next one.
    next: u64,
    /// Where the next look begins.
    cursor: Key,
}

struct Counter {
    counted: Mutex<Counted>,
    /// The Java object that it belongs to; collected, it takes the counter with it.
    owner: Weak<JObject<'static>>,
}

/// A new one for `env` and `owner`; answers its number.
pub(crate) fn open(
    jni: &Env<'_>,
    env: &Inside,
    owner: &JObject<'_>,
    slots: Vec<usize>,
) -> Outcome<u64> {
    let handle = env.handle();
    let owner = bare::weak(jni, owner)?;
    let number = steward::ask(
        jni,
        move |jni| {
            let ending = |_| jvmti::Error::new("SetJNIFunctionTable", Error::WRONG_PHASE);
            death::require_far().map_err(ending)?;
            sweep(jni, WINDOW)?;
            let inside = gate::enter(Me::new(jni.get_raw()), handle.cast_signed())?;
            let counted = Mutex::new(jni_table::count(&slots)?);
            let number = all().add(handle, Counter { counted, owner });
            // Whoever has closed it since may have come before.
            if !inside.is_open() {
                JniCounters.forget(handle);
            }
            Ok(number)
        },
        move |_, number| {
            let late = all().counters.remove(&(handle, number));
            end(late);
            let _ = jni_table::restore();
        },
    )?;
    // What the library itself has called for this does not count.
    find(env, number)?.counted().begin();
    Ok(number)
}

/// How many calls one has counted, in the order of its slots.
pub(crate) fn calls(env: &Inside, number: u64) -> Outcome<Vec<i64>> {
    Ok(find(env, number)?.counted().calls())
}

/// Closes one; harmless for one that is closed. What it has put into the table is taken out, at once or when the steward
/// comes to it.
pub(crate) fn close(jni: &Env<'_>, handle: u64, number: u64) -> Outcome<()> {
    let gone = all().counters.remove(&(handle, number));
    if gone.is_none() {
        return Ok(());
    }
    end(gone);
    // Also where this is the steward, who does not wait for himself.
    steward::owe(|| {
        let _ = jni_table::restore();
    });
    match steward::have_done(jni, |_| Ok(())) {
        Err(Failure::Stalled(_)) => Ok(()),
        done => done,
    }
}

/// Whether there are any.
pub(crate) fn is_any() -> bool {
    !all().counters.is_empty()
}

/// Closes some whose owner was collected: so that it costs the same however many there are. Only by the steward.
pub(crate) fn sweep_some(jni: &Env<'_>) -> Outcome<()> {
    sweep(jni, ROUND)
}

fn sweep(jni: &Env<'_>, most: usize) -> Outcome<()> {
    let some = all().some(most);
    let mut found = false;
    for (key, one) in some {
        if one.owner.is_garbage_collected(jni)? {
            let gone = all().counters.remove(&key);
            found |= gone.is_some();
            end(gone);
        }
    }
    match found {
        true => jni_table::restore(),
        false => Ok(()),
    }
}

/// What environments count.
pub(crate) struct JniCounters;

impl Undone for JniCounters {
    fn forget(&self, handle: u64) {
        let gone = all().take_all_of(handle);
        if !gone.is_empty() {
            steward::owe(move || {
                end(gone);
                let _ = jni_table::restore();
            });
        }
    }

    fn undo_all(&self) {
        let gone = std::mem::take(&mut all().counters);
        end(gone.into_values());
        let _ = jni_table::restore();
    }
}

/// They are taken out already. Whoever asks one at this moment has it a little longer, and needs no stub for that.
fn end(gone: impl IntoIterator<Item = Arc<Counter>>) {
    gone.into_iter().for_each(|one| one.counted().end());
}

fn find(env: &Inside, number: u64) -> Outcome<Arc<Counter>> {
    let found = all().counters.get(&(env.handle(), number)).cloned();
    found.ok_or_else(|| Failure::State("this counter is closed".to_owned()))
}

fn all() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Counter {
    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl All {
    fn add(&mut self, handle: u64, counter: Counter) -> u64 {
        let number = self.next;
        self.next += 1;
        self.counters.insert((handle, number), Arc::new(counter));
        number
    }

    /// The next ones to be looked at.
    fn some(&mut self, most: usize) -> Vec<(Key, Arc<Counter>)> {
        let round = self.counters.range(self.cursor..);
        let round = round.chain(self.counters.range(..self.cursor));
        let some: Vec<_> = round
            .take(most)
            .map(|(key, one)| (*key, Arc::clone(one)))
            .collect();
        if let Some(((handle, number), _)) = some.last() {
            self.cursor = (*handle, number + 1);
        }
        some
    }

    fn take_all_of(&mut self, handle: u64) -> Vec<Arc<Counter>> {
        let its = self.counters.range((handle, 0)..=(handle, u64::MAX));
        let keys: Vec<_> = its.map(|(key, _)| *key).collect();
        let taken = keys.iter().filter_map(|key| self.counters.remove(key));
        taken.collect()
    }
}
