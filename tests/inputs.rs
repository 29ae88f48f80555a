//! Valid inputs with one thing spoiled, of every kind a command reads: each ends in that error, at that place, with the
//! way out. `cargo test --test inputs -- --nocapture` prints what a user would read.
//!
//! `tests/description.rs`, `experiment.rs` and `cli_eval.rs` have the full lists of their readers; here stand the kinds
//! side by side, and what those lists leave out.

#![cfg(feature = "cli")]

use articula::description::{Acknowledgement, Description};
use articula::experiment::Experiment;
use articula::model::Model;
use articula::{Error, Result};
use std::path::{Path, PathBuf};

const ARM: &str = include_str!("fixtures/urdf/arm.urdf");
const REFUSED: &str = include_str!("fixtures/urdf/refused.urdf");
const PENDULUM: &str = include_str!("robots/double_pendulum.urdf");

const EXPERIMENT: &str = r#"profile = "research"
[time]
step = 0.001
duration = 0.01
[chain.arm]
description = "double_pendulum.urdf"
rung = "dynamic"
initial_positions = { upper = 0.1, lower = 0.2 }
solver = { sweeps = 16 }
[chain.arm.friction]
upper = { coulomb = 0.5, damping = 0.1 }
[drive]
"arm.upper" = { table = "push.csv", column = "u", hold = "linear" }
"arm.lower" = { sine = { amplitude = 1.0, frequency = 0.5 } }
"#;

const TABLE: &str = "time,u\n0,1\n0.5,2\n";

const STATE: &str = r#"{"q": {"upper": 0.1}, "v": [0, 0.5], "wrenches": [{"frame": "tip", "force": [0, 0, 1]}],
"dt": 0.001, "friction": {"upper": 0.5}}"#;

/// What is spoiled: a valid text of that kind, with one piece of it replaced.
#[derive(Clone, Copy)]
enum Input {
    /// The robot file of `inspect`, `eval`, `run`: read, nothing acknowledged, made a machine.
    Robot(&'static str, &'static str),
    /// The experiment, its robot and table beside it.
    Experiment(&'static str, &'static str),
    /// The experiment's robot.
    ItsRobot(&'static str, &'static str),
    /// The experiment's table.
    Table(&'static str, &'static str),
    /// The states of `eval`.
    State(&'static str, &'static str),
    /// `--acknowledge` with a robot in which things are refused.
    Acknowledge(&'static str),
}

use Input::{Acknowledge, ItsRobot, Robot, State, Table};

impl Input {
    fn kind(self) -> &'static str {
        match self {
            Robot(..) => "robot file",
            Input::Experiment(..) => "experiment",
            ItsRobot(..) => "robot of an experiment",
            Table(..) => "table of a drive",
            State(..) => "state of `eval`",
            Acknowledge(..) => "`--acknowledge`",
        }
    }

    fn spoiled(self) -> String {
        match self {
            Acknowledge(text) => format!("`{text}`"),
            Robot(from, to)
            | Input::Experiment(from, to)
            | ItsRobot(from, to)
            | Table(from, to)
            | State(from, to) => format!("`{from}` → `{to}`"),
        }
    }

    fn read(self, scratch: &Path) -> Result<()> {
        match self {
            Robot(from, to) => {
                machine(Description::parse("arm.urdf", spoil(ARM, from, to).as_bytes())?).map(|_| ())
            }
            Input::Experiment(from, to) => experiment(scratch, &spoil(EXPERIMENT, from, to), PENDULUM, TABLE),
            ItsRobot(from, to) => experiment(scratch, EXPERIMENT, &spoil(PENDULUM, from, to), TABLE),
            Table(from, to) => experiment(scratch, EXPERIMENT, PENDULUM, &spoil(TABLE, from, to)),
            State(from, to) => {
                let robot = machine(Description::parse("r.urdf", PENDULUM.as_bytes())?)?;
                articula::cli::answers(&robot, "state.json", spoil(STATE, from, to).as_bytes(), &[])
                    .map(|_| ())
            }
            Acknowledge(text) => {
                let robot = Description::parse("arm.urdf", REFUSED.as_bytes())?;
                robot.acknowledge(&[Acknowledgement::parse(text)?]).map(|_| ())
            }
        }
    }
}

/// The text with one place changed; the place must be there once.
fn spoil(text: &str, from: &str, to: &str) -> String {
    assert!(
        from.is_empty() || text.matches(from).count() == 1,
        "`{from}` must stand once in the valid input"
    );
    text.replacen(from, to, 1)
}

