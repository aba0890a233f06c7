//! What is kept of early events: so much and no more, and what has no room is counted. The lock is held for moments in which
//! nobody calls the VM.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use jni::strings::JNIString;
use jvmti::MethodId;
use jvmti::sys::{Event, Phase};

/// How many there is room for, and how many bytes of text.
const EVENTS: usize = 1 << 14;
const BYTES: usize = 1 << 20;

/// What an event says, besides what it is.
#[derive(Default)]
pub(super) struct Said {
    pub(super) text: Option<JNIString>,
    pub(super) number: i64,
    pub(super) method: Option<MethodId>,
}

/// An event.
#[derive(Clone)]
pub(crate) struct Kept {
    pub(crate) event: Event,
    pub(crate) phase: Phase,
    /// How many nanoseconds after the recording began.
    pub(crate) after: i64,
    /// A class, with slashes, or its descriptor; or a thread.
    pub(crate) text: Option<JNIString>,
    /// The size of a class file, or an address.
    pub(crate) number: i64,
    pub(crate) method: Option<MethodId>,
}

/// All that was kept.
#[derive(Clone)]
pub(crate) struct AllKept {
    pub(crate) asked: Vec<Event>,
    /// When the recording began, in nanoseconds since 1970.
    pub(crate) began: i64,
    pub(crate) events: Vec<Kept>,
    pub(crate) lost: i64,
}

struct Store {
    all: AllKept,
    since: Instant,
    /// How many bytes of text there still is room for.
    room: usize,
    has_ended: bool,
}

static STORE: Mutex<Option<Store>> = Mutex::new(None);

fn store() -> MutexGuard<'static, Option<Store>> {
    STORE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps those from now on.
pub(super) fn begin(asked: &[Event]) {
    *store() = Some(Store::of(asked, EVENTS, BYTES));
}

/// Whether that event is to be kept.
pub(super) fn wants(event: Event) -> bool {
    let store = store();
    store
        .as_ref()
        .is_some_and(|store| !store.has_ended && store.all.asked.contains(&event))
}

pub(super) fn keep(event: Event, phase: Phase, said: Said) {
    if let Some(store) = &mut *store() {
        store.keep(event, phase, said);
    }
}

/// Keeps no more.
pub(super) fn end() {
    if let Some(store) = &mut *store() {
        store.has_ended = true;
        store.all.events.shrink_to_fit();
    }
}

/// What has been kept so far; none if nobody asked for anything.
pub(crate) fn read() -> Option<AllKept> {
    store().as_ref().map(|store| store.all.clone())
}

impl Store {
    fn of(asked: &[Event], events: usize, bytes: usize) -> Self {
        let began = SystemTime::now().duration_since(UNIX_EPOCH);
        let began = began.map_or(0, |since| since.as_nanos());
        Self {
            all: AllKept {
                asked: asked.to_vec(),
                began: i64::try_from(began).unwrap_or(i64::MAX),
                events: Vec::with_capacity(events),
                lost: 0,
            },
            since: Instant::now(),
            room: bytes,
            has_ended: false,
        }
    }

    fn keep(&mut self, event: Event, phase: Phase, said: Said) {
        if self.has_ended {
            return;
        }
        let length = said.text.as_ref().map_or(0, |text| text.to_bytes().len());
        if self.all.events.len() == self.all.events.capacity() || length > self.room {
            self.all.lost += 1;
            return;
        }
        self.room -= length;
        let after = self.since.elapsed().as_nanos();
        self.all.events.push(Kept {
            event,
            phase,
            after: i64::try_from(after).unwrap_or(i64::MAX),
            text: said.text,
            number: said.number,
            method: said.method,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(name: &str) -> Said {
        Said {
            text: Some(JNIString::from(name)),
            ..Said::default()
        }
    }

    #[test]
    fn what_has_no_room_is_counted() {
        let event = Event::CLASS_FILE_LOAD_HOOK;
        let mut store = Store::of(&[event], 3, 10);
        for name in ["seven77", "four", "abc", "", "one too many"] {
            store.keep(event, Phase::START, hook(name));
        }
        let texts = store.all.events.iter().map(|one| one.text.as_ref());
        let texts: Vec<_> = texts.flatten().map(|text| text.to_str()).collect();
        assert_eq!(texts, ["seven77", "abc", ""]);
        assert_eq!(store.all.lost, 2);
        let after: Vec<_> = store.all.events.iter().map(|one| one.after).collect();
        assert!(after.is_sorted());
    }

    #[test]
    fn after_the_end_nothing_is_kept_or_lost() {
        let mut store = Store::of(&[Event::VM_INIT], 1, 0);
        store.has_ended = true;
        store.keep(Event::VM_INIT, Phase::LIVE, Said::default());
        assert!(store.all.events.is_empty());
        assert_eq!(store.all.lost, 0);
    }
}
