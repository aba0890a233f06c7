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

/// The packages of one copy: users may have classes in others of the same name's beginning.
pub(super) struct Packages {
    internal: String,
    public: Vec<String>,
}

impl Packages {
    /// `probe` is the package of the probe class, `natives` are the classes with natives, as seen from there: each stands
    /// in a room, as what is public does.
    pub(super) fn new<'n>(probe: &str, natives: impl Iterator<Item = &'n JNIStr>) -> Self {
        let root = probe.trim_end_matches('/');
        let root = &root[..root.rfind('/').map_or(0, |slash| slash + 1)];
        let rooms = natives.filter_map(|class| {
            let class = class.to_str();
            Some(format!("{root}{}", &class[..=class.rfind('/')?]))
        });
        Self {
            internal: probe.to_owned(),
            public: std::iter::once(root.to_owned()).chain(rooms).collect(),
        }
    }

    /// Whether a package, with its last slash, is one of them.
    pub(super) fn have(&self, package: &str) -> bool {
        package.starts_with(&self.internal) || self.public.iter().any(|one| one == package)
    }
}

#[cfg(test)]
mod tests {
    use jni::jni_str;

    use super::Packages;

    #[test]
    fn packages_are_those_of_one_copy() {
        let natives = [
            jni_str!("thread/ThreadNatives"),
            jni_str!("stack/FrameNatives"),
        ];
        let all = Packages::new("com/acme/shaded/internal/", natives.into_iter());
        for own in ["", "thread/", "stack/", "internal/", "internal/any/"] {
            assert!(all.have(&format!("com/acme/shaded/{own}")), "{own}");
        }
        for other in [
            "com/acme/",
            "com/acme/shaded/thread/more/",
            "com/acme/shaded/functions/",
            "com/acme/shadedinternal/",
            "io/jvmtools/",
        ] {
            assert!(!all.have(other), "{other}");
        }
    }
}
