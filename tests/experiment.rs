//! Experiment files: a valid one with one thing spoiled gives that error, at that place; defaults and profiles.

#![cfg(feature = "cli")]

use articula::Error;
use articula::experiment::{Built, Experiment};
use std::path::{Path, PathBuf};

const VALID: &str = r#"profile = "exploratory"
[time]
step = 0.001
duration = 0.01
[environment]
gravity = [0.0, 0.0, -9.80665]
[chain.arm]
description = "arm7.urdf"
rung = "dynamic"
initial_velocities = { elbow = 0.1 }
at = [0.1, 0, 0]
orientation = [1, 0, 0, 0]
rate = 0.002
solver = { sweeps = 16 }
[chain.arm.initial_positions]
shoulder_pan = 0.0
shoulder_lift = 0.5
elbow = 0.3
forearm_roll = 0
wrist_pitch = 0.2
wrist_roll = 0.0
tool_slide = 0.05
[chain.arm.limits]
elbow = { lower = -1.0, upper = 1.0, reason = "cable" }
[chain.arm.friction]
elbow = { coulomb = 0.5, damping = 0.1 }
[chain.arm.armature]
wrist_roll = { value = 1.2e-4, reason = "rotor 0.3 g cm2, ratio 63, maker's table 4" }
[drive]
"arm.shoulder_pan" = { constant = 1.0 }
"arm.shoulder_lift" = { sine = { amplitude = 1.0, frequency = 0.5, phase = 0.0, offset = 0.0 } }
"arm.elbow" = { pd = { target = 0.3, kp = 20.0, kd = 1.0 } }
arm.wrist_pitch = { constant = 0.2 }
[objective]
terms = [{ kinetic_energy = "arm", at = "end", weight = 1.0 }]
"#;

fn robots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots")
}

fn build(text: &str) -> articula::Result<Built> {
    Experiment::parse("x.toml", &robots(), text.as_bytes())?.build()
}

/// The message of an experiment that is refused.
fn refusal(text: &str) -> String {
    match build(text) {
        Ok(_) => panic!("taken:\n{text}"),
        Err(error) => error.to_string(),
    }
}

/// One thing spoiled: what stands for what, and what the message must say.
fn spoiled(from: &str, to: &str) -> String {
    assert_eq!(VALID.matches(from).count(), 1, "`{from}` stands once in the valid experiment");
    refusal(&VALID.replace(from, to))
}

#[test]
fn the_valid_experiment_is_taken() {
    let built = build(VALID).expect("valid");
    let session = &built.session;
    assert_eq!((session.step(), session.steps()), (1e-3, 10));
    let segment = &session.segments()[0];
    assert_eq!((segment.name(), segment.every(), segment.rung().dt()), ("arm", 2, 2e-3));
    let joints = segment.model().joints();
    assert_eq!((joints[2].lower, joints[2].upper), (Some(-1.0), Some(1.0)));
    assert_eq!((joints[2].friction, joints[2].damping), (Some(0.5), 0.1));
    assert_eq!(joints[5].armature, 1.2e-4);
    assert_eq!(segment.state().v[2], 0.1);
    assert_eq!(segment.model().placement().position.x, 0.1);
    assert_eq!(built.unused, ["objective"]);
    assert_eq!(segment.drives().iter().flatten().count(), 4);
}

