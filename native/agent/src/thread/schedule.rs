//! What is to end, in the order in which it is due.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Things by their token, of which the one that is due first is found without a look at the others.
pub(super) struct Schedule<T> {
    all: BTreeMap<i64, (Instant, T)>,
    order: BTreeSet<(Instant, i64)>,
}

impl<T> Schedule<T> {
    pub(super) const fn new() -> Self {
        Self {
            all: BTreeMap::new(),
            order: BTreeSet::new(),
        }
    }

    /// Every `token` comes once.
    pub(super) fn add(&mut self, token: i64, due: Instant, what: T) {
        self.all.insert(token, (due, what));
        self.order.insert((due, token));
    }

    /// What is due first, and when.
    pub(super) fn first(&self) -> Option<(Instant, &T)> {
        let (due, token) = self.order.first()?;
        self.all.get(token).map(|(_, what)| (*due, what))
    }

    /// It is due at `when`, if it was not due earlier: what is late already keeps its turn.
    pub(super) fn hasten(&mut self, token: i64, when: Instant) -> Option<&T> {
        let (due, what) = self.all.get_mut(&token)?;
        if when < *due {
            self.order.remove(&(*due, token));
            self.order.insert((when, token));
            *due = when;
        }
        Some(what)
    }

    /// Allocates nothing.
    pub(super) fn remove(&mut self, token: i64) -> Option<T> {
        let (due, what) = self.all.remove(&token)?;
        self.order.remove(&(due, token));
        Some(what)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &T> {
        self.all.values().map(|(_, what)| what)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn drained(mut schedule: Schedule<i64>) -> Vec<i64> {
        let mut tokens = Vec::new();
        while let Some((_, &token)) = schedule.first() {
            tokens.push(token);
            assert_eq!(schedule.remove(token), Some(token));
        }
        assert_eq!(schedule.all().count(), 0);
        tokens
    }

    /// Tokens 1 to 4, the last of which is due first, and the moment at which token 4 is.
    fn four() -> (Schedule<i64>, Instant) {
        let start = Instant::now();
        let mut schedule = Schedule::new();
        for token in 1..=4_i64 {
            let due = start + Duration::from_secs(10 - token.cast_unsigned());
            schedule.add(token, due, token);
        }
        (schedule, start + Duration::from_secs(6))
    }

    #[test]
    fn what_is_due_first_comes_first() {
        let (schedule, due) = four();
        assert_eq!(schedule.first(), Some((due, &4)));
        assert_eq!(drained(schedule), [4, 3, 2, 1]);
    }

    #[test]
    fn what_ends_earlier_comes_before_the_others() {
        let (mut schedule, due) = four();
        let early = due - Duration::from_secs(1);
        assert_eq!(schedule.hasten(2, early), Some(&2));
        assert_eq!(schedule.first(), Some((early, &2)));
        assert_eq!(drained(schedule), [2, 4, 3, 1]);
    }

    #[test]
    fn what_is_late_keeps_its_turn() {
        let (mut schedule, due) = four();
        let late = due + Duration::from_secs(60);
        assert_eq!(schedule.hasten(4, late), Some(&4));
        assert_eq!(schedule.first(), Some((due, &4)));
        assert_eq!(drained(schedule), [4, 3, 2, 1]);
    }

    #[test]
    fn of_those_due_at_once_the_older_comes_first() {
        let (mut schedule, due) = four();
        for token in [3, 1, 2] {
            schedule.hasten(token, due);
        }
        assert_eq!(drained(schedule), [1, 2, 3, 4]);
    }

    #[test]
    fn what_is_over_is_not_found() {
        let (mut schedule, due) = four();
        assert_eq!(schedule.remove(3), Some(3));
        assert_eq!(schedule.remove(3), None);
        assert_eq!(schedule.hasten(3, due), None);
        assert_eq!(drained(schedule), [4, 2, 1]);
    }
}
