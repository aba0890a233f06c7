//! Extension Mechanism: what this VM has beyond the interface, and calls of what HotSpot has.
//!
//! An extension function is found at run time, by its name, and takes what its list of parameters says. Such a list is
//! all there is to tell a call from a crash, so only functions that are known here are called, and only if theirs is the
//! known one.

use std::ffi::c_char;

use jni::objects::JThread;
use jni::sys::{jboolean, jint, jobject};

use crate::env::{Env, call, local, not_null};
use crate::error::{Error, Result, check};
use crate::event::{HotSpotEvent, Listener};
use crate::memory::{
    Element, MutfString, borrow, copy_str, deallocate, out, out_array, out_flag, text,
};
use crate::sys::{self, ParamKind, ParamType};

/// A function that this VM has beyond the interface.
#[derive(Clone, Debug)]
pub struct ExtensionFunction {
    /// Its name, like that of a Java class: `com.sun.hotspot.functions.IsClassUnloadingEnabled`.
    pub id: MutfString,
    /// What it does, in a line.
    pub short_description: MutfString,
    /// What it takes after the environment.
    pub parameters: Vec<ExtensionParameter>,
    /// Which errors of its own it may answer.
    pub errors: Vec<sys::Error>,
    function: Option<sys::jvmtiExtensionFunction>,
}

/// An event that this VM has beyond the interface.
#[derive(Clone, Debug)]
pub struct ExtensionEvent {
    /// Its number, with which it is enabled.
    pub index: i32,
    /// Its name, like that of a Java class: `com.sun.hotspot.events.ClassUnload`.
    pub id: MutfString,
    /// What it tells, in a line.
    pub short_description: MutfString,
    /// What its callback gets after the environment.
    pub parameters: Vec<ExtensionParameter>,
}

/// A parameter of an extension function or event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionParameter {
    /// Its name; HotSpot repeats that of the function.
    pub name: MutfString,
    /// In which direction it goes, and how.
    pub kind: ParamKind,
    /// The type of the value, or of what it points to.
    pub base_type: ParamType,
    /// Whether it may be `NULL`.
    pub null_ok: bool,
}

/// A known function and what it takes.
struct Known {
    function: &'static str,
    id: &'static str,
    parameters: &'static [(ParamKind, ParamType)],
}

const IS_CLASS_UNLOADING_ENABLED: Known = Known {
    function: "IsClassUnloadingEnabled",
    id: "com.sun.hotspot.functions.IsClassUnloadingEnabled",
    parameters: &[(ParamKind::OUT, ParamType::JBOOLEAN)],
};

const GET_VIRTUAL_THREAD: Known = Known {
    function: "GetVirtualThread",
    id: "com.sun.hotspot.functions.GetVirtualThread",
    parameters: &[
        (ParamKind::IN, ParamType::JTHREAD),
        (ParamKind::OUT, ParamType::JTHREAD),
    ],
};

impl Env {
    /// The functions that this VM has beyond the interface.
    ///
    /// Phase: onload, live. Capability: none. Errors: none of its own.
    #[doc(alias = "GetExtensionFunctions")]
    pub fn extension_functions(&self) -> Result<Vec<ExtensionFunction>> {
        let all = out_array(self, |count, functions| {
            call!(self, GetExtensionFunctions, count, functions)
        })?;
        // SAFETY: the VM has filled them, and they are in place until the block is dropped.
        Ok(all.iter().map(|one| unsafe { function(one) }).collect())
    }

    /// The events that this VM has beyond the interface.
    ///
    /// Phase: onload, live. Capability: none. Errors: none of its own.
    #[doc(alias = "GetExtensionEvents")]
    pub fn extension_events(&self) -> Result<Vec<ExtensionEvent>> {
        let all = out_array(self, |count, events| {
            call!(self, GetExtensionEvents, count, events)
        })?;
        // SAFETY: as above.
        Ok(all.iter().map(|one| unsafe { event(one) }).collect())
    }

