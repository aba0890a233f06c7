//! The virtual threads that the class library keeps track of. The VM lists none.
//!
//! `jdk.internal.vm.ThreadContainers` knows those of each executor and scope, and
//! those started one by one unless `jdk.trackAllThreads` is off.

use jni::objects::{JObject, JObjectArray, JThread};
use jni::{Env, jni_sig, jni_str};

use crate::failure::Outcome;
use crate::thread::virtual_thread::VIRTUAL_THREADS;
use crate::vm::capacity::Room;
use crate::vm::image;
use crate::vm::jdk::JdkClass;

static CONTAINERS: JdkClass = JdkClass::new(jni_str!("jdk.internal.vm.ThreadContainers"));
static VIRTUAL_THREAD: JdkClass = JdkClass::new(jni_str!("java.lang.BaseVirtualThread"));

/// Those that are alive at about this moment; none before there were any.
pub(crate) fn tracked<'l>(jni: &mut Env<'l>) -> Outcome<Vec<JThread<'l>>> {
    if image::plain()?.major_version()? < VIRTUAL_THREADS {
        return Ok(Vec::new());
    }
    let virtual_thread = VIRTUAL_THREAD.get(jni)?;
    let containers = CONTAINERS.get(jni)?;
    let root = jni
        .call_static_method(
            containers,
            jni_str!("root"),
            jni_sig!(() -> jdk.internal.vm.ThreadContainer),
            &[],
        )?
        .l()?;
    let mut room = Room::default();
    let mut found = Vec::new();
    let mut todo = vec![root];
    while let Some(container) = todo.pop() {
        for thread in elements(jni, &mut room, &container, jni_str!("threads"))? {
            if jni.is_instance_of(&thread, virtual_thread)? {
                // SAFETY: a virtual thread is a thread.
                found.push(unsafe { JThread::from_raw(jni, thread.into_raw()) });
            }
        }
        todo.extend(elements(jni, &mut room, &container, jni_str!("children"))?);
    }
    Ok(found)
}

/// What is in the stream that `method` of `container` answers.
fn elements<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    container: &JObject<'_>,
    method: &jni::strings::JNIStr,
) -> Outcome<Vec<JObject<'l>>> {
    let stream = jni
        .call_method(
            container,
            method,
            jni_sig!(() -> java.util.stream.Stream),
            &[],
        )?
        .l()?;
    let array = jni
        .call_method(&stream, jni_str!("toArray"), jni_sig!(() -> JObject[]), &[])?
        .l()?;
    // SAFETY: a new local reference, and `Stream.toArray` answers an `Object[]`.
    let array = unsafe { JObjectArray::<JObject<'_>>::from_raw(jni, array.into_raw()) };
    let length = array.len(jni)?;
    // The elements, the stream and the array.
    room.made(jni, length + 2)?;
    (0..length)
        .map(|index| Ok(array.get_element(jni, index)?))
        .collect()
}
