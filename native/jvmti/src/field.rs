//! Field: its name, its class, its flags.

use std::marker::PhantomData;

use jni::objects::JClass;
use jni::sys::{jclass, jfieldID};

use crate::env::{Env, call, local};
use crate::error::{Error, Result};
use crate::memory::{MutfString, out, out_flag, out_str, text};
use crate::sys;

/// A field that a class itself declares, as the VM numbers them, for as long as the reference to the
/// class is there: HotSpot does not look whether a number belongs to a class, and what that of a
/// static field stands for is freed with the class.
#[derive(Copy, Clone, Debug)]
#[doc(alias = "jfieldID")]
pub struct Field<'c> {
    class: jclass,
    id: jfieldID,
    held: PhantomData<&'c JClass<'c>>,
}

impl<'c> Field<'c> {
    /// Wraps a `jfieldID`.
    ///
    /// # Safety
    ///
    /// The running VM handed `id` out for a field that `class` itself declares.
    #[inline]
    pub unsafe fn from_raw(class: &'c JClass<'_>, id: jfieldID) -> Self {
        Self {
            class: class.as_raw(),
            id,
            held: PhantomData,
        }
    }

    /// The `jfieldID`.
    #[inline]
    pub const fn as_raw(self) -> jfieldID {
        self.id
    }

    /// The class, which is held.
    pub(crate) const fn class(self) -> jclass {
        self.class
    }
}

impl Env {
    /// The name of `field`, its signature (`I`, `Ljava/util/List;`), and its generic signature if it
    /// has one.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// None of its own.
    #[doc(alias = "GetFieldName")]
    pub fn field_name(
        &self,
        field: Field<'_>,
    ) -> Result<(MutfString, MutfString, Option<MutfString>)> {
        let [name, signature, generic] = out_str(self, |[name, signature, generic]| {
            call!(
                self,
                GetFieldName,
                field.class,
                field.id,
                name,
                signature,
                generic
            )
        })?;
        Ok((text(name), text(signature), generic))
    }

    /// The class that declares `field`.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// None of its own.
    #[doc(alias = "GetFieldDeclaringClass")]
    pub fn field_declaring_class<'l>(
        &self,
        jni: &jni::Env<'l>,
        field: Field<'_>,
    ) -> Result<JClass<'l>> {
        let class = out(|class| call!(self, GetFieldDeclaringClass, field.class, field.id, class))?;
        // SAFETY: a new local reference of the current frame to a class.
        unsafe { local::<JClass<'_>>(jni, class) }.ok_or(Error::new(
            "GetFieldDeclaringClass",
            sys::Error::INVALID_FIELDID,
        ))
    }

    /// The access flags of `field`, as `java.lang.reflect.Modifier` and the class file number them;
    /// before JDK 21 with further ones of HotSpot's own.
    ///
    /// Phase: start, live. Capability: none.
    ///
    /// # Errors
    ///
    /// None of its own.
    #[doc(alias = "GetFieldModifiers")]
    pub fn field_modifiers(&self, field: Field<'_>) -> Result<i32> {
        out(|modifiers| call!(self, GetFieldModifiers, field.class, field.id, modifiers))
    }

    /// Whether `field` was made by the compiler and stands in no source.
    ///
    /// Phase: start, live. Capability: `can_get_synthetic_attribute`.
    ///
    /// # Errors
    ///
    /// `JVMTI_ERROR_MUST_POSSESS_CAPABILITY`.
    #[doc(alias = "IsFieldSynthetic")]
    pub fn is_field_synthetic(&self, field: Field<'_>) -> Result<bool> {
        out_flag(|synthetic| call!(self, IsFieldSynthetic, field.class, field.id, synthetic))
    }
}
