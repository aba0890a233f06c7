//! `MonitorNatives`: raw monitors.

use std::sync::Arc;
use std::time::Duration;

use jni::objects::{JClass, JObject, JString};
use jni::sys::{jint, jlong};
use jni::{Env, EnvUnowned};
use jvmti::sys::Error;

use crate::boundary::bracket;
use crate::boundary::guard::{around, inside_jni};
use crate::bridge;
use crate::environment::gate::{self, Me};
use crate::environment::raw_monitors::{self, RawMonitor, WaitEnd};
use crate::failure::Outcome;
use crate::vm::bare;

/// Chars of a name that the VM shows.
const NAME: usize = 1 << 10;

pub(super) fn create_raw_monitor<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    owner: JObject<'l>,
    name: JString<'l>,
) -> jlong {
    inside_jni(jni, class, env, |env, jni| {
        if name.is_null() {
            return Err(jvmti::Error::new("CreateRawMonitor", Error::NULL_POINTER).into());
        }
        let name = bare::beginning(jni, &name, NAME)?;
        Ok(raw_monitors::create(jni, env, &owner, &name)?.cast_signed())
    })
}

pub(super) fn destroy_raw_monitor<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    monitor: jlong,
) {
    around(jni, class, env, |_, _| {
        raw_monitors::close(env.cast_unsigned(), monitor.cast_unsigned());
        Ok(())
    })
}

pub(super) fn raw_monitor_enter<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    monitor: jlong,
    action: JObject<'l>,
) {
    around(jni, class, env, |jni, _| {
        let monitor = found(jni, env, monitor)?;
        monitor.hold(jni, |jni| {
            bracket::run(jni, &action, |_| Ok(()), |_, ()| Ok(()))
        })
    })
}

pub(super) fn raw_monitor_wait<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    monitor: jlong,
    nanos: jlong,
) -> jint {
    around(jni, class, env, |jni, _| {
        let bound = Duration::from_nanos(u64::try_from(nanos).unwrap_or(0));
        let end = found(jni, env, monitor)?.wait(jni.get_raw(), bound)?;
        Ok(match end {
            WaitEnd::Signalled => bridge::WAIT_SIGNALLED,
            WaitEnd::TimedOut => bridge::WAIT_TIMED_OUT,
            WaitEnd::Interrupted => bridge::WAIT_INTERRUPTED,
        })
    })
}

pub(super) fn raw_monitor_notify<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    monitor: jlong,
) {
    around(jni, class, env, |jni, _| found(jni, env, monitor)?.signal())
}

pub(super) fn raw_monitor_notify_all<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    env: jlong,
    monitor: jlong,
) {
    around(jni, class, env, |jni, _| {
        found(jni, env, monitor)?.signal_all()
    })
}

/// The monitor, for a thread that is not inside the environment while it waits for it.
fn found(jni: &Env<'_>, env: jlong, monitor: jlong) -> Outcome<Arc<RawMonitor>> {
    let inside = gate::enter(Me::new(jni.get_raw()), env)?;
    raw_monitors::find(&inside, monitor.cast_unsigned())
}
