//! The `run` command: files, their shape and their numbers.

#![cfg(feature = "cli")]

use ndarray::{Array1, Array2, Array3};
use ndarray_npy::NpzReader;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A fresh folder.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run").join(name);
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
        .expect("the command runs")
}

fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Writes robot and experiment, runs them into `out`; it must succeed.
fn run(name: &str, urdf: &str, toml: &str) -> (PathBuf, Csv, Value) {
    let folder = fresh(name);
    std::fs::write(folder.join("robot.urdf"), urdf).expect("a file");
    std::fs::write(folder.join("x.toml"), toml).expect("a file");
    let done = articula(&folder, &["run", "x.toml", "--out", "out"]);
    assert!(done.status.success(), "{}", words(&done.stderr));
    assert_eq!(words(&done.stderr), "", "nothing on stderr when it is not a terminal");
    let out = folder.join("out");
    let csv = Csv::read(&out.join("trajectory.csv"));
    let report = std::fs::read(out.join("report.json")).expect("a report");
    (out, csv, serde_json::from_slice(&report).expect("JSON"))
}

struct Csv {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Csv {
    fn read(path: &Path) -> Csv {
        let mut reader = csv::Reader::from_path(path).expect("a CSV file");
        let header = reader.headers().expect("a header").iter().map(str::to_owned).collect();
        let rows = reader.records().map(|r| r.expect("a row").iter().map(str::to_owned).collect());
        Csv { header, rows: rows.collect() }
    }

    fn texts(&self, column: &str) -> Vec<&str> {
        let at = self.header.iter().position(|c| c == column).unwrap_or_else(|| panic!("column {column}"));
        self.rows.iter().map(|row| row[at].as_str()).collect()
    }

