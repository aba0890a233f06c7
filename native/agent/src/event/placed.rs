//! What environments have set in classes, without keeping a class loaded. Changed by the steward alone.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jni::Env;
use jni::objects::JClass;
use jni::refs::Weak;

/// Something that an environment has set in a class and not cleared.
pub(super) struct Placed<P> {
    pub(super) handle: u64,
    pub(super) class: Weak<JClass<'static>>,
    pub(super) place: P,
}

/// All of one kind. The lock is never held across a call into the VM.
pub(super) struct Places<P>(Mutex<Vec<Arc<Placed<P>>>>);

impl<P> Places<P> {
    pub(super) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    pub(super) fn add(&self, one: Placed<P>) {
        self.lock().push(Arc::new(one));
    }

    /// What the environment `handle` has set, in this order.
    pub(super) fn of(&self, handle: u64) -> Vec<Arc<Placed<P>>> {
        let all = self.lock();
        all.iter()
            .filter(|one| one.handle == handle)
            .map(Arc::clone)
            .collect()
    }

    /// What anybody has set in `class`.
    pub(super) fn within(&self, jni: &Env<'_>, class: &JClass<'_>) -> Vec<Arc<Placed<P>>> {
        let mut all = self.lock().clone();
        all.retain(|one| jni.is_same_object(&one.class, class).unwrap_or(false));
        all
    }

    /// Whether there is one.
    pub(super) fn is_any(&self) -> bool {
        !self.lock().is_empty()
    }

    /// Forgets one; harmless if it is forgotten already.
    pub(super) fn forget(&self, one: &Arc<Placed<P>>) {
        let mut all = self.lock();
        let at = all.iter().position(|other| Arc::ptr_eq(one, other));
        // Not dropped under the lock: what it knows of the class is the VM's.
        let _forgotten = at.map(|at| all.remove(at));
        drop(all);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Placed<P>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
