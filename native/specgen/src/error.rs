//! What can be wrong with the tables.

use std::io;

/// What can be wrong with a table.
#[derive(Debug, thiserror::Error)]
pub enum SpecError {
    /// A table cannot be read.
    #[error("{file}: {source}")]
    Unreadable {
        /// Name of the table.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// A row has more or fewer cells than the header.
    #[error("{place}: {found} cells where the header has {wanted}")]
    Width {
        /// Table and line.
        place: String,
        /// Cells of the row.
        found: usize,
        /// Cells of the header.
        wanted: usize,
    },
    /// A cell is not what its column holds.
    #[error("{place}, column {column}: {problem}")]
    Cell {
        /// Table and line.
        place: String,
        /// The header of the cell.
        column: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Two rows or two tables do not fit together.
    #[error("{0}")]
    Inconsistent(String),
}
