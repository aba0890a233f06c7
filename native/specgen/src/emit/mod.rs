//! One module per generated file, or per family of files.

mod bridge;
mod callbacks;
mod capabilities;
mod capability_page;
mod door;
mod error_names;
mod functions;
mod java_capability;
mod java_facts;
mod jni_functions;
mod listener;
mod natives;
mod numbers;
mod oracle;
mod probe;
mod records;
mod table;
mod told;
mod told_rows;

use crate::error::SpecError;
use crate::output::GeneratedFile;
use crate::spec::Spec;

/// Every generated file.
pub fn all(spec: &Spec) -> Result<Vec<GeneratedFile>, SpecError> {
    let mut files = functions::files(spec)?;
    files.push(table::file(spec));
    files.push(callbacks::file(spec)?);
    files.push(listener::file(spec)?);
    files.extend(numbers::files(spec));
    files.push(capabilities::file(spec));
    files.push(capability_page::file(spec));
    files.push(bridge::rust(spec));
    files.push(bridge::java(spec));
    files.push(java_capability::file(spec));
    files.push(java_facts::file(spec));
    files.push(jni_functions::rust(spec));
    files.push(jni_functions::java(spec));
    files.extend(natives::java(spec));
    files.extend(natives::rust(spec));
    files.extend(records::java(spec));
    files.push(records::rust(spec));
    files.extend(bridge::list(spec));
    files.extend(probe::files(spec));
    files.extend(oracle::files(spec));
    files.extend(told::files(spec));
    files.push(error_names::file(spec));
    Ok(files)
}