    fn numbers(&self, column: &str) -> Vec<f64> {
        self.texts(column).iter().map(|x| x.parse().expect("a number")).collect()
    }
}

/// A 2 kg cart on a rail.
const CART: &str = r#"<robot name="cart"><link name="rail"/>
<link name="cart"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-10" upper="10" effort="1.5" velocity="0.4"/></joint></robot>"#;

fn cart(rest: &str) -> String {
    format!(
        "[time]\nstep = 0.001\nduration = 1.0\n[chain.arm]\ndescription = \"robot.urdf\"\nrung = \"dynamic\"\n\
         initial_positions = {{ slide = 0.0 }}\n{rest}"
    )
}

/// Claim: `trajectory.csv` has exactly the columns of the contract, in its order, `duration/step + 1` rows, row 0 the
/// start. Method: the whole header of a two-joint arm, one joint without stops and friction.
#[test]
fn columns_and_rows() {
    let urdf = r#"<robot name="two"><link name="base"/>
<link name="a"><inertial><mass value="1"/><origin xyz="0 0 -0.5"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b.c"><inertial><mass value="1"/><origin xyz="0 0 -0.5"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="one" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="9"/><dynamics friction="0.1"/></joint>
<joint name="two" type="continuous"><parent link="a"/><child link="b.c"/><origin xyz="0 0 -1"/><axis xyz="0 1 0"/></joint></robot>"#;
    let toml = "[time]\nstep = 0.01\nduration = 0.5\n[chain.arm]\ndescription = \"robot.urdf\"\nrung = \"dynamic\"\ninitial_positions = [0.5, 0.2]\n";
    let (out, csv, report) = run("columns", urdf, toml);
    let mut expected = vec!["time".to_owned()];
    for quantity in [
        "q",
        "v",
        "effort",
        "friction_impulse",
        "stop_impulse",
        "piece",
        "stop.low",
        "stop.high",
        "friction.low",
        "friction.high",
    ] {
        expected.extend(["one", "two"].map(|joint| format!("arm.{quantity}.{joint}")));
    }
    for (quantity, parts) in
        [("pose", &["x", "y", "z", "qw", "qx", "qy", "qz"][..]), ("angvel", &["x", "y", "z"])]
    {
        for frame in ["base", "a", "\"b.c\""] {
            expected.extend(parts.iter().map(|part| format!("arm.{quantity}.{frame}.{part}")));
        }
    }
    expected.extend(
        ["energy.kinetic", "energy.potential", "solver.residual", "solver.settled"]
            .map(|c| format!("arm.{c}")),
    );
    assert_eq!(csv.header, expected);
    assert_eq!(csv.rows.len(), 51);

    let time = csv.numbers("time");
    assert!(time.iter().enumerate().all(|(k, t)| *t == k as f64 * 0.01), "t_k = k dt");
    assert_eq!(csv.rows[0][1..5], ["0.5", "0.2", "0.0", "0.0"], "row 0 is the start");
    assert!(csv.texts("arm.stop.low.two").iter().all(|cell| cell.is_empty()), "no stops, no indicator");
    assert!(
        csv.texts("arm.friction.high.two").iter().all(|cell| cell.is_empty()),
        "no friction, no indicator"
    );
    assert!(csv.texts("arm.piece.two").iter().all(|piece| *piece == "free"));
    assert!(csv.texts("arm.stop.low.one").iter().all(|cell| cell.parse::<f64>().is_ok()));

    // The NPZ holds the same numbers, to the last bit.
    let mut npz =
        NpzReader::new(std::fs::File::open(out.join("trajectory.npz")).expect("a file")).expect("NPZ");
    let time_npz: Array1<f64> = npz.by_name("time").expect("time");
    assert_eq!(time_npz.to_vec(), time);
    for quantity in ["q", "v", "effort", "friction_impulse", "stop_impulse"] {
        let array: Array2<f64> = npz.by_name(&format!("arm.{quantity}")).expect(quantity);
        for (j, joint) in ["one", "two"].iter().enumerate() {
            assert_eq!(
                array.column(j).to_vec(),
                csv.numbers(&format!("arm.{quantity}.{joint}")),
                "{quantity}"
            );
        }
    }
    let codes: HashMap<&str, i8> =
        [("lower", -2), ("slide-", -1), ("stick", 0), ("slide+", 1), ("upper", 2), ("free", 9)].into();
    let pieces: Array2<i8> = npz.by_name("arm.piece").expect("pieces");
    assert_eq!(
        pieces.column(0).to_vec(),
        csv.texts("arm.piece.one").iter().map(|p| codes[p]).collect::<Vec<_>>()
    );
    let poses: Array3<f64> = npz.by_name("arm.frame_poses").expect("poses");
    let rates: Array3<f64> = npz.by_name("arm.frame_angular_velocities").expect("rates");
    assert_eq!((poses.dim(), rates.dim()), ((51, 3, 7), (51, 3, 3)));
    assert_eq!(poses.slice(ndarray::s![.., 2, 5]).to_vec(), csv.numbers("arm.pose.\"b.c\".qy"));
    assert_eq!(rates.slice(ndarray::s![.., 1, 1]).to_vec(), csv.numbers("arm.angvel.a.y"));

    // Energies of the last row are the ledger's.
    let energy = &report["energy"];
    assert_eq!(csv.numbers("arm.energy.kinetic")[50], energy["kinetic_end"].as_f64().expect("a number"));
    assert!(energy["closure"].as_f64().expect("a number") < 1e-12);
}

/// Claim: every key of the contract is in the report.
#[test]
fn the_report_has_every_key() {
    let (_, _, report) = run(
        "report",
        CART,
        &cart("[drive]\n\"arm.slide\" = { constant = 1.0 }\n[decision]\ninputs = [\"arm.slide\"]\n"),
    );
    for path in [
        "/schema",
        "/articula",
        "/experiment",
        "/profile",
        "/pending",
        "/time/step",
        "/time/steps",
        "/time/wall_s",
        "/time/realtime_factor",
        "/segments/arm/entry",
        "/segments/arm/entry_version",
        "/segments/arm/rung",
        "/segments/arm/description/path",
        "/segments/arm/description/sha256",
        "/segments/arm/description/not_used",
        "/segments/arm/description/acknowledged",
        "/segments/arm/joints/0/name",
        "/segments/arm/joints/0/kind",
        "/segments/arm/joints/0/unit",
        "/segments/arm/joints/0/lower",
        "/segments/arm/joints/0/upper",
        "/segments/arm/joints/0/speed_limit",
        "/segments/arm/joints/0/effort_limit",
        "/segments/arm/joints/0/damping",
        "/segments/arm/joints/0/friction",
        "/segments/arm/joints/0/armature",
        "/segments/arm/joints/0/armature_source",
        "/segments/arm/frames/1",
        "/segments/arm/settings/0/name",
        "/segments/arm/settings/0/value",
        "/segments/arm/settings/0/unit",
        "/segments/arm/settings/0/dimension",
        "/segments/arm/settings/0/role",
        "/segments/arm/settings/0/source",
        "/segments/arm/settings/0/default_kind",
        "/segments/arm/settings/0/basis",
        "/segments/arm/masses/0/name",
        "/segments/arm/masses/0/mass",
        "/segments/arm/masses/0/carried_by",
        "/segments/arm/kicks",
        "/segments/arm/switches/0/name",
        "/segments/arm/switches/0/indicator",
        "/segments/arm/switches/0/unit",
        "/segments/arm/switches/0/orders",
        "/segments/arm/switches/0/route",
        "/flags/arm.beyond_speed_limit",
        "/flags/arm.beyond_effort_limit",
        "/validity",
        "/solver/settled_steps",
        "/solver/unsettled_steps",
        "/solver/max_residual",
        "/energy/kinetic_start",
        "/energy/kinetic_end",
        "/energy/potential_start",
        "/energy/potential_end",
        "/energy/work/effort",
        "/energy/work/wrench",
        "/energy/work/damping",
        "/energy/work/friction",
        "/energy/work/stop",
        "/energy/work/gyroscopic",
        "/energy/step_defect",
        "/energy/closure",
        "/status/declared",
        "/status/stuck_fraction/slide",
        "/status/stop_fraction/slide",
        "/status/residual",
        "/status/settled",
    ] {
        assert!(report.pointer(path).is_some(), "{path} in {report:#}");
    }
    assert_eq!(report["schema"], "articula/run/1");
    assert_eq!(report["not_used"], serde_json::json!(["decision"]));
    assert_eq!(report["status"]["declared"], "piecewise_kink");
    // v = t/2 passes the speed limit of 0.4 m/s after 0.8 s; 1 N stays below the effort limit of 1.5 N.
    let flag = &report["flags"]["arm.beyond_speed_limit"][0];
    assert_eq!(
        (&flag["joint"], &flag["limit"], &flag["peak_time"]),
        (&"slide".into(), &0.4.into(), &1.0.into())
    );
    assert!((flag["first_time"].as_f64().expect("a time") - 0.801).abs() < 1.5e-3);
    assert!((flag["peak"].as_f64().expect("a speed") - 0.5).abs() < 1e-12);
    assert_eq!(report["flags"]["arm.beyond_effort_limit"], serde_json::json!([]));
    assert_eq!(report["solver"]["settled_steps"], 1000);
}

/// A law that evaluates no switch declares itself exact.
#[test]
fn a_machine_without_switches_is_declared_exact() {
    let urdf = CART
        .replace("type=\"prismatic\"", "type=\"continuous\"")
        .replace("<limit lower=\"-10\" upper=\"10\" effort=\"1.5\" velocity=\"0.4\"/>", "");
    let (_, csv, report) = run("exact", &urdf, &cart(""));
    assert_eq!(report["status"]["declared"], "exact");
    assert_eq!(report["segments"]["arm"]["switches"], serde_json::json!([]));
    assert!(csv.texts("arm.stop.low.slide").iter().all(|cell| cell.is_empty()));
}

/// Claim: the status of a run is what its rows say. Method: the demonstration; of every indicator's column the value nearest
/// to zero with its row (a joint that sticks where its stop has put it has no choice left in that stop), and of every joint the shares of its pieces.
#[test]
fn the_status_is_that_of_the_rows() {
    let folder = fresh("status");
    let done = articula(&folder, &["demo", "--out", "demo"]);
    assert!(done.status.success(), "{}", words(&done.stderr));
    let csv = Csv::read(&folder.join("demo/trajectory.csv"));
    let report = std::fs::read(folder.join("demo/report.json")).expect("a report");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    let status = &report["status"];
    let times = csv.numbers("time");
    let mut expected: Vec<(String, String, f64, f64)> = Vec::new();
    let mut least = f64::INFINITY;
    for joint in report["segments"]["arm"]["joints"].as_array().expect("joints") {
        let name = joint["name"].as_str().expect("a name");
        let pieces = csv.texts(&format!("arm.piece.{name}"));
        let friction = 1e-3 * joint["friction"].as_f64().expect("a number");
        for (law, margin) in
            [("stop.low", 1e-6), ("stop.high", 1e-6), ("friction.low", friction), ("friction.high", friction)]
        {
            let values = csv.numbers(&format!("arm.{law}.{name}"));
            // A joint that sticks where its stop has put it chooses nothing there.
            let mut placed = false;
            let chosen = (1..values.len()).filter(|k| {
                placed = ["lower", "upper"].contains(&pieces[*k]) || placed && pieces[*k] == "stick";
                !(law.starts_with("stop") && placed && pieces[*k] == "stick" && values[*k] == 0.0)
            });
            let rows = chosen.min_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs()));
            let k = rows.expect("rows");
            least = least.min(values[k].abs() / margin);
            if values[k].abs() <= margin {
                expected.push((format!("arm.{law}"), name.to_owned(), values[k], times[k]));
            }
        }
        let share = |is: &dyn Fn(&str) -> bool| {
            pieces[1..].iter().filter(|piece| is(piece)).count() as f64 / (pieces.len() - 1) as f64
        };
        assert_eq!(status["stuck_fraction"][name], share(&|piece| piece == "stick"), "{name}");
        assert_eq!(
            status["stop_fraction"][name],
            share(&|piece| ["lower", "upper"].contains(&piece)),
            "{name}"
        );
    }
    assert!(expected.len() >= 4, "{expected:?}");
    let text = |x: &Value| x.as_str().expect("a word").to_owned();
    for group in ["frame_poses", "frame_angular_velocities", "joint_positions", "joint_velocities"] {
        let group = &status["groups"][group];
        let near = group["near"].as_array().expect("a list").iter().map(|near| {
            let number = |key: &str| near[key].as_f64().expect("a number");
            (text(&near["switch"]), text(&near["joint"]), number("value"), number("time"))
        });
        assert_eq!(near.collect::<Vec<_>>(), expected);
        let margin = &group["margin"];
        let margins =
            margin["value"].as_f64().expect("a number").abs() / margin["margin"].as_f64().expect("a number");
        assert!((margins / least - 1.0).abs() < 1e-12);
        assert_eq!(group["status"], "exact_branch");
    }
    assert_eq!(
        (&status["declared"], &status["observed"]),
        (&"piecewise_kink".into(), &"exact_branch".into())
    );
    let said = words(&articula(&folder, &["run", "demo/demo.toml", "--out", "again"]).stdout);
    assert!(said.contains(&format!("gradient through this run: {}\n", text(&status["text"]))), "{said}");
}