fn machine(robot: Description) -> Result<Model<f64>> {
    Model::from_description(&robot.acknowledge(&[])?)
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("inputs").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn experiment(folder: &Path, toml: &str, robot: &str, table: &str) -> Result<()> {
    for (name, text) in [("x.toml", toml), ("double_pendulum.urdf", robot), ("push.csv", table)] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
    Experiment::read(folder.join("x.toml"))?.build().map(|_| ())
}

/// The codes of an error: of each of its faults, where it has several.
fn codes(error: &Error) -> Vec<&'static str> {
    match error {
        Error::Description { faults, .. } | Error::Refused { faults, .. } => {
            faults.iter().map(|fault| fault.code).collect()
        }
        other => vec![other.code()],
    }
}

/// What is spoiled, the code of the error, the place it must name, and words of the way out.
const ROWS: &[(Input, &str, &str, &str)] = &[
    // Robot files.
    (Robot("</robot>", ""), "not_xml", "arm.urdf:83:12", "cut off"),
    (
        Robot("<robot name=\"arm\" version=\"1.0\">", "<!DOCTYPE r [<!ENTITY x \"&y;&y;\">]><robot>"),
        "not_xml",
        "arm.urdf",
        "take the <!DOCTYPE> out",
    ),
    (
        Robot("<mass value=\"2\"/>", "<mass value=\"2,5\"/>"),
        "not_a_number",
        "arm.urdf:21:13",
        "point for the decimals",
    ),
    (Robot("rpy=\"0 0 1.5\"", "rpy=\"0 0 90deg\""), "not_a_number", "rpy", "finite decimal number"),
    (Robot("xyz=\"0 0 0.3\"", "xyz=\"0 0.3\""), "wrong_count", "`xyz` of <origin>", "write 3"),
    (Robot("<child link=\"tool\"/>", "<child link=\"base\"/>"), "loop", "circle", "take out the joint"),
    (
        Robot("<link name=\"tool\"/>", "<link name=\"tool\"/><link name=\"tool\"/>"),
        "duplicate_link",
        "`tool`",
        "rename",
    ),
    (
        Robot("<parent link=\"wrist\"/>", "<parent link=\"wirst\"/>"),
        "unknown_link",
        "nearest is `wrist`",
        "correct the name",
    ),
    (
        Robot("type=\"continuous\"", "type=\"floating\""),
        "refused",
        "joint[spin]",
        "prismatic or revolute joints",
    ),
    (
        Robot("damping=\"0.7\"", "damping=\"0.7\" stiffness=\"7\""),
        "refused",
        "joint[shoulder]/dynamics@stiffness",
        "--acknowledge",
    ),
    (Robot("damping=\"0.7\"", "damping=\"-0.7\""), "value", "arm.urdf:44:1", "zero or more"),
    (
        Robot("<mass value=\"0.5\"/>", "<mass value=\"-0.5\"/>"),
        "refused",
        "link[wrist]/inertial/mass",
        "--acknowledge",
    ),
    // Experiments.
    (
        Input::Experiment("profile = \"research\"", "profile = research"),
        "toml",
        "x.toml:1:11",
        "must be quoted",
    ),
    (Input::Experiment("step = 0.001", "step = 0"), "value", "x.toml:3:8", "positive"),
    (
        Input::Experiment("duration = 0.01", "duration = 1e300"),
        "too_large",
        "x.toml:4:12",
        "shorter duration",
    ),
    (Input::Experiment("duration = 0.01", "duration = 2e6"), "value", "x.toml:4:12", "a duration of 1864.1"),
    (Input::Experiment("[chain.arm]", "[chian.arm]"), "unknown_key", "x.toml:5:2", "did you mean `chain`"),
    (
        Input::Experiment("double_pendulum.urdf", "double_pendulm.urdf"),
        "io",
        "x.toml:6:15",
        "correct the path",
    ),
    (
        Input::Experiment("\"double_pendulum.urdf\"", "\".\""),
        "not_a_file",
        "x.toml:6:15",
        "give the file in it",
    ),
    (Input::Experiment("upper = 0.1,", "uper = 0.1,"), "unknown_name", "x.toml:8:23", "did you mean `upper`"),
    (Input::Experiment("upper = 0.1,", ""), "missing_key", "x.toml:8:21", "add"),
    (Input::Experiment("sweeps = 16", "sweeps = 4294967295"), "value", "x.toml:9:10", "at most 1000000"),
    (Input::Experiment("damping = 0.1", "damping = -0.1"), "value", "x.toml:11:36", "zero or more"),
    (Input::Experiment("hold = \"linear\"", "hold = \"cubic\""), "value", "x.toml:13:58", "zero_order"),
    (Input::Experiment("column = \"u\"", "column = \"v\""), "unknown_name", "x.toml:13:46", "`u`"),
    (Input::Experiment("push.csv", "pull.csv"), "io", "x.toml:13:25", "correct the path"),
    (
        Input::Experiment("\"arm.lower\"", "\"arm.lwer\""),
        "unknown_name",
        "x.toml:14:1",
        "did you mean `arm.lower`",
    ),
    (Input::Experiment("frequency = 0.5", "frequency = inf"), "not_finite", "x.toml:14:55", "finite number"),
    // Its robot and its table.
    (ItsRobot("<mass value=\"1\"/>", "<mass value=\"0\"/>"), "value", "x.toml:7:8", "<inertial>"),
    (
        ItsRobot("<link name=\"tip\"/>", "<link name=\"tip\"/><camera/>"),
        "refused",
        "robot/camera[1]",
        "[[chain.X.acknowledged]]",
    ),
    (Table("time,u", "t,u"), "table", "push.csv:1:1", "name it so"),
    (Table("time,u\n0,1\n0.5,2\n", "time;u\n0;1\n"), "table", "push.csv:1:1", "by commas"),
    (Table("time,u\n", ""), "table", "push.csv:1:1", "line of names"),
    (Table("0.5,2", "0.5,\"2,5\""), "table", "push.csv:3:", "point for the decimals"),
    (Table("0.5,2", "0.5"), "table", "push.csv:3:1", "mend the row"),
    (Table("0.5,2", "0,2"), "table", "push.csv:3:", "sort"),
    (Table("0.5,2", "0.5,"), "table", "push.csv:3:", "write a number"),
    // States.
    (
        State("{\"upper\": 0.1}", "{\"uper\": 0.1}"),
        "unknown_name",
        "state.json: state 0: q",
        "did you mean `upper`",
    ),
    (State("0.1", "NaN"), "value", "state.json: state 0: q.upper", "finite number"),
    (State("[0, 0.5]", "[0, 0.5, 1]"), "value", "state.json: state 0: v", "upper, lower"),
    (State("\"dt\": 0.001, ", ""), "value", "state.json: state 0: friction", "`dt`"),
    (State("\"v\"", "\"w\""), "value", "state.json: state 0", "one of the keys"),
    (State("[0, 0, 1]}]", "[0, 0, 1]}"), "value", "state.json:2:", "JSON"),
    (
        State("\"tip\"", "\"top\""),
        "unknown_name",
        "state.json: state 0: wrenches[0].frame",
        "did you mean `tip`",
    ),
    // Acknowledgements.
    (Acknowledge("joint[second]/mimic"), "value", "--acknowledge", "PATH=REASON`, such as"),
    (Acknowledge("joint[second]/mimic="), "value", "--acknowledge", "reason after `=`"),
    (
        Acknowledge("joint[second]/mimik=held shut"),
        "unknown_name",
        "arm.urdf",
        "did you mean `joint[second]/mimic`",
    ),
    (Acknowledge("robot/filter[1]/member=not ours"), "value", "robot/filter[1]/member", "`robot/filter[1]`"),
];

