//! `articula eval` as a user runs it: answers, exit codes, and messages that name the place.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn robot(name: &str) -> String {
    format!("{}/tests/robots/{name}.urdf", env!("CARGO_MANIFEST_DIR"))
}

/// Runs the command with a text on stdin.
fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_articula"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn eval(name: &str, state: &str, more: &[&str]) -> Output {
    let file = robot(name);
    let mut arguments = vec!["eval", file.as_str(), "--state", "-"];
    arguments.extend(more);
    run(&arguments, state)
}

fn answer(name: &str, state: &Value, more: &[&str]) -> Value {
    let output = eval(name, &state.to_string(), more);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The message of a state that is refused.
fn refused(name: &str, state: &str, more: &[&str]) -> String {
    let output = eval(name, state, more);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{state}: {message}");
    assert!(output.stdout.is_empty(), "{state}: nothing on stdout");
    message
}

/// The keys of an answer stand in the order of the documentation; `step` only where a state asks for it.
#[test]
fn keys_are_in_order_and_step_is_asked_for() {
    let keys = |answer: &Value| answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let all = [
        "schema",
        "joints",
        "kinds",
        "frames",
        "jacobians",
        "mass_matrix",
        "bias",
        "gravity",
        "inverse_dynamics",
        "forward_dynamics",
        "derivatives",
        "energy",
        "total_mass",
        "center_of_mass",
        "momentum",
        "step",
    ];
    assert_eq!(keys(&answer("arm7", &json!({}), &[])), all[..15]);
    assert_eq!(keys(&answer("arm7", &json!({"dt": 1e-3}), &["--json"])), all);
    let some = answer("arm7", &json!({"dt": 1e-3}), &["--quantities", "momentum,bias"]);
    assert_eq!(keys(&some), ["schema", "joints", "kinds", "bias", "momentum"]);
    assert_eq!(some["schema"], "articula/eval/1");
}

/// One state gives an object; a list gives a list, in order, a list of one too.
#[test]
fn list_in_list_out() {
    let one = json!({"q": {"hinge": 0.5}});
    let two = json!({"q": [0.25]});
    let name = &answer("pendulum", &json!({}), &[])["joints"][0];
    let one: Value = serde_json::from_str(&one.to_string().replace("hinge", name.as_str().unwrap())).unwrap();
    let bias = |state: &Value| answer("pendulum", state, &["--quantities", "bias"]);
    assert_eq!(bias(&json!([one, two])), json!([bias(&one), bias(&two)]));
    assert_eq!(bias(&json!([one])), json!([bias(&one)]));
    assert_eq!(bias(&json!([])), json!([]));
}

/// Maps and lists in model order say the same; joints a map does not name are 0.
#[test]
fn maps_and_lists_say_the_same() {
    let map = json!({"q": {"upper": 0.3}, "v": {"lower": -1.0}, "tau": {"upper": 2.0, "lower": 1.0}, "a": {"lower": 3.0}});
    let list = json!({"q": [0.3, 0.0], "v": [0.0, -1.0], "tau": [2.0, 1.0], "a": [0.0, 3.0]});
    assert_eq!(answer("double_pendulum", &map, &[]), answer("double_pendulum", &list, &[]));
}

/// `base` frees the root: six more rows, their pose and velocity in the frames, `base_tau` in the forward dynamics.
#[test]
fn base_frees_the_root() {
    let fixed = answer("quadruped", &json!({}), &[]);
    let n = fixed["joints"].as_array().unwrap().len();
    assert_eq!(fixed["bias"].as_array().unwrap().len(), n);
    let state = json!({"base": {"position": [1.0, 2.0, 3.0], "orientation": [-0.5, 0.5, -0.5, 0.5],
                                "angular_velocity": [0.1, 0.2, 0.3]}, "base_tau": [0, 0, 5, 0, 0, 0]});
    let free = answer("quadruped", &state, &[]);
    assert_eq!(free["mass_matrix"].as_array().unwrap().len(), n + 6);
    assert_eq!(free["derivatives"]["id_q"][0].as_array().unwrap().len(), n + 6);
    let root = free["frames"].as_object().unwrap().values().next().unwrap();
    assert_eq!(root["pose"], json!([1.0, 2.0, 3.0, 0.5, -0.5, 0.5, -0.5]));
    assert_eq!(root["angular_velocity"], json!([0.1, 0.2, 0.3]));
    let lifted = answer("quadruped", &json!({"base": {}, "base_tau": [0, 0, 5, 0, 0, 0]}), &[]);
    let fallen = answer("quadruped", &json!({"base": {}}), &[]);
    assert_ne!(lifted["forward_dynamics"], fallen["forward_dynamics"]);
    // Nothing holds it: it falls as everything does.
    let fall = fallen["forward_dynamics"].as_array().unwrap();
    assert!((fall[2].as_f64().unwrap() + 9.80665).abs() < 1e-12, "{}", fall[2]);
}

/// A slide of mass m pushed by f over a step dt from rest: v = dt (f - mu)/(m + dt d), by hand from the step's law, with
/// and without the file's friction and damping replaced; a stop ends it where it stands.
#[test]
fn step_follows_its_law_by_hand() {
    let free = answer("slider", &json!({}), &[]);
    let joint = free["joints"][0].as_str().unwrap().to_owned();
    let mass = free["mass_matrix"][0][0].as_f64().unwrap();
    let gravity = free["gravity"][0].as_f64().unwrap();
    let (dt, force, friction, damping) = (0.01, 40.0, 3.0, 7.0);
    let mut state = json!({"q": [0.1], "tau": [force], "dt": dt, "lower": {}, "friction": {}, "damping": {}});
    state["friction"][&joint] = friction.into();
    state["damping"][&joint] = damping.into();
    let moved = dt * (force - gravity - friction) / (mass + dt * damping);
    for solver in [json!("exact"), json!({"sweeps": 4})] {
        state["solver"] = solver;
        let step = &answer("slider", &state, &["--quantities", "step"])["step"];
        let v = step["v"][0].as_f64().unwrap();
        assert!((v - moved).abs() < 1e-12, "{v} for {moved}");
        assert_eq!(step["piece"], json!(["slide+"]));
        assert_eq!(step["settled"], true);
        assert_eq!(step["friction_impulse"][0].as_f64().unwrap(), -dt * friction);
        assert_eq!(step["indicators"]["arm.friction.low"].as_array().unwrap().len(), 1);
    }
    state["upper"] = json!({ joint.as_str(): 0.1 });
    let step = &answer("slider", &state, &["--quantities", "step"])["step"];
    assert_eq!((&step["v"], &step["q"], &step["piece"]), (&json!([0.0]), &json!([0.1]), &json!(["upper"])));
    state["friction"][&joint] = 0.0.into();
    state["upper"][&joint] = 5.0.into();
    assert_eq!(answer("slider", &state, &["--quantities", "step"])["step"]["piece"], json!(["free"]));
}

/// Spin momenta turn the velocity without work; carried inertia adds to what the step moves.
#[test]
fn step_takes_momenta_and_carried_inertia() {
    let mut state = json!({"v": [0.1, 0.2, -0.3, 0.4, 0.5, -0.6, 0.01], "q": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.05],
                           "dt": 1e-3});
    let quantities = ["--quantities", "step,mass_matrix"];
    let plain = answer("arm7", &state, &quantities);
    assert_eq!(plain["step"]["v_turned"], state["v"]);
    state["momenta"] = json!([{"frame": "link_6", "value": [0.0, 0.5, 2.0]}]);
    let spun = answer("arm7", &state, &quantities);
    assert_ne!(spun["step"]["v_turned"], state["v"]);
    let energy = |v: &Value| -> f64 {
        let x = |v: &Value| v.as_f64().unwrap();
        let m = &plain["mass_matrix"];
        (0..7).flat_map(|i| (0..7).map(move |j| (i, j))).map(|(i, j)| x(&m[i][j]) * x(&v[i]) * x(&v[j])).sum()
    };
    assert!((energy(&spun["step"]["v_turned"]) / energy(&state["v"]) - 1.0).abs() < 1e-12);
    let heavy = json!([[0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]]);
    state["carried"] = json!([{"frame": "link_6", "start": heavy, "end": heavy}]);
    assert_ne!(answer("arm7", &state, &quantities)["step"]["v"], spun["step"]["v"]);
}

