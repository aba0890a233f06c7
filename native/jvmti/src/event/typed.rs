//! What events say about fields and values: each knows the class, or the type.

use jni::objects::JValueOwned;

use super::listener::{FieldAccess, FieldModification, MethodExit};
use crate::env::Env;
use crate::error::Result;
use crate::field::Field;

impl FieldAccess<'_> {
    /// The field, of its class.
    pub fn field(&self) -> Field<'_> {
        // SAFETY: the VM has passed both together.
        unsafe { Field::from_raw(&self.field_klass, self.field.0) }
    }
}

impl<'l> FieldModification<'l> {
    /// The field, of its class.
    pub fn field(&self) -> Field<'_> {
        // SAFETY: the VM has passed both together.
        unsafe { Field::from_raw(&self.field_klass, self.field.0) }
    }

    /// What is written.
    pub fn value(&self, jni: &jni::Env<'l>) -> JValueOwned<'l> {
        // SAFETY: the VM has passed both together.
        unsafe { self.new_value.of_type(jni, self.signature_type) }
    }
}

impl<'l> MethodExit<'l> {
    /// What is returned: the method is asked for its type. `Void` if the frame is left by an exception.
    ///
    /// # Errors
    ///
    /// As [`Env::method_name`].
    pub fn value(&self, env: &Env, jni: &jni::Env<'l>) -> Result<JValueOwned<'l>> {
        if self.was_popped_by_exception {
            return Ok(JValueOwned::Void);
        }
        let (_, signature, _) = env.method_name(self.method)?;
        let bytes = signature.to_bytes();
        let returned = bytes
            .iter()
            .position(|&byte| byte == b')')
            .map(|end| bytes[end + 1]);
        // SAFETY: the VM has passed the value that the method returns.
        Ok(unsafe { self.return_value.of_type(jni, returned.unwrap_or(b'V')) })
    }
}
