//! Switches, from their declarations.

use super::word::{Kind, Word};
use crate::registry::LAWS;
use crate::step::impulse::exact::PIECE;
use crate::switch::Switch;
use std::borrow::Cow;

pub(super) fn words() -> Vec<Word> {
    let mut all: Vec<&Switch> = Vec::new();
    for switch in LAWS.iter().flat_map(|law| law.switches).copied().chain([&PIECE]) {
        if !all.iter().any(|known| known.name == switch.name) {
            all.push(switch);
        }
    }
    all.into_iter().map(word).collect()
}

fn word(switch: &Switch) -> Word {
    let orders: Vec<String> = switch
        .orders
        .iter()
        .map(|(group, order)| format!("{} in {group}", if *order < 0 { "a jump" } else { "a kink" }))
        .collect();
    let laws: Vec<&str> = LAWS
        .iter()
        .filter(|law| law.switches.iter().any(|other| other.name == switch.name))
        .map(|law| law.name)
        .collect();
    let (first, rest) = switch.indicator.split_at(switch.indicator.chars().next().map_or(0, char::len_utf8));
    let mut meaning = format!("{}{rest}.", first.to_uppercase());
    meaning
        .push_str(&format!(" That is its indicator, in {}: by its sign a law chooses a piece.", switch.unit));
    if !orders.is_empty() {
        meaning.push_str(&format!(" Where it is zero the outputs have: {}.", orders.join(", ")));
    }
    if !laws.is_empty() {
        meaning.push_str(&format!(" Evaluated by: {}.", laws.join(", ")));
    }
    let column = column(switch.name);
    let advice = match column.is_empty() {
        false => "Read its indicator before believing a derivative: it is the distance to the kink.",
        true => "The side taken is recorded; it has no indicator of its own.",
    };
    let remedy = format!("{advice} Way to an exact derivative: {}.", switch.route);
    Word {
        kind: Kind::Switch,
        name: Cow::Borrowed(switch.name),
        meaning: meaning.into(),
        remedy: remedy.into(),
        example: column.into(),
    }
}

/// Where its indicator is read; nowhere where it has none.
fn column(name: &str) -> String {
    let Some(rest) = name.strip_prefix("arm.").filter(|_| name != PIECE.name) else { return String::new() };
    let own = ["stop.", "friction.", "limit."].iter().any(|law| rest.starts_with(law));
    if !own {
        return "`status` of report.json, where it came near".to_owned();
    }
    let column = rest.replace("limit", "stop");
    format!(
        "column `SEG.{column}.JOINT` of trajectory.csv; `indicators` in the `step` of `articula eval`; `status` of report.json"
    )
}
