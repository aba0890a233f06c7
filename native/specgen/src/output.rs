//! Generated files on disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where the raw bindings live.
pub const SYS: &str = "native/jvmti/src/sys";

/// A generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Where it is, below the project root.
    pub path: PathBuf,
    /// All of it.
    pub text: String,
}

/// A file of this text.
pub fn generated(path: impl Into<PathBuf>, text: String) -> GeneratedFile {
    GeneratedFile {
        path: path.into(),
        text,
    }
}

/// The paths whose file is missing or has another text.
pub fn different(root: &Path, files: &[GeneratedFile]) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for file in files {
        match fs::read(root.join(&file.path)) {
            Ok(bytes) if bytes == file.text.as_bytes() => {}
            Ok(_) => paths.push(file.path.clone()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => paths.push(file.path.clone()),
            Err(error) => return Err(error),
        }
    }
    Ok(paths)
}

/// Writes every file that differs; the others keep their modification time.
pub fn write(root: &Path, files: &[GeneratedFile]) -> io::Result<()> {
    let changed = different(root, files)?;
    for file in files.iter().filter(|file| changed.contains(&file.path)) {
        let path = root.join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &file.text)?;
    }
    Ok(())
}
