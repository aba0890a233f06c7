//! Events in the middle of which no Java may run: what they say is kept, and told by a thread of the library's, which
//! is in no Java while it waits: nothing of ours keeps a class loader.

use std::array;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jni::Env;
use jni::strings::JNIStr;
use jni::sys::jvalue;
use jvmti::event::HotSpotEvent;
use jvmti::sys::Event;

use crate::environment::gate::{self, Inside, Me};
use crate::environment::handles;
use crate::environment::listening::{Listening, Untold};
use crate::event::counts::Fate;
use crate::event::kept_values::Value;
use crate::event::kind::{Kind, Source};
use crate::event::ring::Ring;
use crate::event::subscriber::Subscriber;
use crate::event::target::Target;
use crate::event::teller;
use crate::event::telling::{LISTENER, MOST};
use crate::failure::{Failure, Outcome};
use crate::thread::{carrier, native_thread};
use crate::vm::patience::LONG;
use crate::vm::{last_moments, left_behind};

/// The most that one says: the code of a compiled method.
const VALUES: usize = 6;

struct Record {
    kind: usize,
    values: [Value; VALUES],
}

/// What is recorded for an environment.
struct Recording {
    handle: u64,
    /// The places of the kinds that somebody listens to, a bit each.
    heard: AtomicU64,
    ring: Ring<Record>,
    /// When the collection that is under way has begun.
    collecting: Mutex<Option<Instant>>,
}

/// Those of all environments, by their handles: it may be the middle of a collection in which one of a thousand is looked for.
static RECORDINGS: RwLock<Vec<Arc<Recording>>> = RwLock::new(Vec::new());

/// How long the VM's end waits for what has been recorded.
const LAST_MOMENT: Duration = Duration::from_millis(1_500);

fn find(handle: u64) -> Option<Arc<Recording>> {
    let all = RECORDINGS.read().unwrap_or_else(PoisonError::into_inner);
    let place = place(&all, handle).ok()?;
    Some(Arc::clone(&all[place]))
}

/// Where it is, or would be.
#[inline]
fn place(all: &[Arc<Recording>], handle: u64) -> Result<usize, usize> {
    all.binary_search_by_key(&handle, |one| one.handle)
}

/// How many there are.
fn open() -> usize {
    RECORDINGS
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .len()
}

/// Who wants something to be recorded for that environment waits where others have a thread each that is about to leave.
pub(super) fn make_room(handle: u64) {
    if find(handle).is_none() {
        teller::make_room(open);
    }
}

/// Keeps room for what is recorded for that environment, and looks up what it takes to read what those events say. By the
/// steward.
pub(super) fn begin(jni: &mut Env<'_>, env: &Inside, kind: &Kind, kinds: usize) -> Outcome<()> {
    if matches!(
        kind.source,
        Source::OfHotSpot(HotSpotEvent::VirtualThreadMount | HotSpotEvent::VirtualThreadUnmount)
    ) {
        carrier::prepare(jni);
        native_thread::prepare_number(jni)?;
    }
    let handle = env.handle();
    let heard = 1 << kind.place;
    if let Some(one) = find(handle) {
        one.heard.fetch_or(heard, Ordering::Relaxed);
        return Ok(());
    }
    let one = Arc::new(Recording {
        handle,
        heard: AtomicU64::new(heard),
        ring: Ring::new(kinds),
        collecting: Mutex::new(None),
    });
    let mut all = RECORDINGS.write().unwrap_or_else(PoisonError::into_inner);
    if let Err(place) = place(&all, handle) {
        all.insert(place, one);
    }
    drop(all);
    if !env.is_open() {
        // Whoever has closed it since may have come before.
        end(handle);
        return Ok(());
    }
    let mut is_first = true;
    let begun = teller::begin(handle, move |jni| {
        while tell_some(jni, handle, mem::take(&mut is_first)) {}
    });
    if begun.is_err() {
        end(handle);
    }
    begun
}

/// Nobody listens to that kind any more, though the VM may tell of it.
pub(super) fn end_kind(handle: u64, kind: &Kind) {
    if let Some(one) = find(handle) {
        one.heard.fetch_and(!(1 << kind.place), Ordering::Relaxed);
    }
}

