//! Which platform thread runs a virtual one, and which are there for that.

use jni::objects::JThread;
use jni::signature::ReturnType;
use jni::{Env, jni_sig, jni_str};

use crate::failure::Outcome;
use crate::thread::virtual_thread::is_virtual;
use crate::vm::jdk::{JdkClass, JdkField};

static VIRTUAL_THREAD: JdkClass = JdkClass::new(jni_str!("java.lang.VirtualThread"));
/// The threads of the scheduler of virtual threads.
static CARRIER_THREAD: JdkClass = JdkClass::new(jni_str!("jdk.internal.misc.CarrierThread"));

static CARRIER: JdkField = JdkField::new(
    &VIRTUAL_THREAD,
    jni_str!("carrierThread"),
    jni_sig!(java.lang.Thread),
);

/// Looks up what of [`of`] may take Java: before threads stand still. Not the field: who asks for one has the class
/// initialised, and from 24 on that starts a thread for virtual ones (`VirtualThread-unblocker`). Once there is a virtual
/// thread it is initialised.
pub(crate) fn prepare(jni: &mut Env<'_>) {
    let _ = VIRTUAL_THREAD.get(jni);
}

/// The carrier of `thread`; none of a platform thread, nor of one that is not mounted.
pub(crate) fn of<'l>(jni: &mut Env<'l>, thread: &JThread<'_>) -> Outcome<Option<JThread<'l>>> {
    if !is_virtual(jni, thread)? {
        return Ok(None);
    }
    let Ok(class) = VIRTUAL_THREAD.get(jni) else {
        return Ok(None);
    };
    // Where the VM has no continuations, each virtual thread is one of the system.
    if !jni.is_instance_of(thread, class)? {
        return Ok(None);
    }
    let Ok(field) = CARRIER.id(jni) else {
        return Ok(None);
    };
    // SAFETY: the field is one of the class, and a reference.
    let carrier = unsafe { jni.get_field_unchecked(thread, field, ReturnType::Object) }?.l()?;
    // SAFETY: the type of the field.
    let carrier = unsafe { JThread::from_raw(jni, carrier.into_raw()) };
    Ok((!carrier.is_null()).then_some(carrier))
}

/// Looks up what [`carries`] needs, which may take Java: before threads stand still. Fails where there are no such threads.
pub(crate) fn prepare_to_tell(jni: &mut Env<'_>) -> Outcome<()> {
    CARRIER_THREAD.get(jni)?;
    Ok(())
}

/// Whether `thread` is one of those that carry virtual ones.
pub(crate) fn carries(jni: &mut Env<'_>, thread: &JThread<'_>) -> Outcome<bool> {
    let class = CARRIER_THREAD.get(jni)?;
    Ok(jni.is_instance_of(thread, class)?)
}
