//! Object: its size, its hash code.

use jni::objects::JObject;

use crate::env::{Env, call};
use crate::error::Result;
use crate::memory::out;

impl Env {
    /// The size of `object` alone, in bytes, header and padding included and what it refers to not.
    /// An estimate by specification; on HotSpot exact.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_OBJECT` if `object` is null.
    #[doc(alias = "GetObjectSize")]
    #[inline]
    pub fn object_size(&self, object: &JObject<'_>) -> Result<i64> {
        out(|size| call!(self, GetObjectSize, object.as_raw(), size))
    }

    /// A hash code of `object` that stays the same as long as it lives. Different objects may have
    /// the same.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_OBJECT` if `object` is null.
    #[doc(alias = "GetObjectHashCode")]
    #[inline]
    pub fn object_hash_code(&self, object: &JObject<'_>) -> Result<i32> {
        out(|hash| call!(self, GetObjectHashCode, object.as_raw(), hash))
    }
}
