//! What is suspended for a time, where others resume or suspend the same threads meanwhile.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use jni::Env;
use jni::objects::JThread;
use jni::sys::jobject;
use jvmti::sys::Error;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::suspended::{Keepers, Kept, Named, Shared, Suspension, any_done, in_order};
use crate::thread::under_way::{InCommon, under_way};
use crate::thread::watchdog;

/// How long the steward waits for the watchdog, where what it resumes just now is to be suspended for longer.
const RESUMED: Duration = Duration::from_secs(4);

/// What is to be suspended for longer, taken out of what is under way before: so nothing that ends meanwhile or later
/// resumes it. What then could not be suspended is put back, at the latest when this is dropped. Only the steward has
/// one, so nothing else is suspended meanwhile.
pub(super) struct Apart(Vec<(Arc<Suspension>, Vec<Named>, Vec<Kept>)>);

impl Apart {
    /// `threads`, which may be in what is under way.
    pub(super) fn some(jni: &Env<'_>, env: &Inside, threads: &[&JThread<'_>]) -> Outcome<Self> {
        Self::take(InCommon::with(jni, env, threads)?)
    }

    /// All virtual threads but those of a list.
    pub(super) fn virtual_threads(
        jni: &Env<'_>,
        env: &Inside,
        except: &[JThread<'_>],
    ) -> Outcome<Self> {
        Self::take(under_way().virtual_threads(jni, env, except)?)
    }

    pub(super) fn take(in_common: InCommon) -> Outcome<Self> {
        let mut apart = Self(Vec::new());
        for (one, named) in in_common.0 {
            apart.take_some(one, named)?;
        }
        Ok(apart)
    }

    /// If they are being resumed just now, waits until that is over.
    fn take_some(&mut self, one: Arc<Suspension>, named: Vec<Named>) -> Outcome<()> {
        if named.is_empty() {
            return Ok(());
        }
        match one.set_apart(&named) {
            Some(threads) => self.0.push((one, named, threads)),
            None if one.wait_until_over(RESUMED) => {}
            None => return Err(watchdog::stalled()),
        }
        Ok(())
    }

    /// Has `suspend` suspend them; those of whose places `are_suspended` holds then stay apart.
    pub(super) fn suspend<T>(
        mut self,
        suspend: impl FnOnce() -> Outcome<T>,
        are_suspended: impl Fn(&T, &[usize]) -> bool,
    ) -> Outcome<T> {
        let suspended = suspend()?;
        for (_, named, kept) in &mut self.0 {
            named.retain(|one| are_suspended(&suspended, &one.places));
            let stay = in_order(named);
            kept.retain(|one| stay.binary_search(&one.thread.as_raw()).is_err());
        }
        Ok(suspended)
    }

    /// Has `suspend` suspend them for a time, too. Those that were suspended already are kept so by both from now on:
    /// answers with whom, by the first of their places.
    pub(super) fn suspend_together(
        mut self,
        suspend: impl FnOnce() -> Outcome<Vec<Error>>,
    ) -> Outcome<(Vec<Error>, Shared)> {
        let results = suspend()?;
        let mut shared = Shared::new();
        for (_, named, kept) in &mut self.0 {
            let (done, before): (Vec<_>, Vec<_>) = mem::take(named)
                .into_iter()
                .partition(|one| any_done(&results, &one.places));
            let mut by_name: HashMap<_, _> = kept
                .iter_mut()
                .map(|one| (one.thread.as_raw(), one))
                .collect();
            for one in before {
                share(one, &mut by_name, &mut shared);
            }
            let stay = in_order(&done);
            kept.retain(|one| stay.binary_search(&one.thread.as_raw()).is_err());
        }
        Ok((results, shared))
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        for (one, _, kept) in self.0.drain(..) {
            one.put_back(kept);
        }
    }
}

