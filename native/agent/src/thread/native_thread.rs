//! The threads of the operating system that Java threads are.
//!
//! No function of JVM TI tells them. A `Thread` has the address of the VM's structure while it is alive, and the VM tells
//! debuggers how that lies. It may end at any moment: its memory is read as another process would read it, which
//! fails where that is gone, and the answer counts if the thread was still there afterwards.

use std::time::Duration;
use std::{ptr, slice};

use jni::ids::JFieldID;
use jni::objects::JThread;
use jni::signature::{Primitive, ReturnType};
use jni::{Env, jni_sig, jni_str};
use once_cell::race::OnceBox;

use crate::environment::gate::{Inside, Me};
use crate::failure::Outcome;
use crate::platform;
use crate::thread::{carrier, starts};
use crate::vm::jdk::{JdkField, THREAD};
use crate::vm::structs;

static EETOP: JdkField = JdkField::new(&THREAD, jni_str!("eetop"), jni_sig!(jlong));

static NUMBER: JdkField = JdkField::new(&THREAD, jni_str!("tid"), jni_sig!(jlong));

static LAYOUT: OnceBox<Layout> = OnceBox::new();

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
    /// How long ago it was created, if the system tells and was asked.
    pub(crate) age: Option<Duration>,
}

/// What each of `threads` is, none of one that is virtual or not alive; nothing at all where this VM does not tell.
pub(crate) fn all(
    jni: &mut Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
) -> Outcome<Option<Vec<Option<NativeThread>>>> {
    let Some(layout) = layout(jni, env)? else {
        return Ok(None);
    };
    let before = longs(jni, layout.structure, threads)?;
    let ids = layout.ids(&before);
    // Who is still there was there: no other thread had the number meanwhile, nor was the memory another one's.
    let after = longs(jni, layout.structure, threads)?;
    let stays = before.iter().zip(&after).map(|(a, b)| a == b);
    let one = |(id, stays): (Option<u32>, bool)| {
        let id = id.filter(|_| stays)?;
        Some(NativeThread { id, age: None })
    };
    Ok(Some(ids.into_iter().zip(stays).map(one).collect()))
}

/// How much time each of `threads`, which `natives` are, has had of the processors, where the system tells: the VM goes
/// through all its threads for each that it is asked for.
pub(crate) fn cpu_nanos(
    jni: &mut Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
    natives: &[Option<NativeThread>],
) -> Outcome<Vec<Option<i64>>> {
    let nanos = |native: &Option<NativeThread>| platform::thread_cpu_nanos(native.as_ref()?.id);
    let nanos: Vec<_> = natives.iter().map(nanos).collect();
    let stay = stay(jni, env, threads)?;
    let told = nanos.into_iter().zip(stay);
    Ok(told.map(|(nanos, stays)| nanos.filter(|_| stays)).collect())
}

/// Adds the age of each of `threads`, which `natives` are. The system is asked once for each: it is dear.
pub(crate) fn add_ages(
    jni: &mut Env<'_>,
    env: &Inside,
    threads: &[JThread<'_>],
    natives: &mut [Option<NativeThread>],
) -> Outcome<()> {
    let numbers = numbers(jni, threads)?;
    let ids: Vec<_> = natives.iter().map(|one| Some((*one)?.id)).collect();
    let starts = starts::of(&numbers, &ids);
    let stay = stay(jni, env, threads)?;
    starts::remember(&numbers, &starts, &stay);
    let now = platform::moment();
    for ((native, start), stays) in natives.iter_mut().zip(starts).zip(stay) {
        if let Some(native) = native.as_mut().filter(|_| stays) {
            // The tick in which it has started may be later than it.
            native.age = now.zip(start).map(|(now, start)| now.saturating_sub(start));
        }
    }
    Ok(())
}

/// Which of `threads` have not ended: whoever was found before is still the same.
fn stay(jni: &mut Env<'_>, env: &Inside, threads: &[JThread<'_>]) -> Outcome<Vec<bool>> {
    let Some(layout) = layout(jni, env)? else {
        return Ok(vec![false; threads.len()]);
    };
    let structures = longs(jni, layout.structure, threads)?;
    Ok(structures.iter().map(|one| *one != 0).collect())
}

/// Looked for again while it is not found: a read may have failed by chance.
fn layout(jni: &mut Env<'_>, env: &Inside) -> Outcome<Option<&'static Layout>> {
    if let Some(known) = LAYOUT.get() {
        return Ok(Some(known));
    }
    let found = Layout::find(jni, env)?;
    Ok(found.map(|found| LAYOUT.get_or_init(|| Box::new(found))))
}

/// What `thread`, or who carries it, is known by to those whom it calls; none where this VM does not tell. In each of the
/// VM's structures the JNI environment lies at one place.
pub(crate) fn me(jni: &mut Env<'_>, env: &Inside, thread: &JThread<'_>) -> Outcome<Option<Me>> {
    let Ok(structure) = EETOP.id(jni) else {
        return Ok(None);
    };
    let current = env.current_thread(jni)?;
    let own = longs(jni, structure, slice::from_ref(&current))?;
    jni.delete_local_ref(current);
    let carrier = carrier::of(jni, thread)?;
    let asked = carrier.as_ref().unwrap_or(thread);
    let theirs = longs(jni, structure, slice::from_ref(asked))?;
    if let Some(carrier) = carrier {
        jni.delete_local_ref(carrier);
    }
    let (own, theirs) = (own[0] as usize, theirs[0] as usize);
    let place = jni.get_raw().addr().wrapping_sub(own);
    let known = theirs.wrapping_add(place);
    Ok((own != 0 && theirs != 0).then(|| Me::new(ptr::without_provenance_mut(known))))
}

/// Looks up what [`number`] needs, which may take Java.
pub(crate) fn prepare_number(jni: &mut Env<'_>) -> Outcome<()> {
    NUMBER.id(jni).map(drop)
}

/// The number of a thread, as `Thread.getId` has it; 0 where Java keeps it elsewhere.
pub(crate) fn number(jni: &mut Env<'_>, thread: &JThread<'_>) -> Outcome<i64> {
    let numbers = numbers(jni, slice::from_ref(thread))?;
    Ok(numbers.first().copied().unwrap_or(0))
}

/// Each once.
fn numbers(jni: &mut Env<'_>, threads: &[JThread<'_>]) -> Outcome<Vec<i64>> {
    match NUMBER.id(jni) {
        Ok(number) => longs(jni, number, threads),
        Err(_) => Ok(vec![0; threads.len()]),
    }
}

/// A field of each of `threads` that is a long.
fn longs(jni: &mut Env<'_>, field: JFieldID, threads: &[JThread<'_>]) -> Outcome<Vec<i64>> {
    let long = ReturnType::Primitive(Primitive::Long);
    let value = |thread| -> Outcome<i64> {
        // SAFETY: the field is one of `Thread`, and a long.
        Ok(unsafe { jni.get_field_unchecked(thread, field, long) }?.j()?)
    };
    threads.iter().map(value).collect()
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
        let structure = longs(jni, layout.structure, &[carrier.unwrap_or(current)])?;
        let is_so = layout.ids(&structure) == [Some(platform::current_thread_id())];
        Ok(is_so.then_some(layout))
    }

    /// Of the VM's structures; at 0 there is none, before a thread has started and once it has ended.
    fn ids(&self, structures: &[i64]) -> Vec<Option<u32>> {
        let address = |one: &i64| usize::try_from(*one).unwrap_or(0);
        let structures: Vec<_> = structures.iter().map(address).collect();
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