/// Claim: a cart that its friction holds is said to answer to no effort; few sweeps are said not to have settled.
#[test]
fn runs_say_what_their_gradient_is_worth() {
    let rough = CART.replace("</joint>", "<dynamics friction=\"2\"/></joint>");
    let (_, _, report) = run("gradient_held", &rough, &cart("[drive]\n\"arm.slide\" = { constant = 1.0 }\n"));
    let status = &report["status"];
    let groups: Vec<&str> =
        status["vanishing"].as_array().expect("a list").iter().filter_map(|v| v["group"].as_str()).collect();
    assert_eq!(groups, ["frame_poses", "joint_positions", "joint_velocities"], "a slide turns nothing");
    assert_eq!((&status["observed"], &status["vanishing"][0]["throughout"]), (&"exact".into(), &true.into()));
    assert!(
        status["text"].as_str().is_some_and(|text| text.contains("no efforts change frame_poses")),
        "{status}"
    );
    let edge = cart("[drive]\n\"arm.slide\" = { constant = 2.0 }\n");
    let (_, _, report) = run("gradient_edge", &rough, &edge);
    assert_eq!(report["status"]["observed"], "one_sided");
    assert_eq!(report["status"]["undecided"][0]["times"], 1000);
    assert_eq!(report["status"]["groups"]["joint_positions"]["near"][0]["zero_time"], 1e-3);
}

