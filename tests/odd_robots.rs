//! Odd robots through everything: account, machine, answers at states, a run and its files. Claim: finite numbers, or a
//! word that says what is not; never a panic. Some have an answer by hand, which is checked.

#![cfg(feature = "cli")]

use articula::description::{Acknowledged, Inspection};
use articula::experiment::Experiment;
use articula::model::Model;
use articula::report::{header, write_csv, write_npz};
use articula::rollout::{Ending, Session};
use serde_json::Value;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A robot in words: each joint with the link it hangs from, its kind, and what else stands in it; each child link with
/// its mass and moment of inertia.
struct Robot {
    text: String,
    joints: usize,
}

impl Robot {
    fn new() -> Self {
        Robot { text: "<robot name=\"odd\">\n<link name=\"l0\"/>\n".into(), joints: 0 }
    }

    /// Adds joint `j1, j2, …` and link `l1, l2, …`.
    fn joint(&mut self, parent: usize, kind: &str, inside: &str, mass: f64, inertia: f64) {
        self.joints += 1;
        let k = self.joints;
        writeln!(
            self.text,
            "<link name=\"l{k}\"><inertial><origin xyz=\"0.05 0 0.1\"/><mass value=\"{mass:e}\"/><inertia ixx=\"{inertia:e}\" \
             ixy=\"0\" ixz=\"0\" iyy=\"{inertia:e}\" iyz=\"0\" izz=\"{inertia:e}\"/></inertial></link>\n\
             <joint name=\"j{k}\" type=\"{kind}\"><parent link=\"l{parent}\"/><child link=\"l{k}\"/>\
             <origin xyz=\"0 0 0.1\"/><axis xyz=\"0 1 0\"/>{inside}</joint>"
        )
        .expect("a string");
    }

    fn finish(self) -> String {
        self.text + "</robot>\n"
    }
}

fn one(kind: &str, inside: &str) -> String {
    let mut robot = Robot::new();
    robot.joint(0, kind, inside, 1.0, 0.01);
    robot.finish()
}

