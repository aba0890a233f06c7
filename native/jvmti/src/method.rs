//! Method: its name, its class, its lines, its local variables; prefixes for the names of native ones.

use std::ffi::{CStr, c_char};
use std::ptr;

use jni::ids::{JMethodID, JStaticMethodID};
use jni::objects::JClass;
use jni::sys::jmethodID;

use crate::env::{Env, call, local};
use crate::error::{Error, Result, collect, list_length};
use crate::memory::{MutfString, copy_str, out, out_array, out_flag, out_str, text};
use crate::sys;

/// A method, as the VM numbers them. It keeps nothing alive: once its class is unloaded, every
/// function answers `JVMTI_ERROR_INVALID_METHODID` for it.
#[repr(transparent)]
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "jmethodID")]
pub struct MethodId(jmethodID);

// SAFETY: a number to everyone but the VM, and the same on all threads.
unsafe impl Send for MethodId {}
// SAFETY: as above.
unsafe impl Sync for MethodId {}

impl MethodId {
    /// No method: every function answers `JVMTI_ERROR_INVALID_METHODID` for it.
    pub const NONE: Self = Self(ptr::null_mut());

    /// Wraps a `jmethodID`.
    ///
    /// # Safety
    ///
    /// The running VM handed `raw` out. Its class may be unloaded by now.
    #[inline]
    pub const unsafe fn from_raw(raw: jmethodID) -> Self {
        Self(raw)
    }

    /// The `jmethodID`.
    #[inline]
    pub const fn as_raw(self) -> jmethodID {
        self.0
    }
}

impl From<JMethodID> for MethodId {
    fn from(method: JMethodID) -> Self {
        Self(method.into_raw())
    }
}

impl From<JStaticMethodID> for MethodId {
    fn from(method: JStaticMethodID) -> Self {
        Self(method.into_raw())
    }
}

/// A local variable of a method, where its class file says that it has a value. Independent of the
/// environment.
#[derive(Debug)]
#[doc(alias = "jvmtiLocalVariableEntry")]
pub struct LocalVariableEntry {
    /// The bytecode index from which on it has a value.
    pub start_location: i64,
    /// How far it has one: before `start_location + length`, and no longer there.
    pub length: i32,
    /// Its name; `this` for the receiver.
    pub name: MutfString,
    /// The signature of its type, such as `Ljava/lang/String;`.
    pub signature: MutfString,
    /// The generic signature of its type, if it has one.
    pub generic: Option<MutfString>,
    /// The slot that [`Env::local_int`] and its like ask for. A `long` or `double` takes the next
    /// one, too; where one variable ends, another may take over its slot.
    pub slot: u16,
}

impl Env {
    /// The name of `method` (`<init>` for a constructor), its signature (`(I)V`), and its generic
    /// signature if it has one.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "GetMethodName")]
    pub fn method_name(
        &self,
        method: MethodId,
    ) -> Result<(MutfString, MutfString, Option<MutfString>)> {
        let [name, signature, generic] = out_str(self, |[name, signature, generic]| {
            call!(self, GetMethodName, method.0, name, signature, generic)
        })?;
        Ok((text(name), text(signature), generic))
    }