/// Claim: each drive is what its formula says at the start of every step, and the cart moves as the step's recursion
/// `v⁺ = v + dt u/m`, `q⁺ = q + dt v⁺` says. Tolerance: rounding of a thousand sums.
#[test]
fn drives_are_their_formulas() {
    let table = "time,other,push\n0.1,9,1.0\n0.5,9,-1.0\n0.7,9,0.5\n";
    type Law = fn(f64, f64, f64) -> f64;
    let zero_order: Law = |t, _, _| {
        if t < 0.5 - 1e-9 {
            1.0
        } else if t < 0.7 - 1e-9 {
            -1.0
        } else {
            0.5
        }
    };
    let linear: Law = |t, _, _| {
        if t < 0.1 {
            1.0
        } else if t < 0.5 {
            1.0 - 2.0 * (t - 0.1) / 0.4
        } else if t < 0.7 {
            -1.0 + 1.5 * (t - 0.5) / 0.2
        } else {
            0.5
        }
    };
    let rows: [(&str, &str, Law); 6] = [
        ("none", "", |_, _, _| 0.0),
        ("constant", "{ constant = 1.0 }", |_, _, _| 1.0),
        ("sine", "{ sine = { amplitude = 2.0, frequency = 1.5, phase = 0.3, offset = 0.1 } }", |t, _, _| {
            0.1 + 2.0 * (2.0 * std::f64::consts::PI * 1.5 * t + 0.3).sin()
        }),
        ("zero_order", "{ table = \"t.csv\", column = \"push\", hold = \"zero_order\" }", zero_order),
        ("linear", "{ table = \"t.csv\", column = \"push\", hold = \"linear\" }", linear),
        ("pd", "{ pd = { target = 0.3, kp = 20.0, kd = 1.5 } }", |_, q, v| 20.0 * (0.3 - q) - 1.5 * v),
    ];
    for (name, drive, law) in rows {
        let folder = fresh(&format!("drive_{name}"));
        std::fs::write(folder.join("robot.urdf"), CART).expect("a file");
        std::fs::write(folder.join("t.csv"), table).expect("a file");
        let drive =
            if drive.is_empty() { String::new() } else { format!("[drive]\n\"arm.slide\" = {drive}\n") };
        std::fs::write(folder.join("x.toml"), cart(&drive)).expect("a file");
        let done = articula(&folder, &["run", "x.toml", "--out", "out"]);
        assert!(done.status.success(), "{name}: {}", words(&done.stderr));
        let csv = Csv::read(&folder.join("out/trajectory.csv"));
        let (efforts, q, v) =
            (csv.numbers("arm.effort.slide"), csv.numbers("arm.q.slide"), csv.numbers("arm.v.slide"));
        let (mut x, mut dx) = (0.0, 0.0);
        for k in 0..1000 {
            let u = law(k as f64 * 1e-3, x, dx);
            dx += 1e-3 * u / 2.0;
            x += 1e-3 * dx;
            assert!((efforts[k + 1] - u).abs() < 1e-10, "{name}: u_{k} = {} and not {u}", efforts[k + 1]);
            assert!((q[k + 1] - x).abs() < 1e-11 && (v[k + 1] - dx).abs() < 1e-11, "{name}: row {}", k + 1);
        }
    }
}

