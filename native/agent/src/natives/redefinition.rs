//! Classes that get other class files, when it is the turn of who asks for it.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jni::Env;
use jni::objects::{JByteArray, JClass, JIntArray, JObjectArray};
use jni::refs::Global;
use jni::sys::jint;

use crate::boundary::context;
use crate::environment::gate::{self, Me};
use crate::event::begun_changes;
use crate::event::breakpoints;
use crate::event::passes;
use crate::failure::{Failure, Outcome};
use crate::thread::pending::{self, Pops};
use crate::vm::bare;
use crate::vm::capacity::make_room;
use crate::vm::changed_classes;
use crate::vm::class_turns::{self, Turn};
use crate::vm::patience::LONG;
use crate::vm::steward;

const POPPED: &str =
    "a thread that stands still is to call a method of one of the classes again: let it run first";

/// How long it is looked again and again whether it has.
const PATIENCE: Duration = LONG;
const STARVED: &str = "a thread that is to call a method of one of the classes again has not come to it for 5 seconds";

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
    types: &JObjectArray<'_, JClass<'_>>,
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
    let _changing = passes::begin_to_change(jni, classes)?;
    let turn = class_turns::wait(jni, &classes.iter().collect::<Vec<_>>())?;
    if pending::are_any() {
        wait_for_pops(jni, class, classes)?;
    }
    let changed = change(jni);
    begun_changes::end(jni, classes);
    changed?;
    // They have got their new files, whatever this comes to.
    let _ = changed_classes::add(jni, classes);
    if breakpoints::are_any() {
        let _ = set_breakpoints_again(jni, class, classes, turn);
    }
    Ok(())
}

/// Waits for whoever is to call a method of one of the classes again, as long as he runs.
fn wait_for_pops(jni: &Env<'_>, class: &JClass<'_>, classes: &[JClass<'_>]) -> Outcome<()> {
    let metadata = context::bound(jni, class)?.metadata(jni)?;
    let classes = Arc::new(globals(jni, classes)?);
    let until = Instant::now() + PATIENCE;
    loop {
        let asked = Arc::clone(&classes);
        let found = move |jni: &mut Env<'_>| {
            let metadata = gate::enter(Me::new(jni.get_raw()), metadata)?;
            pending::pops_in(jni, &metadata, &asked)
        };
        match steward::ask(jni, found, |_, _| ())? {
            Pops::None => return Ok(()),
            Pops::Standing => return Err(Failure::State(POPPED.to_owned())),
            Pops::Running if Instant::now() < until => class_turns::rest_a_moment(jni)?,
            Pops::Running => return Err(Failure::Stalled(STARVED.to_owned())),
        }
    }
}

fn globals(jni: &Env<'_>, classes: &[JClass<'_>]) -> Outcome<Vec<Global<JClass<'static>>>> {
    let all = classes.iter().map(|class| jni.new_global_ref(class));
    Ok(all.collect::<Result<_, _>>()?)
}

/// It is the classes' `turn` until that is done, whether the caller is suspended meanwhile or gives up.
fn set_breakpoints_again(
    jni: &Env<'_>,
    class: &JClass<'_>,
    classes: &[JClass<'_>],
    turn: Turn,
) -> Outcome<()> {
    let metadata = context::bound(jni, class)?.metadata(jni)?;
    let classes = globals(jni, classes)?;
    turn.pass_on();
    steward::have_done(jni, move |jni| {
        let metadata = gate::enter(Me::new(jni.get_raw()), metadata)?;
        for class in &classes {
            breakpoints::set_again(jni, &metadata, class);
            steward::go_on();
        }
        drop(turn);
        Ok(())
    })
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
