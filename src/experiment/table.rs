//! CSV tables of time that drives are read from.

use super::place::Place;
use crate::error::{Error, Result, quote};
use crate::input;
use crate::input::limits::{TABLE_BYTES, TABLE_COLUMNS};
use std::collections::HashSet;
use std::path::Path;

/// Columns of finite numbers; the first is a rising `time`.
pub(super) struct CsvTable {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl CsvTable {
    pub fn times(&self) -> &[f64] {
        &self.columns[0]
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names[1..].iter().map(String::as_str)
    }

    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let at = self.names().position(|n| n == name)?;
        Some(&self.columns[at + 1])
    }
}

/// Reads a table.
///
/// # Errors
/// [`Error::Io`] and [`Error::File`]; naming file and line: no header, another first column than `time`, a column named twice, a row of another length, a
/// cell that is no finite number, a time that does not rise, no row.
pub(super) fn read(path: &Path) -> Result<CsvTable> {
    let file = path.display().to_string();
    let bytes = input::read(path, TABLE_BYTES, "a shorter table, or one with longer steps")?;
    let text = input::text(&bytes).map_err(|fault| Error::file(&file, fault))?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let at = |line: u64, column: u32| Place { file: file.as_str().into(), line: line as u32, column };
    let broken = |error: csv::Error| {
        let line = error.position().map_or(0, csv::Position::line);
        let found = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("{len} cells under a header of {expected_len}")
            }
            _ => error.to_string(),
        };
        at(line, u32::from(line > 0)).fault(
            "table",
            found,
            "a CSV table: a header, then rows as long",
            "mend the row",
        )
    };
    let header = reader.headers().map_err(broken)?.clone();
    let names: Vec<String> = header.iter().map(str::to_owned).collect();
    if names.first().is_none_or(|name| name != "time") {
        let first = names.first().filter(|name| !name.is_empty());
        let found = first.map_or("no header".into(), |name| format!("a first column named {}", quote(name)));
        let fix = match first {
            Some(name) if name.contains([';', '\t']) => "separate the columns by commas",
            Some(name) if name.parse::<f64>().is_ok() => "write a line of names above the numbers",
            _ => "name it so",
        };
        return Err(at(1, 1).fault("table", found, "a first column named `time`, s", fix));
    }
    if names.len() > TABLE_COLUMNS {
        let (found, expected) = (format!("{} columns", names.len()), format!("at most {TABLE_COLUMNS}"));
        return Err(at(1, 1).fault("too_large", found, expected, "leave out columns that no drive reads"));
    }
    let mut seen = HashSet::new();
    if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
        let found = format!("two columns named {}", quote(twice));
        return Err(at(1, 1).fault("table", found, "names used once", "rename one"));
    }
    let mut columns = vec![Vec::new(); names.len()];
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(broken)? {
        let line = record.position().map_or(0, csv::Position::line);
        for ((cell, name), column) in record.iter().zip(&names).zip(&mut columns) {
            let number = cell.parse::<f64>().ok().filter(|x| x.is_finite());
            let number = number.ok_or_else(|| {
                let cell_found = if cell.is_empty() { "an empty cell".into() } else { quote(cell) };
                let found = format!("{cell_found} in column {}", quote(name));
                let fix = match cell {
                    "" => "write a number, or take the row out",
                    cell if cell.contains(',') => "put a point for the decimals",
                    _ => "mend the cell",
                };
                at(line, 1).fault("table", found, "a finite number", fix)
            })?;
            column.push(number);
        }
        if let [.., before, now] = columns[0][..]
            && now <= before
        {
            let found = format!("time {now} after {before}");
            let expected = "times that rise from row to row";
            return Err(at(line, 1).fault("table", found, expected, "sort or mend the rows"));
        }
    }
    if columns[0].is_empty() {
        return Err(at(0, 0).fault("table", "no row under the header", "at least one row", "add one"));
    }
    Ok(CsvTable { names, columns })
}
