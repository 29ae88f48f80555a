//! A TOML document whose values know where they stand.

use super::place::{Named, Place, Placed};
use crate::error::{Error, Result, cut, nearest};
use crate::input::Positions;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// The text, for places.
pub(super) struct Document<'d> {
    file: Arc<str>,
    text: &'d str,
    positions: Positions<'d>,
}

impl<'d> Document<'d> {
    pub fn new(file: &str, text: &'d str) -> Self {
        Document { file: file.into(), text, positions: Positions::new(text) }
    }

    /// The whole as a table of values; the fault of the grammar where it is not TOML.
    pub fn parse(&self) -> Result<Spanned<DeTable<'d>>> {
        DeTable::parse(self.text).map_err(|error| {
            let place = error.span().map_or(Place::file(&self.file), |span| self.place(span.start));
            let words = error.message().replace('\n', "; ");
            if words.contains("recurs") {
                let found = "keys, arrays or tables nested too deep to be read";
                return place.fault("too_deep", found, "at most 80", "an experiment needs about five");
            }
            let found = format!("what is not TOML ({words})");
            place.fault("toml", found, "TOML 1.0", "correct it there; toml.io has the grammar")
        })
    }

    /// Line and column, in characters, both from 1, of a byte.
    fn place(&self, at: usize) -> Place {
        let (line, column) = self.positions.at(at);
        Place { file: self.file.clone(), line, column }
    }
}

/// A table of the document.
#[derive(Clone)]
pub(super) struct Table<'d> {
    doc: &'d Document<'d>,
    /// As messages name it, for instance `chain.arm`; empty for the whole.
    path: String,
    table: &'d DeTable<'d>,
    at: usize,
}

/// A value of the document.
#[derive(Clone)]
pub(super) struct Value<'d> {
    doc: &'d Document<'d>,
    path: String,
    value: &'d DeValue<'d>,
    at: usize,
}

impl<'d> Table<'d> {
    pub fn root(doc: &'d Document<'d>, table: &'d DeTable<'d>) -> Self {
        Table { doc, path: String::new(), table, at: 0 }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn place(&self) -> Place {
        self.doc.place(self.at)
    }

    fn inside(&self, key: &str) -> String {
        let key = cut(&crate::model::quoted(key));
        if self.path.is_empty() { key } else { format!("{}.{key}", self.path) }
    }

    fn value(&self, key: &str, value: &'d Spanned<DeValue<'d>>) -> Value<'d> {
        Value { doc: self.doc, path: self.inside(key), value: value.get_ref(), at: value.span().start }
    }

    /// No key but these.
    pub fn only(&self, known: &[&str]) -> Result<()> {
        let Some(entry) = self.entries().into_iter().find(|entry| !known.contains(&entry.name.as_str()))
        else {
            return Ok(());
        };
        let holder = if self.path.is_empty() { "the experiment".into() } else { format!("`{}`", self.path) };
        let fix = match nearest(&entry.name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "take it out, or look it up in the documentation".into(),
        };
        let expected = format!("one of the keys of {holder}: {}", known.join(", "));
        Err(entry.place.fault(
            "unknown_key",
            format!("unknown key `{}`", self.inside(&entry.name)),
            expected,
            fix,
        ))
    }

    pub fn get(&self, key: &str) -> Option<Value<'d>> {
        self.table.get(key).map(|value| self.value(key, value))
    }

    /// A key that must be there.
    pub fn require(&self, key: &str, expected: &str) -> Result<Value<'d>> {
        self.get(key).ok_or_else(|| {
            let holder =
                if self.path.is_empty() { "the experiment".into() } else { format!("`{}`", self.path) };
            let fix = format!("add `{}`, which has no default", self.inside(key));
            self.place().fault("missing_key", format!("no `{key}` in {holder}"), expected, fix)
        })
    }

    /// All keys with their values, in file order.
    pub fn entries(&self) -> Vec<Named<Value<'d>>> {
        let mut all: Vec<(usize, &Spanned<DeString<'d>>, &'d Spanned<DeValue<'d>>)> =
            self.table.iter().map(|(key, value)| (key.span().start, key, value)).collect();
        all.sort_by_key(|(at, ..)| *at);
        let named = all.into_iter().map(|(at, key, value)| Named {
            name: key.get_ref().to_string(),
            place: self.doc.place(at),
            value: self.value(key.get_ref(), value),
        });
        named.collect()
    }

    /// A table below, or nothing.
    pub fn table(&self, key: &str, what: &str) -> Result<Option<Table<'d>>> {
        self.get(key).map(|value| value.table(what)).transpose()
    }

    /// The entries of a table below, each read by `read`; none where there is no such table.
    pub fn each<X>(
        &self,
        key: &str,
        what: &str,
        mut read: impl FnMut(&Value<'d>) -> Result<X>,
    ) -> Result<Vec<Named<X>>> {
        let Some(table) = self.table(key, what)? else { return Ok(Vec::new()) };
        let entries = table.entries().into_iter();
        entries.map(|e| Ok(Named { value: read(&e.value)?, name: e.name, place: e.place })).collect()
    }
}

