//! The events that Java is told of: a record each, their kinds, and who hands them over.

use std::collections::BTreeSet;

use crate::emit::told_rows::{self, ALL, OF_HOTSPOT, SPECIFIED};
use crate::java_text::{WIDTH, list};
use crate::output::{GeneratedFile, generated};
use crate::spec::Spec;
use crate::text::header;
use crate::told::{Answer, Component, Kind, Told};

const PACKAGE: &str = "java/api/src/main/java/io/jvmtools/event";

pub fn files(spec: &Spec) -> Vec<GeneratedFile> {
    let mut files: Vec<GeneratedFile> = spec.told.iter().map(record).collect();
    files.push(types(spec));
    files.push(upcalls(spec));
    files.push(told_rows::file(spec));
    files
}

/// What listeners get.
fn record(told: &Told) -> GeneratedFile {
    let name = told.java_record();
    let mut imports = vec!["io.jvmtools.JvmtiEvent"];
    if told.component(Kind::Resources).is_some() || told.component(Kind::Map).is_some() {
        imports.push("io.jvmtools.internal.Lists");
    }
    imports.extend(imports_of(&told.components));
    imports.sort_unstable();
    let components: Vec<String> = told
        .components
        .iter()
        .map(|one| format!("{} {}", one.java(), one.name))
        .collect();
    let mut doc = vec![format!("{}.", told.doc)];
    doc.extend(told.components.iter().map(tag));
    let is_empty = told.components.is_empty();
    let sources = match told.event.id {
        Some(_) => OF_HOTSPOT,
        None => SPECIFIED,
    };
    let (body, checks) = match is_empty {
        true => ("}\n".to_owned(), ""),
        false => (
            body(told),
            "import static java.util.Objects.requireNonNull;\n\n",
        ),
    };
    let copied = match told.component(Kind::Bytes) {
        Some(_) => "@SuppressWarnings(\"ArrayRecordComponent\") // Nobody sees it but as a copy.\n",
        None => "",
    };
    let text = format!(
        "{}
package io.jvmtools.event;

{checks}{}{}{copied}@JvmtiEvent(\"{}\")
{}{body}",
        header("//", sources),
        import_lines(&imports),
        javadoc("", &doc),
        told.event.name,
        list(0, &format!("public record {name}"), &components, " {")
            .trim_end_matches(|end| is_empty && end == '\n'),
    );
    generated(format!("{PACKAGE}/{name}.java"), text)
}

/// Each once.
fn imports_of<'c>(components: impl IntoIterator<Item = &'c Component>) -> BTreeSet<&'static str> {
    let mut imports = BTreeSet::new();
    for one in components {
        imports.extend(one.kind.import());
        if one.is_optional {
            imports.insert("java.util.Optional");
        }
    }
    imports
}

/// What is in its braces, and the end of them: its constructor refuses nulls, and nobody changes its arrays.
fn body(told: &Told) -> String {
    let is_object = |one: &&Component| !["long", "boolean", "int"].contains(&one.java().as_str());
    let checks: String = told
        .components
        .iter()
        .filter(is_object)
        .map(|one| match one.kind {
            Kind::Bytes => format!(
                "    {0} = requireNonNull({0}, \"{0}\").clone();\n",
                one.name
            ),
            Kind::Resources | Kind::Map | Kind::Inlined => {
                format!("    {0} = Lists.copyOf({0}, \"{0}\");\n", one.name)
            }
            _ => format!("    requireNonNull({0}, \"{0}\");\n", one.name),
        })
        .collect();
    let tags = told.components.iter().map(tag);
    let doc: Vec<String> = std::iter::once("Refuses a {@code null}.".to_owned())
        .chain(tags)
        .collect();
    let text = to_text(told);
    let copies: String = told
        .components
        .iter()
        .filter(|one| one.kind == Kind::Bytes)
        .map(copy)
        .collect();
    format!(
        "\n{}  public {} {{\n{checks}  }}\n{copies}{text}}}\n",
        javadoc("  ", &doc),
        told.java_record()
    )
}