/// Claim: the kinematic rung follows its command within the limits, as a lag with a servo, and holds what is not driven.
#[test]
fn the_kinematic_rung_follows_its_command() {
    let toml = cart("servo = 0.05\n[chain.arm.limits]\nslide = { lower = -1, upper = 0.5, reason = \"rail\" }\n[drive]\n\"arm.slide\" = { constant = 0.8 }\n")
        .replace("dynamic", "kinematic");
    let (out, csv, report) = run("kinematic", CART, &toml);
    assert!(
        csv.header.contains(&"arm.command.slide".to_owned())
            && !csv.header.contains(&"arm.effort.slide".to_owned())
    );
    for (k, q) in csv.numbers("arm.q.slide").iter().enumerate() {
        let exact = 0.5 * (1.0 - (-(k as f64) * 1e-3 / 0.05).exp());
        assert!((q - exact).abs() < 1e-12, "row {k}: {q} and not {exact}");
    }
    assert_eq!(csv.numbers("arm.command.slide")[1000], 0.8);
    assert!(
        (csv.numbers("arm.stop.high.slide")[1000] + 0.3).abs() < 1e-15,
        "the indicator of arm.limit.high"
    );
    assert_eq!(report["segments"]["arm"]["switches"][0]["name"], "arm.limit.low");
    assert_eq!(report["status"]["stop_fraction"]["slide"], 1.0);
    let mut npz =
        NpzReader::new(std::fs::File::open(out.join("trajectory.npz")).expect("a file")).expect("NPZ");
    let command: Array2<f64> = npz.by_name("arm.command").expect("commands");
    assert_eq!(command.dim(), (1001, 1));
    // 0.5 m at T = 0.05 s: from rest to 10 m/s within the first step of 1 ms.
    let flag = &report["flags"]["arm.beyond_speed_limit"][0];
    assert!((flag["peak"].as_f64().expect("a speed") - 10.0).abs() < 0.2, "{flag}");
    assert!((flag["peak_acceleration"].as_f64().expect("a number") - 1e4).abs() < 200.0, "{flag}");

    let held = cart("").replace("dynamic", "kinematic").replace("slide = 0.0", "slide = 0.25");
    let (_, csv, _) = run("held", CART, &held);
    assert!(csv.numbers("arm.q.slide").iter().all(|q| *q == 0.25));
}

