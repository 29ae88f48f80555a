//! `articula init` as a user runs it: the file it prints does what its top says.

#![cfg(feature = "cli")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("init").join(name);
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
        .expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs an experiment's text for 20 steps, results thrown away; exit code and message.
fn run(folder: &Path, experiment: &str) -> (Option<i32>, String) {
    let short = experiment.replace("duration = 1.0 ", "duration = 0.02 ");
    assert_ne!(short, experiment, "the duration is where the test shortens it");
    std::fs::write(folder.join("short.toml"), short).expect("a file");
    let done = articula(folder, &["run", "short.toml", "--out", "results", "--force", "--quiet"]);
    (done.status.code(), text(&done.stderr))
}

/// The file with every refused element acknowledged, as a user would who has decided so.
fn decided(experiment: &str) -> String {
    let decide = |line: &str| match line.strip_prefix("# ") {
        Some("reason = \"\"") => "reason = \"decided in a test\"".to_owned(),
        Some(entry) if entry.starts_with("[[chain.arm.ack") || entry.starts_with("element = ") => {
            entry.to_owned()
        }
        _ => line.to_owned(),
    };
    experiment.lines().map(|line| decide(line) + "\n").collect()
}

/// What the top says comes true: it runs; or it fails with the elements it lists, and once they are acknowledged runs, or
/// fails in the words given. Returns what it said.
fn keeps_its_word(folder: &Path, robot: &str, rung: &[&str]) -> &'static str {
    let printed = articula(folder, &[&["init", robot, "--json"], rung].concat());
    assert_eq!(printed.status.code(), Some(0), "{robot}: {}", text(&printed.stderr));
    let told: Value = serde_json::from_slice(&printed.stdout).expect("JSON");
    let experiment = told["experiment"].as_str().expect("a text");
    let top: Vec<&str> = experiment.lines().take_while(|line| line.starts_with('#')).collect();
    let top = top.join("\n");
    let (code, message) = run(folder, experiment);
    let faults = told["to_decide"].as_array().expect("a list");
    let decide = !faults.is_empty();
    if decide {
        assert!(top.contains(&format!("decided ({})", faults.len())), "{robot}: {top}");
        assert_eq!(code, Some(2), "{robot}: refused elements are not acknowledged in silence");
        for fault in faults {
            let found = fault["found"].as_str().expect("words");
            assert!(
                message.contains(found) && message.contains("[refused]"),
                "{robot}: {found} in {message}"
            );
        }
    }
    let (code, message) = if decide { run(folder, &decided(experiment)) } else { (code, message) };
    match told["then"].as_str() {
        None => {
            assert_eq!(code, Some(0), "{robot}: {top}\n{message}");
            assert_eq!(told["runs"], !decide);
            let words = if decide { "# With all of them acknowledged it runs" } else { "# It runs as it is" };
            assert!(top.contains(words), "{robot}: {top}");
            if decide { "runs once decided" } else { "runs" }
        }
        Some(then) => {
            assert_eq!(told["runs"], false);
            assert!(top.contains("does not run"), "{robot}: {top}");
            // A run that ends before its end may do so later than these few steps.
            if then.contains("not finite") {
                assert!(code == Some(1) || code == Some(0), "{robot}: {message}");
            } else {
                assert_eq!(code, Some(2), "{robot}: {top}\n{message}");
                let key = then.rsplit_once('[').map_or(then, |(_, code)| code);
                assert!(message.contains(&format!("[{key}")), "{robot}: {then}\n{message}");
            }
            "does not run"
        }
    }
}

/// Claim: for every robot of our own, on both rungs, the file runs as it is, but where a free base stands in the way.
#[test]
fn own_robots_run() {
    let folder = fresh("own");
    let robots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots");
    for robot in std::fs::read_dir(robots).expect("robots") {
        let robot = robot.expect("an entry").path().display().to_string();
        for rung in [&[][..], &["--rung", "kinematic"], &["--rung", "dynamic"]] {
            let said = keeps_its_word(&folder, &robot, rung);
            assert_eq!(said, "runs", "{robot} {rung:?}");
        }
    }
}

/// Claim: the same for every readable robot file of the collection. Prints how many ran. Skipped where it is not at hand.
#[test]
fn the_collection_keeps_its_word() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/urdf");
    let corpus = [corpus, Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/urdf")];
    let Some(corpus) = corpus.into_iter().find(|folder| folder.exists()) else {
        eprintln!("skipped: no collection of robot files");
        return;
    };
    let folder = fresh("collection");
    let mut files: Vec<PathBuf> = std::fs::read_dir(corpus)
        .expect("a folder")
        .filter_map(|entry| std::fs::read_dir(entry.ok()?.path()).ok())
        .flatten()
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "urdf"))
        .collect();
    files.sort();
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for file in &files {
        let robot = file.display().to_string();
        let said = if articula::description::Description::read(file).is_ok() {
            keeps_its_word(&folder, &robot, &[])
        } else {
            let done = articula(&folder, &["init", &robot]);
            assert_eq!(done.status.code(), Some(2), "{robot}");
            assert!(done.stdout.is_empty() && !done.stderr.is_empty(), "{robot}");
            "is no robot description"
        };
        println!("{said}: {robot}");
        *counts.entry(said).or_default() += 1;
    }
    println!("{counts:?}");
    assert!(counts["runs"] >= 20 && counts["runs once decided"] >= 10, "{counts:?}");
}

