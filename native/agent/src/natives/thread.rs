//! `ThreadNatives`.

use jni::objects::{JClass, JIntArray, JObject, JObjectArray, JThread, JThrowable};
use jni::sys::{jint, jlong};
use jni::{Env, EnvUnowned};

use jvmti::sys;

use super::values::{array_of, object_array, thread};
use crate::boundary::context;
use crate::boundary::guard::{inside_bound, inside_jni};
use crate::boundary::records::{OwnedMonitorFacts, ThreadFacts};
use crate::failure::Outcome;
use crate::thread::{
    agent_thread, interruption, ledger, owned_monitors, stopping, storage, transition,
};
use crate::vm::bare::{self, int_array};
use crate::vm::capacity::make_room;
use crate::vm::jdk::OBJECT;

pub(super) fn get_all_threads<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JObjectArray<'l, JThread<'l>> {
    inside_jni(jni, class, env, |env, jni| {
        let threads = env.all_threads(jni)?;
        array_of::<JThread>(jni, &threads)
    })
}

pub(super) fn get_thread_state<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> jint {
    inside_jni(jni, (class, &target), env, |env, jni| {
        Ok(transition::state(jni, env, thread(&target))?.bits())
    })
}

pub(super) fn get_thread_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> JObject<'l> {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        let info = env.thread_info(jni, thread(&target))?;
        let name = bare::string(jni, &info.name)?;
        let facts = ThreadFacts {
            name: &name,
            priority: info.priority,
            daemon: info.is_daemon,
            group: info.thread_group.as_ref(),
            loader: info.context_class_loader.as_ref(),
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

pub(super) fn get_current_thread<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
) -> JThread<'l> {
    inside_jni(jni, class, env, |env, jni| Ok(env.current_thread(jni)?))
}

pub(super) fn suspend_thread<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        match thread(&target) {
            Some(target) => ledger::suspend(jni, env, target),
            None => ledger::suspend(jni, env, &env.current_thread(jni)?),
        }
    })
}

pub(super) fn suspend_thread_list<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    targets: JObjectArray<'l, JThread<'l>>,
) -> JIntArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let targets = threads(jni, &targets)?;
        let results = ledger::suspend_list(jni, env, &targets)?;
        error_array(jni, &results)
    })
}

pub(super) fn suspend_all_virtual_threads<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    except: JObjectArray<'l, JThread<'l>>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let except = threads(jni, &except)?;
        ledger::suspend_all_virtual(jni, env, &except)
    })
}

pub(super) fn resume_thread<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        ledger::resume(jni, env, &target)
    })
}

pub(super) fn resume_thread_list<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    targets: JObjectArray<'l, JThread<'l>>,
) -> JIntArray<'l> {
    inside_jni(jni, class, env, |env, jni| {
        let targets = threads(jni, &targets)?;
        let results = ledger::resume_list(jni, env, &targets)?;
        error_array(jni, &results)
    })
}

pub(super) fn resume_all_virtual_threads<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    except: JObjectArray<'l, JThread<'l>>,
) {
    inside_jni(jni, class, env, |env, jni| {
        let except = threads(jni, &except)?;
        ledger::resume_all_virtual(jni, env, &except)
    })
}

pub(super) fn run_agent_thread<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    body: JObject<'l>,
    priority: jint,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        agent_thread::run(jni, env, &target, &body, priority)
    })
}

pub(super) fn interrupt_thread<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        interruption::interrupt(jni, env, &target)
    })
}

pub(super) fn stop_thread<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    exception: JThrowable<'l>,
) {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        let metadata = context::bound(jni, class)?.metadata(jni)?;
        stopping::stop(jni, env, metadata, &target, &exception)
    })
}

pub(super) fn get_owned_monitor_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> JObjectArray<'l, JObject<'l>> {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let monitors = owned_monitors::objects(jni, env, thread(&target))?;
        object_array(jni, &OBJECT, &monitors)
    })
}

pub(super) fn get_owned_monitor_stack_depth_info<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> JObject<'l> {
    inside_bound(jni, (class, &target), env, |env, jni, class| {
        let owned = owned_monitors::with_depths(jni, env, thread(&target))?;
        let depths: Vec<jint> = owned.iter().map(|one| one.stack_depth).collect();
        let monitors: Vec<_> = owned.into_iter().map(|one| one.monitor).collect();
        let monitors = object_array(jni, &OBJECT, &monitors)?;
        let depths = int_array(jni, &depths)?;
        let facts = OwnedMonitorFacts {
            monitors: &monitors,
            depths: &depths,
        };
        facts.make(jni, &context::bound(jni, class)?.records)
    })
}

pub(super) fn get_current_contended_monitor<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> JObject<'l> {
    inside_jni(jni, (class, &target), env, |env, jni| {
        let contended = owned_monitors::contended(jni, env, thread(&target))?;
        Ok(contended.unwrap_or_default())
    })
}

pub(super) fn get_thread_local_storage<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
) -> jlong {
    inside_jni(jni, (class, &target), env, |env, jni| {
        match thread(&target) {
            Some(target) => storage::get(jni, env, target),
            None => storage::get(jni, env, &env.current_thread(jni)?),
        }
    })
}

pub(super) fn set_thread_local_storage<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    target: JThread<'l>,
    value: jlong,
) {
    inside_jni(jni, (class, &target), env, |env, jni| {
        match thread(&target) {
            Some(target) => storage::set(jni, env, target, value),
            None => storage::set(jni, env, &env.current_thread(jni)?, value),
        }
    })
}

/// What a `Thread[]` holds.
pub(super) fn threads<'l>(
    jni: &mut Env<'l>,
    array: &JObjectArray<'_, JThread<'_>>,
) -> Outcome<Vec<JThread<'l>>> {
    let length = array.len(jni)?;
    make_room(jni, length * 2)?;
    let mut threads = Vec::with_capacity(length + 1);
    for index in 0..length {
        threads.push(bare::element(jni, array, index)?);
    }
    Ok(threads)
}

/// Error codes, one for each thread of a list.
pub(super) fn error_array<'l>(jni: &mut Env<'l>, errors: &[sys::Error]) -> Outcome<JIntArray<'l>> {
    let codes: Vec<jint> = errors.iter().map(|error| error.0).collect();
    int_array(jni, &codes)
}