/// Nothing is recorded for that environment any more.
pub(super) fn end(handle: u64) {
    let one = find(handle);
    let mut all = RECORDINGS.write().unwrap_or_else(PoisonError::into_inner);
    all.retain(|one| one.handle != handle);
    drop(all);
    if let Some(one) = one {
        one.ring.close();
    }
}

/// Keeps what an event says. It may be the middle of a collection.
pub(super) fn record<const N: usize>(
    env: &jvmti::Env,
    kind: usize,
    source: Source,
    values: impl FnOnce(Value) -> [Value; N],
) {
    let Some(handle) = handles::of(env) else {
        return;
    };
    let took = match source {
        Source::Specified(Event::GARBAGE_COLLECTION_START) => with(handle, Recording::collects),
        Source::Specified(Event::GARBAGE_COLLECTION_FINISH) => {
            with(handle, Recording::has_collected)
        }
        _ => None,
    };
    // Not under the locks: the VM may be asked for the class of a method, and to forget it if there is no room.
    let values = values(took.unwrap_or(Value::Nothing));
    keep(handle, kind, || Record::of(kind, values));
}

/// What is not kept goes after the locks, too.
fn keep(handle: u64, kind: usize, make: impl FnOnce() -> Record) {
    drop(with(handle, |recording| match recording.hears(kind) {
        true => recording.ring.record(kind, make),
        false => Some(make),
    }));
}

impl Record {
    #[inline]
    fn of<const N: usize>(kind: usize, values: [Value; N]) -> Self {
        let mut values = values.into_iter();
        let values = array::from_fn(|_| values.next().unwrap_or_else(|| Value::Nothing));
        Self { kind, values }
    }

    /// What it says in words; empty if nothing.
    fn text(&self) -> String {
        let text = self.values.iter().find_map(Value::text);
        text.map(JNIStr::to_str).unwrap_or_default().into_owned()
    }
}

/// What is done with what is recorded for that environment, without asking the VM for anything. If there is nothing, what was
/// to be done goes after the lock.
#[inline]
fn with<T>(handle: u64, deed: impl FnOnce(&Recording) -> T) -> Option<T> {
    let all = RECORDINGS.read().unwrap_or_else(PoisonError::into_inner);
    let place = place(&all, handle).ok()?;
    Some(deed(&all[place]))
}

impl Recording {
    fn hears(&self, kind: usize) -> bool {
        self.heard.load(Ordering::Relaxed) & (1 << kind) != 0
    }

    fn collects(&self) -> Value {
        *self.collecting() = Some(Instant::now());
        Value::Nothing
    }

    /// How long the collection took that has ended.
    fn has_collected(&self) -> Value {
        let began = self.collecting().take();
        let took = began.map_or(Duration::ZERO, |began| began.elapsed());
        Value::Number(i64::try_from(took.as_nanos()).unwrap_or(i64::MAX))
    }

