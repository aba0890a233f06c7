//! `ThreadNatives`.

use jni::objects::{JClass, JObject, JObjectArray, JString, JThread};
use jni::sys::{jint, jlong, jobject, jvalue};
use jni::{Env, EnvUnowned, NativeMethod};

use super::{native, or_null, thread, unbound};
use crate::context;
use crate::failure::Outcome;
use crate::guard::{inside, inside_bound, inside_jni};

pub(super) fn methods() -> Vec<NativeMethod<'static>> {
    vec![
        native!(get_all_threads(env: jlong) -> java.lang.Thread[]),
        native!(get_thread_state(env: jlong, thread: java.lang.Thread) -> jint),
        native!(get_thread_info(env: jlong, thread: java.lang.Thread) -> JObject),
    ]
}

fn get_all_threads<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JThread<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let threads = env.all_threads(jni)?;
        thread_array(jni, threads.len(), threads.iter().map(JObject::as_raw))
    })
}

fn get_thread_state<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> jint {
    inside(
        jni,
        class,
        env,
        |env| Ok(env.thread_state(thread(&target))?),
    )
}

fn get_thread_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> JObject<'l> {
    inside_bound(jni, class, env, |env, jni, class| {
        let info = env.thread_info(jni, thread(&target))?;
        let name = JString::from_jni_str(jni, &info.name)?;
        let context = context::of(jni, class).ok_or_else(unbound)?;
        let args = [
            jvalue { l: name.as_raw() },
            jvalue { i: info.priority },
            jvalue { z: info.is_daemon },
            jvalue {
                l: or_null(info.thread_group.as_ref()),
            },
            jvalue {
                l: or_null(info.context_class_loader.as_ref()),
            },
        ];
        // SAFETY: the arguments are those of the ThreadFacts constructor.
        unsafe { context.thread_facts.construct(jni, &args) }
    })
}

/// A `Thread[]` of the references, which the VM made on this frame.
pub(super) fn thread_array<'l>(
    jni: &mut Env<'l>,
    length: usize,
    threads: impl Iterator<Item = jobject>,
) -> Outcome<JObjectArray<'l, JThread<'l>>> {
    super::make_room(jni, length)?;
    let array = JObjectArray::<JThread<'_>>::new(jni, length, JThread::null())?;
    for (index, thread) in threads.enumerate() {
        // SAFETY: a local reference of this frame to a thread, as the VM said.
        let thread = unsafe { JThread::from_raw(jni, thread) };
        array.set_element(jni, index, &thread)?;
    }
    Ok(array)
}
