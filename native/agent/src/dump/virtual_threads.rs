//! The virtual threads that the class library keeps track of. The VM lists none.
//!
//! From JDK 21 on, `jdk.internal.vm.ThreadContainers` knows those of each executor and scope, and
//! those started one by one unless `jdk.trackAllThreads` is off.

use jni::objects::{JClass, JObject, JObjectArray, JThread};
use jni::{Env, jni_sig, jni_str};

use crate::failure::Outcome;
use crate::vm::capacity::Room;

/// Those that are alive at about this moment; none before JDK 21.
pub(crate) fn tracked<'l>(jni: &mut Env<'l>) -> Outcome<Vec<JThread<'l>>> {
    let Some(containers) = find(jni, jni_str!("jdk/internal/vm/ThreadContainers"))? else {
        return Ok(Vec::new());
    };
    let Some(virtual_thread) = find(jni, jni_str!("java/lang/BaseVirtualThread"))? else {
        return Ok(Vec::new());
    };
    let root = jni
        .call_static_method(
            &containers,
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
            if jni.is_instance_of(&thread, &virtual_thread)? {
                // SAFETY: a virtual thread is a thread.
                found.push(unsafe { JThread::from_raw(jni, thread.into_raw()) });
            }
        }
        todo.extend(elements(jni, &mut room, &container, jni_str!("children"))?);
    }
    Ok(found)
}

fn find<'l>(jni: &mut Env<'l>, name: &jni::strings::JNIStr) -> Outcome<Option<JClass<'l>>> {
    match jni.find_class(name) {
        Ok(class) => Ok(Some(class)),
        Err(_) => {
            jni.exception_clear();
            Ok(None)
        }
    }
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
    let array = jni.cast_local::<JObjectArray<'_, JObject<'_>>>(array)?;
    let length = array.len(jni)?;
    // The elements, the stream and the array.
    room.made(jni, length + 2)?;
    (0..length)
        .map(|index| Ok(array.get_element(jni, index)?))
        .collect()
}
