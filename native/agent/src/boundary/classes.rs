//! The classes of one copy, found beside its probe and held weakly.

use jni::Env;
use jni::objects::JClass;
use jni::refs::Weak;
use jni::strings::{JNIStr, JNIString};

use crate::failure::{Failure, Outcome};

pub(super) type WeakClass = Weak<JClass<'static>>;

/// A class in or below the package of the probe, whose native is running: its class loader is asked.
pub(super) fn find<'l>(jni: &mut Env<'l>, package: &str, class: &JNIStr) -> Outcome<JClass<'l>> {
    Ok(jni.find_class(JNIString::from(format!("{package}{}", class.to_str())))?)
}

pub(super) fn gone() -> Failure {
    Failure::State("the classes of this copy of the library are unloaded".to_owned())
}
