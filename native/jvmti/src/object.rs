//! Object: its size, its hash code, who holds its monitor.

use jni::objects::{JObject, JThread};

use crate::env::{Env, call, local, locals};
use crate::error::Result;
use crate::memory::{Allocated, out};
use crate::sys;

/// Who uses the monitor of an object, at one moment. Its references belong to the JNI frame `'l`.
#[derive(Debug)]
#[doc(alias = "jvmtiMonitorUsage")]
pub struct MonitorUsage<'l> {
    /// The thread that owns the monitor; none if nobody does.
    pub owner: Option<JThread<'l>>,
    /// How many times the owner has entered it; 0 if there is none.
    pub entry_count: i32,
    /// The threads that wait to own it, be it again after `Object.wait`. Before 23, HotSpot lists
    /// those that wait to be notified here, too.
    pub waiters: Vec<JThread<'l>>,
    /// The threads that wait to be notified, in `Object.wait`. Before 23, HotSpot lists those here,
    /// too, that were notified and wait to own it again.
    pub notify_waiters: Vec<JThread<'l>>,
}

impl Env {
    /// The size of `object` alone, in bytes, header and padding included and what it refers to not.
    /// An estimate by specification; on HotSpot exact.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_OBJECT` if `object` is null.
    #[doc(alias = "GetObjectSize")]
    #[inline]
    pub fn object_size(&self, object: &JObject<'_>) -> Result<i64> {
        out(|size| call!(self, GetObjectSize, object.as_raw(), size))
    }

    /// A hash code of `object` that stays the same as long as it lives. Different objects may have
    /// the same.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_OBJECT` if `object` is null.
    #[doc(alias = "GetObjectHashCode")]
    #[inline]
    pub fn object_hash_code(&self, object: &JObject<'_>) -> Result<i32> {
        out(|hash| call!(self, GetObjectHashCode, object.as_raw(), hash))
    }

    /// Who owns the monitor of `object` and who waits for it.
    ///
    /// HotSpot stops all threads for it, and from 23 on leaves out virtual ones: a monitor that one
    /// of them owns has no owner here. Costs one local reference per thread.
    ///
    /// Phase: live. Capability: `can_get_monitor_info`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_OBJECT` if `object` is null.
    #[doc(alias = "GetObjectMonitorUsage")]
    pub fn object_monitor_usage<'l>(
        &self,
        jni: &jni::Env<'l>,
        object: &JObject<'_>,
    ) -> Result<MonitorUsage<'l>> {
        const FUNCTION: &str = "GetObjectMonitorUsage";
        let usage: sys::jvmtiMonitorUsage =
            out(|usage| call!(self, GetObjectMonitorUsage, object.as_raw(), usage))?;
        // SAFETY: the function succeeded, so both are blocks of ours that hold what it counted.
        let (waiters, notify_waiters) = unsafe {
            (
                Allocated::from_raw(self, usage.waiters, usage.waiter_count),
                Allocated::from_raw(self, usage.notify_waiters, usage.notify_waiter_count),
            )
        };
        // SAFETY: new local references of the current frame to threads, each seen once.
        Ok(unsafe {
            MonitorUsage {
                owner: local::<JThread<'_>>(jni, usage.owner),
                entry_count: usage.entry_count,
                waiters: locals::<JThread<'_>>(FUNCTION, jni, &waiters)?,
                notify_waiters: locals::<JThread<'_>>(FUNCTION, jni, &notify_waiters)?,
            }
        })
    }
}
