//! The `demo` command.

#![cfg(feature = "cli")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old folder removed");
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn articula(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_articula"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the command runs")
}

/// Claim: the demonstration runs with nothing but the binary, in under 10 s, meets stops, sticks, balances its energy,
/// runs a second time, and the command that it prints repeats it to the last bit.
#[test]
fn the_demonstration_runs_twice_and_can_be_repeated() {
    let folder = fresh("plain");
    let start = std::time::Instant::now();
    let done = articula(&folder, &["demo"]);
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(start.elapsed().as_secs() < 10);
    for words in [
        "met its upper stop at",
        "stuck for",
        "times real time",
        "energy changed by",
        "articula run articula-demo/demo.toml --out articula-demo-again",
    ] {
        assert!(text.contains(words), "{words} in\n{text}");
    }
    let out = folder.join("articula-demo");
    let report: Value =
        serde_json::from_slice(&std::fs::read(out.join("report.json")).expect("a report")).expect("JSON");
    let status = &report["status"];
    let some = |what: &str| {
        status[what].as_object().expect("fractions").values().filter(|x| x.as_f64() > Some(0.0)).count()
    };
    assert!(some("stop_fraction") >= 3 && some("stuck_fraction") >= 5, "{status}");
    assert_eq!(report["status"]["settled"], true);
    assert!(report["energy"]["closure"].as_f64() < Some(1e-9), "{}", report["energy"]);

    assert!(articula(&folder, &["demo"]).status.success(), "a second time");
    let rerun = articula(&folder, &["run", "articula-demo/demo.toml", "--out", "articula-demo-again"]);
    assert!(rerun.status.success(), "{}", String::from_utf8_lossy(&rerun.stderr));
    let read = |name: &str| std::fs::read(folder.join(name).join("trajectory.csv")).expect("a file");
    assert!(read("articula-demo") == read("articula-demo-again"));
}

/// Claim: what somebody changed, or put into the folder, is not written over without `--force`.
#[test]
fn changed_files_are_not_written_over() {
    let folder = fresh("changed");
    assert!(articula(&folder, &["demo", "--out", "d", "--quiet"]).status.success());
    let experiment = folder.join("d/demo.toml");
    let changed =
        std::fs::read_to_string(&experiment).expect("a file").replace("duration = 6.0", "duration = 1.0");
    std::fs::write(&experiment, &changed).expect("a file");
    let done = articula(&folder, &["demo", "--out", "d"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("--force"));
    assert_eq!(std::fs::read_to_string(&experiment).expect("a file"), changed);
    assert!(articula(&folder, &["demo", "--out", "d", "--force"]).status.success());
    std::fs::write(folder.join("d/notes.txt"), "mine").expect("a file");
    assert_eq!(articula(&folder, &["demo", "--out", "d"]).status.code(), Some(2));
}

/// Claim: the demonstration names the files it left, all of them and no other; with plots and without.
#[test]
fn the_files_named_are_those_left() {
    let folder = fresh("named");
    for arguments in [&["demo", "--out", "d"][..], &["demo", "--out", "d", "--no-plots"]] {
        let done = articula(&folder, arguments);
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let list = text.lines().find_map(|line| line.strip_prefix("d: ")).expect("the list");
        let mut named: Vec<String> = list.split(", ").map(str::to_owned).collect();
        named.sort();
        let entries = std::fs::read_dir(folder.join("d")).expect("a folder");
        let mut left: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        left.sort();
        assert_eq!(named, left);
    }
}
