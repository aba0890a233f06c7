//! What is undone when an environment is closed, or when the VM ends.
//!
//! Those who do something for environments that does not end by itself are named when the image arrives.
//! Here nobody knows who they are.

use std::sync::OnceLock;

use jni::Env;
use jvmti::sys::Capabilities;

use crate::environment::gate::Inside;
use crate::failure::Outcome;

/// Something that is done for environments, and must not outlive them.
pub(crate) trait Undone: Sync {
    /// Forgets what is kept for `handle`, which is closed, and for which everything else is done or owed: this thread
    /// may be suspended here.
    fn forget(&self, _handle: u64) {}

    /// Undoes what was done to the VM for the closed `handle`; false: it is to be asked once more. Only
    /// by the steward, so that nobody is doing more of it.
    fn undo(&self, _env: &jvmti::Env, _handle: u64) -> bool {
        true
    }

    /// Undoes what was done to the VM for `handle` by means of capabilities that it is about to give up. Only by the
    /// steward.
    fn give_up(&self, _env: &jvmti::Env, _handle: u64, _unwanted: &Capabilities) {}

    /// The calling thread is about to end the VM, and waits until all is undone.
    fn end_the_vm(&self) {}

    /// Undoes what was done for any environment, for the VM is about to end. Only by the steward.
    fn undo_all(&self) {}

    /// Wakes its threads, for the last moments of the VM have begun.
    fn wake(&self) {}

    /// Whether it keeps threads suspended for `handle`, as far as is known without the VM.
    fn may_keep_suspended(&self, _handle: u64) -> bool {
        false
    }

    /// Whether it keeps threads suspended for `handle` until somebody resumes them, as far as is known without
    /// the VM.
    fn may_keep_until_resumed(&self, _handle: u64) -> bool {
        false
    }

    /// Whether it keeps threads suspended for anybody, until somebody resumes them, as far as is known without the VM.
    fn may_keep_any_suspended(&self) -> bool {
        false
    }

    /// Whether it keeps threads suspended for `env`, until somebody resumes them.
    fn keeps_until_resumed(&self, _jni: &mut Env<'_>, _env: &Inside) -> Outcome<bool> {
        Ok(false)
    }

    /// Whether it keeps threads suspended for `env`.
    fn keeps_suspended(&self, jni: &mut Env<'_>, env: &Inside) -> Outcome<bool> {
        self.keeps_until_resumed(jni, env)
    }
}

/// Told once, and read without a lock.
static ALL: OnceLock<&'static [&'static dyn Undone]> = OnceLock::new();

/// Names all there is to undo, in the order in which that is done.
pub(crate) fn name(all: &'static [&'static dyn Undone]) {
    let _ = ALL.set(all);
}

/// `handle` is closed.
pub(super) fn forget(handle: u64) {
    all().for_each(|one| one.forget(handle));
}

/// Undoes what was done for the closed `handle`; false: something is to be undone once more. Only by
/// the steward.
pub(super) fn undo(env: &jvmti::Env, handle: u64) -> bool {
    let mut done = true;
    for one in all() {
        // Each of them, whatever became of those before it.
        done &= one.undo(env, handle);
    }
    done
}

/// Undoes what was done for `handle` by means of capabilities that it is about to give up. Only by the steward.
pub(super) fn give_up(env: &jvmti::Env, handle: u64, unwanted: &Capabilities) {
    all().for_each(|one| one.give_up(env, handle, unwanted));
}

/// The calling thread ends the VM.
pub(super) fn end_the_vm() {
    all().for_each(Undone::end_the_vm);
}

/// Undoes everything. Only by the steward.
pub(super) fn undo_all() {
    all().for_each(Undone::undo_all);
}

/// Wakes all threads that wait for something to do.
pub(super) fn wake_all() {
    all().for_each(Undone::wake);
}

/// Whether threads are suspended for `handle`, as far as is known without the VM.
pub(super) fn may_keep_suspended(handle: u64) -> bool {
    all().any(|one| one.may_keep_suspended(handle))
}

/// Whether threads are suspended for `handle` until somebody resumes them, as far as is known without the VM.
pub(super) fn may_keep_until_resumed(handle: u64) -> bool {
    all().any(|one| one.may_keep_until_resumed(handle))
}

/// Whether threads are suspended until somebody resumes them, as far as is known without the VM.
pub(crate) fn may_keep_any_suspended() -> bool {
    all().any(Undone::may_keep_any_suspended)
}

/// Whether threads are suspended for `env`, until somebody resumes them.
pub(super) fn keeps_until_resumed(jni: &mut Env<'_>, env: &Inside) -> Outcome<bool> {
    for one in all() {
        if one.keeps_until_resumed(jni, env)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether threads are suspended for `env`.
pub(super) fn keeps_suspended(jni: &mut Env<'_>, env: &Inside) -> Outcome<bool> {
    for one in all() {
        if one.keeps_suspended(jni, env)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn all() -> impl Iterator<Item = &'static dyn Undone> {
    ALL.get().copied().unwrap_or_default().iter().copied()
}
