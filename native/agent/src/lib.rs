//! The JvmTools agent: one library file, loaded by `-agentpath`, by attach or by `System.load`.
//!
//! A call flows `natives::<group>` → [`guard`] (panics, handle, gate) → `jvmti` → the VM, and an
//! error flows back through [`throw`], the only place that raises a Java exception.

mod agent_thread;
mod borrowed;
mod bracket;
mod bridge;
mod changes;
mod context;
mod daemon;
mod death;
mod door;
mod dump;
mod entry;
mod environment;
mod facts;
mod failure;
mod gate;
mod guard;
mod handles;
mod image;
mod interruption;
mod ledger;
mod natives;
mod options;
mod owned_monitors;
mod platform;
mod requester;
mod startup;
mod steward;
mod storage;
mod suspension;
mod thread_set;
mod thread_table;
mod throw;
mod watchdog;
