//! The oracle's functions: what each observer answers, the natives of the one that asks the VM, what the library needs to
//! answer, what they are called with, and a call of each.

use std::collections::BTreeMap;

use crate::boundary::{Component, Native, snake};
use crate::java_text::{WIDTH, list};
use crate::output::{GeneratedFile, generated};
use crate::spec::Spec;
use crate::text::header;

const SOURCE: &[&str] = &["natives.tsv", "oracle.tsv"];

/// The functions of each stem, which is that of the class of our natives: `ThreadGroup`.
type Stems<'s> = BTreeMap<&'s str, Vec<&'s Native>>;

pub fn files(spec: &Spec) -> Vec<GeneratedFile> {
    let mut stems = Stems::new();
    for function in &spec.asked {
        let stem = function.class_name().trim_end_matches("Natives");
        stems.entry(stem).or_default().push(function);
    }
    let mut files = vec![all(&stems), natives(&stems), ours(&stems), samples(&stems)];
    files.extend(
        stems
            .iter()
            .map(|(stem, functions)| of_stem(stem, functions)),
    );
    files
}

fn of_stem(stem: &str, functions: &[&Native]) -> GeneratedFile {
    let mut methods = String::new();
    for function in functions {
        let start = format!("String {}", function.name);
        methods.push_str(&list(2, &start, &parameters(function), ";"));
        methods.push('\n');
    }
    let text = format!(
        "import java.util.List;

/** What every observer is asked of the stem {{@code {}}}. */
public interface {stem}Functions {{

{methods}  /** A call of each. */
  static List<Call> calls(Arguments any) {{
{}  }}
}}
",
        snake(stem),
        calls(functions)
    );
    file("asked", &format!("{stem}Functions"), &text)
}

fn calls(functions: &[&Native]) -> String {
    let calls: Vec<_> = functions
        .iter()
        .map(|function| (function.function(), call(function)))
        .collect();
    if let [(name, call)] = calls.as_slice() {
        let line = format!("    return List.of(new Call(\"{name}\", o -> {call}));\n");
        if line.trim_end().len() <= WIDTH {
            return line;
        }
    }
    let mut text = "    return List.of(\n".to_owned();
    for (index, (name, call)) in calls.iter().enumerate() {
        let end = if index + 1 < calls.len() { "," } else { ");" };
        let mut lambda = format!("o -> {call}");
        // Behind twelve spaces, and before a parenthesis.
        if 12 + lambda.len() + 1 + end.len() > WIDTH {
            lambda = format!("o ->\n                {call}");
        }
        text.push_str(&list(8, "new Call", &[format!("\"{name}\""), lambda], end));
    }
    text
}

/// `o.getTag(any.object())`: what is passed for a parameter is called like it.
fn call(function: &Native) -> String {
    let arguments = function.parameters.iter();
    let arguments: Vec<String> = arguments.map(|one| format!("any.{}()", one.name)).collect();
    format!("o.{}({})", function.name, arguments.join(", "))
}

fn all(stems: &Stems) -> GeneratedFile {
    let interfaces: Vec<String> = stems
        .keys()
        .map(|stem| format!("{stem}Functions"))
        .collect();
    let calls = interfaces
        .iter()
        .map(|one| format!("    calls.addAll({one}.calls(any));\n"));
    let text = format!(
        "import java.util.ArrayList;
import java.util.List;

/** What every observer is asked. */
public interface Functions
    extends {} {{

  /** A call of each. */
  static List<Call> calls(Arguments any) {{
    List<Call> calls = new ArrayList<>();
{}    return calls;
  }}
}}
",
        interfaces.join(",\n        "),
        calls.collect::<String>()
    );
    file("asked", "Functions", &text)
}

fn natives(stems: &Stems) -> GeneratedFile {
    let mut natives = String::new();
    for function in stems.values().flatten() {
        let start = format!("public native String {}", function.name);
        natives.push_str("\n  @Override\n");
        natives.push_str(&list(2, &start, &parameters(function), ";"));
    }
    let text = format!(
        "import io.jvmtools.oracle.asked.Observer;

/** The functions as {{@code tests/oracle/cpp}} asks the VM, each in the file of its stem. */
public abstract class VmNatives implements Observer {{

  VmNatives() {{}}
{natives}}}
"
    );
    file("vm", "VmNatives", &text)
}

