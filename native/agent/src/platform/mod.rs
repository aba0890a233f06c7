//! What each operating system does its own way: the gate's barrier, and what becomes of the image.
//!
//! Each of them answers the same four: `register_barrier` (whether there is one), `issue_barrier`
//! (whether every running thread of the process has passed a full fence), `pin` (the image is never
//! unmapped: with an event armed, the next one would crash) and `library_path` (the file that this
//! image was loaded from).

#[cfg(unix)]
mod dynamic_linker;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use dynamic_linker::library_path;
#[cfg(target_os = "linux")]
pub(crate) use linux::{issue_barrier, pin, register_barrier};
#[cfg(target_os = "macos")]
pub(crate) use macos::{issue_barrier, pin, register_barrier};
#[cfg(windows)]
pub(crate) use windows::{issue_barrier, library_path, pin, register_barrier};
