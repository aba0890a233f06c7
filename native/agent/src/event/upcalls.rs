//! Who hands each event over to Java.

use jni::objects::JObject;
use jni::sys::{jlong, jvalue};
use jni::{Env, jni_str};
use jvmti::sys::Event;
use jvmti::{Listener, MethodId, event};

use super::told::each_told;
use crate::event::filter::{Of, Subject};
use crate::event::kind::Kind;
use crate::event::telling::tell;

/// Tells Java of every event that is a row of the table.
pub(crate) struct Upcalls;

/// The place of the listener's number.
const LISTENER: jvalue = jvalue { i: 0 };

macro_rules! upcalls {
    (($event:ident) $(
        $place:literal $type:ident $constant:ident $listener:ident $by_thread:literal $method:literal $signature:literal
        { $($subject:tt)* } [$($value:expr,)*]
    )*) => {
        /// All kinds, by their places.
        pub(crate) const KINDS: &[Kind] = &[$(Kind {
            place: $place,
            event: Event::$constant,
            by_thread: $by_thread,
            method: jni_str!($method),
            signature: jni_str!($signature),
        },)*];

        impl Listener for Upcalls {
            $(fn $listener<'l>(env: &jvmti::Env, jni: &mut Env<'l>, $event: event::$type<'l>) {
                let subject = Subject { $($subject)* };
                let mut arguments = [LISTENER, $($value,)*];
                tell(env, jni, $place, &subject, &mut arguments);
            })*
        }
    };
}

each_told!(upcalls);

fn object<'o>(object: &impl AsRef<JObject<'o>>) -> jvalue {
    jvalue {
        l: object.as_ref().as_raw(),
    }
}

fn method(method: Option<MethodId>) -> jvalue {
    let id = method.map_or(0, |method| method.as_raw() as jlong);
    jvalue { j: id }
}

fn long(number: jlong) -> jvalue {
    jvalue { j: number }
}

fn boolean(so: bool) -> jvalue {
    jvalue { z: so }
}
