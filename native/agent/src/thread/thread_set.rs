//! Threads of a list, found by what they are: a look costs the same however many there are.

use std::collections::HashMap;

use jni::Env;
use jni::objects::JThread;

use crate::failure::Outcome;

/// The places of threads in a list, by their identity hash code.
pub(crate) struct ThreadSet(HashMap<i32, Vec<usize>>);

impl ThreadSet {
    pub(crate) fn of<'t>(env: &jvmti::Env, threads: &[impl AsRef<JThread<'t>>]) -> Outcome<Self> {
        let mut places: HashMap<i32, Vec<usize>> = HashMap::with_capacity(threads.len());
        for (place, thread) in threads.iter().enumerate() {
            let hash = env.object_hash_code(thread.as_ref())?;
            places.entry(hash).or_default().push(place);
        }
        Ok(Self(places))
    }

    /// The places of `thread`, which has this `hash`, in `threads`, the list that this was made of.
    pub(crate) fn places<'t>(
        &self,
        jni: &Env<'_>,
        threads: &[impl AsRef<JThread<'t>>],
        hash: i32,
        thread: &JThread<'_>,
    ) -> Outcome<Vec<usize>> {
        let mut places = Vec::new();
        for &place in self.0.get(&hash).into_iter().flatten() {
            if jni.is_same_object(threads[place].as_ref(), thread)? {
                places.push(place);
            }
        }
        Ok(places)
    }

    /// Whether `thread`, which has this `hash`, is in `threads`, the list that this was made of.
    pub(crate) fn contains<'t>(
        &self,
        jni: &Env<'_>,
        threads: &[impl AsRef<JThread<'t>>],
        hash: i32,
        thread: &JThread<'_>,
    ) -> Outcome<bool> {
        Ok(!self.places(jni, threads, hash, thread)?.is_empty())
    }
}
