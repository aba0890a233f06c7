//! Classes that somebody has begun to change: a hook of class files tells of that before it is done, whoever does it.
//!
//! Another agent takes no turn (`vm/class_turns.rs`), and the VM does not survive a breakpoint that is set at the moment
//! at which the class is changed. So whoever hears of it waits, with a bound, until none is being set, and from then on
//! none is set before it is over. Nothing tells of that; but HotSpot counts how often a class has been changed.

use std::time::{Duration, Instant};

use jni::ids::JFieldID;
use jni::objects::JClass;
use jni::signature::{Primitive, ReturnType};
use jni::{Env, jni_sig, jni_str};
use once_cell::race::OnceBox;

use crate::event::placed::{Places, Within};
use crate::failure::Outcome;
use crate::vm::patience::LONG;
use crate::vm::{bare, class_turns};

/// After that it is taken for one that has failed, which HotSpot does not count.
const LONGEST: Duration = LONG;

/// No environment's: whoever heard of it.
static BEGUN: Places<Begun> = Places::new();
const NOBODY: u64 = 0;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Begun {
    /// Who changes the class: he has no need to wait for himself.
    thread: usize,
    /// How often it had been changed before.
    count: i32,
    at: Instant,
}

/// This thread is about to change `class`. The VM has one do that after the other.
pub(crate) fn begin(jni: &mut Env<'_>, class: &JClass<'_>) -> Outcome<()> {
    let before = BEGUN.within(jni, class)?;
    let begun = Begun {
        thread: this_thread(jni),
        // That of another VM is never known to be over.
        count: count(jni, class).unwrap_or_default(),
        at: Instant::now(),
    };
    BEGUN.add(jni, NOBODY, Within::class(jni, class)?, begun);
    before.iter().for_each(|one| BEGUN.forget(one));
    class_turns::wait_for_steward(jni, class)
}

/// This thread has changed `classes`, or tried to.
pub(crate) fn end(jni: &Env<'_>, classes: &[JClass<'_>]) {
    if !BEGUN.is_any() {
        return;
    }
    let thread = this_thread(jni);
    for class in classes {
        let all = BEGUN.within(jni, class).unwrap_or_default();
        let own = all.iter().filter(|one| one.place.thread == thread);
        own.for_each(|one| BEGUN.forget(one));
    }
}

/// Whether a thread is about to change `class`, other than `thread`.
pub(crate) fn is_under_way(
    jni: &mut Env<'_>,
    class: &JClass<'_>,
    thread: Option<usize>,
) -> Outcome<bool> {
    if !BEGUN.is_any() {
        return Ok(false);
    }
    let all = BEGUN.within(jni, class)?;
    let now = count(jni, class).unwrap_or_default();
    let (under_way, over): (Vec<_>, Vec<_>) =
        all.iter().partition(|one| one.place.is_under_way(now));
    over.into_iter().for_each(|one| BEGUN.forget(one));
    Ok(under_way.iter().any(|one| Some(one.place.thread) != thread))
}

pub(crate) fn this_thread(jni: &Env<'_>) -> usize {
    jni.get_raw().addr()
}

impl Begun {
    fn is_under_way(&self, count: i32) -> bool {
        self.count == count && self.at.elapsed() < LONGEST
    }
}

/// How often HotSpot has changed the class, or one that it extends.
fn count(jni: &mut Env<'_>, class: &JClass<'_>) -> Outcome<i32> {
    static COUNT: OnceBox<JFieldID> = OnceBox::new();
    let count = COUNT.get_or_try_init(|| -> Outcome<_> {
        let of_classes = bare::class(jni, class)?;
        let name = jni_str!("classRedefinedCount");
        let count = jni.get_field_id(&of_classes, name, jni_sig!(jint))?;
        jni.delete_local_ref(of_classes);
        Ok(Box::new(count))
    })?;
    let int = ReturnType::Primitive(Primitive::Int);
    // SAFETY: the field is one of `Class`, and an int.
    Ok(unsafe { jni.get_field_unchecked(class, *count, int) }?.i()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_over_once_it_is_counted_or_has_taken_too_long() {
        let at = Instant::now();
        let begun = Begun {
            thread: 1,
            count: 7,
            at,
        };
        assert!(begun.is_under_way(7));
        assert!(!begun.is_under_way(8));
        let at = at.checked_sub(LONGEST).unwrap();
        assert!(!Begun { at, ..begun }.is_under_way(7));
    }
}
