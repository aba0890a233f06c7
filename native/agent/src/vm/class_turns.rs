//! Who changes classes, or what is set in them: of those who mean the same class one at a time.
//!
//! Whoever gives a class another class file does it himself, for the VM calls Java on him: class loaders, and the
//! transformers of other agents, which could keep the steward for ever. Meanwhile the VM keeps everybody else from the
//! class, without a bound, though he may be suspended. And it sets and clears breakpoints without regard to that, and
//! then ends in the middle ("no original bytecode found"; 17, 21, 25: a plain agent sees it, too). So those of us who
//! change the same class take turns before they ask the VM, and with a bound.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::JClass;
use jni::refs::Global;

use crate::failure::{Failure, Outcome};
use crate::vm::image;
use crate::vm::patience::{LONG, Patience, ROUND};
use crate::vm::steward;

/// Never held across a call into the VM.
static CHANGES: Mutex<Changes> = Mutex::new(Changes::new());
/// Rung when one ends, or leaves, for those who have no place of their own to wait at.
static ENDED: Condvar = Condvar::new();

/// Those who change something or wait for that, in the order in which they came.
struct Changes {
    all: Vec<Change>,
    next: u64,
}

struct Change {
    number: u64,
    /// Who asks for it: in the middle of a change he has no need to wait for himself. [`NOBODY`] once the steward does it
    /// for him: then it goes on when he has given up.
    thread: usize,
    classes: Arc<Classes>,
    /// Those who came before and mean one of the same classes, in their order.
    rivals: Vec<u64>,
    is_under_way: bool,
    /// When he was last seen to wait, and before whom he would go then.
    seen: Instant,
    overtakes: Overtakes,
    /// Rung when it may be his turn: if all were woken who wait, each of a thousand would cost all others a moment.
    bell: Arc<Condvar>,
}

/// No thread's.
const NOBODY: usize = 0;

/// With their hash codes, in the order of those.
type Classes = Vec<(i32, Global<JClass<'static>>)>;

/// A place among those; it is left with its last copy.
#[derive(Clone)]
pub(crate) struct Place(Arc<Number>);

struct Number(u64);

/// It is this one's turn, until this is dropped.
pub(crate) struct Turn(Place);

/// Who waits for his turn, or for others to take it for him.
pub(crate) struct Waiting {
    place: Place,
    patience: Patience,
    overtakes: Overtakes,
}

/// Before whom of those who came earlier and only wait somebody goes: one of them may be suspended there.
#[derive(Clone, Copy)]
pub(crate) enum Overtakes {
    None,
    /// Who has not been seen for longer than whoever is not suspended stays away. If the others were overtaken, too, one
    /// of very many could wait in vain.
    Unseen,
    All,
}

const STAYS_AWAY: Duration = ROUND.saturating_mul(2);

/// Waits until nobody else changes one of `classes`.
pub(crate) fn wait(jni: &Env<'_>, classes: &[&JClass<'_>]) -> Outcome<Turn> {
    let mut waiting = Waiting::of(jni, classes)?;
    loop {
        if let Some(turn) = waiting.place.begin(waiting.overtakes, |_| ()) {
            return Ok(turn);
        }
        waiting.rest(jni)?;
    }
}

/// How long a moment is.
const MOMENT: Duration = Duration::from_millis(10);

/// For who looks again and again whether something that takes a moment is over.
pub(crate) fn rest_a_moment(jni: &Env<'_>) -> Outcome<()> {
    let rested = ENDED.wait_timeout(lock(), MOMENT);
    drop(rested.unwrap_or_else(PoisonError::into_inner));
    steward::pass_through_vm(jni)
}

/// Waits, with a bound, until the steward is done with what he does in `class`: for who is in the middle of changing it
/// without a turn.
pub(crate) fn wait_for_steward(jni: &Env<'_>, class: &JClass<'_>) -> Outcome<()> {
    let place = Place::among(jni, &[class])?;
    let rested =
        ENDED.wait_timeout_while(lock(), LONG, |now| now.is_stewards_beside(place.number()));
    drop(rested.unwrap_or_else(PoisonError::into_inner));
    Ok(())
}