/// Claim: a segment at a third of the base rate moves as one alone at that step, and is held between.
#[test]
fn a_slower_rate_holds_between() {
    let drive = "[drive]\n\"arm.slide\" = { sine = { amplitude = 1.0, frequency = 1.0 } }\n";
    let (_, fast, _) = run("rate", CART, &cart(&format!("rate = 0.004\n{drive}")));
    let (_, alone, _) = run("alone", CART, &cart(drive).replace("step = 0.001", "step = 0.004"));
    assert_eq!((fast.rows.len(), alone.rows.len()), (1001, 251));
    let (fast, alone) = (fast.numbers("arm.q.slide"), alone.numbers("arm.q.slide"));
    for (k, q) in fast.iter().enumerate() {
        assert!((q - alone[k / 4]).abs() < 1e-12, "row {k}");
    }
}

/// Claim: the same experiment twice gives the same bytes, but for the clock on the wall.
#[test]
fn runs_are_deterministic() {
    let toml = cart("[drive]\n\"arm.slide\" = { sine = { amplitude = 1.0, frequency = 1.0 } }\n");
    let (one, _, mut first) = run("first", CART, &toml);
    let (two, _, mut second) = run("second", CART, &toml);
    for file in ["trajectory.csv", "trajectory.npz"] {
        let read = |folder: &Path| std::fs::read(folder.join(file)).expect("a file");
        assert!(read(&one) == read(&two), "{file}");
    }
    for report in [&mut first, &mut second] {
        report["time"]["wall_s"] = 0.into();
        report["time"]["realtime_factor"] = 0.into();
    }
    assert_eq!(first, second);
}

