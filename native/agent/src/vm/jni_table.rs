//! Whose functions stand in the table of JNI functions. Others may change it at any time, also between a look at it and a
//! change, for the VM has no way to do both at once; so only the steward does.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

use jvmti::sys::Error;

use crate::failure::{Failure, Outcome};
use crate::vm::image;
use crate::vm::jni_stubs::Stub;

const SET: &str = "SetJNIFunctionTable";

/// Whether the table was ever changed.
static CHANGED: AtomicBool = AtomicBool::new(false);

/// The calls of some functions from some moment on, which are counted as long as this is there.
pub(crate) struct Counted {
    stubs: Vec<Stub>,
    before: Vec<u64>,
    is_over: bool,
}

/// Has calls counted of the functions in `slots`. Only by the steward.
pub(crate) fn count(slots: &[usize]) -> Outcome<Counted> {
    let plain = image::plain()?;
    let mut table = plain.jni_function_table()?;
    let counted = Counted::of(slots, &table)?;
    CHANGED.store(true, Ordering::SeqCst);
    if counted.enter(&mut table) | take_out_unused(&mut table) {
        // SAFETY: each stub jumps to what was in its slot, or to what that jumps to, and this image is never unmapped.
        unsafe { plain.set_jni_function_table(&table) }?;
    }
    Ok(counted)
}

/// Puts back what was in the table wherever a stub stands that nobody needs. What another agent has put over it stays, and
/// may call it. Only by the steward.
pub(crate) fn restore() -> Outcome<()> {
    if !CHANGED.load(Ordering::SeqCst) {
        return Ok(());
    }
    let plain = image::plain()?;
    let mut table = plain.jni_function_table()?;
    if take_out_unused(&mut table) {
        // SAFETY: what was in a slot when its stub was put there; JNI functions stay for as long as there is a VM.
        unsafe { plain.set_jni_function_table(&table) }?;
    }
    Ok(())
}

/// The slots that have a function.
pub(crate) fn filled(env: &jvmti::Env) -> Outcome<Vec<i32>> {
    let table = env.jni_function_table()?;
    let slots = (0_i32..).zip(table.iter());
    let filled = slots.filter(|(_, function)| !function.is_null());
    Ok(filled.map(|(slot, _)| slot).collect())
}

impl Counted {
    fn of(slots: &[usize], table: &[*mut c_void]) -> Outcome<Self> {
        let stubs: Outcome<Vec<_>> = slots.iter().map(|&slot| stub(slot, table)).collect();
        let stubs = stubs?;
        stubs.iter().for_each(|stub| stub.add_user());
        let mut counted = Self {
            stubs,
            before: Vec::new(),
            is_over: false,
        };
        counted.begin();
        Ok(counted)
    }

    /// Whether that changes the table.
    fn enter(&self, table: &mut [*mut c_void]) -> bool {
        let mut changed = false;
        for stub in &self.stubs {
            let place = &mut table[stub.slot()];
            changed |= *place != stub.function();
            *place = stub.function();
        }
        changed
    }

    /// Calls count from here on.
    pub(crate) fn begin(&mut self) {
        self.before = self.stubs.iter().map(|stub| stub.calls()).collect();
    }

    /// How many there were, in the order of the slots.
    pub(crate) fn calls(&self) -> Vec<i64> {
        let each = self.stubs.iter().zip(&self.before);
        each.map(|(stub, before)| stub.calls().wrapping_sub(*before).cast_signed())
            .collect()
    }

