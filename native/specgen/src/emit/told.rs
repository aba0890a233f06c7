//! The events that Java is told of: a record each, their kinds, and who hands them over.

use crate::emit::listener::{method_name, type_name};
use crate::java_text::{WIDTH, list};
use crate::output::{GeneratedFile, generated};
use crate::spec::Spec;
use crate::text::header;
use crate::told::{Component, Kind, Told};

const SOURCES: &[&str] = &["java-events.tsv", "events.tsv"];
const PACKAGE: &str = "java/api/src/main/java/io/jvmtools/event";

pub fn files(spec: &Spec) -> Vec<GeneratedFile> {
    let mut files: Vec<GeneratedFile> = spec.told.iter().map(record).collect();
    files.push(types(spec));
    files.push(upcalls(spec));
    files.push(rust(spec));
    files
}

/// What listeners get.
fn record(told: &Told) -> GeneratedFile {
    let name = told.java_record();
    let kinds: Vec<Kind> = told.components.iter().map(|one| one.kind).collect();
    let mut imports = vec!["io.jvmtools.JvmtiEvent"];
    if kinds.contains(&Kind::Method) || kinds.contains(&Kind::MethodIfAny) {
        imports.push("io.jvmtools.code.JvmMethod");
    }
    if kinds.contains(&Kind::MethodIfAny) {
        imports.push("java.util.Optional");
    }
    let components: Vec<String> = told
        .components
        .iter()
        .map(|one| format!("{} {}", one.kind.java(), one.name))
        .collect();
    let mut doc = vec![format!("{}.", told.doc)];
    doc.extend(told.components.iter().map(tag));
    let body = body(told);
    let text = format!(
        "{}
package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

{}{}@JvmtiEvent(\"{}\")
{}{body}",
        header("//", SOURCES),
        import_lines(&imports),
        javadoc("", &doc),
        told.event.name,
        list(0, &format!("public record {name}"), &components, " {"),
    );
    generated(format!("{PACKAGE}/{name}.java"), text)
}

/// What is in its braces, and the end of them: its constructor refuses nulls.
fn body(told: &Told) -> String {
    let is_object = |one: &&Component| !["long", "boolean"].contains(&one.kind.java());
    let checks: String = told
        .components
        .iter()
        .filter(is_object)
        .map(|one| format!("    requireNonNull({0}, \"{0}\");\n", one.name))
        .collect();
    let tags = told.components.iter().map(tag);
    let doc: Vec<String> = std::iter::once("Refuses a {@code null}.".to_owned())
        .chain(tags)
        .collect();
    format!(
        "\n{}  public {} {{\n{checks}  }}\n}}\n",
        javadoc("  ", &doc),
        told.java_record()
    )
}

fn tag(one: &Component) -> String {
    format!("@param {} {}", one.name, one.doc)
}

fn import_lines(names: &[&str]) -> String {
    let lines: String = names
        .iter()
        .map(|name| format!("import {name};\n"))
        .collect();
    format!("{lines}\n")
}

/// A comment whose first text is a paragraph, and the others are tags.
fn javadoc(indent: &str, texts: &[String]) -> String {
    if let [text] = texts {
        let line = format!("{indent}/** {text} */\n");
        if line.len() <= WIDTH {
            return line;
        }
    }
    let mut lines = vec![format!("{indent}/**")];
    for (number, text) in texts.iter().enumerate() {
        let starts_tags = number == 1 && text.starts_with('@');
        if starts_tags || text.starts_with("<p>") {
            lines.push(format!("{indent} *"));
        }
        let mut line = format!("{indent} *");
        for word in text.split(' ') {
            if line.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(line);
                let further = if text.starts_with('@') { "    " } else { "" };
                line = format!("{indent} *{further}");
            }
            line.push(' ');
            line.push_str(word);
        }
        lines.push(line);
    }
    lines.push(format!("{indent} */\n"));
    lines.join("\n")
}

