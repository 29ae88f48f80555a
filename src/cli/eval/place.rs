//! Reading JSON strictly: every complaint names the file, the state and the key.

use super::json::Json;
use crate::error::{Error, Result, nearest};
use std::fmt;

/// Where in the document a value stands.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// A state of a file, counted from 0.
    State(&'a str, usize),
    /// Under a key.
    Key(&'a Place<'a>, &'a str),
    /// In a list, counted from 0.
    Item(&'a Place<'a>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::State(file, k) => write!(f, "{file}: state {k}"),
            Place::Key(at @ Place::State(..), key) => write!(f, "{at}: {key}"),
            Place::Key(at, key) => write!(f, "{at}.{key}"),
            Place::Item(at, k) => write!(f, "{at}[{k}]"),
        }
    }
}

/// A value with its place.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub place: Place<'a>,
    pub json: &'a Json,
}

impl<'a> At<'a> {
    /// The error of a value that is not what it should be.
    pub fn wrong(&self, expected: &str) -> Error {
        Error::value(&self.place.to_string(), self.json, expected)
    }

    /// A finite number.
    pub fn number(&self) -> Result<f64> {
        match self.json {
            Json::Number(x) if x.is_finite() => Ok(*x),
            _ => Err(self.wrong("a finite number")),
        }
    }

    /// A word.
    pub fn text(&self) -> Result<&'a str> {
        match self.json {
            Json::Text(text) => Ok(text),
            _ => Err(self.wrong("a name, in quotes")),
        }
    }

    /// The items of a list.
    pub fn list(&self, expected: &str) -> Result<&'a [Json]> {
        match self.json {
            Json::List(items) => Ok(items),
            _ => Err(self.wrong(expected)),
        }
    }

    /// So many finite numbers.
    pub fn numbers(&self, count: usize) -> Result<Vec<f64>> {
        let items = self.list(&format!("a list of {count} numbers"))?;
        if items.len() != count {
            return Err(Error::Length { who: self.place.to_string(), found: items.len(), expected: count });
        }
        let number = |(k, json)| At { place: Place::Item(&self.place, k), json }.number();
        items.iter().enumerate().map(number).collect()
    }

    /// Three finite numbers.
    pub fn three(&self) -> Result<[f64; 3]> {
        let numbers = self.numbers(3)?;
        Ok([numbers[0], numbers[1], numbers[2]])
    }

    /// Calls `take` with each item of a list.
    pub fn each(&self, expected: &str, mut take: impl FnMut(At<'_>) -> Result<()>) -> Result<()> {
        for (k, json) in self.list(expected)?.iter().enumerate() {
            take(At { place: Place::Item(&self.place, k), json })?;
        }
        Ok(())
    }

    /// Calls `take` with each key of an object and its value; a key that stands twice is an error.
    pub fn entries(&self, expected: &str, mut take: impl FnMut(&'a str, At<'_>) -> Result<()>) -> Result<()> {
        let Json::Map(entries) = self.json else { return Err(self.wrong(expected)) };
        let mut seen = std::collections::HashSet::new();
        for (key, json) in entries {
            let value = At { place: Place::Key(&self.place, key), json };
            if !seen.insert(key.as_str()) {
                return Err(Error::value(&value.place.to_string(), "a second value", "each key once"));
            }
            take(key, value)?;
        }
        Ok(())
    }

    /// The error of a name nobody knows, with the nearest that is known, or all of them where they are few.
    pub fn unknown(&self, what: &'static str, found: &str, known: &[&str]) -> Error {
        const FEW: usize = 20;
        let who = self.place.to_string();
        let near = nearest(found, known.iter().copied());
        if near.is_none() && !known.is_empty() && known.len() <= FEW {
            let expected = format!("one of the {what}s `{}`", known.join("`, `"));
            return Error::value(&who, format!("{what} `{found}`"), &expected);
        }
        Error::UnknownName { who, what, found: found.to_owned(), nearest: near }
    }
}
