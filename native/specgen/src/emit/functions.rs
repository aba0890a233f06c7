//! `sys/functions/<stem>.rs`: the type of every function in the table.

use crate::c_type::{Imports, rust_type};
use crate::error::SpecError;
use crate::output::{GeneratedFile, SYS, generated};
use crate::spec::{Function, Spec};
use crate::text::{function_type, header};

const SOURCES: &[&str] = &["functions.tsv", "parameters.tsv"];

pub fn files(spec: &Spec) -> Result<Vec<GeneratedFile>, SpecError> {
    let mut files = vec![generated(format!("{SYS}/functions/mod.rs"), module(spec))];
    for stem in spec.stems() {
        files.push(generated(
            format!("{SYS}/functions/{stem}.rs"),
            stem_file(spec, stem)?,
        ));
    }
    Ok(files)
}

fn module(spec: &Spec) -> String {
    let mut text = header("//", SOURCES);
    text.push_str("\n\n//! The type of every function, named as in C, one file per stem.\n\n");
    for stem in spec.stems() {
        text.push_str(&format!("mod {stem};\n"));
    }
    text.push('\n');
    for stem in spec.stems() {
        text.push_str(&format!("pub use {stem}::*;\n"));
    }
    text
}

fn stem_file(spec: &Spec, stem: &str) -> Result<String, SpecError> {
    let mut imports = Imports::default();
    imports.sys("Env");
    imports.sys("Error");
    let mut types = String::new();
    let mut categories: Vec<&str> = Vec::new();
    for function in spec
        .functions
        .iter()
        .filter(|function| function.stem == stem)
    {
        if !categories.contains(&function.category.as_str()) {
            categories.push(&function.category);
        }
        types.push('\n');
        types.push_str(&one(spec, function, &mut imports)?);
    }
    let categories = categories.join(", ");
    Ok(format!(
        "{}\n\n//! {categories}.\n\n{}{types}",
        header("//", SOURCES),
        imports.render()
    )
    .replace(";\n\n\n", ";\n\n"))
}

fn one(spec: &Spec, function: &Function, imports: &mut Imports) -> Result<String, SpecError> {
    let mut parameters = vec![("env".to_owned(), "*mut Env".to_owned())];
    for parameter in &function.parameters {
        let kind = match parameter.c_type.as_str() {
            "..." => "...".to_owned(),
            c_type => rust_type(spec, c_type, imports)?,
        };
        parameters.push((parameter.name.clone(), kind));
    }
    let Function {
        slot, name, since, ..
    } = function;
    Ok(format!(
        "/// Slot {slot}, since JDK {since}.\n{}",
        function_type(name, &parameters, Some("Error"))
    ))
}
