//! System Properties, and where class loaders look for more.
//!
//! Names, values and files are text in the encoding of the platform, whatever the specification says:
//! the VM compares names with what its command line had, and opens files as the system calls them.

use std::ffi::CStr;

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
    pub fn system_property(&self, name: &CStr) -> Result<MutfString> {
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
    pub fn set_system_property(&self, name: &CStr, value: &CStr) -> Result<()> {
        call!(self, SetSystemProperty, name.as_ptr(), value.as_ptr())
    }

    /// Has the bootstrap class loader look into one more file of classes, after all others, for as
    /// long as there is a VM.
    ///
    /// Before the VM starts nothing is opened, and a file that is none is passed over later.
    ///
    /// Phase: onload, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` in the live phase if the VM cannot open it as an archive.
    #[doc(alias = "AddToBootstrapClassLoaderSearch")]
    pub fn add_to_bootstrap_class_loader_search(&self, segment: &CStr) -> Result<()> {
        call!(self, AddToBootstrapClassLoaderSearch, segment.as_ptr())
    }

    /// Has the system class loader look into one more file of classes, after all others, for as long
    /// as there is a VM. In the live phase that is Java: the loader is asked to do it.
    ///
    /// Phase: onload, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` in the live phase if the VM cannot open it as an archive;
    /// `JVMTI_ERROR_CLASS_LOADER_UNSUPPORTED` if the loader has no
    /// `appendToClassPathForInstrumentation`; `JVMTI_ERROR_INTERNAL` if that throws.
    #[doc(alias = "AddToSystemClassLoaderSearch")]
    pub fn add_to_system_class_loader_search(&self, segment: &CStr) -> Result<()> {
        call!(self, AddToSystemClassLoaderSearch, segment.as_ptr())
    }
}
