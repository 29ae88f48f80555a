//! `articula explain` as a user runs it.

#![cfg(feature = "cli")]

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn explain(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_articula")).arg("explain").args(arguments).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Names of a kind, from the JSON of all words.
fn known(kind: &str) -> BTreeSet<String> {
    let all: Value = serde_json::from_slice(&explain(&["--json"]).stdout).expect("JSON");
    assert_eq!(all["schema"], "articula/explain/1");
    let words = all["words"].as_array().expect("words").iter();
    words.filter(|w| w["kind"] == kind).map(|w| w["name"].as_str().expect("a name").to_owned()).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => sources(&path, found),
            false => found.push(path),
        }
    }
}

/// The string literals of a source without its comments and its own tests, each with up to 90 letters before it.
fn literals(source: &str) -> Vec<(String, String)> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n").replace("\\\"", "");
    let parts: Vec<&str> = code.split('"').collect();
    let before = |k: usize| {
        let head = parts[k - 1];
        let cut = head.char_indices().rev().nth(89).map_or(0, |(at, _)| at);
        head[cut..].to_owned()
    };
    (1..parts.len()).step_by(2).map(|k| (before(k), parts[k].to_owned())).collect()
}

fn looks_like_a_code(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Every code that the sources can put into an error.
///
/// A code is a literal that follows `code:`, or an opening `fault(`, `wrong(`, `whole(` with no other literal or end of
/// call between; one in the match of `Error::code`; and in `src/description`, whose codes also pass through tuples, every
/// literal with an underscore but the names of XML and JSON below.
fn codes_in_sources() -> BTreeSet<String> {
    const NO_CODES: [&str; 5] =
        ["ros2_control", "mechanical_reduction", "safety_controller", "second_reading", "snake_case"];
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let mut codes = BTreeSet::new();
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a source");
        let inside = |folder: &str| file.components().any(|part| part.as_os_str() == folder);
        for (before, word) in literals(&source).into_iter().filter(|(_, word)| looks_like_a_code(word)) {
            let opened = ["fault(", "wrong(", "whole(", "at_robot("].iter().any(|opening| {
                before.rsplit_once(opening).is_some_and(|(head, between)| {
                    // `unwrap_or_default(` opens no fault.
                    !head.ends_with(char::is_alphanumeric) && !between.contains([';', '{'])
                })
            });
            let given = before.trim_end().ends_with("code:");
            let named = file.ends_with("src/error.rs") && before.trim_end().ends_with("{ .. } =>");
            let passed = inside("description") && word.contains('_') && !NO_CODES.contains(&word.as_str());
            if opened || given || named || passed {
                codes.insert(word);
            }
        }
    }
    codes
}

/// Claim: every error code that the sources can give has a text, and no text is left of a code that is gone.
#[test]
fn every_error_code_is_explained() {
    let (given, explained) = (codes_in_sources(), known("error"));
    let missing: Vec<_> = given.difference(&explained).collect();
    assert!(missing.is_empty(), "no text in src/cli/explain/errors.rs for {missing:?}");
    let stale: Vec<_> = explained.difference(&given).collect();
    assert!(stale.is_empty(), "texts of codes that no source gives: {stale:?}");
    assert!(given.len() >= 30, "{given:?}");
}

/// Claim: every piece, every declared switch, every verdict, status and flag is explained by its own name.
#[test]
fn every_word_is_explained() {
    use articula::description::Verdict;
    use articula::step::{Piece, switches};
    let pieces = (-9..=9).filter_map(Piece::from_code).map(|piece| piece.name().to_owned());
    assert_eq!(known("piece"), pieces.collect());
    let declared =
        switches::DYNAMIC.iter().chain(&switches::KINEMATIC).chain(&switches::COUPLED).map(|s| s.name);
    let declared = declared.chain([articula::step::impulse::exact::PIECE.name]);
    assert_eq!(known("switch"), declared.map(str::to_owned).collect());
    let verdicts = [Verdict::Used, Verdict::NotUsed, Verdict::Refused, Verdict::Note];
    let names = verdicts.map(|v| serde_json::to_value(v).expect("JSON").as_str().expect("a word").to_owned());
    assert_eq!(known("verdict"), names.into());
    for (kind, words) in [
        (
            "status",
            &["exact", "exact_branch", "one_sided", "jump", "unsettled", "vanishing", "piecewise_kink"][..],
        ),
        ("flag", &["beyond_speed_limit", "beyond_effort_limit", "pending", "validity"]),
    ] {
        let known = known(kind);
        assert!(words.iter().all(|word| known.contains(*word)), "{words:?} in {known:?}");
    }
}