const HAND: &str = r#"<robot name="hand">
  <link name="palm"/>
  <link name="thumb"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="finger"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="a.b &quot;c&quot;" type="prismatic"><parent link="palm"/><child link="thumb"/><axis xyz="1 0 0"/></joint>
  <joint name="b" type="revolute"><parent link="palm"/><child link="finger"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="-1" effort="1" velocity="1"/><mimic joint="a.b &quot;c&quot;"/></joint>
  <transmission name="t"><type>SimpleTransmission</type><joint name="b"/><actuator name="m 1"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>
</robot>
"#;

/// Claim: names of any letters, limits the file does not give (marked as guesses), a start off zero where zero is outside,
/// the refused element left to the user, the rotor a transmission could reflect: all there, and the file keeps its word.
#[test]
fn what_is_missing_is_marked() {
    let folder = fresh("hand");
    std::fs::write(folder.join("hand.urdf"), HAND).expect("a file");
    let shown = text(&articula(&folder, &["init", "hand.urdf"]).stdout);
    for words in [
        "# It does not run before this is decided (1):",
        "joint[b]/mimic",
        "# mimic = \"coupled\"    # couples mimic joints",
        "\"a.b \\\"c\\\"\" = 0.0    # m, the robot file gives no limits",
        "b = -2.0    # leave out when coupled; rad, within -3.0 .. -1.0",
        "GUESSES",
        "lower = -1.0, upper = 1.0, reason = \"a guess",
        "# reason = \"\"",
        "# \"m 1\" = { rotor_inertia = 0.0, reason = \"\" }    # kg m^2, x 50.0^2 onto b (t)",
        "\"arm.b\" = { constant = 0.0 }    # N m",
    ] {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(plain(&shown).contains(&plain(words)), "{words} in\n{shown}");
    }
    assert_eq!(keeps_its_word(&folder, "hand.urdf", &[]), "runs once decided");
    assert_eq!(keeps_its_word(&folder, "hand.urdf", &["--rung", "kinematic"]), "runs once decided");
    // Every suggestion is one that an experiment takes.
    let all: String = decided(&shown)
        .lines()
        .map(|line| {
            let bare = line.strip_prefix("# ").filter(|l| {
                ["[chain.", "servo", "at =", "orientation", "b = ", "\"a.b", "\"m 1\""]
                    .iter()
                    .any(|s| l.starts_with(s))
            });
            bare.unwrap_or(line).replace("reason = \"\"", "reason = \"given in a test\"") + "\n"
        })
        .collect();
    // One source of armature a joint.
    let all = all
        .replace("[chain.arm.actuators]", "#")
        .lines()
        .filter(|l| !l.starts_with("\"m 1\""))
        .collect::<Vec<_>>()
        .join("\n");
    let (code, message) = run(&folder, &all);
    assert_eq!(code, Some(0), "{message}\n{all}");
}

