//! The one exported native: if it links, the library is there, and the classes bind themselves.

use jni::EnvUnowned;
use jni::objects::{JClass, JString};
use jni::sys::jint;

use crate::bridge::ABI;
use crate::guard::outside;
use crate::{context, platform};

/// `static native String bind(int abi, String version)`: null when the caller's copy of the classes
/// is bound; otherwise what this library is, for the caller to say.
#[unsafe(no_mangle)]
pub extern "system" fn Java_io_jvmtools_internal_Probe_bind<'l>(
    jni: EnvUnowned<'l>,
    class: JClass<'l>,
    abi: jint,
    _version: JString<'l>,
) -> JString<'l> {
    outside(jni, class, |jni, class| {
        if abi == ABI {
            context::bind(jni, class)?;
            return Ok(JString::default());
        }
        let version = env!("CARGO_PKG_VERSION");
        let place = platform::library_path().unwrap_or_else(|| "an unknown file".to_owned());
        Ok(jni.new_string(format!("{version} (ABI {ABI}) at {place}"))?)
    })
}