impl Waiting {
    pub(crate) fn of(jni: &Env<'_>, classes: &[&JClass<'_>]) -> Outcome<Self> {
        let place = Place::among(jni, classes)?;
        let patience = Patience::new(lock().before(place.number()));
        Ok(Self {
            place,
            patience,
            overtakes: Overtakes::None,
        })
    }

    pub(crate) fn place(&self) -> Place {
        self.place.clone()
    }

    pub(crate) fn overtakes(&self) -> Overtakes {
        self.overtakes
    }

    /// Until it may be his turn, or for a while.
    pub(crate) fn rest(&mut self, jni: &Env<'_>) -> Outcome<()> {
        let number = self.place.number();
        let mut changes = lock();
        let Some(own) = changes.find(number) else {
            return Ok(());
        };
        own.seen = Instant::now();
        own.overtakes = self.overtakes;
        let bell = Arc::clone(&own.bell);
        let rested = bell.wait_timeout_while(changes, ROUND, |now| {
            !now.is_turn_of(number, self.overtakes)
        });
        let (now, rest) = rested.unwrap_or_else(PoisonError::into_inner);
        let before = now.before(number);
        drop(now);
        // Here he stops if he is suspended.
        steward::pass_through_vm(jni)?;
        if rest.timed_out() {
            self.overtakes = Overtakes::Unseen;
            if self.patience.is_over(before) {
                return Err(kept());
            }
        }
        Ok(())
    }
}

impl Place {
    /// A place behind all others.
    pub(crate) fn among(jni: &Env<'_>, classes: &[&JClass<'_>]) -> Outcome<Self> {
        let plain = image::plain()?;
        let mut hashed = Classes::with_capacity(classes.len());
        for class in classes {
            let hash = match class.is_null() {
                // The VM says what it thinks of that.
                true => 0,
                false => plain.object_hash_code(class)?,
            };
            hashed.push((hash, jni.new_global_ref(*class)?));
        }
        hashed.sort_unstable_by_key(|(hash, _)| *hash);
        let classes = Arc::new(hashed);
        let (number, others) = lock().push(jni.get_raw().addr(), &classes);
        let place = Self(Arc::new(Number(number)));
        let mut rivals = Vec::new();
        for (other, theirs) in others {
            if have_one_in_common(jni, &classes, &theirs)? {
                rivals.push(other);
            }
        }
        if let Some(own) = lock().find(number) {
            own.rivals = rivals;
        }
        Ok(place)
    }

    fn number(&self) -> u64 {
        self.0.0
    }

    /// Its turn, if it is that now. By the steward, for whoever asks.
    pub(crate) fn take(&self, overtakes: Overtakes) -> Option<Turn> {
        self.begin(overtakes, |own| own.thread = NOBODY)
    }

    fn begin(&self, overtakes: Overtakes, by: impl FnOnce(&mut Change)) -> Option<Turn> {
        let mut changes = lock();
        let number = self.number();
        if !changes.is_turn_of(number, overtakes) {
            return None;
        }
        let own = changes.find(number)?;
        own.is_under_way = true;
        by(own);
        Some(Turn(self.clone()))
    }

    /// Its turn, if it comes within a bound, before all who only wait. By the steward.
    pub(crate) fn take_within(&self, bound: Duration) -> Option<Turn> {
        let rested = ENDED.wait_timeout_while(lock(), bound, |now| {
            !now.is_turn_of(self.number(), Overtakes::All)
        });
        drop(rested.unwrap_or_else(PoisonError::into_inner));
        self.take(Overtakes::All)
    }
}

impl Turn {
    /// From here on it is the steward's.
    pub(crate) fn pass_on(&self) {
        if let Some(own) = lock().find(self.0.number()) {
            own.thread = NOBODY;
        }
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        let mut changes = lock();
        let at = changes.all.iter().position(|one| one.number == self.0);
        let gone = at.map(|at| changes.all.remove(at));
        let bells = gone.as_ref().map(|gone| changes.bells_after(gone));
        drop(changes);
        ring(bells.unwrap_or_default());
        // Its classes are the VM's.
        drop(gone);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut changes = lock();
        let Some(own) = changes.find(self.0.number()) else {
            return;
        };
        own.is_under_way = false;
        let bells = changes.bells_of(self.0.number());
        drop(changes);
        ring(bells);
    }
}

fn ring(bells: Vec<Arc<Condvar>>) {
    bells.iter().for_each(|bell| bell.notify_all());
    ENDED.notify_all();
}

impl Changes {
    const fn new() -> Self {
        Self {
            all: Vec::new(),
            next: 0,
        }
    }

    /// Answers its number, and who is there already, of other threads.
    fn push(&mut self, thread: usize, classes: &Arc<Classes>) -> (u64, Vec<(u64, Arc<Classes>)>) {
        let others = self.all.iter().filter(|one| one.thread != thread);
        let others = others.map(|one| (one.number, Arc::clone(&one.classes)));
        let others = others.collect();
        let number = self.next;
        self.next += 1;
        self.all.push(Change {
            number,
            thread,
            classes: Arc::clone(classes),
            rivals: Vec::new(),
            is_under_way: false,
            seen: Instant::now(),
            overtakes: Overtakes::None,
            bell: Arc::default(),
        });
        (number, others)
    }

