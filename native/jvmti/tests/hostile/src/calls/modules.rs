//! Functions that take modules.

use jni::Env as Jni;
use jni::strings::JNIString;
use jvmti::Env;

use super::call;
use super::objects::use_it;
use super::victims::{Victims, tell};

/// How many local references each call may make before they go.
const ROOM: usize = 64;

/// With what each is called.
fn packages() -> Vec<(String, JNIString)> {
    let names = ["", "java/lang", "java.lang", "\0", "\u{1f600}", "[I"];
    let names = names.map(|name| (format!("the package {name:?}"), name.to_owned()));
    let long = [65_535, 65_536, 1 << 20];
    let long = long.map(|length| (format!("{length} letters"), "x".repeat(length)));
    let all: Vec<_> = names
        .into_iter()
        .chain(long)
        .map(|(about, name)| (about, JNIString::new(name)))
        .collect();
    tell("JNIStr", all.iter().map(|(about, _)| about.as_str()));
    all
}

/// All that can be added to a module.
pub(super) fn attack_without_jni(env: &Env, victims: &Victims) {
    let packages = packages();
    for module in &victims.modules {
        let name = &module.name;
        let _ = call!(name, Env::is_modifiable_module(env, module));
        for other in &victims.modules {
            let about = format!("{name}, {}", other.name);
            let _ = call!(about, Env::add_module_reads(env, module, other));
            for (about, package) in &packages {
                let about = format!("{name}, {about}, {}", other.name);
                let _ = call!(about, Env::add_module_exports(env, module, package, other));
                let _ = call!(about, Env::add_module_opens(env, module, package, other));
            }
        }
        for service in &victims.classes {
            let about = format!("{name}, {}", service.name);
            let _ = call!(about, Env::add_module_uses(env, module, service));
            for class in &victims.classes {
                let about = format!("{about}, {}", class.name);
                let _ = call!(about, Env::add_module_provides(env, module, service, class));
            }
        }
    }
}

pub(super) fn attack(jni: &mut Jni<'_>, env: &Env, victims: &Victims) -> jni::errors::Result<()> {
    jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
        let modules = call!("", Env::all_modules(env, jni));
        use_it(env, jni, modules.iter().flatten().map(AsRef::as_ref));
        Ok(())
    })?;
    let packages = packages();
    // HotSpot crashes on one without constructor.
    let all = victims.loaders.iter();
    let all = all.filter(|loader| !loader.name.contains("without constructor"));
    let all = all.map(|loader| (loader.name.as_str(), Some(&**loader)));
    for (name, loader) in all.chain([("none", None)]) {
        for (package_name, package) in &packages {
            let about = format!("{name}, {package_name}");
            jni.with_local_frame(ROOM, |jni| -> jni::errors::Result<()> {
                let module = call!(about, Env::named_module(env, jni, loader, package));
                use_it(env, jni, module.iter().flatten().map(AsRef::as_ref));
                Ok(())
            })?;
        }
    }
    Ok(())
}