    /// Whether the VM unloads classes: HotSpot's `IsClassUnloadingEnabled`.
    ///
    /// Phase: onload, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_AVAILABLE` if this VM has no such function.
    pub fn is_class_unloading_enabled(&self) -> Result<bool> {
        let function = self.known(&IS_CLASS_UNLOADING_ENABLED)?;
        out_flag(|enabled: *mut jboolean| {
            // SAFETY: a live environment, and what the function's own list says that it takes.
            let code = unsafe { function(self.as_raw(), enabled) };
            check(IS_CLASS_UNLOADING_ENABLED.function, code)
        })
    }

    /// The virtual thread that the platform thread `carrier` runs just now, if it does: HotSpot's
    /// `GetVirtualThread`. It keeps all virtual threads from being mounted and unmounted meanwhile.
    ///
    /// Phase: live. Capability: `can_support_virtual_threads`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_AVAILABLE` if this VM has no such function;
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_THREAD` for null, and for a
    /// virtual thread; `JVMTI_ERROR_THREAD_NOT_ALIVE`.
    pub fn virtual_thread<'l>(
        &self,
        jni: &jni::Env<'l>,
        carrier: &JThread<'_>,
    ) -> Result<Option<JThread<'l>>> {
        let thread = not_null(GET_VIRTUAL_THREAD.function, carrier)?;
        let function = self.known(&GET_VIRTUAL_THREAD)?;
        let found: jobject = out(|found: *mut jobject| {
            // SAFETY: as above; on a thread that is attached, for it has a JNI environment.
            let code = unsafe { function(self.as_raw(), thread, found) };
            check(GET_VIRTUAL_THREAD.function, code)
        })?;
        // SAFETY: a new local reference of this frame to a thread, or null.
        Ok(unsafe { local::<JThread<'_>>(jni, found) })
    }

    /// Has an event of HotSpot's delivered to `L`, instead of to whom it was before, and answers its number, which is to be
    /// [enabled](Self::set_event_notification_mode) as well; before JDK 21 this alone enables it.
    ///
    /// Phase: onload, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_AVAILABLE` if this VM has no such event.
    #[doc(alias = "SetExtensionEventCallback")]
    pub fn listen_to<L: Listener>(&self, event: HotSpotEvent) -> Result<sys::Event> {
        let number = self.hotspot_event(event)?;
        // SAFETY: it takes what the event's own list says, out of which nothing unwinds, and is called with that.
        unsafe {
            let callback =
                std::mem::transmute::<*const (), sys::jvmtiExtensionEvent>(event.callback::<L>());
            self.set_extension_event_callback(number, Some(callback))?;
        }
        Ok(number)
    }

    /// The number that this VM has for an event of HotSpot's, with which it is
    /// [enabled](Self::set_event_notification_mode).
    ///
    /// Phase: onload, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_AVAILABLE` if this VM has no such event, or one that takes something else.
    pub fn hotspot_event(&self, event: HotSpotEvent) -> Result<sys::Event> {
        let is_known = |one: &&ExtensionEvent| {
            let parameters = one.parameters.iter().map(|one| (one.kind, one.base_type));
            one.id.to_str() == event.id() && parameters.eq(event.parameters().iter().copied())
        };
        let all = self.extension_events()?;
        let found = all.iter().find(is_known).map(|one| sys::Event(one.index));
        found.ok_or_else(|| Error::new("SetExtensionEventCallback", sys::Error::NOT_AVAILABLE))
    }

    /// Takes the callbacks of all extension events away, known or not, which ends their delivery, except that
    /// callbacks on other threads may still be running when this returns.
    ///
    /// Phase: onload, live. Capability: none. Errors: none of its own.
    #[doc(alias = "SetExtensionEventCallback")]
    pub fn clear_extension_event_callbacks(&self) -> Result<()> {
        let mut all = self.extension_events()?.into_iter();
        // SAFETY: there is none that could be called.
        all.try_for_each(|one| unsafe {
            self.set_extension_event_callback(sys::Event(one.index), None)
        })
    }

