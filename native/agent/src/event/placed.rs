//! What environments have set in classes, without keeping a class loaded. Changed by the steward alone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JClass;
use jni::refs::Weak;

use crate::failure::Outcome;
use crate::vm::{bare, image};

/// How many an environment that is closed takes back at a time: each costs the VM a moment, in which nobody else is
/// served.
pub(super) const SOME: usize = 64;

/// So many that none of their classes is looked at, whether it is still there.
const FEW: usize = 64;

/// Something that an environment has set in a class and not cleared.
pub(super) struct Placed<P> {
    pub(super) handle: u64,
    pub(super) class: Weak<JClass<'static>>,
    pub(super) place: P,
    /// The hash code of its class.
    hash: i32,
    number: u64,
}

/// A class that something is to be set in.
pub(super) struct Within {
    class: Weak<JClass<'static>>,
    hash: i32,
}

impl Within {
    pub(super) fn class(jni: &Env<'_>, class: &JClass<'_>) -> Outcome<Self> {
        Ok(Self {
            class: bare::weak(jni, class)?,
            hash: hash(class)?,
        })
    }
}

fn hash(class: &JClass<'_>) -> Outcome<i32> {
    match class.is_null() {
        // The VM says what it thinks of that.
        true => Ok(0),
        false => Ok(image::plain()?.object_hash_code(class)?),
    }
}

/// All of one kind. The lock is never held across a call into the VM.
pub(super) struct Places<P>(Mutex<Table<P>>);

/// By the hash code of the class, and by place and a number: classes may have the same of both.
type OfOne<P> = BTreeMap<i32, InAlike<P>>;
type InAlike<P> = BTreeMap<(P, u64), Arc<Placed<P>>>;

struct Table<P> {
    /// Of each environment that has set some.
    all: BTreeMap<u64, OfOne<P>>,
    count: usize,
    next: u64,
    /// With how many the classes are looked at.
    crowded: usize,
}

