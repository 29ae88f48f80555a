//! Claim: a file under its final name is whole, whenever the process is killed and whatever the system refuses.

#![cfg(all(feature = "cli", target_os = "linux"))]

use ndarray_npy::NpzReader;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const STEPS: usize = 60_000;

/// A folder with an experiment whose results take some tenths of a second to write.
fn prepared(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("whole").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let robots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots");
    std::fs::copy(robots.join("double_pendulum.urdf"), folder.join("r.urdf")).expect("a robot");
    let toml = format!(
        "[time]\nstep = 0.001\nduration = {}\n[chain.arm]\ndescription = \"r.urdf\"\nrung = \"dynamic\"\n\
         initial_positions = [0.7, 0.4]\n",
        STEPS / 1000
    );
    std::fs::write(folder.join("x.toml"), toml).expect("an experiment");
    folder
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_articula"))
        .current_dir(folder)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts")
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The temporary file of a result, and how long it is now.
fn part(out: &Path, of: &str) -> Option<(String, u64)> {
    let name = names(out)
        .into_iter()
        .find(|name| name.starts_with(&format!(".{of}.")) && name.ends_with(".articula-part"))?;
    Some((name.clone(), std::fs::metadata(out.join(name)).ok()?.len()))
}

/// Every file under its final name is whole; how many there are.
fn assert_whole(out: &Path) -> usize {
    let finished: Vec<String> = names(out).into_iter().filter(|name| !name.starts_with('.')).collect();
    for name in &finished {
        let path = out.join(name);
        match name.as_str() {
            "trajectory.csv" => {
                assert!(std::fs::read(&path).expect("a file").ends_with(b"\n"), "the last row is complete");
                let mut reader = csv::Reader::from_path(&path).expect("a CSV file");
                // The reader refuses rows of another length than the header's.
                let rows: Vec<_> = reader.records().map(|row| row.expect("a whole row")).collect();
                assert_eq!(rows.len(), STEPS + 1);
            }
            "trajectory.npz" => {
                let mut npz =
                    NpzReader::new(std::fs::File::open(&path).expect("a file")).expect("an archive");
                let arrays = npz.names().expect("its names");
                assert!(
                    arrays.iter().any(|name| name.starts_with("arm.frame_angular_velocities")),
                    "{arrays:?}"
                );
                let q: ndarray::Array2<f64> = npz.by_name("arm.q").expect("an array");
                assert_eq!(q.dim(), (STEPS + 1, 2));
            }
            "report.json" => {
                let report: Value =
                    serde_json::from_slice(&std::fs::read(&path).expect("a file")).expect("JSON");
                assert_eq!(report["schema"], "articula/run/1");
            }
            "report.html" => {
                let page = std::fs::read_to_string(&path).expect("a page");
                assert!(page.trim_end().ends_with("</html>"), "the page is complete");
            }
            plot if plot.ends_with(".svg") => {
                let text = std::fs::read_to_string(&path).expect("a plot");
                roxmltree::Document::parse(&text).expect("a whole plot");
            }
            other => panic!("a file nobody announced: {other}"),
        }
    }
    finished.len()
}

/// What a run leaves.
const ALL: [&str; 8] = [
    "efforts.svg",
    "indicators.svg",
    "positions.svg",
    "report.html",
    "report.json",
    "trajectory.csv",
    "trajectory.npz",
    "velocities.svg",
];

/// A run is killed while each result is half written, several times, at different lengths; what stands under a final
/// name is whole, what does not is taken away by the next run, which needs no `--force` where nothing was finished.
#[test]
fn a_killed_run_leaves_whole_files_only() {
    let folder = prepared("killed");
    let mut halves = Vec::new();
    let moments = [
        ("trajectory.csv", 1),
        ("trajectory.csv", 1_000_000),
        ("trajectory.csv", 5_000_000),
        ("trajectory.csv", 12_000_000),
        ("trajectory.npz", 1),
        ("trajectory.npz", 3_000_000),
        ("trajectory.npz", 8_000_000),
    ];
    for (k, (result, length)) in moments.into_iter().enumerate() {
        let out = folder.join(format!("out{k}"));
        let mut run = start(&folder, &["run", "x.toml", "--out", out.to_str().expect("a path")]);
        let begun = Instant::now();
        loop {
            let done = run.try_wait().expect("a state").is_some();
            // Under whichever name it grows.
            let under_its_own = || std::fs::metadata(out.join(result)).ok().map(|found| found.len());
            let now = part(&out, result).map(|(_, now)| now).or_else(under_its_own);
            if done || now.is_some_and(|now| now >= length) {
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{result} is not being written");
            std::thread::yield_now();
        }
        run.kill().expect("SIGKILL");
        run.wait().expect("an end");
        let left = part(&out, result);
        let whole = assert_whole(&out);
        if let Some((_, length)) = &left {
            halves.push((result, *length));
        }
        let mut arguments = vec!["run", "x.toml", "--out", out.to_str().expect("a path")];
        if whole > 0 {
            arguments.push("--force");
        }
        if k % 3 == 0 {
            assert!(
                start(&folder, &arguments).wait().expect("an end").success(),
                "what is left does no harm"
            );
            assert_eq!(names(&out), ALL, "and is taken away");
            assert_eq!(assert_whole(&out), ALL.len());
        }
        std::fs::remove_dir_all(&out).expect("removed");
    }
    println!("killed with these halves written: {halves:?}");
    // Some runs may be done before the kill comes; most must not be, or this shows nothing.
    assert!(halves.iter().filter(|(result, _)| *result == "trajectory.csv").count() >= 2, "{halves:?}");
    assert!(halves.len() >= 4, "{halves:?}");
}

fn shell(folder: &Path, command: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_articula");
    let output = Command::new("bash").current_dir(folder).args(["-c", command, program]).output();
    output.expect("a shell")
}

/// A file size past what the system allows ends in exit 1 and a word, with nothing half written; what was whole before
/// stays as it was.
#[test]
fn a_refused_write_leaves_nothing_half() {
    let folder = prepared("refused");
    // bash counts in 1024 bytes: 1 MiB, which the CSV file passes.
    let output = shell(&folder, "ulimit -f 1024; exec \"$0\" run x.toml --out out");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{:?} {message}", output.status);
    assert!(message.contains("out/trajectory.csv: ") && message.contains("ulimit -f"), "{message}");
    assert!(message.contains("no half file is left"), "{message}");
    assert_eq!(names(&folder.join("out")), Vec::<String>::new());
    std::fs::write(folder.join("out/trajectory.csv"), "from before\n").expect("a file");
    let output = shell(&folder, "ulimit -f 1024; exec \"$0\" run x.toml --out out --force");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(names(&folder.join("out")), ["trajectory.csv"]);
    let kept = std::fs::read_to_string(folder.join("out/trajectory.csv")).expect("a file");
    assert_eq!(kept, "from before\n");
}

/// An answer that stdout does not take is a failure, and said.
#[test]
fn a_full_stdout_is_a_failure() {
    let folder = prepared("stdout");
    let toml = std::fs::read_to_string(folder.join("x.toml"))
        .expect("a file")
        .replace("duration = 60", "duration = 0.01");
    std::fs::write(folder.join("x.toml"), toml).expect("a file");
    for command in [
        "inspect r.urdf",
        "inspect r.urdf --json",
        "eval r.urdf --state - <<< '{}'",
        "run x.toml --out a",
        "run x.toml --out b --json",
    ] {
        let output = shell(&folder, &format!("exec \"$0\" {command} > /dev/full"));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{command}: {message}");
        assert!(message.contains("cannot write to stdout"), "{command}: {message}");
    }
}

/// Two runs into one folder at once shared their temporary names, and one put the other's half under the final name.
#[test]
fn two_runs_into_one_folder_share_no_half() {
    let folder = prepared("two");
    let mut both = [0, 1].map(|_| start(&folder, &["run", "x.toml", "--out", "out", "--force"]));
    for run in &mut both {
        assert!(run.wait().expect("an end").success());
    }
    assert_eq!(assert_whole(&folder.join("out")), ALL.len());
    assert_eq!(names(&folder.join("out")), ALL, "no temporary file is left");
}

/// Only what a dead process left under our own mark is taken away, and only by a command that writes results.
#[test]
fn hidden_files_of_others_stay() {
    let folder = prepared("hidden");
    let out = folder.join("out");
    std::fs::create_dir(&out).expect("a folder");
    let mut dead = start(&folder, &["--version"]);
    dead.wait().expect("an end");
    let ours = |process: u32| format!(".report.json.{process}.articula-part");
    let (left, alive) = (ours(dead.id()), ours(std::process::id()));
    let theirs = format!(".download.{}.part", dead.id());
    for name in [&left, &alive, &theirs] {
        std::fs::write(out.join(name), "half").expect("a file");
    }
    let init = start(&folder, &["init", "r.urdf", "--out", "out/made.toml"]).wait().expect("an end");
    assert!(init.success());
    let mut kept = vec![left.clone(), alive.clone(), theirs.clone(), "made.toml".into()];
    kept.sort();
    assert_eq!(names(&out), kept, "init takes nothing away");
    let run = ["run", "made.toml", "--out", ".", "--force", "--no-page", "--no-plots"];
    std::fs::copy(folder.join("r.urdf"), out.join("r.urdf")).expect("a robot");
    let toml = std::fs::read_to_string(out.join("made.toml")).expect("a file").replace("../r.urdf", "r.urdf");
    std::fs::write(out.join("made.toml"), toml).expect("a file");
    assert!(start(&out, &run).wait().expect("an end").success());
    let kept = names(&out);
    assert!(!kept.contains(&left), "{kept:?}");
    assert!(kept.contains(&alive) && kept.contains(&theirs), "{kept:?}");
}
