//! Breakpoint and Watched Field: where the VM tells that somebody comes by.

use crate::env::{Env, call};
use crate::error::Result;
use crate::field::Field;
use crate::method::MethodId;

impl Env {
    /// Sets a breakpoint at `location`, the bytecode index of an instruction of `method`.
    ///
    /// It is one of the VM, not of the environment: it stays when that gives up the capability or is disposed, and is gone
    /// without a word when the class is redefined. As long as it is set HotSpot keeps the class loaded.
    ///
    /// Phase: live. Capability: `can_generate_breakpoint_events`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_DUPLICATE` if there is one; `JVMTI_ERROR_INVALID_LOCATION` if the method has no such index, as a native
    /// one; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    ///
    /// # Safety
    ///
    /// An instruction begins at `location`, in the method as it is now: HotSpot does not look, and writes over an operand.
    #[doc(alias = "SetBreakpoint")]
    pub unsafe fn set_breakpoint(&self, method: MethodId, location: i64) -> Result<()> {
        call!(self, SetBreakpoint, method.as_raw(), location)
    }

    /// Clears a breakpoint, whoever has set it.
    ///
    /// Phase: live. Capability: `can_generate_breakpoint_events`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_FOUND` if there is none; `JVMTI_ERROR_INVALID_LOCATION`; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`;
    /// `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "ClearBreakpoint")]
    pub fn clear_breakpoint(&self, method: MethodId, location: i64) -> Result<()> {
        call!(self, ClearBreakpoint, method.as_raw(), location)
    }

    /// Has the VM tell whenever `field` is read. It is a watch of the VM, not of the environment, as
    /// [`set_breakpoint`](Self::set_breakpoint) says of breakpoints.
    ///
    /// HotSpot changes the flags of a field without regard to others who do.
    ///
    /// Phase: live. Capability: `can_generate_field_access_events`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_DUPLICATE` if it is watched; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "SetFieldAccessWatch")]
    pub fn set_field_access_watch(&self, field: Field<'_>) -> Result<()> {
        call!(self, SetFieldAccessWatch, field.class(), field.as_raw())
    }

    /// Ends a watch of reads, whoever has set it.
    ///
    /// Phase: live. Capability: `can_generate_field_access_events`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_FOUND` if there is none; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "ClearFieldAccessWatch")]
    pub fn clear_field_access_watch(&self, field: Field<'_>) -> Result<()> {
        call!(self, ClearFieldAccessWatch, field.class(), field.as_raw())
    }

    /// Has the VM tell whenever `field` is written. It is a watch of the VM, not of the environment, as
    /// [`set_breakpoint`](Self::set_breakpoint) says of breakpoints.
    ///
    /// HotSpot changes the flags of a field without regard to others who do.
    ///
    /// Phase: live. Capability: `can_generate_field_modification_events`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_DUPLICATE` if it is watched; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "SetFieldModificationWatch")]
    pub fn set_field_modification_watch(&self, field: Field<'_>) -> Result<()> {
        call!(
            self,
            SetFieldModificationWatch,
            field.class(),
            field.as_raw()
        )
    }

    /// Ends a watch of writes, whoever has set it.
    ///
    /// Phase: live. Capability: `can_generate_field_modification_events`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_FOUND` if there is none; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "ClearFieldModificationWatch")]
    pub fn clear_field_modification_watch(&self, field: Field<'_>) -> Result<()> {
        call!(
            self,
            ClearFieldModificationWatch,
            field.class(),
            field.as_raw()
        )
    }
}
