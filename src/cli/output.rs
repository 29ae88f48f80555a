//! Writing answers to stdout: text and JSON, a reader that has gone away included.

use super::Failure;
use crate::error::Error;
use serde_json::Value;
use std::io::{ErrorKind, Write};

/// Prints to stdout. A reader that closed the pipe (`articula inspect robot.urdf | head`) has what it wanted.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Run(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a message to stderr; one that nobody can read is no failure.
///
/// Names come from files: what would move the cursor is shown and not done, and no line goes on for ever.
pub(super) fn complain(text: &str) {
    const LONGEST: usize = 2000;
    let mut shown = String::new();
    for line in text.lines() {
        for letter in line.chars().take(LONGEST) {
            match letter.is_control() {
                true => shown.extend(letter.escape_default()),
                false => shown.push(letter),
            }
        }
        shown.push_str(if line.chars().nth(LONGEST).is_some() { "…\n" } else { "\n" });
    }
    let _ = std::io::stderr().write_all(shown.as_bytes());
}

/// An error with its code, for `articula explain`. Faults of files already end with theirs.
pub(super) fn coded(error: &Error) -> String {
    match error {
        Error::Description { .. } | Error::Refused { .. } | Error::Experiment { .. } | Error::File { .. } => {
            error.to_string()
        }
        other => format!("{other} [{}]", other.code()),
    }
}

/// A word as a shell takes it: in quotes where it holds more than letters, digits and the signs of paths.
pub(in crate::cli) fn shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:".contains(c) || cfg!(windows) && c == '\\';
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// JSON for people too: what holds only numbers and words stands in one line, matrices row by row.
///
/// Numbers are in shortest round-trip form; one that is not finite is `null`.
pub(super) fn json(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text.push('\n');
    text
}

fn write(value: &Value, depth: usize, text: &mut String) {
    let newline = |text: &mut String, depth: usize| {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', depth));
    };
    match value {
        Value::Array(items) if !fits_line(value, 1) => {
            text.push('[');
            for (k, item) in items.iter().enumerate() {
                text.push_str(if k > 0 { "," } else { "" });
                newline(text, depth + 1);
                write(item, depth + 1, text);
            }
            newline(text, depth);
            text.push(']');
        }
        Value::Object(entries) if !fits_line(value, 2) => {
            text.push('{');
            for (k, (key, item)) in entries.iter().enumerate() {
                text.push_str(if k > 0 { "," } else { "" });
                newline(text, depth + 1);
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push_str(": ");
                write(item, depth + 1, text);
            }
            newline(text, depth);
            text.push('}');
        }
        _ => text.push_str(&value.to_string()),
    }
}

/// Whether a value is nested less than so deep.
fn fits_line(value: &Value, depth: usize) -> bool {
    match value {
        Value::Array(items) => depth > 0 && items.iter().all(|item| fits_line(item, depth - 1)),
        Value::Object(entries) => depth > 0 && entries.values().all(|item| fits_line(item, depth - 1)),
        _ => true,
    }
}
