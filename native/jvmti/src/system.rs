//! System Properties.

use jni::strings::JNIStr;

use crate::env::{Env, call};
use crate::error::Result;
use crate::memory::{MutfString, copy_str, out_array, out_str, text};

impl Env {
    /// The names of the VM's own properties, which [`system_property`](Self::system_property) knows.
    /// A program's changes to `java.lang.System` properties do not show.
    ///
    /// Phase: onload, live. Capability: none. Errors: none of its own.
    #[doc(alias = "GetSystemProperties")]
    pub fn system_properties(&self) -> Result<Vec<MutfString>> {
        let names = out_array(self, |count, names| {
            call!(self, GetSystemProperties, count, names)
        })?;
        // SAFETY: texts of the VM, which the block owns until it is dropped.
        Ok(names
            .iter()
            .filter_map(|&name| unsafe { copy_str(name) })
            .collect())
    }

    /// The value of one of the VM's own properties.
    ///
    /// Phase: onload, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_AVAILABLE` if it has none.
    #[doc(alias = "GetSystemProperty")]
    pub fn system_property(&self, name: &JNIStr) -> Result<MutfString> {
        let [value] = out_str(self, |[value]| {
            call!(self, GetSystemProperty, name.as_ptr(), value)
        })?;
        Ok(text(value))
    }

    /// Sets one of the VM's own properties before it starts.
    ///
    /// The specification lets a caller leave the value out to learn whether it could be set. Not
    /// here: HotSpot 17 and 25 read the missing value and crash.
    ///
    /// Phase: onload. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NOT_AVAILABLE` if it cannot be set.
    #[doc(alias = "SetSystemProperty")]
    pub fn set_system_property(&self, name: &JNIStr, value: &JNIStr) -> Result<()> {
        call!(self, SetSystemProperty, name.as_ptr(), value.as_ptr())
    }
}