    /// The class that declares `method`.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "GetMethodDeclaringClass")]
    pub fn method_declaring_class<'l>(
        &self,
        jni: &jni::Env<'l>,
        method: MethodId,
    ) -> Result<JClass<'l>> {
        let class = out(|class| call!(self, GetMethodDeclaringClass, method.0, class))?;
        // SAFETY: a new local reference of the current frame to a class.
        unsafe { local::<JClass<'_>>(jni, class) }.ok_or(Error::new(
            "GetMethodDeclaringClass",
            sys::Error::INVALID_METHODID,
        ))
    }

    /// The access flags of `method`, as `java.lang.reflect.Modifier` and the class file number them.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "GetMethodModifiers")]
    pub fn method_modifiers(&self, method: MethodId) -> Result<i32> {
        out(|modifiers| call!(self, GetMethodModifiers, method.0, modifiers))
    }

    /// Whether `method` is native.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "IsMethodNative")]
    pub fn is_method_native(&self, method: MethodId) -> Result<bool> {
        out_flag(|native| call!(self, IsMethodNative, method.0, native))
    }

    /// Whether `method` was made by the compiler and stands in no source.
    ///
    /// Phase: start, live. Capability: `can_get_synthetic_attribute`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`; `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "IsMethodSynthetic")]
    pub fn is_method_synthetic(&self, method: MethodId) -> Result<bool> {
        out_flag(|synthetic| call!(self, IsMethodSynthetic, method.0, synthetic))
    }

    /// Whether `method` has been replaced by a redefinition of its class and is only there because
    /// somebody may still run it.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "IsMethodObsolete")]
    pub fn is_method_obsolete(&self, method: MethodId) -> Result<bool> {
        out_flag(|obsolete| call!(self, IsMethodObsolete, method.0, obsolete))
    }

    /// How many slots the local variables of `method` take, its parameters and `this` included; a
    /// `long` or `double` takes two.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NATIVE_METHOD`; `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "GetMaxLocals")]
    pub fn max_locals(&self, method: MethodId) -> Result<i32> {
        out(|max| call!(self, GetMaxLocals, method.0, max))
    }

    /// How many of those slots its parameters take, `this` included.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NATIVE_METHOD`; `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "GetArgumentsSize")]
    pub fn arguments_size(&self, method: MethodId) -> Result<i32> {
        out(|size| call!(self, GetArgumentsSize, method.0, size))
    }

    /// The first and the last location of `method`; −1 and −1 where the VM has none.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ABSENT_INFORMATION`; `JVMTI_ERROR_NATIVE_METHOD`; `JVMTI_ERROR_INVALID_METHODID`
    /// if the class is unloaded.
    #[doc(alias = "GetMethodLocation")]
    pub fn method_location(&self, method: MethodId) -> Result<(i64, i64)> {
        let mut end = 0;
        let start = out(|start| call!(self, GetMethodLocation, method.0, start, &raw mut end))?;
        Ok((start, end))
    }

    /// The bytecodes of `method`, as its class file has them.
    ///
    /// Phase: start, live. Capability: `can_get_bytecodes`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_NATIVE_METHOD`; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`;
    /// `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "GetBytecodes")]
    pub fn bytecodes(&self, method: MethodId) -> Result<Vec<u8>> {
        let codes = out_array(self, |count, codes| {
            call!(self, GetBytecodes, method.0, count, codes)
        })?;
        collect("GetBytecodes", codes.len(), codes.iter().copied())
    }

    /// The lines of `method` in the class file's order: from each entry's bytecode index on, its
    /// line. Neither is sorted, and a line may come more than once.
    ///
    /// Phase: start, live. Capability: `can_get_line_numbers`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ABSENT_INFORMATION` if the class file does not say, also for abstract methods;
    /// `JVMTI_ERROR_NATIVE_METHOD`; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`;
    /// `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "GetLineNumberTable")]
    pub fn line_number_table(&self, method: MethodId) -> Result<Vec<sys::jvmtiLineNumberEntry>> {
        let table = out_array(self, |count, table| {
            call!(self, GetLineNumberTable, method.0, count, table)
        })?;
        collect("GetLineNumberTable", table.len(), table.iter().copied())
    }

    /// The local variables of `method` in the class file's order, which is no order; a name or a
    /// slot may come more than once, and the parameters are among them. Empty for a method that has
    /// none.
    ///
    /// Phase: live. Capability: `can_access_local_variables`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_ABSENT_INFORMATION` if the class file does not say (compiled without `-g`);
    /// `JVMTI_ERROR_NATIVE_METHOD`; `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`;
    /// `JVMTI_ERROR_INVALID_METHODID` if the class is unloaded.
    #[doc(alias = "GetLocalVariableTable")]
    pub fn local_variable_table(&self, method: MethodId) -> Result<Vec<LocalVariableEntry>> {
        let table = out_array(self, |count, table| {
            call!(self, GetLocalVariableTable, method.0, count, table)
        })?;
        Ok(table
            .iter()
            .map(|entry: &sys::jvmtiLocalVariableEntry| {
                // SAFETY: the function succeeded, so each is no text, or one of a block that the
                // table keeps.
                let [name, signature, generic] = unsafe {
                    [
                        copy_str(entry.name),
                        copy_str(entry.signature),
                        copy_str(entry.generic_signature),
                    ]
                };
                LocalVariableEntry {
                    start_location: entry.start_location,
                    length: entry.length,
                    name: text(name),
                    signature: text(signature),
                    generic,
                    // A class file numbers them with 16 bits.
                    slot: entry.slot as u16,
                }
            })
            .collect())
    }
    /// Replaces the prefixes of this environment by one, or by none. A native method whose name begins
    /// with it is linked to what implements the rest of the name, if nothing implements all of it, and if
    /// its class has a method of that name that is not native: so a method can be renamed, and one with
    /// its name be put around it. Names are modified UTF-8.
    ///
    /// Phase: any. Capability: `can_set_native_method_prefix`. Errors:
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "SetNativeMethodPrefix")]
    pub fn set_native_method_prefix(&self, prefix: Option<&CStr>) -> Result<()> {
        let prefix = prefix.map_or(ptr::null(), CStr::as_ptr);
        call!(self, SetNativeMethodPrefix, prefix)
    }

    /// Replaces the prefixes of this environment by several, of which the last is the outermost: it
    /// stands first in a name.
    ///
    /// Phase: any. Capability: `can_set_native_method_prefix`. Errors:
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "SetNativeMethodPrefixes")]
    pub fn set_native_method_prefixes(&self, prefixes: &[&CStr]) -> Result<()> {
        let count = list_length("SetNativeMethodPrefixes", prefixes.len())?;
        // The VM only reads them.
        let mut list: Vec<*mut c_char> = prefixes
            .iter()
            .map(|prefix| prefix.as_ptr().cast_mut())
            .collect();
        call!(self, SetNativeMethodPrefixes, count, list.as_mut_ptr())
    }
}