impl<'d> Value<'d> {
    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn place(&self) -> Place {
        self.doc.place(self.at)
    }

    pub fn placed<X>(&self, value: X) -> Placed<X> {
        Placed { value, place: self.place() }
    }

    /// What stands there, in words.
    pub fn words(&self) -> String {
        match self.value {
            DeValue::String(text) => format!("the text \"{}\"", cut(text)),
            DeValue::Integer(number) => cut(number.as_str()),
            DeValue::Float(number) => cut(number.as_str()),
            DeValue::Boolean(truth) => truth.to_string(),
            DeValue::Datetime(time) => time.to_string(),
            DeValue::Array(list) => format!("an array of {}", list.len()),
            DeValue::Table(_) => "a table".into(),
        }
    }

    /// A fault of this value.
    pub fn wrong(&self, code: &'static str, expected: impl Into<String>, fix: impl Into<String>) -> Error {
        self.place().fault(code, format!("`{}` = {}", self.path, self.words()), expected, fix)
    }

    fn wrong_type(&self, expected: &str) -> Error {
        let fix = match self.value {
            DeValue::String(text) if text.trim().parse::<f64>().is_ok() => "write the number without quotes",
            _ => "change it",
        };
        self.wrong("wrong_type", expected, fix)
    }

    /// A finite number; whole ones too.
    pub fn number(&self, expected: &str) -> Result<f64> {
        let number: Option<f64> = match self.value {
            DeValue::Integer(number) => {
                i64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n as f64)
            }
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => None,
        };
        match number {
            Some(x) if x.is_finite() => Ok(x),
            Some(_) => Err(self.wrong("not_finite", expected, "give a finite number")),
            None => Err(self.wrong_type(expected)),
        }
    }

    /// A finite number that `allowed` accepts.
    pub fn number_where(&self, expected: &str, allowed: impl Fn(f64) -> bool) -> Result<f64> {
        let x = self.number(expected)?;
        if allowed(x) { Ok(x) } else { Err(self.wrong("value", expected, "change it")) }
    }

    /// A whole number from 0 to 4294967295.
    pub fn count(&self, expected: &str) -> Result<u32> {
        let DeValue::Integer(number) = self.value else { return Err(self.wrong_type(expected)) };
        let count = u32::from_str_radix(number.as_str(), number.radix());
        count.map_err(|_| self.wrong("value", expected, "change it"))
    }

    pub fn text(&self, expected: &str) -> Result<&'d str> {
        match self.value {
            DeValue::String(text) => Ok(text),
            _ => Err(self.wrong_type(expected)),
        }
    }

    /// Text that says something.
    pub fn reason(&self, expected: &str) -> Result<String> {
        let text = self.text(expected)?.trim();
        if text.is_empty() {
            return Err(self.wrong("value", expected, "say why"));
        }
        Ok(text.to_owned())
    }

    /// One of a few words.
    pub fn choice<X: Copy>(&self, choices: &[(&str, X)]) -> Result<X> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let expected = format!("\"{}\"", names.join("\" or \""));
        let text = self.text(&expected)?;
        choices.iter().find(|(name, _)| *name == text).map(|(_, x)| *x).ok_or_else(|| {
            let near = nearest(text, names.iter().copied());
            self.wrong("value", expected, near.map_or("change it".into(), |n| format!("did you mean `{n}`?")))
        })
    }

    pub fn is_table(&self) -> bool {
        matches!(self.value, DeValue::Table(_))
    }

    pub fn is_array(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    pub fn is_text(&self) -> bool {
        matches!(self.value, DeValue::String(_))
    }

    pub fn table(&self, what: &str) -> Result<Table<'d>> {
        match self.value {
            DeValue::Table(table) => Ok(Table { doc: self.doc, path: self.path.clone(), table, at: self.at }),
            _ => Err(self.wrong_type(&format!("a table: {what}"))),
        }
    }

    /// The values of an array.
    pub fn list(&self, what: &str) -> Result<Vec<Value<'d>>> {
        let DeValue::Array(list) = self.value else {
            return Err(self.wrong_type(&format!("an array: {what}")));
        };
        let item = |(i, value): (usize, &'d Spanned<DeValue<'d>>)| Value {
            doc: self.doc,
            path: format!("{}[{i}]", self.path),
            value: value.get_ref(),
            at: value.span().start,
        };
        Ok(list.iter().enumerate().map(item).collect())
    }

    /// An array of so many finite numbers.
    pub fn numbers<const N: usize>(&self, what: &str) -> Result<[f64; N]> {
        let list = self.list(what)?;
        let numbers = list.iter().map(|value| value.number(what)).collect::<Result<Vec<f64>>>()?;
        numbers
            .try_into()
            .map_err(|_| self.wrong("length", format!("{N} numbers: {what}"), "give as many numbers"))
    }
}
