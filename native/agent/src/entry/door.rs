//! The door: how copies of the Java classes reach this image that do not find its probe.
//!
//! The symbol of the one exported native, the probe, contains its package, and the JVM looks for it
//! in the libraries of the copy's own class loader and among the agents. So neither a copy in
//! another class loader than the one that loaded the file finds it, nor a copy in another package, a
//! shaded jar. Both are given it: the class [`DOOR`] has one native, which registers the probe's
//! with the class that it is handed.
//!
//! An image that was loaded from a file defines that class in the boot class loader. For an agent
//! nothing is defined before it is asked for: whoever makes the same class in any class loader finds
//! the exported native.

use std::ffi::c_void;

use jni::objects::{JClass, JClassLoader};
use jni::strings::JNIString;
use jni::{Env, EnvUnowned, NativeMethod, jni_sig, jni_str};

use crate::boundary::guard::outside;
use crate::bridge::{ABI, DOOR, DOOR_CLASS};
use crate::failure::{Failure, Outcome};
use crate::natives::probe;

// The symbol below has it in its name.
const _: () = assert!(ABI == 1);

/// `static native void admit(Class<?> probe)`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_jvmtools_Door1_admit<'l>(
    jni: EnvUnowned<'l>,
    door: JClass<'l>,
    probe: JClass<'l>,
) {
    outside(jni, door, |jni, _| {
        if probe.is_null() {
            return Err(Failure::State("there is no class to admit".to_owned()));
        }
        admit(jni, &probe)
    });
}

/// `JNI_OnLoad`: defines the door in the boot class loader, where the first image of its ABI has it
/// for the life of the VM.
pub(crate) fn open(jni: &mut Env<'_>) -> Outcome<()> {
    let boot = JClassLoader::null();
    let Ok(door) = jni.define_class(Some(JNIString::from(DOOR)), &boot, DOOR_CLASS) else {
        jni.exception_clear();
        return Ok(());
    };
    // SAFETY: the function is a static native of this signature.
    unsafe {
        let admit = NativeMethod::from_raw_parts(
            jni_str!("admit"),
            jni_str!("(Ljava/lang/Class;)V"),
            Java_jvmtools_Door1_admit as *mut c_void,
        );
        jni.register_native_methods(&door, &[admit])?;
    }
    Ok(())
}

/// Registers the probe's native with a class that declares it.
fn admit(jni: &mut Env<'_>, class: &JClass<'_>) -> Outcome<()> {
    // One that is not static would hand us an object that is no class.
    jni.get_static_method_id(
        class,
        jni_str!("bind"),
        jni_sig!((abi: jint, version: java.lang.String) -> java.lang.String),
    )?;
    // SAFETY: the method is static, and the function is that of the exported symbol.
    unsafe { jni.register_native_methods(class, &[probe::method()]) }?;
    Ok(())
}
