//! Places in an experiment file, and faults there.

use crate::error::{Error, Fault};
use std::sync::Arc;

/// A place in a file; what goes wrong with what stands there is said with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub file: Arc<str>,
    pub line: u32,
    pub column: u32,
}

impl Place {
    /// The file as a whole.
    pub fn file(file: &str) -> Self {
        Place { file: file.into(), line: 0, column: 0 }
    }

    /// A fault here.
    pub fn fault(
        &self,
        code: &'static str,
        found: impl Into<String>,
        expected: impl Into<String>,
        fix: impl Into<String>,
    ) -> Error {
        let (found, expected, fix) = (found.into(), expected.into(), fix.into());
        let fault = Fault { code, line: self.line, column: self.column, found, expected, fix };
        Error::Experiment { file: self.file.to_string(), fault }
    }

    /// An error of a value that stands here, with the place.
    pub fn of(&self, error: Error) -> Error {
        match error {
            Error::Value { who, found, expected } => {
                self.fault("value", format!("{who}: {found}"), expected, "change it")
            }
            Error::Length { who, found, expected } => self.fault(
                "length",
                format!("{who}: {found} numbers"),
                format!("{expected}, one a joint in model order"),
                "give one number a joint, or a table by joint name",
            ),
            Error::UnknownName { who, what, found, nearest } => {
                self.unknown(&format!("{what} `{found}`"), &who, nearest)
            }
            other => other,
        }
    }

    /// An error of opening the file that is named here; what is wrong inside that file has its own place.
    pub fn of_file(&self, what: &str, error: Error) -> Error {
        match error {
            Error::Io { path, source } => {
                let expected = format!("the path of a {what}, beside the experiment file");
                self.fault("io", format!("{what} {path}: {source}"), expected, "correct the path")
            }
            Error::File { path, fault } if fault.line == 0 => {
                let fault = *fault;
                let found = format!("{what} {path}: {}", fault.found);
                self.fault(fault.code, found, fault.expected, fault.fix)
            }
            other => other,
        }
    }

    /// A name nothing answers to.
    pub fn unknown(&self, found: &str, who: &str, nearest: Option<String>) -> Error {
        let fix = nearest
            .map_or("see the names with `articula inspect`".into(), |n| format!("did you mean `{n}`?"));
        self.fault("unknown_name", found, format!("a name that {who} has"), fix)
    }

    /// Something later versions will have.
    pub fn not_built(&self, what: &str) -> Error {
        self.fault(
            "not_built",
            format!("{what}, which is not built yet in this version"),
            "what this version runs",
            "take it out of the experiment; nothing is read past it in silence",
        )
    }
}

/// Something with a name, and where the name stands.
#[derive(Clone, Debug)]
pub(crate) struct Named<X> {
    pub name: String,
    pub place: Place,
    pub value: X,
}

/// A value, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Placed<X> {
    pub value: X,
    pub place: Place,
}
