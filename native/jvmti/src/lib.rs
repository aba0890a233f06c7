//! The JVM Tool Interface for Rust.
//!
//! [`sys`] is the interface as C sees it: the function table, the callback table, the structs and
//! the numbers. Everything else is the safe layer, one file per group of functions, each a block of
//! methods on [`Env`]. It adds exactly one thing to a slot of the table: a [`Result`] for its error
//! code and an owner for whatever the VM allocated.
//!
//! | group | file | functions |
//! |---|---|---|
//! | Thread | `thread` | [`Env::all_threads`], [`Env::thread_info`], [`Env::suspend_thread`] … |
//! | Thread Group | `thread_group` | [`Env::top_thread_groups`], [`Env::thread_group_info`] … |
//! | Stack Frame | `frame` | [`Env::stack_trace`], [`Env::all_stack_traces`], [`Env::frame_location`] … |
//! | Local Variable | `local` | [`Env::local_object`], [`Env::local_int`], [`Env::local_instance`] … |
//! | Heap | `heap` | [`Env::tag`], [`Env::objects_with_tags`], [`Env::follow_references`] … |
//! | Object | `object` | [`Env::object_size`], [`Env::object_monitor_usage`] … |
//! | Class, Field, Method | `class`, `field`, `method` | [`Env::class_signature`], [`Env::field_name`], [`Env::method_name`] … |
//! | Module | `module` | [`Env::all_modules`], [`Env::add_module_reads`] … |
//! | Raw Monitor | `monitor` | [`Env::create_raw_monitor`], [`RawMonitor::hold`], [`RawMonitor::wait`] … |
//! | JNI Function Interception | `jni_table` | [`Env::jni_function_table`], [`Env::set_jni_function_table`] |
//! | Event Management | `event` | [`Env::listen`], [`Env::set_event_notification_mode`] |
//! | Extension Mechanism | `extension` | [`Env::extension_functions`], [`Env::virtual_thread`], [`Env::listen_to`] … |
//! | Capability | `capabilities` | [`Env::potential_capabilities`], [`Env::add_capabilities`] … |
//! | Timers | `timer` | [`Env::time`], [`Env::thread_cpu_time`] … |
//! | System Properties, Class Loader Search | `system` | [`Env::system_property`], [`Env::add_to_system_class_loader_search`] … |
//! | Memory Management | `memory` | [`Env::allocate`] |
//! | General | `general` | [`Env::phase`], [`Env::error_name`] … |
//! | | `env` | [`OwnedEnv::open`], [`OwnedEnv::dispose`] |
//! | | `agent`, `data` | [`Agent`], [`agent!`], [`Env::set_data`], [`Env::data`] |
//!
//! # Names
//!
//! A method is called after its function without `Get`, and searching the documentation for the
//! name in the specification (`GetThreadState`) finds it.
//!
//! # Errors
//!
//! Every method answers the VM's own code in an [`Error`] that also names the function. A function
//! that the running VM does not have answers `JVMTI_ERROR_NOT_AVAILABLE`. Four codes can come from
//! any function and are not repeated at each: `JVMTI_ERROR_WRONG_PHASE` outside the phases it names,
//! `JVMTI_ERROR_UNATTACHED_THREAD` on a thread the VM does not know (or inside a heap callback),
//! `JVMTI_ERROR_OUT_OF_MEMORY` and `JVMTI_ERROR_INTERNAL`.
//!
//! # Environments
//!
//! Who opens an environment has an [`OwnedEnv`], of which there is one and which disposes it. It
//! derefs to [`Env`], the one that somebody else keeps open: `&Env` is the `jvmtiEnv*`. Nothing that
//! borrows from it outlives it.
//!
//! # References
//!
//! Objects go in as references of their type, [`JThread`](jni::objects::JThread),
//! [`JClass`](jni::objects::JClass), [`JThrowable`](jni::objects::JThrowable), [`JThreadGroup`] or [`JModule`],
//! because some functions of HotSpot do not look what they are given; a cast of `jni`, such as
//! [`as_cast`](jni::Env::as_cast), looks. Where the interface says that `NULL` means the current
//! thread, the parameter is an `Option`, and `None` is the only way to say it: a reference that is
//! null is an error, whatever the function.
//!
//! ```compile_fail,E0308
//! fn any_object_as_a_thread(env: &jvmti::Env, object: &jni::objects::JObject<'_>) {
//!     let _ = env.thread_state(Some(object));
//! }
//! ```
//!
//! Objects come out as *local references of the innermost JNI frame*, typed with the lifetime of the
//! [`jni::Env`] that the caller passes; if that is not the innermost one of this thread, the method
//! panics rather than hand out a reference that dies too soon. In a native method the references die
//! when it returns; a long loop or an agent thread must open a frame of its own around the call.
//!
//! # Safety
//!
//! No safe function can crash the VM, whatever reference or number it is given and on whatever
//! thread. What HotSpot does not check is made impossible by a type (depths have no sign, a slot
//! has the 16 bits of the class file), or is an error before the VM is asked. Two objects stay that
//! HotSpot crashes on, without constructor, as only `AllocObject` and `Unsafe` make them: a
//! `java.lang.VirtualThread` (21, 25), and a `java.lang.ClassLoader` in [`Env::named_module`].
//!
//! That is as far as arguments go. HotSpot has races of its own, which no caller can rule out by what it hands over, and in
//! which a plain agent in C crashes as well: a question about one virtual thread that is mounted at that very moment (22 to
//! 25: [`Env::stack_trace`], [`Env::frame_count`], [`Env::frame_location`], [`Env::thread_state`] and others),
//! [`Env::stop_thread`] of a thread that is within a handler of what throws nothing, and [`Env::clear_breakpoint`] while another
//! thread redefines the class. `docs/pitfalls.md` has a row for each, and what a caller can do.
//!
//! Nor can they rule out what bytecode does that nobody verifies: before JDK 25 the VM runs that of a class of the bootstrap
//! loader as it is, when [`Env::redefine_classes`] or a [`event::NewClassFile`] has brought it.
//!
//! None of these functions throws, and all of them may be called with a Java exception pending.

