//! `sys/capabilities.rs`: what is known of each capability.

use std::collections::BTreeSet;

use crate::output::{GeneratedFile, SYS, generated};
use crate::spec::{Capability, Spec};
use crate::text::header;

pub fn file(spec: &Spec) -> GeneratedFile {
    let all = &spec.capabilities;
    let (mut consts, mut list, mut names) = (String::new(), String::new(), String::new());
    for capability in all {
        let Capability {
            bit,
            name,
            description,
            ..
        } = capability;
        let constant = name.to_uppercase();
        consts.push_str(&format!(
            "    /// `{name}`\n    ///\n    /// {description}\n    pub const {constant}: Self = Self({bit});\n"
        ));
        list.push_str(&format!("        Self::{constant},\n"));
        names.push_str(&format!("    (\"{name}\", {}),\n", capability.since));
    }
    let header = header("//", &["capabilities.tsv"]);
    let count = all.len();
    let on_load_only = mask(all, |capability| capability.on_load_only);
    let solo = mask(all, |capability| capability.solo);
    let costly = mask(all, |capability| capability.group.is_some());
    let groups = groups(all);
    let text = format!(
        "{header}

//! Capabilities by bit, and what is known of each.

use crate::sys::Capabilities;

/// A capability: the number of its bit in `jvmtiCapabilities`.
#[repr(transparent)]
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Capability(pub u8);

impl Capability {{
{consts}
    /// All that are known here, by bit.
    pub const ALL: &[Self] = &[
{list}    ];

    /// Those that can be acquired in `Agent_OnLoad` only, not by an agent or library loaded later.
    pub const ON_LOAD_ONLY: Capabilities = Capabilities::from_bits({on_load_only});

    /// Those that one environment at a time can hold.
    pub const SOLO: Capabilities = Capabilities::from_bits({solo});

    /// Those that slow the application for the life of the VM once they are acquired.
    pub const COSTLY: Capabilities = Capabilities::from_bits({costly});

    /// Those of [`COSTLY`](Self::COSTLY) that one kind of tool needs, by the name that the
    /// agent's option `prepare` has for them.
    pub const GROUPS: &[(&str, Capabilities)] = &[
{groups}    ];

    /// The C name; empty for a bit unknown here.
    pub const fn name(self) -> &'static str {{
        match self.facts() {{
            Some((name, _)) => name,
            None => \"\",
        }}
    }}

    /// The JDK feature release that has it first; 0 for a bit unknown here.
    pub const fn since(self) -> u8 {{
        match self.facts() {{
            Some((_, since)) => *since,
            None => 0,
        }}
    }}

    const fn facts(self) -> Option<&'static (&'static str, u8)> {{
        if (self.0 as usize) < FACTS.len() {{
            Some(&FACTS[self.0 as usize])
        }} else {{
            None
        }}
    }}

    /// Whether it can be acquired in `Agent_OnLoad` only.
    pub const fn on_load_only(self) -> bool {{
        Self::ON_LOAD_ONLY.contains(self)
    }}

    /// Whether only one environment at a time can hold it.
    pub const fn solo(self) -> bool {{
        Self::SOLO.contains(self)
    }}

    /// Whether it slows the application for the life of the VM once it is acquired.
    pub const fn costly(self) -> bool {{
        Self::COSTLY.contains(self)
    }}
}}

/// C name and first JDK feature release, by bit.
const FACTS: [(&str, u8); {count}] = [
{names}];
"
    );
    generated(format!("{SYS}/capabilities.rs"), text)
}

fn groups(all: &[Capability]) -> String {
    let names: BTreeSet<_> = all.iter().filter_map(|one| one.group.as_ref()).collect();
    let row = |name| {
        let bits = mask(all, |one| one.group.as_ref() == Some(name));
        format!("        (\"{name}\", Capabilities::from_bits({bits})),\n")
    };
    names.into_iter().map(row).collect()
}

fn mask(all: &[Capability], wanted: impl Fn(&Capability) -> bool) -> String {
    let chosen = all.iter().filter(|capability| wanted(capability));
    let bits = chosen.fold(0u64, |bits, capability| bits | 1 << capability.bit);
    format!("{bits:#x}")
}
