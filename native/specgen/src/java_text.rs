//! Java as google-java-format lays it out, so that generated files need no formatting.

use crate::boundary::{Component, JavaType};

/// google-java-format's line width.
pub const WIDTH: usize = 100;

/// A comment of `text` and, for each component, a `@param`.
pub fn javadoc(indent: usize, text: &str, parameters: &[Component]) -> String {
    let space = " ".repeat(indent);
    let line = format!("{space}/** {text}. */\n");
    if parameters.is_empty() && line.trim_end().chars().count() <= WIDTH {
        return line;
    }
    let start = format!("{space} *");
    let mut lines = vec![format!("{space}/**")];
    lines.extend(wrapped(&start, &format!("{text}."), ""));
    if !parameters.is_empty() {
        lines.push(start.clone());
    }
    for one in parameters {
        let text = format!("@param {} {}", one.name, one.doc);
        lines.extend(wrapped(&start, &text, "    "));
    }
    lines.push(format!("{space} */\n"));
    lines.join("\n")
}

/// As many words on each line as fit; those after the first are indented.
fn wrapped(start: &str, text: &str, indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = start.to_owned();
    let mut empty = true;
    for word in words(text) {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(line);
            line = format!("{start}{indent}");
        }
        line.push(' ');
        line.push_str(word);
        empty = false;
    }
    lines.push(line);
    lines
}

/// Separated by spaces, those in braces not counted.
fn words(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let separate = |letter: char| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        letter == ' ' && depth == 0
    };
    text.split(separate).collect()
}

/// `start(int a, int b)end`, on one line or broken up.
pub fn declaration(indent: usize, start: &str, parameters: &[Component], end: &str) -> String {
    let text = |one: &Component| format!("{} {}", one.kind.java(), one.name);
    let parameters: Vec<String> = parameters.iter().map(text).collect();
    list(indent, start, &parameters, end)
}

/// `start(a, b)end`: on one line, or the items on the next, or each on its own.
pub fn list(indent: usize, start: &str, items: &[String], end: &str) -> String {
    let space = " ".repeat(indent);
    let all = items.join(", ");
    let line = format!("{space}{start}({all}){end}\n");
    if fits(&line) {
        return line;
    }
    let line = format!("{space}    {all}){end}\n");
    if fits(&line) {
        return format!("{space}{start}(\n{line}");
    }
    let all = items.join(&format!(",\n{space}    "));
    format!("{space}{start}(\n{space}    {all}){end}\n")
}

fn fits(line: &str) -> bool {
    let line = line.trim_end();
    line.len() <= WIDTH && !line.contains('\n')
}

/// The import that `@Nullable` takes, if one of the types does.
pub fn imports<'t>(mut kinds: impl Iterator<Item = &'t JavaType>) -> &'static str {
    if kinds.any(|kind| kind.java().contains("@Nullable")) {
        return "import org.jspecify.annotations.Nullable;\n\n";
    }
    ""
}
