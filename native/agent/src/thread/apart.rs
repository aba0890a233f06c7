//! What is suspended for a time, where others resume or suspend the same threads meanwhile.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JThread;
use jni::sys::jobject;
use jvmti::sys::Error;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::suspended::{Keepers, Kept, Named, Shared, Suspension, any_done, in_order};
use crate::thread::thread_set::ThreadSet;
use crate::thread::virtual_thread::is_virtual;
use crate::thread::watchdog;

/// How long the steward waits for the watchdog, where what it resumes just now is to be suspended for longer.
const RESUMED: Duration = Duration::from_secs(4);

/// What is under way at one moment.
pub(super) struct UnderWay(Vec<Arc<Suspension>>);

pub(super) fn under_way() -> UnderWay {
    UnderWay(watchdog::suspensions())
}

impl UnderWay {
    /// Somebody has resumed `threads`: what is under way does not resume them any more.
    pub(super) fn leave(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        threads: &[&JThread<'_>],
    ) -> Outcome<()> {
        for (one, named) in self.listed(jni, env, threads)?.0 {
            one.leave(&named);
        }
        Ok(())
    }

    /// Somebody has resumed all virtual threads but those of a list.
    pub(super) fn leave_virtual(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        except: &[JThread<'_>],
    ) -> Outcome<()> {
        for (one, named) in self.virtual_threads(jni, env, except)?.0 {
            one.leave(&named);
        }
        Ok(())
    }

    /// What is under way, each with those of its threads that are in a list.
    fn listed(
        &self,
        jni: &Env<'_>,
        env: &jvmti::Env,
        threads: &[&JThread<'_>],
    ) -> Outcome<InCommon> {
        if self.0.is_empty() {
            return Ok(InCommon(Vec::new()));
        }
        let listed = ThreadSet::of(env, threads)?;
        let mut all = Vec::new();
        for one in &self.0 {
            all.push((Arc::clone(one), one.named_in(jni, env, threads, &listed)?));
        }
        Ok(InCommon(all))
    }

    /// What is under way, each with its virtual threads but those of a list.
    fn virtual_threads(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        except: &[JThread<'_>],
    ) -> Outcome<InCommon> {
        if self.0.is_empty() {
            return Ok(InCommon(Vec::new()));
        }
        let left_out = ThreadSet::of(env, except)?;
        let mut all = Vec::new();
        for one in &self.0 {
            let mut named = Vec::new();
            for thread in &one.suspended {
                if is_virtual(jni, thread)?
                    && !left_out.contains(jni, except, env.object_hash_code(thread)?, thread)?
                {
                    named.push(Named {
                        names: vec![thread.as_raw()],
                        places: Vec::new(),
                    });
                }
            }
            all.push((Arc::clone(one), named));
        }
        Ok(InCommon(all))
    }
}

/// What is under way, each with those of its threads that are in a list, too.
pub(super) struct InCommon(Vec<(Arc<Suspension>, Vec<Named>)>);

impl InCommon {
    pub(super) fn with(jni: &Env<'_>, env: &Inside, threads: &[&JThread<'_>]) -> Outcome<Self> {
        under_way().listed(jni, env, threads)
    }

    /// One that does not allow that `who`, if he has not asked for it himself, keeps threads suspended until `deadline`.
    pub(super) fn lengthened(
        &self,
        jni: &Env<'_>,
        who: &JThread<'_>,
        deadline: Instant,
    ) -> Outcome<Option<Arc<Suspension>>> {
        for one in self.some() {
            if !one.term.allows(deadline) && !jni.is_same_object(&*one.term.asked_by, who)? {
                return Ok(Some(Arc::clone(one)));
            }
        }
        Ok(None)
    }

    /// Until when others may join all of them.
    pub(super) fn joined_until(&self) -> Option<Instant> {
        self.some().map(|one| one.term.joined_until).min()
    }

    /// Those that keep one of the threads still.
    fn some(&self) -> impl Iterator<Item = &Arc<Suspension>> {
        let in_common = self.0.iter().filter(|(one, named)| one.keeps(named));
        in_common.map(|(one, _)| one)
    }
}

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
    use std::cell::{Cell, RefCell};
    use std::ptr::{self, NonNull};

    use jni::sys::jint;
    use jvmti::sys;

    use super::*;
    use crate::environment::gate::{self, Me};
    use crate::environment::handles;
    use crate::thread::paper::with_jni;
    use crate::thread::suspended::{Term, globals};

    thread_local! {
        static HASHED: Cell<usize> = const { Cell::new(0) };
        static RESUMED: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
    }

    /// Threads of one hundred have one hash code.
    unsafe extern "system" fn hash(_: *mut sys::Env, object: jobject, hash: *mut jint) -> Error {
        if object.is_null() {
            return Error::INVALID_OBJECT;
        }
        HASHED.set(HASHED.get() + 1);
        // SAFETY: the layer lends a place for it.
        unsafe { *hash = i32::try_from(object.addr() / 100).unwrap() };
        Error::NONE
    }

    unsafe extern "system" fn resume(
        _: *mut sys::Env,
        count: jint,
        threads: *const jobject,
        results: *mut Error,
    ) -> Error {
        for place in 0..usize::try_from(count).unwrap() {
            // SAFETY: the layer lends as many of both.
            unsafe {
                RESUMED.with_borrow_mut(|resumed| resumed.push((*threads.add(place)).addr()));
                *results.add(place) = Error::NONE;
            }
        }
        Error::NONE
    }

    fn inside() -> Inside {
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable {
            GetObjectHashCode: Some(hash),
            ResumeThreadList: Some(resume),
            ..sys::FunctionTable::default()
        }));
        let cell: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and its table answers what is asked here.
        let env = unsafe { jvmti::OwnedEnv::from_raw(NonNull::from(cell)) };
        let handle = handles::publish(env.leak(), None).unwrap();
        let me = Me::new(ptr::from_ref(&HASHED).cast_mut().cast());
        gate::enter(me, handle.cast_signed()).unwrap()
    }

