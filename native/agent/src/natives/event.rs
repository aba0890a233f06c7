//! `EventNatives`.

use std::sync::Arc;

use jni::objects::{JClass, JIntArray, JLongArray, JObject, JObjectArray, JString, JThread};
use jni::refs::Reference;
use jni::strings::JNIString;
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, EnvUnowned};
use jvmti::sys::{Error, Event};
use jvmti::{MethodId, MutfString};

use super::method::{method, names};
use super::redefinition::classes;
use super::thread::threads;
use super::values::{string_array, strings};
use crate::boundary::context;
use crate::boundary::guard::{around, inside, inside_bound, inside_jni, outside};
use crate::boundary::records::EarlyFacts;
use crate::environment::gate::{self, Inside, Me};
use crate::event::early_kept;
use crate::event::filter::{Filter, Kept, Objects, Rate};
use crate::event::kind::Kind;
use crate::event::pattern::Pattern;
use crate::event::profile::{self, Profile};
use crate::event::records;
use crate::event::stopped;
use crate::event::subscriber::Subscriber;
use crate::event::subscriptions;
use crate::event::upcalls::{KINDS, Upcalls};
use crate::failure::{Failure, Outcome};
use crate::thread::returned::Returned;
use crate::vm::capacity::Room;
use crate::vm::{bare, image};

/// References that stay none of the caller's.
const ROOM: usize = 16;

#[expect(clippy::too_many_arguments, reason = "what a filter can ask for")]
pub(super) fn subscribe<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    delivery: JObject<'l>,
    number: jint,
    kind: jint,
    targets: JObjectArray<'l, JThread<'l>>,
    types: JObjectArray<'l, JClass<'l>>,
    patterns: JObjectArray<'l, JString<'l>>,
    method_ids: JLongArray<'l>,
    least_size: jlong,
    per_second: jint,
    profile: JIntArray<'l>,
    nested: jboolean,
) {
    inside_bound(jni, class, env, |env, jni, class| {
        let kind = kind_of(kind)?;
        let profile = given(&profile, |profile| profile_of(jni, env, class, profile))?;
        let filter = jni.with_local_frame(ROOM, |jni| -> Outcome<_> {
            Ok(Filter {
                threads: given(&targets, |targets| {
                    weak(jni, env, |jni| threads(jni, targets))
                })?,
                classes: given(&types, |types| weak(jni, env, |jni| classes(jni, types)))?,
                patterns: given(&patterns, |patterns| patterns_of(jni, patterns))?,
                methods: given(&method_ids, |ids| methods_of(jni, ids))?,
                least_size: u64::try_from(least_size).unwrap_or(0),
                rate: u32::try_from(per_second).ok().map(Rate::per_second),
            })
        })?;
        let one = Subscriber::new(number, kind, filter, profile, nested);
        subscriptions::begin::<Upcalls>(jni, env, &delivery, KINDS, one)
    });
}

pub(super) fn unsubscribe<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, number: jint) {
    inside_jni(jni, class, env, |env, jni| {
        subscriptions::end(jni, env, number)
    });
}

pub(super) fn counts<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    number: jint,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        match subscriptions::counts(env, number) {
            Some(counts) => bare::long_array(jni, &counts),
            None => Ok(JLongArray::null()),
        }
    })
}

pub(super) fn is_given_up<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    number: jint,
) -> jboolean {
    inside(jni, class, env, |env| {
        Ok(subscriptions::is_given_up(env, number))
    })
}

pub(super) fn profile_rows<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    number: jint,
    live: jboolean,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        match subscriptions::profile(env, number) {
            Some(profile) => {
                let rows = profile.rows(jni, live)?;
                bare::long_array(jni, &rows)
            }
            None => Ok(JLongArray::null()),
        }
    })
}

pub(super) fn profile_frames<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    number: jint,
) -> JLongArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        match subscriptions::profile(env, number) {
            Some(profile) => bare::long_array(jni, &profile.frames_known()),
            None => Ok(JLongArray::null()),
        }
    })
}

pub(super) fn profile_texts<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    number: jint,
) -> JObjectArray<'l, JString<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let Some(profile) = subscriptions::profile(env, number) else {
            return Ok(JObjectArray::<JString<'_>>::null());
        };
        let texts = profile.texts_known();
        let texts: Vec<_> = texts.iter().map(|text| JNIString::from(&**text)).collect();
        string_array(
            jni,
            &mut Room::default(),
            texts.iter().map(|text| Some(&**text)),
        )
    })
}

pub(super) fn flush<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong) {
    around(jni, class, env, |jni, _| {
        drop(gate::enter(Me::new(jni.get_raw()), env)?);
        records::flush(env.cast_unsigned())
    });
}

pub(super) fn generate<'l>(jni: EnvUnowned<'l>, class: JClass<'l>, env: jlong, kind: jint) {
    inside(jni, class, env, |env| {
        let wrong = || jvmti::Error::new("GenerateEvents", Error::ILLEGAL_ARGUMENT);
        let event = kind_of(kind)?.event().ok_or_else(wrong)?;
        Ok(env.generate_events(event)?)
    });
}