fn chain(count: usize) -> String {
    let mut robot = Robot::new();
    (0..count).for_each(|k| robot.joint(k, "continuous", "", 1.0, 0.01));
    robot.finish()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("odd").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The machine; the account and its JSON must exist.
fn machine(urdf: &str) -> (Acknowledged, Model<f64>) {
    let inspection = Inspection::parse("odd.urdf", urdf.as_bytes());
    assert_eq!(inspection.errors, []);
    assert!(inspection.to_json().is_object());
    let robot = inspection.description().expect("no errors").acknowledge_all("odd").expect("acknowledged");
    let model = Model::from_description(&robot).expect("a machine");
    (robot, model)
}

/// The answer at a state; what is null in it must be explained.
fn answer(model: &Model<f64>, state: &str) -> Value {
    let answer = articula::cli::answers(model, "state", state.as_bytes(), &[]).expect("an answer");
    let nulls = answer.as_object().expect("an object").values().filter(|value| value.is_null()).count();
    assert!(nulls == 0 || answer["undefined"].as_array().is_some_and(|why| why.len() >= nulls), "{answer}");
    answer
}

/// Runs an experiment; `rest` stands in `[chain.arm]` and after it. Every row must be finite and every file whole.
fn run(
    name: &str,
    urdf: &str,
    (step, duration): (f64, f64),
    rest: &str,
) -> Result<(Session, Ending), String> {
    let folder = folder(name);
    std::fs::write(folder.join("r.urdf"), urdf).expect("a robot");
    let toml = format!(
        "[time]\nstep = {step:e}\nduration = {duration:e}\n[chain.arm]\ndescription = \"r.urdf\"\nrung = \"dynamic\"\n{rest}"
    );
    let built =
        Experiment::parse("x.toml", &folder, toml.as_bytes()).and_then(|experiment| experiment.build());
    let mut session = built.map_err(|error| error.to_string())?.session;
    let ending = session.run(|_, _| ControlFlow::Continue(()));
    let mut text = Vec::new();
    write_csv(&session, &mut text).expect("CSV");
    let mut reader = csv::Reader::from_reader(text.as_slice());
    let names: Vec<String> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    assert_eq!(names, header(&session), "{name}: the header reads back as it is");
    let read: Vec<_> = reader.records().map(|row| row.expect("a whole row")).collect();
    assert_eq!(read.len(), session.rows(), "{name}");
    let rows = session.segments()[0].trajectory();
    assert!(rows.q.iter().chain(&rows.v).all(|x| x.is_finite()), "{name}: every row is finite");
    let mut archive = std::io::Cursor::new(Vec::new());
    write_npz(&session, &mut archive).expect("NPZ");
    let mut npz = ndarray_npy::NpzReader::new(archive).expect("an archive");
    let q: ndarray::Array2<f64> = npz.by_name("arm.q").expect("positions");
    assert_eq!(q.dim(), (session.rows(), rows.joints), "{name}");
    Ok((session, ending))
}

fn starts(joints: usize, q: f64) -> String {
    format!("initial_positions = {:?}\n", vec![q; joints])
}

/// Whole pipeline; the run must be done, with finite rows.
fn all(name: &str, urdf: &str, clock: (f64, f64), rest: &str) -> (Model<f64>, Session) {
    let (_, model) = machine(urdf);
    answer(&model, "{}");
    let (session, ending) = run(name, urdf, clock, rest).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(ending, Ending::Done, "{name}");
    (model, session)
}

const SHORT: (f64, f64) = (1e-3, 0.01);

/// Sizes and shapes of trees.
#[test]
fn odd_trees() {
    let (model, _) = all("chain", &chain(300), SHORT, &starts(300, 0.01));
    // Hanging masses of 1 kg: the whole weighs 300 kg.
    assert_eq!(model.total_mass(), 300.0);
    let mut star = Robot::new();
    (0..200).for_each(|_| star.joint(0, "continuous", "", 1.0, 0.01));
    let (_, session) = all("star", &star.finish(), SHORT, &starts(200, 0.3));
    // Two hundred pendulums alike, none of which knows the others.
    let q = &session.segments()[0].state().q;
    assert!(q.iter().all(|x| *x == q[0]) && q[0] != 0.3);
    let mut slides = Robot::new();
    (0..5).for_each(|k| {
        slides.joint(
            k,
            "prismatic",
            "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>",
            1.0,
            0.0,
        )
    });
    all("slides", &slides.finish(), SHORT, &starts(5, 0.0));
    // Nothing to move: no joint, or fixed ones only. The world stands still, and says so in frames and energy.
    let mut fixed = Robot::new();
    (0..3).for_each(|k| fixed.joint(k, "fixed", "", 2.0, 0.01));
    for (name, urdf, mass) in [
        ("single", "<robot name=\"odd\"><link name=\"l0\"/></robot>".to_owned(), 0.0),
        ("fixed", fixed.finish(), 6.0),
    ] {
        let (model, session) = all(name, &urdf, SHORT, &starts(0, 0.0));
        assert_eq!((model.total_mass(), session.rows()), (mass, 11));
        assert_eq!(answer(&model, "{}")["mass_matrix"], serde_json::json!([]));
        assert!(
            answer(&model, "{\"base\": {}}")["mass_matrix"].as_array().is_some_and(|rows| rows.len() == 6)
        );
    }
}

/// Names of every script and sign go through addresses, columns and archives, and come back as they are.
#[test]
fn odd_names() {
    let names = [
        "a.b",
        "say &quot;hi&quot;",
        "two&#10;lines",
        "\u{5d0}\u{5d1}\u{202e}x",
        "]/[1]",
        "a,b;c",
        "gravity",
        "é\u{301}\u{1f980}",
        " ",
        "back\\slash",
        "&#9;",
    ];
    for (k, name) in names.iter().enumerate() {
        let urdf = one("continuous", "")
            .replace("\"j1\"", &format!("\"{name}\""))
            .replace("\"l1\"", &format!("\"{name}\""));
        if name.trim().is_empty() || *name == "&#9;" {
            let errors = Inspection::parse("odd.urdf", urdf.as_bytes()).errors;
            assert!(
                errors.iter().any(|fault| fault.code == "missing_attribute" && fault.line > 0),
                "{errors:?}"
            );
            continue;
        }
        let (model, _) = all(&format!("name{k}"), &urdf, SHORT, &starts(1, 0.1));
        let name = model.joints()[0].name.clone();
        let state = serde_json::json!({"q": {name.as_str(): 0.5}, "wrenches": [{"frame": name}]});
        assert!(answer(&model, &state.to_string())["frames"][&name].is_object());
        // The same name as a key of the experiment.
        let key = serde_json::to_string(&name).expect("a string");
        let rest =
            format!("initial_positions = {{ {key} = 0.1 }}\n[drive]\narm.{key} = {{ constant = 1.0 }}\n");
        let (session, _) =
            run(&format!("key{k}"), &urdf, SHORT, &rest).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(session.segments()[0].drives()[0].is_some());
    }
}

/// Masses and inertias of every size.
#[test]
fn odd_masses() {
    let mut robot = Robot::new();
    robot.joint(0, "continuous", "", 1e-30, 1e-32);
    robot.joint(1, "continuous", "", 1e12, 1e10);
    robot.joint(2, "continuous", "", 1e-30, 1e-32);
    all("masses", &robot.finish(), SHORT, &starts(3, 0.1));
    let mut robot = Robot::new();
    robot.joint(0, "continuous", "", 1.0, 0.0);
    robot.joint(1, "prismatic", "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>", 1.0, 0.0);
    all("points", &robot.finish(), SHORT, &starts(2, 0.1));
    // No mass where something moves: refused by the dynamic rung, by name.
    let mut robot = Robot::new();
    robot.joint(0, "continuous", "", 0.0, 0.0);
    let Err(message) = run("massless", &robot.finish(), SHORT, &starts(1, 0.0)) else { panic!("taken") };
    assert!(
        message.contains("j1: a moving body without mass") && message.contains("<inertial>"),
        "{message}"
    );
}

/// Numbers at the ends of the scale, each by itself: the answer by hand where there is one.
#[test]
fn odd_numbers() {
    let limits = |lower: &str, upper: &str| {
        format!("<limit lower=\"{lower}\" upper=\"{upper}\" effort=\"1\" velocity=\"1\"/>")
    };
    let at_zero = starts(1, 0.0);
    let q = |session: &Session| session.segments()[0].state().q[0];
    // Stops that leave no room hold the joint; stops far away never come.
    let (_, session) = all("equal", &one("revolute", &limits("0.2", "0.2")), SHORT, &starts(1, 0.2));
    assert_eq!(q(&session), 0.2);
    let (_, far) = all("far", &one("revolute", &limits("-1e300", "1e300")), SHORT, &at_zero);
    let (_, free) = all("free", &one("continuous", ""), SHORT, &at_zero);
    assert_eq!(q(&far), q(&free));
    // Friction and damping that nothing overcomes.
    let (_, session) = all("friction", &one("continuous", "<dynamics friction=\"1e300\"/>"), SHORT, &at_zero);
    assert_eq!(q(&session), 0.0);
    let (_, session) = all("damping", &one("continuous", "<dynamics damping=\"1e300\"/>"), SHORT, &at_zero);
    assert!(q(&session).abs() < 1e-290, "{}", q(&session));
    // Gravity of none, and steps of a picosecond.
    let (_, session) = all(
        "weightless",
        &one("continuous", ""),
        SHORT,
        &format!("{at_zero}[environment]\ngravity = [0, 0, 0]\n"),
    );
    assert_eq!(q(&session), 0.0);
    all("picoseconds", &one("continuous", ""), (1e-12, 1e-11), &at_zero);
    // What cannot be finite ends in the name of the joint and the time, with the rows before it.
    for (name, clock, rest) in [
        ("gravity", SHORT, format!("{at_zero}[environment]\ngravity = [0, 0, 1e300]\n")),
        ("speed", SHORT, format!("{at_zero}initial_velocities = [1e300]\n")),
        ("effort", SHORT, format!("{at_zero}[drive]\narm.j1 = {{ constant = 1.7e308 }}\n")),
        ("coarse", (1e6, 1e7), at_zero.clone()),
        (
            "gains",
            SHORT,
            format!("{at_zero}[drive]\narm.j1 = {{ pd = {{ target = 1e300, kp = 1e300, kd = -1e300 }} }}\n"),
        ),
        (
            "armature",
            SHORT,
            format!("{at_zero}[chain.arm.armature]\nj1 = {{ value = 1e300, reason = \"odd\" }}\n"),
        ),
    ] {
        let (session, ending) =
            run(name, &one("continuous", ""), clock, &rest).unwrap_or_else(|error| panic!("{name}: {error}"));
        match ending {
            Ending::Done => {}
            Ending::NotFinite { joint, time, .. } => assert!(joint == "j1" && time > 0.0, "{name}"),
            Ending::Interrupted => panic!("{name}: nobody interrupted"),
        }
        assert!(session.rows() >= 1);
    }
    let huge = one("continuous", "").replace("xyz=\"0 0 0.1\"", "xyz=\"1e300 0 -1e300\"");
    let (_, model) = machine(&huge);
    answer(&model, "{\"q\": [1e300], \"v\": [1e300], \"a\": [1e300], \"tau\": [-1e300], \"dt\": 1e-300}");
    answer(&model, "{\"q\": [-0.0], \"gravity\": [1e300, 0, 0], \"dt\": 1e300, \"solver\": {\"sweeps\": 0}}");
}