    fn threads(jni: &Env<'_>, numbers: &[usize]) -> Vec<JThread<'static>> {
        let raw = |&number| ptr::without_provenance_mut(number);
        // SAFETY: the paper VM looks at no reference.
        let thread = |number| unsafe { mem::transmute(JThread::from_raw(jni, raw(number))) };
        numbers.iter().map(thread).collect()
    }

    fn term(jni: &Env<'_>) -> Term {
        let deadline = Instant::now() + Duration::from_secs(3600);
        let asked_by = globals(jni, &threads(jni, &[999])).unwrap().remove(0);
        let asked_by = Arc::new(asked_by);
        mem::forget(Arc::clone(&asked_by));
        Term {
            asked_by,
            standstill: false,
            deadline,
            joined_until: deadline,
        }
    }

    /// Of a list, each thread of which was suspended at the first of its places.
    fn suspended(jni: &Env<'_>, env: &Inside, numbers: &[usize]) -> Arc<Suspension> {
        let threads = Arc::new(globals(jni, &threads(jni, numbers)).unwrap());
        // There is no VM that could delete them.
        mem::forget(Arc::clone(&threads));
        let mut results = vec![Error::THREAD_SUSPENDED; numbers.len()];
        for (place, number) in numbers.iter().enumerate() {
            if !numbers[..place].contains(number) {
                results[place] = Error::NONE;
            }
        }
        Arc::new(Suspension::new(
            env,
            threads,
            &results,
            Shared::new(),
            term(jni),
        ))
    }

    fn listed(jni: &Env<'_>, env: &Inside, all: &[Arc<Suspension>], numbers: &[usize]) -> InCommon {
        let threads = threads(jni, numbers);
        let under_way = UnderWay(all.to_vec());
        let listed = under_way.listed(jni, env, &threads.iter().collect::<Vec<_>>());
        listed.unwrap()
    }

    /// Whom its end resumes.
    fn resumed(one: &Suspension) -> Vec<usize> {
        RESUMED.take();
        one.resume();
        RESUMED.take()
    }

    #[test]
    fn a_thread_that_is_in_both_lists_often_is_named_once() {
        with_jni(|jni| {
            let env = inside();
            let one = suspended(jni, &env, &[7; 1_000]);
            let all = listed(jni, &env, &[one], &[7; 1_000]);
            let (_, named) = &all.0[0];
            assert_eq!(named.len(), 1);
            assert_eq!(named[0].names.len(), 1);
            assert_eq!(named[0].places, Vec::from_iter(0..1_000));
        });
    }

    #[test]
    fn a_list_is_hashed_once_however_much_is_under_way() {
        with_jni(|jni| {
            let env = inside();
            let of_two = |number| suspended(jni, &env, &[number, number + 1]);
            let all: Vec<_> = (0..50).map(|number| of_two(100 + 2 * number)).collect();
            HASHED.set(0);
            let list = Vec::from_iter(1..=10);
            listed(jni, &env, &all, &list);
            assert_eq!(HASHED.take(), 50 * 2 + 10);
            listed(jni, &env, &all, &list);
            assert_eq!(HASHED.take(), 10, "of those under way it is known");
        });
    }

    #[test]
    fn threads_with_one_hash_code_are_told_apart_and_a_null_is_none() {
        with_jni(|jni| {
            let env = inside();
            let one = suspended(jni, &env, &[101, 102, 103, 201]);
            let all = listed(jni, &env, &[Arc::clone(&one)], &[0, 102, 0, 103, 104]);
            one.leave(&all.0[0].1);
            assert_eq!(resumed(&one), [101, 201]);
        });
    }

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
    fn who_would_keep_it_past_the_first_deadline_waits() {
        with_jni(|jni| {
            let env = inside();
            let soon = Instant::now() + Duration::from_secs(1800);
            let late = Instant::now() + Duration::from_secs(7200);
            for (joined_until, waits) in [(soon, false), (Instant::now(), true)] {
                let mut one = suspended(jni, &env, &[1, 2]);
                Arc::get_mut(&mut one).unwrap().term.joined_until = joined_until;
                let all = listed(jni, &env, &[Arc::clone(&one)], &[2]);
                let [other, himself] = [threads(jni, &[5]), threads(jni, &[999])];
                let lengthened = |who: &[JThread<'_>], until| {
                    let found = all.lengthened(jni, &who[0], until).unwrap();
                    found.is_some()
                };
                assert_eq!(lengthened(&other, late), waits);
                assert!(!lengthened(&other, soon), "it stands for longer anyway");
                assert!(!lengthened(&himself, late), "he waits for nobody");
                assert_eq!(all.joined_until(), Some(joined_until));
                let none = listed(jni, &env, &[Arc::clone(&one)], &[3]);
                assert!(none.lengthened(jni, &other[0], late).unwrap().is_none());
                // Somebody resumes it, and nobody has to wait any more.
                one.leave(&all.0[0].1);
                assert!(!lengthened(&other, late));
                assert_eq!(all.joined_until(), None);
            }
        });
    }
}
