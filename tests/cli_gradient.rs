//! The `gradient` command, as a user runs it.

#![cfg(feature = "cli")]

use articula::experiment::Experiment;
use articula::rollout::{Adjoint, By, Course, Differences, Drive, Entry, RolloutGradient, Variable};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Seven joints, some near their stops, friction everywhere; a feedback, a sine, a constant.
const ARM: &str = r#"[time]
step = 0.002
duration = 0.2
[chain.arm]
description = "arm7.urdf"
rung = "dynamic"
initial_positions = [0, 0.5, 0.3, 0, 0.2, 0, 0.05]
initial_velocities = [1.0, 0.4, -0.9, 1.1, 0.6, 1.2, 0.1]
[drive]
"arm.shoulder_pan" = { sine = { amplitude = 9.0, frequency = 2.0, phase = 0.3, offset = 0.5 } }
"arm.elbow" = { pd = { target = 0.6, kp = 20.0, kd = 1.0 } }
"arm.wrist_pitch" = { constant = 1.5 }
[objective]
terms = [
  { frame = "arm.flange", position = [0.3, 0.0, 0.4], at = "end", weight = 1.0 },
  { frame = "arm.flange", orientation = [1, 0, 0, 0], at = "all", weight = 0.1 },
  { joint = "arm.elbow", position = 0.3, at = "all", weight = 0.2 },
  { joint = "arm.elbow", velocity = 0.0, at = "end", weight = 0.1 },
  { effort_squared = "arm", weight = 1e-4 },
  { kinetic_energy = "arm", at = "end", weight = 0.1 },
]
[decision]
inputs = ["arm.shoulder_pan", "arm.elbow"]
parameters = ["arm.elbow.initial_position", "arm.wrist_roll.friction", "arm.tool_slide.initial_velocity", "gravity.x"]
"#;

/// A rod that swings freely past everything but its friction, which never lets it stick.
const SWING: &str = r#"[time]
step = 0.001
duration = 0.1
[chain.arm]
description = "pendulum.urdf"
rung = "dynamic"
initial_positions = { swing = 0.4 }
initial_velocities = { swing = 2.0 }
[objective]
terms = [
  { joint = "arm.swing", position = 1.0, at = "end", weight = 1.0 },
  { frame = "arm.tip", position = [0.1, 0.2, 0.3], at = "all", weight = 2.0 },
]
[decision]
inputs = ["arm.swing"]
"#;

