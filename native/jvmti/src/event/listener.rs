//! What an agent does when something happens: a type for each event, a method for each, and the callbacks that the VM
//! calls, out of which nothing unwinds.

use std::ffi::{c_char, c_uchar, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

use jni::AttachGuard;
use jni::objects::{JClass, JClassLoader, JObject, JThread, JThrowable, JValueOwned};
use jni::strings::JNIStr;

use super::each::each_event;
use super::inlining::CompileInfo;
use super::typed::{FieldOf, ReturnedValue, typed_value};
use super::values::{
    NewAddress, NewClassFile, given, list, method_if_any, reference, size, text, text_if_any,
};
use crate::caught::caught;
use crate::env::{self, Env};
use crate::method::MethodId;
use crate::sys::{
    self, EventCallbacks, JNIEnv, ParamKind, ParamType, ResourceExhaustion, jboolean, jclass,
    jfieldID, jint, jlocation, jlong, jmethodID, jobject, jthread, jvalue, jvmtiAddrLocationMap,
};

/// The method of an event, which does nothing unless it is written.
macro_rules! method {
    (upcall, $(#[$doc:meta])* $event:ident $method:ident) => {
        $(#[$doc])*
        #[inline]
        fn $method<'l>(env: &Env, jni: &mut jni::Env<'l>, event: $event<'l>) {
            let _ = (env, jni, event);
        }
    };
    (record, $(#[$doc:meta])* $event:ident $method:ident) => {
        $(#[$doc])*
        ///
        /// No call of JNI, and of this interface only those that say so.
        #[inline]
        fn $method(env: &Env, event: $event<'_>) {
            let _ = (env, event);
        }
    };
}

/// The function that the VM calls for an event.
macro_rules! callback {
    (upcall, ($env:ident, $jni:ident) $event:ident $method:ident($($raw:ident: $raw_type:ty),*)
        $($field:ident = $made:expr),*) => {
        unsafe extern "system" fn $method<L: Listener>(
            raw_env: *mut sys::Env,
            raw_jni: *mut JNIEnv,
            $($raw: $raw_type,)*
        ) {
            // SAFETY: the VM calls it for this event, with its environment, that of the thread, and what belongs to
            // this callback.
            unsafe {
                upcall(raw_env, raw_jni, stringify!($method), |$env, $jni| {
                    let event = $event { $($field: $made,)* of: PhantomData };
                    L::$method($env, $jni, event);
                });
            }
        }
    };
    (record, ($env:ident, $jni:ident) $event:ident $method:ident($($raw:ident: $raw_type:ty),*)
        $($field:ident = $made:expr),*) => {
        unsafe extern "system" fn $method<L: Listener>(
            raw_env: *mut sys::Env,
            $($raw: $raw_type,)*
        ) {
            // SAFETY: the VM calls it for this event, with its environment and what belongs to this callback.
            unsafe {
                record(raw_env, |$env| {
                    let event = $event { $($field: $made,)* of: PhantomData };
                    L::$method($env, event);
                });
            }
        }
    };
}

/// The function that the VM calls for an event of HotSpot's: what it takes after the environment comes as variable
/// arguments. Those are passed like others, but for Apple's processors: there they lie on the stack, as whatever comes
/// after eight arguments does.
macro_rules! extension_callback {
    (@behind [$($register:ident)*] ($env:ident, $jni:ident) $event:ident $method:ident($raw:ident: $raw_type:ty)
        $($field:ident = $made:expr),*) => {
        unsafe extern "C" fn $method<L: Listener>(
            raw_env: *mut sys::Env,
            $($register: usize,)*
            raw_jni: *mut JNIEnv,
            $raw: $raw_type,
        ) {
            // SAFETY: the VM calls it for this event, with its environment, that of the thread, and what belongs to
            // this callback.
            unsafe {
                upcall(raw_env, raw_jni, stringify!($method), |$env, $jni| {
                    let _ = &$jni;
                    let event = $event { $($field: $made,)* of: PhantomData };
                    L::$method($env, $jni, event);
                });
            }
        }
    };
    ($both:tt $($rest:tt)*) => {
        #[cfg(not(all(target_vendor = "apple", target_arch = "aarch64")))]
        extension_callback!(@behind [] $both $($rest)*);
        #[cfg(all(target_vendor = "apple", target_arch = "aarch64"))]
        extension_callback!(@behind [_2 _3 _4 _5 _6 _7 _8] $both $($rest)*);
    };
}

/// What a listener is handed of an event.
macro_rules! handed {
    ($(#[$doc:meta])* $event:ident $($(#[$field_doc:meta])* $field:ident: $field_type:ty,)*) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $event<'l> {
            $($(#[$field_doc])* pub $field: $field_type,)*
            /// It belongs to the callback.
            of: PhantomData<&'l ()>,
        }
    };
}

macro_rules! listener {
    ($both:tt $(
        $(#[$doc:meta])*
        $door:ident $slot:ident $event:ident $method:ident($($raw:ident: $raw_type:ty),*) {
            $($(#[$field_doc:meta])* $field:ident: $field_type:ty = $made:expr,)*
        }
    )* ; $(
        $(#[$x_doc:meta])*
        $x_event:ident $x_method:ident($x_raw:ident: $x_raw_type:ty) $id:literal [$($kind:ident $type:ident),*] {
            $($(#[$x_field_doc:meta])* $x_field:ident: $x_field_type:ty = $x_made:expr,)*
        }
    )*) => {
        $(handed!($(#[$doc])* $event $($(#[$field_doc])* $field: $field_type,)*);)*
        $(handed!($(#[$x_doc])* $x_event $($(#[$x_field_doc])* $x_field: $x_field_type,)*);)*

        /// What an agent does when something happens. Every method does nothing unless it is written, is called on the
        /// thread on which that happens, by several threads at once, and what it is handed ends with it.
        ///
        /// A panic in one ends there, and a Java exception that one leaves pending is cleared. An event is delivered
        /// once it is [enabled](Env::set_event_notification_mode); one of HotSpot's once
        /// [it is listened to](Env::listen_to) as well. What the VM tells before there is JNI, as of native methods that are
        /// bound in the primordial phase, is delivered to none.
        pub trait Listener: 'static {
            $(method!($door, $(#[$doc])* $event $method);)*
            $(method!(upcall, $(#[$x_doc])* $x_event $x_method);)*
        }

        /// The callbacks that hand every event of the specification to `L`.
        pub(super) fn callbacks<L: Listener>() -> EventCallbacks {
            EventCallbacks {
                $($slot: Some($method::<L>),)*
                ..EventCallbacks::default()
            }
        }

        /// An event that HotSpot has beyond the specification: an extension event that is known here.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum HotSpotEvent {
            $($(#[$x_doc])* $x_event,)*
        }

        impl HotSpotEvent {
            /// All that are known.
            pub const ALL: &'static [Self] = &[$(Self::$x_event,)*];

            /// What HotSpot calls it: `com.sun.hotspot.events.ClassUnload`.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$x_event => $id,)*
                }
            }

            /// What its callback takes after the environment.
            pub(crate) const fn parameters(self) -> &'static [(ParamKind, ParamType)] {
                match self {
                    $(Self::$x_event => &[$((ParamKind::$kind, ParamType::$type),)*],)*
                }
            }

            /// What hands it to `L`, without the dots: the VM calls it as if it had them.
            pub(crate) fn callback<L: Listener>(self) -> *const () {
                match self {
                    $(Self::$x_event => $x_method::<L> as *const (),)*
                }
            }
        }

        $(callback!($door, $both $event $method($($raw: $raw_type),*) $($field = $made),*);)*
        $(extension_callback!($both $x_event $x_method($x_raw: $x_raw_type) $($x_field = $x_made),*);)*
    };
}

each_event!(listener);

/// Where the VM allocates or loads in the middle of a native method, `-Xcheck:jni` counts the references of that one in
/// the callback, which has said nothing of so many.
const OF_OTHERS: usize = 1 << 15;

/// Whether an exception may be pending on its thread, as one that was thrown at it: then not even that may be said.
#[inline(always)]
fn may_be_pending(event: &str) -> bool {
    event.starts_with("monitor_")
        || matches!(
            event,
            "exception"
                | "exception_catch"
                | "frame_pop"
                | "method_exit"
                | "thread_end"
                | "virtual_thread_end"
                | "virtual_thread_mount"
                | "virtual_thread_unmount"
        )
}

/// Has `listener` called with the environments that a callback was handed.
///
/// # Safety
///
/// They are those that the VM has called this callback with.
#[inline(always)]
unsafe fn upcall(
    env: *mut sys::Env,
    jni: *mut JNIEnv,
    event: &'static str,
    listener: impl for<'l> FnOnce(&'l Env, &mut jni::Env<'l>),
) {
    // What panicked is not looked at again: nobody is told.
    let _ = caught(|| {
        let Some(env) = NonNull::new(env) else {
            return;
        };
        // In the primordial phase HotSpot tells of methods that are bound without one.
        if jni.is_null() {
            return;
        }
        // SAFETY: the caller's promise; the guard stays on this frame.
        let mut guard = unsafe { AttachGuard::from_unowned(jni) };
        let jni = guard.borrow_env_mut();
        if !may_be_pending(event) {
            let _ = env::declare(jni, OF_OTHERS);
        }
        let was_pending = jni.exception_check();
        // SAFETY: the VM delivers nothing to an environment that is disposed, and frees it at a collection after that,
        // for which it waits until this callback has returned.
        let env = unsafe { Env::from_raw(env) };
        let _ = caught(|| listener(env, jni));
        if !was_pending && jni.exception_check() {
            jni.exception_clear();
        }
    });
}

/// The same of an event that has no thread of Java's.
///
/// # Safety
///
/// As [`upcall`].
#[inline(always)]
unsafe fn record(env: *mut sys::Env, listener: impl for<'l> FnOnce(&'l Env)) {
    if let Some(env) = NonNull::new(env) {
        // SAFETY: as in `upcall`.
        let env = unsafe { Env::from_raw(env) };
        let _ = caught(|| listener(env));
    }
}
