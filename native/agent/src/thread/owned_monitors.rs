//! Whose owned monitors the VM tells.
//!
//! Before JDK 23 it makes the references to those of a virtual thread on the thread that carries it
//! (JDK-8328285). To the one that asks they are null, garbage, or another object a moment later, and
//! they stay behind where they were made. Only what a virtual thread asks about itself is right.

use std::cell::Cell;

use jni::Env;
use jni::objects::{JObject, JThread};
use jni::sys::jobjectRefType;
use jvmti::OwnedMonitor;
use jvmti::sys::{self, Capability};

use crate::environment::gate::Inside;
use crate::failure::{Failure, Outcome};
use crate::thread::virtual_thread::{is_alive, is_virtual_here};
use crate::vm::capacity::make_room;

/// The first JDK that makes the references on the thread that asks.
const RIGHT: i32 = 23;

const WHY: &str =
    "this JVM answers with references of another thread: JDK-8328285, fixed in JDK 23";

/// What the VM tells the current thread.
pub(crate) struct Told<'l> {
    feature: i32,
    current: JThread<'l>,
    looked_at: Cell<usize>,
}

impl<'l> Told<'l> {
    /// Makes one local reference.
    pub(crate) fn here(jni: &Env<'l>, env: &Inside) -> Outcome<Self> {
        Ok(Self {
            feature: env.major_version()?,
            current: env.current_thread(jni)?,
            looked_at: Cell::new(0),
        })
    }

    /// Whether the VM can be asked for the monitors of `thread`.
    pub(crate) fn of(&self, jni: &Env<'_>, thread: &JThread<'_>) -> Outcome<bool> {
        Ok(self.feature >= RIGHT
            || !self.is_virtual(jni, thread)
            || jni.is_same_object(thread, &self.current)?)
    }

    /// Whether what it answered for `thread` can be used: references of this thread, and nothing else.
    pub(crate) fn ours<'m>(
        &self,
        jni: &Env<'_>,
        thread: &JThread<'_>,
        mut answer: impl Iterator<Item = &'m JObject<'m>>,
    ) -> bool {
        !self.is_virtual(jni, thread) || answer.all(|monitor| self.seems_ours(jni, monitor))
    }

    /// Each look goes through all references of this thread, and a VM that errs does so every time.
    fn seems_ours(&self, jni: &Env<'_>, monitor: &JObject<'_>) -> bool {
        const ENOUGH: usize = 100;
        self.looked_at.replace(self.looked_at.get() + 1) >= ENOUGH || is_local(jni, monitor)
    }

    fn is_virtual(&self, jni: &Env<'_>, thread: &JThread<'_>) -> bool {
        is_virtual_here(jni, self.feature, thread)
    }
}

/// The objects whose monitors `thread`, or the current one, owns.
pub(crate) fn objects<'l>(
    jni: &mut Env<'l>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
) -> Outcome<Vec<JObject<'l>>> {
    const FUNCTION: &str = "GetOwnedMonitorInfo";
    let Some(thread) = thread else {
        return Ok(env.owned_monitor_info(jni, None)?);
    };
    let told = Told::here(jni, env)?;
    if !told.of(jni, thread)? {
        let capability = Capability::CAN_GET_OWNED_MONITOR_INFO;
        return Err(refusal(jni, env, thread, FUNCTION, capability));
    }
    let monitors = env.owned_monitor_info(jni, Some(thread))?;
    make_room(jni, monitors.len())?;
    if told.ours(jni, thread, monitors.iter()) {
        Ok(monitors)
    } else {
        Err(Failure::NotTold(FUNCTION, WHY))
    }
}

/// The monitors that `thread`, or the current one, owns, with the frames that entered them.
pub(crate) fn with_depths<'l>(
    jni: &mut Env<'l>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
) -> Outcome<Vec<OwnedMonitor<'l>>> {
    const FUNCTION: &str = "GetOwnedMonitorStackDepthInfo";
    let Some(thread) = thread else {
        return Ok(env.owned_monitor_stack_depth_info(jni, None)?);
    };
    let told = Told::here(jni, env)?;
    if !told.of(jni, thread)? {
        let capability = Capability::CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO;
        return Err(refusal(jni, env, thread, FUNCTION, capability));
    }
    let monitors = env.owned_monitor_stack_depth_info(jni, Some(thread))?;
    make_room(jni, monitors.len())?;
    if told.ours(jni, thread, monitors.iter().map(|one| &one.monitor)) {
        Ok(monitors)
    } else {
        Err(Failure::NotTold(FUNCTION, WHY))
    }
}

/// What the VM would refuse too comes first.
fn refusal(
    jni: &mut Env<'_>,
    env: &Inside,
    thread: &JThread<'_>,
    function: &'static str,
    capability: Capability,
) -> Failure {
    require(jni, env, thread, function, capability)
        .err()
        .unwrap_or(Failure::NotTold(function, WHY))
}

/// Refuses what `function` would refuse: it needs `capability`, and a thread that is alive.
pub(crate) fn require(
    jni: &mut Env<'_>,
    env: &Inside,
    thread: &JThread<'_>,
    function: &'static str,
    capability: Capability,
) -> Outcome<()> {
    let refusal = |code| Err(Failure::Jvmti(jvmti::Error::new(function, code)));
    if !env.capabilities()?.contains(capability) {
        return refusal(sys::Error::MUST_POSSESS_CAPABILITY);
    }
    if !is_alive(jni, env, thread)? {
        return refusal(sys::Error::THREAD_NOT_ALIVE);
    }
    Ok(())
}

fn is_local(jni: &Env<'_>, reference: &JObject<'_>) -> bool {
    let raw = jni.get_raw();
    // SAFETY: the JNI environment of this thread; any value may be asked about.
    let kind = unsafe { ((**raw).v1_6.GetObjectRefType)(raw, reference.as_raw()) };
    matches!(kind, jobjectRefType::JNILocalRefType)
}
