//! The account's lines that matter to a person.

use super::text::Text;
use crate::description::{Account, Acknowledged, Entry, Verdict};
use std::collections::HashSet;

/// What is refused, with the word that would let it pass, or that did.
pub(super) fn refused(account: &Account, acknowledged: Option<&Acknowledged>, text: &mut Text) {
    let entries: Vec<&Entry> = account.refused().collect();
    if entries.is_empty() {
        return;
    }
    text.heading(&format!("Refused ({})", entries.len()));
    for entry in entries {
        text.line(&place(entry));
        let given =
            acknowledged.and_then(|all| all.acknowledged.iter().find(|(a, _)| a.element == entry.path));
        match given {
            Some((given, _)) => text.line(&format!("    acknowledged: {}", given.reason)),
            None => {
                let quoted = entry.path.replace('\'', "'\\''");
                text.line(&format!("    to pass over it: --acknowledge '{quoted}=REASON'"));
            }
        }
    }
}

/// What is used with a remark.
pub(super) fn notes(account: &Account, text: &mut Text) {
    let mut entries: Vec<&Entry> = account.entries().filter(|entry| entry.verdict == Verdict::Note).collect();
    if entries.is_empty() {
        return;
    }
    entries.sort_by_key(|entry| (entry.line, entry.column));
    text.heading(&format!("Notes ({})", entries.len()));
    entries.into_iter().for_each(|entry| text.line(&place(entry)));
}

/// What is not used: how many of each kind, or all of it.
pub(super) fn not_used(account: &Account, all: bool, text: &mut Text) {
    let mut entries: Vec<&Entry> =
        account.entries().filter(|entry| entry.verdict == Verdict::NotUsed).collect();
    if entries.is_empty() {
        return;
    }
    entries.sort_by_key(|entry| (entry.line, entry.column));
    text.heading(&format!("Not used ({})", entries.len()));
    if all {
        entries.into_iter().for_each(|entry| text.line(&place(entry)));
        return;
    }
    let paths: HashSet<&str> = entries.iter().map(|entry| entry.path.as_str()).collect();
    let mut kinds: Vec<(String, usize, &str)> = Vec::new();
    for entry in entries {
        let (above, last) = split(&entry.path);
        if paths.contains(above) {
            continue;
        }
        let kind = match last.starts_with('@') {
            true => format!("{last} of {}", kind_of(split(above).1)),
            false => kind_of(last).to_owned(),
        };
        match kinds.iter_mut().find(|(known, _, reason)| *known == kind && *reason == entry.reason) {
            Some((_, count, _)) => *count += 1,
            None => kinds.push((kind, 1, &entry.reason)),
        }
    }
    let rows: Vec<Vec<String>> = kinds
        .into_iter()
        .map(|(kind, count, reason)| vec![format!("{count}"), kind, reason.to_owned()])
        .collect();
    text.columns(&rows);
    text.line("  (with what is inside them; --all lists every line)");
}

fn place(entry: &Entry) -> String {
    format!("  {}:{} {}: {}", entry.line, entry.column, entry.path, entry.reason)
}

/// A path without its last element or attribute, and that; names in brackets may hold anything.
fn split(path: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    for (at, letter) in path.char_indices().rev() {
        match letter {
            ']' => depth += 1,
            '[' => depth = depth.saturating_sub(1),
            '/' if depth == 0 => return (&path[..at], &path[at + 1..]),
            '@' if depth == 0 => return (&path[..at], &path[at..]),
            _ => {}
        }
    }
    ("", path)
}

/// The element's kind: what stands before its name or number.
fn kind_of(element: &str) -> &str {
    element.split('[').next().unwrap_or(element)
}
