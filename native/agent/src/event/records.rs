//! Events in the middle of which no Java may run: what they say is kept, and told by a thread of the library's, which
//! is in no Java while it waits: nothing of ours keeps a class loader.

use std::array;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jni::Env;
use jni::objects::{JClass, JThread};
use jni::refs::Weak;
use jni::strings::{JNIStr, JNIString};
use jni::sys::jvalue;
use jvmti::MethodId;
use jvmti::event::{HotSpotEvent, InlinedCode};
use jvmti::sys::{Event, jvmtiAddrLocationMap};

use crate::environment::gate::{self, Inside, Me};
use crate::environment::handles;
use crate::environment::listening::{Listening, Untold};
use crate::event::counts::Fate;
use crate::event::kind::{Kind, Source};
use crate::event::ring::Ring;
use crate::event::subscriber::Subscriber;
use crate::event::target::Target;
use crate::event::teller;
use crate::event::telling::{LISTENER, MOST};
use crate::failure::{Failure, Outcome};
use crate::thread::{carrier, native_thread};
use crate::vm::patience::LONG;
use crate::vm::{bare, daemon, last_moments};

/// What an event says.
pub(super) enum Value {
    Nothing,
    Number(i64),
    Word(Word),
    Text(JNIString),
    Numbers(Vec<i64>),
    Method(KeptMethod),
    Inlining(Box<Inlining>),
}

/// A short text, for which no memory is asked for: what one thread allocates and another one frees is dear.
/// Aligned, so that it is copied as whole words.
#[repr(align(8))]
pub(super) struct Word([u8; 24]);

const _: () = assert!(size_of::<Value>() == 32, "a word makes no value longer");

/// A method of a class that may be unloaded before anybody is told. Then its id stands for nothing, and HotSpot would
/// read freed memory (17, 21).
pub(super) struct KeptMethod {
    id: i64,
    class: Option<Weak<JClass<'static>>>,
}

/// For each address the methods, by their places among all of them, with the indices of their bytecodes.
pub(super) struct Inlining {
    methods: Vec<KeptMethod>,
    places: Vec<(i64, Frames)>,
}

