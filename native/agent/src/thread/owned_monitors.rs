//! Whose owned monitors the VM tells.
//!
//! Before JDK 23 it makes the references to those of a virtual thread on the thread that carries it
//! (JDK-8328285). To the one that asks they are null, garbage, or another object a moment later, and
//! they stay behind where they were made. Only what a virtual thread asks about itself is right.
//!
//! From 23 to 25 the VM crashes when the virtual thread is mounted meanwhile, once in a million questions to busy ones
//! (`docs/proofs/mounting.c`). One that is suspended is not mounted: only such ones are asked.
//!
//! A thread that carries virtual ones is not asked there either. The VM deoptimises frames for the question, and what it
//! notes for one of them has been found again in the frame of a virtual thread that was mounted later, at the same
//! place: JDK 21 has crashed then (`StackValueCollection::set_obj_at`), in a server that was dumped for minutes.

use std::cell::Cell;

use jni::Env;
use jni::objects::{JObject, JThread};
use jni::sys::jobjectRefType;
use jvmti::OwnedMonitor;
use jvmti::sys::{self, Capability};

use crate::environment::gate::Inside;
use crate::failure::{Failure, Outcome};
use crate::thread::carrier;
use crate::thread::transition::{is_suspended, is_unsteady};
use crate::thread::virtual_thread::{is_alive, is_virtual_here};
use crate::vm::capacity::make_room;
use crate::vm::image;

/// The first JDK that has virtual threads for everybody.
const FIRST: i32 = 21;

/// The first JDK that makes the references on the thread that asks.
const RIGHT: i32 = 23;

/// The first JDK in which whoever asks keeps the thread from being mounted.
const SAFE: i32 = 26;

const WHY: &str =
    "this JVM answers with references of another thread: JDK-8328285, fixed in JDK 23";

const WHY_CARRIER: &str =
    "this JVM has crashed after such a question about a thread that carries virtual ones";

const WHY_RUNS: &str =
    "this JVM may crash if the virtual thread is mounted meanwhile: suspend it before";

/// The JDKs in which that is so, of those with virtual threads.
fn errs(feature: i32) -> bool {
    (FIRST..RIGHT).contains(&feature)
}

/// Looks up what is needed while threads stand still.
pub(crate) fn prepare(jni: &mut Env<'_>) -> Outcome<()> {
    if errs(image::feature(image::plain()?)?) {
        carrier::prepare_to_tell(jni)?;
    }
    Ok(())
}

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
            feature: image::feature(env)?,
            current: env.current_thread(jni)?,
            looked_at: Cell::new(0),
        })
    }

    /// Whether the VM can be asked for the monitors of `thread`, which is suspended or is not.
    pub(crate) fn of(
        &self,
        jni: &mut Env<'_>,
        thread: &JThread<'_>,
        is_suspended: bool,
    ) -> Outcome<bool> {
        Ok(self.why_not(jni, thread, |_| Ok(is_suspended))?.is_none())
    }

    fn why_not(
        &self,
        jni: &mut Env<'_>,
        thread: &JThread<'_>,
        is_suspended: impl FnOnce(&Env<'_>) -> Outcome<bool>,
    ) -> Outcome<Option<&'static str>> {
        if thread.is_null() || jni.is_same_object(thread, &self.current)? {
            return Ok(None);
        }
        let is_virtual = self.is_virtual(jni, thread);
        if !errs(self.feature) {
            let mounting = is_virtual && self.feature < SAFE && !is_suspended(jni)?;
            return Ok(mounting.then_some(WHY_RUNS));
        }
        if is_virtual {
            return Ok(Some(WHY));
        }
        Ok(carrier::carries(jni, thread)?.then_some(WHY_CARRIER))
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
    if let Some(why) = told.why_not(jni, thread, |jni| is_suspended(jni, env, thread))? {
        let capability = Capability::CAN_GET_OWNED_MONITOR_INFO;
        require(jni, env, thread, FUNCTION, capability)?;
        return Err(Failure::NotTold(FUNCTION, why));
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
    if let Some(why) = told.why_not(jni, thread, |jni| is_suspended(jni, env, thread))? {
        let capability = Capability::CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO;
        require(jni, env, thread, FUNCTION, capability)?;
        return Err(Failure::NotTold(FUNCTION, why));
    }
    let monitors = env.owned_monitor_stack_depth_info(jni, Some(thread))?;
    make_room(jni, monitors.len())?;
    if told.ours(jni, thread, monitors.iter().map(|one| &one.monitor)) {
        Ok(monitors)
    } else {
        Err(Failure::NotTold(FUNCTION, WHY))
    }
}

/// Refuses what the VM would refuse too, which comes first: `function` needs `capability`, and a thread that is alive.
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

/// The monitor that `thread`, or the current one, waits for.
pub(crate) fn contended<'l>(
    jni: &mut Env<'l>,
    env: &Inside,
    thread: Option<&JThread<'_>>,
) -> Outcome<Option<JObject<'l>>> {
    const FUNCTION: &str = "GetCurrentContendedMonitor";
    if let Some(thread) = thread
        && is_unsteady(jni, env, Some(thread))?
        && !is_suspended(jni, env, thread)?
    {
        let capability = Capability::CAN_GET_CURRENT_CONTENDED_MONITOR;
        require(jni, env, thread, FUNCTION, capability)?;
        return Err(Failure::NotTold(FUNCTION, WHY_RUNS));
    }
    Ok(env.current_contended_monitor(jni, thread)?)
}

fn is_local(jni: &Env<'_>, reference: &JObject<'_>) -> bool {
    let raw = jni.get_raw();
    // SAFETY: the JNI environment of this thread; any value may be asked about.
    let kind = unsafe { ((**raw).v1_6.GetObjectRefType)(raw, reference.as_raw()) };
    matches!(kind, jobjectRefType::JNILocalRefType)
}
