//! The one exported native: if it links, the library is there, and the classes bind themselves.

use jni::objects::{JClass, JString};
use jni::sys::jint;
use jni::{EnvUnowned, NativeMethod, jni_str};

use super::GROUPS;
use crate::boundary::context;
use crate::boundary::guard::outside;
use crate::bridge::ABI;
use crate::failure::Failure;
use crate::platform;
use crate::vm::bare;
use crate::vm::{image, lookups};

/// `static native String bind(int abi, String version)`: null when the caller's copy of the classes
/// is bound; nothing, if the VM has died before; otherwise what this library is, for the caller to say.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_jvmtools_internal_Probe_bind<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    abi: jint,
    _version: JString<'l>,
) -> JString<'l> {
    outside(jni, class, |jni, class| {
        if abi == ABI {
            let bound = lookups::prepare(jni).and_then(|()| context::bind(jni, class, GROUPS));
            return match bound {
                // What is not bound can throw nothing of its own.
                Err(failure) if !matches!(failure, Failure::Pending) && image::has_ended() => {
                    bare::text(jni, "")
                }
                bound => bound.map(|()| JString::default()),
            };
        }
        let version = env!("CARGO_PKG_VERSION");
        let place = match platform::library_path() {
            _ if image::LINKED_IN => "in the executable".to_owned(),
            Some(path) => format!("at {path}"),
            None => "at an unknown file".to_owned(),
        };
        bare::text(jni, &format!("{version} (ABI {ABI}) {place}"))
    })
}

/// The same native, to be registered with a probe in another package, which has another symbol.
pub(crate) fn method() -> NativeMethod<'static> {
    // SAFETY: the function is a static native of this signature.
    unsafe {
        NativeMethod::from_raw_parts(
            jni_str!("bind"),
            jni_str!("(ILjava/lang/String;)Ljava/lang/String;"),
            Java_io_jvmtools_internal_Probe_bind as *mut std::ffi::c_void,
        )
    }
}
