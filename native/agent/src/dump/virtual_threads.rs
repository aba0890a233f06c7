//! The virtual threads that the class library keeps track of. The VM lists none.
//!
//! `jdk.internal.vm.ThreadContainers` knows those of each executor and scope, and
//! those started one by one unless `jdk.trackAllThreads` is off.

use jni::objects::{JObject, JObjectArray, JThread};
use jni::signature::ReturnType;
use jni::{Env, jni_sig, jni_str};

use crate::failure::Outcome;
use crate::thread::virtual_thread::VIRTUAL_THREADS;
use crate::vm::bare;
use crate::vm::capacity::Room;
use crate::vm::image;
use crate::vm::jdk::{JdkClass, JdkMethod, JdkStaticMethod};

static CONTAINERS: JdkClass = JdkClass::new(jni_str!("jdk.internal.vm.ThreadContainers"));
static VIRTUAL_THREAD: JdkClass = JdkClass::new(jni_str!("java.lang.BaseVirtualThread"));

static ROOT: JdkStaticMethod = JdkStaticMethod::new(
    &CONTAINERS,
    jni_str!("root"),
    jni_sig!(() -> jdk.internal.vm.ThreadContainer),
);

static CONTAINER: JdkClass = JdkClass::new(jni_str!("jdk.internal.vm.ThreadContainer"));
static THREADS: JdkMethod = JdkMethod::new(
    &CONTAINER,
    jni_str!("threads"),
    jni_sig!(() -> java.util.stream.Stream),
);
static CHILDREN: JdkMethod = JdkMethod::new(
    &CONTAINER,
    jni_str!("children"),
    jni_sig!(() -> java.util.stream.Stream),
);

static STREAM: JdkClass = JdkClass::new(jni_str!("java.util.stream.Stream"));
static TO_ARRAY: JdkMethod =
    JdkMethod::new(&STREAM, jni_str!("toArray"), jni_sig!(() -> JObject[]));

/// Those that are alive at about this moment; none before there were any.
pub(crate) fn tracked<'l>(jni: &mut Env<'l>) -> Outcome<Vec<JThread<'l>>> {
    if image::feature(image::plain()?)? < VIRTUAL_THREADS {
        return Ok(Vec::new());
    }
    let virtual_thread = VIRTUAL_THREAD.get(jni)?;
    let containers = CONTAINERS.get(jni)?;
    let (root, answers) = (ROOT.id(jni)?, ReturnType::Object);
    // SAFETY: the method is one of the class, and has no parameters.
    let root = unsafe { jni.call_static_method_unchecked(containers, root, answers, &[]) }?.l()?;
    let mut room = Room::default();
    let mut found = Vec::new();
    let mut todo = vec![root];
    while let Some(container) = todo.pop() {
        for thread in elements(jni, &mut room, &container, &THREADS)? {
            if jni.is_instance_of(&thread, virtual_thread)? {
                // SAFETY: a virtual thread is a thread.
                found.push(unsafe { JThread::from_raw(jni, thread.into_raw()) });
            }
        }
        todo.extend(elements(jni, &mut room, &container, &CHILDREN)?);
    }
    Ok(found)
}

/// What is in the stream that `method` of `container` answers.
fn elements<'l>(
    jni: &mut Env<'l>,
    room: &mut Room,
    container: &JObject<'_>,
    method: &JdkMethod,
) -> Outcome<Vec<JObject<'l>>> {
    let stream = ask(jni, container, method)?;
    let array = ask(jni, &stream, &TO_ARRAY)?;
    // SAFETY: a new local reference, and `Stream.toArray` answers an `Object[]`.
    let array = unsafe { JObjectArray::<JObject<'_>>::from_raw(jni, array.into_raw()) };
    let length = array.len(jni)?;
    // The elements, the stream and the array.
    room.made(jni, length + 2)?;
    (0..length)
        .map(|index| bare::element(jni, &array, index))
        .collect()
}

/// Calls a method of the object that has no parameters and answers an object.
fn ask<'l>(jni: &mut Env<'l>, object: &JObject<'_>, method: &JdkMethod) -> Outcome<JObject<'l>> {
    let method = method.id(jni)?;
    // SAFETY: the callers name a method of the object's class, without parameters.
    Ok(unsafe { jni.call_method_unchecked(object, method, ReturnType::Object, &[]) }?.l()?)
}