/// An interface of each stem, written by hand.
fn ours(stems: &Stems) -> GeneratedFile {
    let interfaces: Vec<String> = stems.keys().map(|stem| format!("Ours{stem}")).collect();
    let text = format!(
        "/** The library's answers: {{@code Ours<Stem>}} for each stem. */
interface OursOfEachStem
    extends {} {{}}
",
        interfaces.join(",\n        ")
    );
    file("ours", "OursOfEachStem", &text)
}

/// What is passed for each parameter where nothing better is written by hand: what any function of our API takes.
fn samples(stems: &Stems) -> GeneratedFile {
    let parameters = stems.values().flatten().flat_map(|one| &one.parameters);
    let kinds: BTreeMap<&str, String> = parameters
        .map(|one| (one.name.as_str(), one.kind.java_type()))
        .collect();
    let mut defaults = String::new();
    for (name, kind) in kinds {
        let raw = kind.replace("<?>", "");
        defaults.push_str(&format!(
            "\n  default {kind} {name}() {{\n    return Samples.good({raw}.class);\n  }}\n"
        ));
    }
    let text = format!(
        "import io.jvmtools.support.Samples;

/** What functions are called with, by the names of their parameters. */
interface SampleArguments {{
{defaults}}}
"
    );
    file("asked", "SampleArguments", &text)
}

/// An array at the end is as many arguments as one likes.
fn parameters(function: &Native) -> Vec<String> {
    let last = function.parameters.len().saturating_sub(1);
    let text = |(index, one): (usize, &Component)| {
        let kind = one.kind.java();
        let kind = match kind.strip_suffix("[]") {
            Some(element) if index == last => format!("{element}..."),
            _ => kind,
        };
        format!("{kind} {}", one.name)
    };
    function.parameters.iter().enumerate().map(text).collect()
}

fn file(room: &str, class: &str, text: &str) -> GeneratedFile {
    generated(
        format!("tests/oracle/java/io/jvmtools/oracle/{room}/{class}.java"),
        format!(
            "{}\npackage io.jvmtools.oracle.{room};\n\n{text}",
            header("//", SOURCE)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boundary::JavaType;

    fn function(name: &str, parameters: &[(&str, &str, bool)]) -> Native {
        let parameter = |(name, base, array): &(&str, &str, bool)| Component {
            name: (*name).to_owned(),
            kind: JavaType {
                base: (*base).to_owned(),
                base_nullable: false,
                array: array.then_some(false),
            },
            doc: String::new(),
        };
        Native {
            class: "thread/ThreadNatives".to_owned(),
            name: name.to_owned(),
            parameters: parameters.iter().map(parameter).collect(),
            result: None,
            doc: String::new(),
        }
    }

    #[test]
    fn only_an_array_at_the_end_is_as_many_as_one_likes() {
        let list = function("f", &[("threads", "Thread", true), ("tags", "long", true)]);
        assert_eq!(parameters(&list), ["Thread[] threads", "long... tags"]);
        assert!(parameters(&function("f", &[])).is_empty());
    }

    #[test]
    fn a_call_is_broken_up_where_the_line_ends() {
        let short = function("getTag", &[("object", "Object", false)]);
        let call = "new Call(\"GetTag\", o -> o.getTag(any.object()))";
        assert_eq!(calls(&[&short]), format!("    return List.of({call});\n"));
        let long = function(
            "getNameThatIsSoLongThatItStandsAlone",
            &[("parameterOne", "int", false), ("two", "int", false)],
        );
        let lines = format!(
            "    return List.of(
        {call},
        new Call(
            \"GetNameThatIsSoLongThatItStandsAlone\",
            o -> o.getNameThatIsSoLongThatItStandsAlone(any.parameterOne(), any.two())));\n"
        );
        assert_eq!(calls(&[&short, &long]), lines);
    }
}
