//! `sys/callbacks.rs`: the event callback types and their table.

use crate::c_type::{Imports, rust_type};
use crate::error::SpecError;
use crate::output::{GeneratedFile, SYS, generated};
use crate::spec::{FIRST_EVENT, LAST_EVENT, Spec};
use crate::text::{function_type, header};

pub fn file(spec: &Spec) -> Result<GeneratedFile, SpecError> {
    let mut imports = Imports::default();
    let (mut types, mut fields, mut checks) = (String::new(), String::new(), String::new());
    for number in FIRST_EVENT..=LAST_EVENT {
        let (name, kind) = match spec.event_numbered(number) {
            Some(event) => {
                let kind = format!("jvmtiEvent{}", event.name);
                let mut parameters = Vec::new();
                for parameter in &event.parameters {
                    let rust = rust_type(spec, &parameter.c_type, &mut imports)?;
                    parameters.push((parameter.name.clone(), rust));
                }
                let constant = &event.constant;
                types.push_str(&format!("/// `{constant}`, since JDK {}.\n", event.since));
                types.push_str(&function_type(&kind, &parameters, None));
                types.push('\n');
                (event.name.clone(), kind)
            }
            None => (format!("reserved{number}"), "jvmtiEventReserved".to_owned()),
        };
        fields.push_str(&format!(
            "    /// Event {number}.\n    pub {name}: Option<{kind}>,\n"
        ));
        checks.push_str(&format!(
            "    assert!(offset_of!(EventCallbacks, {name}) == slot({number}));\n"
        ));
    }
    let header = header("//", &["events.tsv", "parameters.tsv"]);
    let imports = imports
        .render()
        .replacen('\n', "\nuse std::mem::{offset_of, size_of};\n", 1);
    let text = format!(
        "{header}

//! The functions that a VM calls for events, and the table an agent gives it.

#![allow(non_camel_case_types)]

{imports}
/// A slot that has no event.
pub type jvmtiEventReserved = unsafe extern \"system\" fn();

{types}/// `jvmtiEventCallbacks`: one slot per event number from {FIRST_EVENT} to {LAST_EVENT}.
#[repr(C)]
#[derive(Copy, Clone, Default)]
#[allow(non_snake_case)]
pub struct EventCallbacks {{
{fields}}}

const fn slot(number: usize) -> usize {{
    (number - {FIRST_EVENT}) * size_of::<usize>()
}}

const _: () = {{
    assert!(size_of::<EventCallbacks>() == slot({end}));
{checks}}};
",
        end = LAST_EVENT + 1
    );
    Ok(generated(
        format!("{SYS}/callbacks.rs"),
        text.replace("\n\n\n", "\n\n"),
    ))
}
