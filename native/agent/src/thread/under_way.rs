//! What has threads suspended for a time, as the others see it.

use std::sync::Arc;
use std::time::Instant;

use jni::Env;
use jni::objects::JThread;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::thread::suspended::{Named, Suspension};
use crate::thread::thread_set::ThreadSet;
use crate::thread::transition;
use crate::thread::virtual_thread::is_virtual;
use crate::thread::watchdog;

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
    pub(super) fn virtual_threads(
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
pub(super) struct InCommon(pub(super) Vec<(Arc<Suspension>, Vec<Named>)>);

impl InCommon {
    pub(super) fn with(jni: &Env<'_>, env: &Inside, threads: &[&JThread<'_>]) -> Outcome<Self> {
        under_way().listed(jni, env, threads)
    }

    /// One that does not allow that `who`, if he has not asked for it himself, keeps some of `threads`, the list that
    /// this was made with, suspended until `deadline`.
    pub(super) fn lengthened(
        &self,
        jni: &Env<'_>,
        env: &Inside,
        who: &JThread<'_>,
        threads: &[JThread<'_>],
        deadline: Instant,
    ) -> Outcome<Option<Arc<Suspension>>> {
        for (one, named) in self.0.iter().filter(|(one, named)| one.keeps(named)) {
            if one.term.allows(deadline) || jni.is_same_object(&*one.term.asked_by, who)? {
                continue;
            }
            if leave_those_that_run(jni, env, one, named, threads)? {
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

/// Whoever resumes a thread knows only of those who had it suspended before, and `one` may have joined them since: it has
/// it still, though it runs. Looks until one is found that stands still, and whether there is one: for each question the VM
/// goes through all virtual threads that are suspended. Called by the steward, who alone suspends.
fn leave_those_that_run(
    jni: &Env<'_>,
    env: &Inside,
    one: &Suspension,
    named: &[Named],
    threads: &[JThread<'_>],
) -> Outcome<bool> {
    for again in named.chunks(1).filter(|again| one.keeps(again)) {
        let place = again[0].places.first();
        let Some(thread) = place.and_then(|&place| threads.get(place)) else {
            continue;
        };
        if transition::is_suspended(jni, env, thread)? {
            return Ok(true);
        }
        one.leave(again);
    }
    Ok(false)
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use super::*;
    use crate::thread::suspended::on_paper::{HASHED, RUNS, inside, resumed, suspended, threads};
    use crate::vm::paper::with_jni;

    pub(in crate::thread) fn listed(
        jni: &Env<'_>,
        env: &Inside,
        all: &[Arc<Suspension>],
        numbers: &[usize],
    ) -> InCommon {
        let threads = threads(jni, numbers);
        let under_way = UnderWay(all.to_vec());
        let listed = under_way.listed(jni, env, &threads.iter().collect::<Vec<_>>());
        listed.unwrap()
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
                    let list = threads(jni, &[2]);
                    let found = all.lengthened(jni, &env, &who[0], &list, until).unwrap();
                    found.is_some()
                };
                assert_eq!(lengthened(&other, late), waits);
                assert!(!lengthened(&other, soon), "it stands for longer anyway");
                assert!(!lengthened(&himself, late), "he waits for nobody");
                assert_eq!(all.joined_until(), Some(joined_until));
                let none = listed(jni, &env, &[Arc::clone(&one)], &[3]);
                let list = threads(jni, &[3]);
                let waits_for = none.lengthened(jni, &env, &other[0], &list, late).unwrap();
                assert!(waits_for.is_none());
                // Somebody resumes it, and nobody has to wait any more.
                one.leave(&all.0[0].1);
                assert!(!lengthened(&other, late));
                assert_eq!(all.joined_until(), None);
            }
        });
    }

    #[test]
    fn nobody_waits_for_one_that_has_a_thread_which_runs() {
        with_jni(|jni| {
            let env = inside();
            let late = Instant::now() + Duration::from_secs(7200);
            let mut one = suspended(jni, &env, &[1, 2]);
            Arc::get_mut(&mut one).unwrap().term.joined_until = Instant::now();
            let other = threads(jni, &[5]);
            let waits = |numbers: &[usize]| {
                let all = listed(jni, &env, &[Arc::clone(&one)], numbers);
                let list = threads(jni, numbers);
                all.lengthened(jni, &env, &other[0], &list, late)
                    .unwrap()
                    .is_some()
            };
            RUNS.set(2);
            assert!(waits(&[2, 1]), "the other is suspended");
            assert!(!waits(&[2]));
            RUNS.set(0);
            assert!(!waits(&[2]), "it has it no more");
            assert_eq!(resumed(&one), [1]);
        });
    }
}
