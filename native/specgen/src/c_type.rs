//! C types of `jvmti.h` as Rust types of `jvmti::sys`.

use std::collections::BTreeSet;

use crate::error::SpecError;
use crate::spec::{GroupKind, Spec};
use crate::text::use_declaration;

/// A C type without pointers, and what it is called in Rust.
struct Name {
    rust: String,
    home: Home,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// `std::ffi`
    Ffi,
    /// `crate::sys`
    Sys,
}

/// The names a generated file has to import.
#[derive(Default)]
pub struct Imports {
    ffi: BTreeSet<String>,
    sys: BTreeSet<String>,
}

impl Imports {
    /// Adds a name of `crate::sys`.
    pub fn sys(&mut self, name: &str) {
        self.sys.insert(name.to_owned());
    }

    /// The two `use` declarations, where they are needed.
    pub fn render(&self) -> String {
        let mut text = String::new();
        for (path, names) in [("std::ffi", &self.ffi), ("crate::sys", &self.sys)] {
            if !names.is_empty() {
                text.push_str(&use_declaration(0, path, names));
                text.push('\n');
            }
        }
        text
    }
}

/// The Rust type of a C type such as `const jthread*`; notes the names it uses.
pub fn rust_type(spec: &Spec, c_type: &str, imports: &mut Imports) -> Result<String, SpecError> {
    let (constant, rest) = match c_type.strip_prefix("const ") {
        Some(rest) => (true, rest),
        None => (false, c_type),
    };
    let base = rest.trim_end_matches('*');
    // A function pointer that may be null.
    if spec.callback_types.iter().any(|known| known.name == c_type) {
        imports.sys(c_type);
        return Ok(format!("Option<{c_type}>"));
    }
    let stars = rest.len() - base.len();
    if constant && stars == 0 {
        return Err(unknown(c_type));
    }
    let name = base_name(spec, base).ok_or_else(|| unknown(c_type))?;
    match name.home {
        Home::Ffi => imports.ffi.insert(name.rust.clone()),
        Home::Sys => imports.sys.insert(name.rust.clone()),
    };
    // `const` in C belongs to what the innermost pointer points to.
    let mut rust = name.rust;
    for depth in 0..stars {
        let pointer = if constant && depth == 0 {
            "*const "
        } else {
            "*mut "
        };
        rust.insert_str(0, pointer);
    }
    Ok(rust)
}

fn unknown(c_type: &str) -> SpecError {
    SpecError::Inconsistent(format!("no Rust type for the C type {c_type}"))
}

fn base_name(spec: &Spec, base: &str) -> Option<Name> {
    let in_ffi = |rust: &str| {
        Some(Name {
            rust: rust.to_owned(),
            home: Home::Ffi,
        })
    };
    let in_sys = |rust: &str| {
        Some(Name {
            rust: rust.to_owned(),
            home: Home::Sys,
        })
    };
    match base {
        "char" => return in_ffi("c_char"),
        "unsigned char" => return in_ffi("c_uchar"),
        "void" => return in_ffi("c_void"),
        "jvmtiEnv" => return in_sys("Env"),
        "jvmtiError" => return in_sys("Error"),
        "jvmtiEvent" => return in_sys("Event"),
        "jvmtiCapabilities" => return in_sys("Capabilities"),
        "jvmtiEventCallbacks" => return in_sys("EventCallbacks"),
        "JNIEnv" | "jboolean" | "jchar" | "jclass" | "jdouble" | "jfieldID" | "jfloat" | "jint"
        | "jlocation" | "jlong" | "jmethodID" | "jniNativeInterface" | "jobject"
        | "jrawMonitorID" | "jthread" | "jthreadGroup" | "jvalue" => return in_sys(base),
        _ => {}
    }
    if let Some(group) = spec.groups.iter().find(|group| group.name == base) {
        return if group.kind == GroupKind::Enum {
            in_sys(&group.rust_type)
        } else {
            None
        };
    }
    spec.structs
        .iter()
        .any(|known| known.name == base)
        .then(|| in_sys(base))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn spec() -> Spec {
        Spec::load(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec"),
            String::new(),
        )
        .unwrap()
    }

    fn translate(c_type: &str) -> String {
        rust_type(&spec(), c_type, &mut Imports::default()).unwrap()
    }

    #[test]
    fn const_belongs_to_the_innermost_pointee() {
        assert_eq!(translate("jint"), "jint");
        assert_eq!(translate("jint*"), "*mut jint");
        assert_eq!(translate("const jthread*"), "*const jthread");
        assert_eq!(translate("char***"), "*mut *mut *mut c_char");
        assert_eq!(translate("unsigned char**"), "*mut *mut c_uchar");
        assert_eq!(translate("const void*"), "*const c_void");
    }

    #[test]
    fn enumerations_and_structures_keep_their_rust_names() {
        assert_eq!(translate("jvmtiError*"), "*mut Error");
        assert_eq!(translate("jvmtiTimerKind"), "TimerKind");
        assert_eq!(translate("jvmtiThreadInfo*"), "*mut jvmtiThreadInfo");
        assert_eq!(
            translate("const jvmtiEventCallbacks*"),
            "*const EventCallbacks"
        );
    }

    #[test]
    fn a_callback_may_be_null() {
        assert_eq!(
            translate("jvmtiExtensionEvent"),
            "Option<jvmtiExtensionEvent>"
        );
    }

    #[test]
    fn an_unknown_type_is_an_error() {
        assert!(rust_type(&spec(), "jvmtiNothing*", &mut Imports::default()).is_err());
        assert!(rust_type(&spec(), "const jint", &mut Imports::default()).is_err());
    }
}
