//! One word, and the list of all.

use super::{errors, flags, pieces, statuses, switches, verdicts};
use std::borrow::Cow;

/// What a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Status,
    Piece,
    Switch,
    Error,
    Verdict,
    Flag,
}

impl Kind {
    fn singular(self) -> &'static str {
        match self {
            Kind::Status => "status",
            Kind::Piece => "piece",
            Kind::Switch => "switch",
            Kind::Error => "error code",
            Kind::Verdict => "verdict of the account",
            Kind::Flag => "flag of a report",
        }
    }

    /// Its heading in the list.
    pub fn plural(self) -> &'static str {
        match self {
            Kind::Status => "Statuses of a derivative, a step and a run",
            Kind::Piece => "Pieces of a joint's graph of impulse against velocity",
            Kind::Switch => "Switches, where a law chooses a piece",
            Kind::Error => "Error codes, in brackets at the end of a message",
            Kind::Verdict => "Verdicts of a robot file's account",
            Kind::Flag => "Flags of a report",
        }
    }
}

/// A word with what it means and what to do.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(super) struct Word {
    pub kind: Kind,
    pub name: Cow<'static, str>,
    pub meaning: Cow<'static, str>,
    #[serde(rename = "do")]
    pub remedy: Cow<'static, str>,
    /// Empty where an example would say nothing more.
    pub example: Cow<'static, str>,
}

impl Word {
    /// A word of plain text.
    pub fn new(
        kind: Kind,
        name: &'static str,
        meaning: &'static str,
        remedy: &'static str,
        example: &'static str,
    ) -> Self {
        let [name, meaning, remedy, example] = [name, meaning, remedy, example].map(Cow::Borrowed);
        Word { kind, name, meaning, remedy, example }
    }

    /// Whether somebody who writes `name` means it; tables and reports put a segment before the names of flags.
    pub fn answers_to(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let flag = self.kind == Kind::Flag && name.rsplit('.').next() == Some(&self.name);
        name == self.name || flag
    }

    /// The word for people.
    pub fn text(&self) -> String {
        let mut text = format!("{} ({})\n", self.name, self.kind.singular());
        for (title, words) in [("Means", &self.meaning), ("Do", &self.remedy), ("Example", &self.example)] {
            if !words.is_empty() {
                text.push_str(&wrapped(title, words));
            }
        }
        text
    }
}

/// A titled paragraph in lines of at most 100 letters; lines that are given are kept.
fn wrapped(title: &str, words: &str) -> String {
    const WIDTH: usize = 100;
    let indent = " ".repeat(11);
    let mut text = String::new();
    for (k, line) in words.lines().enumerate() {
        let head = if k == 0 { format!("  {:9}", format!("{title}:")) } else { indent.clone() };
        let mut row = head;
        let mut empty = true;
        for word in line.split(' ') {
            if !empty && row.chars().count() + 1 + word.chars().count() > WIDTH {
                text.push_str(row.trim_end());
                text.push('\n');
                row = indent.clone();
                empty = true;
            }
            row.push_str(if empty { "" } else { " " });
            row.push_str(word);
            empty = false;
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// Every word, by kind.
pub(super) fn words() -> Vec<Word> {
    let lists = [
        statuses::words(),
        pieces::words(),
        switches::words(),
        verdicts::words(),
        flags::words(),
        errors::words(),
    ];
    lists.into_iter().flatten().collect()
}