/// Claim: an output folder is made, or empty, or forced; nothing is left half written.
#[test]
fn the_output_folder_is_not_written_over() {
    let folder = fresh("folder");
    std::fs::write(folder.join("robot.urdf"), CART).expect("a file");
    std::fs::write(folder.join("x.toml"), cart("")).expect("a file");
    std::fs::create_dir(folder.join("empty")).expect("a folder");
    assert!(articula(&folder, &["run", "x.toml", "--out", "empty"]).status.success());
    let again = articula(&folder, &["run", "x.toml", "--out", "empty"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(
        words(&again.stderr).contains("not empty") && words(&again.stderr).contains("--force"),
        "{}",
        words(&again.stderr)
    );
    assert!(articula(&folder, &["run", "x.toml", "--out", "empty", "--force"]).status.success());
    assert_eq!(articula(&folder, &["run", "x.toml", "--out", "robot.urdf"]).status.code(), Some(2));
    assert!(articula(&folder, &["run", "x.toml", "--out", "made/with/parents"]).status.success());
    let mut names: Vec<String> = std::fs::read_dir(folder.join("empty"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let plots = ["efforts.svg", "indicators.svg", "positions.svg"];
    let results = ["report.html", "report.json", "trajectory.csv", "trajectory.npz", "velocities.svg"];
    assert_eq!(names, [&plots[..], &results[..]].concat());
    // Bad input makes no folder.
    assert_eq!(articula(&folder, &["run", "y.toml", "--out", "none"]).status.code(), Some(2));
    assert!(!folder.join("none").exists());
}

/// Claim: a run that blows up exits 1, names joint and time, and keeps the rows before. A gain of 1e9 N/m on 2 kg is
/// unstable at 1 ms: every step multiplies the error by about 500.
#[test]
fn a_run_that_is_not_finite_keeps_the_rows_before() {
    let folder = fresh("not_finite");
    let urdf = CART.replace("lower=\"-10\" upper=\"10\"", "lower=\"-1e308\" upper=\"1e308\"");
    std::fs::write(folder.join("robot.urdf"), urdf).expect("a file");
    let toml = cart("[drive]\n\"arm.slide\" = { pd = { target = 0.3, kp = 1e9, kd = 0.0 } }\n");
    std::fs::write(folder.join("x.toml"), toml).expect("a file");
    let done = articula(&folder, &["run", "x.toml", "--out", "out"]);
    let message = words(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{message}");
    let csv = Csv::read(&folder.join("out/trajectory.csv"));
    let end = csv.numbers("time").last().copied().expect("rows") + 1e-3;
    assert!(message.contains("joint `slide`") && message.contains(&format!("{:.3}", end)), "{message}");
    assert!(csv.rows.len() > 50 && csv.rows.len() < 1001);
    assert!(csv.numbers("arm.q.slide").iter().all(|q| q.is_finite()));
    let report: Value =
        serde_json::from_slice(&std::fs::read(folder.join("out/report.json")).expect("a report"))
            .expect("JSON");
    assert_eq!(report["ending"]["kind"], "not_finite");
    assert_eq!(report["time"]["steps"], csv.rows.len() - 1);
    assert_eq!(
        (&report["status"]["observed"], &report["status"]["settled"]),
        (&"unsettled".into(), &false.into())
    );
}

/// Claim: a quaternion keeps its sign through a whole turn. A hinge turning at 1 Hz passes qw = 0 at half a turn.
#[test]
fn quaternions_do_not_jump() {
    let urdf = CART.replace("type=\"prismatic\"", "type=\"continuous\"");
    let toml =
        cart("[drive]\n\"arm.slide\" = { table = \"t.csv\", column = \"angle\", hold = \"linear\" }\n")
            .replace("dynamic", "kinematic");
    let folder = fresh("quaternion");
    std::fs::write(folder.join("robot.urdf"), urdf).expect("a file");
    std::fs::write(folder.join("t.csv"), "time,angle\n0,0\n1,12\n").expect("a file");
    std::fs::write(folder.join("x.toml"), toml).expect("a file");
    assert!(articula(&folder, &["run", "x.toml", "--out", "out"]).status.success());
    let csv = Csv::read(&folder.join("out/trajectory.csv"));
    let q: Vec<Vec<f64>> =
        ["qw", "qx", "qy", "qz"].iter().map(|c| csv.numbers(&format!("arm.pose.cart.{c}"))).collect();
    assert!(q[0][0] >= 0.0);
    for k in 1..1001 {
        let along: f64 = q.iter().map(|c| c[k] * c[k - 1]).sum();
        assert!(along > 0.99, "row {k}: {along}");
        assert!((q[0][k] - (0.006 * (k as f64 - 1.0)).cos()).abs() < 1e-12, "row {k}");
    }
}

/// `--json` prints the report and nothing else; `--quiet` prints nothing.
#[test]
fn stdout_is_the_report_or_nothing() {
    let folder = fresh("json");
    std::fs::write(folder.join("robot.urdf"), CART).expect("a file");
    std::fs::write(folder.join("x.toml"), cart("")).expect("a file");
    let done = articula(&folder, &["run", "x.toml", "--out", "a", "--json"]);
    let report: Value = serde_json::from_slice(&done.stdout).expect("one JSON object");
    assert_eq!(report["schema"], "articula/run/1");
    let done = articula(&folder, &["--quiet", "run", "x.toml", "--out", "b"]);
    assert_eq!((words(&done.stdout), words(&done.stderr)), (String::new(), String::new()));
    let done = articula(&folder, &["run", "--help"]);
    assert!(words(&done.stdout).contains("Example:"));
}

/// Claim: Ctrl-C keeps the rows so far, says so, and exits 0. Signals are given back their defaults first: what starts
/// the tests in the background may have them ignored, and a run then rightly ignores them too.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_keeps_its_rows() {
    let folder = fresh("interrupted");
    std::fs::write(folder.join("robot.urdf"), CART).expect("a file");
    std::fs::write(folder.join("x.toml"), cart("").replace("duration = 1.0", "duration = 2000.0"))
        .expect("a file");
    let child = Command::new("env")
        .args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_articula")])
        .current_dir(&folder)
        .args(["run", "x.toml", "--out", "out"])
        .stderr(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    // The output folder appears just before the first step.
    while !folder.join("out").exists() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    std::thread::sleep(std::time::Duration::from_millis(50));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("a signal");
    let done = child.wait_with_output().expect("an end");
    assert_eq!(done.status.code(), Some(0), "{}", words(&done.stderr));
    let csv = Csv::read(&folder.join("out/trajectory.csv"));
    assert!(
        words(&done.stderr).contains(&format!("interrupted: the {} rows", csv.rows.len())),
        "{}",
        words(&done.stderr)
    );
    assert!(csv.rows.len() > 1 && csv.rows.len() < 2_000_001, "{}", csv.rows.len());
    let report = std::fs::read(folder.join("out/report.json")).expect("a report");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    assert_eq!(
        (&report["ending"]["kind"], &report["time"]["steps"]),
        (&"interrupted".into(), &(csv.rows.len() - 1).into())
    );
}

/// Claim: what stands in a plot's place is found before the run, not after it.
#[test]
fn a_folder_in_a_plots_place_stops_before_the_run() {
    let folder = fresh("plot-place");
    std::fs::write(folder.join("robot.urdf"), CART).expect("a file");
    std::fs::write(folder.join("x.toml"), cart("")).expect("a file");
    std::fs::create_dir_all(folder.join("out/indicators.svg")).expect("a folder");
    let done = articula(&folder, &["run", "x.toml", "--out", "out", "--force"]);
    assert_eq!(done.status.code(), Some(2), "{}", words(&done.stderr));
    assert!(words(&done.stderr).contains("indicators.svg"), "{}", words(&done.stderr));
    assert_eq!(std::fs::read_dir(folder.join("out")).expect("a folder").count(), 1, "nothing is written");
    let done = articula(&folder, &["run", "x.toml", "--out", "out", "--force", "--no-plots"]);
    assert!(done.status.success(), "{}", words(&done.stderr));
}

/// Claim: no page and no plot of an earlier run stands beside a new report; what is not ours stays.
#[test]
fn force_leaves_no_page_of_another_run() {
    let (out, ..) = run("stale", CART, &cart(""));
    std::fs::write(out.join("mine.svg"), "mine").expect("a file");
    let folder = out.parent().expect("a folder");
    let again = |more: &[&str]| {
        let done = articula(folder, &[&["run", "x.toml", "--out", "out", "--force"], more].concat());
        assert!(done.status.success(), "{}", words(&done.stderr));
        let entries = std::fs::read_dir(&out).expect("a folder");
        let mut names: Vec<_> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    let bare = ["mine.svg", "report.json", "trajectory.csv", "trajectory.npz"];
    assert_eq!(again(&["--no-page", "--no-plots"]), bare);
    assert_eq!(again(&[]).len(), 9);
    assert_eq!(again(&["--no-plots"]).iter().filter(|name| name.ends_with(".svg")).count(), 1);
    let help =
        words(&articula(folder, &["run", "--help"]).stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("earlier page and plots that are left out are removed"), "{help}");
}

/// `--force` replaces results, never what they are made from: a table, a robot or an experiment that has a result's name
/// was written over without a word.
#[test]
fn a_run_spares_its_own_inputs() {
    let folder = fresh("spares");
    std::fs::write(folder.join("robot.urdf"), CART).expect("a file");
    std::fs::write(folder.join("x.toml"), cart("")).expect("a file");
    std::fs::create_dir(folder.join("own")).expect("a folder");
    let table = b"time,u\n0,1\n";
    std::fs::write(folder.join("own/trajectory.csv"), table).expect("a file");
    let rerun = cart("[drive]\n\"arm.slide\" = { table = \"own/trajectory.csv\", column = \"u\" }\n");
    std::fs::write(folder.join("again.toml"), &rerun).expect("a file");
    let refused = articula(&folder, &["run", "again.toml", "--out", "own", "--force"]);
    assert_eq!(refused.status.code(), Some(2), "{}", words(&refused.stderr));
    assert!(words(&refused.stderr).contains("its own input `trajectory.csv`"), "{}", words(&refused.stderr));
    assert_eq!(std::fs::read(folder.join("own/trajectory.csv")).expect("a table"), table);
    assert!(articula(&folder, &["run", "again.toml", "--out", "other"]).status.success());
}
