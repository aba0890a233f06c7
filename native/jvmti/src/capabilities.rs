//! Capability: what this environment may do, and could.

use crate::env::{Env, call};
use crate::error::Result;
use crate::memory::out;
use crate::sys::Capabilities;

impl Env {
    /// What this environment holds already or could add now. Less after the VM has started than
    /// while agents are loaded, and less while another environment holds what only one may.
    ///
    /// Phase: onload, live. Capability: none. Errors: none of its own.
    #[doc(alias = "GetPotentialCapabilities")]
    pub fn potential_capabilities(&self) -> Result<Capabilities> {
        out(|capabilities| call!(self, GetPotentialCapabilities, capabilities))
    }

    /// What this environment holds.
    ///
    /// Phase: any. Capability: none. Errors: none of its own.
    #[doc(alias = "GetCapabilities")]
    pub fn capabilities(&self) -> Result<Capabilities> {
        out(|capabilities| call!(self, GetCapabilities, capabilities))
    }

    /// Adds `wanted` to what this environment holds: all of it or, on an error, nothing. What it
    /// holds already is no error.
    ///
    /// On HotSpot 17, threads that change capabilities at the same time, of whatever environments,
    /// can lose one for the life of the VM: take turns.
    ///
    /// Phase: onload, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_AVAILABLE` if one of them is not among the potential ones.
    #[doc(alias = "AddCapabilities")]
    pub fn add_capabilities(&self, wanted: &Capabilities) -> Result<()> {
        call!(self, AddCapabilities, wanted)
    }

    /// Gives `unwanted` up. What this environment does not hold is no error.
    ///
    /// Some come back only while agents are loaded. Turns as for
    /// [`add_capabilities`](Self::add_capabilities).
    ///
    /// Phase: onload, live. Capability: none. Errors: none of its own.
    #[doc(alias = "RelinquishCapabilities")]
    pub fn relinquish_capabilities(&self, unwanted: &Capabilities) -> Result<()> {
        call!(self, RelinquishCapabilities, unwanted)
    }
}
