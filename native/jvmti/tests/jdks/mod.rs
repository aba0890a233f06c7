//! The JDKs of `tests/jdks.tsv`, for tests that start a JVM of each.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A row that `gradle/jdks` prints.
pub struct Jdk {
    pub name: String,
    /// The command, or the reason why there is none.
    pub java: Result<PathBuf, String>,
}

/// Of the project: whoever asks lies at any depth below it.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = own.ancestors().find(|one| one.join("gradle/jdks").exists());
    root.expect("it is a part of the project").to_owned()
}

/// Standard output of a command, or why there is none.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
}

/// All of them, whether they are here or not.
pub fn jdks() -> Vec<Jdk> {
    let rows = output(&mut Command::new(root().join("gradle/jdks"))).unwrap();
    let jdk = |row: &str| {
        let columns: Vec<_> = row.split('\t').collect();
        let [name, _feature, java, what] = columns[..] else {
            panic!("gradle/jdks prints {row:?}");
        };
        Jdk {
            name: name.to_owned(),
            java: match java {
                "-" => Err(what.to_owned()),
                java => Ok(PathBuf::from(java)),
            },
        }
    };
    rows.lines().map(jdk).collect()
}
