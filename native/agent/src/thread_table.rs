//! What environments remember of threads, without keeping a thread alive.
//!
//! The lock is never held across a call into the VM, in which a suspended thread stops.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Weak;
use jvmti::sys::ThreadState;

use crate::failure::Outcome;
use crate::gate::Inside;

/// An environment's handle, and the identity hash code of a thread.
type Place = (u64, i32);

/// What one environment remembers of one thread.
pub(crate) struct Remembered<T> {
    place: Place,
    pub(crate) thread: Weak<JThread<'static>>,
    pub(crate) fact: T,
}

/// Facts of one kind, by environment and thread.
pub(crate) struct ThreadTable<T>(Mutex<Places<T>>);

struct Places<T> {
    facts: BTreeMap<Place, Vec<Arc<Remembered<T>>>>,
    count: usize,
    /// At how many facts those of threads that have ended are looked for next.
    crowded: usize,
}

/// At fewer facts than this nobody looks for those of threads that have ended.
const FEW: usize = 16;

impl<T> ThreadTable<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Places {
            facts: BTreeMap::new(),
            count: 0,
            crowded: FEW,
        }))
    }

    /// Remembers `fact`, beside what is remembered of `thread` already.
    pub(crate) fn add(
        &self,
        jni: &mut Env<'_>,
        env: &Inside,
        thread: &JThread<'_>,
        fact: T,
    ) -> Outcome<Arc<Remembered<T>>> {
        let added = Arc::new(Remembered {
            place: place(env, thread)?,
            thread: jni.new_weak_ref(thread)?,
            fact,
        });
        self.sweep_if_crowded(jni, env)?;
        let mut places = self.lock();
        let here = places.facts.entry(added.place).or_default();
        here.push(Arc::clone(&added));
        places.count += 1;
        Ok(added)
    }

    /// What `env` remembers of `thread`, the oldest first.
    pub(crate) fn of(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        thread: &JThread<'_>,
    ) -> Outcome<Vec<Arc<Remembered<T>>>> {
        let place = place(env, thread)?;
        let alike = self.lock().facts.get(&place).cloned().unwrap_or_default();
        let mut same = Vec::with_capacity(alike.len());
        for one in alike {
            if jni.is_same_object(&one.thread, thread)? {
                same.push(one);
            }
        }
        Ok(same)
    }

    /// Everything that the environment `handle` remembers.
    pub(crate) fn all_of(&self, handle: u64) -> Vec<Arc<Remembered<T>>> {
        let places = (handle, i32::MIN)..=(handle, i32::MAX);
        let table = self.lock();
        let all = table.facts.range(places).flat_map(|(_, here)| here);
        all.map(Arc::clone).collect()
    }

    /// Forgets one fact; harmless if it is forgotten already.
    pub(crate) fn forget(&self, one: &Arc<Remembered<T>>) {
        let mut places = self.lock();
        let Some(here) = places.facts.get_mut(&one.place) else {
            return;
        };
        let before = here.len();
        here.retain(|other| !Arc::ptr_eq(one, other));
        let forgotten = before - here.len();
        if here.is_empty() {
            places.facts.remove(&one.place);
        }
        places.count -= forgotten;
    }

    /// Forgets threads that have ended each time as many more facts have come as were left.
    fn sweep_if_crowded(&self, jni: &mut Env<'_>, env: &Inside) -> Outcome<()> {
        let all: Vec<_> = {
            let places = self.lock();
            if places.count < places.crowded {
                return Ok(());
            }
            places.facts.values().flatten().map(Arc::clone).collect()
        };
        for one in &all {
            if has_ended(jni, env, &one.thread)? {
                self.forget(one);
            }
        }
        let mut places = self.lock();
        places.crowded = FEW.max(places.count * 2);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Places<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn place(env: &Inside, thread: &JThread<'_>) -> Outcome<Place> {
    Ok((env.handle(), env.object_hash_code(thread)?))
}

fn has_ended(jni: &mut Env<'_>, env: &Inside, thread: &Weak<JThread<'static>>) -> Outcome<bool> {
    let Some(thread) = thread.upgrade_local(jni)? else {
        return Ok(true);
    };
    let state = env.thread_state(Some(&thread));
    jni.delete_local_ref(thread);
    Ok(state? & ThreadState::TERMINATED.0 != 0)
}
