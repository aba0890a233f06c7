//! Prefixes for the names of native methods, which the VM goes by for as long as an environment has them.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::environment::undone::Undone;

/// Whether any environment has ever set one.
static USED: AtomicBool = AtomicBool::new(false);

/// One is about to be set.
pub(crate) fn use_them() {
    USED.store(true, Ordering::SeqCst);
}

/// The prefixes that environments have set.
pub(crate) struct Prefixes;

impl Undone for Prefixes {
    /// Whoever has none, or no capability to have some, is refused at once; what is left of one who has given it up goes
    /// when the environment is disposed.
    fn undo(&self, env: &jvmti::Env, _handle: u64) -> bool {
        if USED.load(Ordering::SeqCst) {
            let _ = env.set_native_method_prefix(None);
        }
        true
    }
}
