//! The natives, one file per Java class; `rows` registers them when a copy of the Java classes binds
//! itself.

mod breakpoint;
mod capabilities;
mod class;
mod dump;
mod errand;
mod event;
mod extension;
mod field;
mod frame;
mod general;
mod heap;
mod jni_table;
mod listed;
mod local;
mod memory;
mod method;
mod module;
mod monitor;
mod object;
pub(crate) mod probe;
mod redefinition;
mod row;
mod rows;
mod self_test;
mod suspension;
mod symbol;
mod system;
mod thread;
mod thread_group;
mod timer;
mod values;

pub(crate) use rows::GROUPS;