    /// Sets what the VM calls for an extension event, or with `None` that it calls nothing.
    ///
    /// Phase: onload, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if this VM has no extension event of that number.
    ///
    /// # Safety
    ///
    /// The callback takes what the event's [list of parameters](ExtensionEvent::parameters) says, as variable arguments, and
    /// may be called so at any time and by several threads at once, until the VM ends; it does not unwind. Its code stays
    /// loaded: it may still be running when it has been replaced.
    #[doc(alias = "SetExtensionEventCallback")]
    pub unsafe fn set_extension_event_callback(
        &self,
        event: sys::Event,
        callback: Option<sys::jvmtiExtensionEvent>,
    ) -> Result<()> {
        call!(self, SetExtensionEventCallback, event.0, callback)
    }

    /// The function that is `known`, if it takes here what it is known to take.
    fn known(&self, known: &Known) -> Result<sys::jvmtiExtensionFunction> {
        let all = self.extension_functions()?;
        let is_known = |one: &&ExtensionFunction| {
            let parameters = one.parameters.iter().map(|one| (one.kind, one.base_type));
            one.id.to_str() == known.id && parameters.eq(known.parameters.iter().copied())
        };
        let found = all.iter().find(is_known).and_then(|one| one.function);
        found.ok_or_else(|| Error::new(known.function, sys::Error::NOT_AVAILABLE))
    }
}

/// # Safety
///
/// The VM has filled `one`.
unsafe fn function(one: &sys::jvmtiExtensionFunctionInfo) -> ExtensionFunction {
    // SAFETY: texts and arrays of the VM, each as long as it says.
    unsafe {
        ExtensionFunction {
            id: text(copy_str(one.id)),
            short_description: text(copy_str(one.short_description)),
            parameters: parameters(one.params, one.param_count),
            errors: borrow(one.errors, length(one.error_count)).to_vec(),
            function: one.func,
        }
    }
}

/// # Safety
///
/// The VM has filled `one`.
unsafe fn event(one: &sys::jvmtiExtensionEventInfo) -> ExtensionEvent {
    // SAFETY: as above.
    unsafe {
        ExtensionEvent {
            index: one.extension_event_index,
            id: text(copy_str(one.id)),
            short_description: text(copy_str(one.short_description)),
            parameters: parameters(one.params, one.param_count),
        }
    }
}

/// # Safety
///
/// `NULL`, or an array that the VM has filled.
unsafe fn parameters(first: *const sys::jvmtiParamInfo, count: jint) -> Vec<ExtensionParameter> {
    // SAFETY: the caller's promise.
    let all = unsafe { borrow(first, length(count)) };
    let parameter = |one: &sys::jvmtiParamInfo| ExtensionParameter {
        // SAFETY: a text of the VM.
        name: text(unsafe { copy_str(one.name) }),
        kind: one.kind,
        base_type: one.base_type,
        null_ok: one.null_ok,
    };
    all.iter().map(parameter).collect()
}

fn length(count: jint) -> usize {
    usize::try_from(count).unwrap_or(0)
}

// SAFETY: numbers, and pointers to texts and arrays, each in a block of its own.
unsafe impl Element for sys::jvmtiExtensionFunctionInfo {
    unsafe fn release(self, env: &Env) {
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe {
            release(
                env,
                [self.id, self.short_description],
                self.params,
                self.param_count,
            );
            deallocate(env, self.errors);
        }
    }
}

// SAFETY: as above.
unsafe impl Element for sys::jvmtiExtensionEventInfo {
    unsafe fn release(self, env: &Env) {
        // SAFETY: the caller's promise is the one that is asked for.
        unsafe {
            release(
                env,
                [self.id, self.short_description],
                self.params,
                self.param_count,
            )
        };
    }
}

/// # Safety
///
/// As [`Element::release`].
unsafe fn release(
    env: &Env,
    texts: [*mut c_char; 2],
    parameters: *mut sys::jvmtiParamInfo,
    count: jint,
) {
    // SAFETY: the caller's promise; the names go before the array that has them.
    unsafe {
        for one in borrow(parameters, length(count)) {
            deallocate(env, one.name);
        }
        deallocate(env, parameters);
        for text in texts {
            deallocate(env, text);
        }
    }
}
