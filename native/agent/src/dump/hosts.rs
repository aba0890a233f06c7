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
use crate::vm::jdk::{JdkClass, JdkField, THREAD};

static CONTAINER: JdkField = JdkField::new(
    &THREAD,
    jni_str!("container"),
    jni_sig!(jdk.internal.vm.ThreadContainer),
);

/// What containers are.
static SCOPE: JdkClass = JdkClass::new(jni_str!("jdk.internal.vm.StackableScope"));
static OWNER: JdkField = JdkField::new(&SCOPE, jni_str!("owner"), jni_sig!(java.lang.Thread));

/// The carrier of a virtual thread that is mounted, the executor or scope that has started a thread, and whose scope that
/// is.
#[derive(Default)]
pub(crate) struct Host<'l> {
    pub(crate) carrier: Option<JThread<'l>>,
    pub(crate) container: Option<JObject<'l>>,
    pub(crate) container_owner: Option<JThread<'l>>,
}

/// Where threads have their container; nowhere before there were virtual threads. Looks up all that [`read`] needs,
/// which may take Java: before threads stand still.
pub(super) fn find(jni: &mut Env<'_>) -> Outcome<Option<JFieldID>> {
    if image::feature(image::plain()?)? < VIRTUAL_THREADS {
        return Ok(None);
    }
    carrier::prepare(jni);
    let _ = SCOPE.get(jni);
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
        room.made(jni, 3)?;
        let carrier = carrier::of(jni, thread)?;
        // SAFETY: the field is one of `Thread`, and a reference.
        let container =
            unsafe { jni.get_field_unchecked(thread, field, ReturnType::Object) }?.l()?;
        let container = (!container.is_null()).then_some(container);
        let container_owner = match &container {
            Some(container) => owner(jni, container)?,
            None => None,
        };
        hosts.push(Host {
            carrier,
            container,
            container_owner,
        });
    }
    Ok(Some(hosts))
}

/// Whose scope a container is; nobody's if any thread may close it, or if this JDK keeps that elsewhere.
fn owner<'l>(jni: &mut Env<'l>, container: &JObject<'_>) -> Outcome<Option<JThread<'l>>> {
    let Ok(class) = SCOPE.get(jni) else {
        return Ok(None);
    };
    if !jni.is_instance_of(container, class)? {
        return Ok(None);
    }
    // The class has an object, and so is initialised: this takes no Java.
    let Ok(field) = OWNER.id(jni) else {
        return Ok(None);
    };
    // SAFETY: the field is one of the class, and a reference.
    let owner = unsafe { jni.get_field_unchecked(container, field, ReturnType::Object) }?.l()?;
    // SAFETY: the type of the field.
    let owner = unsafe { JThread::from_raw(jni, owner.into_raw()) };
    Ok((!owner.is_null()).then_some(owner))
}
