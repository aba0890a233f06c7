//! `specgen` writes the generated files, and removes those of rows that are gone; `specgen --check` names both and exits with 1.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut out = io::stdout().lock();
    match run(&mut out) {
        Ok(code) => code,
        Err(error) => {
            // A broken standard error leaves only the exit code to report with.
            let _ = writeln!(io::stderr(), "specgen: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(out: &mut impl Write) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let check = match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => return Err("usage: specgen [--check]".into()),
    };
    let root = project_root()?;
    let files = specgen::generate(&root)?;
    let different = specgen::different(&root, &files)?;
    let left_over = specgen::left_over(&root, &files)?;
    if check {
        for path in &different {
            writeln!(out, "differs from spec/: {}", path.display())?;
        }
        for path in &left_over {
            writeln!(out, "of no row of spec/: {}", path.display())?;
        }
        let differs = !different.is_empty() || !left_over.is_empty();
        return Ok(ExitCode::from(u8::from(differs)));
    }
    specgen::write(&root, &files)?;
    for path in &left_over {
        std::fs::remove_file(root.join(path))?;
        writeln!(out, "removed {}", path.display())?;
    }
    for path in &different {
        writeln!(out, "wrote {}", path.display())?;
    }
    writeln!(
        out,
        "{} generated files, {} changed",
        files.len(),
        different.len()
    )?;
    Ok(ExitCode::SUCCESS)
}

/// The nearest directory, from the current one upwards, that holds `spec/functions.tsv`.
fn project_root() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let here = std::env::current_dir()?;
    here.ancestors()
        .find(|dir| dir.join("spec/functions.tsv").is_file())
        .map(PathBuf::from)
        .ok_or_else(|| "no spec/functions.tsv here or above".into())
}
