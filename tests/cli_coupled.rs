//! `--mimic coupled` and `mimic = "coupled"`, as a user has them.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A hand: a slide for each finger, the second following the first the other way by 0.8, offset 1 mm.
const HAND: &str = r#"<robot name="hand">
  <link name="palm"/>
  <link name="left"><inertial><mass value="0.02"/><inertia ixx="1e-5" ixy="0" ixz="0" iyy="1e-5" iyz="0" izz="1e-5"/></inertial></link>
  <link name="right"><inertial><mass value="0.03"/><inertia ixx="1e-5" ixy="0" ixz="0" iyy="1e-5" iyz="0" izz="1e-5"/></inertial></link>
  <joint name="finger_left" type="prismatic"><parent link="palm"/><child link="left"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.04" effort="20" velocity="0.2"/><dynamics friction="0.1" damping="1"/></joint>
  <joint name="finger_right" type="prismatic"><parent link="palm"/><child link="right"/><axis xyz="0 1 0"/>
    <limit lower="-0.025" upper="0.002" effort="20" velocity="0.2"/><dynamics friction="0.2" damping="2"/>
    <mimic joint="finger_left" multiplier="-0.8" offset="0.001"/></joint>
</robot>"#;

const RUN: &str = r#"
[time]
step = 0.001
duration = 0.5
[chain.hand]
description = "hand.urdf"
rung = "dynamic"
mimic = "coupled"
initial_positions = { finger_left = 0.01 }
[drive]
"hand.finger_left" = { constant = 3.0 }
"#;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        place.write("hand.urdf", HAND);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn articula(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_articula"))
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    fn eval(&self, robot: &str, state: &str, more: &[&str]) -> Value {
        self.write("state.json", state);
        let mut arguments = vec!["eval", robot, "--state", "state.json", "--mimic", "coupled"];
        arguments.extend(more);
        let out = self.articula(&arguments);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        serde_json::from_slice(&out.stdout).unwrap()
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// One coordinate of 0.02 + 0.64 × 0.03 kg; frames, efforts and accelerations by hand; `step` lists both joints.
#[test]
fn eval_answers_on_the_joints_that_follow_none() {
    let place = Place::new();
    let state = r#"{"q": {"finger_left": 0.02}, "v": [0.1], "a": [3.0], "tau": {"finger_left": 1.0},
                    "gravity": [0, -10, 0], "dt": 0.001, "damping": {"finger_right": 0}}"#;
    let answer = place.eval("hand.urdf", state, &[]);
    let mass = 0.02 + 0.64 * 0.03;
    assert_eq!(answer["joints"], serde_json::json!(["finger_left"]));
    assert!((number(&answer["mass_matrix"][0][0]) - mass).abs() < 1e-15);
    // Gravity pulls each finger along its own axis: 10 (m_l − 0.8 m_r).
    let weight = 10.0 * (0.02 - 0.8 * 0.03);
    assert!((number(&answer["inverse_dynamics"][0]) - (3.0 * mass + weight)).abs() < 1e-14);
    assert!((number(&answer["forward_dynamics"][0]) - (1.0 - weight) / mass).abs() < 1e-12);
    assert!((number(&answer["derivatives"]["fd_tau"][0][0]) - 1.0 / mass).abs() < 1e-10);
    let right = &answer["mimic"]["finger_right"];
    assert!(
        (number(&right["position"]) + 0.015).abs() < 1e-15
            && (number(&right["velocity"]) + 0.08).abs() < 1e-15
    );
    assert!((number(&answer["frames"]["right"]["pose"][1]) + 0.015).abs() < 1e-15);
    assert!((number(&answer["frames"]["right"]["linear_velocity"][1]) + 0.08).abs() < 1e-15);
    assert_eq!(answer["jacobians"]["right"][1][0], -0.8);
    let step = &answer["step"];
    assert_eq!(step["joints"], serde_json::json!(["finger_left", "finger_right"]));
    // 0.1 N + 0.8 × 0.2 N of friction against the motion; the left finger's damping alone.
    let v = (mass * 0.1 + 0.001 * (1.0 - weight - 0.26)) / (mass + 0.001);
    assert!((number(&step["v"][0]) - v).abs() < 1e-12 && (number(&step["v"][1]) + 0.8 * v).abs() < 1e-12);
    assert_eq!(step["piece"], serde_json::json!(["slide+", "slide-"]));

    place.write("state.json", r#"{"q": {"finger_right": 0.0}}"#);
    let out = place.articula(&["eval", "hand.urdf", "--state", "state.json", "--mimic", "coupled"]);
    let text = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert!(text.contains("finger_right") && text.contains("`finger_left`, which it follows"), "{text}");
    let out = place.articula(&["eval", "hand.urdf", "--state", "state.json"]);
    assert_eq!(out.status.code(), Some(2), "without asking it is refused");
}

/// A run opens the hand until the right finger is on its stop, 26 mm of its own: the left one is at 32.5 mm then, short
/// of its stop, and both are where the coupling has them in every row. The report says who follows whom.
#[test]
fn a_run_keeps_joints_coupled() {
    let place = Place::new();
    place.write("hand.toml", RUN);
    let out = place.articula(&["run", "hand.toml", "--out", "out"]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let mut rows = csv::Reader::from_path(place.path("out/trajectory.csv")).unwrap();
    let columns = rows.headers().unwrap().clone();
    let column = |name: &str| columns.iter().position(|c| c == name).unwrap_or_else(|| panic!("{name}"));
    let [left, right, piece] =
        ["hand.q.finger_left", "hand.q.finger_right", "hand.piece.finger_right"].map(column);
    let mut last = (0.0, 0.0, String::new());
    for row in rows.records().map(Result::unwrap) {
        let value = |at: usize| row[at].parse::<f64>().unwrap();
        last = (value(left), value(right), row[piece].to_owned());
        assert!((last.1 - (0.001 - 0.8 * last.0)).abs() < 1e-15);
    }
    assert!((last.0 - 0.0325).abs() < 1e-15, "{last:?}");
    assert_eq!((last.1, last.2.as_str()), (-0.025, "lower"));
    let report: Value =
        serde_json::from_slice(&std::fs::read(place.path("out/report.json")).unwrap()).unwrap();
    let joint = &report["segments"]["hand"]["joints"][1];
    assert_eq!(joint["mimic"]["joint"], "finger_left");
    let page = std::fs::read_to_string(place.path("out/report.html")).unwrap();
    assert!(page.contains("prismatic, follows finger_left: -0.8 × it + 0.001"));
    let settings = report["segments"]["hand"]["settings"].as_array().unwrap();
    assert!(settings.iter().any(|s| s["name"] == "hand.mimic" && s["value"] == "coupled"));

    // Acknowledged beside coupling it is free, and that is said.
    let both = format!(
        "{RUN}\n[[chain.hand.acknowledged]]\nelement = \"joint[finger_right]/mimic\"\nreason = \"driven by hand\"\n"
    );
    place.write(
        "both.toml",
        &both.replace("{ finger_left = 0.01 }", "{ finger_left = 0.01, finger_right = 0.0 }"),
    );
    let out = place.articula(&["run", "both.toml", "--out", "both"]);
    let said = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success() && said.contains("finger_right") && said.contains("not coupled"), "{said}");

    let spoiled = [
        ("mimic = \"coupled\"", "mimic = \"yes\"", "coupled"),
        ("{ finger_left = 0.01 }", "{ finger_left = 0.01, finger_right = 0.0 }", "follows `finger_left`"),
        ("rung = \"dynamic\"", "rung = \"kinematic\"", ""),
    ];
    for (from, to, words) in spoiled {
        let text = RUN.replacen(from, to, 1);
        // A kinematic hand is driven by its leader only.
        let text = if words.is_empty() {
            text.replace(
                "\"hand.finger_left\" = { constant = 3.0 }",
                "\"hand.finger_right\" = { constant = 0.0 }",
            )
        } else {
            text
        };
        place.write("spoiled.toml", &text);
        let out = place.articula(&["run", "spoiled.toml", "--out", "out2"]);
        let message = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{to}: {message}");
        let words = if words.is_empty() { "drive `hand.finger_left`" } else { words };
        assert!(message.contains(words) && message.contains("spoiled.toml"), "{to}: {message}");
    }
}

/// Published hands, where they are at hand: every mimic couples, M is positive where links have
/// masses, and the state of the followers is on the law.
#[test]
fn published_hands_couple() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/urdf");
    let hands = [
        ("panda/panda.urdf", 8, 1, true),
        ("robotiq_2f140/robotiq_arg2f_140_model.urdf", 1, 5, true),
        ("robotiq_c2/robotiq_c2_model.urdf", 1, 5, false),
    ];
    for (file, independent, followers, masses) in hands {
        let robot = corpus.join(file);
        if !robot.exists() {
            eprintln!("not run: no {file}");
            continue;
        }
        let place = Place::new();
        let robot = robot.to_str().unwrap();
        let answer = place.eval(robot, "{}", &["--acknowledge-all", "published file"]);
        assert_eq!(answer["joints"].as_array().unwrap().len(), independent, "{file}");
        assert_eq!(answer["mimic"].as_object().unwrap().len(), followers, "{file}");
        let matrix = answer["mass_matrix"].as_array().unwrap();
        assert_eq!(matrix.len(), independent);
        assert_eq!(number(&matrix[independent - 1][independent - 1]) > 0.0, masses, "{file}");
        for follower in answer["mimic"].as_object().unwrap().values() {
            let leader = &answer["mimic"][follower["joint"].as_str().unwrap()]["position"];
            let law = number(&follower["multiplier"]) * leader.as_f64().unwrap_or(0.0)
                + number(&follower["offset"]);
            assert!((number(&follower["position"]) - law).abs() < 1e-15);
        }
    }
}
