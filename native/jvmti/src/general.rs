//! General: the environment itself.

use std::ffi::c_void;
use std::ptr;

use crate::env::{Env, call};
use crate::error::{Error, Result};
use crate::memory::{MutfString, out, out_str, text};
use crate::sys;

impl Env {
    /// The version of the interface that the VM has: `0x30000000`, plus the major number shifted by
    /// 16, the minor by 8, and the micro number.
    ///
    /// Phase: any. Capability: none. Errors: none of its own.
    #[doc(alias = "GetVersionNumber")]
    pub fn version_number(&self) -> Result<i32> {
        out(|version| call!(self, GetVersionNumber, version))
    }

    /// The major number of [`version_number`](Self::version_number), which for JDKs is their own.
    ///
    /// Phase: any. Capability: none. Errors: none of its own.
    pub fn major_version(&self) -> Result<i32> {
        Ok(self.version_number()? >> 16 & 0xfff)
    }

    /// Where the VM is between loading its agents and its end.
    ///
    /// Phase: any. Capability: none. Errors: none of its own.
    #[doc(alias = "GetPhase")]
    pub fn phase(&self) -> Result<sys::Phase> {
        out(|phase| call!(self, GetPhase, phase))
    }

    /// The VM's name for an error code: `JVMTI_ERROR_NONE`.
    ///
    /// Phase: any. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if it knows none.
    #[doc(alias = "GetErrorName")]
    pub fn error_name(&self, error: sys::Error) -> Result<MutfString> {
        let [name] = out_str(self, |[name]| call!(self, GetErrorName, error, name))?;
        Ok(text(name))
    }

    /// What a location is in this VM; on every HotSpot a bytecode index.
    ///
    /// Phase: any. Capability: none. Errors: none of its own.
    #[doc(alias = "GetJLocationFormat")]
    pub fn jlocation_format(&self) -> Result<sys::JLocationFormat> {
        out(|format| call!(self, GetJLocationFormat, format))
    }

    /// The number that [`set_environment_local_storage`](Self::set_environment_local_storage) has set;
    /// 0 if it did not.
    ///
    /// Phase: any. Capability: none. Errors: none of its own. May be called from any callback.
    #[doc(alias = "GetEnvironmentLocalStorage")]
    pub fn environment_local_storage(&self) -> Result<i64> {
        let data: *mut c_void = out(|data| call!(self, GetEnvironmentLocalStorage, data))?;
        Ok(data.addr() as isize as i64)
    }

    /// Keeps `value` for this environment. The interface calls it a pointer; to this layer it is a
    /// number and never read through.
    ///
    /// Phase: any. Capability: none. May be called from any callback.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` for a value that is wider than a pointer.
    #[doc(alias = "SetEnvironmentLocalStorage")]
    pub fn set_environment_local_storage(&self, value: i64) -> Result<()> {
        let address = isize::try_from(value)
            .map_err(|_| Error::new("SetEnvironmentLocalStorage", sys::Error::ILLEGAL_ARGUMENT))?;
        let data: *const c_void = ptr::without_provenance(address as usize);
        call!(self, SetEnvironmentLocalStorage, data)
    }

    /// Switches one kind of the VM's own messages on standard output on or off.
    ///
    /// Phase: any. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ILLEGAL_ARGUMENT` if the VM does not know the flag.
    #[doc(alias = "SetVerboseFlag")]
    pub fn set_verbose_flag(&self, flag: sys::VerboseFlag, on: bool) -> Result<()> {
        call!(self, SetVerboseFlag, flag, on)
    }
}