/// `EventTypes`.
fn types(spec: &Spec) -> GeneratedFile {
    let constants: String = spec
        .told
        .iter()
        .enumerate()
        .map(|(place, told)| constant(place, told))
        .collect();
    let text = format!(
        "{}
package io.jvmtools.event;

import io.jvmtools.Capability;

/** The kinds of events that listeners can be told of. */
public final class EventTypes {{
{constants}
  private EventTypes() {{}}
}}
",
        header("//", SOURCES)
    );
    generated(format!("{PACKAGE}/EventTypes.java"), text)
}

fn constant(place: usize, told: &Told) -> String {
    let event = &told.event;
    let mut doc = vec![format!("{}.", told.doc)];
    let mut facts = format!("<p>JVM TI's {{@code {}}}", event.name);
    if event.since > 11 {
        facts.push_str(&format!(", since JDK {}", event.since));
    }
    facts.push('.');
    let capability = event.requires.first().map(|name| name.to_uppercase());
    if let Some(capability) = &capability {
        facts.push_str(&format!(" Needs {{@link Capability#{capability}}}."));
    }
    if !event.by_thread {
        facts.push_str(
            " The JVM tells of it on every thread: a filter for threads is the library's.",
        );
    }
    doc.push(facts);
    let record = told.java_record();
    let capability = match capability {
        Some(capability) => format!("Capability.{capability}"),
        None => "null".to_owned(),
    };
    let mut traits = Vec::new();
    for (has, name) in [
        (told.component(Kind::Thread).is_some(), "THREAD"),
        (told.class_of.is_some(), "CLASS"),
        (told.component(Kind::Method).is_some(), "METHOD"),
        (told.component(Kind::Size).is_some(), "SIZE"),
    ] {
        if has {
            traits.push(format!("EventType.Trait.{name}"));
        }
    }
    let mut items = vec![
        format!("\"{}\"", event.name),
        format!("{record}.class"),
        place.to_string(),
        capability,
    ];
    items.extend(traits);
    let made = list(6, "new EventType<>", &items, ";");
    format!(
        "
{}  public static final EventType<{record}> {} =
{made}",
        javadoc("  ", &doc),
        told.constant(),
    )
}

/// `Upcalls`, whose methods native code calls.
fn upcalls(spec: &Spec) -> GeneratedFile {
    let methods: String = spec.told.iter().map(upcall).collect();
    let kinds = || {
        spec.told
            .iter()
            .flat_map(|told| &told.components)
            .map(|one| one.kind)
    };
    let mut imports = Vec::new();
    if kinds().any(|kind| matches!(kind, Kind::Method | Kind::MethodIfAny)) {
        imports.push("io.jvmtools.code.JvmMethod");
        imports.push("io.jvmtools.internal.Maker");
        imports.push("io.jvmtools.internal.Makers");
        imports.push("io.jvmtools.internal.code.EventMethods");
    }
    if kinds().any(|kind| kind == Kind::MethodIfAny) {
        imports.push("java.util.Optional");
    }
    let imports = match imports.is_empty() {
        true => String::new(),
        false => import_lines(&imports),
    };
    let method = match kinds().any(|kind| matches!(kind, Kind::Method | Kind::MethodIfAny)) {
        false => "",
        true => {
            "
  private static final Maker<Long, JvmMethod> METHODS = methods();

  /** The class that hands it over is initialised first. */
  private static Maker<Long, JvmMethod> methods() {
    Makers.of(JvmMethod.class);
    return Makers.of(EventMethods.class);
  }

  private static JvmMethod method(long id) {
    return METHODS.make(id);
  }
"
        }
    };
    let method_if_any = match kinds().any(|kind| kind == Kind::MethodIfAny) {
        false => "",
        true => {
            "
  private static Optional<JvmMethod> methodIfAny(long id) {
    return id == 0 ? Optional.empty() : Optional.of(method(id));
  }
"
        }
    };
    let text = format!(
        "{}
package io.jvmtools.event;

{imports}/** Makes events of what native code has, which calls a method for each listener. */
abstract class Upcalls {{
{method}{method_if_any}
  /** Tells the listener of that number; false if there is none any more. */
  abstract boolean tell(int listener, Object event);
{methods}}}
",
        header("//", SOURCES)
    );
    generated(format!("{PACKAGE}/Upcalls.java"), text)
}

