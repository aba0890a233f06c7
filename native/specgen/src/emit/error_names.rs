//! The names of the errors, as the registry of the tests writes them.

use crate::java_text::WIDTH;
use crate::output::{GeneratedFile, generated};
use crate::spec::Spec;
use crate::text::header;

pub fn file(spec: &Spec) -> GeneratedFile {
    let constants: String = spec
        .errors
        .iter()
        .map(|error| error.name.trim_start_matches("JVMTI_ERROR_"))
        .map(constant)
        .collect();
    let header = header("//", &["errors.tsv"]);
    let text = format!(
        "{header}
package io.jvmtools.functions.errors;

/** Every error, called as the table of functions calls it. */
final class ErrorNames {{

{constants}
  private ErrorNames() {{}}
}}
"
    );
    generated(
        "tests/functions/java/io/jvmtools/functions/errors/ErrorNames.java",
        text,
    )
}

fn constant(name: &str) -> String {
    let start = format!("  static final String {name} =");
    let value = format!("\"{name}\";\n");
    let space = match start.len() + value.len() <= WIDTH {
        true => " ",
        false => "\n      ",
    };
    format!("{start}{space}{value}")
}
