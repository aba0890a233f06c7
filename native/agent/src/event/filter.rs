//! Which events a listener is told of, decided before any Java runs.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use jni::Env;
use jni::objects::{JClass, JObject, JThread};
use jni::refs::{Reference, Weak};
use jni::strings::JNIStr;
use jvmti::MethodId;
use once_cell::unsync::OnceCell;

use crate::event::class_file;
use crate::event::pattern::Pattern;
use crate::failure::Outcome;
use crate::vm::bare;

/// What a listener asks for. What is not given is not looked at.
#[derive(Default)]
pub(crate) struct Filter {
    pub(crate) threads: Option<Objects<JThread<'static>>>,
    pub(crate) classes: Option<Objects<JClass<'static>>>,
    pub(crate) patterns: Option<Box<[Pattern]>>,
    pub(crate) methods: Option<Box<[MethodId]>>,
    pub(crate) least_size: u64,
    pub(crate) rate: Option<Rate>,
}

/// What filters look at in an event.
pub(crate) struct Subject<'a, 'l> {
    pub(crate) thread: Option<&'a JThread<'l>>,
    pub(crate) class: Of<'a, 'l>,
    pub(crate) method: Option<MethodId>,
    pub(crate) size: u64,
    /// What has been allocated.
    pub(crate) object: Option<&'a JObject<'l>>,
    /// Of the class, once somebody has asked: it is the same for all that listen.
    pub(crate) signature: OnceCell<String>,
}

impl Subject<'_, '_> {
    fn signature(&self, env: &jvmti::Env, jni: &mut Env<'_>) -> Outcome<&str> {
        self.signature
            .get_or_try_init(|| {
                self.with_class(jni, env, |_, class| {
                    let (signature, _) = env.class_signature(class)?;
                    Ok(signature.to_str().into_owned())
                })
            })
            .map(String::as_str)
    }

    /// A class that is made anew has none.
    fn with_class<T: Default>(
        &self,
        jni: &mut Env<'_>,
        env: &jvmti::Env,
        deed: impl FnOnce(&Env<'_>, &JClass<'_>) -> Outcome<T>,
    ) -> Outcome<T> {
        let class = match self.class {
            Of::Nothing | Of::File(..) => return Ok(T::default()),
            Of::Class(class) => return deed(jni, class),
            Of::Object(object) => bare::class(jni, object)?,
            Of::Method(method) => env.method_declaring_class(jni, method)?,
        };
        let done = deed(jni, &class);
        jni.delete_local_ref(class);
        done
    }
}

/// Where the class of an event comes from.
pub(crate) enum Of<'a, 'l> {
    /// It has none.
    Nothing,
    Class(&'a JClass<'l>),
    Object(&'a JObject<'l>),
    Method(MethodId),
    /// A class that is made anew, what it is called, and its class file, which knows that if nobody has said it.
    File(Option<&'a JClass<'l>>, Option<&'a JNIStr>, &'a [u8]),
}

impl Filter {
    /// Whether an event is one of those that are asked for, but for the rate.
    #[inline]
    pub(super) fn fits(
        &self,
        env: &jvmti::Env,
        jni: &mut Env<'_>,
        subject: &Subject<'_, '_>,
    ) -> Outcome<bool> {
        Ok(subject.size >= self.least_size
            && self.admits_method(subject)
            && self.admits_thread(env, jni, subject)?
            && self.admits_class(env, jni, subject)?)
    }

    /// Whether one more may be told now, which counts.
    #[inline]
    pub(super) fn admits_one_more(&self) -> bool {
        self.rate.as_ref().is_none_or(Rate::admits)
    }

    /// Of a class that is unloaded only its name is left.
    pub(super) fn admits_unloaded(&self, name: impl FnOnce() -> String) -> bool {
        let Some(patterns) = &self.patterns else {
            return true;
        };
        let name = name();
        patterns.iter().any(|pattern| pattern.is_unloaded(&name))
    }

    fn admits_method(&self, subject: &Subject<'_, '_>) -> bool {
        let Some(methods) = &self.methods else {
            return true;
        };
        subject
            .method
            .is_some_and(|method| methods.contains(&method))
    }

    fn admits_thread(
        &self,
        env: &jvmti::Env,
        jni: &Env<'_>,
        subject: &Subject<'_, '_>,
    ) -> Outcome<bool> {
        match (&self.threads, subject.thread) {
            (None, _) => Ok(true),
            (Some(_), None) => Ok(false),
            (Some(threads), Some(thread)) => threads.contain(env, jni, thread.as_ref()),
        }
    }

