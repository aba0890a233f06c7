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
/// With `ages` the system is asked for them too, which costs ten times as much.
pub(crate) fn all(
    jni: &mut Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
    ages: bool,
) -> Outcome<Option<Vec<Option<NativeThread>>>> {
    let layout = LAYOUT.get_or_try_init(|| Layout::find(jni, env).map(Box::new))?;
    let Some(layout) = layout else {
        return Ok(None);
    };
    let before = layout.structures(jni, threads)?;
    let age = |id: u32| match ages {
        true => platform::thread_age(id),
        false => None,
    };
    let native = |id: Option<u32>| id.map(|id| NativeThread { id, age: age(id) });
    let natives: Vec<_> = layout.ids(&before).into_iter().map(native).collect();
    // Who is still there was there: no other thread had the number meanwhile, nor was the memory another one's.
    let after = layout.structures(jni, threads)?;
    let stays = before
        .iter()
        .zip(after)
        .map(|(before, after)| *before == after);
    let found = natives.into_iter().zip(stays);
    Ok(Some(
        found
            .map(|(native, stays)| native.filter(|_| stays))
            .collect(),
    ))
}

impl Layout {
    /// None if this VM does not tell, or if what it tells is not so of the current thread.
    fn find(jni: &mut Env<'_>, env: &Inside) -> Outcome<Option<Self>> {
        // On 17 and 21 it is listed with those that only Java threads have.
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
        let structure = layout.structures(jni, &[carrier.unwrap_or(current)])?;
        let is_so = layout.ids(&structure) == [Some(platform::current_thread_id())];
        Ok(is_so.then_some(layout))
    }

    /// The addresses of the VM's structures; 0 before a thread has started and once it has ended.
    fn structures(&self, jni: &mut Env<'_>, threads: &[JThread<'_>]) -> Outcome<Vec<usize>> {
        let long = ReturnType::Primitive(Primitive::Long);
        let mut addresses = Vec::with_capacity(threads.len());
        for thread in threads {
            // SAFETY: the field is one of `Thread`, and a long.
            let address = unsafe { jni.get_field_unchecked(thread, self.structure, long) }?.j()?;
            addresses.push(usize::try_from(address).unwrap_or(0));
        }
        Ok(addresses)
    }

    fn ids(&self, structures: &[usize]) -> Vec<Option<u32>> {
        let there = |one: &&usize| **one != 0;
        let places = structures.iter().filter(there);
        let places: Vec<_> = places.map(|one| one.wrapping_add(self.os_thread)).collect();
        let pointers = platform::read_each::<{ size_of::<usize>() }>(&places).into_iter();
        // Nothing can be read near 0.
        let pointers = pointers.map(|one| one.map_or(0, usize::from_ne_bytes));
        let places: Vec<_> = pointers.map(|one| one.wrapping_add(self.id)).collect();
        let mut read = platform::read_each::<{ size_of::<u32>() }>(&places).into_iter();
        let mut next = || read.next().flatten().map(u32::from_ne_bytes);
        let ids = structures.iter().map(|one| match *one {
            0 => None,
            _ => next().filter(|id| *id != 0),
        });
        ids.collect()
    }
}
