//! What each operating system does its own way: the gate's barrier, the image and its neighbours, and threads.
//!
//! Each of them answers the same: `has_barrier` (whether there is one), `issue_barrier`
//! (whether every running thread of the process has passed a full fence), `pin` (the image is never
//! unmapped: with an event armed, the next one would crash), `library_path` (the file that this
//! image was loaded from), `symbol_beside` (what has a name in the image that an address lies in), `visible_symbol`
//! (what has it in what everybody sees), `Library` (what is loaded from a file, and its symbols), `read_each` (what is at addresses where there is memory, which may go at any moment), `current_thread_id`, `thread_start`
//! (when a thread was made, by its number, where the system keeps it, on a clock that `moment` tells), and
//! `thread_cpu_nanos` (how much time it has had of the processors, where its number is enough to know that).

#[cfg(unix)]
mod dynamic_linker;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use dynamic_linker::{Library, library_path, symbol_beside, visible_symbol};
#[cfg(target_os = "linux")]
pub(crate) use linux::{
    current_thread_id, has_barrier, issue_barrier, moment, pin, read_each, thread_cpu_nanos,
    thread_start,
};
#[cfg(target_os = "macos")]
pub(crate) use macos::{
    current_thread_id, has_barrier, issue_barrier, moment, pin, read_each, thread_cpu_nanos,
    thread_start,
};
#[cfg(windows)]
pub(crate) use windows::{
    Library, current_thread_id, has_barrier, issue_barrier, library_path, moment, pin, read_each,
    symbol_beside, thread_cpu_nanos, thread_start, visible_symbol,
};
