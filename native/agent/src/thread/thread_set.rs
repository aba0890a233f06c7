//! Threads of a list, found by what they are: a look costs the same however many there are.

use std::collections::HashMap;
use std::mem;

use jni::Env;
use jni::objects::JThread;

use crate::failure::Outcome;

/// The places of threads in a list, by their identity hash code. A null is none: the VM refuses it by itself.
pub(crate) struct ThreadSet(HashMap<i32, Vec<usize>>);

/// The places of one thread in a list, and in another one.
pub(crate) type InBoth = (Vec<usize>, Vec<usize>);

impl ThreadSet {
    pub(crate) fn of<'t>(env: &jvmti::Env, threads: &[impl AsRef<JThread<'t>>]) -> Outcome<Self> {
        let mut places: HashMap<i32, Vec<usize>> = HashMap::with_capacity(threads.len());
        let threads = threads.iter().map(AsRef::as_ref).enumerate();
        for (place, thread) in threads.filter(|(_, thread)| !thread.is_null()) {
            let hash = env.object_hash_code(thread)?;
            places.entry(hash).or_default().push(place);
        }
        Ok(Self(places))
    }

    /// Whether `thread`, which has this `hash`, is in `threads`, the list that this was made of.
    pub(crate) fn contains<'t>(
        &self,
        jni: &Env<'_>,
        threads: &[impl AsRef<JThread<'t>>],
        hash: i32,
        thread: &JThread<'_>,
    ) -> Outcome<bool> {
        Ok(self.place(jni, threads, hash, thread)?.is_some())
    }

    /// Where it is.
    pub(crate) fn place<'t>(
        &self,
        jni: &Env<'_>,
        threads: &[impl AsRef<JThread<'t>>],
        hash: i32,
        thread: &JThread<'_>,
    ) -> Outcome<Option<usize>> {
        for &place in self.0.get(&hash).into_iter().flatten() {
            if jni.is_same_object(threads[place].as_ref(), thread)? {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Each thread that is in `threads`, the list that this was made of, and in `others`, that of `other`. Costs as much as
    /// the shorter list is long, and a look at each of the places.
    pub(crate) fn in_both<'t, 'o>(
        &self,
        jni: &Env<'_>,
        threads: &[impl AsRef<JThread<'t>>],
        other: &Self,
        others: &[impl AsRef<JThread<'o>>],
    ) -> Outcome<Vec<InBoth>> {
        let (few, many) = match self.0.len() <= other.0.len() {
            true => (self, other),
            false => (other, self),
        };
        let mut all = Vec::new();
        for hash in few.0.keys().filter(|hash| many.0.contains_key(hash)) {
            let (mut here, mut there) = (self.0[hash].clone(), other.0[hash].clone());
            while let Some(&first) = here.first() {
                let thread = threads[first].as_ref();
                let places = take_out(jni, &mut here, threads, thread)?;
                let places_there = take_out(jni, &mut there, others, thread)?;
                if !places_there.is_empty() {
                    all.push((places, places_there));
                }
            }
        }
        Ok(all)
    }
}

/// Those of `places` at which `thread` is in `threads`.
fn take_out<'t>(
    jni: &Env<'_>,
    places: &mut Vec<usize>,
    threads: &[impl AsRef<JThread<'t>>],
    thread: &JThread<'_>,
) -> Outcome<Vec<usize>> {
    let mut taken = Vec::new();
    for place in mem::take(places) {
        match jni.is_same_object(threads[place].as_ref(), thread)? {
            true => taken.push(place),
            false => places.push(place),
        }
    }
    Ok(taken)
}
