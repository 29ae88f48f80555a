//! The records of the laws: every item in them exists and is public, and they agree with what runs.

#![cfg(feature = "cli")]

// The same folder again, from outside: a path of an item that is not public, or not there, does not compile here.
#[allow(dead_code, unused_imports, clippy::all)]
#[path = "../src/registry/mod.rs"]
mod registry;

use articula::registry::{LAWS, Law, law, of_drive};
use articula::rollout::{Drive, Hold, Table};
use articula::step::switches;
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Output};

fn articula(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_articula")).args(arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Claim: every item of every record resolves from another crate, and the records compiled there are the library's.
/// Method: this file compiles `src/registry` as its own; a wrong or private path is a compile error.
#[test]
fn items_resolve_from_outside() {
    let items = |laws: &mut dyn Iterator<Item = (&'static str, Vec<&'static str>)>| laws.collect::<Vec<_>>();
    let ours = items(&mut LAWS.iter().map(|l| (l.item, l.symbols.iter().map(|s| s.item).collect())));
    let outside =
        items(&mut registry::LAWS.iter().map(|l| (l.item, l.symbols.iter().map(|s| s.item).collect())));
    assert_eq!(ours, outside);
    for item in ours.iter().flat_map(|(item, symbols)| std::iter::once(item).chain(symbols)) {
        assert!(item.starts_with("articula::"), "{item}");
    }
}

/// Claim: records are whole. Names differ; versions are the last of their history; settings exist; every symbol has a
/// unit and a name; every test that is said to check a law exists.
#[test]
fn records_are_whole() {
    let names: HashSet<&str> = LAWS.iter().map(|law| law.name).collect();
    assert_eq!(names.len(), LAWS.len());
    for record in LAWS {
        let Law { name, title, summary, version, history, equations, symbols, .. } = record;
        assert!(law(name).is_some_and(|found| found.name == *name));
        assert!(!title.is_empty() && summary.ends_with('.') && !equations.is_empty(), "{name}");
        assert_eq!(history.last().map(|last| last.0), Some(*version), "{name}");
        assert!(!record.assumptions.is_empty() && !record.applies_to.is_empty(), "{name}");
        assert_eq!(record.rules().count(), record.settings.len(), "{name}: a setting that does not exist");
        assert!(!symbols.is_empty(), "{name}");
        for symbol in *symbols {
            assert!(!symbol.units.is_empty() && !symbol.name.is_empty(), "{name}: {symbol:?}");
        }
        assert!(!record.validity.is_empty(), "{name}");
        for test in record.validity.iter().flat_map(|check| check.tests) {
            let (file, function) = test.split_once("::").expect("file::function");
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
            let source = std::fs::read_to_string(&file).unwrap_or_default();
            assert!(source.contains(&format!("fn {function}(")), "{name}: no test {test}");
        }
    }
}

/// Claim: every declared switch belongs to a law, and every setting too, so that none is left out of the registry.
#[test]
fn nothing_is_left_out() {
    for switch in switches::DYNAMIC.iter().chain(&switches::KINEMATIC).chain(&switches::COUPLED) {
        assert!(LAWS.iter().any(|law| law.switches.contains(switch)), "{}", switch.name);
    }
    for rule in articula::experiment::RULES {
        let common = rule.key.starts_with("time.");
        assert!(common || LAWS.iter().any(|law| law.settings.contains(&rule.key)), "{}", rule.key);
    }
    let table = Table::new(vec![0.0], vec![1.0], Hold::Linear).expect("a table");
    for drive in [
        Drive::Constant(1.0),
        Drive::Sine { amplitude: 1.0, frequency: 1.0, phase: 0.0, offset: 0.0 },
        Drive::Table(table),
        Drive::Pd { target: 0.0, kp: 1.0, kd: 1.0 },
    ] {
        assert_eq!(of_drive(&drive).name, format!("drive_{}", drive.kind()));
    }
}

/// Claim: a run's report names the entry and the version of the registry, and switches as the record has them.
#[test]
fn reports_agree() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("registry-report");
    let _ = std::fs::remove_dir_all(&out);
    let folder = out.display().to_string();
    assert!(articula(&["demo", "--out", &folder, "--quiet"]).status.success());
    let report: Value =
        serde_json::from_slice(&std::fs::read(out.join("report.json")).expect("a report")).expect("JSON");
    let segment = &report["segments"]["arm"];
    let record = law(segment["entry"].as_str().expect("an entry")).expect("a record of that name");
    assert_eq!((record.name, segment["entry_version"].as_str()), ("dynamic_arm", Some(record.version)));
    let shown = serde_json::to_value(record.switches).expect("JSON");
    for switch in segment["switches"].as_array().expect("switches") {
        assert!(shown.as_array().expect("switches").contains(switch), "{switch}");
    }
}

/// Claim: `registry` lists every law, one by name, as JSON with its schema; an unknown name is exit 2 with the nearest.
#[test]
fn the_command_shows_them() {
    let list = text(&articula(&["registry"]).stdout);
    assert_eq!(list.lines().count(), LAWS.len());
    let one = text(&articula(&["registry", "coulomb_friction"]).stdout);
    for words in
        ["arm.friction.low", "N m; N", "articula::model::Joint::friction", "piecewise_kink", "| `friction` |"]
    {
        assert!(one.contains(words), "{words} in\n{one}");
    }
    let all: Value = serde_json::from_slice(&articula(&["registry", "--json"]).stdout).expect("JSON");
    assert_eq!(all["schema"], "articula/registry/1");
    assert_eq!(all["laws"].as_array().map(Vec::len), Some(LAWS.len()));
    let stops: Value =
        serde_json::from_slice(&articula(&["registry", "stops", "--json"]).stdout).expect("JSON");
    assert_eq!(stops["laws"][0]["switches"][0]["name"], "arm.stop.low");
    assert_eq!(stops["laws"][0]["settings"][0]["default_kind"], "convention");
    let wrong = articula(&["registry", "columb_friction"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("did you mean `coulomb_friction`?"));
}

/// Claim: what a segment of an experiment is says plainly that its base stands and that nothing is registered for it;
/// the laws of a tree say that its root may move.
#[test]
fn segments_say_whether_their_base_moves() {
    for name in ["dynamic_arm", "kinematic_arm"] {
        let shown = text(&articula(&["registry", name]).stdout);
        assert!(
            shown.contains("- Base moves: no\n") && shown.contains("- Registered by name: none\n"),
            "{shown}"
        );
    }
    let shown = text(&articula(&["registry", "tree_dynamics"]).stdout);
    assert!(shown.contains("- Base moves: yes\n"), "{shown}");
}

/// Claim: `docs/laws.md` is what the binary makes of the records.
#[test]
fn the_page_is_made_from_the_records() {
    let page = text(&articula(&["registry", "--markdown"]).stdout);
    let stored = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/laws.md"));
    assert!(
        stored.is_ok_and(|stored| stored.replace("\r\n", "\n") == page),
        "docs/laws.md is stale; remake it with: cargo run -- registry --markdown > docs/laws.md"
    );
}