/// What is `named` is kept by one suspension more, to which it is known by its first place.
fn share(named: Named, kept: &mut HashMap<jobject, &mut Kept>, shared: &mut Shared) {
    let Some(&place) = named.places.first() else {
        return;
    };
    for name in &named.names {
        let Some(one) = kept.get_mut(name) else {
            continue;
        };
        match (&one.keepers, shared.get(&place)) {
            // It joined them when it was found among those of another one.
            (Some(_), Some(_)) => {}
            (Some(keepers), None) => {
                keepers.one_more();
                shared.insert(place, Arc::clone(keepers));
            }
            (None, Some(keepers)) => {
                keepers.one_more();
                one.keepers = Some(Arc::clone(keepers));
            }
            (None, None) => {
                let keepers = Keepers::one();
                keepers.one_more();
                one.keepers = Some(Arc::clone(&keepers));
                shared.insert(place, keepers);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Failure;
    use crate::thread::suspended::globals;
    use crate::thread::suspended::on_paper::{RESUMED, inside, resumed, suspended, term, threads};
    use crate::thread::under_way::tests::listed;
    use crate::vm::paper::with_jni;

    #[test]
    fn what_is_suspended_at_any_of_its_places_stays_apart() {
        let list = [2, 1, 2, 2];
        let none = [Error::THREAD_SUSPENDED; 4];
        for place in 0..list.len() {
            with_jni(|jni| {
                let env = inside();
                let one = suspended(jni, &env, &[1, 2, 3]);
                let mut results = none;
                results[place] = Error::NONE;
                let apart = Apart::take(listed(jni, &env, &[Arc::clone(&one)], &list)).unwrap();
                let suspended =
                    apart.suspend(|| Ok(results), |results, places| any_done(results, places));
                suspended.unwrap();
                let mut left = vec![1, 2, 3];
                left.retain(|number| *number != list[place]);
                let mut resumed = resumed(&one);
                resumed.sort_unstable();
                assert_eq!(resumed, left, "suspended at {place}");
            });
        }
    }

    /// One that finds the first `shared` of its threads suspended by what is under way.
    fn suspended_together(
        jni: &Env<'_>,
        env: &Inside,
        under_way: &[Arc<Suspension>],
        numbers: &[usize],
        shared: usize,
    ) -> Arc<Suspension> {
        let apart = Apart::take(listed(jni, env, under_way, numbers)).unwrap();
        let mut results = vec![Error::NONE; numbers.len()];
        results[..shared].fill(Error::THREAD_SUSPENDED);
        let (results, shared) = apart.suspend_together(|| Ok(results)).unwrap();
        let threads = Arc::new(globals(jni, &threads(jni, numbers)).unwrap());
        mem::forget(Arc::clone(&threads));
        Arc::new(Suspension::new(env, threads, &results, shared, term(jni)))
    }

    #[test]
    fn what_several_keep_suspended_the_last_of_them_resumes() {
        for order in [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ] {
            with_jni(|jni| {
                let env = inside();
                let mut all = vec![suspended(jni, &env, &[1, 2])];
                all.push(suspended_together(jni, &env, &all, &[2, 3], 1));
                all.push(suspended_together(jni, &env, &all, &[2, 3, 3, 4], 3));
                let ends: Vec<_> = order.iter().map(|&one| resumed(&all[one])).collect();
                let last = |ones: &[usize]| order.iter().rposition(|one| ones.contains(one));
                for (number, kept_by) in [(1, &[0][..]), (2, &[0, 1, 2]), (3, &[1, 2]), (4, &[2])] {
                    let end = ends.iter().position(|end| end.contains(&number));
                    assert_eq!(end, last(kept_by), "{number} in {ends:?}");
                }
                assert_eq!(ends.concat().len(), 4, "{ends:?}");
            });
        }
    }

    #[test]
    fn what_somebody_has_resumed_none_of_them_resumes() {
        with_jni(|jni| {
            let env = inside();
            let one = suspended(jni, &env, &[1, 2]);
            let all = [Arc::clone(&one)];
            let other = suspended_together(jni, &env, &all, &[2, 3], 1);
            for (one, named) in listed(jni, &env, &[Arc::clone(&one), Arc::clone(&other)], &[2]).0 {
                one.leave(&named);
            }
            assert_eq!((resumed(&one), resumed(&other)), (vec![1], vec![3]));
        });
    }

    #[test]
    fn what_is_apart_while_the_others_run_again_is_left_to_the_last() {
        with_jni(|jni| {
            let env = inside();
            let one = suspended(jni, &env, &[1, 2]);
            let apart = Apart::take(listed(jni, &env, &[Arc::clone(&one)], &[2])).unwrap();
            assert_eq!(resumed(&one), [1]);
            let suspended = || Ok(vec![Error::THREAD_SUSPENDED]);
            let (results, shared) = apart.suspend_together(suspended).unwrap();
            assert_eq!(RESUMED.take(), [], "the other keeps it");
            let threads = Arc::new(globals(jni, &threads(jni, &[2])).unwrap());
            mem::forget(Arc::clone(&threads));
            let other = Suspension::new(&env, threads, &results, shared, term(jni));
            assert_eq!(resumed(&other), [2]);
        });
    }

    #[test]
    fn who_ends_one_waits_for_those_apart_and_for_nothing_else() {
        with_jni(|jni| {
            let env = inside();
            let (one, other) = (suspended(jni, &env, &[1, 2]), suspended(jni, &env, &[3]));
            let apart = Apart::take(listed(jni, &env, &[Arc::clone(&one)], &[2])).unwrap();
            assert_eq!(resumed(&one), [1]);
            assert!(!one.wait_until_over(Duration::ZERO));
            one.tell_over();
            assert!(one.wait_until_over(Duration::ZERO));
            assert!(!one.wait_until_all_run(Duration::ZERO));
            drop(apart);
            assert_eq!(RESUMED.take(), [2]);
            assert!(one.wait_until_all_run(Duration::ZERO));
            assert!(!other.wait_until_over(Duration::ZERO));
        });
    }

    #[test]
    fn what_is_being_resumed_is_waited_for_but_not_for_ever() {
        with_jni(|jni| {
            let env = inside();
            let one = suspended(jni, &env, &[1, 2]);
            let take = || Apart::take(listed(jni, &env, &[Arc::clone(&one)], &[2]));
            assert_eq!(resumed(&one), [1, 2]);
            assert!(matches!(take(), Err(Failure::Stalled(_))));
            one.tell_over();
            assert!(take().is_ok());
        });
    }
}
