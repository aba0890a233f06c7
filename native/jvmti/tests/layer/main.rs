//! The safe layer against a fake function table: every function calls its own slot with its own
//! arguments, decodes what comes back, frees what the VM allocated, and touches nothing after a
//! failure. One file per group of functions; no JVM anywhere.

#[path = "../fake/mod.rs"]
mod fake;

mod agent;
mod breakpoint;
mod capabilities;
mod class;
mod data;
mod env;
mod event;
mod extension;
mod field;
mod frame;
mod general;
mod heap;
mod heap_walk;
mod jni_table;
mod legacy_heap;
mod listener;
mod local;
mod memory;
mod method;
mod module;
mod monitor;
mod null;
mod object;
mod system;
mod thread;
mod thread_group;
mod timer;