/// What may be the application's is named, and not asked: it may wait for the monitor that the event is about, or not be
/// constructed yet. Written out, for what the compiler makes for a record is linked when it is called first, which may be in the middle of
/// loading a class.
fn to_text(told: &Told) -> String {
    let mut pieces = Vec::new();
    for (number, one) in told.components.iter().enumerate() {
        let before = match number {
            0 => format!("{}[", told.java_record()),
            _ => ", ".to_owned(),
        };
        pieces.push(format!("\"{before}{}=\"", one.name));
        match one.kind {
            Kind::Bytes => pieces.extend([format!("{}.length", one.name), "\" bytes\"".to_owned()]),
            Kind::Object | Kind::Value | Kind::Loader | Kind::Domain => {
                pieces.push(format!("Values.named({})", one.name));
            }
            _ => pieces.push(one.name.clone()),
        }
    }
    pieces.push("\"]\"".to_owned());
    let line = format!("    return {};\n", pieces.join(" + "));
    let text = match line.trim_end().len() <= WIDTH {
        true => line,
        false => format!("    return {};\n", pieces.join("\n        + ")),
    };
    format!(
        "
  /**
   * Its components.
   *
   * @return a text for people
   */
  @Override
  public String toString() {{
{text}  }}
"
    )
}

fn copy(one: &Component) -> String {
    let name = &one.name;
    let mut doc = one.doc.clone();
    doc[..1].make_ascii_uppercase();
    let doc = [format!("{doc}."), "@return a copy of it".to_owned()];
    format!(
        "\n{}  @Override\n  public byte[] {name}() {{\n    return {name}.clone();\n  }}\n",
        javadoc("  ", &doc)
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
import io.jvmtools.NotSupportedException;
import io.jvmtools.code.NativeAddress;

/** The kinds of events that listeners can be told of. */
public final class EventTypes {{
{constants}
  private EventTypes() {{}}
}}
",
        header("//", ALL)
    );
    generated(format!("{PACKAGE}/EventTypes.java"), text)
}

fn constant(place: usize, told: &Told) -> String {
    let event = &told.event;
    let mut doc = vec![format!("{}.", told.doc)];
    let mut facts = match &event.id {
        Some(id) => format!("<p>HotSpot's {{@code {id}}}"),
        None => format!("<p>JVM TI's {{@code {}}}", event.name),
    };
    if event.since > 11 {
        facts.push_str(&format!(", since JDK {}", event.since));
    }
    facts.push('.');
    if event.id.is_some() {
        facts.push_str(
            " {@link Events#on} throws {@link NotSupportedException} where the JVM has none.",
        );
    }
    let link = |name: &String| format!("{{@link Capability#{}}}", name.to_uppercase());
    let capability = told.capability();
    if let Some(needed) = &capability {
        facts.push_str(&format!(" Needs {}.", link(needed)));
    }
    if !event.enhanced_by.is_empty() {
        let links: Vec<String> = event.enhanced_by.iter().map(link).collect();
        facts.push_str(&format!(" Told of more with {}.", links.join(" or ")));
    }
    if told.is_recorded() {
        facts.push_str(
            " No Java can run when it happens: it is recorded, and {@linkplain EventType#isRecorded() told later}.",
        );
    }
    if !event.by_thread && told.component(Kind::Thread).is_some() {
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
        (told.class_of.is_some() && !told.is_recorded(), "CLASS"),
        (
            told.class_of.is_some() && told.is_recorded(),
            "NAME_OF_CLASS",
        ),
        (
            told.component(Kind::Method).is_some() && !told.is_recorded(),
            "METHOD",
        ),
        (told.component(Kind::Size).is_some(), "SIZE"),
        (told.is_recorded(), "RECORDED"),
    ] {
        if has {
            traits.push(format!("EventType.Trait.{name}"));
        }
    }
    let (class, answer) = match told.answer {
        Answer::Nothing | Answer::Return => ("EventType", None),
        Answer::Bytes => ("AnswerableEventType", Some("byte[]")),
        Answer::Address => ("AnswerableEventType", Some("NativeAddress")),
    };
    let answers = answer
        .map(|answer| format!(", {answer}"))
        .unwrap_or_default();
    let mut items = vec![
        format!("\"{}\"", event.name),
        format!("{record}.class"),
        place.to_string(),
        capability,
    ];
    if let Some(answer) = answer {
        items.insert(2, format!("{answer}.class"));
    }
    items.extend(traits);
    let made = list(6, &format!("new {class}<>"), &items, ";");
    format!(
        "
{}  public static final {class}<{record}{answers}> {} =
{made}",
        javadoc("  ", &doc),
        told.constant(),
    )
}

