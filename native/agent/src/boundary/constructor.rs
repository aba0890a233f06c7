//! How a Java record is made.

use jni::Env;
use jni::ids::JMethodID;
use jni::jni_str;
use jni::objects::JObject;
use jni::signature::RuntimeMethodSignature;
use jni::strings::JNIString;
use jni::sys::{jboolean, jint, jlong, jvalue};

use crate::boundary::classes::{WeakClass, find, gone};
use crate::failure::Outcome;
use crate::vm::bare;

/// How to make one record.
pub(super) struct Constructor {
    class: WeakClass,
    id: JMethodID,
}

impl Constructor {
    pub(super) fn find(
        jni: &mut Env<'_>,
        package: &str,
        name: &str,
        parameters: &str,
    ) -> Outcome<Self> {
        let class = find(jni, package, &JNIString::from(name))?;
        let signature = RuntimeMethodSignature::from_str(format!("({parameters})V"))?;
        let id = jni.get_method_id(&class, jni_str!("<init>"), signature.method_signature())?;
        Ok(Self {
            class: bare::weak(jni, &class)?,
            id,
        })
    }

    /// Makes one.
    ///
    /// # Safety
    /// `args` are those of the record's components.
    pub(super) unsafe fn construct<'l>(
        &self,
        jni: &mut Env<'l>,
        args: &[jvalue],
    ) -> Outcome<JObject<'l>> {
        let class = self.class.upgrade_local(jni)?.ok_or_else(gone)?;
        // SAFETY: the id is of this class; the arguments are the caller's promise.
        Ok(unsafe { jni.new_object_unchecked(&class, self.id, args) }?)
    }
}

/// A reference as an argument.
pub(super) fn or_null<'o>(object: Option<&(impl AsRef<JObject<'o>> + ?Sized)>) -> jvalue {
    let l = object.map_or(std::ptr::null_mut(), |object| object.as_ref().as_raw());
    jvalue { l }
}

pub(super) fn boolean(z: jboolean) -> jvalue {
    jvalue { z }
}

pub(super) fn int(i: jint) -> jvalue {
    jvalue { i }
}

pub(super) fn long(j: jlong) -> jvalue {
    jvalue { j }
}
