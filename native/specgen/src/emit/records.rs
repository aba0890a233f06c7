//! The records that natives answer with: in Java, and how native code makes them.

use crate::boundary::{Component, JavaType, Record, descriptors};
use crate::java_text::{declaration, imports, javadoc};
use crate::output::{GeneratedFile, generated};
use crate::spec::Spec;
use crate::text::{array_of, header};

const SOURCE: &[&str] = &["records.tsv"];

/// One Java record for each.
pub fn java(spec: &Spec) -> Vec<GeneratedFile> {
    spec.records.iter().map(java_record).collect()
}

fn java_record(record: &Record) -> GeneratedFile {
    let name = record.simple_name();
    let package = record.name.trim_end_matches(name).trim_end_matches('/');
    let arrays = record.components.iter().any(|one| one.kind.array.is_some());
    let warning = match arrays {
        true => "@SuppressWarnings(\"ArrayRecordComponent\") // Read once, never compared.\n",
        false => "",
    };
    let text = format!(
        "{}\npackage io.jvmtools.internal.{package};\n\n{}{}{warning}{}",
        header("//", SOURCE),
        imports(record.components.iter().map(|one| &one.kind)),
        javadoc(0, &record.doc, &record.components),
        declaration(
            0,
            &format!("public record {name}"),
            &record.components,
            " {}"
        ),
    );
    let path = format!(
        "java/api/src/main/java/io/jvmtools/internal/{}.java",
        record.name
    );
    generated(path, text)
}

/// How each is made.
pub fn rust(spec: &Spec) -> GeneratedFile {
    let records = &spec.records;
    let fields: String = records
        .iter()
        .map(|record| format!("    {}: Constructor,\n", record.stem()))
        .collect();
    let found: String = records.iter().map(found).collect();
    let structs: String = records.iter().map(rust_struct).collect();
    let text = format!(
        "{}

//! The Java records that natives answer with.

use jni::Env;
use jni::objects::{{
    JClass, JClassLoader, JIntArray, JLongArray, JObject, JObjectArray, JString, JThread,
}};
use jni::sys::{{jint, jlong}};
use jvmti::JThreadGroup;

use crate::boundary::constructor::{{Constructor, boolean, int, long, or_null}};
use crate::failure::Outcome;

/// How to make each record of one copy of the Java classes.
pub(crate) struct Records {{
{fields}}}

impl Records {{
    pub(super) fn find(jni: &mut Env<'_>, package: &str) -> Outcome<Self> {{
        let mut find =
            |name: &str, components: &str| Constructor::find(jni, package, name, components);
        Ok(Self {{
{found}        }})
    }}
}}
{structs}",
        header("//", SOURCE)
    );
    generated("native/agent/src/boundary/records.rs", text)
}

fn found(record: &Record) -> String {
    let (stem, name) = (record.stem(), &record.name);
    let components = descriptors(&record.components);
    let arguments = format!("\"{name}\", \"{components}\"");
    let line = format!("            {stem}: find({arguments})?,\n");
    // rustfmt gives the arguments of a call sixty columns of one line.
    if arguments.len() <= 60 {
        return line;
    }
    let pieces: Vec<String> = record
        .components
        .chunks(4)
        .map(|some| format!("                    \"{}\",\n", descriptors(some)))
        .collect();
    match pieces.as_slice() {
        [_] | [_, _] if components.len() <= 80 => format!(
            "            {stem}: find(
                \"{name}\",
                \"{components}\",
            )?,\n"
        ),
        pieces => format!(
            "            {stem}: find(
                \"{name}\",
                concat!(
{}                ),
            )?,\n",
            pieces.concat()
        ),
    }
}

fn rust_struct(record: &Record) -> String {
    let name = record.simple_name();
    let fields: String = record
        .components
        .iter()
        .map(|one| {
            format!(
                "    pub(crate) {}: {},\n",
                one.rust_name(),
                field_type(&one.kind)
            )
        })
        .collect();
    let values: Vec<String> = record.components.iter().map(value).collect();
    let lifetime = match record.components.iter().all(|one| one.kind.is_primitive()) {
        true => "",
        false => "<'a>",
    };
    let (parameter, used) = (lifetime, lifetime.replace("'a", "'_"));
    format!(
        "
/// {}.
pub(crate) struct {name}{parameter} {{
{fields}}}

impl {name}{used} {{
    pub(crate) fn make<'l>(&self, jni: &mut Env<'l>, records: &Records) -> Outcome<JObject<'l>> {{
        let args = {};
        // SAFETY: the arguments are those of the constructor, for both are of one row of the table.
        unsafe {{ records.{}.construct(jni, &args) }}
    }}
}}\n",
        record.doc.split(". ").next().unwrap_or_default(),
        array_of(8, &values),
        record.stem()
    )
}

fn field_type(kind: &JavaType) -> String {
    let element = match kind.base.as_str() {
        "boolean" => "bool".to_owned(),
        base @ ("byte" | "double" | "float" | "int" | "long") => format!("j{base}"),
        base => format!("J{base}<'a>"),
    };
    if kind.is_primitive() {
        return element;
    }
    let reference = match (kind.array, kind.base.as_str()) {
        (None, _) => format!("&'a {element}"),
        (Some(_), "int") => "&'a JIntArray<'a>".to_owned(),
        (Some(_), "long") => "&'a JLongArray<'a>".to_owned(),
        (Some(_), _) => format!("&'a JObjectArray<'a, {element}>"),
    };
    match kind.is_nullable() {
        true => format!("Option<{reference}>"),
        false => reference,
    }
}

fn value(one: &Component) -> String {
    let name = one.rust_name();
    if one.kind.is_primitive() {
        return format!("{}(self.{name})", one.kind.base);
    }
    match one.kind.is_nullable() {
        true => format!("or_null(self.{name})"),
        false => format!("or_null(Some(self.{name}))"),
    }
}
