//! What the oracle asks each of its observers: the functions of our natives, without the handle.

use std::collections::HashSet;
use std::path::Path;

use crate::boundary::{HANDLE, JavaType, Native, parameters};
use crate::error::SpecError;
use crate::tsv;

/// Those functions of the specification that have a native, with the parameters of `oracle.tsv` where it has a row, and
/// those that only it has.
pub fn asked(
    dir: &Path,
    functions: &HashSet<&str>,
    natives: &[Native],
) -> Result<Vec<Native>, SpecError> {
    let is_function = |one: &Native| functions.contains(one.function().as_str());
    let mut asked: Vec<Native> = natives
        .iter()
        .filter(|one| is_function(one))
        .cloned()
        .collect();
    for row in tsv::read(&dir.join("oracle.tsv"))? {
        let name = row.name("name")?;
        let parameters = parameters(&row)?;
        if let Some(known) = asked.iter_mut().find(|known| known.name == name) {
            known.parameters = parameters;
            continue;
        }
        let own = Native {
            class: row.name("class")?,
            name,
            parameters,
            result: None,
            doc: String::new(),
        };
        if !is_function(&own) {
            return Err(row.wrong("name", "no function of the specification"));
        }
        asked.push(own);
    }
    for one in &mut asked {
        one.parameters.retain(|parameter| parameter.name != HANDLE);
        for parameter in &mut one.parameters {
            parameter.kind = never_null(&parameter.kind);
        }
    }
    Ok(asked)
}

/// An observer always gets something.
fn never_null(kind: &JavaType) -> JavaType {
    JavaType {
        base: kind.base.clone(),
        base_nullable: false,
        array: kind.array.map(|_| false),
    }
}
