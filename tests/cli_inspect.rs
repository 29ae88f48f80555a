//! `articula inspect` as a user runs it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn inspect(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_articula")).arg("inspect").args(arguments).output().unwrap()
}

fn robot(name: &str) -> String {
    format!("{}/tests/robots/{name}.urdf", env!("CARGO_MANIFEST_DIR"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file of its own, gone when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &[u8]) -> Self {
        let folder = std::env::temp_dir().join(format!("articula-inspect-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("robot.urdf"), content).unwrap();
        Scratch(folder)
    }

    fn file(&self) -> String {
        self.0.join("robot.urdf").display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The text names the joints in their tree, limits, masses, the total and the verdict.
#[test]
fn text_shows_tree_masses_and_verdict() {
    let output = inspect(&[&robot("arm7")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    let text = text(&output.stdout);
    for words in [
        "robot arm7",
        "11 links, 10 joints (6 revolute, 3 fixed, 1 prismatic); 7 degrees of freedom",
        "    link_1 <- shoulder_pan: revolute, axis 0 0 1, -2.9 .. 2.9 rad, effort 80 N m, speed 2.5 rad/s, damping 0.4 N m s/rad, friction 0.8 N m",
        "camera <- link_3_to_camera: fixed (merged into the body above)",
        "tool_carriage <- tool_slide: prismatic, axis 0 0 1, 0 .. 0.12 m, effort 60 N, speed 0.5 m/s, damping 6 N s/m, friction 2 N",
        "12.8 kg",
        "fixed, moved by elbow",
        "joint[forearm_roll]/axis: read; axis of length 2.828427: normalised",
        "run takes this file",
    ] {
        assert!(text.contains(words), "{words}\nnot in\n{text}");
    }
}

/// `--json` is the document of the account, with its keys.
#[test]
fn json_is_the_account() {
    let output = inspect(&[&robot("arm7"), "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["schema"], "articula/inspect/1");
    assert_eq!(answer["robot"], "arm7");
    assert_eq!(answer["errors"], serde_json::json!([]));
    for key in
        ["file", "sha256", "elements", "attributes", "counts", "joints", "links", "frames", "transmissions"]
    {
        assert!(!answer[key].is_null(), "{key}");
    }
    assert_eq!(answer["joints"][0]["name"], "shoulder_pan");
}

const MIMIC: &str = r#"<robot name="hand">
  <link name="palm"/>
  <link name="thumb"><visual/><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="finger"><visual/><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="a" type="continuous"><parent link="palm"/><child link="thumb"/></joint>
  <joint name="b" type="revolute"><parent link="palm"/><child link="finger"/><mimic joint="a"/></joint>
  <transmission name="t"><type>SimpleTransmission</type><joint name="nope"/></transmission>
</robot>
"#;

/// Refused elements are shown with place and the word that lets them pass; acknowledged, with the reason.
#[test]
fn refused_and_acknowledged_elements() {
    let scratch = Scratch::new("mimic", MIMIC.as_bytes());
    let file = scratch.file();
    let shown = text(&inspect(&[&file]).stdout);
    for words in [
        "Refused (1)",
        "6:78 joint[b]/mimic: ",
        "--acknowledge 'joint[b]/mimic=REASON'",
        "2  visual",
        "problem: ",
        "Refused elements stop eval and run",
    ] {
        assert!(shown.contains(words), "{words}\nnot in\n{shown}");
    }
    assert!(text(&inspect(&[&file, "--all"]).stdout).contains("link[thumb]/visual: looks have no effect"));
    let output = inspect(&[&file, "--acknowledge", "joint[b]/mimic=held shut"]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    for words in ["acknowledged: held shut", "eval takes this file", "[chain.NAME.limits] for b"] {
        assert!(shown.contains(words), "{words}\nnot in\n{shown}");
    }
    // One that matches nothing, or gives no reason, is an error.
    for wrong in ["joint[c]/mimic=held shut", "joint[b]/mimic=", "joint[b]/mimic"] {
        assert_eq!(inspect(&[&file, "--acknowledge", wrong]).status.code(), Some(2), "{wrong}");
    }
}

/// A broken file: exit 2, every error with file, line and column on stderr; with `--json` the document all the same.
#[test]
fn errors_are_listed_with_their_places() {
    let broken = MIMIC
        .replace(r#"value="1""#, r#"value="1,5""#)
        .replace(r#"<child link="thumb"/>"#, r#"<child link="thum"/>"#);
    let scratch = Scratch::new("broken", broken.as_bytes());
    let file = scratch.file();
    let output = inspect(&[&file]);
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    assert!(message.contains(&format!("{file}:3:")) && message.contains("[not_a_number]"), "{message}");
    assert!(message.contains("[unknown_link]") && message.contains("the nearest is `thumb`"), "{message}");
    assert!(text(&output.stdout).contains("not usable as a robot description"));
    let output = inspect(&[&file, "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let codes: Vec<&str> =
        answer["errors"].as_array().unwrap().iter().map(|error| error["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"not_a_number") && codes.contains(&"unknown_link"), "{codes:?}");
}

/// Not XML, nothing, another encoding, no such file, a folder: exit 2 with a message.
#[test]
fn what_is_no_robot_file_is_exit_2() {
    for (name, content) in [
        ("empty", &b""[..]),
        ("words", b"not xml"),
        ("half", b"<robot name='r'><link"),
        ("bytes", &[0xff, 0xfe, 0, 1]),
    ] {
        let scratch = Scratch::new(name, content);
        for flags in [&[][..], &["--json"]] {
            let file = scratch.file();
            let output = inspect(&[&[file.as_str()], flags].concat());
            assert_eq!(output.status.code(), Some(2), "{name}");
            assert!(!output.stderr.is_empty());
            assert!(flags.is_empty() || serde_json::from_slice::<Value>(&output.stdout).is_ok());
        }
    }
    for path in ["no_such_file.urdf", env!("CARGO_MANIFEST_DIR")] {
        let output = inspect(&[path]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(path));
    }
}

/// A chain of 20 000 links is shown within seconds, and its lines do not grow with its length.
#[test]
fn long_chain_is_shown_in_time() {
    let mut robot = String::from("<robot name=\"chain\"><link name=\"l0\"/>");
    for k in 1..20_000 {
        robot.push_str(&format!("<link name=\"l{k}\"/><joint name=\"j{k}\" type=\"continuous\"><parent link=\"l{}\"/><child link=\"l{k}\"/></joint>", k - 1));
    }
    robot.push_str("</robot>");
    let scratch = Scratch::new("chain", robot.as_bytes());
    let start = Instant::now();
    let output = inspect(&[&scratch.file()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert!(text(&output.stdout).lines().all(|line| line.len() < 300));
}

/// A name that holds control characters is shown, and moves no cursor.
#[test]
fn control_characters_are_shown_not_done() {
    let scratch =
        Scratch::new("control", "<robot name=\"a&#x9b;2J&#x85;b\"><link name=\"l\"/></robot>".as_bytes());
    let output = inspect(&[&scratch.file()]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("a\\u{9b}2J\\u{85}b"), "{}", text(&output.stdout));
}

/// `--help` shows an example; a reader that goes away is no failure.
#[test]
fn help_shows_an_example_and_a_closed_pipe_is_no_failure() {
    let output = inspect(&["--help"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("articula inspect articula-demo/arm.urdf --json"));
    for flag in ["--all", "--json"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_articula"))
            .args(["inspect", &robot("quadruped"), flag])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(output.stderr.is_empty());
    }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("urdf")) {
            files.push(path);
        }
    }
}

/// Every file of the corpus beside the repository, when it is there: exit 0 or 2 within seconds, and `--json` is JSON.
#[test]
fn corpus_never_panics() {
    let mut files = Vec::new();
    find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/urdf"), &mut files);
    for file in &files {
        let name = file.to_str().unwrap();
        for flags in [&["--all"][..], &["--json"], &["--acknowledge-all", "corpus"]] {
            let start = Instant::now();
            let output = inspect(&[&[name], flags].concat());
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 2)), "{name}: {code:?} {}", text(&output.stderr));
            assert!(start.elapsed() < Duration::from_secs(10), "{name}: {:?}", start.elapsed());
            if flags == ["--json"] {
                let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
                let errors = answer["errors"].as_array().unwrap().len();
                assert_eq!(code, Some(if errors > 0 { 2 } else { 0 }), "{name}");
            }
        }
    }
    println!("{} files", files.len());
}