fn upcall(told: &Told) -> String {
    let raw = |one: &Component| format!("{} {}", one.kind.java_raw(), one.name);
    let made = |one: &Component| match one.kind {
        Kind::Method => format!("method({})", one.name),
        Kind::MethodIfAny => format!("methodIfAny({})", one.name),
        _ => one.name.clone(),
    };
    let mut parameters = vec!["int listener".to_owned()];
    parameters.extend(told.components.iter().map(raw));
    let made: Vec<String> = told.components.iter().map(made).collect();
    let start = format!("final boolean {}", told.java_method());
    let record = format!("new {}", told.java_record());
    let event = format!("{record}({})", made.join(", "));
    // Indented by eight, with what ends the statement.
    let fits = "        listener, );".len() + event.len() <= WIDTH;
    let tell = match fits {
        true => list(4, "return tell", &["listener".to_owned(), event], ";"),
        false => format!(
            "    return tell(\n        listener,\n{}",
            list(8, &record, &made, ");")
        ),
    };
    format!(
        "
{}{tell}  }}
",
        list(2, &start, &parameters, " {"),
    )
}

/// `told.rs`: a row of a macro for each.
fn rust(spec: &Spec) -> GeneratedFile {
    let rows: String = spec
        .told
        .iter()
        .enumerate()
        .map(|(place, told)| row(place, told))
        .collect();
    let text = format!(
        "{}

//! The events that Java is told of, and what of each is handed over.

/// Hands them to a macro.
macro_rules! each_told {{
    ($hand_to:ident) => {{
        $hand_to! {{
            (event)
{rows}        }}
    }};
}}

pub(super) use each_told;
",
        header("//", SOURCES)
    );
    generated("native/agent/src/event/told.rs", text)
}

fn row(place: usize, told: &Told) -> String {
    let name = &told.event.name;
    let descriptors: String = told
        .components
        .iter()
        .map(|one| one.kind.descriptor())
        .collect();
    let thread = match told.component(Kind::Thread) {
        Some(thread) => format!("Some(&event.{})", thread.parameter),
        None => "None".to_owned(),
    };
    let of = |name: &String| told.components.iter().find(|one| one.parameter == *name);
    let class = match told.class_of.as_ref().and_then(of) {
        None => "Of::Nothing".to_owned(),
        Some(one) => match one.kind {
            Kind::Class => format!("Of::Class(&event.{})", one.parameter),
            Kind::Method | Kind::MethodIfAny => format!("Of::Method(event.{})", one.parameter),
            _ => format!("Of::Object(event.{}.as_ref())", one.parameter),
        },
    };
    let method = match told.component(Kind::Method) {
        Some(method) => format!("Some(event.{})", method.parameter),
        None => "None".to_owned(),
    };
    let size = match told.component(Kind::Size) {
        Some(size) => format!("event.{}.cast_unsigned()", size.parameter),
        None => "u64::MAX".to_owned(),
    };
    let values: String = told
        .components
        .iter()
        .map(|one| format!("                {},\n", value(one)))
        .collect();
    format!(
        "            {place} {} {} {} {}
            \"{}\" \"(I{descriptors})Z\"
            {{
                thread: {thread},
                class: {class},
                method: {method},
                size: {size},
            }}
            [
{values}            ]
",
        type_name(name),
        told.constant(),
        method_name(name),
        told.event.by_thread,
        told.java_method(),
    )
}

fn value(one: &Component) -> String {
    let name = &one.parameter;
    match one.kind {
        Kind::Thread | Kind::Object | Kind::Class | Kind::Throwable => {
            format!("object(&event.{name})")
        }
        Kind::Method => format!("method(Some(event.{name}))"),
        Kind::MethodIfAny => format!("method(event.{name})"),
        Kind::Long | Kind::Size => format!("long(event.{name})"),
        Kind::Boolean => format!("boolean(event.{name})"),
    }
}
