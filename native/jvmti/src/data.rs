//! What an agent keeps for each of its environments.

use std::any::Any;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::env::Env;
use crate::error::{Error, Result};
use crate::sys;

type Data = &'static (dyn Any + Send + Sync);

/// The first list has so many places, and each further one twice as many as the one before.
const FIRST: usize = 16;
const LISTS: usize = 24;

/// All data that was ever set, by number: what an environment has in its storage may be any number, and none is
/// taken for an address.
static LISTED: [OnceLock<Box<[OnceLock<Data>]>>; LISTS] = [const { OnceLock::new() }; LISTS];
static NEXT: AtomicUsize = AtomicUsize::new(0);

impl Env {
    /// Keeps `data` for this environment, for whoever asks it by [`data`](Self::data): most often a
    /// [`Listener`](crate::Listener). It takes the place of
    /// [what the environment's storage was](Self::set_environment_local_storage).
    ///
    /// Each call takes some bytes for good.
    ///
    /// Phase: any. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_OUT_OF_MEMORY` after some hundred million calls.
    #[doc(alias = "SetEnvironmentLocalStorage")]
    pub fn set_data<T: Any + Send + Sync>(&self, data: &'static T) -> Result<()> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let Some((list, place)) = place_of(number) else {
            NEXT.fetch_sub(1, Ordering::Relaxed);
            return Err(Error::new(
                "SetEnvironmentLocalStorage",
                sys::Error::OUT_OF_MEMORY,
            ));
        };
        let places =
            LISTED[list].get_or_init(|| (0..FIRST << list).map(|_| OnceLock::new()).collect());
        let _ = places[place].set(data);
        self.set_environment_local_storage(number as i64 + 1)
    }

    /// What was [kept](Self::set_data) for this environment; none if nothing was, or something of another type.
    ///
    /// Phase: any. Capability: none.
    #[doc(alias = "GetEnvironmentLocalStorage")]
    #[inline]
    pub fn data<T: Any>(&self) -> Option<&'static T> {
        let number = self.environment_local_storage().ok()?.checked_sub(1)?;
        let (list, place) = place_of(usize::try_from(number).ok()?)?;
        LISTED[list].get()?[place].get()?.downcast_ref()
    }
}

/// In which list, and where in that.
fn place_of(number: usize) -> Option<(usize, usize)> {
    let list = (number / FIRST + 1).ilog2() as usize;
    (list < LISTS).then(|| (list, number + FIRST - (FIRST << list)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_a_place_of_its_own() {
        let mut next = (0, 0);
        for number in 0..10_000 {
            let (list, place) = place_of(number).unwrap();
            assert!(place < FIRST << list);
            assert!((list, place) == next || (list, place) == (next.0 + 1, 0));
            next = (list, place + 1);
        }
        assert_eq!(place_of(usize::MAX / 2), None);
        let last = FIRST * ((1 << LISTS) - 1);
        assert_eq!(
            place_of(last - 1),
            Some((LISTS - 1, (FIRST << (LISTS - 1)) - 1))
        );
        assert_eq!(place_of(last), None);
    }
}
