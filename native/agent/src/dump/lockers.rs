//! Which methods lock. A thread that is in none of them owns no monitor but what native code has entered.

use std::collections::HashMap;

use jvmti::{FrameInfo, MethodId};

use crate::environment::gate::Inside;

/// What is known of methods, as long as their frames stand still.
pub(super) struct Lockers<'a> {
    metadata: &'a Inside,
    known: HashMap<MethodId, bool>,
}

impl<'a> Lockers<'a> {
    /// Asks an environment with `can_get_bytecodes`.
    pub(super) fn new(metadata: &'a Inside) -> Self {
        Self {
            metadata,
            known: HashMap::new(),
        }
    }

    /// Whether one of the methods locks, or may.
    pub(super) fn among(&mut self, frames: &[FrameInfo]) -> bool {
        frames.iter().any(|frame| self.locks(frame.method))
    }

    fn locks(&mut self, method: MethodId) -> bool {
        let metadata = self.metadata;
        let known = self.known.entry(method);
        *known.or_insert_with(|| is_synchronized(metadata, method) || enters(metadata, method))
    }
}

fn is_synchronized(metadata: &Inside, method: MethodId) -> bool {
    const SYNCHRONIZED: i32 = 0x20;
    let modifiers = metadata.method_modifiers(method);
    modifiers.is_ok_and(|modifiers| modifiers & SYNCHRONIZED != 0)
}

/// An operand with the same byte does no harm: it is only asked about one more thread.
fn enters(metadata: &Inside, method: MethodId) -> bool {
    const MONITORENTER: u8 = 0xc2;
    match metadata.bytecodes(method) {
        Ok(codes) => codes.contains(&MONITORENTER),
        Err(error) => error.code != jvmti::sys::Error::NATIVE_METHOD,
    }
}
