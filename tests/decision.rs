//! `[objective]` and `[decision]`: what is asked is what stands there, and every mistake ends in an error that names its
//! place and the way out.

#![cfg(feature = "cli")]

use articula::experiment::{Built, Experiment};
use articula::rollout::{Quantity, Variable, When};
use std::path::{Path, PathBuf};

const ARM: &str = r#"[time]
step = 0.001
duration = 0.01
[chain.arm]
description = "arm7.urdf"
rung = "dynamic"
initial_positions = [0, 0.5, 0.3, 0, 0.2, 0, 0.05]
initial_velocities = { elbow = 0.7 }
[drive]
"arm.elbow" = { constant = 1.0 }
[objective]
terms = [
  { frame = "arm.flange", position = [0.3, 0.0, 0.4], at = "end", weight = 1.0 },
  { frame = "arm.flange", orientation = [1, 0, 0, 0], at = "end", weight = 0.1 },
  { joint = "arm.elbow", position = 0.3, at = "all", weight = 0.2 },
  { joint = "arm.elbow", velocity = -1, at = "end", weight = 0.3 },
  { effort_squared = "arm", weight = 1e-4 },
  { kinetic_energy = "arm", at = "end", weight = 0.0 },
]
[decision]
inputs = ["arm.shoulder_pan", "arm.\"elbow\""]
knots = 11
parameters = ["arm.elbow.friction", "arm.placement.x", "gravity.z", "arm.elbow.initial_velocity"]
"#;

/// Two slides, the second following the first.
const HAND: &str = r#"<robot name="hand"><link name="palm"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="left.1" type="prismatic"><parent link="palm"/><child link="a"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint>
<joint name="right" type="prismatic"><parent link="palm"/><child link="b"/><limit lower="0" upper="1" effort="1" velocity="1"/>
<mimic joint="left.1"/></joint></robot>"#;

const FOLLOWS: &str = r#"[time]
step = 0.001
duration = 0.01
[chain."my hand"]
description = "hand.urdf"
rung = "dynamic"
mimic = "coupled"
initial_positions = { "left.1" = 0.1 }
[decision]
inputs = ["\"my hand\".\"left.1\""]
parameters = ["\"my hand\".\"left.1\".damping"]
"#;

fn robots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots")
}

fn build(text: &str, folder: &Path) -> articula::Result<Built> {
    Experiment::parse("x.toml", folder, text.as_bytes())?.build()
}

/// Claim: terms and decisions are those of the file, in its order, names resolved, numbers where the model has them.
#[test]
fn what_is_asked_is_what_stands_there() {
    let built = build(ARM, &robots()).expect("an experiment");
    let (segment, objective, decision) = built.question().expect("both");
    let (model, terms) = (segment.model(), objective.terms());
    let frame = model.frames().iter().position(|frame| frame.name == "flange").expect("a frame");
    assert!(
        matches!(terms[0].quantity, Quantity::FramePosition { frame: f, goal: [0.3, 0.0, 0.4] } if f == frame)
    );
    assert!(
        matches!(terms[1].quantity, Quantity::FrameOrientation { frame: f, goal: [1.0, ..] } if f == frame)
    );
    assert!(matches!(terms[2].quantity, Quantity::JointPosition { joint: 2, goal: 0.3 }));
    assert!(matches!(terms[3].quantity, Quantity::JointVelocity { joint: 2, goal: -1.0 }));
    assert!(matches!(terms[4].quantity, Quantity::EffortSquared));
    assert!(matches!(terms[5].quantity, Quantity::KineticEnergy));
    let whens: Vec<When> = terms.iter().map(|term| term.when).collect();
    assert_eq!(whens, [When::End, When::End, When::All, When::End, When::All, When::End]);
    assert_eq!(terms.iter().map(|term| term.weight).collect::<Vec<_>>(), [1.0, 0.1, 0.2, 0.3, 1e-4, 0.0]);
    assert_eq!((&decision.inputs[..], decision.knots), (&[0, 2][..], Some(11)));
    let parameters: Vec<_> =
        decision.parameters.iter().map(|p| (p.name.as_str(), p.unit, p.variable, p.value)).collect();
    let friction = model.joints()[2].friction.expect("friction");
    assert_eq!(
        parameters,
        [
            ("arm.elbow.friction", "N m", Variable::Parameter(0), friction),
            ("arm.placement.x", "m", Variable::Parameter(1), 0.0),
            ("gravity.z", "m/s^2", Variable::Parameter(2), -9.80665),
            ("arm.elbow.initial_velocity", "rad/s", Variable::StartVelocity(2), 0.7),
        ]
    );
    assert_eq!(decision.addresses, ["elbow.friction", "placement.x", "gravity.z"]);
}

