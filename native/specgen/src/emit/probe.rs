//! The two sides of the ABI test: what a C compiler is asked about a `jvmti.h`, and what the Rust
//! types answer to the same questions.
//!
//! Both sides are lists of macro uses, which `tests/abi/probe.c` and `native/jvmti/tests/abi.rs`
//! give their meaning to.

use crate::output::{GeneratedFile, generated};
use crate::spec::{Event, FIRST_EVENT, Function, GroupKind, LAST_EVENT, Parameter, SLOTS, Spec};
use crate::text::header;

const LAYOUT: &[&str] = &[
    "functions.tsv",
    "events.tsv",
    "parameters.tsv",
    "structs.tsv",
    "callback-types.tsv",
];
const NUMBERS: &[&str] = &[
    "errors.tsv",
    "events.tsv",
    "constants.tsv",
    "constant-groups.tsv",
    "capabilities.tsv",
];

pub fn files(spec: &Spec) -> Vec<GeneratedFile> {
    let numbers = number_questions(spec);
    vec![
        generated("tests/abi/layout.h", c_layout(spec)),
        generated("tests/abi/numbers.h", c_numbers(&numbers)),
        generated("native/jvmti/tests/abi/layout.rs", rust_layout(spec)),
        generated("native/jvmti/tests/abi/numbers.rs", rust_numbers(&numbers)),
        generated("tests/abi/jni_functions.h", c_jni_functions(spec)),
        generated(
            "native/jvmti/tests/abi/jni_functions.rs",
            rust_jni_functions(spec),
        ),
    ]
}

/// A macro use in the C file, for headers of a JDK release or newer.
struct Question {
    since: u32,
    text: String,
    /// What to ask an older header instead.
    before: Option<String>,
}

fn c_file(sources: &[&str], parts: &[(&str, Vec<Question>)]) -> String {
    let mut text = header("/*", sources);
    text.push_str(" */\n");
    for (function, questions) in parts {
        text.push_str(&format!("\nstatic void {function}(void) {{\n"));
        for question in questions {
            // Every header from the oldest supported JDK on has the older entries.
            if question.since <= 17 {
                text.push_str(&format!("    {}\n", question.text));
                continue;
            }
            text.push_str(&format!(
                "#if JDK >= {}\n    {}\n",
                question.since, question.text
            ));
            if let Some(before) = &question.before {
                text.push_str(&format!("#else\n    {before}\n"));
            }
            text.push_str("#endif\n");
        }
        text.push_str("}\n");
    }
    text
}

fn question(since: u32, text: String) -> Question {
    Question {
        since,
        text,
        before: None,
    }
}

fn c_parameters(environment: bool, parameters: &[Parameter]) -> String {
    let first = if environment {
        vec!["jvmtiEnv*"]
    } else {
        Vec::new()
    };
    let types: Vec<&str> = first
        .into_iter()
        .chain(parameters.iter().map(|p| p.c_type.as_str()))
        .collect();
    if types.is_empty() {
        "void".to_owned()
    } else {
        types.join(", ")
    }
}

fn c_layout(spec: &Spec) -> String {
    let slots = (1..=SLOTS).map(|slot| match spec.function_in(slot) {
        None => question(0, format!("RESERVED_SLOT(reserved{slot})")),
        Some(Function {
            name,
            since,
            parameters,
            ..
        }) => Question {
            since: *since,
            text: format!("SLOT({name}, ({}))", c_parameters(true, parameters)),
            before: Some(format!("RESERVED_SLOT(reserved{slot})")),
        },
    });
    let events = (FIRST_EVENT..=LAST_EVENT).map(|number| match spec.event_numbered(number) {
        None => question(
            reserved_since(spec, number),
            format!("RESERVED_EVENT(reserved{number})"),
        ),
        Some(Event {
            name,
            since,
            parameters,
            ..
        }) => question(
            *since,
            format!("EVENT({name}, ({}))", c_parameters(false, parameters)),
        ),
    });
    let mut structs = Vec::new();
    for known in &spec.structs {
        structs.push(question(known.since, format!("STRUCT({})", known.name)));
        for field in &known.fields {
            let text = format!("FIELD({}, {}, {})", known.name, field.name, field.c_type);
            structs.push(question(known.since, text));
        }
    }
    let callback_types = spec.callback_types.iter().map(|known| {
        let parameters = c_parameters(false, &known.parameters);
        let text = format!(
            "CALLBACK_TYPE({}, {}, ({parameters}))",
            known.name, known.returns
        );
        question(known.since, text)
    });
    c_file(
        LAYOUT,
        &[
            ("print_slots", slots.collect()),
            ("print_events", events.collect()),
            ("print_structs", structs),
            ("print_callback_types", callback_types.collect()),
        ],
    )
}

/// A reserved event is in a header once a later event is.
fn reserved_since(spec: &Spec, number: u32) -> u32 {
    let later = spec.events.iter().filter(|event| event.number > number);
    later.map(|event| event.since).min().unwrap_or(0)
}

