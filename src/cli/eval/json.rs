//! JSON as it was written: keys in order, repeated ones too, so that a strict reader can complain about them.

use crate::error::{Error, Result};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

/// Marks a word that stood without quotes where JSON wants a value, such as `NaN`. No name can hold it.
const BARE: char = '\0';

impl Json {
    /// Reads a document. `NaN`, `Infinity` and numbers past the largest are not JSON; they become values no reader takes,
    /// so that the complaint names their place.
    ///
    /// # Errors
    /// [`Error::Value`] with line and column for text that is not JSON.
    pub(super) fn parse(file: &str, text: &str) -> Result<Json> {
        let error = match serde_json::from_str(text) {
            Ok(json) => return Ok(json),
            Err(error) => error,
        };
        serde_json::from_str(&with_bare_words_quoted(text)).map_err(|_| {
            let message = error.to_string();
            let message = message.split(" at line").next().unwrap_or_default();
            Error::Value {
                who: format!("{file}:{}:{}", error.line(), error.column()),
                found: format!("text that is not JSON ({message})"),
                expected: "one state (a JSON object) or a list of them".into(),
            }
        })
    }
}

/// How a message calls what was found.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 60;
        match self {
            Json::Null => write!(f, "null"),
            Json::Bool(b) => write!(f, "{b}"),
            Json::Number(x) => write!(f, "{x:?}"),
            Json::Text(text) => {
                let cut = |text: &str| text.chars().take(SHOWN).collect::<String>();
                match text.strip_prefix(BARE) {
                    Some(word) => write!(f, "{}", cut(word)),
                    None => write!(f, "{:?}", cut(text)),
                }
            }
            Json::List(items) => write!(f, "a list of {}", items.len()),
            Json::Map(_) => write!(f, "an object"),
        }
    }
}

/// The text with words that JSON does not know, and numbers that are too large, made into marked strings.
fn with_bare_words_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || matches!(c, '+' | '-' | '.' | '_');
        let length = if first == '"' {
            string_length(rest)
        } else if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (piece, after) = rest.split_at(length);
        let known = !word(first)
            || matches!(piece, "true" | "false" | "null")
            || after.trim_start().starts_with(':')
            || serde_json::from_str::<f64>(piece).is_ok();
        if known {
            out.push_str(piece);
        } else {
            out.push_str("\"\\u0000");
            out.push_str(piece);
            out.push('"');
        }
        rest = after;
    }
    out
}

/// Length of the string literal that a text starts with, quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct AsWritten;

        impl<'de> Visitor<'de> for AsWritten {
            type Value = Json;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }
            fn visit_unit<E>(self) -> std::result::Result<Json, E> {
                Ok(Json::Null)
            }
            fn visit_bool<E>(self, b: bool) -> std::result::Result<Json, E> {
                Ok(Json::Bool(b))
            }
            fn visit_i64<E>(self, i: i64) -> std::result::Result<Json, E> {
                Ok(Json::Number(i as f64))
            }
            fn visit_u64<E>(self, u: u64) -> std::result::Result<Json, E> {
                Ok(Json::Number(u as f64))
            }
            fn visit_f64<E>(self, x: f64) -> std::result::Result<Json, E> {
                Ok(Json::Number(x))
            }
            fn visit_str<E>(self, text: &str) -> std::result::Result<Json, E> {
                Ok(Json::Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Json, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Json::List(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Json, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Json::Map(entries))
            }
        }

        deserializer.deserialize_any(AsWritten)
    }
}
