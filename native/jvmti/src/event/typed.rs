//! What events say that means something only with its class or its type: here both are kept together, as the VM has
//! passed them, so that no safe code can put one beside the other of another event.

use std::cell::OnceCell;
use std::fmt;

use jni::objects::{JClass, JObject, JValueOwned};
use jni::sys::{jclass, jfieldID, jmethodID, jvalue};

use super::values::reference;
use crate::env::Env;
use crate::error::Result;
use crate::field::Field;
use crate::method::MethodId;

/// A field and its class.
pub struct FieldOf<'l> {
    class: JClass<'l>,
    field: jfieldID,
}

impl<'l> FieldOf<'l> {
    /// # Safety
    ///
    /// The field is of the class, the reference to which belongs to the frame of `jni`.
    pub(super) unsafe fn of(jni: &jni::Env<'l>, class: jclass, field: jfieldID) -> Self {
        // SAFETY: the caller's promise.
        let class = unsafe { reference::<JClass<'_>>(jni, class) };
        Self { class, field }
    }

    /// The class that has it.
    pub fn class(&self) -> &JClass<'l> {
        &self.class
    }

    /// The field, of its class.
    pub fn get(&self) -> Field<'_> {
        // SAFETY: whoever has made this has promised that it is of this class.
        unsafe { Field::from_raw(&self.class, self.field) }
    }
}

impl fmt::Debug for FieldOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FieldOf").field(&self.field).finish()
    }
}

/// What a method returns: the VM is asked for the type when somebody asks for the value.
pub struct ReturnedValue<'l> {
    /// None if the frame is left by an exception.
    method: Option<MethodId>,
    raw: jvalue,
    /// The only owner of a reference.
    value: OnceCell<JValueOwned<'l>>,
}

impl<'l> ReturnedValue<'l> {
    /// # Safety
    ///
    /// The method is one, and returns the value, a reference of which belongs to the frame of the callback, unless it is left by an
    /// exception.
    pub(super) unsafe fn of(method: jmethodID, by_exception: bool, raw: jvalue) -> Self {
        // SAFETY: the caller's promise.
        let method = unsafe { MethodId::from_raw(method) };
        Self {
            method: (!by_exception).then_some(method),
            raw,
            value: OnceCell::new(),
        }
    }

    /// What is returned. `Void` if the frame is left by an exception.
    ///
    /// # Errors
    ///
    /// As [`Env::method_name`].
    pub fn get(&self, env: &Env, jni: &jni::Env<'l>) -> Result<&JValueOwned<'l>> {
        if let Some(value) = self.value.get() {
            return Ok(value);
        }
        let letter = match self.method {
            None => b'V',
            Some(method) => {
                let (_, signature, _) = env.method_name(method)?;
                let bytes = signature.to_bytes();
                let end = bytes.iter().position(|&byte| byte == b')');
                end.map_or(b'V', |end| bytes[end + 1])
            }
        };
        // SAFETY: whoever has made this has promised that the method returns it.
        let value = unsafe { typed_value(jni, letter, self.raw) };
        Ok(self.value.get_or_init(|| value))
    }
}

impl fmt::Debug for ReturnedValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReturnedValue")
            .field("method", &self.method)
            .finish_non_exhaustive()
    }
}

/// # Safety
///
/// The VM has passed it for something whose descriptor begins with `letter`; a reference belongs to the frame of
/// `jni`, and nobody else owns it.
pub(super) unsafe fn typed_value<'l>(
    jni: &jni::Env<'l>,
    letter: u8,
    value: jvalue,
) -> JValueOwned<'l> {
    // SAFETY: the caller's promise.
    unsafe {
        match letter {
            // Native code may have made it, of any byte.
            b'Z' => JValueOwned::Bool(value.b != 0),
            b'B' => JValueOwned::Byte(value.b),
            b'C' => JValueOwned::Char(value.c),
            b'S' => JValueOwned::Short(value.s),
            b'I' => JValueOwned::Int(value.i),
            b'J' => JValueOwned::Long(value.j),
            b'F' => JValueOwned::Float(value.f),
            b'D' => JValueOwned::Double(value.d),
            b'L' | b'[' => JValueOwned::Object(reference::<JObject<'_>>(jni, value.l)),
            _ => JValueOwned::Void,
        }
    }
}
