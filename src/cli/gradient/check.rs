//! What came of `--check`.

use crate::cli::Failure;
use crate::rollout::{Checked, Entry};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Entries that were held against differences; fewer than there are where Ctrl-C came between.
pub(super) struct Check {
    pub lines: Vec<Line>,
    pub of: usize,
}

/// An entry with what came of it.
pub(super) struct Line {
    pub name: String,
    /// Of an input: the number's index and time.
    pub at: Option<(usize, f64)>,
    pub entry: Entry,
    pub checked: Checked,
}

impl Line {
    /// Neither right nor excused.
    pub fn wrong(&self) -> bool {
        !self.checked.agrees && self.checked.straddles.is_empty() && self.checked.difference.is_some()
    }

    /// Its name with the time.
    pub fn words(&self) -> String {
        match self.at {
            Some((_, time)) => format!("{} at {time} s", self.name),
            None => self.name.clone(),
        }
    }
}

impl Check {
    pub fn new(
        names: &[(String, Option<(usize, f64)>)],
        entries: &[Entry],
        checked: Vec<Option<Checked>>,
    ) -> Self {
        let each = names.iter().zip(entries).zip(checked);
        let lines = each.filter_map(|(((name, at), entry), checked)| {
            Some(Line { name: name.clone(), at: *at, entry: *entry, checked: checked? })
        });
        Check { lines: lines.collect(), of: entries.len() }
    }

    pub fn interrupted(&self) -> bool {
        self.lines.len() < self.of
    }

    /// Every entry was checked, and agrees.
    pub fn clean(&self) -> bool {
        !self.interrupted() && self.lines.iter().all(|line| line.checked.agrees)
    }

    pub fn document(&self) -> Value {
        let entries = self.lines.iter().map(|line| {
            let Checked { difference, step, agrees, straddles } = &line.checked;
            json!({
                "name": line.name,
                "index": line.at.map(|(index, _)| index),
                "gradient": line.entry.gradient,
                "difference": difference,
                "step": step,
                "agrees": agrees,
                "straddles": straddles,
            })
        });
        json!({
            "clean": self.clean(),
            "interrupted": self.interrupted(),
            "checked": self.lines.len(),
            "of": self.of,
            "entries": entries.collect::<Vec<_>>(),
        })
    }

    /// The exit code, and the words that go with it.
    pub fn exit(&self, quiet: bool) -> Result<ExitCode, Failure> {
        if self.interrupted() && !quiet {
            eprintln!("interrupted: {} of {} entries are checked", self.lines.len(), self.of);
        }
        let wrong = self.lines.iter().filter(|line| line.wrong()).count();
        let Some(first) = self.lines.iter().find(|line| line.wrong()) else { return Ok(ExitCode::SUCCESS) };
        Err(Failure::Run(format!(
            "{wrong} of {} entries disagree with their differences, and no switch is between the runs; the first by {}: the \
             objective itself has a kink there (an orientation half a turn from its goal), or this is a fault of the program: \
             then please report it with the experiment",
            self.lines.len(),
            first.words()
        )))
    }
}
