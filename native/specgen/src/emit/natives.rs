//! The natives: their Java declarations, and the rows that register them.

use std::collections::BTreeSet;

use crate::boundary::{Component, JavaType, Native, camel, snake};
use crate::java_text::{declaration, imports, javadoc};
use crate::output::{GeneratedFile, generated};
use crate::spec::Spec;
use crate::text::{array_of, header, use_declaration};

const SOURCE: &[&str] = &["natives.tsv"];

/// The Rust file of the rows, and their folder.
const ROWS: &str = "native/agent/src/natives/rows";

const INTERNAL: &str = "java/io/jvmtools/internal";

/// The natives of each class, in the order of the table.
fn classes(spec: &Spec) -> Vec<&[Native]> {
    spec.natives
        .chunk_by(|one, next| one.class == next.class)
        .collect()
}

/// One Java class for each.
pub fn java(spec: &Spec) -> Vec<GeneratedFile> {
    let file = |natives: &&[Native]| java_class(spec, natives);
    classes(spec).iter().map(file).collect()
}

fn java_class(spec: &Spec, natives: &[Native]) -> GeneratedFile {
    let class = &natives[0].class;
    let name = natives[0].class_name();
    let kinds = natives.iter().flat_map(|native| {
        let parameters = native.parameters.iter().map(|one| &one.kind);
        parameters.chain(&native.result)
    });
    let (root, package) = match class.split_once('/') {
        Some((room, _)) => (format!("java/api/src/main/{INTERNAL}"), format!(".{room}")),
        None => (format!("tests/support/{INTERNAL}"), String::new()),
    };
    let current = natives.iter().flat_map(|native| &native.parameters);
    let current = current.filter(|one| one.kind.java() == "@Nullable Thread");
    let about = match current.count() {
        0 => "",
        _ => ". A null thread is the current one",
    };
    let about = format!(
        "What {{@code natives/{}.rs}} answers{about}",
        natives[0].module()
    );
    let mut text = format!(
        "{}\npackage io.jvmtools.internal{package};\n\n{}{}public final class {name} {{\n\n  private {name}() {{}}\n",
        header("//", SOURCE),
        imports(kinds),
        javadoc(0, &about, &[]),
    );
    for native in natives {
        let result = native.result.as_ref();
        let result = result.map_or("void".to_owned(), JavaType::java);
        let start = format!("public static native {result} {}", native.name);
        text.push('\n');
        text.push_str(&javadoc(2, &doc(spec, native), &[]));
        text.push_str(&declaration(2, &start, &native.parameters, ";"));
    }
    text.push_str("}\n");
    generated(format!("{root}/{class}.java"), text)
}

/// The function that it is, the record that it answers with, and what else there is to say.
fn doc(spec: &Spec, native: &Native) -> String {
    let mut parts = Vec::new();
    let function = native.function();
    if spec.functions.iter().any(|known| known.name == function) {
        parts.push(function);
    }
    let mut doc = native.doc.clone();
    if let Some(record) = native.result.as_ref().filter(|kind| kind.is_record()) {
        let article = match record.base.starts_with(['A', 'E', 'I', 'O', 'U']) {
            true => "an",
            false => "a",
        };
        let record = format!("{article} {{@link {}}}", record.base);
        match parts.is_empty() {
            true => doc = format!("{doc}: {record}"),
            false => parts.push(record),
        }
    }
    if !doc.is_empty() {
        parts.push(doc);
    }
    parts.join(", ")
}

/// The rows of all classes: a file for each room, and one that lists the classes.
pub fn rust(spec: &Spec) -> Vec<GeneratedFile> {
    let classes = classes(spec);
    let rooms: BTreeSet<&str> = classes.iter().map(|natives| room(natives)).collect();
    let mut files: Vec<_> = rooms
        .iter()
        .map(|name| {
            let of_it = classes.iter().filter(|natives| room(natives) == *name);
            rows_of_a_room(name, of_it)
        })
        .collect();
    files.push(groups(&rooms, &classes));
    files
}

/// The room of a class; those of no room are in `tests/support`.
fn room(natives: &[Native]) -> &str {
    let class = natives[0].class.split_once('/');
    class.map_or("support", |(room, _)| room)
}

fn groups(rooms: &BTreeSet<&str>, classes: &[&[Native]]) -> GeneratedFile {
    let modules: String = rooms.iter().map(|room| format!("mod {room};\n")).collect();
    let mut groups = String::new();
    for natives in classes {
        let Native { class, .. } = &natives[0];
        let (room, module) = (room(natives), natives[0].module());
        let optional = !class.contains('/');
        groups.push_str(&format!(
            "    Group {{
        class: jni_str!(\"{class}\"),
        methods: {room}::{module},
        optional: {optional},
    }},\n"
        ));
    }
    let text = format!(
        "{}

//! What is registered when a copy of the Java classes binds itself; each row is checked against its
//! function when compiled.

{modules}
use jni::jni_str;

use crate::boundary::context::Group;

pub(crate) const GROUPS: &[Group] = &[
{groups}];
",
        header("//", SOURCE)
    );
    generated(format!("{ROWS}.rs"), text)
}

fn rows_of_a_room<'n>(
    room: &str,
    classes: impl Iterator<Item = &'n &'n [Native]>,
) -> GeneratedFile {
    let mut functions = String::new();
    for natives in classes {
        let module = natives[0].module();
        let rows: Vec<String> = natives.iter().map(row).collect();
        let rows = array_of(4, &rows);
        // By name, so that the compiler says which file lacks one.
        let names = natives.iter().map(|native| snake(&native.name)).collect();
        let bodies = use_declaration(4, &format!("crate::natives::{module}"), &names);
        functions.push_str(&format!(
            "
pub(super) fn {module}() -> Vec<NativeMethod<'static>> {{
{bodies}    vec!{rows}
}}\n"
        ));
    }
    let text = format!(
        "{}

//! The rows of the Java room `{room}`.

use jni::NativeMethod;

use crate::natives::row::native;
{functions}",
        header("//", SOURCE)
    );
    generated(format!("{ROWS}/{room}.rs"), text)
}

fn row(native: &Native) -> String {
    let function = snake(&native.name);
    let parameters: Vec<String> = native.parameters.iter().map(parameter).collect();
    let result = native.result.as_ref();
    let result = result.map_or(String::new(), |kind| format!(" -> {}", row_type(kind)));
    let name = match camel(&function) == native.name {
        true => String::new(),
        false => format!(", name = \"{}\"", native.name),
    };
    let list = parameters.join(", ");
    let line = format!("native!({function}({list}){result}{name})");
    // With the space before it and the comma behind.
    if line.len() <= 100 - 9 {
        return line;
    }
    let list = parameters.join(",\n            ");
    format!("native!({function}(\n            {list},\n        ){result}{name})")
}

fn parameter(one: &Component) -> String {
    format!("{}: {}", one.rust_name(), row_type(&one.kind))
}

/// As `native_method!` writes it.
fn row_type(kind: &JavaType) -> String {
    let array = if kind.array.is_some() { "[]" } else { "" };
    let base = match kind.base.as_str() {
        base @ ("boolean" | "byte" | "double" | "float" | "int" | "long") => format!("j{base}"),
        base @ ("Object" | "String") => format!("J{base}"),
        _ if kind.is_record() => "JObject".to_owned(),
        base => format!("java.lang.{base}"),
    };
    base + array
}
