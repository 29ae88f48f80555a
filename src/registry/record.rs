//! One record.

use articula::experiment::{RULES, Rule};
use articula::switch::Switch;
use serde_json::{Value, json};

/// What a symbol of a law is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SymbolKind {
    /// Given anew for every step.
    Input,
    /// Given once, with the machine or the experiment.
    Parameter,
    /// What a step changes and the next one starts from.
    State,
    /// What a step makes besides.
    Output,
}

/// A symbol of a law's equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Symbol {
    /// As equations write it.
    pub symbol: &'static str,
    /// What it is.
    pub kind: SymbolKind,
    /// Its name in words.
    pub name: &'static str,
    /// Its unit; of a joint that may turn or slide both, the turning one first.
    pub units: &'static str,
    /// The public item that implements it.
    pub item: &'static str,
}

/// Something handed in or out, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Port {
    /// Its name.
    pub name: &'static str,
    /// Its unit.
    pub units: &'static str,
}

/// Something that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Check {
    /// What is claimed.
    pub claim: &'static str,
    /// The tests that fail where it is not so, as `file::function`.
    pub tests: &'static [&'static str],
}

/// The record of a law.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Law {
    /// Its name; reports give it as a segment's `entry`.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its version; raised when the same input gives other numbers.
    pub version: &'static str,
    /// Every version with what it changed, oldest first.
    pub history: &'static [(&'static str, &'static str)],
    /// What it models, and when not to use it.
    pub summary: &'static str,
    /// The public item that computes it.
    pub item: &'static str,
    /// Its equations.
    pub equations: &'static [&'static str],
    /// How time is cut into steps; empty where it holds at an instant.
    pub discretisation: &'static str,
    /// The symbols of its equations.
    pub symbols: &'static [Symbol],
    /// Its settings, by their keys in an experiment.
    pub settings: &'static [&'static str],
    /// What it takes from outside, step by step.
    pub accepts: &'static [Port],
    /// What it gives out, step by step.
    pub publishes: &'static [Port],
    /// Its switches: where it chooses a piece.
    pub switches: &'static [&'static Switch],
    /// What it takes for granted.
    pub assumptions: &'static [&'static str],
    /// What it does not do.
    pub limitations: &'static [&'static str],
    /// How far it was checked, and by which tests.
    pub validity: &'static [Check],
    /// Numbers that bound it.
    pub limits: &'static [&'static str],
    /// What it can be applied to.
    pub applies_to: &'static [&'static str],
    /// Properties others may rely on.
    pub flags: &'static [&'static str],
    /// Flags of a report that it can raise; `SEG` is the segment.
    pub raises: &'static [&'static str],
    /// What must be given to start it.
    pub initial_state: &'static [Port],
    /// Whether its own base can move: for laws of a tree whose root may be free.
    pub moving: bool,
    /// What it becomes in a run, by what is added to the segment's name: one empty word is the segment itself.
    pub nodes: &'static [&'static str],
    /// Kinds of things that can be registered for it by name; none in this version.
    pub registration_kinds: &'static [&'static str],
    /// Where it comes from.
    pub references: &'static [&'static str],
}

/// A record with nothing in it, for the fields a law has no use for.
pub(super) const EMPTY: Law = Law {
    name: "",
    title: "",
    version: "1",
    history: &[("1", "the first")],
    summary: "",
    item: "",
    equations: &[],
    discretisation: "",
    symbols: &[],
    settings: &[],
    accepts: &[],
    publishes: &[],
    switches: &[],
    assumptions: &[],
    limitations: &[],
    validity: &[],
    limits: &[],
    applies_to: &[],
    flags: &[],
    raises: &[],
    initial_state: &[],
    moving: false,
    nodes: &[],
    registration_kinds: &[],
    references: &[],
};

impl Law {
    /// The class of the derivative through it: `exact` without switches, `piecewise_kink` with kinks only, else
    /// `piecewise_jump`.
    pub fn derivative(&self) -> &'static str {
        let jumps = self.switches.iter().flat_map(|switch| switch.orders).any(|(_, order)| *order < 0);
        match (self.switches.is_empty(), jumps) {
            (true, _) => "exact",
            (false, false) => "piecewise_kink",
            (false, true) => "piecewise_jump",
        }
    }

    /// What is known of its settings before an experiment says anything.
    pub fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        let rule = |key: &&str| RULES.iter().find(|rule| rule.key == *key);
        self.settings.iter().filter_map(rule)
    }

    /// The record as JSON: its fields, with the settings and the class of its derivative written out.
    pub fn to_json(&self) -> Value {
        let mut record = json!(self);
        record["settings"] = json!(self.rules().collect::<Vec<_>>());
        record["derivative"] = self.derivative().into();
        record
    }
}

/// A symbol.
pub(super) const fn symbol(
    symbol: &'static str,
    kind: SymbolKind,
    name: &'static str,
    units: &'static str,
    item: &'static str,
) -> Symbol {
    Symbol { symbol, kind, name, units, item }
}

/// A port.
pub(super) const fn port(name: &'static str, units: &'static str) -> Port {
    Port { name, units }
}

/// Something checked.
pub(super) const fn check(claim: &'static str, tests: &'static [&'static str]) -> Check {
    Check { claim, tests }
}
