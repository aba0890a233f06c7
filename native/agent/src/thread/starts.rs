//! When threads have started, remembered: that never changes, and to ask the system costs more than all else that is asked
//! of a thread.
//!
//! They are known by the numbers that Java gives them, of which it uses none again.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::platform;

/// Most of so many have ended.
const MOST: usize = 1 << 16;

/// Held across no call into the VM.
static KNOWN: Mutex<BTreeMap<i64, Duration>> = Mutex::new(BTreeMap::new());

/// Of threads with these `numbers`, where 0 is none, and with these numbers in the operating system.
pub(super) fn of(numbers: &[i64], ids: &[Option<u32>]) -> Vec<Option<Duration>> {
    let known = lock();
    let known = numbers.iter().map(|number| known.get(number).copied());
    let known: Vec<_> = known.collect();
    let asked = known.into_iter().zip(ids);
    asked
        .map(|(known, id)| known.or_else(|| id.and_then(platform::thread_start)))
        .collect()
}

/// Keeps what was told of threads that are still there, and not for ever what was told of others.
pub(super) fn remember(numbers: &[i64], starts: &[Option<Duration>], stays: &[bool]) {
    let mut known = lock();
    if known.len() >= MOST {
        known.clear();
    }
    for ((number, start), stays) in numbers.iter().zip(starts).zip(stays) {
        if let Some(start) = start.filter(|_| *stays && *number != 0) {
            known.insert(*number, start);
        }
    }
}

fn lock() -> MutexGuard<'static, BTreeMap<i64, Duration>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_known_is_not_asked_for_and_who_has_gone_is_forgotten() {
        let told = Duration::from_secs(7);
        remember(&[1, 2, 0], &[Some(told); 3], &[true, false, true]);
        assert_eq!(of(&[1, 2, 0], &[None; 3]), [Some(told), None, None]);
        let many: Vec<_> = (10..10 + MOST as i64).collect();
        remember(
            &many,
            &vec![Some(told); many.len()],
            &vec![true; many.len()],
        );
        remember(&[3], &[Some(told)], &[true]);
        assert_eq!(of(&[1, 3], &[None; 2]), [None, Some(told)]);
    }

    #[test]
    fn who_is_not_known_is_asked_for() {
        let here = Some(platform::current_thread_id());
        assert_eq!(of(&[-1], &[here]), [here.and_then(platform::thread_start)]);
    }
}