/// Claim: one thing spoiled is that error and no other, with the place and the way out in its message.
#[test]
fn one_thing_spoiled_is_that_error_with_place_and_way_out() {
    let folder = scratch("spoiled");
    let clean = [Robot("", ""), Input::Experiment("", ""), State("", ""), Table("", "")];
    for input in clean {
        input.read(&folder).unwrap_or_else(|error| panic!("{} is valid: {error}", input.kind()));
    }
    let mut wrong = Vec::new();
    println!("| input | spoiled | message |\n|---|---|---|");
    for (input, code, place, way_out) in ROWS {
        let shown = |text: &str| text.replace('\n', "⏎").replace('|', "\\|");
        let Err(error) = input.read(&folder) else {
            wrong.push(format!("{} {}: taken", input.kind(), input.spoiled()));
            continue;
        };
        let message = error.to_string().replace(folder.to_str().expect("a path"), "DIR");
        println!("| {} | {} | {} |", input.kind(), shown(&input.spoiled()), shown(&message));
        if !codes(&error).contains(code) {
            wrong.push(format!("{}: codes {:?}, not {code}\n  {message}", input.spoiled(), codes(&error)));
        }
        for words in [place, way_out] {
            if !message.contains(words) {
                wrong.push(format!("{} lacks `{words}`:\n  {message}", input.spoiled()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
