//! `[drive]`: what each joint is told.

use super::document::{Table, Value};
use super::place::Named;
use super::table;
use crate::error::{Result, nearest, quote};
use crate::rollout::{Drive, Hold};
use std::path::{Path, PathBuf};

const KINDS: &[&str] = &["constant", "sine", "table", "pd"];
const LATER: &[&str] = &["servo", "torque"];

/// Every entry of `[drive]`, by address, and the files they were read from. Addresses may also be written as dotted keys, `arm.joint_1 = ...`.
pub(super) fn drives(
    root: &Table<'_>,
    segments: &[String],
    folder: &Path,
) -> Result<(Vec<Named<Drive>>, Vec<PathBuf>)> {
    let (mut all, mut files) = (Vec::new(), Vec::new());
    let Some(table) = root.table("drive", "drives by address")? else { return Ok((all, files)) };
    for entry in table.entries() {
        if segments.contains(&entry.name) && entry.value.is_table() {
            for inner in entry.value.table("drives by joint")?.entries() {
                let name = format!("{}.{}", entry.name, crate::model::quoted(&inner.name));
                all.push(Named { name, value: drive(&inner.value, folder, &mut files)?, place: inner.place });
            }
        } else {
            all.push(Named {
                value: drive(&entry.value, folder, &mut files)?,
                name: entry.name,
                place: entry.place,
            });
        }
    }
    Ok((all, files))
}

fn drive(value: &Value<'_>, folder: &Path, files: &mut Vec<PathBuf>) -> Result<Drive> {
    let what = "{ constant } or { sine } or { table, column, hold } or { pd }";
    let drive = value.table(what)?;
    if let Some(later) = LATER.iter().find_map(|kind| drive.get(kind)) {
        return Err(later.place().not_built(&format!("the drive `{}`", later.path())));
    }
    let kinds: Vec<&str> = KINDS.iter().copied().filter(|kind| drive.get(kind).is_some()).collect();
    match kinds.as_slice() {
        ["table"] => drive.only(&["table", "column", "hold"])?,
        [kind] => drive.only(&[kind])?,
        [] => drive.only(KINDS)?,
        _ => return Err(value.wrong("value", format!("one kind of drive: {what}"), "keep one")),
    }
    let number = |key: &str, expected: &str| drive.require(key, expected)?.number(expected);
    match kinds.first().copied() {
        Some("constant") => Ok(Drive::Constant(number("constant", "an effort, N m; N (kinematic: rad; m)")?)),
        Some("sine") => sine(&drive),
        Some("table") => from_table(&drive, folder, files),
        Some("pd") => pd(&drive),
        _ => Err(value.wrong("missing_key", what, "give one")),
    }
}

fn sine(drive: &Table<'_>) -> Result<Drive> {
    let what = "{ amplitude, frequency, phase, offset }";
    let sine = drive.require("sine", what)?.table(what)?;
    sine.only(&["amplitude", "frequency", "phase", "offset"])?;
    let number = |key: &str, expected: &str| sine.require(key, expected)?.number(expected);
    let or_zero = |key: &str, expected: &str| sine.get(key).map_or(Ok(0.0), |v| v.number(expected));
    Ok(Drive::Sine {
        amplitude: number("amplitude", "an amplitude, N m; N (kinematic: rad; m)")?,
        frequency: number("frequency", "a frequency, Hz")?,
        phase: or_zero("phase", "a phase, rad")?,
        offset: or_zero("offset", "an offset, N m; N (kinematic: rad; m)")?,
    })
}

fn pd(drive: &Table<'_>) -> Result<Drive> {
    let what = "{ target, kp, kd }";
    let pd = drive.require("pd", what)?.table(what)?;
    pd.only(&["target", "kp", "kd"])?;
    let number = |key: &str, expected: &str| pd.require(key, expected)?.number(expected);
    Ok(Drive::Pd {
        target: number("target", "a position, rad; m")?,
        kp: number("kp", "a gain, N m/rad; N/m")?,
        kd: number("kd", "a gain, N m s/rad; N s/m")?,
    })
}

fn from_table(drive: &Table<'_>, folder: &Path, files: &mut Vec<PathBuf>) -> Result<Drive> {
    let file = drive.require("table", "a CSV file beside this file")?;
    let column = drive.require("column", "the name of one of its columns")?;
    let name = column.text("the name of one of its columns")?;
    let hold = match drive.get("hold") {
        Some(hold) => hold.choice(&[("zero_order", Hold::ZeroOrder), ("linear", Hold::Linear)])?,
        None => Hold::ZeroOrder,
    };
    let path = folder.join(file.text("a CSV file beside this file")?);
    files.push(path.clone());
    let table = table::read(&path).map_err(|error| file.place().of_file("table", error))?;
    let values = table.column(name).ok_or_else(|| {
        let near = nearest(name, table.names());
        const FEW: usize = 12;
        let mut names: Vec<String> = table.names().take(FEW).map(quote).collect();
        if table.names().nth(FEW).is_some() {
            names.push("…".into());
        }
        let expected = format!("a column of {}: {}", path.display(), names.join(", "));
        column.wrong(
            "unknown_name",
            expected,
            near.map_or("name one of them".into(), |n| format!("did you mean `{n}`?")),
        )
    })?;
    let made = crate::rollout::Table::new(table.times().to_vec(), values.to_vec(), hold);
    Ok(Drive::Table(made.map_err(|error| file.place().of(error))?))
}
