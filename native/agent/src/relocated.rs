//! Copies of the Java classes in another package: a shaded jar.
//!
//! The symbol of the one exported native, the probe, contains its package. So a relocated copy does
//! not find it, and has it registered instead: when it loads the library file, which shows in its
//! `JNI_OnLoad`, or through a door in the boot class loader that an agent opens, so that a relocated
//! copy shares the agent as any other does, without loading anything.

use jni::objects::{JClass, JClassLoader};
use jni::strings::{JNIStr, JNIString};
use jni::{Env, EnvUnowned, NativeMethod, jni_sig, jni_str};
use jvmti::FrameInfo;

use crate::capability_lock;
use crate::failure::{Failure, Outcome};
use crate::guard::outside;
use crate::image;
use crate::natives::probe;

/// The name and place of the door. No relocation touches it, for our package is not in it.
const DOOR: &JNIStr = jni_str!("jvmtools/Door");

/// How many frames the JDK may have between `JNI_OnLoad` and whoever called `System.load`.
const DEPTH: usize = 32;

/// `JNI_OnLoad`: gives the copy that is loading the file its probe, if it is a relocated one.
pub(crate) fn admit_loading_copy(jni: &mut Env<'_>) -> Outcome<()> {
    let Some(package) = loading_package(jni)? else {
        return Ok(());
    };
    let name = JNIString::from(format!("{package}Probe"));
    match jni.find_class(&name) {
        Ok(probe) => admit(jni, &probe),
        // Somebody else's class loads our file, which is his right.
        Err(_) => {
            jni.exception_clear();
            Ok(())
        }
    }
}

/// Defines the door: `jvmtools.Door.admit(Class)`, for relocated copies to call with their probe.
/// The first image that comes as an agent has it.
pub(crate) fn open_door(jni: &mut Env<'_>) -> Outcome<()> {
    let boot = JClassLoader::null();
    let Ok(door) = jni.define_class(Some(DOOR), &boot, &door_class()) else {
        jni.exception_clear();
        return Ok(());
    };
    // SAFETY: `admit_native` is a static native of this signature.
    unsafe {
        let admit = NativeMethod::from_raw_parts(
            jni_str!("admit"),
            jni_str!("(Ljava/lang/Class;)V"),
            admit_native as *mut std::ffi::c_void,
        );
        jni.register_native_methods(&door, &[admit])?;
    }
    Ok(())
}

extern "system" fn admit_native<'l>(jni: EnvUnowned<'l>, door: JClass<'l>, probe: JClass<'l>) {
    outside(jni, door, |jni, _| {
        if probe.is_null() {
            return Err(Failure::State("there is no class to admit".to_owned()));
        }
        admit(jni, &probe)
    });
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

/// The package, with its last slash, of the class whose method called `System.load`.
fn loading_package(jni: &Env<'_>) -> Outcome<Option<String>> {
    let env = image::environment()?;
    let package = calling_package(jni, &env);
    let turn = capability_lock::take();
    env.dispose()?;
    drop(turn);
    package
}

fn calling_package(jni: &Env<'_>, env: &jvmti::Env) -> Outcome<Option<String>> {
    let mut frames = [FrameInfo::NONE; DEPTH];
    let count = env.stack_trace(None, 0, &mut frames)?;
    for frame in &frames[..count] {
        let class = env.method_declaring_class(jni, frame.method)?;
        let (signature, _) = env.class_signature(&class)?;
        let signature = signature.to_string();
        let name = signature.trim_start_matches('L');
        if !["java/", "jdk/", "sun/"]
            .iter()
            .any(|jdk| name.starts_with(jdk))
        {
            return Ok(name.rfind('/').map(|slash| name[..=slash].to_owned()));
        }
    }
    Ok(None)
}

/// The class file of `public final class jvmtools.Door { public static native void admit(Class); }`
fn door_class() -> Vec<u8> {
    const VERSION: u16 = 52;
    const PUBLIC_FINAL_SUPER: u16 = 0x0031;
    const PUBLIC_STATIC_NATIVE: u16 = 0x0109;
    let [door, object, admit, descriptor] = [1, 2, 3, 4];
    let [door_class, object_class, constants] = [5, 6, 7];

    let mut file = vec![0xca, 0xfe, 0xba, 0xbe];
    put(&mut file, &[0, VERSION, constants]);
    for name in [
        "jvmtools/Door",
        "java/lang/Object",
        "admit",
        "(Ljava/lang/Class;)V",
    ] {
        file.push(1);
        put(&mut file, &[name.len() as u16]);
        file.extend_from_slice(name.as_bytes());
    }
    for class in [door, object] {
        file.push(7);
        put(&mut file, &[class]);
    }
    let (interfaces, fields, methods, attributes) = (0, 0, 1, 0);
    put(
        &mut file,
        &[
            PUBLIC_FINAL_SUPER,
            door_class,
            object_class,
            interfaces,
            fields,
            methods,
        ],
    );
    put(
        &mut file,
        &[PUBLIC_STATIC_NATIVE, admit, descriptor, attributes],
    );
    put(&mut file, &[attributes]);
    file
}

fn put(file: &mut Vec<u8>, numbers: &[u16]) {
    for number in numbers {
        file.extend_from_slice(&number.to_be_bytes());
    }
}