    /// It is there as long as its place is.
    fn find(&mut self, number: u64) -> Option<&mut Change> {
        self.all.iter_mut().find(|one| one.number == number)
    }

    fn is_turn_of(&self, number: u64, overtakes: Overtakes) -> bool {
        let Some(own) = self.all.iter().find(|one| one.number == number) else {
            return false;
        };
        // Others may wait for what its thread is in the middle of.
        let is_within = |one: &Change| one.thread == own.thread && one.is_under_way;
        let is_in_the_middle = own.thread != NOBODY && self.all.iter().any(is_within);
        let is_overtaken = |one: &Change| match overtakes {
            _ if is_in_the_middle => true,
            Overtakes::None => false,
            Overtakes::Unseen => one.is_away(),
            Overtakes::All => true,
        };
        let goes_before =
            |one: &Change| one.is_under_way || (one.number < own.number && !is_overtaken(one));
        let mut rivals = self.all.iter().filter(|one| own.is_rival_of(one));
        !rivals.any(goes_before)
    }

    /// Whether the steward is in the middle of something in one of its classes.
    fn is_stewards_beside(&self, number: u64) -> bool {
        let own = self.all.iter().find(|one| one.number == number);
        own.is_some_and(|own| {
            let mut rivals = self.all.iter().filter(|one| own.is_rival_of(one));
            rivals.any(|one| one.is_under_way && one.thread == NOBODY)
        })
    }

    /// Of those whose turn it is once `over` is over: of rivals only the first, unless he has not been seen for long.
    fn bells_after(&self, over: &Change) -> Vec<Arc<Condvar>> {
        let mut next: Vec<&Change> = Vec::new();
        let mut bells = Vec::new();
        let waits = |one: &&Change| !one.is_under_way && over.is_rival_of(one);
        for one in self.all.iter().filter(waits) {
            // It cannot be his turn, which is soon seen; to look at all is not, where a thousand wait.
            let is_later = next.iter().any(|first| first.is_rival_of(one));
            if is_later || !self.is_turn_of(one.number, one.overtakes) {
                continue;
            }
            bells.push(Arc::clone(&one.bell));
            if !one.is_away() {
                next.push(one);
            }
        }
        bells
    }

    fn bells_of(&self, number: u64) -> Vec<Arc<Condvar>> {
        let over = self.all.iter().find(|one| one.number == number);
        over.map_or_else(Vec::new, |over| self.bells_after(over))
    }

    /// How many rivals that came before are still there: never more than before.
    fn before(&self, number: u64) -> u64 {
        let all = self.all.iter();
        let own = all.clone().find(|one| one.number == number);
        let rivals = own.map_or(&[] as &[u64], |own| &own.rivals);
        all.filter(|one| rivals.binary_search(&one.number).is_ok())
            .count() as u64
    }
}

impl Change {
    /// Whether he may be suspended.
    fn is_away(&self) -> bool {
        self.seen.elapsed() > STAYS_AWAY
    }

    fn is_rival_of(&self, other: &Self) -> bool {
        let is_before = |one: &Self, rivals: &[u64]| rivals.binary_search(&one.number).is_ok();
        is_before(other, &self.rivals) || is_before(self, &other.rivals)
    }
}