/// Claim: every spoiled key, type, value and name is refused, at its line and column, with a way out. One row each.
#[test]
fn one_thing_spoiled_is_that_error() {
    let rows: &[(&str, &str, &[&str])] = &[
        // Keys and grammar.
        (
            "profile = \"exploratory\"",
            "profil = \"exploratory\"",
            &["x.toml:1:1:", "`profil`", "did you mean `profile`"],
        ),
        ("duration = 0.01", "duraton = 0.01", &["x.toml:4:1:", "`time.duraton`", "did you mean `duration`"]),
        ("gravity = [", "gravty = [", &["x.toml:6:1:", "did you mean `gravity`"]),
        (
            "rung = \"dynamic\"",
            "rungs = \"dynamic\"",
            &["x.toml:9:1:", "`chain.arm.rungs`", "did you mean `rung`"],
        ),
        ("[drive]", "[drives]", &["x.toml:29:2:", "`drives`", "did you mean `drive`"]),
        ("duration = 0.01", "duration = = 0.01", &["x.toml:4:12:", "toml"]),
        ("duration = 0.01", "step = 0.01", &["x.toml:4:1:", "duplicate"]),
        // Types.
        ("step = 0.001", "step = \"0.001\"", &["x.toml:3:8:", "the text \"0.001\"", "without quotes"]),
        ("rung = \"dynamic\"", "rung = 2", &["x.toml:9:8:", "\"kinematic\" or \"dynamic\""]),
        (
            "gravity = [0.0, 0.0, -9.80665]",
            "gravity = [0.0, -9.80665]",
            &["x.toml:6:11:", "an array of 2", "3 numbers"],
        ),
        ("at = [0.1, 0, 0]", "at = [0.1, true, 0]", &["x.toml:11:12:", "`chain.arm.at[1]` = true"]),
        ("{ constant = 1.0 }", "1.0", &["x.toml:30:22:", "a table"]),
        ("elbow = 0.3", "elbow = nan", &["x.toml:18:9:", "finite"]),
        // Missing.
        ("step = 0.001\n", "", &["x.toml:2:", "no `step` in `time`"]),
        ("rung = \"dynamic\"\n", "", &["x.toml:7:", "no `rung` in `chain.arm`", "no default"]),
        ("wrist_roll = 0.0\ntool_slide = 0.05\n", "", &["no initial position of wrist_roll, tool_slide"]),
        (", reason = \"cable\"", "", &["x.toml:24:", "no `reason`"]),
        (
            "reason = \"rotor 0.3 g cm2, ratio 63, maker's table 4\"",
            "reason = \" \"",
            &["x.toml:28:", "say why"],
        ),
        // Values.
        ("profile = \"exploratory\"", "profile = \"reserch\"", &["x.toml:1:11:", "did you mean `research`"]),
        ("rung = \"dynamic\"", "rung = \"dinamic\"", &["x.toml:9:8:", "did you mean `dynamic`"]),
        ("duration = 0.01", "duration = 0.0105", &["x.toml:4:12:", "whole number of steps", "0.01"]),
        ("duration = 0.01", "duration = 1e9", &["x.toml:4:12:", "1 GiB"]),
        ("step = 0.001", "step = -0.001", &["x.toml:3:8:", "positive"]),
        ("rate = 0.002", "rate = 0.0015", &["x.toml:13:8:", "whole multiple of time.step"]),
        (
            "orientation = [1, 0, 0, 0]",
            "orientation = [1, 1, 0, 0]",
            &["x.toml:12:15:", "unit quaternion", "1.414"],
        ),
        ("solver = { sweeps = 16 }", "solver = \"exakt\"", &["x.toml:14:10:", "did you mean `exact`"]),
        ("solver = { sweeps = 16 }", "solver = { sweeps = -1 }", &["x.toml:14:21:", "sweeps"]),
        ("lower = -1.0, upper = 1.0", "lower = 1.0, upper = -1.0", &["x.toml:24:", "lower 1 above upper -1"]),
        ("coulomb = 0.5", "coulomb = -0.5", &["x.toml:26:21:", "zero or more"]),
        ("value = 1.2e-4", "value = -1.2e-4", &["x.toml:28:24:", "zero or more"]),
        ("shoulder_lift = 0.5\n", "shoulder_lift = 45.0\n", &["x.toml:17:1:", "degrees"]),
        ("shoulder_lift = 0.5\n", "shoulder_lift = 2.0\n", &["x.toml:17:1:", "within [-1.9, 1.9] rad"]),
        // Names.
        ("description = \"arm7.urdf\"", "description = \"arm8.urdf\"", &["x.toml:8:15:", "arm8.urdf"]),
        ("shoulder_pan = 0.0", "sholder_pan = 0.0", &["x.toml:16:1:", "did you mean `shoulder_pan`"]),
        ("\"arm.shoulder_pan\"", "\"arm.shoulder_pn\"", &["x.toml:30:1:", "did you mean `arm.shoulder_pan`"]),
        (
            "\"arm.shoulder_pan\"",
            "\"leg.shoulder_pan\"",
            &["x.toml:30:1:", "did you mean `arm.shoulder_pan`"],
        ),
        ("arm.wrist_pitch =", "arm.elbow =", &["x.toml:33:", "a second drive of `arm.elbow`"]),
        // Later versions.
        ("[objective]", "[parts.payload]", &["x.toml:34:", "`[parts]`, which is not built yet"]),
        ("[objective]", "[motors.spinner]", &["x.toml:34:", "`[motors]`, which is not built yet"]),
        ("[objective]", "[chain.two]", &["x.toml:34:", "`chain.two`, which is not built yet"]),
        (
            "at = [0.1, 0, 0]",
            "mount = \"world\"",
            &["x.toml:11:", "`chain.arm.mount`, which is not built yet"],
        ),
        ("{ constant = 1.0 }", "{ servo = \"xl330\" }", &["x.toml:30:", "servo`, which is not built yet"]),
        (
            "{ coulomb = 0.5, damping = 0.1 }",
            "{ model = \"m6\" }",
            &["x.toml:26:", "friction budget", "not built yet"],
        ),
        // Drives.
        ("{ constant = 1.0 }", "{ costant = 1.0 }", &["x.toml:30:24:", "did you mean `constant`"]),
        ("{ constant = 1.0 }", "{ constant = 1.0, pd = {} }", &["x.toml:30:22:", "one kind of drive"]),
        ("amplitude = 1.0, ", "", &["x.toml:31:", "no `amplitude`"]),
        ("{ constant = 1.0 }", "{ table = \"no.csv\", column = \"x\" }", &["no.csv"]),
    ];
    let mut wrong = Vec::new();
    for (from, to, expected) in rows {
        let message = spoiled(from, to);
        let lacking = expected.iter().filter(|words| !message.contains(**words));
        wrong.extend(lacking.map(|words| format!("`{from}` -> `{to}`\nsays   {message}\nwants  {words}\n")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rungs: a servo is the kinematic rung's, a pd drive the dynamic one's.
#[test]
fn what_a_rung_does_not_take_is_refused() {
    let message = spoiled("rate = 0.002", "servo = 0.02");
    assert!(message.contains("x.toml:13:") && message.contains("none on the dynamic rung"), "{message}");
    let message = spoiled("rung = \"dynamic\"", "rung = \"kinematic\"");
    assert!(message.contains("x.toml:32:1:") && message.contains("pd drive of `arm.elbow`"), "{message}");
}

/// What the kinematic rung has no use for is taken, and said.
#[test]
fn the_kinematic_rung_says_what_it_does_not_use() {
    let text = VALID
        .replace("rung = \"dynamic\"", "rung = \"kinematic\"")
        .replace("pd = { target = 0.3, kp = 20.0, kd = 1.0 }", "constant = 0.3");
    let built = build(&text).expect("taken");
    let kinds: Vec<&str> =
        built.segments[0].validity.iter().map(|v| v.text.split(':').next().unwrap_or("")).collect();
    assert_eq!(kinds, ["friction", "armature", "solver"]);
}

const LEAST: &str = r#"
[time]
step = 0.001
duration = 0.01
[chain.arm]
description = "double_pendulum.urdf"
rung = "dynamic"
initial_positions = [0.1, 0.2]
"#;

/// Defaults are taken, and named with their kind; research lists the conventions.
#[test]
fn defaults_and_profiles() {
    for (profile, text) in
        [("exploratory", LEAST.to_owned()), ("research", format!("profile = \"research\"\n{LEAST}"))]
    {
        let built = build(&text).expect(profile);
        let settings = &built.segments[0].settings;
        let of = |name: &str| {
            settings.iter().find(|s| s.name == name).unwrap_or_else(|| panic!("{name} in settings"))
        };
        let words = |name: &str| serde_json::to_value(of(name)).expect("JSON");
        let solver = words("arm.solver");
        assert_eq!((&solver["value"], &solver["source"]), (&"exact".into(), &"default".into()));
        assert_eq!((&solver["role"], &solver["default_kind"]), (&"numerical".into(), &"determined".into()));
        assert_eq!(words("time.step")["default_kind"], "required");
        assert_eq!(words("arm.initial_positions")["source"], "experiment");
        assert_eq!(words("gravity")["default_kind"], "convention");
        assert!(built.pending().is_empty());
        assert!(built.conventions().contains(&"gravity") && !built.conventions().contains(&"arm.solver"));
        assert_eq!(built.session.segments()[0].model().gravity().z, -9.80665);
    }
}

#[test]
fn arrays_are_as_long_as_the_joints() {
    let message = refusal(&LEAST.replace("[0.1, 0.2]", "[0.1]"));
    assert!(
        message.contains("x.toml:8:21:")
            && message.contains("1 numbers")
            && message.contains("2, in model order"),
        "{message}"
    );
}

/// A robot of our own in a folder of its own, for what the shared ones do not have.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("experiment").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in files {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    folder
}

fn in_folder(folder: &Path, text: &str) -> Result<Built, Error> {
    Experiment::parse("x.toml", folder, text.as_bytes()).and_then(|experiment| experiment.build())
}

const GEARED: &str = r#"<robot name="geared">
  <link name="base"/>
  <link name="rod"><inertial><mass value="1"/><origin xyz="0 0 -0.5"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="cart"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>LIMIT</joint>
  <joint name="slide.x" type="prismatic"><parent link="base"/><child link="cart"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
  <transmission name="gear"><type>transmission_interface/SimpleTransmission</type><joint name="hinge"/><actuator name="motor"><mechanicalReduction>50</mechanicalReduction></actuator></transmission>
  <transmission name="screw"><type>transmission_interface/SimpleTransmission</type><joint name="slide.x"/><actuator name="screw_motor"><mechanicalReduction>400</mechanicalReduction></actuator></transmission>
  <transmission name="pair"><type>transmission_interface/DifferentialTransmission</type><joint name="hinge"/><actuator name="left"/><actuator name="right"/></transmission>
</robot>"#;

const GEARED_TOML: &str = r#"[time]
step = 0.001
duration = 0.01
[chain.arm]
description = "geared.urdf"
rung = "dynamic"
initial_positions = { hinge = 0.0, "slide.x" = 0.0 }
[chain.arm.actuators]
screw_motor = { rotor_inertia = 5.7e-7, reason = "datasheet p. 3" }
[drive]
'arm."slide.x"' = { constant = 1.0 }
"#;

fn geared(
    name: &str,
    urdf: impl Fn(String) -> String,
    toml: impl Fn(String) -> String,
) -> Result<Built, Error> {
    let limit = GEARED.replace("LIMIT", "<limit lower=\"-1\" upper=\"1\" effort=\"9\" velocity=\"9\"/>");
    let folder = folder(name, &[("geared.urdf", &urdf(limit))]);
    in_folder(&folder, &toml(GEARED_TOML.to_owned()))
}

/// Armature through a transmission is rotor inertia times reduction squared, and says so; a name with a dot is quoted.
#[test]
fn armature_is_reflected() {
    let built = geared("reflected", |u| u, |t| t).expect("built");
    let segment = &built.session.segments()[0];
    let slide = segment.model().joint_index("slide.x").expect("slide");
    let found = segment.model().joints()[slide].armature;
    assert!((found - 5.7e-7 * 400.0 * 400.0).abs() < 1e-15, "{found}");
    let source = &built.segments[0].armature_sources[slide];
    assert!(
        source.contains("screw_motor") && source.contains("400") && source.contains("datasheet p. 3"),
        "{source}"
    );
    assert!(segment.drives()[slide].is_some());
    assert!(articula::report::header(&built.session).contains(&"arm.q.\"slide.x\"".to_owned()));
}

/// Every way a rotor cannot be reflected is refused, with the place.
#[test]
fn armature_refusals() {
    type Edit = fn(String) -> String;
    let same: Edit = |text| text;
    let rows: &[(&str, Edit, Edit, &[&str])] = &[
        (
            "name",
            same,
            |t| t.replace("screw_motor", "scrw_motor"),
            &["x.toml:9:1:", "did you mean `screw_motor`"],
        ),
        (
            "registered",
            same,
            |t| t.replace("{ rotor_inertia = 5.7e-7, reason = \"datasheet p. 3\" }", "\"xl330\""),
            &["x.toml:9:15:", "none is registered"],
        ),
        ("reason", same, |t| t.replace(", reason = \"datasheet p. 3\"", ""), &["x.toml:9:", "no `reason`"]),
        (
            "two_sources",
            same,
            |t| {
                t.replace(
                    "[drive]",
                    "[chain.arm.armature]\n\"slide.x\" = { value = 1.0, reason = \"x\" }\n[drive]",
                )
            },
            &["x.toml:9:1:", "second source", "declared: x"],
        ),
        ("two_on_one", same, |t| t.replace("screw_motor", "motor"), &["x.toml:9:1:", "2 transmissions"]),
        (
            "differential",
            same,
            |t| t.replace("screw_motor", "left"),
            &["x.toml:9:1:", "couples joints", "declare each joint's reflected inertia"],
        ),
        ("zero", |u| u.replace(">400<", ">0<"), same, &["reduction is zero"]),
        ("nan", |u| u.replace(">400<", ">nan<"), same, &["is not a number"]),
        ("lacks", |u| u.replace("<joint name=\"slide.x\"/>", "<joint name=\"other\"/>"), same, &["no joint"]),
        (
            "undefined",
            |u| u.replace("<joint name=\"slide.x\"/>", "<joint name=\"slide.x\"/><backlash/>"),
            same,
            &["does not define <backlash>"],
        ),
    ];
    for (name, urdf, toml, expected) in rows {
        let message = match geared(name, urdf, toml) {
            Ok(_) => panic!("{name}: taken"),
            Err(error) => error.to_string(),
        };
        for words in *expected {
            assert!(message.contains(words), "{name} says {message}\nwants {words}");
        }
    }
}

/// A joint without `<limit>` needs limits from the experiment.
#[test]
fn joints_without_limits_are_named() {
    let bare = |u: String| {
        u.replace(
            "<limit lower=\"-1\" upper=\"1\" effort=\"9\" velocity=\"9\"/></joint>\n  <joint name=\"slide",
            "</joint>\n  <joint name=\"slide",
        )
    };
    let message = geared("bare", bare, |t| t).expect_err("refused").to_string();
    assert!(message.contains("no limits of hinge") && message.contains("[chain.arm.limits]"), "{message}");
    let given = |t: String| {
        t.replace(
            "[drive]",
            "[chain.arm.limits]\nhinge = { lower = -2, upper = 2, reason = \"stops\" }\n[drive]",
        )
    };
    geared("given", bare, given).expect("limits given");
}

/// Tables: what is wrong with one names the file and the line.
#[test]
fn bad_tables_name_file_and_line() {
    let toml = format!("{LEAST}[drive]\n\"arm.COLUMN\" = {{ table = \"t.csv\", column = \"c\" }}\n");
    let robot = std::fs::read_to_string(robots().join("double_pendulum.urdf")).expect("robot");
    let name = articula::description::Description::parse("x", robot.as_bytes()).expect("robot").joints[0]
        .name
        .clone();
    let rows: &[(&str, &str, &[&str])] = &[
        ("good", "time,b,c\n0,1,2\n0.5,1,3\n", &[]),
        ("nan", "time,b,c\n0,1,2\n0.5,1,nan\n", &["t.csv:3:", "`nan` in column `c`"]),
        ("back", "time,c\n0,1\n0.5,1\n0.4,1\n", &["t.csv:4:", "time 0.4 after 0.5"]),
        ("still", "time,c\n0,1\n0,1\n", &["t.csv:3:", "time 0 after 0"]),
        ("column", "time,cc\n0,1\n", &["x.toml:", "did you mean `cc`"]),
        ("time", "t,c\n0,1\n", &["t.csv:1:1:", "`time`"]),
        ("short", "time,c\n0,1\n0.5\n", &["t.csv:3:", "1 cells under a header of 2"]),
        ("word", "time,c\n0,one\n", &["t.csv:2:", "`one`"]),
        ("empty", "time,c\n", &["t.csv: found no row"]),
        ("nothing", "", &["t.csv:1:1:", "no header"]),
        ("twice", "time,c,c\n0,1,2\n", &["t.csv:1:1:", "two columns named `c`"]),
    ];
    for (case, csv, expected) in rows {
        let folder = folder(case, &[("t.csv", csv), ("double_pendulum.urdf", &robot)]);
        match (in_folder(&folder, &toml.replace("COLUMN", &name)), expected.is_empty()) {
            (Ok(_), true) => {}
            (Ok(_), false) => panic!("{case}: taken"),
            (Err(error), _) => {
                let message = error.to_string();
                for words in *expected {
                    assert!(message.contains(words), "{case} says {message}\nwants {words}");
                }
                assert!(!expected.is_empty(), "{case}: {message}");
            }
        }
    }
}

/// Refused elements stop a run until somebody answers for each; an answer to nothing is an error with its place.
#[test]
fn acknowledgements_are_read() {
    let mimic =
        |u: String| u.replace("<axis xyz=\"1 0 0\"/>", "<axis xyz=\"1 0 0\"/><mimic joint=\"hinge\"/>");
    let refused = geared("mimic", mimic, |t| t).expect_err("refused");
    assert!(matches!(refused, Error::Refused { .. }), "{refused}");
    let answer = |element: &'static str| {
        move |t: String| {
            format!("{t}[[chain.arm.acknowledged]]\nelement = '{element}'\nreason = \"free here\"\n")
        }
    };
    let built = geared("answered", mimic, answer("joint[slide.x]/mimic")).expect("acknowledged");
    assert_eq!(built.segments[0].acknowledged.len(), 1);
    let message = geared("astray", mimic, answer("joint[slide.y]/mimic")).expect_err("refused").to_string();
    assert!(
        message.contains("x.toml:13:11:") && message.contains("did you mean `joint[slide.x]/mimic`"),
        "{message}"
    );
}
