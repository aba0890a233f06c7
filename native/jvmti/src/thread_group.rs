//! Thread Group: the groups at the top, what a group is called, who is in it.

use std::ptr;

use jni::objects::JThread;

use crate::env::{Env, call, local, locals};
use crate::error::Result;
use crate::memory::{Allocated, MutfString, out, out_array, take_str, text};
use crate::reference::JThreadGroup;
use crate::sys;

/// What the VM knows about a thread group. Outlives the environment; its reference belongs to the
/// JNI frame `'l`.
#[derive(Debug)]
#[doc(alias = "jvmtiThreadGroupInfo")]
pub struct ThreadGroupInfo<'l> {
    /// The group that it is in; none for one at the top.
    pub parent: Option<JThreadGroup<'l>>,
    /// Its name; empty for one that was given none.
    pub name: MutfString,
    /// The highest priority that a thread in it can be given, from 1 to 10.
    pub max_priority: i32,
    /// What `ThreadGroup.setDaemon` set; it means nothing from 19 on.
    pub is_daemon: bool,
}

/// Who is in a thread group at one moment. The references belong to the JNI frame `'l`.
#[derive(Debug)]
pub struct ThreadGroupChildren<'l> {
    /// Its live threads, in no order; those of its groups are not among them, nor are virtual ones.
    pub threads: Vec<JThread<'l>>,
    /// The groups in it, in no order; those within them are not among them.
    pub groups: Vec<JThreadGroup<'l>>,
}

impl Env {
    /// The thread groups that are in no other; on HotSpot the one that is called `system`.
    ///
    /// Phase: live. Capability: none. Errors: none of its own.
    #[doc(alias = "GetTopThreadGroups")]
    pub fn top_thread_groups<'l>(&self, jni: &jni::Env<'l>) -> Result<Vec<JThreadGroup<'l>>> {
        let groups = out_array(self, |count, groups| {
            call!(self, GetTopThreadGroups, count, groups)
        })?;
        // SAFETY: new local references of the current frame, each seen once.
        unsafe { locals::<JThreadGroup<'_>>("GetTopThreadGroups", jni, &groups) }
    }

    /// Name, parent and highest priority of `group`.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD_GROUP` if `group` is null.
    #[doc(alias = "GetThreadGroupInfo")]
    pub fn thread_group_info<'l>(
        &self,
        jni: &jni::Env<'l>,
        group: &JThreadGroup<'_>,
    ) -> Result<ThreadGroupInfo<'l>> {
        let info: sys::jvmtiThreadGroupInfo =
            out(|info| call!(self, GetThreadGroupInfo, group.as_raw(), info))?;
        // SAFETY: the function succeeded, so the name is a block that is ours, and the parent is a
        // new local reference of the current frame.
        Ok(unsafe {
            ThreadGroupInfo {
                name: text(take_str(self, info.name)),
                parent: local::<JThreadGroup<'_>>(jni, info.parent),
                max_priority: info.max_priority,
                is_daemon: info.is_daemon,
            }
        })
    }

    /// The live threads and the groups in `group` itself.
    ///
    /// Costs one local reference per thread and group.
    ///
    /// Phase: live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_THREAD_GROUP` if `group` is null.
    #[doc(alias = "GetThreadGroupChildren")]
    pub fn thread_group_children<'l>(
        &self,
        jni: &jni::Env<'l>,
        group: &JThreadGroup<'_>,
    ) -> Result<ThreadGroupChildren<'l>> {
        const FUNCTION: &str = "GetThreadGroupChildren";
        let mut group_count = 0;
        let mut groups = ptr::null_mut();
        let threads = out_array(self, |count, threads| {
            call!(
                self,
                GetThreadGroupChildren,
                group.as_raw(),
                count,
                threads,
                &raw mut group_count,
                &raw mut groups
            )
        })?;
        // SAFETY: the function succeeded, so this, too, is a block of ours that holds what it
        // counted.
        let groups = unsafe { Allocated::from_raw(self, groups, group_count) };
        // SAFETY: new local references of the current frame, each seen once.
        Ok(unsafe {
            ThreadGroupChildren {
                threads: locals::<JThread<'_>>(FUNCTION, jni, &threads)?,
                groups: locals::<JThreadGroup<'_>>(FUNCTION, jni, &groups)?,
            }
        })
    }
}
