//! Raw Monitor: locks of the VM that belong to no object.

use std::ffi::CStr;
use std::fmt;
use std::mem::ManuallyDrop;

use crate::env::{Env, call};
use crate::error::{Error, Result};
use crate::memory::out;
use crate::sys;

/// A lock of the VM that belongs to no object: no Java sees it, and no event tells of it. Dropping it destroys it. It is
/// for threads that are attached to the VM.
///
/// It is entered for as long as something runs, and in no other way. What the VM keeps of its owner is the address of
/// what it has for that thread, and HotSpot reads there when it looks for deadlocks, also after the thread has ended: a
/// monitor that its owner never leaves can crash the VM, or passes to the next thread at that address. A virtual thread
/// keeps its carrier as long as it owns one. A thread whose [`jni::Env`] is in use cannot be detached, so nobody else
/// enters.
///
/// Nobody is in it when it is dropped, for whoever is borrows it:
///
/// ```compile_fail,E0505
/// fn destroy_inside(jni: &mut jni::Env<'_>, monitor: jvmti::RawMonitor<'_>) {
///     let _ = monitor.hold(jni, |_| drop(monitor));
/// }
/// ```
///
/// It cannot outlive its environment:
///
/// ```compile_fail,E0505
/// fn keep_longer_than_its_environment(env: jvmti::OwnedEnv) {
///     let monitor = env.create_raw_monitor(c"a name");
///     drop(env);
///     drop(monitor);
/// }
/// ```
pub struct RawMonitor<'e> {
    env: &'e Env,
    raw: sys::jrawMonitorID,
}

// SAFETY: a lock, which is there for all threads, and an environment, which every thread may use.
unsafe impl Send for RawMonitor<'_> {}
// SAFETY: as above.
unsafe impl Sync for RawMonitor<'_> {}

impl Env {
    /// A new monitor, which nobody owns.
    ///
    /// Phase: onload, live. Capability: none. May be called from any callback. Errors: none of its own.
    #[doc(alias = "CreateRawMonitor")]
    pub fn create_raw_monitor(&self, name: &CStr) -> Result<RawMonitor<'_>> {
        let raw = out(|raw| call!(self, CreateRawMonitor, name.as_ptr(), raw))?;
        Ok(RawMonitor { env: self, raw })
    }
}

impl RawMonitor<'_> {
    /// Runs `action` while the current thread, whose `jni` this is, owns the monitor, and leaves it whatever becomes of
    /// that. Who owns it already may do so again.
    ///
    /// Waits for as long as another thread owns it, and nothing but that thread ends this. One that is suspended
    /// meanwhile goes on waiting until it is resumed.
    ///
    /// Phase: start, live. Capability: none. Errors: none of its own.
    #[doc(alias = "RawMonitorEnter")]
    #[doc(alias = "RawMonitorExit")]
    pub fn hold<'l, T>(
        &self,
        jni: &mut jni::Env<'l>,
        action: impl FnOnce(&mut jni::Env<'l>) -> T,
    ) -> Result<T> {
        self.on_a_java_thread("RawMonitorEnter")?;
        call!(self.env, RawMonitorEnter, self.raw)?;
        let held = Held(self);
        let result = action(jni);
        held.leave()?;
        Ok(result)
    }

    /// Leaves the monitor, however often the current thread has entered it, waits, and enters it as often. It ends when
    /// another thread [notifies](Self::notify), after so many milliseconds, of which 0 and less are without end, or
    /// sometimes for no reason: which of that it was, is not told.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_MONITOR_OWNER` if the current thread does not [hold](Self::hold) it; `JVMTI_ERROR_INTERRUPT` if
    /// the thread was interrupted, which it is no longer then: of a virtual thread HotSpot asks and clears the carrier.
    #[doc(alias = "RawMonitorWait")]
    pub fn wait(&self, millis: i64) -> Result<()> {
        self.on_a_java_thread("RawMonitorWait")?;
        call!(self.env, RawMonitorWait, self.raw, millis)
    }

    /// Ends the wait of one thread; on HotSpot that of the one that has begun last.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_MONITOR_OWNER` if the current thread does not [hold](Self::hold) it.
    #[doc(alias = "RawMonitorNotify")]
    pub fn notify(&self) -> Result<()> {
        self.on_a_java_thread("RawMonitorNotify")?;
        call!(self.env, RawMonitorNotify, self.raw)
    }

    /// Ends the wait of all threads.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_MONITOR_OWNER` if the current thread does not [hold](Self::hold) it.
    #[doc(alias = "RawMonitorNotifyAll")]
    pub fn notify_all(&self) -> Result<()> {
        self.on_a_java_thread("RawMonitorNotifyAll")?;
        call!(self.env, RawMonitorNotifyAll, self.raw)
    }

    /// HotSpot takes a thread that it does not know, as any is in the OnLoad phase, for the owner that nobody is: it lets
    /// it in beside others, and crashes when it is to wait (17, 21, 25) or destroys (21, 25). So this layer asks first, in a
    /// function that it refuses then, also on the threads of the VM itself, which could do without.
    fn on_a_java_thread(&self, function: &'static str) -> Result<()> {
        match self.env.thread_local_storage() {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::new(function, error.code)),
        }
    }

    /// Destroys the monitor, and tells how that went.
    ///
    /// Phase: onload, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_UNATTACHED_THREAD` on a thread that is not attached: the monitor stays, and nobody has it.
    #[doc(alias = "DestroyRawMonitor")]
    pub fn destroy(self) -> Result<()> {
        ManuallyDrop::new(self).give_back()
    }

    /// Before there are threads HotSpot knows what to do.
    fn give_back(&self) -> Result<()> {
        match self.on_a_java_thread("DestroyRawMonitor") {
            Err(error) if error.code != sys::Error::WRONG_PHASE => Err(error),
            _ => call!(self.env, DestroyRawMonitor, self.raw),
        }
    }
}

impl Drop for RawMonitor<'_> {
    fn drop(&mut self) {
        // Nothing can be done about a refusal: the monitor stays.
        let _ = self.give_back();
    }
}

impl fmt::Debug for RawMonitor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RawMonitor").field(&self.raw).finish()
    }
}

/// The current thread owns it.
struct Held<'m, 'e>(&'m RawMonitor<'e>);

impl Held<'_, '_> {
    fn leave(self) -> Result<()> {
        let RawMonitor { env, raw } = ManuallyDrop::new(self).0;
        call!(env, RawMonitorExit, *raw)
    }
}

impl Drop for Held<'_, '_> {
    fn drop(&mut self) {
        // Something unwinds, and nothing can be done about a refusal.
        let _ = call!(self.0.env, RawMonitorExit, self.0.raw);
    }
}
