//! The JvmTools agent: one library file, loaded by `-agentpath`, by attach or by `System.load`.
//!
//! A call flows `natives::<group>` → [`boundary::guard`] (panics, handle, gate) → `jvmti` → the VM, and
//! an error flows back through [`boundary::throw`], the only place that raises a Java exception.
//!
//! Each module is a room, from the lowest to the highest; none names a higher one. The empty lines keep
//! rustfmt from sorting them.

mod bridge;
mod failure;

mod platform;

mod vm;

mod environment;

mod thread;

mod event;

mod dump;

mod boundary;

mod natives;

mod entry;