    /// It needs its stubs no more, also if somebody is still asking it.
    pub(crate) fn end(&mut self) {
        if !std::mem::replace(&mut self.is_over, true) {
            self.stubs.iter().for_each(|stub| stub.remove_user());
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.end();
    }
}

/// The stub of a slot that leads to what is there, or is there itself.
fn stub(slot: usize, table: &[*mut c_void]) -> Outcome<Stub> {
    let here = table.get(slot).copied().unwrap_or_default();
    if here.is_null() {
        return Err(jvmti::Error::new(SET, Error::NOT_AVAILABLE).into());
    }
    let stubs = || Stub::of(slot);
    stubs()
        .find(|stub| stub.function() == here)
        .or_else(|| stubs().find(|stub| stub.original() == here))
        .or_else(|| stubs().find(|stub| stub.lead_to(here)))
        .ok_or_else(|| {
            Failure::State(format!(
                "other agents have put too many different functions into slot {slot} of the table of JNI \
                 functions"
            ))
        })
}

/// Whether that changes the table.
fn take_out_unused(table: &mut [*mut c_void]) -> bool {
    let mut changed = false;
    for (slot, place) in table.iter_mut().enumerate() {
        let idle = |here| Stub::of(slot).find(|stub| stub.function() == here && !stub.is_used());
        while let Some(stub) = idle(*place) {
            *place = stub.original();
            changed = true;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    fn function(number: usize) -> *mut c_void {
        ptr::without_provenance_mut(number)
    }

    /// A table that is long enough for these tests, each of which has a slot of its own.
    fn numbered() -> [*mut c_void; 20] {
        std::array::from_fn(|slot| function(0x1000 + slot))
    }

    fn counted(slots: &[usize], table: &mut [*mut c_void]) -> Counted {
        let counted = Counted::of(slots, table).unwrap();
        counted.enter(table);
        counted
    }

    #[test]
    fn what_was_there_comes_back_with_the_last_of_those_who_count_it() {
        let mut table = numbered();
        let first = counted(&[5, 6], &mut table);
        let second = counted(&[6], &mut table);
        assert_ne!(table[5..7], numbered()[5..7]);
        drop(first);
        assert!(take_out_unused(&mut table));
        assert_eq!(table[5], function(0x1005));
        assert_eq!(table[6], second.stubs[0].function());
        drop(second);
        assert!(take_out_unused(&mut table));
        assert_eq!(table, numbered());
        assert!(!take_out_unused(&mut table), "nothing is left to do");
    }

    #[test]
    fn what_another_agent_has_put_over_a_stub_stays_and_the_stub_leads_on() {
        let mut table = numbered();
        let ours = counted(&[7], &mut table);
        let stub = ours.stubs[0];
        table[7] = function(0x77);
        drop(ours);
        assert!(!take_out_unused(&mut table));
        assert_eq!(
            (table[7], stub.original()),
            (function(0x77), function(0x1007))
        );
    }

    #[test]
    fn a_stub_below_another_function_never_leads_to_that() {
        let mut table = numbered();
        let below = counted(&[8], &mut table);
        table[8] = function(0x88);
        let above = counted(&[8], &mut table);
        assert_ne!(above.stubs, below.stubs);
        assert_eq!(above.stubs[0].original(), function(0x88));
        assert_eq!(below.stubs[0].original(), function(0x1008));
        drop((above, below));
        assert!(take_out_unused(&mut table));
        assert_eq!(table[8], function(0x88));
    }

    #[test]
    fn a_stub_that_another_agent_puts_back_goes_when_nobody_needs_it() {
        let mut table = numbered();
        drop(counted(&[9], &mut table));
        assert!(take_out_unused(&mut table) && table[9] == function(0x1009));
        let again = counted(&[9], &mut table);
        table[9] = function(0x99);
        let stub = again.stubs[0].function();
        drop(again);
        take_out_unused(&mut table);
        table[9] = stub;
        assert!(take_out_unused(&mut table));
        assert_eq!(table[9], function(0x1009));
    }

    #[test]
    fn too_many_functions_of_others_are_refused_and_those_that_are_known_are_not() {
        let mut table = numbered();
        for other in [0x1, 0x2, 0x3] {
            table[10] = function(other);
            drop(counted(&[10], &mut table));
        }
        table[10] = function(0x4);
        let refused = Counted::of(&[11, 10], &table);
        assert!(matches!(refused.map(drop), Err(Failure::State(_))));
        table[10] = function(0x2);
        drop(counted(&[11, 10], &mut table));
        assert!(take_out_unused(&mut table));
        assert_eq!((table[10], table[11]), (function(0x2), function(0x100b)));
    }

    #[test]
    fn who_is_still_asked_when_it_is_over_needs_nothing() {
        let mut table = numbered();
        let mut ours = counted(&[13], &mut table);
        ours.end();
        assert!(take_out_unused(&mut table));
        assert_eq!(table, numbered());
        let other = counted(&[13], &mut table);
        drop(ours);
        assert!(other.stubs[0].is_used(), "it has ended once");
    }

    #[test]
    fn a_slot_without_a_function_is_not_available() {
        let mut table = numbered();
        table[12] = ptr::null_mut();
        for slot in [12, 20, usize::MAX] {
            let error = match Counted::of(&[slot], &table).map(drop) {
                Err(Failure::Jvmti(error)) => error.code,
                other => panic!("{other:?}"),
            };
            assert_eq!(error, Error::NOT_AVAILABLE);
        }
    }
}