/// A cart at rest on its upper stop, pushed by nothing.
const STOP: &str = r#"[time]
step = 0.01
duration = 0.1
[chain.cart]
description = "slider.urdf"
rung = "dynamic"
initial_positions = { slide = 1.0 }
[objective]
terms = [{ joint = "cart.slide", position = 0.0, at = "end", weight = 1.0 }]
[decision]
inputs = ["cart.slide"]
"#;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Place(tempfile::tempdir().expect("a folder"));
        let robots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots");
        for name in ["arm7.urdf", "pendulum.urdf", "slider.urdf", "double_pendulum.urdf"] {
            std::fs::copy(robots.join(name), place.path(name)).expect("a copy");
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, experiment: &str, arguments: &[&str]) -> Command {
        std::fs::write(self.path("x.toml"), experiment).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_articula"));
        command.current_dir(self.0.path()).args(["gradient", "x.toml"]).args(arguments);
        command
    }

    fn gradient(&self, experiment: &str, arguments: &[&str]) -> Output {
        self.command(experiment, arguments).output().expect("the command runs")
    }

    /// The document, of a command that ends well.
    fn json(&self, experiment: &str, arguments: &[&str]) -> Value {
        let done = self.gradient(experiment, &[&["--json"], arguments].concat());
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
        serde_json::from_slice(&done.stdout).expect("one JSON object")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// The gradient by the library, of a course written out here: efforts sampled from what the file says.
fn library(place: &Place, sampled: &dyn Fn(f64, usize) -> f64) -> (RolloutGradient, Value) {
    std::fs::write(place.path("x.toml"), ARM).expect("a file");
    let built = Experiment::read(place.path("x.toml")).expect("a file").build().expect("an experiment");
    let segment = &built.session.segments()[0];
    let (n, steps) = (7, 100);
    let values: Vec<f64> = (0..steps * n).map(|i| sampled((i / n) as f64 * 0.002, i % n)).collect();
    let mut drives: Vec<Option<Drive>> = vec![None; n];
    drives[2] = Some(Drive::Pd { target: 0.6, kp: 20.0, kd: 1.0 });
    drives[4] = Some(Drive::Constant(1.5));
    let parameters = vec!["wrist_roll.friction".to_owned(), "gravity.x".to_owned()];
    let by = By { start: true, inputs: vec![0, 2], parameters };
    let objective = built.objective.as_ref().expect("an objective");
    let mut adjoint = Adjoint::new(segment.rung(), objective, by, steps).expect("an adjoint");
    let course = Course { start: segment.state(), drives: &drives, values: &values };
    let (found, status) = adjoint.gradient(&course).expect("a gradient").into_parts();
    (found, serde_json::to_value(&status).expect("JSON"))
}

fn sine(t: f64, joint: usize) -> f64 {
    if joint == 0 { 0.5 + 9.0 * (std::f64::consts::TAU * 2.0 * t + 0.3).sin() } else { 0.0 }
}

/// Claim: the document has the keys of its schema, and its numbers are the library's to the last bit; a feedback stays, with zeros added.
#[test]
fn numbers_are_those_of_the_library() {
    let place = Place::new();
    let told = place.json(ARM, &[]);
    let (found, status) = library(&place, &sine);
    assert_eq!(told["schema"], "articula/gradient/1");
    assert_eq!(told["objective"].as_f64(), Some(found.objective));
    let terms = told["terms"].as_array().expect("terms");
    for (i, term) in terms.iter().enumerate() {
        assert_eq!((term["index"].as_u64(), term["value"].as_f64()), (Some(i as u64), Some(found.terms[i])));
    }
    assert_eq!(terms.len(), 6);
    for (name, joint) in [("arm.shoulder_pan", 0), ("arm.elbow", 2)] {
        let input = &told["inputs"][name];
        let slopes: Vec<f64> = (0..100).map(|k| found.by_value[7 * k + joint]).collect();
        let times: Vec<f64> = (0..100).map(|k| f64::from(k) * 0.002).collect();
        let values: Vec<f64> = times.iter().map(|t| sine(*t, joint)).collect();
        assert!(slopes.iter().any(|x| *x != 0.0));
        assert_eq!(numbers(&input["gradient"]), slopes, "{name}");
        assert_eq!((numbers(&input["times"]), numbers(&input["values"])), (times, values));
        assert_eq!(input["unit"], "N m");
    }
    assert_eq!(told["inputs"].as_object().map(|x| x.len()), Some(2));
    let expected = [
        ("arm.elbow.initial_position", "rad", 0.3, found.by_start_position[2]),
        (
            "arm.wrist_roll.friction",
            "N m",
            told["parameters"]["arm.wrist_roll.friction"]["value"].as_f64().expect("a number"),
            found.by_parameter[0],
        ),
        ("arm.tool_slide.initial_velocity", "m/s", 0.1, found.by_start_velocity[6]),
        ("gravity.x", "m/s^2", 0.0, found.by_parameter[1]),
    ];
    for (name, unit, value, slope) in expected {
        let parameter = serde_json::json!({"unit": unit, "value": value, "gradient": slope});
        assert_eq!(told["parameters"][name], parameter, "{name}");
        assert!(slope != 0.0, "{name}");
    }
    assert_eq!(told["status"], status);
    assert!(told["check"].is_null() && told["knots"].is_null());
}

/// Claim: people read the objective, its terms, the largest entries, every parameter and the status in words.
#[test]
fn people_read_it_too() {
    let place = Place::new();
    let (told, shown) = (place.json(ARM, &[]), place.gradient(ARM, &["--check"]));
    let (shown, said) = (text(&shown.stdout), text(&shown.stderr));
    for words in [
        "objective ",
        "terms[4]",
        "efforts of arm, squared, all along, weight 0.0001",
        "by arm.shoulder_pan, N m: the 5 largest of 100 steps",
        "arm.elbow.initial_position       0.3 rad",
        "per m/s^2",
        told["status"]["observed"].as_str().expect("a status"),
        "check 204 of 204 entries agree",
    ] {
        assert!(shown.contains(words), "`{words}` in\n{shown}");
    }
    assert!(said.is_empty(), "{said}");
    let slopes = numbers(&told["inputs"]["arm.shoulder_pan"]["gradient"]);
    let largest = (0..100).max_by(|a, b| slopes[*a].abs().total_cmp(&slopes[*b].abs())).expect("one");
    let first = shown.split("by arm.shoulder_pan").nth(1).expect("a list").lines().nth(1).expect("a line");
    let time = format!("at {} s", f64::from(u32::try_from(largest).expect("small")) * 0.002);
    assert!(first.trim_start().starts_with(&time), "{time}: {first}");
}

/// Claim: where no switch is near, every entry agrees with central differences, by every address the machine, the world and
/// the start have.
#[test]
fn every_address_agrees_with_differences() {
    let place = Place::new();
    std::fs::write(place.path("x.toml"), SWING).expect("a file");
    let built = Experiment::read(place.path("x.toml")).expect("a file").build().expect("an experiment");
    let inside = built.session.segments()[0].model().addresses();
    let own = |name: &str| if name.starts_with("gravity.") { name.to_owned() } else { format!("arm.{name}") };
    let mut names: Vec<String> = inside.iter().map(|address| own(&address.name)).collect();
    names.extend(["arm.swing.initial_position", "arm.swing.initial_velocity"].map(str::to_owned));
    assert!(names.len() > 60, "{names:?}");
    let told = place.json(&format!("{SWING}parameters = {names:?}\n"), &["--check"]);
    let check = &told["check"];
    for entry in check["entries"].as_array().expect("entries") {
        assert_eq!(entry["agrees"], true, "{entry}");
    }
    assert_eq!(
        (&check["clean"], check["checked"].as_u64()),
        (&Value::Bool(true), Some(100 + names.len() as u64))
    );
    let given: Vec<&str> =
        told["parameters"].as_object().expect("parameters").keys().map(String::as_str).collect();
    assert_eq!(given, names);
    let some =
        given.iter().filter(|name| told["parameters"][**name]["gradient"].as_f64() != Some(0.0)).count();
    assert!(some >= 20, "{some} of them change something");
}

/// Claim: at a stop, where the runs of a difference are on both of its sides, the entries that disagree name the switch, joint and time, and
/// the command ends well; the cart's half is by hand: pushed in it stays, pulled it goes.
#[test]
fn straddled_switches_are_named() {
    let place = Place::new();
    let done = place.gradient(STOP, &["--check", "--json"]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let told: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let check = &told["check"];
    assert_eq!(check["clean"], false);
    let entries = check["entries"].as_array().expect("entries");
    assert_eq!(entries.len(), 10);
    for (k, entry) in entries.iter().enumerate() {
        assert_eq!((&entry["name"], entry["index"].as_u64()), (&Value::from("cart.slide"), Some(k as u64)));
        // J = q², dq/du = dt²/m times the steps it coasts, from the pull alone.
        let slope = 2.0 * 1e-4 / 2.0 * (10 - k) as f64;
        let (gradient, difference) =
            (entry["gradient"].as_f64().expect("a number"), entry["difference"].as_f64().expect("a number"));
        assert!((difference - slope / 2.0).abs() < 1e-6 * slope, "{entry}");
        assert!(gradient == 0.0 || (gradient - slope).abs() < 1e-12, "{entry}");
        assert_eq!(entry["agrees"], false);
        let straddle = &entry["straddles"][0];
        assert_eq!((&straddle["switch"], &straddle["joint"]), (&"arm.stop.high".into(), &"slide".into()));
        assert_eq!(straddle["time"].as_f64(), Some((k + 1) as f64 * 0.01));
    }
    let shown = text(&place.gradient(STOP, &["--check"]).stdout);
    assert!(shown.contains("check 0 of 10 entries agree"), "{shown}");
    assert!(shown.contains("two sides of arm.stop.high of slide at 0.01 s"), "{shown}");
    // No start lies beyond the stop: the difference is taken on the side there is.
    let start = STOP.replace(
        "inputs = [\"cart.slide\"]",
        "parameters = [\"cart.slide.initial_velocity\", \"cart.slide.initial_position\"]",
    );
    let told = place.json(&start, &["--check"]);
    let entries = told["check"]["entries"].as_array().expect("entries");
    assert_eq!(entries[0]["straddles"][0]["switch"], "arm.stop.high");
    assert!((entries[1]["difference"].as_f64().expect("a number") - 2.0).abs() < 1e-6, "{told:#}");
}

/// Claim: a wrong entry is found: it disagrees, and straddles nothing. The entries are the right ones with a thousandth of
/// the largest added.
#[test]
fn a_wrong_entry_is_found() {
    let place = Place::new();
    std::fs::write(place.path("x.toml"), SWING).expect("a file");
    let built = Experiment::read(place.path("x.toml")).expect("a file").build().expect("an experiment");
    let (segment, objective, decision) = built.question().expect("both");
    let plan = decision.plan(segment, 100).expect("a plan");
    let by = By::every_input(segment.model());
    let mut adjoint = Adjoint::new(segment.rung(), objective, by, 100).expect("an adjoint");
    let (found, _) = adjoint.gradient(&plan.course()).expect("a gradient").into_parts();
    let slopes = plan.by_input(&found, 0);
    let largest = slopes.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let entries: Vec<Entry> = (0..100)
        .map(|at| Entry {
            variable: Variable::Input { input: 0, at },
            value: plan.numbers(0)[at],
            gradient: slopes[at] + if at % 2 == 0 { 1e-3 * largest } else { 0.0 },
            largest,
        })
        .collect();
    let differences = Differences { rung: segment.rung(), objective, plan: &plan, parameters: &[] };
    let checked = differences.check(&found, &entries, || true).expect("a check");
    for (at, checked) in checked.into_iter().enumerate() {
        let checked = checked.expect("not left out");
        assert_eq!(checked.agrees, at % 2 == 1, "{at}: {checked:?}");
        assert!(checked.straddles.is_empty());
    }
}

/// Claim: with knots the gradient is that of the steps gathered by hat functions, written out here; with a knot a step it is that of the
/// steps. Sums of a hundred numbers, to rounding.
#[test]
fn knots_gather_the_steps() {
    let place = Place::new();
    let steps = numbers(&place.json(SWING, &[])["inputs"]["arm.swing"]["gradient"]);
    let size = steps.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for count in [2, 6, 101] {
        let done = place.gradient(&format!("{SWING}knots = {count}\n"), &["--json", "--check"]);
        assert!(text(&done.stderr).contains(&format!("note: inputs are told at {count} knots")));
        let told: Value = serde_json::from_slice(&done.stdout).expect("JSON");
        let input = &told["inputs"]["arm.swing"];
        let (found, times) = (numbers(&input["gradient"]), numbers(&input["times"]));
        assert_eq!((found.len(), told["knots"].as_u64()), (count, Some(count as u64)));
        let apart = 0.1 / (count - 1) as f64;
        for (i, slope) in found.iter().enumerate() {
            assert!((times[i] - i as f64 * apart).abs() < 1e-15);
            let hat = |k: usize| (1.0 - (k as f64 * 0.001 - times[i]).abs() / apart).max(0.0);
            let sum: f64 = steps.iter().enumerate().map(|(k, g)| hat(k) * g).sum();
            assert!((sum - slope).abs() < 1e-11 * size, "knot {i} of {count}: {slope}, {sum}");
        }
        assert_eq!(told["check"]["clean"], true, "{told:#}");
    }
    let quiet = place.gradient(&format!("{SWING}knots = 2\n"), &["--json", "--quiet"]);
    assert!(quiet.stderr.is_empty() && quiet.status.success());
}

/// Claim: commanded joints: one that is decided starts with commands to stay, one that is not is held where it starts, so that its start moves
/// all its commands; both agree with differences, at once and as a lag.
#[test]
fn kinematic_joints_are_held_where_they_start() {
    let place = Place::new();
    for servo in ["", "servo = 0.02\n"] {
        let experiment = format!(
            "[time]\nstep = 0.001\nduration = 0.05\n[chain.arm]\ndescription = \"arm7.urdf\"\nrung = \"kinematic\"\n{servo}\
             initial_positions = [0, 0.5, 0.3, 0, 0.2, 0, 0.05]\n\
             [drive]\n\"arm.elbow\" = {{ sine = {{ amplitude = 0.4, frequency = 1.0, offset = 0.3 }} }}\n\
             [objective]\nterms = [{{ frame = \"arm.flange\", position = [0.3, 0.0, 0.4], at = \"all\", weight = 1.0 }}]\n\
             [decision]\ninputs = [\"arm.shoulder_lift\", \"arm.elbow\"]\n\
             parameters = [\"arm.shoulder_pan.initial_position\", \"arm.shoulder_lift.initial_position\", \"arm.link_3.offset.x\"]\n"
        );
        let told = place.json(&experiment, &["--check"]);
        let lift = &told["inputs"]["arm.shoulder_lift"];
        assert_eq!((numbers(&lift["values"]), &lift["unit"]), (vec![0.5; 50], &Value::from("rad")));
        assert_eq!(told["check"]["clean"], true, "{told:#}");
        let slope = |name: &str| told["parameters"][name]["gradient"].as_f64().expect("a number");
        assert!(slope("arm.shoulder_pan.initial_position").abs() > 1e-3);
        // Told all the way, it is where it is told, or on its way there.
        assert_eq!(slope("arm.shoulder_lift.initial_position") == 0.0, servo.is_empty());
    }
}

/// Claim: exit 1 where the rollout does not stay finite, 2 where the input is wrong; each says what.
#[test]
fn failures_have_their_codes() {
    let place = Place::new();
    // No stop keeps it.
    let wild = SWING
        .replace("pendulum.urdf", "double_pendulum.urdf")
        .replace("{ swing = 0.4 }", "{ upper = 0.4, lower = 0.1 }")
        .replace("{ swing = 2.0 }", "{ upper = 2.0 }")
        .replace("arm.swing", "arm.upper")
        .replace("[objective]", "[drive]\n\"arm.upper\" = { constant = 1e308 }\n[objective]");
    // Its efforts are finite, and their squares are not.
    let vast = SWING
        .replace("[objective]", "[drive]\n\"arm.swing\" = { constant = 1e200 }\n[objective]")
        .replace("terms = [", "terms = [ { effort_squared = \"arm\", weight = 1.0 },");
    for (experiment, code, words) in [
        (wild, 1, "upper in the step that ends at"),
        (vast, 1, "efforts of arm, squared, all along, weight 1 is not finite"),
        (SWING.replace("[\"arm.swing\"]", "[\"arm.swnig\"]"), 2, "did you mean `arm.swing`"),
        (SWING.split("[objective]").next().expect("a start").to_owned(), 2, "add `[objective]`"),
        (SWING.split("[decision]").next().expect("a start").to_owned(), 2, "add `[decision]`"),
    ] {
        let done = place.gradient(&experiment, &["--json"]);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{said}");
        assert!(said.contains(words) && done.stdout.is_empty(), "{said}");
    }
}

/// Claim: Ctrl-C during a check that would take minutes ends in what is checked so far, said and in the document.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_check_keeps_what_it_has() {
    let place = Place::new();
    let long = ARM.replace("duration = 0.2", "duration = 20.0");
    let out = std::fs::File::create(place.path("out.json")).expect("a file");
    std::fs::write(place.path("x.toml"), long).expect("a file");
    // Signals are given back their defaults: what starts the tests in the background may have them ignored.
    let mut child = Command::new("env");
    child.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_articula")]).current_dir(place.0.path());
    child.args(["gradient", "x.toml", "--check", "--json"]);
    let child = child.stdout(out).stderr(std::process::Stdio::piped()).spawn().expect("the command runs");
    std::thread::sleep(std::time::Duration::from_secs(3));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(kill.success());
    let done = child.wait_with_output().expect("an end");
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("of 20004 entries are checked"), "{}", text(&done.stderr));
    let told: Value =
        serde_json::from_slice(&std::fs::read(place.path("out.json")).expect("a file")).expect("JSON");
    let check = &told["check"];
    assert_eq!((&check["interrupted"], &check["clean"]), (&Value::Bool(true), &Value::Bool(false)));
    let (checked, of) = (check["checked"].as_u64().expect("a count"), check["of"].as_u64().expect("a count"));
    assert!(checked < of && check["entries"].as_array().map(Vec::len) == Some(checked as usize));
}
