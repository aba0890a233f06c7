//! Turns the tables in `spec/` into checked-in source files.
//!
//! [`generate`] reads the tables below a project root and returns every generated file as text;
//! [`write()`] writes them, [`different`] says which ones on disk differ, and [`left_over`] which are there without a row. Nothing here reads a C
//! header: the tables hold the C types too, and `native/jvmti/tests/abi.rs` compares them with the
//! real headers.

mod asked;
mod boundary;
mod c_type;
mod emit;
mod error;
mod event;
mod java_text;
mod output;
mod spec;
mod text;
mod told;
mod tsv;

use std::path::Path;

pub use error::SpecError;
pub use output::{GeneratedFile, different, left_over, write};
use spec::Spec;

/// Every generated file, in a fixed order.
pub fn generate(root: &Path) -> Result<Vec<GeneratedFile>, SpecError> {
    // Cargo.toml has it for all members, this one included.
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let spec = Spec::load(&root.join("spec"), version)?;
    emit::all(&spec)
}