/// `Upcalls`, whose methods native code calls.
fn upcalls(spec: &Spec) -> GeneratedFile {
    let methods: String = spec.told.iter().map(upcall).collect();
    let rehearsals: String = spec.told.iter().enumerate().map(rehearsal).collect();
    let all = || spec.told.iter().flat_map(|told| &told.components);
    let mut imports = imports_of(all());
    // Only records name what it is a set of.
    for only_in_records in ["java.util.Set", "java.time.Instant"] {
        imports.remove(only_in_records);
    }
    imports.extend(["io.jvmtools.internal.Maker", "io.jvmtools.internal.Makers"]);
    imports.extend([
        "io.jvmtools.internal.code.EventFields",
        "io.jvmtools.internal.code.EventMethods",
    ]);
    imports.insert("org.jspecify.annotations.Nullable");
    let imports: Vec<&str> = imports.into_iter().collect();
    let text = format!(
        "{}
package io.jvmtools.event;

{}/** Makes events of what native code has, which calls a method for each listener. */
abstract class Upcalls {{

  private static final Maker<Long, JvmMethod> METHODS = methods();
  private static final Maker<EventFields, JvmField> FIELDS = Makers.of(JvmField.class);

  /** The class that hands it over is initialised first. */
  private static Maker<Long, JvmMethod> methods() {{
    Makers.of(JvmMethod.class);
    return Makers.of(EventMethods.class);
  }}

  private static JvmMethod method(long id) {{
    return METHODS.make(id);
  }}

  private static Optional<JvmMethod> methodIfAny(long id) {{
    return id == 0 ? Optional.empty() : Optional.of(method(id));
  }}

  private static JvmField field(Class<?> type, long id) {{
    return FIELDS.make(new EventFields(type, id));
  }}

  private static List<InlinedCode> inlined(long[] numbers) {{
    return InlinedCode.of(numbers, METHODS);
  }}

  /** Whose code was at that address, as it was told before. */
  abstract Optional<JvmMethod> known(long id, long address);

  /** Tells the listener of that number, if there is one still. */
  abstract void tell(int listener, Object event);

  /** What the listener of that number answers; null if it leaves things as they are. */
  abstract @Nullable Object ask(int listener, Object event);

  /** Does what is done when an event of that kind happens, with things that stand for its own. */
  final void rehearse(int place, int listener, Props props) {{
    switch (place) {{
{rehearsals}      default -> throw new IllegalArgumentException(\"No kind has the place \" + place);
    }}
  }}
{methods}}}
",
        header("//", ALL),
        import_lines(&imports),
    );
    generated(format!("{PACKAGE}/Upcalls.java"), text)
}

/// A call with what native code never has: nothing of it is told to anybody.
fn rehearsal((place, told): (usize, &Told)) -> String {
    let stand_in = |(name, java): (String, &str)| {
        match java {
            "Thread" => "props.thread()",
            "Class<?>" => "props.type()",
            "Throwable" => "props.throwable()",
            "boolean" => "false",
            "byte[]" => "new byte[0]",
            "char" => "'L'",
            "int" | "long" if name == "field" => "props.field()",
            "int" | "long" if name.to_lowercase().ends_with("method") => "props.method()",
            "int" | "long" => "0",
            "long[]" => "new long[0]",
            "ClassLoader" | "ProtectionDomain" => "null",
            _ => "\"\"",
        }
        .to_owned()
    };
    let mut values = vec!["listener".to_owned()];
    let raw = told.components.iter().flat_map(Component::raw);
    values.extend(raw.map(stand_in));
    let call = |start: &str, indent| list(indent, start, &values, ";");
    let line = call(&format!("case {place} -> {}", told.java_method()), 6);
    match line.lines().count() {
        1 => line,
        _ => format!("      case {place} ->\n{}", call(&told.java_method(), 10)),
    }
}

fn upcall(told: &Told) -> String {
    let raw = |one: &Component| -> Vec<String> {
        let is_null = |java: &str| one.is_optional && !["long", "char"].contains(&java);
        let one = one.raw().into_iter();
        one.map(|(name, java)| match is_null(java) {
            true => format!("@Nullable {java} {name}"),
            false => format!("{java} {name}"),
        })
        .collect()
    };
    let mut parameters = vec!["int listener".to_owned()];
    parameters.extend(told.components.iter().flat_map(raw));
    let made: Vec<String> = told.components.iter().map(Component::made).collect();
    let (java, unboxed) = match told.answer {
        Answer::Nothing | Answer::Return => ("void", ""),
        Answer::Bytes => ("byte @Nullable []", "file"),
        Answer::Address => ("long", "address"),
    };
    let start = format!("final {java} {}", told.java_method());
    let record = format!("new {}", told.java_record());
    let event = format!("{record}({})", made.join(", "));
    // Indented by eight, with what ends the statement.
    let fits = "        listener, );".len() + event.len() <= WIDTH;
    let tell = match fits {
        _ if !unboxed.is_empty() => format!(
            "    return Values.{unboxed}(\n        ask(\n            listener,\n{}",
            list(12, &record, &made, "));")
        ),
        true => list(4, "tell", &["listener".to_owned(), event], ";"),
        false => format!(
            "    tell(\n        listener,\n{}",
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
