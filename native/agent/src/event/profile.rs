//! What of events is counted by where they happen, in native code: no Java runs, and none is told.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jni::Env;
use jni::objects::JObject;
use jni::refs::Weak;
use jvmti::sys::{self, Event};
use jvmti::{FrameInfo, MethodId};

use crate::environment::gate::{self, Inside, Me};
use crate::event::counts::Fate;
use crate::event::filter::{Of, Subject};
use crate::event::stacks::{CUT, Described, Place, Stacks, class_name};
use crate::failure::{Failure, Outcome};
use crate::thread::native_thread;
use crate::vm::bare;

/// Who counts.
pub(crate) struct Profile {
    depth: usize,
    keeps_live: bool,
    /// How many bytes are between two samples on average.
    interval: f64,
    /// The environment that reads names and lines.
    metadata: i64,
    stacks: Mutex<Stacks>,
    /// Since when a thread waits, by its number.
    waiting: Mutex<HashMap<i64, Instant>>,
    live: Mutex<Vec<Arc<Live>>>,
    /// For how many there was no room: that is looked for again after many.
    missed: AtomicUsize,
}

/// What was allocated, and where, as long as it is there.
struct Live {
    place: usize,
    size: u64,
    object: Weak<JObject<'static>>,
    is_gone: AtomicBool,
}

/// The most frames of a stack.
const DEEPEST: usize = 1_024;

/// So many objects are looked after, and so many threads.
const MOST: usize = 1 << 16;

impl Profile {
    /// Of so many frames of a stack, and so many stacks.
    pub(crate) fn new(
        [depth, stacks]: [i32; 2],
        keeps_live: bool,
        interval: i32,
        metadata: i64,
    ) -> Self {
        Self {
            depth: usize::try_from(depth).unwrap_or(0).min(DEEPEST),
            keeps_live,
            interval: f64::from(interval.max(0)),
            metadata,
            stacks: Mutex::new(Stacks::of(usize::try_from(stacks).unwrap_or(0))),
            waiting: Mutex::default(),
            live: Mutex::default(),
            missed: AtomicUsize::new(0),
        }
    }

    /// Counts an event; or says why not.
    pub(super) fn count(
        &self,
        env: &jvmti::Env,
        jni: &mut Env<'_>,
        event: Event,
        subject: &Subject<'_, '_>,
    ) -> Outcome<Option<Fate>> {
        if event == Event::MONITOR_CONTENDED_ENTER {
            return self.begins_to_wait(jni, subject);
        }
        let amount = match event {
            // A virtual thread that was notified is told of as if it had waited for the monitor (25).
            Event::MONITOR_CONTENDED_ENTERED => match self.has_waited(jni, subject)? {
                Some(nanos) => nanos,
                None => return Ok(Some(Fate::Filtered)),
            },
            _ if subject.size == u64::MAX => 0,
            _ => stands_for(subject.size, self.interval),
        };
        let class = class(env, jni, subject)?;
        let frames = self.frames(env, event, subject)?;
        let Some(place) = self.add(jni, class.as_deref(), &frames, amount)? else {
            return Ok(Some(Fate::Lost));
        };
        match subject.object {
            Some(object) if self.keeps_live => self.keep(jni, place, amount, object),
            _ => Ok(None),
        }
    }

    fn begins_to_wait(
        &self,
        jni: &mut Env<'_>,
        subject: &Subject<'_, '_>,
    ) -> Outcome<Option<Fate>> {
        let Some(thread) = subject.thread else {
            return Ok(Some(Fate::Lost));
        };
        let number = native_thread::number(jni, thread)?;
        let mut waiting = guard(&self.waiting);
        let has_room = waiting.len() < MOST || waiting.contains_key(&number);
        if has_room {
            waiting.insert(number, Instant::now());
        }
        Ok((!has_room).then_some(Fate::Lost))
    }

    /// For how many nanoseconds, if anybody has counted when it began.
    fn has_waited(&self, jni: &mut Env<'_>, subject: &Subject<'_, '_>) -> Outcome<Option<u64>> {
        let Some(thread) = subject.thread else {
            return Ok(None);
        };
        let number = native_thread::number(jni, thread)?;
        let since = guard(&self.waiting).remove(&number);
        let nanos = |since: Instant| u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Ok(since.map(nanos))
    }

    /// Where the event happens, innermost first. What a method is entered from is nobody's question.
    fn frames(
        &self,
        env: &jvmti::Env,
        event: Event,
        subject: &Subject<'_, '_>,
    ) -> Outcome<Vec<Place>> {
        if let (Event::METHOD_ENTRY, Some(method)) = (event, subject.method) {
            return Ok(vec![(method, 0)]);
        }
        let nothing = FrameInfo {
            method: subject.method.unwrap_or(MethodId::NONE),
            location: 0,
        };
        let mut frames = vec![nothing; self.depth + 1];
        // Where it is not named, 21 keeps all virtual threads from being mounted meanwhile.
        let deep = env.stack_trace(subject.thread, 0, &mut frames)?;
        let wanted = frames[..deep.min(self.depth)].iter();
        let places = wanted.map(|frame| (frame.method, frame.location));
        Ok(places.chain((deep > self.depth).then_some(CUT)).collect())
    }