    fn admits_class(
        &self,
        env: &jvmti::Env,
        jni: &mut Env<'_>,
        subject: &Subject<'_, '_>,
    ) -> Outcome<bool> {
        if self.classes.is_none() && self.patterns.is_none() {
            return Ok(true);
        }
        match subject.class {
            Of::Nothing => return Ok(false),
            Of::File(class, name, file) => {
                let name = match name {
                    Some(name) => name.to_str(),
                    None => String::from_utf8_lossy(class_file::name(file).unwrap_or_default()),
                };
                return self.admits_file(env, jni, class, &name);
            }
            Of::Class(_) | Of::Object(_) | Of::Method(_) => {}
        }
        if let Some(classes) = &self.classes {
            let is_one = |jni: &Env<'_>, class: &JClass<'_>| classes.contain(env, jni, class);
            if !subject.with_class(jni, env, is_one)? {
                return Ok(false);
            }
        }
        let Some(patterns) = &self.patterns else {
            return Ok(true);
        };
        let name = subject.signature(env, jni)?;
        Ok(patterns.iter().any(|pattern| pattern.matches(name)))
    }

    fn admits_file(
        &self,
        env: &jvmti::Env,
        jni: &Env<'_>,
        class: Option<&JClass<'_>>,
        name: &str,
    ) -> Outcome<bool> {
        if let Some(classes) = &self.classes {
            let Some(class) = class else {
                return Ok(false);
            };
            if !classes.contain(env, jni, class.as_ref())? {
                return Ok(false);
            }
        }
        let Some(patterns) = &self.patterns else {
            return Ok(true);
        };
        Ok(patterns.iter().any(|pattern| pattern.is(name)))
    }
}

/// What weak references are made of.
pub(crate) trait Kept:
    Reference + Into<JObject<'static>> + AsRef<JObject<'static>> + Default + Send + Sync + 'static
{
}

impl Kept for JThread<'static> {}
impl Kept for JClass<'static> {}

/// Objects that are not kept, found by their hash codes.
pub(crate) struct Objects<T: Kept>(Box<[(i32, Weak<T>)]>);

impl<T: Kept> Objects<T> {
    /// Each with its hash code.
    pub(crate) fn of(mut all: Vec<(i32, Weak<T>)>) -> Self {
        all.sort_unstable_by_key(|(hash, _)| *hash);
        Self(all.into())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Weak<T>> {
        self.0.iter().map(|(_, object)| object)
    }

    pub(crate) fn contain(
        &self,
        env: &jvmti::Env,
        jni: &Env<'_>,
        object: &JObject<'_>,
    ) -> Outcome<bool> {
        // Of one it is asked at once: both are calls into the VM.
        if let [(_, only)] = &*self.0 {
            // One that is gone is no object, either.
            return Ok(!object.is_null() && bare::is_same(jni, only, object));
        }
        let hash = env.object_hash_code(object)?;
        let first = self.0.partition_point(|(other, _)| *other < hash);
        for (other, weak) in &self.0[first..] {
            if *other != hash {
                break;
            }
            if bare::is_same(jni, weak, object) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// So many in each second.
pub(crate) struct Rate {
    most: u32,
    /// The second, counted from the first use, and how many were admitted in it.
    now: AtomicU64,
}

impl Rate {
    pub(crate) fn per_second(most: u32) -> Self {
        Self {
            most,
            now: AtomicU64::new(0),
        }
    }

    fn admits(&self) -> bool {
        static START: OnceLock<Instant> = OnceLock::new();
        self.admits_at(START.get_or_init(Instant::now).elapsed().as_secs())
    }

    fn admits_at(&self, second: u64) -> bool {
        let second = second << u32::BITS;
        let one_more = |now: u64| match now & !u64::from(u32::MAX) == second {
            true if now as u32 >= self.most => None,
            true => Some(now + 1),
            // A thread that was slow takes none of the second after.
            false => (self.most > 0 && now < second).then_some(second + 1),
        };
        let (set, read) = (Ordering::Relaxed, Ordering::Relaxed);
        self.now.fetch_update(set, read, one_more).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_are_admitted_in_each_second() {
        let rate = Rate::per_second(3);
        let admitted = |second| (0..10).filter(|_| rate.admits_at(second)).count();
        assert_eq!(admitted(0), 3);
        assert_eq!(admitted(1), 3);
        assert_eq!(admitted(7), 3);
        assert_eq!(admitted(6), 0, "who was slow");
        assert_eq!(admitted(7), 0);
    }

    #[test]
    fn none_is_admitted_where_none_is_asked_for() {
        let rate = Rate::per_second(0);
        assert!(!rate.admits_at(0));
        assert!(!rate.admits_at(1));
    }
}
