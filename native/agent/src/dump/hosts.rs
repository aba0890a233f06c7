//! What runs each thread, and what started it: as the fields of the class library tell.

use jni::ids::JFieldID;
use jni::objects::{JObject, JThread};
use jni::signature::ReturnType;
use jni::{Env, jni_sig, jni_str};

use crate::failure::Outcome;
use crate::thread::carrier;
use crate::thread::virtual_thread::VIRTUAL_THREADS;
use crate::vm::capacity::Room;
use crate::vm::image;
use crate::vm::jdk::{JdkField, THREAD};

static CONTAINER: JdkField = JdkField::new(
    &THREAD,
    jni_str!("container"),
    jni_sig!(jdk.internal.vm.ThreadContainer),
);

/// The carrier of a virtual thread that is mounted, and the executor or scope that has started a thread.
#[derive(Default)]
pub(crate) struct Host<'l> {
    pub(crate) carrier: Option<JThread<'l>>,
    pub(crate) container: Option<JObject<'l>>,
}

/// Where threads have their container; nowhere before there were virtual threads. Looks up all that [`read`] needs,
/// which may take Java: before threads stand still.
pub(super) fn find(jni: &mut Env<'_>) -> Outcome<Option<JFieldID>> {
    if image::feature(image::plain()?)? < VIRTUAL_THREADS {
        return Ok(None);
    }
    carrier::prepare(jni);
    Ok(CONTAINER.id(jni).ok())
}

/// The host of each thread; nothing where threads have none.
pub(super) fn read<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    container: Option<JFieldID>,
    threads: &[JThread<'l>],
) -> Outcome<Option<Vec<Host<'l>>>> {
    let Some(field) = container else {
        return Ok(None);
    };
    let mut hosts = Vec::with_capacity(threads.len());
    for thread in threads {
        room.made(jni, 2)?;
        let carrier = carrier::of(jni, thread)?;
        // SAFETY: the field is one of `Thread`, and a reference.
        let container =
            unsafe { jni.get_field_unchecked(thread, field, ReturnType::Object) }?.l()?;
        let container = (!container.is_null()).then_some(container);
        hosts.push(Host { carrier, container });
    }
    Ok(Some(hosts))
}
