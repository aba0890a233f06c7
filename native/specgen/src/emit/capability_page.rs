//! `docs/capabilities.md`: what needs which capability, when it can be had, and what it costs.

use crate::output::{GeneratedFile, generated};
use crate::spec::{Capability, Spec};
use crate::text::header;

const INTRODUCTION: &str = "\
`Jvmti.open(Capability...)` asks for them, a static method of `JvmTools` adds what it needs by itself. *Any time* is also after
an attach or `System.load`; *at start* only with `-agentpath`. *One at a time*: while one environment of the JVM has it, no other
can, a debugger's included. *Prepare* is what the agent's option `prepare` has to name, by itself or as that group, for the JVM is
slower from then on: by how much of its CPU time an indexing program is, the median of five pairs of runs and the least and the
most of them (25.0.3; [how it is measured](../benches/README.md#what-each-capability-costs); an agent that does nothing: -1.7 %,
-2.4 to +3.1). What has no figure costs nothing until it is used.

*Italic*: it works without, and does more with it.";

pub fn file(spec: &Spec) -> GeneratedFile {
    let rows: Vec<String> = spec
        .capabilities
        .iter()
        .map(|capability| row(spec, capability))
        .collect();
    let header = header("", &["capabilities.tsv", "functions.tsv", "events.tsv"]);
    let text = format!(
        "<!--{header} -->\n\n# Capabilities\n\n{INTRODUCTION}\n\n\
         | capability | what for | since | obtainable | prepare, cost | functions | events |\n\
         |---|---|---|---|---|---|---|\n{}\n\n{}\n",
        rows.join("\n"),
        without(spec)
    );
    generated("docs/capabilities.md", text)
}

fn row(spec: &Spec, capability: &Capability) -> String {
    let Capability {
        name,
        since,
        description,
        ..
    } = capability;
    let when = if capability.on_load_only {
        "at start"
    } else {
        "any time"
    };
    let solo = if capability.solo {
        ", one at a time"
    } else {
        ""
    };
    let cost = match (&capability.group, &capability.cost) {
        (Some(group), Some(cost)) => format!("`{group}`, {cost}"),
        _ => String::new(),
    };
    let functions = spec
        .functions
        .iter()
        .map(|function| (&function.name, &function.requires, &function.enhanced_by));
    let events = spec
        .events
        .iter()
        .map(|event| (&event.name, &event.requires, &event.enhanced_by));
    let functions = users(name, functions);
    let events = users(name, events);
    format!(
        "| `{name}` | {description} | {since} | {when}{solo} | {cost} | {functions} | {events} |"
    )
}

/// Those that need a capability, and in italics those that do more with it.
fn users<'a>(
    capability: &str,
    all: impl Iterator<Item = (&'a String, &'a Vec<String>, &'a Vec<String>)>,
) -> String {
    let has = |list: &[String]| list.iter().any(|name| name == capability);
    let texts: Vec<String> = all
        .filter_map(|(name, requires, enhanced_by)| {
            if has(requires) {
                Some(name.clone())
            } else if has(enhanced_by) {
                Some(format!("*{name}*"))
            } else {
                None
            }
        })
        .collect();
    texts.join(", ")
}

/// What needs none.
fn without(spec: &Spec) -> String {
    let functions: Vec<&str> = spec
        .functions
        .iter()
        .filter(|function| function.requires.is_empty())
        .map(|function| function.name.as_str())
        .collect();
    let events: Vec<&str> = spec
        .events
        .iter()
        .filter(|event| event.requires.is_empty())
        .map(|event| event.name.as_str())
        .collect();
    format!(
        "## Without any\n\nFunctions: {}.\n\nEvents: {}.",
        functions.join(", "),
        events.join(", ")
    )
}
