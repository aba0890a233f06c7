//! The interface as C sees it, and nothing more: the only `repr(C)` of this crate.
//!
//! [`FunctionTable`], [`EventCallbacks`], the function types, the numbers and [`Capability`] are
//! generated from `spec/`; the structs and callback types are written by hand. Names are the C
//! names; an enumeration is an integer newtype without the C prefix ([`Error::NONE`]).
//! `tests/abi.rs` compares all of it with every installed `jvmti.h`.

mod callbacks;
mod capabilities;
mod capability_set;
mod constants;
mod errors;
mod events;
mod flags;
pub mod functions;
mod jni_functions;
mod table;
mod types;

pub use callbacks::*;
pub use capabilities::Capability;
pub use capability_set::Capabilities;
pub use constants::*;
pub use errors::Error;
pub use events::Event;
pub use flags::*;
pub use jni_functions::*;
pub use table::*;
pub use types::*;
