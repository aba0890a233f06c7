//! Which methods may own a monitor. A thread that is in none of them owns none, unless native code that has returned
//! left it one.

use std::collections::HashMap;

use jni::Env;
use jvmti::sys::Error;
use jvmti::{FrameInfo, MethodId};

use crate::environment::gate::Inside;
use crate::failure::Outcome;
use crate::vm::bytecode;
use crate::vm::capacity::Room;

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

    /// Whether a thread with these frames may own a monitor. One without any is in native code.
    pub(super) fn among(
        &mut self,
        jni: &Env<'_>,
        room: &mut Room,
        frames: &[FrameInfo],
    ) -> Outcome<bool> {
        for frame in frames {
            if self.may_lock(jni, room, frame.method)? {
                return Ok(true);
            }
        }
        Ok(frames.is_empty())
    }

    fn may_lock(&mut self, jni: &Env<'_>, room: &mut Room, method: MethodId) -> Outcome<bool> {
        if let Some(known) = self.known.get(&method) {
            return Ok(*known);
        }
        let locks = is_synchronized(self.metadata, method)
            || match enters(self.metadata, method) {
                Some(enters) => enters,
                None => is_users(jni, room, self.metadata, method)?,
            };
        self.known.insert(method, locks);
        Ok(locks)
    }
}

fn is_synchronized(metadata: &Inside, method: MethodId) -> bool {
    const SYNCHRONIZED: i32 = 0x20;
    let modifiers = metadata.method_modifiers(method);
    modifiers.is_ok_and(|modifiers| modifiers & SYNCHRONIZED != 0)
}

/// Whether its bytecodes enter a monitor; None for a native one.
fn enters(metadata: &Inside, method: MethodId) -> Option<bool> {
    match metadata.bytecodes(method) {
        Ok(codes) => Some(enters_in(&codes)),
        Err(error) => (error.code != Error::NATIVE_METHOD).then_some(true),
    }
}

/// An operand may look the same: in a tenth of a second thousands of threads are asked that stand in such a method.
fn enters_in(codes: &[u8]) -> bool {
    const MONITORENTER: u8 = 0xc2;
    codes.contains(&MONITORENTER)
        && bytecode::starts(codes)
            .is_none_or(|starts| starts.iter().any(|&at| codes[at] == MONITORENTER))
}

/// Whether a native method is none of those of the JDK in which threads wait, and which enter no monitor.
fn is_users(jni: &Env<'_>, room: &mut Room, metadata: &Inside, method: MethodId) -> Outcome<bool> {
    room.made(jni, 2)?;
    let Ok(class) = metadata.method_declaring_class(jni, method) else {
        return Ok(true);
    };
    let loader = metadata.class_loader(jni, &class);
    Ok(loader.map_or(true, |loader| loader.is_some()))
}

#[cfg(test)]
mod tests {
    use super::enters_in;

    #[test]
    fn only_an_instruction_enters_a_monitor() {
        let [monitorenter, invokestatic, aload_0, the_return] = [0xc2, 0xb8, 0x2a, 0xb1];
        assert!(enters_in(&[aload_0, monitorenter, the_return]));
        assert!(!enters_in(&[invokestatic, 0, 0xc2, the_return]));
        assert!(!enters_in(&[aload_0, the_return]));
        assert!(
            enters_in(&[0xff, 0xc2]),
            "of what is no code nothing is known"
        );
    }
}
