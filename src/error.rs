//! What was wrong with data from outside: who, what was found, what was expected, in which unit, and where.
//!
//! Numerics that end in some state (a solve that has not settled, a value that is not finite) are not errors:
//! they are values inside the step's report, so that nobody reads a result without them.

use std::fmt;

/// The crate's result.
pub type Result<T> = std::result::Result<T, Error>;

/// A fault of one place in a text file, with the way out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Fault {
    /// Stable code of the kind of fault.
    pub code: &'static str,
    /// One-based line; 0 when the fault has no place.
    pub line: u32,
    /// One-based column; 0 when the fault has no place.
    pub column: u32,
    /// What stands there.
    pub found: String,
    /// What would be right.
    pub expected: String,
    /// What to do.
    pub fix: String,
}

impl Fault {
    /// A fault of a file as a whole.
    pub(crate) fn of_file(code: &'static str, found: &str, expected: &str, fix: &str) -> Self {
        let (found, expected, fix) = (found.into(), expected.into(), fix.into());
        Fault { code, line: 0, column: 0, found, expected, fix }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        write!(f, "found {}, expected {}; {} [{}]", self.found, self.expected, self.fix, self.code)
    }
}

/// Bad input: always names what was found and what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A robot file that cannot be read as one.
    #[error("{file}: not usable as a robot description\n{}", lines(file, faults))]
    Description {
        /// The file as the user named it.
        file: String,
        /// Everything wrong with it, in file order.
        faults: Vec<Fault>,
    },
    /// Elements that would change the mechanism if dropped, and that nobody acknowledged.
    #[error("{file}: elements refused\n{}", lines(file, faults))]
    Refused {
        /// The file as the user named it.
        file: String,
        /// The refused elements, in file order.
        faults: Vec<Fault>,
    },
    /// An experiment, or a file it names, with something wrong at a place.
    #[error("{file}{}{fault}", if fault.line > 0 { ":" } else { ": " })]
    Experiment {
        /// The file as the user named it.
        file: String,
        /// What is wrong, and where.
        fault: Fault,
    },
    /// A file that is not what can be read or written there: a folder or a special file, too large, not text.
    #[error("{path}{}{fault}", if fault.line > 0 { ":" } else { ": " })]
    File {
        /// The path as the user named it.
        path: String,
        /// What is wrong with it, and where.
        fault: Box<Fault>,
    },
    /// A file that cannot be read or written.
    #[error("{path}: {source}; {}", way_out(source))]
    Io {
        /// The path as the user named it.
        path: String,
        /// The system's word.
        source: std::io::Error,
    },
    /// A name nothing answers to.
    #[error("{who}: no {what} named `{found}`{}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    UnknownName {
        /// Who asked.
        who: String,
        /// The kind of thing: joint, frame, link.
        what: &'static str,
        /// The name given.
        found: String,
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// A value that is not allowed where it stands.
    #[error("{who}: found {found}, expected {expected}")]
    Value {
        /// What holds the value, for instance `joint_1.friction`.
        who: String,
        /// The value found.
        found: String,
        /// What is allowed, with its unit.
        expected: String,
    },
    /// A list of the wrong length.
    #[error("{who}: found {found} numbers, expected {expected}")]
    Length {
        /// What holds the list.
        who: String,
        /// How many were found.
        found: usize,
        /// How many were expected.
        expected: usize,
    },
}

impl Error {
    /// The stable code of this kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Description { .. } => "description",
            Error::Refused { .. } => "refused",
            Error::Experiment { fault, .. } => fault.code,
            Error::File { fault, .. } => fault.code,
            Error::Io { .. } => "io",
            Error::UnknownName { .. } => "unknown_name",
            Error::Value { .. } => "value",
            Error::Length { .. } => "length",
        }
    }
}

/// What to do about the system's word.
fn way_out(source: &std::io::Error) -> &'static str {
    use std::io::ErrorKind;
    match source.kind() {
        ErrorKind::NotFound => "check the path",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "check who may read and write there, or name another place"
        }
        ErrorKind::NotADirectory => "a part of the path is a file and no folder: check the path",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room on the disk, or name another place",
        ErrorKind::FileTooLarge => {
            "the system allows no file as large (ulimit -f): raise that, or write less"
        }
        ErrorKind::OutOfMemory => "close other programs, or ask for less",
        _ => "check the path, and the disk it is on",
    }
}

/// A piece of a file for a message: in backquotes, and as [`cut`] has it.
pub(crate) fn quote(text: &str) -> String {
    format!("`{}`", cut(text))
}

/// A piece of a file for a message: cut when long; what would move the cursor is shown, not done.
pub(crate) fn cut(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown = String::new();
    for (k, letter) in text.chars().enumerate() {
        match letter {
            _ if k == LONGEST => {
                shown.push('…');
                break;
            }
            letter if letter.is_control() => shown.extend(letter.escape_default()),
            letter => shown.push(letter),
        }
    }
    shown
}

/// One line a fault, each with the file, so that a terminal or an editor can open the place.
fn lines(file: &str, faults: &[Fault]) -> String {
    let line = |f: &Fault| format!("  {file}{}{f}", if f.line > 0 { ":" } else { ": " });
    faults.iter().map(line).collect::<Vec<_>>().join("\n")
}

impl Error {
    /// A fault of a file as a command was given it.
    pub(crate) fn file(path: &str, fault: Fault) -> Self {
        Error::File { path: path.to_owned(), fault: Box::new(fault) }
    }

    /// A value that is not allowed: who holds it, what was found, what is expected.
    pub(crate) fn value(who: &str, found: impl fmt::Display, expected: &str) -> Self {
        Error::Value { who: who.to_owned(), found: found.to_string(), expected: expected.to_owned() }
    }
}

/// The name nearest to `name`, if any is near: by edits, at most half its letters.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<String> {
    // An edit distance costs the product of the lengths; names that long are no slips of a finger.
    const LONGEST: usize = 200;
    if name.len() > LONGEST {
        return None;
    }
    let near = names
        .filter(|other| other.len() <= LONGEST)
        .take(10_000)
        .map(|other| (strsim::damerau_levenshtein(name, other), other))
        .min_by_key(|(edits, _)| *edits)?;
    let (length, longer) = (name.chars().count(), name.chars().count().max(near.1.chars().count()));
    // Something of it must be left: `w` is no slip of the finger for `q`.
    (near.0 <= length.div_ceil(2) && near.0 < longer).then(|| near.1.to_owned())
}