/// One thing spoiled in a good list of states: exit 2, nothing on stdout, and a message that names state and key.
#[test]
fn each_spoiled_state_is_refused_with_its_place() {
    let cases = [
        (r#"{"q": {"upper": NaN}}"#, "state 1: q.upper: found NaN"),
        (r#"{"q": [0, Infinity]}"#, "state 1: q[1]: found Infinity"),
        (r#"{"q": {"upper": -Infinity}}"#, "state 1: q.upper: found -Infinity"),
        (r#"{"q": {"upper": 1e999}}"#, "state 1: q.upper: found 1e999"),
        (r#"{"q": {"upper": null}}"#, "state 1: q.upper: found null"),
        (r#"{"q": {"upper": "0.1"}}"#, "state 1: q.upper: found \"0.1\""),
        (r#"{"q": {"upper": true}}"#, "state 1: q.upper: found true"),
        (r#"{"q": {"uper": 0.1}}"#, "state 1: q: no joint named `uper`; did you mean `upper`?"),
        (
            r#"{"q": {"xyz": 0.1}}"#,
            "state 1: q: found joint `xyz`, expected one of the joints `upper`, `lower`",
        ),
        (r#"{"v": [1]}"#, "state 1: v: found 1 numbers, expected 2"),
        (r#"{"a": [1, 2, 3]}"#, "state 1: a: found 3 numbers, expected 2"),
        (r#"{"tau": 1}"#, "state 1: tau: found 1.0"),
        (r#"{"armature": {"upper": -1}}"#, "state 1: upper.armature: found -1"),
        (r#"{"gravty": [0, 0, 0]}"#, "state 1: no key named `gravty`; did you mean `gravity`?"),
        (r#"{"gravity": [0, 0]}"#, "state 1: gravity: found 2 numbers, expected 3"),
        (r#"{"gravity": [0, 0, null]}"#, "state 1: gravity[2]: found null"),
        (r#"{"q": [0, 0], "q": [1, 1]}"#, "state 1: q: found a second value"),
        (r#"{"q": {"upper": 0, "upper": 0}}"#, "state 1: q.upper: found a second value"),
        (r#"{"base": []}"#, "state 1: base: found a list of 0"),
        (r#"{"base": {"position": [0, 0]}}"#, "state 1: base.position: found 2 numbers, expected 3"),
        (
            r#"{"base": {"orientation": [0, 0, 0, 0]}}"#,
            "state 1: base.orientation: found a quaternion of length 0",
        ),
        (
            r#"{"base": {"orientation": [2, 0, 0, 0]}}"#,
            "state 1: base.orientation: found a quaternion of length 2",
        ),
        (
            r#"{"base": {"orentation": [1, 0, 0, 0]}}"#,
            "state 1: base: no key named `orentation`; did you mean `orientation`?",
        ),
        (
            r#"{"base_tau": [0, 0, 0, 0, 0, 0]}"#,
            "state 1: base_tau: found the effort of a base that is fixed",
        ),
        (r#"{"base": {}, "base_tau": [0, 0, 0]}"#, "state 1: base_tau: found 3 numbers, expected 6"),
        (r#"{"wrenches": {}}"#, "state 1: wrenches: found an object"),
        (r#"{"wrenches": [{"force": [0, 0, 1]}]}"#, "state 1: wrenches[0]: found no `frame`"),
        (
            r#"{"wrenches": [{"frame": "tipp"}]}"#,
            "state 1: wrenches[0].frame: no frame named `tipp`; did you mean `tip`?",
        ),
        (
            r#"{"wrenches": [{"frame": "tip"}, {"frame": "tip", "moment": [0, 0, 1]}]}"#,
            "state 1: wrenches[1]: found key `moment`",
        ),
        (r#"{"dt": 0}"#, "state 1: dt: found 0.0"),
        (r#"{"dt": -1}"#, "state 1: dt: found -1.0"),
        (r#"{"dt": 0.001, "solver": "exakt"}"#, "state 1: solver: found \"exakt\""),
        (r#"{"dt": 0.001, "solver": {"sweeps": 1.5}}"#, "state 1: solver.sweeps: found 1.5"),
        (r#"{"dt": 0.001, "solver": {"sweeps": -1}}"#, "state 1: solver.sweeps: found -1.0"),
        (r#"{"solver": "exact"}"#, "state 1: solver: found no `dt` beside it"),
        (r#"{"friction": {"upper": 1}}"#, "state 1: friction: found no `dt` beside it"),
        (r#"{"dt": 0.001, "friction": {"upper": -1}}"#, "state 1: upper.friction: found -1"),
        (
            r#"{"dt": 0.001, "lower": {"upper": 1}, "upper": {"upper": -1}}"#,
            "state 1: upper: found limits on a continuous",
        ),
        (r#"{"dt": 0.001, "upper": {"upper": -1}}"#, "state 1: upper: found limits on a continuous joint"),
        (
            r#"{"dt": 0.001, "momenta": [{"frame": "tip"}]}"#,
            "state 1: momenta[0]: found an object, expected both",
        ),
        (
            r#"{"dt": 0.001, "carried": [{"frame": "tip", "start": [[1, 2, 0], [0, 1, 0], [0, 0, 1]], "end": []}]}"#,
            "state 1: carried[0].start: found a matrix that differs",
        ),
        (
            r#"{"dt": 0.001, "carried": [{"frame": "tip", "start": [[1, 0, 0], [0, 1, 0]]}]}"#,
            "state 1: carried[0].start: found a list of 2",
        ),
        (r#"{"dt": 0.001, "base": {}}"#, "state 1: base: found a free base beside `dt`"),
        (r#"[]"#, "state 1: found a list of 0"),
        (r#"3"#, "state 1: found 3.0"),
    ];
    for (state, message) in cases {
        let found = refused("double_pendulum", &format!("[{{\"q\": [0.1, 0.2]}}, {state}]"), &[]);
        assert!(found.contains(message), "{state}\n  says {found}  for  {message}");
    }
    for text in ["", "{", "[{}", "{} {}", "{\"q\": }", "{q: 1}", "\u{feff}"] {
        let found = refused("double_pendulum", text, &[]);
        assert!(found.contains("stdin:") && found.contains("not JSON"), "{text:?}: {found}");
    }
    let deep = "[".repeat(100_000);
    assert!(refused("double_pendulum", &deep, &[]).contains("not JSON"));
}

/// Wrong usage: exit 2, and a message that says what would be right.
#[test]
fn wrong_usage_is_exit_2() {
    let message = refused("pendulum", "{}", &["--quantities", "bias,mass_matrx"]);
    assert!(message.contains("no quantity named `mass_matrx`; did you mean `mass_matrix`?"), "{message}");
    let message = refused("pendulum", "{}", &["--quantities", "step"]);
    assert!(message.contains("state 0: found no `dt`"), "{message}");
    let message = refused("pendulum", "{}", &["--acknowledge", "joint[x]/mimic=why"]);
    assert!(message.contains("joint[x]/mimic"), "{message}");
    let file = robot("pendulum");
    for (arguments, word) in [
        (vec!["eval", file.as_str()], "--state"),
        (vec!["eval", "no_such.urdf", "--state", "-"], "no_such.urdf"),
        (vec!["eval", file.as_str(), "--state", "no_such.json"], "no_such.json"),
    ] {
        let output = run(&arguments, "{}");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(word));
    }
}

/// What is refused in the robot file stops `eval` until it is acknowledged; then the mimic is a joint of its own.
#[test]
fn refused_elements_stop_until_acknowledged() {
    let folder = std::env::temp_dir().join(format!("articula-cli-eval-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("hand.urdf");
    let text = std::fs::read_to_string(robot("double_pendulum")).unwrap();
    let at = text.find("</joint>").unwrap();
    std::fs::write(&file, format!("{}<mimic joint=\"lower\"/>{}", &text[..at], &text[at..])).unwrap();
    let file = file.to_str().unwrap().to_owned();
    let output = run(&["eval", &file, "--state", "-"], "{}");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("joint[upper]/mimic"));
    for flags in [["--acknowledge", "joint[upper]/mimic=a test"], ["--acknowledge-all", "a test"]] {
        let output = run(&["eval", &file, "--state", "-", flags[0], flags[1]], "{}");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["joints"], json!(["upper", "lower"]));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A joint that moves no inertia has no forward dynamics: null, with the joint's name; the rest of the answer stands.
/// So has a robot without mass no centre of mass; numbers past the largest are null too.
#[test]
fn what_does_not_exist_is_null_and_says_why() {
    let folder = std::env::temp_dir().join(format!("articula-cli-null-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("light.urdf");
    let text = "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>\
                <joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>";
    std::fs::write(&file, text).unwrap();
    let output = run(&["eval", file.to_str().unwrap(), "--state", "-"], "{}");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&found["forward_dynamics"], &found["center_of_mass"]), (&Value::Null, &Value::Null));
    assert_eq!(
        (&found["derivatives"]["fd_tau"], &found["derivatives"]["id_q"]),
        (&Value::Null, &json!([[0.0]]))
    );
    let undefined = found["undefined"].to_string();
    assert!(
        undefined.contains("joint `j` moves no inertia") && undefined.contains("no link has mass"),
        "{undefined}"
    );
    std::fs::remove_dir_all(folder).unwrap();

    let found = answer("pendulum", &json!({"v": [1e200]}), &[]);
    assert_eq!(found["energy"]["kinetic"], Value::Null);
    assert!(found["undefined"].to_string().contains("energy.kinetic"));
}

/// A mass that lies on its joint's axis gives the joint no inertia, up to rounding: no numbers of 1e16 come out.
#[test]
fn inertia_of_rounding_is_none() {
    let folder = std::env::temp_dir().join(format!("articula-cli-axis-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("axis.urdf");
    let text = "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><origin xyz=\"0.1 0.2 0.3\"/>\
                <mass value=\"1.7\"/><inertia ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"/></inertial></link>\
                <joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>\
                <origin rpy=\"0.3 0.4 0.5\"/><axis xyz=\"0.1 0.2 0.3\"/></joint></robot>";
    std::fs::write(&file, text).unwrap();
    let output = run(&["eval", file.to_str().unwrap(), "--state", "-"], "{\"q\": [0.7]}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["forward_dynamics"], Value::Null, "M = {}", found["mass_matrix"]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// `--help` shows an example; a reader that goes away is no failure.
#[test]
fn help_shows_an_example_and_a_closed_pipe_is_no_failure() {
    let output = run(&["eval", "--help"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("articula eval articula-demo/arm.urdf --state -")
    );
    let file = robot("quadruped");
    let mut child = Command::new(env!("CARGO_BIN_EXE_articula"))
        .args(["eval", &file, "--state", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(b"[{},{},{},{},{},{},{},{}]").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}
