//! Environments: their handles, who is inside, what they hold, and how they end.
//!
//! What is done for an environment elsewhere, and is to be [undone] with it, is not known here.

mod attached;
pub(crate) mod borrowed;
pub(crate) mod changes;
pub(crate) mod death;
mod disposal;
pub(crate) mod ends;
pub(crate) mod freed;
pub(crate) mod gate;
pub(crate) mod handles;
pub(crate) mod held;
pub(crate) mod jni_counters;
pub(crate) mod life;
pub(crate) mod listening;
mod loans;
pub(crate) mod local_storage;
pub(crate) mod prefixes;
mod queue;
pub(crate) mod raw_monitors;
pub(crate) mod slots;
pub(crate) mod spares;
mod tags;
pub(crate) mod undone;
