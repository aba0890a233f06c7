//! `sys/{errors,events,constants,flags}.rs`: numbers with names.

use crate::output::{GeneratedFile, SYS, generated};
use crate::spec::{Constant, Group, GroupKind, Spec};
use crate::text::header;

pub fn files(spec: &Spec) -> Vec<GeneratedFile> {
    let events: Vec<Constant> = spec
        .events
        .iter()
        .map(|event| Constant {
            name: event.constant.clone(),
            value: event.number.to_string(),
            since: event.since,
        })
        .collect();
    vec![
        one_type(
            "errors",
            "errors.tsv",
            "Error codes",
            &error_type(spec),
            true,
        ),
        one_type(
            "events",
            "events.tsv",
            "Event numbers",
            &event_type(&events),
            true,
        ),
        generated(format!("{SYS}/constants.rs"), constants(spec)),
        generated(format!("{SYS}/flags.rs"), flags(spec)),
    ]
}

fn error_type(spec: &Spec) -> Group {
    Group {
        name: "jvmtiError".to_owned(),
        kind: GroupKind::Enum,
        rust_type: "Error".to_owned(),
        prefix: "JVMTI_ERROR_".to_owned(),
        description: "Error code".to_owned(),
        constants: spec.errors.clone(),
    }
}

fn event_type(events: &[Constant]) -> Group {
    Group {
        name: "jvmtiEvent".to_owned(),
        kind: GroupKind::Enum,
        rust_type: "Event".to_owned(),
        prefix: "JVMTI_EVENT_".to_owned(),
        description: "Event number".to_owned(),
        constants: events.to_vec(),
    }
}

fn one_type(stem: &str, source: &str, doc: &str, group: &Group, all: bool) -> GeneratedFile {
    let header = header("//", &[source]);
    let text = format!("{header}\n\n//! {doc}.\n\n{}", newtype(group, all));
    generated(format!("{SYS}/{stem}.rs"), text)
}

/// Enumerations, and plain numbers.
fn constants(spec: &Spec) -> String {
    let mut parts = Vec::new();
    for group in spec
        .groups
        .iter()
        .filter(|group| group.kind == GroupKind::Value)
    {
        let mut text = format!("// {}.\n", group.description);
        for constant in &group.constants {
            let Constant { name, value, .. } = constant;
            let short = short(group, constant);
            text.push_str(&format!(
                "/// `{name}`\npub const {short}: i32 = {value};\n"
            ));
        }
        parts.push(text);
    }
    for group in spec
        .groups
        .iter()
        .filter(|group| group.kind == GroupKind::Enum)
    {
        parts.push(newtype(group, false));
    }
    let header = header("//", &["constant-groups.tsv", "constants.tsv"]);
    format!(
        "{header}

//! Enumerations as integer newtypes, since a newer VM may send a number unknown here, and plain
//! numbers.

{}",
        parts.join("\n")
    )
}

/// Bit sets.
fn flags(spec: &Spec) -> String {
    let bits = spec
        .groups
        .iter()
        .filter(|group| group.kind == GroupKind::Bits);
    let parts: Vec<String> = bits.map(bit_set).collect();
    let header = header("//", &["constant-groups.tsv", "constants.tsv"]);
    format!(
        "{header}

//! Sets of flags, which print by their names; bits unknown here are kept.

bitflags::bitflags! {{
{}}}
",
        parts.join("\n")
    )
}

fn short(group: &Group, constant: &Constant) -> String {
    constant
        .name
        .strip_prefix(&group.prefix)
        .unwrap_or(&constant.name)
        .to_owned()
}

fn declaration(group: &Group) -> String {
    let Group {
        name,
        rust_type,
        description,
        ..
    } = group;
    format!(
        "/// {description} (`{name}`).
#[repr(transparent)]
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct {rust_type}(pub i32);

impl {rust_type} {{
{}",
        consts(group)
    )
}

fn consts(group: &Group) -> String {
    let mut text = String::new();
    for constant in &group.constants {
        let Constant { name, value, .. } = constant;
        let short = short(group, constant);
        text.push_str(&format!(
            "    /// `{name}`\n    pub const {short}: Self = Self({value});\n"
        ));
    }
    text
}

fn newtype(group: &Group, all: bool) -> String {
    let mut text = declaration(group);
    if all {
        text.push_str("\n    /// All that are known here, by number.\n");
        text.push_str("    pub const ALL: &[Self] = &[\n");
        for constant in &group.constants {
            text.push_str(&format!("        Self::{},\n", short(group, constant)));
        }
        text.push_str("    ];\n");
    }
    text.push_str(
        "
    /// The C name, or `None` for a number unknown here.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
",
    );
    for constant in &group.constants {
        let arm = format!("            Self::{} => ", short(group, constant));
        let value = format!("\"{}\"", constant.name);
        if arm.len() + value.len() < 100 {
            text.push_str(&format!("{arm}{value},\n"));
        } else {
            text.push_str(&format!(
                "{arm}{{\n                {value}\n            }}\n"
            ));
        }
    }
    text.push_str("            _ => return None,\n        })\n    }\n}\n");
    text
}

fn bit_set(group: &Group) -> String {
    let Group {
        name,
        rust_type,
        description,
        ..
    } = group;
    let mut text = format!(
        "    /// {description} (`{name}`).
    #[repr(transparent)]
    #[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub struct {rust_type}: i32 {{
"
    );
    for constant in &group.constants {
        let Constant { name, value, .. } = constant;
        let short = short(group, constant);
        text.push_str(&format!(
            "        /// `{name}`\n        const {short} = {value};\n"
        ));
    }
    text.push_str("        const _ = !0;\n    }\n");
    text
}