/// Claim: every mistake is refused at its line and column, with the words that help.
#[test]
fn mistakes_are_refused_where_they_stand() {
    let all: &[(&str, &str, &[&str])] = &[
        (
            "\"arm.flange\", position",
            "\"arm.flnge\", position",
            &["x.toml:13:13", "frame `arm.flnge`", "did you mean `arm.flange`"],
        ),
        (
            "\"arm.flange\", position",
            "\"flange\", position",
            &["13:13", "written arm.NAME", "did you mean `arm.flange`"],
        ),
        ("\"arm.elbow\", position", "\"arm.elbo\", position", &["15:13", "joint `arm.elbo`", "`arm.elbow`"]),
        ("effort_squared = \"arm\"", "effort_squared = \"amr\"", &["17:22", "`amr`", "did you mean `arm`"]),
        ("position = [0.3, 0.0, 0.4],", "position = [0.3, 0.0],", &["13:38", "3 numbers", "array of 2"]),
        ("position = [0.3, 0.0, 0.4],", "position = [0.3, 0.0, nan],", &["13:", "finite"]),
        (
            "position = [0.3, 0.0, 0.4],",
            "velocity = 0.1,",
            &["13:3", "frame and velocity", "position or orientation"],
        ),
        (
            "position = [0.3, 0.0, 0.4],",
            "",
            &["13:3", "`objective.terms[0]` with frame", "position or orientation"],
        ),
        (
            "position = [0.3, 0.0, 0.4],",
            "position = [0, 0, 0], orientation = [1, 0, 0, 0],",
            &["13:3", "position and orientation", "several terms"],
        ),
        (
            "position = 0.3,",
            "orientation = [1, 0, 0, 0],",
            &["15:3", "joint and orientation", "position or velocity"],
        ),
        (
            "orientation = [1, 0, 0, 0], at = \"end\"",
            "orientation = [1, 1, 0, 0], at = \"end\"",
            &["14:", "unit quaternion"],
        ),
        (
            "{ frame = \"arm.flange\", position",
            "{ joint = \"arm.elbow\", frame = \"arm.flange\", position",
            &["13:3", "frame and joint"],
        ),
        ("effort_squared = \"arm\",", "", &["17:3", "without any", "effort_squared"]),
        (
            "effort_squared = \"arm\",",
            "effort_squared = \"arm\", position = 1.0,",
            &["17:3", "effort_squared and position", "no goal"],
        ),
        ("effort_squared = \"arm\",", "effort_squared = \"arm\", at = \"end\",", &["17:", "\"all\""]),
        ("at = \"all\", weight = 0.2", "at = \"al\", weight = 0.2", &["15:", "did you mean `all`"]),
        ("at = \"all\", weight = 0.2", "weight = 0.2", &["15:3", "no `at`"]),
        ("at = \"all\", weight = 0.2", "at = \"all\"", &["15:3", "no `weight`"]),
        ("at = \"all\", weight = 0.2", "at = \"all\", weight = \"0.2\"", &["15:", "without quotes"]),
        ("at = \"all\", weight = 0.2", "at = \"all\", wieght = 0.2", &["15:", "did you mean `weight`"]),
        ("[objective]\nterms", "[objective]\nterm", &["12:1", "did you mean `terms`"]),
        ("\"arm.shoulder_pan\",", "\"arm.shoulder_pna\",", &["21:11", "did you mean `arm.shoulder_pan`"]),
        ("\"arm.shoulder_pan\",", "\"arm.elbow\",", &["21:24", "`arm.elbow` a second time"]),
        ("knots = 11", "knots = 12", &["22:9", "12 knots", "from 2 to 11"]),
        ("knots = 11", "knots = 1", &["22:9", "from 2 to 11"]),
        ("knots = 11", "knots = -3", &["22:9", "whole number"]),
        ("knots = 11", "knot = 11", &["22:1", "did you mean `knots`"]),
        ("\"arm.elbow.friction\"", "\"arm.elbow.fricton\"", &["23:15", "did you mean `arm.elbow.friction`"]),
        ("\"arm.elbow.friction\"", "\"elbow.friction\"", &["23:15", "did you mean `arm.elbow.friction`"]),
        ("\"arm.elbow.friction\"", "\"arm.gravity.z\"", &["23:15", "did you mean `gravity.z`"]),
        ("\"arm.elbow.friction\"", "\"gravity.w\"", &["23:15", "did you mean `gravity."]),
        (
            "\"arm.elbow.friction\"",
            "\"arm.\\\"placement\\\".x\"",
            &["23:15", "did you mean `arm.placement.x`"],
        ),
        ("\"arm.elbow.friction\"", "\"gravity.z\"", &["23:", "`gravity.z` a second time"]),
        (
            "\"arm.elbow.friction\"",
            "\"arm.\\\"elbow\\\".initial_velocity\"",
            &["23:", "`arm.elbow.initial_velocity` a second time"],
        ),
        ("\"arm.elbow.friction\"", "\"\"", &["23:15", "unknown_name"]),
        ("\"arm.elbow.friction\"", "3", &["23:15", "= 3", "addresses"]),
        ("inputs = [\"arm.shoulder_pan\", \"arm.\\\"elbow\\\"\"]", "", &["22:9", "knots without inputs"]),
    ];
    let mut missed = Vec::new();
    for (from, to, words) in all {
        assert_eq!(ARM.matches(from).count(), 1, "`{from}` must stand once");
        let error = build(&ARM.replace(from, to), &robots()).expect_err(to).to_string();
        println!("{error}\n");
        missed.extend(
            words.iter().filter(|word| !error.contains(**word)).map(|word| format!("`{word}` in {error}")),
        );
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// Claim: sections that are missing or empty, a follower, a segment without efforts.
#[test]
fn what_cannot_be_asked_is_refused() {
    let refused = |text: &str, folder: &Path, words: &[&str]| {
        let error = match build(text, folder) {
            Ok(built) => built.question().map(|_| ()).expect_err(text).to_string(),
            Err(error) => error.to_string(),
        };
        println!("{error}\n");
        for word in words {
            assert!(error.contains(word), "`{word}` in\n{error}");
        }
    };
    let (before, rest) = ARM.split_once("[objective]").expect("an objective");
    let (objective, decision) = rest.split_once("[decision]").expect("a decision");
    refused(
        &format!("{before}[decision]{decision}"),
        &robots(),
        &["x.toml: ", "no `[objective]`", "add `[objective]`", "arm.shoulder_pan"],
    );
    refused(
        &format!("{before}[objective]{objective}"),
        &robots(),
        &["no `[decision]`", "inputs = [\"arm.shoulder_pan\"]"],
    );
    refused(&format!("{before}[objective]\nterms = []"), &robots(), &["12:9", "at least one term"]);
    refused(&format!("{before}[objective]"), &robots(), &["11:1", "no `terms`"]);
    refused(
        &format!("{before}[objective]{objective}[decision]\ninputs = []"),
        &robots(),
        &["20:1", "a decision on nothing"],
    );
    let kinematic = ARM.replace("rung = \"dynamic\"", "rung = \"kinematic\"");
    refused(&kinematic, &robots(), &["17:22", "the efforts of `arm`, which is kinematic"]);
    let slow = ARM.replace("rung = \"dynamic\"", "rung = \"dynamic\"\nrate = 0.02");
    refused(&slow, &robots(), &["makes no step"]);

    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("hand.urdf"), HAND).expect("a file");
    let built = build(FOLLOWS, folder.path()).expect("an experiment");
    let parameters = &built.decision.as_ref().expect("a decision").parameters;
    assert_eq!(parameters[0].name, "\"my hand\".\"left.1\".damping");
    for (from, to) in [
        (r#"inputs = ["\"my hand\".\"left.1\""]"#, r#"inputs = ["\"my hand\".right"]"#),
        (r#".\"left.1\".damping"#, ".right.initial_position"),
        (r#".\"left.1\".damping"#, ".right.initial_velocity"),
    ] {
        let leader = "which follows `\"my hand\".\"left.1\"`";
        assert!(FOLLOWS.contains(from));
        refused(&FOLLOWS.replace(from, to), folder.path(), &[leader, "a joint that follows none"]);
    }
}
