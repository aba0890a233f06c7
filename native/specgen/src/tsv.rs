//! Tab-separated tables: one header row, no quoting.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::error::SpecError;

/// One row, its cells named by the header.
#[derive(Debug, Clone)]
pub struct Row {
    place: String,
    cells: HashMap<String, String>,
}

impl Row {
    /// The text of a column; an unknown column is an error.
    pub fn text(&self, column: &str) -> Result<String, SpecError> {
        self.cells
            .get(column)
            .cloned()
            .ok_or_else(|| self.wrong(column, "no such column"))
    }

    /// A cell that must not be empty.
    pub fn name(&self, column: &str) -> Result<String, SpecError> {
        match self.text(column)? {
            text if text.is_empty() => Err(self.wrong(column, "must not be empty")),
            text => Ok(text),
        }
    }

    /// A decimal number.
    pub fn number<T: std::str::FromStr>(&self, column: &str) -> Result<T, SpecError> {
        self.text(column)?
            .parse()
            .map_err(|_| self.wrong(column, "not a number"))
    }

    /// `yes` or `no`.
    pub fn flag(&self, column: &str) -> Result<bool, SpecError> {
        match self.text(column)?.as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(self.wrong(column, "neither yes nor no")),
        }
    }

    /// A comma-separated list; an empty cell is an empty list.
    pub fn list(&self, column: &str) -> Result<Vec<String>, SpecError> {
        let text = self.text(column)?;
        Ok(text
            .split(',')
            .filter(|item| !item.is_empty())
            .map(String::from)
            .collect())
    }

    /// An error that names this row.
    pub fn wrong(&self, column: &str, problem: &str) -> SpecError {
        SpecError::Cell {
            place: self.place.clone(),
            column: column.to_owned(),
            problem: problem.to_owned(),
        }
    }
}

/// Reads a table file.
pub fn read(path: &Path) -> Result<Vec<Row>, SpecError> {
    let name = path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let text = fs::read_to_string(path).map_err(|source| SpecError::Unreadable {
        file: name.clone(),
        source,
    })?;
    parse(&name, &text)
}

/// Parses the text of a table; `file` names it in errors.
pub fn parse(file: &str, text: &str) -> Result<Vec<Row>, SpecError> {
    let mut lines = text.lines().enumerate();
    let header: Vec<&str> = match lines.next() {
        Some((_, line)) => line.split('\t').collect(),
        None => Vec::new(),
    };
    lines
        .map(|(index, line)| {
            let place = format!("{file}:{}", index + 1);
            let cells: Vec<&str> = line.split('\t').collect();
            if cells.len() != header.len() {
                return Err(SpecError::Width {
                    place,
                    found: cells.len(),
                    wanted: header.len(),
                });
            }
            let cells = header
                .iter()
                .zip(cells)
                .map(|(h, c)| (h.to_string(), c.to_owned()));
            Ok(Row {
                place,
                cells: cells.collect(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_by_their_header() {
        let rows = parse("t.tsv", "name\tsince\tlist\nA\t5\t\nB\t21\tx,y\n").unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].name("name").unwrap(), "B");
        assert_eq!(rows[1].number::<u32>("since").unwrap(), 21);
        assert_eq!(rows[0].list("list").unwrap(), Vec::<String>::new());
        assert_eq!(rows[1].list("list").unwrap(), ["x", "y"]);
    }

    #[test]
    fn a_short_row_is_named_with_its_line() {
        let error = parse("t.tsv", "a\tb\n1\t2\n3\n").unwrap_err().to_string();
        assert_eq!(error, "t.tsv:3: 1 cells where the header has 2");
    }

    #[test]
    fn a_bad_cell_is_named_with_its_column() {
        let rows = parse("t.tsv", "a\tb\nx\tmaybe\n").unwrap();
        assert_eq!(
            rows[0].number::<u32>("a").unwrap_err().to_string(),
            "t.tsv:2, column a: not a number"
        );
        assert_eq!(
            rows[0].flag("b").unwrap_err().to_string(),
            "t.tsv:2, column b: neither yes nor no"
        );
        assert!(rows[0].text("c").is_err());
    }
}