fn have_one_in_common(jni: &Env<'_>, ours: &Classes, theirs: &Classes) -> Outcome<bool> {
    for (hash, our) in ours {
        let from = theirs.partition_point(|(other, _)| other < hash);
        for (_, their) in theirs[from..].iter().take_while(|(other, _)| other == hash) {
            if jni.is_same_object(our, their)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn kept() -> Failure {
    Failure::Stalled(
        "another thread has been changing one of these classes for 5 seconds; it may be suspended"
            .to_owned(),
    )
}

fn lock() -> MutexGuard<'static, Changes> {
    CHANGES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each is of a thread, and means the same class as those before it that are named.
    fn changes(all: &[(usize, &[u64])]) -> Changes {
        let mut changes = Changes::new();
        for (thread, rivals) in all {
            let (number, _) = changes.push(*thread, &Arc::new(Vec::new()));
            changes.find(number).unwrap().rivals = rivals.to_vec();
        }
        changes
    }

    #[test]
    fn rivals_have_their_turn_in_the_order_in_which_they_came() {
        let mut changes = changes(&[(1, &[]), (2, &[0]), (3, &[]), (4, &[0, 1])]);
        assert!(changes.is_turn_of(0, Overtakes::None));
        assert!(!changes.is_turn_of(1, Overtakes::None));
        assert!(
            changes.is_turn_of(2, Overtakes::None),
            "it means another class"
        );
        changes.all.remove(0);
        assert!(changes.is_turn_of(1, Overtakes::None));
        assert!(!changes.is_turn_of(3, Overtakes::None));
        assert_eq!(changes.before(3), 1);
    }

    #[test]
    fn who_only_waits_is_overtaken_and_who_is_under_way_is_not() {
        let mut changes = changes(&[(1, &[]), (2, &[0])]);
        assert!(changes.is_turn_of(1, Overtakes::All));
        changes.find(1).unwrap().is_under_way = true;
        assert!(
            !changes.is_turn_of(0, Overtakes::All),
            "nor by one who came before"
        );
        changes.find(1).unwrap().is_under_way = false;
        changes.find(0).unwrap().is_under_way = true;
        assert!(!changes.is_turn_of(1, Overtakes::All));
    }

    #[test]
    fn who_is_seen_waiting_is_overtaken_only_by_what_has_little_time() {
        let mut changes = changes(&[(1, &[]), (2, &[0])]);
        assert!(!changes.is_turn_of(1, Overtakes::Unseen));
        assert!(changes.is_turn_of(1, Overtakes::All));
        let long_ago = Instant::now().checked_sub(STAYS_AWAY + ROUND).unwrap();
        changes.find(0).unwrap().seen = long_ago;
        assert!(
            changes.is_turn_of(1, Overtakes::Unseen),
            "it may be suspended"
        );
        assert!(!changes.is_turn_of(1, Overtakes::None));
        changes.find(0).unwrap().is_under_way = true;
        assert!(!changes.is_turn_of(1, Overtakes::Unseen));
    }

    /// Who is woken, by number.
    fn woken(changes: &Changes, over: &Change) -> Vec<u64> {
        let bells = changes.bells_after(over);
        let is_among = |one: &&Change| bells.iter().any(|bell| Arc::ptr_eq(bell, &one.bell));
        let woken = changes.all.iter().filter(is_among);
        woken.map(|one| one.number).collect()
    }

    #[test]
    fn of_all_who_wait_for_one_class_only_the_next_is_woken() {
        // The first means two classes, the others one of them, and the last another one.
        let mut changes = changes(&[
            (1, &[]),
            (2, &[0]),
            (3, &[0, 1]),
            (4, &[0]),
            (5, &[0, 3]),
            (6, &[]),
        ]);
        let over = changes.all.remove(0);
        assert_eq!(woken(&changes, &over), [1, 3]);
        let long_ago = Instant::now().checked_sub(STAYS_AWAY + ROUND).unwrap();
        changes.find(1).unwrap().seen = long_ago;
        changes.find(2).unwrap().overtakes = Overtakes::Unseen;
        assert_eq!(woken(&changes, &over), [1, 2, 3], "one may be suspended");
        changes.find(1).unwrap().is_under_way = true;
        changes.find(3).unwrap().is_under_way = true;
        assert_eq!(woken(&changes, &over), [] as [u64; 0]);
    }

    #[test]
    fn what_the_steward_does_goes_before_who_has_asked_for_it_and_gave_up() {
        let mut changes = changes(&[(1, &[]), (1, &[0])]);
        let first = changes.find(0).unwrap();
        first.is_under_way = true;
        first.thread = NOBODY;
        assert!(!changes.is_turn_of(1, Overtakes::All));
        changes.find(1).unwrap().thread = NOBODY;
        assert!(!changes.is_turn_of(1, Overtakes::All));
    }

    /// A place of a thread among all.
    fn place(thread: usize) -> Place {
        let (number, _) = lock().push(thread, &Arc::new(Vec::new()));
        Place(Arc::new(Number(number)))
    }

    /// Whether a thread that asks for more is told of a place.
    fn is_told_of(place: &Place, thread: usize) -> bool {
        let (number, others) = lock().push(thread, &Arc::new(Vec::new()));
        drop(Place(Arc::new(Number(number))));
        others.iter().any(|(other, _)| *other == place.number())
    }

    #[test]
    fn whoever_gave_up_is_told_of_what_the_steward_still_does_for_him() {
        const ME: usize = 77;
        let own = place(ME);
        let turn = own.begin(Overtakes::None, |_| ()).unwrap();
        assert!(!is_told_of(&own, ME), "he is in the middle of it himself");
        turn.pass_on();
        assert!(is_told_of(&own, ME), "the steward does the rest of it");
        let asked = place(ME);
        let _turn = asked.take(Overtakes::None).unwrap();
        assert!(is_told_of(&asked, ME), "the steward does all of it");
    }

    #[test]
    fn nobody_waits_for_those_who_wait_for_himself() {
        let mut changes = changes(&[(1, &[]), (2, &[0]), (1, &[1])]);
        changes.find(0).unwrap().is_under_way = true;
        assert!(changes.is_turn_of(2, Overtakes::None));
    }
}
