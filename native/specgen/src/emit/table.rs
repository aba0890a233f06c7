//! `sys/table.rs`: the function table.

use crate::output::{GeneratedFile, SYS, generated};
use crate::spec::{SLOTS, Spec};
use crate::text::{array, header};

pub fn file(spec: &Spec) -> GeneratedFile {
    let mut fields = String::new();
    let mut checks = String::new();
    let mut since = Vec::new();
    for slot in 1..=SLOTS {
        let (name, kind, first) = match spec.function_in(slot) {
            Some(f) => (f.name.clone(), format!("functions::{}", f.name), f.since),
            None => (format!("reserved{slot}"), "ReservedSlot".to_owned(), 0),
        };
        let line = format!("    pub {name}: Option<{kind}>,");
        let line = if line.len() <= 100 {
            line
        } else {
            line.replace(": ", ":\n        ")
        };
        fields.push_str(&format!("    /// Slot {slot}.\n{line}\n"));
        checks.push_str(&format!(
            "    assert!(offset_of!(FunctionTable, {name}) == slot({slot}));\n"
        ));
        since.push(first.to_string());
    }
    let since = array(&since);
    let header = header("//", &["functions.tsv"]);
    let text = format!(
        "{header}

//! The function table that a `jvmtiEnv` points to.

use std::mem::{{offset_of, size_of}};

use crate::sys::functions;

/// A slot that has no function.
pub type ReservedSlot = unsafe extern \"system\" fn();

/// `jvmtiInterface_1_`: {SLOTS} slots, each field named as in C.
///
/// A slot whose function is newer than the running VM ([`FUNCTION_SINCE`]) is reserved there.
#[repr(C)]
#[derive(Copy, Clone, Default)]
#[allow(non_snake_case)]
pub struct FunctionTable {{
{fields}}}

/// JDK feature release that has the function of slot `n` first, at index `n - 1`; 0 if reserved.
pub const FUNCTION_SINCE: [u8; {SLOTS}] = [
{since}];

const fn slot(number: usize) -> usize {{
    (number - 1) * size_of::<usize>()
}}

const _: () = {{
    assert!(size_of::<FunctionTable>() == slot({end}));
{checks}}};
",
        end = SLOTS + 1
    );
    generated(format!("{SYS}/table.rs"), text)
}