/// A constant or capability: C name, where it is in Rust, and since when.
struct Number {
    c_name: String,
    rust: String,
    since: u32,
    capability: bool,
}

fn number_questions(spec: &Spec) -> Vec<Number> {
    let mut all = Vec::new();
    let mut add = |c_name: &str, rust: String, since: u32, capability: bool| {
        all.push(Number {
            c_name: c_name.to_owned(),
            rust,
            since,
            capability,
        });
    };
    for group in &spec.groups {
        for constant in &group.constants {
            let short = constant
                .name
                .strip_prefix(&group.prefix)
                .unwrap_or(&constant.name);
            let rust = if group.rust_type.is_empty() {
                format!("sys::{short}")
            } else if group.kind == GroupKind::Bits {
                format!("sys::{}::{short}.bits()", group.rust_type)
            } else {
                format!("sys::{}::{short}.0", group.rust_type)
            };
            add(&constant.name, rust, constant.since, false);
        }
    }
    for error in &spec.errors {
        let short = error.name.trim_start_matches("JVMTI_ERROR_");
        add(
            &error.name,
            format!("sys::Error::{short}.0"),
            error.since,
            false,
        );
    }
    for event in &spec.events {
        let short = event.constant.trim_start_matches("JVMTI_EVENT_");
        add(
            &event.constant,
            format!("sys::Event::{short}.0"),
            event.since,
            false,
        );
    }
    for capability in &spec.capabilities {
        let rust = format!("sys::Capability::{}", capability.name.to_uppercase());
        add(&capability.name, rust, capability.since, true);
    }
    all
}

fn c_numbers(numbers: &[Number]) -> String {
    let part = |capability: bool, name: &str| -> Vec<Question> {
        let chosen = numbers
            .iter()
            .filter(|number| number.capability == capability);
        chosen
            .map(|n| question(n.since, format!("{name}({})", n.c_name)))
            .collect()
    };
    c_file(
        NUMBERS,
        &[
            ("print_constants", part(false, "CONSTANT")),
            ("print_capabilities", part(true, "CAPABILITY")),
        ],
    )
}

fn c_jni_functions(spec: &Spec) -> String {
    let functions = spec.jni_functions.iter();
    let questions = functions.map(|one| question(one.since, format!("JNI_SLOT({})", one.name)));
    c_file(
        &["jni-functions.tsv"],
        &[("print_jni_functions", questions.collect())],
    )
}

fn rust_jni_functions(spec: &Spec) -> String {
    let mut text = header("//", &["jni-functions.tsv"]);
    text.push_str(
        "\n\n//! What the Rust side says: where the functions of JNI stand.\n\nuse super::*;\n
pub fn facts() -> Vec<Fact> {\n    vec![\n",
    );
    for one in &spec.jni_functions {
        text.push_str(&format!(
            "        jni_slot!({}, {}, {}),\n",
            one.since, one.name, one.slot
        ));
    }
    text + "    ]\n}\n"
}

fn rust_layout(spec: &Spec) -> String {
    let mut facts = String::new();
    let mut add = |text: String| facts.push_str(&format!("        {text},\n"));
    for slot in 1..=SLOTS {
        match spec.function_in(slot) {
            None => add(format!("slot!(0, reserved{slot})")),
            Some(function) => add(format!("slot!({}, {})", function.since, function.name)),
        }
    }
    for number in FIRST_EVENT..=LAST_EVENT {
        match spec.event_numbered(number) {
            None => add(format!(
                "event!({}, reserved{number})",
                reserved_since(spec, number)
            )),
            Some(event) => add(format!("event!({}, {})", event.since, event.name)),
        }
    }
    for known in &spec.structs {
        add(format!("layout!({}, {})", known.since, known.name));
        for field in &known.fields {
            add(format!(
                "field!({}, {}, {})",
                known.since, known.name, field.name
            ));
        }
    }
    for known in &spec.callback_types {
        add(format!("callback!({}, {})", known.since, known.name));
    }
    let facts = format!("vec![\n{facts}    ]");
    rust_file(
        LAYOUT,
        "field layout, in the order of the C structures",
        &facts,
    )
}

fn rust_numbers(numbers: &[Number]) -> String {
    let mut facts = String::new();
    for number in numbers {
        let kind = if number.capability {
            "capability"
        } else {
            "constant"
        };
        let start = format!("        {kind} {} {} =", number.since, number.c_name);
        let value = format!("{};\n", number.rust);
        let one_line = start.len() + value.len() <= 100;
        let gap = if one_line { " " } else { "\n            " };
        facts.push_str(&format!("{start}{gap}{value}"));
    }
    let facts = format!("numbers! {{\n{facts}    }}");
    rust_file(NUMBERS, "constants and capability bits", &facts)
}

fn rust_file(sources: &[&str], what: &str, facts: &str) -> String {
    let header = header("//", sources);
    format!(
        "{header}

//! What the Rust side says: {what}.

use super::*;

pub fn facts() -> Vec<Fact> {{
    {facts}
}}
"
    )
}
