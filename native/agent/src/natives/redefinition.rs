//! Classes that get other class files.
//!
//! The thread that asks for it does it itself, for the VM calls Java on it: class loaders, and the transformers of other
//! agents, which could keep the steward for ever. Meanwhile the VM keeps everybody else from the same classes, without a
//! bound, though the thread may be suspended. So those of us who change the same class take turns before they ask the
//! VM, and with a bound.

use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::{JByteArray, JClass, JIntArray, JObjectArray};
use jni::refs::Global;
use jni::sys::jint;

use crate::boundary::context;
use crate::environment::gate::{self, Me};
use crate::event::breakpoints;
use crate::failure::{Failure, Outcome};
use crate::vm::bare;
use crate::vm::capacity::make_room;
use crate::vm::patience::{Patience, ROUND};
use crate::vm::steward;

/// Class files that lie one behind the other.
pub(super) struct ClassFiles {
    bytes: Vec<u8>,
    ranges: Vec<Range<usize>>,
}

impl ClassFiles {
    pub(super) fn read(
        jni: &Env<'_>,
        bytes: &JByteArray<'_>,
        counts: &JIntArray<'_>,
    ) -> Outcome<Self> {
        let mut room = vec![0; bytes.len(jni)?];
        bare::get_bytes(jni, bytes, &mut room)?;
        let mut lengths = vec![0; counts.len(jni)?];
        bare::get_ints(jni, counts, &mut lengths)?;
        Ok(Self {
            ranges: ranges(&lengths, room.len()),
            bytes: room,
        })
    }

    pub(super) fn each(&self) -> impl Iterator<Item = &[u8]> {
        self.ranges.iter().map(|range| &self.bytes[range.clone()])
    }
}

/// Where parts of these lengths lie in so many bytes.
fn ranges(lengths: &[jint], bytes: usize) -> Vec<Range<usize>> {
    let mut end = 0;
    let range = |length: &jint| {
        let start = end;
        end = bytes.min(start + usize::try_from(*length).unwrap_or(0));
        start..end
    };
    lengths.iter().map(range).collect()
}

/// The classes of an array.
pub(super) fn classes<'l>(
    jni: &mut Env<'l>,
    types: &JObjectArray<'l, JClass<'l>>,
) -> Outcome<Vec<JClass<'l>>> {
    let length = types.len(jni)?;
    // Here, and where the VM is asked.
    make_room(jni, 2 * length)?;
    (0..length)
        .map(|index| bare::element(jni, types, index))
        .collect()
}

/// Does `change` to `classes`, when nobody else of ours is changing one of them. `class` is the caller's.
pub(super) fn change<'l>(
    jni: &mut Env<'l>,
    class: &JClass<'_>,
    classes: &[JClass<'_>],
    change: impl FnOnce(&mut Env<'l>) -> jvmti::Result<()>,
) -> Outcome<()> {
    let turn = Turn::wait(jni, classes)?;
    let changed = change(jni);
    let changes = Arc::clone(&turn.0);
    drop(turn);
    changed?;
    if breakpoints::are_any() {
        // They have got their new files, whether the steward is late or not.
        let _ = set_breakpoints_again(jni, class, changes);
    }
    Ok(())
}

fn set_breakpoints_again(jni: &Env<'_>, class: &JClass<'_>, changes: Arc<Change>) -> Outcome<()> {
    let metadata = context::bound(jni, class)?.metadata(jni)?;
    steward::have_done(jni, move |jni| {
        let metadata = gate::enter(Me::new(jni.get_raw()), metadata)?;
        for class in &changes.classes {
            breakpoints::set_again(jni, &metadata, class);
        }
        Ok(())
    })
}

/// A thread that changes classes, or waits for that.
struct Change {
    thread: usize,
    classes: Vec<Global<JClass<'static>>>,
}

/// In the order in which they came. Never held across a call into the VM.
static CHANGES: Mutex<Changes> = Mutex::new(Changes {
    all: Vec::new(),
    ended: 0,
});
static ENDED: Condvar = Condvar::new();

struct Changes {
    all: Vec<Arc<Change>>,
    ended: u64,
}

/// The place of a thread among those; it is left when this is dropped.
struct Turn(Arc<Change>);

impl Turn {
    fn wait(jni: &Env<'_>, classes: &[JClass<'_>]) -> Outcome<Self> {
        let classes: Result<Vec<_>, _> = classes
            .iter()
            .map(|class| jni.new_global_ref(class))
            .collect();
        let own = Arc::new(Change {
            thread: jni.get_raw().addr(),
            classes: classes?,
        });
        lock().all.push(Arc::clone(&own));
        let turn = Self(own);
        let mut patience = Patience::new(lock().ended);
        loop {
            let (before, ended) = turn.before();
            if !turn.is_kept_by(jni, &before)? {
                return Ok(turn);
            }
            let rested = ENDED.wait_timeout_while(lock(), ROUND, |now| now.ended == ended);
            drop(rested.unwrap_or_else(PoisonError::into_inner));
            // Here it stops if it is suspended.
            steward::pass_through_vm(jni)?;
            if patience.is_over(lock().ended) {
                return Err(kept());
            }
        }
    }

    /// Who came before, of other threads: one who changes a class in the middle of a change has no need to wait for
    /// himself.
    fn before(&self) -> (Vec<Arc<Change>>, u64) {
        let changes = lock();
        let before = changes
            .all
            .iter()
            .take_while(|one| !Arc::ptr_eq(one, &self.0))
            .filter(|one| one.thread != self.0.thread)
            .map(Arc::clone)
            .collect();
        (before, changes.ended)
    }

    fn is_kept_by(&self, jni: &Env<'_>, before: &[Arc<Change>]) -> Outcome<bool> {
        for theirs in before.iter().flat_map(|one| &one.classes) {
            for ours in &self.0.classes {
                if jni.is_same_object(theirs, ours)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut changes = lock();
        changes.all.retain(|one| !Arc::ptr_eq(one, &self.0));
        changes.ended += 1;
        drop(changes);
        ENDED.notify_all();
    }
}

fn kept() -> Failure {
    Failure::Stalled(
        "another thread has been changing one of these classes for 5 seconds; it may be suspended"
            .to_owned(),
    )
}

fn lock() -> MutexGuard<'static, Changes> {
    CHANGES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_lie_one_behind_the_other_and_never_beyond_the_end() {
        assert_eq!(ranges(&[2, 0, 3], 5), [0..2, 2..2, 2..5]);
        assert_eq!(ranges(&[-1, 3, 4], 5), [0..0, 0..3, 3..5]);
    }
}
