//! The threads of the operating system that Java threads are.
//!
//! No function of JVM TI tells them. A `Thread` has the address of the VM's structure while it is alive, and the VM tells
//! debuggers how that lies. It may end at any moment: its memory is read as another process would read it, which
//! fails where that is gone, and the answer counts if the thread was still there afterwards.

use std::time::Duration;

use jni::ids::JFieldID;
use jni::objects::JThread;
use jni::signature::{Primitive, ReturnType};
use jni::{Env, jni_sig, jni_str};
use once_cell::race::OnceBox;

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::platform;
use crate::thread::carrier;
use crate::vm::jdk::{JdkField, THREAD};
use crate::vm::structs;

static EETOP: JdkField = JdkField::new(&THREAD, jni_str!("eetop"), jni_sig!(jlong));

static LAYOUT: OnceBox<Option<Layout>> = OnceBox::new();

/// Where the VM keeps the number of a thread.
struct Layout {
    structure: JFieldID,
    os_thread: usize,
    id: usize,
}

/// A thread of the operating system.
#[derive(Clone, Copy)]
pub(crate) struct NativeThread {
    /// As `top -H` shows it, and the VM's own dumps.
    pub(crate) id: u32,
    /// How long ago it was created, if the system tells.
    pub(crate) age: Option<Duration>,
}

/// What each of `threads` is, none of one that is virtual or not alive; nothing at all where this VM does not tell.
pub(crate) fn all(
    jni: &mut Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
) -> Outcome<Option<Vec<Option<NativeThread>>>> {
    let layout = LAYOUT.get_or_try_init(|| Layout::find(jni, env).map(Box::new))?;
    let all = |layout: &Layout| {
        let found = threads.iter().map(|thread| layout.thread(jni, thread));
        found.collect()
    };
    layout.as_ref().map(all).transpose()
}

impl Layout {
    /// None if this VM does not tell, or if what it tells is not so of the current thread.
    fn find(jni: &mut Env<'_>, env: &Inside) -> Outcome<Option<Self>> {
        // Before 22 it was listed with those that only Java threads have.
        let os_thread = structs::offset_of(c"Thread", c"_osthread")
            .or_else(|| structs::offset_of(c"JavaThread", c"_osthread"));
        let id = structs::offset_of(c"OSThread", c"_thread_id");
        let (Ok(structure), Some(os_thread), Some(id)) = (EETOP.id(jni), os_thread, id) else {
            return Ok(None);
        };
        let layout = Self {
            structure,
            os_thread,
            id,
        };
        let current = env.current_thread(jni)?;
        let carrier = carrier::of(jni, &current)?;
        let found = layout.id(layout.structure(jni, carrier.as_ref().unwrap_or(&current))?);
        Ok((found == Some(platform::current_thread_id())).then_some(layout))
    }

    fn thread(&self, jni: &mut Env<'_>, thread: &JThread<'_>) -> Outcome<Option<NativeThread>> {
        let at = self.structure(jni, thread)?;
        let Some(id) = self.id(at) else {
            return Ok(None);
        };
        let age = platform::thread_age(id);
        // Then no other thread had the number meanwhile, nor was the memory another one's.
        Ok((self.structure(jni, thread)? == at).then_some(NativeThread { id, age }))
    }

    /// The address of the VM's structure; 0 before the thread has started and once it has ended.
    fn structure(&self, jni: &mut Env<'_>, thread: &JThread<'_>) -> Outcome<usize> {
        let long = ReturnType::Primitive(Primitive::Long);
        // SAFETY: the field is one of `Thread`, and a long.
        let address = unsafe { jni.get_field_unchecked(thread, self.structure, long) }?.j()?;
        Ok(usize::try_from(address).unwrap_or(0))
    }

    fn id(&self, structure: usize) -> Option<u32> {
        if structure == 0 {
            return None;
        }
        let mut pointer = [0; size_of::<usize>()];
        let mut id = [0; size_of::<u32>()];
        let is_read = platform::read_memory(structure.wrapping_add(self.os_thread), &mut pointer)
            && platform::read_memory(usize::from_ne_bytes(pointer).wrapping_add(self.id), &mut id);
        let id = u32::from_ne_bytes(id);
        (is_read && id != 0).then_some(id)
    }
}