#[expect(
    clippy::too_many_arguments,
    reason = "a place, and a value of any type"
)]
pub(super) fn return_early<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    method_id: jlong,
    location: jlong,
    letter: jint,
    bits: jlong,
    value: JObject<'l>,
) {
    inside_bound(jni, class, env, |env, jni, class| {
        let metadata = context::bound(jni, class)?.metadata(jni)?;
        let letter = u8::try_from(letter).map_or('?', char::from);
        let none = || jvmti::Error::new("ForceEarlyReturn", Error::ILLEGAL_ARGUMENT);
        let value = Returned::of(jni, letter, bits, &value)?.ok_or_else(none)?;
        stopped::ask(jni, env, metadata, (method_id, location), value)
    });
}

pub(super) fn early_events<'l>(jni: EnvUnowned<'l>, class: JClass<'l>) -> JObject<'l> {
    outside(jni, class, |jni, class| {
        let Some(all) = early_kept::read() else {
            return Ok(JObject::null());
        };
        let kinds: Vec<_> = all.asked.iter().map(|event| kind_name(*event)).collect();
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        for one in all.events {
            let kind = all.asked.iter().position(|event| *event == one.event);
            let kind = kind.map_or(-1, |kind| kind as jlong);
            numbers.extend([kind, one.phase.0.into(), one.after, one.number]);
            texts.extend(match one.method {
                Some(method) => method_texts(jni, method)?,
                None => [one.text, None, None],
            });
        }
        let texts = texts.iter().map(Option::as_deref);
        let facts = EarlyFacts {
            began: all.began,
            lost: all.lost,
            kinds: &strings(jni, &kinds)?,
            numbers: &bare::long_array(jni, &numbers)?,
            texts: &string_array(jni, &mut Room::default(), texts)?,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

/// `CLASS_LOAD`.
fn kind_name(event: Event) -> MutfString {
    let name = event.name().unwrap_or_default();
    MutfString::from(name.trim_start_matches("JVMTI_EVENT_"))
}

/// A class, a method of it, and the descriptor of that, unless the class is gone.
fn method_texts(jni: &mut Env<'_>, method: MethodId) -> Outcome<[Option<MutfString>; 3]> {
    let env = image::plain()?;
    let Ok(class) = env.method_declaring_class(jni, method) else {
        return Ok([const { None }; 3]);
    };
    let (signature, _) = env.class_signature(&class)?;
    jni.delete_local_ref(class);
    let (name, descriptor, _) = env.method_name(method)?;
    Ok([Some(signature), Some(name), Some(descriptor)])
}

/// How deep, how many, whether what is live is known, and the interval of samples; or the number of one that counts the
/// same with it.
fn profile_of(
    jni: &Env<'_>,
    env: &Inside,
    class: &JClass<'_>,
    numbers: &JIntArray<'_>,
) -> Outcome<Arc<Profile>> {
    let mut all = vec![0; numbers.len(jni)?];
    bare::get_ints(jni, numbers, &mut all)?;
    match *all.as_slice() {
        [number] => profile::shared(subscriptions::profile(env, number)),
        [depth, stacks, live, interval] => {
            let metadata = context::bound(jni, class)?.metadata(jni)?;
            let profile = Profile::new([depth, stacks], live != 0, interval, metadata);
            Ok(Arc::new(profile))
        }
        _ => profile::shared(None),
    }
}

fn kind_of(place: jint) -> Outcome<&'static Kind> {
    let kind = usize::try_from(place)
        .ok()
        .and_then(|place| KINDS.get(place));
    kind.ok_or_else(|| Failure::State("there is no such kind of event".to_owned()))
}

/// What a filter asks for, unless the array is null.
fn given<'l, A: AsRef<JObject<'l>>, T>(
    array: &A,
    read: impl FnOnce(&A) -> Outcome<T>,
) -> Outcome<Option<T>> {
    (!array.as_ref().is_null()).then(|| read(array)).transpose()
}

/// Weak references to what an array holds.
fn weak<'l, O>(
    jni: &mut Env<'l>,
    env: &Inside,
    objects: impl FnOnce(&mut Env<'l>) -> Outcome<Vec<O>>,
) -> Outcome<Objects<O::GlobalKind>>
where
    O: AsRef<JObject<'l>> + Reference,
    O::GlobalKind: Kept,
{
    let objects = objects(jni)?;
    let mut all = Vec::with_capacity(objects.len());
    for object in &objects {
        let hash = env.object_hash_code(object.as_ref())?;
        all.push((hash, bare::weak(jni, object)?));
    }
    Ok(Objects::of(all))
}

fn patterns_of(
    jni: &mut Env<'_>,
    patterns: &JObjectArray<'_, JString<'_>>,
) -> Outcome<Box<[Pattern]>> {
    let texts = names(jni, patterns)?;
    Ok(texts
        .iter()
        .map(|text| Pattern::of(&text.to_str()))
        .collect())
}

fn methods_of(jni: &Env<'_>, ids: &JLongArray<'_>) -> Outcome<Box<[MethodId]>> {
    let mut all = vec![0; ids.len(jni)?];
    bare::get_longs(jni, ids, &mut all)?;
    Ok(all.into_iter().map(method).collect())
}