    fn collecting(&self) -> MutexGuard<'_, Option<Instant>> {
        self.collecting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for some that are recorded for that environment, and tells them; false: it is closed.
fn tell_some(jni: &mut Env<'_>, handle: u64, is_first: bool) -> bool {
    let Some(recording) = find(handle) else {
        return false;
    };
    let rest = || last_moments::rest(jni, last_moments::LONG_MOMENT);
    let Some(batch) = recording.ring.next(last_moments::have_begun, rest) else {
        return false;
    };
    if is_first {
        // Whoever told by this thread before may have left it, and it may have waited for long.
        left_behind::forget_disturbance(jni);
    }
    let me = Me::new(jni.get_raw());
    let Ok(inside) = gate::enter(me, handle.cast_signed()) else {
        return false;
    };
    let listening = Listening::begin(me);
    if let Some(target) = inside.attached::<Target>()
        && !matches!(listening, Err(Untold::Ending))
    {
        for (kind, &lost) in batch.lost.iter().enumerate() {
            let all = target.subscribers(kind);
            for _ in 0..lost {
                all.iter().for_each(|one| one.counts.count(Fate::Lost));
            }
        }
        for record in &batch.records {
            tell(jni, target, record);
        }
    }
    recording.ring.has_told(batch.records.len());
    true
}

fn tell(jni: &mut Env<'_>, target: &Target, record: &Record) {
    for one in target.subscribers(record.kind).iter() {
        let is_one = one.filter.admits_unloaded(|| record.text());
        let fate = match is_one && one.filter.admits_one_more() {
            true => tell_one(jni, target, one, record).err().map(|_| Fate::Lost),
            false => Some(Fate::Filtered),
        };
        jni.exception_clear();
        if let Some(fate) = fate {
            one.counts.count(fate);
        }
    }
}

fn tell_one(jni: &mut Env<'_>, target: &Target, one: &Subscriber, record: &Record) -> Outcome<()> {
    let references = record.values.iter().map(Value::references).sum();
    jni.with_local_frame(references, |jni| {
        let mut arguments = [LISTENER; MOST];
        arguments[0] = jvalue { i: one.number };
        for (place, value) in arguments[1..].iter_mut().zip(&record.values) {
            *place = value.for_java(jni)?;
        }
        match target.object(jni)? {
            Some(object) => target.tell(jni, &object, record.kind, &arguments).map(drop),
            None => Ok(()),
        }
    })
}

/// Waits until all that has been recorded so far for that environment is told. Who tells it does not wait for himself.
pub(crate) fn flush(handle: u64) -> Outcome<()> {
    if teller::tells() == handle {
        return Ok(());
    }
    let flushed = find(handle).is_none_or(|one| one.ring.flush(LONG));
    match flushed {
        true => Ok(()),
        false => Err(Failure::Stalled(
            "a listener of recorded events takes too long".to_owned(),
        )),
    }
}

/// The same for all environments, for the VM is about to end. Not for the one for which the thread that ends it tells.
pub(super) fn flush_all() {
    let deadline = Instant::now() + LAST_MOMENT;
    let all = RECORDINGS
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    for one in all.iter().filter(|one| !teller::ends_the_vm(one.handle)) {
        let left = deadline.saturating_duration_since(Instant::now());
        one.ring.flush(left);
    }
}

/// For the last moments of the VM.
pub(crate) fn wake_all() {
    let all = RECORDINGS.read().unwrap_or_else(PoisonError::into_inner);
    all.iter().for_each(|one| one.ring.wake());
}

#[cfg(test)]
mod tests {
    use std::ptr::NonNull;
    use std::sync::mpsc;
    use std::thread;

    use jni::jni_str;
    use jvmti::{OwnedEnv, sys};

    use super::*;
    use crate::vm::paper::with_jni;

    #[test]
    fn nothing_is_kept_for_what_was_closed_meanwhile() {
        static KIND: Kind = Kind {
            place: 0,
            source: Source::Specified(Event::GARBAGE_COLLECTION_START),
            by_thread: false,
            needs: &[],
            is_recorded: true,
            method: jni_str!("collected"),
            signature: jni_str!("()V"),
        };
        let table: &'static _ = Box::leak(Box::new(sys::FunctionTable::default()));
        let raw: &'static mut sys::Env = Box::leak(Box::new(table));
        // SAFETY: leaked, and nothing of it is called.
        let env = unsafe { OwnedEnv::from_raw(NonNull::from(raw)) };
        let handle = handles::publish(env.leak(), None).unwrap();
        with_jni(|jni| {
            let me = Me::new(jni.get_raw());
            let inside = gate::enter(me, handle.cast_signed()).unwrap();
            assert!(handles::entry(handle).unwrap().shut(handle).is_some());
            begin(jni, &inside, &KIND, 1).unwrap();
        });
        assert!(find(handle).is_none());
    }

    #[test]
    fn what_nobody_hears_is_dropped_without_a_lock() {
        /// Waits for the lock when it goes.
        struct Waits;
        impl Drop for Waits {
            fn drop(&mut self) {
                drop(RECORDINGS.write());
            }
        }
        /// Which no environment has.
        const HANDLE: u64 = u64::MAX;
        RECORDINGS.write().unwrap().push(Arc::new(Recording {
            handle: HANDLE,
            heard: AtomicU64::new(0),
            ring: Ring::new(1),
            collecting: Mutex::new(None),
        }));
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let waits = Waits;
            keep(HANDLE, 0, move || {
                drop(waits);
                Record::of(0, [])
            });
            sender.send(()).unwrap();
        });
        receiver.recv_timeout(Duration::from_secs(30)).unwrap();
        end(HANDLE);
    }
}