/// Claim: `--out` writes the file with the path from its own folder, never over one that exists without `--force`, and the
/// file runs from anywhere; `--quiet` says nothing.
#[test]
fn out_is_beside_the_robot_and_not_written_over() {
    let folder = fresh("out");
    let robot = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots/pendulum.urdf");
    std::fs::create_dir(folder.join("robots")).expect("a folder");
    std::fs::copy(robot, folder.join("robots/pendulum.urdf")).expect("a copy");
    let done = articula(&folder, &["init", "robots/pendulum.urdf", "--out", "studies/a/swing.toml"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(done.stdout.is_empty() && text(&done.stderr).contains("runs as it is"));
    let written = folder.join("studies/a/swing.toml");
    let first = std::fs::read_to_string(&written).expect("a file");
    assert!(first.contains("description = \"../../robots/pendulum.urdf\""), "{first}");
    let done = articula(&folder, &["run", "studies/a/swing.toml", "--out", "results", "--quiet"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    std::fs::write(&written, "mine").expect("a file");
    let done = articula(&folder, &["init", "robots/pendulum.urdf", "--out", "studies/a/swing.toml"]);
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("--force"));
    assert_eq!(std::fs::read_to_string(&written).expect("a file"), "mine");
    let again = ["init", "robots/pendulum.urdf", "--out", "studies/a/swing.toml", "--force", "--quiet"];
    let done = articula(&folder, &again);
    assert_eq!(done.status.code(), Some(0));
    assert!(done.stdout.is_empty() && done.stderr.is_empty());
    assert_eq!(std::fs::read_to_string(&written).expect("a file"), first);
}

/// Claim: without masses the dynamic rung is not taken in silence: the top says why the rung is kinematic; asked for, the
/// dynamic one is kept and the top says how it fails.
#[test]
fn a_robot_without_masses_is_kinematic_and_says_why() {
    let folder = fresh("massless");
    let robot = HAND.replace("<mimic joint=\"a.b &quot;c&quot;\"/>", "");
    let robot: String =
        robot.split("<inertial>").map(|part| part.rsplit("</inertial>").next().unwrap_or(part)).collect();
    std::fs::write(folder.join("bare.urdf"), robot).expect("a file");
    let shown = text(&articula(&folder, &["init", "bare.urdf"]).stdout);
    assert!(
        shown.contains("rung = \"kinematic\"") && shown.contains("# The rung is kinematic, because"),
        "{shown}"
    );
    assert!(shown.contains("a moving body without mass"), "{shown}");
    assert_eq!(keeps_its_word(&folder, "bare.urdf", &[]), "runs");
    assert_eq!(keeps_its_word(&folder, "bare.urdf", &["--rung", "dynamic"]), "does not run");
}

/// Claim: the trial of a large robot is bounded (a stiff chain of 200 joints took 25 s), and the file says how far it went.
#[test]
fn the_trial_is_bounded_and_says_how_far() {
    const JOINTS: usize = 400;
    let folder = fresh("long");
    let inertial = "<inertial><origin xyz=\"0 0 -0.05\"/><mass value=\"0.1\"/><inertia ixx=\"0.001\" ixy=\"0\" ixz=\"0\" iyy=\"0.001\" iyz=\"0\" izz=\"0.001\"/></inertial>";
    let mut robot = String::from("<robot name=\"long\"><link name=\"l0\"/>");
    for k in 1..=JOINTS {
        robot += &format!(
            "<link name=\"l{k}\">{inertial}</link><joint name=\"j{k}\" type=\"revolute\"><parent link=\"l{}\"/>\
             <child link=\"l{k}\"/><origin xyz=\"0.1 0 0\"/><axis xyz=\"0 1 0\"/>\
             <limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/><dynamics friction=\"20\"/></joint>",
            k - 1
        );
    }
    std::fs::write(folder.join("long.urdf"), robot + "</robot>").expect("a file");
    let start = std::time::Instant::now();
    let done = articula(&folder, &["init", "long.urdf"]);
    let took = start.elapsed().as_secs_f64();
    let shown = text(&done.stdout);
    let steps = |shown: &str| {
        let (_, rest) = shown.split_once("# It runs as it is (tried for ")?;
        rest.split_once(" of 1000 steps)")?.0.parse::<usize>().ok()
    };
    println!("{took} s, {:?} steps", steps(&shown));
    assert!(steps(&shown).is_some_and(|steps| (10..1000).contains(&steps)), "{}", &shown[..400]);
    // 2 s of steps, and reading; a loaded machine is given some more.
    assert!(took < 10.0, "{took} s");
    let small = text(&articula(&folder, &["init", &pendulum()]).stdout);
    assert_eq!(steps(&small), Some(1000), "{small}");
}

fn pendulum() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots/pendulum.urdf").display().to_string()
}

/// Claim: who follows the file's advice on mimic joints has a file that runs, on both rungs, also where the follower's
/// start is not the zero that stands in the file.
#[test]
fn the_advice_to_couple_can_be_followed() {
    let folder = fresh("couple");
    let body = "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>";
    let joint = |name: &str, child: &str, mimic: &str| {
        format!(
            "<link name=\"{child}\">{body}</link><joint name=\"{name}\" type=\"revolute\"><parent link=\"palm\"/>\
             <child link=\"{child}\"/><axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>{mimic}</joint>"
        )
    };
    let follower = joint("b", "second", "<mimic joint=\"a\" multiplier=\"0.5\" offset=\"0.5\"/>");
    let robot =
        format!("<robot name=\"pair\"><link name=\"palm\"/>{}{follower}</robot>", joint("a", "first", ""));
    std::fs::write(folder.join("pair.urdf"), robot).expect("a file");
    for rung in ["dynamic", "kinematic"] {
        let shown = text(&articula(&folder, &["init", "pair.urdf", "--rung", rung]).stdout);
        let take = |line: &str| match line.strip_prefix("# ") {
            Some(entry) if entry.starts_with("mimic = ") => Some(entry.to_owned()),
            _ => Some(line.to_owned())
                .filter(|line| line.starts_with('#') || !line.contains("# leave out when coupled")),
        };
        let coupled: String = shown.lines().filter_map(take).map(|line| line + "\n").collect();
        let (code, message) = run(&folder, &coupled);
        assert_eq!(code, Some(0), "{rung}: {message}\n{coupled}");
        assert_eq!(keeps_its_word(&folder, "pair.urdf", &["--rung", rung]), "runs once decided");
    }
}

/// `--out` never is the robot file, with `--force` neither: it was replaced by the experiment that names it.
#[test]
fn init_spares_the_robot_file() {
    let folder = fresh("spares");
    let robot = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots/pendulum.urdf");
    std::fs::copy(&robot, folder.join("arm.urdf")).expect("a copy");
    let out = articula(&folder, &["init", "arm.urdf", "--out", "./arm.urdf", "--force"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("the robot file itself"));
    assert_eq!(
        std::fs::read(folder.join("arm.urdf")).expect("a file"),
        std::fs::read(robot).expect("a file")
    );
}