impl<P: Copy + Ord> Places<P> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Table {
            all: BTreeMap::new(),
            count: 0,
            next: 0,
            crowded: FEW,
        }))
    }

    /// Remembers what the environment `handle` has set.
    pub(super) fn add(&self, jni: &Env<'_>, handle: u64, within: Within, place: P) {
        self.sweep_if_crowded(jni);
        let mut table = self.lock();
        let number = table.next;
        table.next += 1;
        table.insert(Placed {
            handle,
            class: within.class,
            place,
            hash: within.hash,
            number,
        });
    }

    /// What the environment `handle` has set, in this order.
    pub(super) fn of(&self, handle: u64) -> Vec<Arc<Placed<P>>> {
        let mut all = self.some_of(handle, usize::MAX);
        all.sort_unstable_by_key(|one| one.number);
        all
    }

    /// Some of what the environment `handle` has set: none if there is none.
    pub(super) fn some_of(&self, handle: u64, most: usize) -> Vec<Arc<Placed<P>>> {
        let table = self.lock();
        let all = table.all.get(&handle).into_iter();
        all.flat_map(BTreeMap::values)
            .flat_map(BTreeMap::values)
            .take(most)
            .map(Arc::clone)
            .collect()
    }

    /// Forgets what the environment `handle` has set at `place` of `class`.
    pub(super) fn forget_at(
        &self,
        jni: &Env<'_>,
        handle: u64,
        class: &JClass<'_>,
        place: P,
    ) -> Outcome<()> {
        let all = self.lock().at(handle, hash(class)?, place);
        for one in &all {
            if jni.is_same_object(&one.class, class)? {
                self.forget(one);
            }
        }
        Ok(())
    }

    /// What anybody has set in `class`.
    pub(super) fn within(&self, jni: &Env<'_>, class: &JClass<'_>) -> Outcome<Vec<Arc<Placed<P>>>> {
        let mut all = self.lock().in_alike(hash(class)?);
        all.retain(|one| jni.is_same_object(&one.class, class).unwrap_or(false));
        Ok(all)
    }

    /// Whether there is one.
    pub(super) fn is_any(&self) -> bool {
        !self.lock().all.is_empty()
    }

    /// Forgets one; harmless if it is forgotten already.
    pub(super) fn forget(&self, one: &Placed<P>) {
        let forgotten = self.lock().remove(one);
        // Not dropped under the lock: what it knows of the class is the VM's.
        drop(forgotten);
    }

    /// Forgets what was in classes that are unloaded, each time as many more have come as were left.
    fn sweep_if_crowded(&self, jni: &Env<'_>) {
        let all = {
            let table = self.lock();
            if table.count < table.crowded {
                return;
            }
            table.everything()
        };
        let is_gone = |one: &&Arc<Placed<P>>| one.class.is_garbage_collected(jni).unwrap_or(false);
        all.iter().filter(is_gone).for_each(|one| self.forget(one));
        let mut table = self.lock();
        table.crowded = FEW.max(table.count * 2);
    }

    fn lock(&self) -> MutexGuard<'_, Table<P>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Copy + Ord> Table<P> {
    fn insert(&mut self, one: Placed<P>) {
        let of_it = self.all.entry(one.handle).or_default();
        let alike = of_it.entry(one.hash).or_default();
        alike.insert((one.place, one.number), Arc::new(one));
        self.count += 1;
    }

    fn everything(&self) -> Vec<Arc<Placed<P>>> {
        let all = self.all.values().flat_map(BTreeMap::values);
        all.flat_map(BTreeMap::values).map(Arc::clone).collect()
    }

    /// What the environment `handle` has set at `place` of classes with this hash code.
    fn at(&self, handle: u64, hash: i32, place: P) -> Vec<Arc<Placed<P>>> {
        let alike = self.all.get(&handle).and_then(|of_it| of_it.get(&hash));
        let all = alike.into_iter();
        all.flat_map(|all| all.range((place, u64::MIN)..=(place, u64::MAX)))
            .map(|(_, one)| Arc::clone(one))
            .collect()
    }

    /// What anybody has set in classes with this hash code.
    fn in_alike(&self, hash: i32) -> Vec<Arc<Placed<P>>> {
        let alike = self.all.values().filter_map(|of_it| of_it.get(&hash));
        alike.flat_map(BTreeMap::values).map(Arc::clone).collect()
    }

    fn remove(&mut self, one: &Placed<P>) -> Option<Arc<Placed<P>>> {
        let of_it = self.all.get_mut(&one.handle)?;
        let alike = of_it.get_mut(&one.hash)?;
        let removed = alike.remove(&(one.place, one.number))?;
        if alike.is_empty() {
            of_it.remove(&one.hash);
        }
        if of_it.is_empty() {
            self.all.remove(&one.handle);
        }
        self.count -= 1;
        Some(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classes are the VM's, which tests have not: none of them is there, and they have but their hash codes.
    fn table() -> Places<u8> {
        let places = Places::new();
        let all = [(1, 70, 9), (1, 80, 3), (2, 70, 3), (1, 70, 9), (1, 80, 9)];
        for (number, (handle, hash, place)) in all.into_iter().enumerate() {
            places.lock().insert(Placed {
                handle,
                class: Weak::null(),
                place,
                hash,
                number: number as u64,
            });
        }
        places
    }

    fn numbers(all: &[Arc<Placed<u8>>]) -> Vec<u64> {
        all.iter().map(|one| one.number).collect()
    }

    #[test]
    fn each_environment_has_its_own_in_the_order_in_which_they_were_set() {
        let places = table();
        assert_eq!(numbers(&places.of(1)), [0, 1, 3, 4]);
        assert_eq!(numbers(&places.of(2)), [2]);
        assert_eq!(numbers(&places.of(3)), []);
        assert_eq!(places.some_of(1, 2).len(), 2);
    }

    #[test]
    fn classes_may_have_the_same_place_and_the_same_hash_code() {
        let places = table();
        assert_eq!(numbers(&places.lock().at(1, 70, 9)), [0, 3]);
        assert_eq!(numbers(&places.lock().at(2, 70, 9)), []);
        assert_eq!(numbers(&places.lock().in_alike(70)), [0, 3, 2]);
        assert_eq!(numbers(&places.lock().in_alike(90)), []);
    }

    #[test]
    fn what_is_forgotten_is_gone_and_with_the_last_one_all() {
        let places = table();
        for one in places.of(1) {
            places.forget(&one);
            places.forget(&one);
        }
        assert_eq!(numbers(&places.of(1)), []);
        assert!(places.is_any());
        places.of(2).iter().for_each(|one| places.forget(one));
        assert!(!places.is_any());
    }
}
