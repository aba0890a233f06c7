//! What a recorded event says, kept until somebody is told: its class may be unloaded before.

use std::collections::HashMap;
use std::ffi::c_void;
use std::time::{SystemTime, UNIX_EPOCH};

use jni::Env;
use jni::objects::{JClass, JThread};
use jni::refs::Weak;
use jni::strings::{JNIStr, JNIString};
use jni::sys::jvalue;
use jvmti::MethodId;
use jvmti::event::InlinedCode;
use jvmti::sys::jvmtiAddrLocationMap;

use crate::failure::Outcome;
use crate::thread::{carrier, native_thread};
use crate::vm::{bare, daemon};

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

impl Value {
    /// If it is one.
    pub(super) fn text(&self) -> Option<&JNIStr> {
        match self {
            Self::Word(word) => Some(word.as_text()),
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// How many references it makes.
    pub(super) fn references(&self) -> usize {
        match self {
            Self::Inlining(inlining) => 1 + inlining.references(),
            _ => 1,
        }
    }

    pub(super) fn for_java(&self, jni: &mut Env<'_>) -> Outcome<jvalue> {
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
    use jni::jni_str;

    use super::*;

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
