//! What environments remember of threads, without keeping a thread alive.
//!
//! The lock is never held across a call into the VM, in which a suspended thread stops.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JThread;
use jni::refs::Weak;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::virtual_thread::is_alive;
use crate::vm::bare;

/// An environment's handle, the identity hash code of a thread, and a number that tells apart what is
/// remembered of one thread.
type Place = (u64, i32, u64);

/// What one environment remembers of one thread.
pub(crate) struct Remembered<T> {
    place: Place,
    pub(crate) thread: Weak<JThread<'static>>,
    pub(crate) fact: T,
}

impl<T> Remembered<T> {
    /// The identity hash code of the thread.
    pub(crate) fn hash(&self) -> i32 {
        self.place.1
    }
}

/// Facts of one kind, by environment and thread.
pub(crate) struct ThreadTable<T>(Mutex<Places<T>>);

struct Places<T> {
    facts: BTreeMap<Place, Arc<Remembered<T>>>,
    /// The number of the next one.
    next: u64,
    /// At how many facts those of threads that have ended are looked for next.
    crowded: usize,
}

/// At fewer facts than this nobody looks for those of threads that have ended.
const FEW: usize = 16;

impl<T> ThreadTable<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Places {
            facts: BTreeMap::new(),
            next: 0,
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
        let (handle, hash) = (env.handle(), env.object_hash_code(thread)?);
        let thread = bare::weak(jni, thread)?;
        self.sweep_if_crowded(jni, env)?;
        let mut places = self.lock();
        let added = Arc::new(Remembered {
            place: (handle, hash, places.next),
            thread,
            fact,
        });
        places.next += 1;
        places.facts.insert(added.place, Arc::clone(&added));
        Ok(added)
    }

    /// What `env` remembers of `thread`, the oldest first.
    pub(crate) fn of(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        thread: &JThread<'_>,
    ) -> Outcome<Vec<Arc<Remembered<T>>>> {
        let hash = env.object_hash_code(thread)?;
        let alike = self.range((env.handle(), hash, u64::MIN)..=(env.handle(), hash, u64::MAX));
        those_of(jni, alike, thread)
    }

    /// What any environment remembers of `thread`.
    pub(crate) fn of_any(
        &self,
        jni: &Env<'_>,
        env: &jvmti::Env,
        thread: &JThread<'_>,
    ) -> Outcome<Vec<Arc<Remembered<T>>>> {
        let hash = env.object_hash_code(thread)?;
        let table = self.lock();
        let alike = in_any(hash, |place| table.facts.range(place..).next());
        drop(table);
        those_of(jni, alike, thread)
    }

    /// Everything that the environment `handle` remembers.
    pub(crate) fn all_of(&self, handle: u64) -> Vec<Arc<Remembered<T>>> {
        self.range(Self::places_of(handle))
    }

    /// Some of that: none if there is nothing.
    pub(crate) fn some_of(&self, handle: u64, most: usize) -> Vec<Arc<Remembered<T>>> {
        let table = self.lock();
        let all = table.facts.range(Self::places_of(handle));
        all.take(most).map(|(_, one)| Arc::clone(one)).collect()
    }

    /// One of the things that the environment `handle` remembers.
    pub(crate) fn any_of(&self, handle: u64) -> Option<Arc<Remembered<T>>> {
        let table = self.lock();
        let mut all = table.facts.range(Self::places_of(handle));
        all.next().map(|(_, one)| Arc::clone(one))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().facts.is_empty()
    }

    fn places_of(handle: u64) -> RangeInclusive<Place> {
        (handle, i32::MIN, u64::MIN)..=(handle, i32::MAX, u64::MAX)
    }

    /// The environments that remember something.
    pub(crate) fn handles(&self) -> BTreeSet<u64> {
        let places = self.lock();
        places.facts.keys().map(|(handle, _, _)| *handle).collect()
    }

    fn range(&self, places: RangeInclusive<Place>) -> Vec<Arc<Remembered<T>>> {
        let table = self.lock();
        let all = table.facts.range(places).map(|(_, one)| one);
        all.map(Arc::clone).collect()
    }

    /// Forgets one fact; harmless if it is forgotten already.
    pub(crate) fn forget(&self, one: &Remembered<T>) {
        let forgotten = self.lock().facts.remove(&one.place);
        // Not under the lock: it may be the last to know of the thread.
        drop(forgotten);
    }

    /// Forgets threads that have ended each time as many more facts have come as were left.
    fn sweep_if_crowded(&self, jni: &mut Env<'_>, env: &Inside) -> Outcome<()> {
        let all: Vec<_> = {
            let places = self.lock();
            if places.facts.len() < places.crowded {
                return Ok(());
            }
            places.facts.values().map(Arc::clone).collect()
        };
        for one in &all {
            if has_ended(jni, env, &one.thread)? {
                self.forget(one);
            }
        }
        let mut places = self.lock();
        places.crowded = FEW.max(places.facts.len() * 2);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Places<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What any environment remembers of threads of that `hash`: a few looks for each environment, however many threads there are.
/// `from` finds the first that is at a place or behind it.
fn in_any<'f, V: Clone + 'f>(
    hash: i32,
    mut from: impl FnMut(Place) -> Option<(&'f Place, &'f V)>,
) -> Vec<V> {
    let mut alike = Vec::new();
    let mut least = (u64::MIN, hash, u64::MIN);
    while let Some((&(handle, found, number), value)) = from(least) {
        let next = match found.cmp(&hash) {
            Ordering::Less => Some((handle, hash, u64::MIN)),
            Ordering::Equal => {
                alike.push(value.clone());
                number.checked_add(1).map(|number| (handle, hash, number))
            }
            Ordering::Greater => handle.checked_add(1).map(|handle| (handle, hash, u64::MIN)),
        };
        let Some(next) = next else { break };
        least = next;
    }
    alike
}

/// Those of one thread, of some whose threads are alike.
fn those_of<T>(
    jni: &Env<'_>,
    alike: Vec<Arc<Remembered<T>>>,
    thread: &JThread<'_>,
) -> Outcome<Vec<Arc<Remembered<T>>>> {
    let mut same = Vec::with_capacity(alike.len());
    for one in alike {
        if jni.is_same_object(&one.thread, thread)? {
            same.push(one);
        }
    }
    Ok(same)
}

/// Whatever is in a table was alive.
fn has_ended(jni: &mut Env<'_>, env: &Inside, thread: &Weak<JThread<'static>>) -> Outcome<bool> {
    let Some(thread) = thread.upgrade_local(jni)? else {
        return Ok(true);
    };
    let alive = is_alive(jni, env, &thread);
    jni.delete_local_ref(thread);
    Ok(!alive?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_told_by_hash_code_in_any_environment() {
        let places = [
            (1, -5, 0),
            (1, 7, 1),
            (1, 7, 2),
            (4, 7, 3),
            (9, 8, 4),
            (u64::MAX, 7, 5),
        ];
        let facts = BTreeMap::from(places.map(|place| (place, place.2)));
        let alike = |hash| in_any(hash, |place| facts.range(place..).next());
        assert_eq!(alike(7), [1, 2, 3, 5]);
        assert_eq!(alike(-5), [0]);
        assert_eq!(alike(0), [0; 0]);
    }

    #[test]
    fn a_thread_is_looked_for_as_often_however_many_there_are() {
        let looks = |threads: i32| {
            let of_each = |handle| (-threads..threads).map(move |hash| ((handle, hash, 0), hash));
            let facts: BTreeMap<Place, i32> = (1..=3).flat_map(of_each).collect();
            let mut looks = 0;
            let found = in_any(0, |place| {
                looks += 1;
                facts.range(place..).next()
            });
            assert_eq!(found, [0; 3]);
            looks
        };
        assert_eq!(looks(20_000), looks(10));
    }
}
