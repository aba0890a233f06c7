//! Whether threads may be interpreted, for events that an environment of this library asks for.
//!
//! HotSpot then tells of the end of a method that returns early, and takes what is returned for what the method has on
//! its stack where it was left: a collection meanwhile does not find an object, or takes a number for one.

use std::sync::atomic::{AtomicUsize, Ordering};

use jvmti::sys::Event;

use crate::failure::{Failure, Outcome};
use crate::thread::returned::Returned;

const INTERPRETED: &str = "an environment of this library asks for single steps, or for entries, exits or pops of methods: the JVM would lose an object, or crash for anything else in the middle of a method, if it collected garbage meanwhile";

/// For what HotSpot has threads interpreted.
const INTERPRETS: [Event; 4] = [
    Event::SINGLE_STEP,
    Event::METHOD_ENTRY,
    Event::METHOD_EXIT,
    Event::FRAME_POP,
];

static ASKED: AtomicUsize = AtomicUsize::new(0);

/// Whether it has threads interpreted.
pub(crate) fn is_for(event: Event) -> bool {
    INTERPRETS.contains(&event)
}

/// As long as somebody asks for such an event.
pub(crate) struct Interpreted(());

impl Interpreted {
    /// None if it is another event.
    pub(crate) fn if_for(event: Event) -> Option<Self> {
        is_for(event).then(|| {
            ASKED.fetch_add(1, Ordering::SeqCst);
            Self(())
        })
    }
}

impl Drop for Interpreted {
    fn drop(&mut self) {
        ASKED.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Refuses what would not arrive, of a method that is left at `location`.
pub(super) fn ensure_arrives(value: &Returned, location: i64) -> Outcome<()> {
    let arrives = match value {
        Returned::Void => true,
        Returned::Object(Some(_)) => false,
        // There is nothing on the method's stack yet. Later a collection would take a `null`, too, for the first one of what
        // a call there hands over.
        _ => location == 0,
    };
    match arrives || ASKED.load(Ordering::SeqCst) == 0 {
        true => Ok(()),
        false => Err(Failure::NotTold(value.function(), INTERPRETED)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_arrives_from_the_beginning_and_anything_while_nobody_is_interpreted() {
        let arrives = |value: &Returned, location| ensure_arrives(value, location).is_ok();
        assert!(arrives(&Returned::Int(1), 5));
        for harmless in [Event::BREAKPOINT, Event::EXCEPTION, Event::FIELD_ACCESS] {
            assert!(Interpreted::if_for(harmless).is_none());
        }
        for event in [Event::SINGLE_STEP, Event::METHOD_ENTRY, Event::METHOD_EXIT] {
            let one = Interpreted::if_for(event);
            assert!(!arrives(&Returned::Int(1), 5), "{}", one.is_some());
        }
        let other = Interpreted::if_for(Event::FRAME_POP);
        assert!(arrives(&Returned::Void, 5) && !arrives(&Returned::Object(None), 5));
        assert!(arrives(&Returned::Object(None), 0));
        assert!(arrives(&Returned::Long(1), 0));
        assert!(!arrives(&Returned::Double(1.0), 1));
        drop(other);
        assert!(arrives(&Returned::Double(1.0), 1));
    }
}