#![deny(missing_docs, unsafe_op_in_unsafe_fn)]
#![deny(clippy::undocumented_unsafe_blocks)]

pub mod sys;

pub mod agent;
mod breakpoint;
mod capabilities;
mod caught;
mod class;
mod data;
mod env;
mod error;
pub mod event;
mod extension;
mod field;
mod frame;
mod general;
mod heap;
mod jni_table;
mod local;
mod memory;
mod method;
mod module;
mod monitor;
mod object;
mod reference;
mod system;
mod thread;
mod thread_group;
mod timer;

pub use agent::Agent;
pub use class::ClassDefinition;
pub use env::{Env, OwnedEnv};
pub use error::{Error, Result};
pub use event::Listener;
pub use extension::{ExtensionEvent, ExtensionFunction, ExtensionParameter};
pub use field::Field;
pub use frame::{FrameInfo, StackInfo, StackInfos};
pub use heap::{
    HeapCount, HeapElements, HeapField, HeapObject, HeapReference, HeapReferenceSource,
    HeapReferrer, HeapValue, HeapValues, HeapVisitor, JniLocal, LegacyHeapVisitor, ObjectReference,
    StackLocal, StackReference, Tagged,
};
pub use jni_table::JniFunctionTable;
pub use memory::{Memory, MutfString};
pub use method::{LocalVariableEntry, MethodId};
pub use monitor::RawMonitor;
pub use object::MonitorUsage;
pub use reference::{JModule, JThreadGroup};
pub use thread::{OwnedMonitor, ThreadInfo};
pub use thread_group::{ThreadGroupChildren, ThreadGroupInfo};

/// Its example is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
