//! `eval` against another library: the answers that `tests/reference/generate.py` had from Pinocchio.

mod kit;

use articula::description::Inspection;
use kit::relative;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const ROBOTS: [&str; 6] = ["arm7", "branched", "double_pendulum", "pendulum", "quadruped", "slider"];

/// Every number below a value, in order.
fn numbers(value: &Value, out: &mut Vec<f64>) {
    match value {
        Value::Number(x) => out.push(x.as_f64().expect("a number")),
        Value::Array(items) => items.iter().for_each(|item| numbers(item, out)),
        Value::Object(entries) => entries.values().for_each(|item| numbers(item, out)),
        other => panic!("{other} among numbers"),
    }
}

fn flat(value: &Value) -> Vec<f64> {
    let mut out = Vec::new();
    numbers(value, &mut out);
    out
}

/// One field of every frame, frames in the order of `names`.
fn field(frames: &Value, names: &[String], field: &str) -> Vec<f64> {
    names.iter().flat_map(|name| flat(&frames[name][field])).collect()
}

/// Reads the stored answers of a robot, asks `eval` for the same states in one list, and compares quantity by quantity:
/// poses' positions, their quaternions, velocities, Jacobians, M, bias, gravity, ID, FD, five derivatives, energies,
/// masses, momentum. The largest difference stays below 1e-9 of the quantity's largest entry, where both libraries lose
/// a few digits to elimination; a quantity that is nothing but rounding (below 1e-12) may differ by rounding.
fn compare(robot: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let urdf = folder.join("robots").join(robot).with_extension("urdf");
    let text = std::fs::read_to_string(folder.join("reference").join(robot).with_extension("json")).unwrap();
    let reference: Value = serde_json::from_str(&text).unwrap();
    let read = Inspection::read(&urdf).unwrap();
    assert_eq!(reference["robot_sha256"], read.sha256.as_str(), "{robot}: the file changed; run generate.py");

    let cases = reference["cases"].as_array().unwrap();
    let states: Value = cases.iter().map(|case| case["state"].clone()).collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_articula"))
        .args(["eval", urdf.to_str().unwrap(), "--state", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(states.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let answers: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answers.as_array().unwrap().len(), cases.len());

    for (case, answer) in cases.iter().zip(answers.as_array().unwrap()) {
        let expected = &case["expected"];
        let check = |what: &str, found: &[f64], wanted: &[f64]| {
            let largest = wanted.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let near = match largest < 1e-12 {
                true => found.iter().all(|x| x.abs() < 1e-12),
                false => relative(found, wanted) < 1e-9,
            };
            assert!(near, "{robot}, {}: {what}\n found {found:?}\nwanted {wanted:?}", case["name"]);
        };
        for key in ["joints", "kinds"] {
            assert_eq!(answer[key], expected[key], "{robot}, {}", case["name"]);
        }
        let names: Vec<String> = answer["frames"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(names.len(), expected["frames"].as_object().unwrap().len());
        let poses = field(&answer["frames"], &names, "pose");
        let mut wanted = field(&expected["frames"], &names, "pose");
        for (found, wanted) in poses.chunks_exact(7).zip(wanted.chunks_exact_mut(7)) {
            // A quaternion and its negative are one turn; qw >= 0 leaves both only at half a turn.
            let dot: f64 = found[3..].iter().zip(&wanted[3..]).map(|(x, y)| x * y).sum();
            assert!(found[3] >= 0.0, "{robot}: qw = {}", found[3]);
            if dot < 0.0 && wanted[3].abs() < 1e-9 {
                wanted[3..].iter_mut().for_each(|x| *x = -*x);
            }
        }
        let part = |poses: &[f64], range: std::ops::Range<usize>| -> Vec<f64> {
            poses.chunks_exact(7).flat_map(|pose| pose[range.clone()].to_vec()).collect()
        };
        check("positions", &part(&poses, 0..3), &part(&wanted, 0..3));
        check("quaternions", &part(&poses, 3..7), &part(&wanted, 3..7));
        for velocity in ["linear_velocity", "angular_velocity"] {
            let of = |frames: &Value| field(frames, &names, velocity);
            check(velocity, &of(&answer["frames"]), &of(&expected["frames"]));
        }
        let rows = |jacobians: &Value, rows: std::ops::Range<usize>| -> Vec<f64> {
            names
                .iter()
                .flat_map(|name| flat(&Value::from(&jacobians[name].as_array().unwrap()[rows.clone()])))
                .collect()
        };
        for part in [0..3, 3..6] {
            let of = |jacobians: &Value| rows(jacobians, part.clone());
            check("jacobians", &of(&answer["jacobians"]), &of(&expected["jacobians"]));
        }
        let leaves = [
            "/mass_matrix",
            "/bias",
            "/gravity",
            "/inverse_dynamics",
            "/forward_dynamics",
            "/derivatives/id_q",
            "/derivatives/id_v",
            "/derivatives/fd_q",
            "/derivatives/fd_v",
            "/derivatives/fd_tau",
            "/energy/kinetic",
            "/energy/potential",
            "/total_mass",
            "/center_of_mass",
            "/momentum/linear",
            "/momentum/angular_about_com",
        ];
        for leaf in leaves {
            let (Some(found), Some(wanted)) = (answer.pointer(leaf), expected.pointer(leaf)) else {
                panic!("{robot}, {}: {leaf} is not in both", case["name"]);
            };
            check(leaf, &flat(found), &flat(wanted));
        }
    }
}

#[test]
fn arm7_agrees_with_pinocchio() {
    compare("arm7");
}

#[test]
fn branched_agrees_with_pinocchio() {
    compare("branched");
}

#[test]
fn double_pendulum_agrees_with_pinocchio() {
    compare("double_pendulum");
}

#[test]
fn pendulum_agrees_with_pinocchio() {
    compare("pendulum");
}

#[test]
fn quadruped_agrees_with_pinocchio() {
    compare("quadruped");
}

#[test]
fn slider_agrees_with_pinocchio() {
    compare("slider");
}

/// Every robot of `tests/robots` has stored answers, and is compared above.
#[test]
fn every_robot_has_reference_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots");
    let mut robots: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "urdf"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    robots.sort();
    assert_eq!(robots, ROBOTS);
}
