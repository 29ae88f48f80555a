//! `articula explain`: what a word of the output means, and what to do.

mod errors;
mod flags;
mod pieces;
mod statuses;
mod switches;
mod verdicts;
mod word;

use super::{Failure, output};
use crate::error::{Error, Result};
use serde_json::{Value, json};
use std::process::ExitCode;
use word::{Word, words};

/// What a word of the output means and what to do: a status, piece, switch, error code, verdict or flag.
///
/// Without a word: every word there is, by kind. Exit 2 for a word that is none, with the nearest ones.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Explain {
    /// The word, as a report, a table or a message writes it.
    word: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

const EXAMPLE: &str = "Examples:
  articula explain slide+
  articula explain arm.friction.low
  articula explain missing_limits --json
  articula explain";

impl Explain {
    pub(super) fn run(self) -> std::result::Result<ExitCode, Failure> {
        let all = words();
        let found = match &self.word {
            Some(word) => asked(word, &all)?,
            None => all.iter().collect(),
        };
        let text = match (self.json, &self.word) {
            (true, _) => output::json(&document(&found)),
            (false, Some(_)) => found.iter().map(|word| word.text()).collect::<Vec<_>>().join("\n"),
            (false, None) => list(&found),
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The words of that name; several where one word means several things.
fn asked<'w>(name: &str, all: &'w [Word]) -> Result<Vec<&'w Word>> {
    let name = name.trim().trim_matches(['[', ']']);
    let found: Vec<&Word> = all.iter().filter(|word| word.answers_to(name)).collect();
    if found.is_empty() {
        return Err(Error::value("explain", format!("`{name}`"), &expected(name, all)));
    }
    Ok(found)
}

/// The three nearest words, where any is near.
fn expected(name: &str, all: &[Word]) -> String {
    let distance = |word: &&Word| strsim::damerau_levenshtein(&name.to_lowercase(), &word.name);
    let near = |word: &&Word| {
        let inside = name.len() > 2 && word.name.contains(&name.to_lowercase());
        inside || distance(word) <= name.chars().count().div_ceil(2)
    };
    let mut names: Vec<&Word> = all.iter().filter(near).collect();
    names.sort_by_key(distance);
    names.dedup_by_key(|word| word.name.clone());
    let names: Vec<String> = names.iter().take(3).map(|word| format!("`{}`", word.name)).collect();
    match names.is_empty() {
        true => "a word that `articula explain` lists".into(),
        false => format!("a word that `articula explain` lists; the nearest: {}", names.join(", ")),
    }
}

fn document(words: &[&Word]) -> Value {
    json!({"schema": "articula/explain/1", "words": words})
}

/// Every word, by kind, each with the beginning of what it means.
fn list(words: &[&Word]) -> String {
    let mut text = String::new();
    let mut kind = None;
    let width = words.iter().map(|word| word.name.len()).max().unwrap_or(0);
    for word in words {
        if kind != Some(word.kind) {
            text.push_str(if kind.is_some() { "\n" } else { "" });
            text.push_str(&format!("{}\n", word.kind.plural()));
            kind = Some(word.kind);
        }
        let first = word.meaning.split_inclusive(['.', ';', ':']).next().unwrap_or_default();
        text.push_str(&format!("  {:width$}  {}\n", word.name, first.trim_end_matches(['.', ';', ':'])));
    }
    text
}
