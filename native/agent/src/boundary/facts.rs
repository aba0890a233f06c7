//! The Java records that natives answer with.

use jni::ids::JMethodID;
use jni::objects::JObject;
use jni::signature::RuntimeMethodSignature;
use jni::strings::JNIString;
use jni::sys::jvalue;
use jni::{Env, jni_str};

use crate::boundary::classes::{WeakClass, find, gone};
use crate::failure::Outcome;

/// How to make each record of one copy of the Java classes.
pub(crate) struct Facts {
    pub(crate) dump: Constructor,
    pub(crate) method: Constructor,
    pub(crate) monitor: Constructor,
    pub(crate) owned_monitor: Constructor,
    pub(crate) stack: Constructor,
    pub(crate) tag: Constructor,
    pub(crate) thread: Constructor,
    pub(crate) thread_group: Constructor,
    pub(crate) thread_group_children: Constructor,
}

/// How to make one record.
pub(crate) struct Constructor {
    class: WeakClass,
    id: JMethodID,
}

impl Facts {
    pub(crate) fn find(jni: &mut Env<'_>, package: &str) -> Outcome<Self> {
        let mut record =
            |name: &str, parameters: &str| Constructor::find(jni, package, name, parameters);
        Ok(Self {
            dump: record(
                "dump/DumpFacts",
                concat!(
                    "[Ljava/lang/Thread;[J[I[J[Ljava/lang/Object;[Ljava/lang/Thread;",
                    "[I[Ljava/lang/Object;[I",
                    "[Ljava/lang/Object;[Ljava/lang/Thread;",
                    "[I[Ljava/lang/String;[Ljava/lang/String;[J[Ljava/lang/Object;Z",
                ),
            )?,
            method: record(
                "code/MethodFacts",
                "JLjava/lang/Class;Ljava/lang/String;Ljava/lang/String;IZLjava/lang/String;[I",
            )?,
            monitor: record(
                "object/MonitorFacts",
                "Ljava/lang/Thread;I[Ljava/lang/Thread;[Ljava/lang/Thread;",
            )?,
            owned_monitor: record("thread/OwnedMonitorFacts", "[Ljava/lang/Object;[I")?,
            stack: record("stack/StackFacts", "[Ljava/lang/Thread;[J")?,
            tag: record("object/TagFacts", "[Ljava/lang/Object;[J")?,
            thread: record(
                "thread/ThreadFacts",
                "Ljava/lang/String;IZLjava/lang/ThreadGroup;Ljava/lang/ClassLoader;",
            )?,
            thread_group: record(
                "thread/ThreadGroupFacts",
                "Ljava/lang/ThreadGroup;Ljava/lang/String;IZ",
            )?,
            thread_group_children: record(
                "thread/ThreadGroupChildrenFacts",
                "[Ljava/lang/Thread;[Ljava/lang/ThreadGroup;",
            )?,
        })
    }
}

impl Constructor {
    fn find(jni: &mut Env<'_>, package: &str, name: &str, parameters: &str) -> Outcome<Self> {
        let class = find(jni, package, &JNIString::from(name))?;
        let signature = RuntimeMethodSignature::from_str(format!("({parameters})V"))?;
        let id = jni.get_method_id(&class, jni_str!("<init>"), signature.method_signature())?;
        Ok(Self {
            class: jni.new_weak_ref(&class)?,
            id,
        })
    }

    /// Makes one.
    ///
    /// # Safety
    /// `args` are those of the record's components.
    pub(crate) unsafe fn construct<'l>(
        &self,
        jni: &mut Env<'l>,
        args: &[jvalue],
    ) -> Outcome<JObject<'l>> {
        let class = self.class.upgrade_local(jni)?.ok_or_else(gone)?;
        // SAFETY: the id is of this class; the arguments are the caller's promise.
        Ok(unsafe { jni.new_object_unchecked(&class, self.id, args) }?)
    }
}