/// Of each the method's place, and the index of its bytecode.
type Frames = Vec<(Option<usize>, i64)>;

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
    let begun = teller::begin(handle, open, move |jni| while tell_some(jni, handle) {});
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
        let mut texts = self.values.iter().filter_map(|value| match value {
            Value::Word(word) => Some(word.as_text().to_str()),
            Value::Text(text) => Some(text.to_str()),
            _ => None,
        });
        texts.next().unwrap_or_default().into_owned()
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
fn tell_some(jni: &mut Env<'_>, handle: u64) -> bool {
    let Some(recording) = find(handle) else {
        return false;
    };
    let rest = || last_moments::rest(jni, last_moments::LONG_MOMENT);
    let Some(batch) = recording.ring.next(last_moments::have_begun, rest) else {
        return false;
    };
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

impl Value {
    /// How many references it makes.
    fn references(&self) -> usize {
        match self {
            Self::Inlining(inlining) => 1 + inlining.references(),
            _ => 1,
        }
    }

    fn for_java(&self, jni: &mut Env<'_>) -> Outcome<jvalue> {
        Ok(match self {
            Self::Nothing => jvalue { j: 0 },
            Self::Number(number) => jvalue { j: *number },
            Self::Word(word) => jvalue {
                l: bare::string(jni, word.as_text())?.into_raw(),
            },
            Self::Text(text) => jvalue {
                l: bare::string(jni, text)?.into_raw(),
            },
            Self::Numbers(numbers) => jvalue {
                l: bare::long_array(jni, numbers)?.into_raw(),
            },
            Self::Method(method) => jvalue {
                j: method.held(jni)?,
            },
            Self::Inlining(inlining) => {
                let numbers = inlining.held(jni)?;
                jvalue {
                    l: bare::long_array(jni, &numbers)?.into_raw(),
                }
            }
        })
    }
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

pub(super) fn time() -> Value {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos());
    Value::Number(i64::try_from(nanos).unwrap_or(i64::MAX))
}

impl Word {
    /// None: it is too long.
    fn of(text: &JNIStr) -> Option<Self> {
        let text = text.as_cstr().to_bytes_with_nul();
        let mut word = [0; 24];
        word.get_mut(..text.len())?.copy_from_slice(text);
        Some(Self(word))
    }

    fn as_text(&self) -> &JNIStr {
        // SAFETY: it is one, up to its first zero.
        unsafe { JNIStr::from_ptr(self.0.as_ptr().cast()) }
    }
}

impl KeptMethod {
    /// Asks for the class now, while the method is there.
    fn of(env: &jvmti::Env, jni: &mut Env<'_>, method: MethodId) -> Self {
        let class = env.method_declaring_class(jni, method).ok();
        let weak = class.map(|class| {
            let weak = bare::weak(jni, &class).ok();
            jni.delete_local_ref(class);
            weak
        });
        Self {
            id: method.as_raw() as i64,
            class: weak.flatten(),
        }
    }

    /// Its id, which stands for it as long as the frame of `jni` is there; 0 if the class is gone.
    fn held(&self, jni: &mut Env<'_>) -> Outcome<i64> {
        let Some(class) = &self.class else {
            return Ok(0);
        };
        let class = class.upgrade_local(jni)?;
        Ok(class.map_or(0, |class| {
            let _ = class.into_raw();
            self.id
        }))
    }
}

impl Inlining {
    /// For each address that, how many methods there are, and two numbers for each of them: which, and where.
    fn held(&self, jni: &mut Env<'_>) -> Outcome<Vec<i64>> {
        let mut ids = Vec::with_capacity(self.methods.len());
        for method in &self.methods {
            ids.push(method.held(jni)?);
        }
        let mut numbers = Vec::new();
        for (address, frames) in &self.places {
            numbers.extend([*address, frames.len() as i64]);
            for (method, location) in frames {
                let id = method.and_then(|place| ids.get(place)).copied();
                numbers.extend([id.unwrap_or(0), *location]);
            }
        }
        Ok(numbers)
    }

    fn references(&self) -> usize {
        self.methods.len()
    }
}

pub(super) fn kept_method(env: &jvmti::Env, method: MethodId) -> Value {
    daemon::with_current(|jni| KeptMethod::of(env, jni, method))
        .map_or(Value::Nothing, Value::Method)
}

pub(super) fn kept_id(method: MethodId) -> Value {
    Value::Number(method.as_raw() as i64)
}

pub(super) fn kept_address(address: *const c_void) -> Value {
    Value::Number(address as i64)
}

pub(super) fn kept_count(count: usize) -> Value {
    Value::Number(count as i64)
}

pub(super) fn kept_text(text: &JNIStr) -> Value {
    Word::of(text).map_or_else(|| Value::Text(text.to_owned()), Value::Word)
}

/// The number that Java has for a thread.
pub(super) fn kept_thread_id(jni: &mut Env<'_>, thread: &JThread<'_>) -> Value {
    Value::Number(native_thread::number(jni, thread).unwrap_or_default())
}

/// That of the thread which carries this one.
pub(super) fn kept_carrier_id(jni: &mut Env<'_>, thread: &JThread<'_>) -> Value {
    let Ok(Some(carrier)) = carrier::of(jni, thread) else {
        return Value::Number(0);
    };
    let number = kept_thread_id(jni, &carrier);
    jni.delete_local_ref(carrier);
    number
}

/// Two numbers for each: an address, and the index of a bytecode.
pub(super) fn kept_map(map: &[jvmtiAddrLocationMap]) -> Value {
    let pair = |one: &jvmtiAddrLocationMap| [one.start_address as i64, one.location];
    Value::Numbers(map.iter().flat_map(pair).collect())
}

pub(super) fn kept_inlining(env: &jvmti::Env, all: &[InlinedCode]) -> Value {
    let kept = daemon::with_current(|jni| {
        let mut known = HashMap::new();
        let mut methods = Vec::new();
        let mut place_of = |method: MethodId| {
            *known.entry(method.as_raw()).or_insert_with(|| {
                methods.push(KeptMethod::of(env, jni, method));
                methods.len() - 1
            })
        };
        let place = |one: &InlinedCode| {
            let frames = one.frames.iter();
            let frames =
                frames.map(|(method, location)| (method.map(&mut place_of), i64::from(*location)));
            (one.address as i64, frames.collect())
        };
        let places = all.iter().map(place).collect();
        Inlining { methods, places }
    });
    kept.map_or(Value::Nothing, |kept| Value::Inlining(Box::new(kept)))
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

    #[test]
    fn a_text_is_kept_whole_in_its_place_or_elsewhere() {
        let fits = jni_str!("23 bytes and a zero fit");
        let Value::Word(word) = kept_text(fits) else {
            panic!("it is kept elsewhere");
        };
        assert_eq!(word.as_text().to_bytes(), fits.to_bytes());
        let longer = jni_str!("24 bytes and a zero more");
        let Value::Text(text) = kept_text(longer) else {
            panic!("there is no place for it");
        };
        assert_eq!(text.to_bytes(), longer.to_bytes());
        let Value::Word(word) = kept_text(jni_str!("")) else {
            panic!("nothing needs memory");
        };
        assert!(word.as_text().to_bytes().is_empty());
    }
}