/// Claim: a word is explained with what it means and what to do, a switch from its declaration; segment, brackets and
/// capitals around a word do no harm.
#[test]
fn words_are_explained() {
    for (word, parts) in [
        ("stick", &["stick (piece)", "Means:", "Do:", "arm.friction.low"][..]),
        ("slide+", &["velocity above zero", "1 in the array `SEG.piece`"]),
        ("arm.stop.low", &[articula::step::switches::STOP_LOW.route, "SEG.stop.low.JOINT", "dynamic_arm"]),
        ("arm.beyond_speed_limit", &["watched, not applied"]),
        ("[missing_limits]", &["[chain.X.limits]"]),
        ("Vanishing", &["stuck_fraction"]),
        ("refused", &["refused (verdict of the account)", "refused (error code)", "reason = "]),
    ] {
        let output = explain(&[word]);
        assert_eq!(output.status.code(), Some(0), "{word}");
        // Lines are broken for reading.
        let shown = text(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        for part in parts {
            let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(shown.contains(&part), "{part} in {shown}");
        }
    }
    let one: Value = serde_json::from_slice(&explain(&["jump", "--json"]).stdout).expect("JSON");
    assert_eq!(
        (one["words"][0]["name"].as_str(), one["words"].as_array().map(Vec::len)),
        (Some("jump"), Some(1))
    );
}

/// Claim: a word that is none is exit 2 with the nearest ones; without a word all are listed by kind.
#[test]
fn unknown_words_and_the_list() {
    for (word, near) in
        [("vanishng", "`vanishing`"), ("slide", "`slide+`"), ("friction", "`arm.friction.low`")]
    {
        let output = explain(&[word]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(near), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    assert_eq!(explain(&["xyzzyxyzzyxyzzy"]).status.code(), Some(2));
    let list = text(&explain(&[]).stdout);
    for words in [
        "Statuses",
        "Pieces",
        "Switches",
        "Verdicts",
        "Flags",
        "Error codes",
        "  exact_branch ",
        "  unknown_key ",
    ] {
        assert!(list.contains(words), "{words} in\n{list}");
    }
}

/// Claim: the code of an error ends its message, so that it can be asked for.
#[test]
fn messages_end_with_their_code() {
    let run = |arguments: &[&str]| {
        text(&Command::new(env!("CARGO_BIN_EXE_articula")).args(arguments).output().expect("it runs").stderr)
    };
    assert!(run(&["inspect", "no_such_file.urdf"]).trim_end().ends_with("[io]"));
    let wrong = ["eval", "tests/robots/pendulum.urdf", "--state", "x", "--quantities", "mass"];
    assert!(run(&wrong).trim_end().ends_with("[unknown_name]"), "{}", run(&wrong));
    // Once: those of faults of files are part of them.
    for (file, code) in [(".", "not_a_file"), ("tests/limits.rs", "not_xml")] {
        let message = run(&["inspect", file]);
        let (before, last) = message.trim_end().rsplit_once(" [").expect("a code");
        assert_eq!(last, format!("{code}]"), "{message}");
        assert!(!before.ends_with(']'), "{message}");
    }
}

/// Claim: statuses that nothing prints say so, and switches whose indicator is not reported send nobody to read it.
#[test]
fn what_is_not_reported_says_so() {
    let plain = |word: &str| text(&explain(&[word]).stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let printed = |word: &str| {
        let quoted = format!("\"{word}\"");
        let here = |file: &&PathBuf| !file.components().any(|part| part.as_os_str() == "explain");
        files
            .iter()
            .filter(here)
            .any(|file| std::fs::read_to_string(file).expect("a source").contains(&quoted))
    };
    for word in
        ["exact", "exact_branch", "one_sided", "jump", "unsettled", "vanishing", "piecewise_kink", "settled"]
    {
        let says = plain(word).contains("ot printed by this version yet");
        assert_eq!(says, !printed(word), "{word}: {}", plain(word));
    }
    for (word, read_at) in [
        ("arm.piece", None),
        ("arm.stick", Some("`status` of report.json, where it came near")),
        ("arm.coupled.low", Some("`status` of report.json, where it came near")),
        ("arm.coupled.high", Some("`status` of report.json, where it came near")),
        ("arm.stop.low", Some("column `SEG.stop.low.JOINT`")),
        ("arm.limit.high", Some("column `SEG.stop.high.JOINT`")),
    ] {
        let shown = plain(word);
        assert_eq!(shown.contains("it has no indicator of its own"), read_at.is_none(), "{shown}");
        assert_eq!(shown.contains("Read its indicator"), read_at.is_some(), "{shown}");
        assert!(read_at.is_none_or(|words| shown.contains(words)), "{shown}");
    }
}
