//! Who hands each event over to Java.

use jni::objects::{JObject, JValueOwned};
use jni::strings::JNIStr;
use jni::sys::{jint, jlong, jobject, jvalue};
use jni::{Env, jni_str};
use jvmti::event::HotSpotEvent;
use jvmti::sys::{Capability, Event};
use jvmti::{Field, FrameInfo, Listener, MethodId, event};
use once_cell::unsync::OnceCell;

use super::told::each_told;
use crate::event::answers::{ClassFile, asks_for_a_file, asks_for_an_address, lets_return};
use crate::event::filter::{Of, Subject};
use crate::event::kept_values::{
    Value, kept_address, kept_carrier_id, kept_count, kept_id, kept_inlining, kept_map,
    kept_method, kept_text, kept_thread_id, time,
};
use crate::event::kind::{Kind, Source};
use crate::event::records::record;
use crate::event::telling::{Arguments, LISTENER, put_back, set_aside, tells};
use crate::failure::Outcome;
use crate::vm::bare;

/// Tells Java of every event that is a row of the table.
pub(crate) struct Upcalls;

macro_rules! upcalls {
    (($env:ident, $jni:ident, $event:ident, $now:ident) $(
        $place:literal $type:ident $constant:ident $listener:ident $by_thread:literal
        [$($capability:ident)?] $answers:ident $method:literal $signature:literal { $($subject:tt)* } { $($prepare:tt)* } [$($value:expr,)*]
    )*) => {
        /// All kinds, by their places.
        pub(crate) const KINDS: &[Kind] = &[$(Kind {
            place: $place,
            source: source!($answers $type $constant),
            by_thread: $by_thread,
            needs: &[$(Capability::$capability)?],
            is_recorded: is_recorded!($answers),
            method: jni_str!($method),
            signature: jni_str!($signature),
        },)*];

        impl Listener for Upcalls {
            $(listener! {
                $answers ($env, $jni, $event, $now) $place $type $constant $listener { $($subject)* } { $($prepare)* }
                [$($value,)*]
            })*
        }
    };
}

/// What is done when it happens.
macro_rules! listener {
    (keeps ($env:ident, $jni:ident, $event:ident, $now:ident) $place:literal $type:ident $constant:ident
        $listener:ident { $($subject:tt)* } {} [$($value:expr,)*]
    ) => {
        fn $listener<'l>($env: &jvmti::Env, $jni: &mut Env<'l>, $event: event::$type<'l>) {
            let pending = set_aside($jni);
            record($env, $place, Source::OfHotSpot(HotSpotEvent::$type), |_| [$($value,)*]);
            put_back($jni, pending);
        }
    };
    (records ($env:ident, $jni:ident, $event:ident, $now:ident) $place:literal $type:ident $constant:ident
        $listener:ident { $($subject:tt)* } {} [$($value:expr,)*]
    ) => {
        fn $listener($env: &jvmti::Env, $event: event::$type<'_>) {
            let _ = &$event;
            record($env, $place, Source::Specified(Event::$constant), |$now| {
                let _ = &$now;
                [$($value,)*]
            });
        }
    };
    ($answers:ident ($env:ident, $jni:ident, $event:ident, $now:ident) $place:literal $type:ident $constant:ident
        $listener:ident { $($subject:tt)* } { $($prepare:tt)* } [$($value:expr,)*]
    ) => {
        fn $listener<'l>($env: &jvmti::Env, $jni: &mut Env<'l>, $event: event::$type<'l>) {
            let _ = &$event;
            let signature = OnceCell::new();
            let subject = Subject { signature, $($subject)* };
            let answer = answer!($answers $event);
            let mut make = |$jni: &mut Env<'l>, $now: jvalue, arguments: &mut Arguments| {
                let _ = (&$jni, $now);
                $($prepare)*
                fill(arguments, [LISTENER, $($value,)*]);
                Ok(())
            };
            $answers($env, $jni, &KINDS[$place], &subject, &mut make, answer);
        }
    };
}

macro_rules! source {
    (keeps $type:ident $constant:ident) => {
        Source::OfHotSpot(HotSpotEvent::$type)
    };
    ($answers:ident $type:ident $constant:ident) => {
        Source::Specified(Event::$constant)
    };
}

macro_rules! is_recorded {
    (keeps) => {
        true
    };
    (records) => {
        true
    };
    ($told:ident) => {
        false
    };
}

/// Where what a listener answers goes.
macro_rules! answer {
    (tells $event:ident) => {
        ()
    };
    (lets_return $event:ident) => {
        FrameInfo {
            method: $event.method,
            location: $event.location,
        }
    };
    (asks_for_a_file $event:ident) => {
        ClassFile {
            class: $event.class_being_redefined.as_ref(),
            given: $event.class_data,
            new: $event.new_class_data,
        }
    };
    (asks_for_an_address $event:ident) => {
        ($event.address, $event.new_address_ptr)
    };
}

each_told!(upcalls);

fn fill<const N: usize>(arguments: &mut Arguments, values: [jvalue; N]) {
    arguments[..N].copy_from_slice(&values);
}

fn object<'o>(object: &impl AsRef<JObject<'o>>) -> jvalue {
    reference(object.as_ref().as_raw())
}

fn object_if_any<'o>(object: Option<&impl AsRef<JObject<'o>>>) -> jvalue {
    reference(object.map_or(std::ptr::null_mut(), |object| object.as_ref().as_raw()))
}

fn reference(l: jobject) -> jvalue {
    jvalue { l }
}

fn text_if_any(jni: &mut Env<'_>, text: Option<&JNIStr>) -> Outcome<jvalue> {
    match text {
        Some(text) => Ok(object(&bare::string(jni, text)?)),
        None => Ok(reference(std::ptr::null_mut())),
    }
}

fn method(method: Option<MethodId>) -> jvalue {
    long(method.map_or(0, |method| method.as_raw() as jlong))
}

fn field(field: Field<'_>) -> jvalue {
    long(field.as_raw() as jlong)
}

fn long(j: jlong) -> jvalue {
    jvalue { j }
}

fn int(i: jint) -> jvalue {
    jvalue { i }
}

fn boolean(z: bool) -> jvalue {
    jvalue { z }
}

/// A value of any type: the letter of that, and either its bits or a reference.
struct Typed {
    letter: jvalue,
    bits: jvalue,
    object: jvalue,
}

fn typed(value: &JValueOwned<'_>) -> Typed {
    let (letter, bits, object) = match value {
        JValueOwned::Bool(value) => (b'Z', jlong::from(*value), None),
        JValueOwned::Byte(value) => (b'B', (*value).into(), None),
        JValueOwned::Char(value) => (b'C', (*value).into(), None),
        JValueOwned::Short(value) => (b'S', (*value).into(), None),
        JValueOwned::Int(value) => (b'I', (*value).into(), None),
        JValueOwned::Long(value) => (b'J', *value, None),
        JValueOwned::Float(value) => (b'F', value.to_bits().into(), None),
        JValueOwned::Double(value) => (b'D', value.to_bits().cast_signed(), None),
        JValueOwned::Object(object) => (b'L', 0, Some(object)),
        JValueOwned::Void => (b'V', 0, None),
    };
    Typed {
        letter: jvalue { c: letter.into() },
        bits: long(bits),
        object: object_if_any(object),
    }
}