    /// Nothing is asked of the VM under the lock: a thread may be suspended where it is.
    fn add(
        &self,
        jni: &mut Env<'_>,
        class: Option<&str>,
        frames: &[Place],
        amount: u64,
    ) -> Outcome<Option<usize>> {
        let unknown = {
            let mut stacks = guard(&self.stacks);
            if let Some(place) = stacks.count(class, frames, amount) {
                return Ok(Some(place));
            }
            match stacks.is_full() {
                true => return Ok(None),
                false => stacks.unknown(frames),
            }
        };
        let metadata = gate::enter(Me::new(jni.get_raw()), self.metadata)?;
        let mut described = Vec::with_capacity(unknown.len());
        for place in unknown {
            described.push((place, describe(jni, &metadata, place)?));
        }
        drop(metadata);
        Ok(guard(&self.stacks).add(class, frames, described, amount))
    }

    /// Lost: there are too many already.
    fn keep(
        &self,
        jni: &Env<'_>,
        place: usize,
        size: u64,
        object: &JObject<'_>,
    ) -> Outcome<Option<Fate>> {
        if guard(&self.live).len() >= MOST
            && self
                .missed
                .fetch_add(1, Ordering::Relaxed)
                .is_multiple_of(MOST / 4)
        {
            drop(self.alive(jni)?);
        }
        let one = Arc::new(Live {
            place,
            size,
            object: bare::weak(jni, object)?,
            is_gone: AtomicBool::new(false),
        });
        let mut live = guard(&self.live);
        let has_room = live.len() < MOST;
        if has_room {
            live.push(Arc::clone(&one));
        }
        // The other one goes after the lock.
        drop(live);
        Ok((!has_room).then_some(Fate::Lost))
    }

    /// Those that are there, and forgets the others. Whoever else does it meanwhile, or stands still in it, finds all of
    /// them.
    fn alive(&self, jni: &Env<'_>) -> Outcome<Vec<Arc<Live>>> {
        let all = guard(&self.live).clone();
        for one in &all {
            if jni.is_same_object(&one.object, JObject::null())? {
                one.is_gone.store(true, Ordering::Relaxed);
            }
        }
        let stays = |one: &Arc<Live>| !one.is_gone.load(Ordering::Relaxed);
        // Those that go are dropped with `all`, after the lock.
        guard(&self.live).retain(stays);
        Ok(all
            .iter()
            .filter(|one| stays(one))
            .map(Arc::clone)
            .collect())
    }

    /// What has been counted: of all, or of what is still there.
    pub(crate) fn rows(&self, jni: &Env<'_>, of_live: bool) -> Outcome<Vec<i64>> {
        if !of_live {
            return Ok(guard(&self.stacks).rows(None));
        }
        let mut all: HashMap<usize, (u64, u64)> = HashMap::new();
        for one in self.alive(jni)? {
            let (count, amount) = all.entry(one.place).or_default();
            *count += 1;
            *amount += one.size;
        }
        Ok(guard(&self.stacks).rows(Some(&all)))
    }

    /// What the rows name, which only grows.
    pub(crate) fn frames_known(&self) -> Vec<i64> {
        guard(&self.stacks).frames()
    }

    /// What the frames name, which only grows.
    pub(crate) fn texts_known(&self) -> Vec<Arc<str>> {
        guard(&self.stacks).texts()
    }
}

/// How many bytes a sample of that size stands for: so many as one of its kind is a sample for, on average.
fn stands_for(size: u64, interval: f64) -> u64 {
    if interval < 1.0 {
        return size;
    }
    let size = size as f64;
    (size / -(-size / interval).exp_m1()).round() as u64
}

fn guard<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of the class that an event is about, unless that is the one of a method.
fn class(
    env: &jvmti::Env,
    jni: &mut Env<'_>,
    subject: &Subject<'_, '_>,
) -> Outcome<Option<String>> {
    let signature = match subject.class {
        Of::Class(class) => env.class_signature(class)?.0,
        Of::Object(object) => {
            let class = jni.get_object_class(object)?;
            let signature = env.class_signature(&class);
            jni.delete_local_ref(class);
            signature?.0
        }
        _ => return Ok(None),
    };
    Ok(Some(class_name(&signature.to_str())))
}

fn describe(jni: &mut Env<'_>, metadata: &Inside, (method, location): Place) -> Outcome<Described> {
    let class = metadata.method_declaring_class(jni, method)?;
    let signature = metadata.class_signature(&class);
    let file = metadata.source_file_name(&class).ok();
    jni.delete_local_ref(class);
    let (name, _, _) = metadata.method_name(method)?;
    Ok(Described {
        class: class_name(&signature?.0.to_str()),
        method: name.to_str().into_owned(),
        file: file.map(|file| file.to_str().into_owned()),
        line: line(metadata, method, location),
    })
}

/// As `StackTraceElement` has it: -2 in a native method, -1 if it is not known.
fn line(metadata: &Inside, method: MethodId, location: i64) -> i64 {
    if location < 0 {
        return -2;
    }
    let table = match metadata.line_number_table(method) {
        Err(error) if error.code == sys::Error::NATIVE_METHOD => return -2,
        table => table.unwrap_or_default(),
    };
    let before = table.iter().filter(|one| one.start_location <= location);
    let last = before.max_by_key(|one| one.start_location);
    last.map_or(-1, |one| i64::from(one.line_number))
}

/// One who shares what another one counts.
pub(crate) fn shared(profile: Option<Arc<Profile>>) -> Outcome<Arc<Profile>> {
    profile.ok_or_else(|| Failure::State("there is nothing to count with".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_stands_for_as_many_bytes_as_it_takes_to_have_one() {
        assert_eq!(stands_for(16, 0.0), 16, "each is one");
        assert_eq!(stands_for(16, 524_288.0), 524_296);
        assert_eq!(stands_for(1 << 30, 524_288.0), 1 << 30);
        // One interval: 1 / (1 - 1/e) of it.
        assert_eq!(stands_for(1_000, 1_000.0), 1_582);
    }
}
