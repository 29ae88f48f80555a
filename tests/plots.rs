//! The plots of a run: what they show is where the axes say, whatever the robot and its names.

#![cfg(feature = "cli")]

#[path = "plots/read.rs"]
mod read;

use articula::experiment::{Built, Experiment};
use articula::model::JointKind;
use articula::report::{Plot, plot_names, plots};
use articula::rollout::Ending;
use read::{Panel, panels};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A fresh folder.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plots").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("an old folder removed");
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A joint of a chain: its name, as XML writes it; `None`: without that.
struct Given<'a> {
    name: &'a str,
    kind: &'a str,
    limits: Option<(f64, f64)>,
    friction: Option<f64>,
}

fn hinge(name: &str) -> Given<'_> {
    Given { name, kind: "revolute", limits: Some((-1.0, 1.0)), friction: Some(0.2) }
}

fn chain(joints: &[Given]) -> String {
    let mut text = String::from("<robot name=\"chain\"><link name=\"l0\"/>");
    for (i, joint) in joints.iter().enumerate() {
        let (lower, upper) = joint.limits.unwrap_or((0.0, 0.0));
        let limit = match joint.limits {
            Some(_) => format!("<limit lower=\"{lower}\" upper=\"{upper}\" effort=\"9\" velocity=\"3\"/>"),
            None => String::new(),
        };
        let friction =
            joint.friction.map_or(String::new(), |f| format!("<dynamics friction=\"{f}\" damping=\"0.1\"/>"));
        let next = i + 1;
        write!(
            text,
            "<link name=\"l{next}\"><inertial><mass value=\"1\"/><origin xyz=\"0 0 -0.1\"/><inertia ixx=\"0.02\" \
             iyy=\"0.02\" izz=\"0.02\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"{}\" \
             type=\"{}\"><parent link=\"l{i}\"/><child link=\"l{next}\"/><origin xyz=\"0 0 -0.1\"/><axis xyz=\"0 1 0\"/>\
             {limit}{friction}</joint>",
            joint.name, joint.kind
        )
        .expect("a string");
    }
    text + "</robot>"
}

/// One segment of a chain, its joints at the given position.
fn experiment(rung: &str, step: f64, duration: f64, start: &[f64], drives: &str) -> String {
    format!(
        "[time]\nstep = {step:?}\nduration = {duration:?}\n[chain.arm]\ndescription = \"robot.urdf\"\nrung = \"{rung}\"\n\
         initial_positions = {start:?}\n{drives}"
    )
}

fn built(name: &str, urdf: &str, toml: &str) -> Built {
    let folder = fresh(name);
    std::fs::write(folder.join("robot.urdf"), urdf).expect("a file");
    let experiment = Experiment::parse(&format!("{name}.toml"), &folder, toml.as_bytes()).expect("read");
    experiment.build().expect("built")
}

fn run(name: &str, urdf: &str, toml: &str) -> Built {
    let mut built = built(name, urdf, toml);
    assert_eq!(built.session.run(|_, _| ControlFlow::Continue(())), Ending::Done);
    built
}

/// One run with several segments, all of one robot.
fn together(name: &str, urdf: &str, segments: &[&str], joints: usize) -> Built {
    let toml = experiment("dynamic", 0.001, 0.1, &vec![0.0; joints], "");
    let mut each: Vec<Built> = segments
        .iter()
        .map(|s| built(name, urdf, &toml.replace("chain.arm", &format!("chain.{s}"))))
        .collect();
    let list = each.iter().map(|b| b.session.segments()[0].clone()).collect();
    let accounts = each.iter().map(|b| b.segments[0].clone()).collect();
    let session = articula::rollout::Session::new(0.001, 100, list).expect("a session");
    let mut all = Built { session, segments: accounts, ..each.remove(0) };
    assert_eq!(all.session.run(|_, _| ControlFlow::Continue(())), Ending::Done);
    all
}

fn demo() -> Built {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/demo");
    let mut built = Experiment::read(folder.join("demo.toml")).expect("read").build().expect("built");
    assert_eq!(built.session.run(|_, _| ControlFlow::Continue(())), Ending::Done);
    built
}

fn of<'a>(all: &'a [Plot], name: &str) -> &'a Plot {
    all.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no plot {name}"))
}

/// One joint's numbers in every row.
fn column(
    built: &Built,
    joint: usize,
    list: impl Fn(&articula::rollout::Trajectory) -> &Vec<f64>,
) -> Vec<f64> {
    let rows = built.session.segments()[0].trajectory();
    (0..rows.rows).map(|k| list(rows)[k * rows.joints + joint]).collect()
}

/// Claim: a limit is drawn where the axis has its value, and a joint that rests on it is drawn on the same line; a limit
/// far away is named with an arrow. Method: the demonstration, every joint, rows more than a pixel from any that moves; heights
/// by the ticks' labels. Tolerance: coordinates are written, and points left out, to a tenth of a pixel.
#[test]
fn limits_lie_where_the_axis_has_them() {
    let built = demo();
    let all = plots(&built);
    let segment = &built.session.segments()[0];
    let (mut seen, mut resting) = (0, 0);
    for (j, (panel, joint)) in panels(of(&all, "positions")).iter().zip(segment.model().joints()).enumerate()
    {
        let q = column(&built, j, |rows| &rows.q);
        let line = panel.line("position");
        for (name, limit) in [("lower", joint.lower), ("upper", joint.upper)] {
            let limit = limit.expect("a limit");
            let label = panel.texts.iter().find(|t| t.contains(name)).expect("its label");
            let Some(y) = panel.level(name) else {
                let arrow = if name == "lower" { '\u{2193}' } else { '\u{2191}' };
                assert!(label.contains(arrow), "{label}");
                assert!(q.iter().all(|x| (x - limit).abs() > 0.1), "a limit met is in view");
                continue;
            };
            seen += 1;
            assert_eq!(*label, format!("{name} {limit}").replace('-', "\u{2212}"));
            assert!((y - panel.height_of(limit)).abs() <= 0.2, "{} {name}: {y}", joint.name);
            let rests = |k: &usize| q[k.saturating_sub(20)..q.len().min(k + 21)].iter().all(|q| *q == limit);
            for k in (0..q.len()).filter(rests) {
                resting += 1;
                let drawn = read::height_at(&line, panel.x_of(built.session.time(k)));
                assert!((drawn - y).abs() <= 0.3, "{} row {k}: {drawn} on {y}", joint.name);
            }
        }
    }
    assert!(seen >= 5 && resting > 10_000, "{seen} limits, {resting} rows");
}

/// Claim: stretches are shaded where, and only where, the rows say `lower`, `upper`, `stick`. Method: the middle of every
/// step of the demonstration against the rectangles; steps within half a pixel of one that differs decide nothing.
#[test]
fn stretches_are_those_of_the_pieces() {
    let built = demo();
    let all = plots(&built);
    let rows = built.session.segments()[0].trajectory();
    let (mut inside, mut outside, mut narrow) = (0, 0, 0);
    for (plot, kinds) in [
        ("positions", &[("at lower", "lower"), ("at upper", "upper")][..]),
        ("velocities", &[("sticks", "stick")]),
    ] {
        for (j, panel) in panels(of(&all, plot)).iter().enumerate() {
            for (series, kind) in kinds {
                let spans = panel.spans(series);
                let is = |k: usize| rows.pieces[k * rows.joints + j].name() == *kind;
                let x = |k: usize| panel.x_of((k as f64 - 0.5) * built.session.step());
                let near = (0.5 / (x(2) - x(1))).ceil() as usize;
                for k in 1..rows.rows {
                    let mut about = (k.saturating_sub(near).max(1))..rows.rows.min(k + near + 1);
                    if about.any(|other| is(other) != is(k)) {
                        narrow += usize::from(is(k));
                        continue;
                    }
                    let shaded = spans.iter().any(|(start, end)| (*start..=*end).contains(&x(k)));
                    assert_eq!(shaded, is(k), "{plot} {} row {k} {kind}", panel.joint);
                    if shaded { inside += 1 } else { outside += 1 }
                }
            }
        }
    }
    assert!(inside > 20_000 && outside > 50_000 && narrow < inside / 20, "{inside} {outside} {narrow}");
}

/// Claim: a mark stands at every change of an indicator's sign and nowhere else, on the line of zero. Method: the
/// demonstration's rows; marks nearer than four pixels are one. Row 0 is no step.
#[test]
fn marks_stand_where_switches_pass() {
    let built = demo();
    let all = plots(&built);
    let rows = built.session.segments()[0].trajectory();
    let mut count = 0;
    for (p, panel) in panels(of(&all, "indicators")).iter().enumerate() {
        let (j, zero) = (p / 2, panel.level("zero").expect("the line of zero"));
        assert_eq!(panel.aspect, ["stop", "friction"][p % 2]);
        for (name, low) in [("low", true), ("high", false)] {
            let name = format!("{}.{name}", panel.aspect);
            let value = |k: usize| {
                let i = &rows.indicators[k * rows.joints + j];
                let all = [i.stop_low, i.stop_high, i.friction_low, i.friction_high];
                all[2 * (p % 2) + usize::from(!low)].expect("an indicator")
            };
            let signs: Vec<(usize, bool)> =
                (1..rows.rows).filter(|k| value(*k) != 0.0).map(|k| (k, value(k) < 0.0)).collect();
            let passed: Vec<f64> = signs
                .windows(2)
                .filter(|w| w[0].1 != w[1].1)
                .map(|w| panel.x_of((w[1].0 as f64 - 0.5) * built.session.step()))
                .collect();
            let marks = panel.marks(&name);
            count += marks.len();
            assert!(marks.iter().all(|(_, y)| (y - zero).abs() <= 0.11), "on zero: {marks:?}");
            assert!(
                marks.iter().all(|(x, _)| passed.iter().any(|p| (p - x).abs() < 0.3)),
                "{name} {marks:?}"
            );
            for x in passed {
                assert!(marks.iter().any(|m| (m.0 - x).abs() < 4.2), "{} {name}: none at {x}", panel.joint);
            }
        }
    }
    assert!(count > 60, "{count}");
}

/// Claim: a ring stands where an indicator came within its margin, one about the nearest of all; panels say the margins.
/// Method: the demonstration's status.
#[test]
fn rings_stand_where_switches_were_near() {
    let built = demo();
    let status = built.session.status();
    let all = plots(&built);
    let (mut within, mut nearest) = (0, Vec::new());
    for panel in panels(of(&all, "indicators")) {
        let zero = panel.level("zero").expect("the line of zero");
        let here = |near: &&&articula::switch::Near| {
            near.joint == panel.joint && near.switch.starts_with(&format!("arm.{}.", panel.aspect))
        };
        let near = status.near();
        let expected: Vec<f64> = near.iter().filter(here).map(|near| panel.x_of(near.time)).collect();
        let rings = panel.marks("within its margin");
        within += rings.len();
        assert_eq!(rings.len(), expected.len(), "{} {}", panel.joint, panel.aspect);
        for (left, y) in rings {
            assert!(expected.iter().any(|x| (x - 5.0 - left).abs() < 0.11), "{left} of {expected:?}");
            assert!((y - zero).abs() < 0.11);
        }
        nearest.extend(panel.marks("nearest").iter().map(|_| (panel.joint.clone(), panel.aspect.clone())));
        let margin = if panel.aspect == "stop" { "margin 1e\u{2212}6" } else { "margin " };
        assert!(panel.head.contains(margin), "{}", panel.head);
    }
    let first = status.nearest().expect("a switch");
    assert_eq!((within, nearest.len()), (status.near().len(), 1));
    assert!(nearest[0].0 == first.joint && first.switch.contains(&nearest[0].1), "{nearest:?} {first:?}");
}

/// Claim: efforts and impulses over the step are drawn to scale on their axis, a logarithmic one too. Method: the
/// demonstration's largest of each series and joint, at its row, through the ticks on either side.
#[test]
fn impacts_are_drawn_to_their_size() {
    let built = demo();
    let all = plots(&built);
    let mut logarithmic = 0;
    for (j, panel) in panels(of(&all, "efforts")).iter().enumerate() {
        logarithmic += usize::from(panel.within.is_some());
        let stop: Vec<f64> = column(&built, j, |rows| &rows.stop_impulse);
        let friction: Vec<f64> = column(&built, j, |rows| &rows.friction_impulse);
        let mean = |list: Vec<f64>| list.iter().map(|x| x / 0.001).collect::<Vec<_>>();
        let effort = column(&built, j, |rows| &rows.input);
        for (name, values) in [("effort", effort), ("friction", mean(friction)), ("stop", mean(stop))] {
            let line = panel.line(name);
            let peaks = [f64::min, f64::max].map(|f| values[1..].iter().copied().fold(0.0, f));
            let drawn = line.iter().flatten().map(|p| p.1);
            let drawn = [drawn.clone().fold(f64::MIN, f64::max), drawn.fold(f64::MAX, f64::min)];
            for (peak, y) in peaks.into_iter().zip(drawn).filter(|(peak, _)| *peak != 0.0) {
                let due = panel.height_of(peak);
                assert!((due - y).abs() <= 0.35, "{} {name}: {peak} at {y}, due {due}", panel.joint);
            }
        }
    }
    assert!(logarithmic >= 3, "an impact beside a drive");
}

/// Claim: every joint is named in full, with its unit, whatever the name; names are text and never markup; files of
/// segments with odd names are safe and distinct; nothing in a plot has an identifier that could meet another's.
#[test]
fn odd_names_are_text() {
    let long = "j".repeat(300);
    let names = [
        ("a&lt;b", "a<b"),
        ("&lt;/svg>&lt;script>alert(1)&lt;/script>", "</svg><script>alert(1)</script>"),
        ("&quot;double&quot; 'single' &amp;amp;", "\"double\" 'single' &amp;"),
        ("with space and . dot", "with space and . dot"),
        ("関節 ünïcödé ]]>", "関節 ünïcödé ]]>"),
        (long.as_str(), long.as_str()),
    ];
    let mut joints: Vec<Given> = names.iter().map(|n| hinge(n.0)).collect();
    joints[3].kind = "prismatic";
    let segments = ["'a<b & \"c\"'", "'a/b'", "'a_b'", "'A_B'", "'../up'", "\"bell\\u0007\"", "'関'"];
    let built = together("names<&>", &chain(&joints), &segments, joints.len());
    let all = plots(&built);
    assert_eq!(all.len(), 4 * segments.len());
    let mut files: Vec<String> = all.iter().map(|p| p.name.to_lowercase()).collect();
    files.sort();
    files.dedup();
    assert_eq!(files.len(), all.len(), "distinct, where capitals do not count too");
    for plot in &all {
        let (stem, what) = plot.name.rsplit_once('.').expect("segment and plot");
        assert!(stem.chars().all(|c| c.is_alphanumeric() || "-_".contains(c)), "{stem}");
        assert!(plot.svg.starts_with("<svg") && !plot.svg.contains("<script") && !plot.svg.contains(" id="));
        let page = roxmltree::Document::parse(&plot.svg).expect("XML");
        assert!(page.root_element().has_attribute("viewBox"));
        let title =
            page.descendants().find(|n| n.has_tag_name("title")).and_then(|n| n.text()).expect("a title");
        assert_eq!(title, plot.title.replace('\u{7}', "\u{fffd}"));
        assert!(title.starts_with("names<&>, segment "), "{title}");
        let panels = panels(plot);
        assert_eq!(panels.len(), if what == "indicators" { 12 } else { 6 });
        for (k, panel) in panels.iter().enumerate() {
            let j = if what == "indicators" { k / 2 } else { k };
            assert_eq!((panel.joint.as_str(), panel.title.as_str()), (names[j].1, names[j].1));
            let kind = if j == 3 { JointKind::Prismatic } else { JointKind::Revolute };
            let unit = match (what, panel.aspect.as_str()) {
                ("velocities", _) => kind.velocity_unit(),
                ("efforts", _) | (_, "friction") => kind.effort_unit(),
                _ => kind.position_unit(),
            };
            assert!(panel.head.contains(&format!("[{unit}]")), "{} in {}", unit, panel.head);
            let shown = if j == 5 { "jjjjjjjjjj" } else { names[j].1 };
            assert!(panel.head.starts_with(shown), "{}", panel.head);
        }
    }
}

/// Claim: thinning keeps every point within the line drawn about its own pixel, and single rows far out stay. Method:
/// 20 000 rows of twelve commanded joints, the worst there is: sines faster than the rows, and one row alone at 0.9 rad.
/// Tolerance: a tenth of a pixel left out, as much rounded, on a line one pixel to either side. The files stay small.
#[test]
fn no_peak_is_lost_and_the_file_stays_small() {
    let joints: Vec<String> = (0..12).map(|j| format!("joint_{j}")).collect();
    let mut drives = String::from("[drive]\n");
    for j in 0..11 {
        let rate = 211.7 + 40.3 * j as f64;
        let sine = format!("amplitude = 0.5, frequency = {rate:?}, phase = 0.1, offset = 0.0");
        writeln!(drives, "\"arm.joint_{j}\" = {{ sine = {{ {sine} }} }}").expect("a string");
    }
    writeln!(drives, "\"arm.joint_11\" = {{ table = \"robot.csv\", column = \"x\", hold = \"zero_order\" }}")
        .expect("a string");
    let urdf = chain(&joints.iter().map(|name| hinge(name)).collect::<Vec<_>>());
    let folder = fresh("peaks");
    std::fs::write(folder.join("robot.urdf"), urdf).expect("a file");
    std::fs::write(folder.join("robot.csv"), "time,x\n0.0,0.0\n7.777,0.9\n7.778,0.0\n").expect("a file");
    let toml = experiment("kinematic", 1e-3, 20.0, &[0.0; 12], &drives);
    let mut built =
        Experiment::parse("peaks.toml", &folder, toml.as_bytes()).expect("read").build().expect("built");
    assert_eq!(built.session.run(|_, _| ControlFlow::Continue(())), Ending::Done);
    let lonely = column(&built, 11, |rows| &rows.q);
    assert_eq!(lonely.iter().filter(|q| **q != 0.0).collect::<Vec<_>>(), [&0.9], "one row alone");

    let start = std::time::Instant::now();
    let all = plots(&built);
    println!("{} rows, 12 joints: {:.3} s", built.session.rows(), start.elapsed().as_secs_f64());
    let names: Vec<&str> = all.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["positions", "velocities", "indicators"]);
    for plot in &all {
        println!("{}: {} bytes", plot.name, plot.svg.len());
        assert!(plot.svg.len() < 500_000, "{}: {} bytes", plot.name, plot.svg.len());
    }
    for (j, panel) in panels(of(&all, "positions")).iter().enumerate() {
        let line = panel.line("position");
        let q = column(&built, j, |rows| &rows.q);
        for (k, q) in q.iter().enumerate() {
            let (x, y) = (panel.x_of(built.session.time(k)), panel.height_of(*q));
            let (least, most) = read::band(&line, x - 1.1, x + 1.1);
            assert!(least - 0.25 <= y && y <= most + 0.25, "joint {j} row {k}: {y} not in {least} … {most}");
        }
    }
}

/// Claim: runs with nothing in them to draw have pictures all the same, and every number in those is one. Method: no row,
/// one row, constant positions, lower = upper, limits of a million, no laws, no joints, a run that turned not finite.
#[test]
fn degenerate_runs_have_pictures() {
    let check = |built: &Built, words: &[&str]| {
        let all = plots(built);
        for plot in &all {
            let page = roxmltree::Document::parse(&plot.svg).expect("XML");
            for node in page.descendants() {
                for a in node.attributes().filter(|a| !a.name().starts_with("data-")) {
                    assert!(!a.value().contains("NaN") && !a.value().contains("inf"), "{}: {a:?}", plot.name);
                }
            }
        }
        let text: String = all.iter().map(|p| p.svg.as_str()).collect();
        words.iter().for_each(|word| assert!(text.contains(word), "{word}"));
        all
    };
    let one = || [hinge("swing")];
    let plain = |start: f64| experiment("dynamic", 0.001, 0.01, &[start], "");
    let mut run_none = built("none", &chain(&one()), &plain(0.5));
    check(&run_none, &["nothing to show"]);
    run_none.session.run(|_, _| ControlFlow::Break(()));
    assert_eq!(run_none.session.rows(), 1);
    let all = check(&run_none, &["no step was made", "the run ended early"]);
    let line = panels(of(&all, "positions"))[0].line("position");
    assert!(line.len() == 1 && line[0].len() == 1, "a dot: {line:?}");

    let still = run("still", &chain(&[Given { limits: Some((0.25, 0.25)), ..hinge("held") }]), &plain(0.25));
    let all = check(&still, &[]);
    let panel = &panels(of(&all, "positions"))[0];
    assert_eq!(panel.level("lower"), panel.level("upper"));
    assert!(panel.height_of(0.25) > 10.0 && panel.height_of(0.25) < 290.0, "a constant line is in view");

    let far = Given { kind: "prismatic", limits: Some((-1e6, 1e6)), ..hinge("far") };
    let push = "[drive]\n\"arm.far\" = { constant = 100.0 }\n";
    let toml = experiment("dynamic", 0.001, 0.1, &[999_999.9], push);
    check(&run("far", &chain(&[far]), &toml), &["counted from"]);
    let bare = Given { kind: "continuous", limits: None, friction: None, ..hinge("bare") };
    check(&run("bare", &chain(&[bare]), &plain(0.0)), &["no joint has a limit or friction"]);
    let mixed = [hinge("all"), Given { kind: "continuous", limits: None, friction: None, ..hinge("bare") }];
    let toml = experiment("dynamic", 0.001, 0.01, &[0.0, 0.0], "");
    check(&run("mixed", &chain(&mixed), &toml), &["no limit", "no friction"]);
    let toml = experiment("dynamic", 0.001, 0.01, &[], "");
    check(&run("jointless", "<robot name=\"stone\"><link name=\"stone\"/></robot>", &toml), &["no joints"]);

    let wild = "[drive]\n\"arm.bare\" = { pd = { target = 0.0, kp = -1e12, kd = -1e12 } }\n";
    let toml = experiment("dynamic", 0.001, 1.0, &[0.1], wild);
    let bare = Given { kind: "continuous", limits: None, friction: None, ..hinge("bare") };
    let mut wild = built("wild", &chain(&[bare]), &toml);
    assert!(matches!(wild.session.run(|_, _| ControlFlow::Continue(())), Ending::NotFinite { .. }));
    check(&wild, &["the run ended early"]);
}

/// Claim: a segment that is stepped at a slower rate is shaded over its own whole steps.
#[test]
fn a_slower_segment_is_shaded_over_its_own_steps() {
    let toml = experiment(
        "dynamic",
        0.001,
        0.1,
        &[0.0],
        "rate = 0.01\n[drive]\n\"arm.swing\" = { constant = 8.0 }\n",
    );
    let built = run("slow", &chain(&[hinge("swing")]), &toml);
    let rows = built.session.segments()[0].trajectory();
    let first = (0..rows.rows).find(|k| rows.pieces[*k].name() == "upper").expect("it meets its stop");
    assert!(first % 10 == 0 && first > 10, "{first}");
    let all = plots(&built);
    let panel = &panels(of(&all, "positions"))[0];
    let spans = panel.spans("at upper");
    assert_eq!(spans.len(), 1);
    assert!((spans[0].0 - panel.x_of((first - 10) as f64 * 0.001)).abs() < 0.1, "{spans:?}");
    assert!((spans[0].1 - panel.x_of(0.1)).abs() < 0.1, "{spans:?}");
}

/// Claim: `run` writes the plots beside its other files, four of a dynamic segment, three of a kinematic one; with
/// `--no-plots`, and of `demo` too, none.
#[test]
fn files_of_a_run() {
    let folder = fresh("files");
    std::fs::write(folder.join("robot.urdf"), chain(&[hinge("swing")])).expect("a file");
    let toml = experiment("dynamic", 0.001, 0.05, &[0.0], "");
    std::fs::write(folder.join("one.toml"), &toml).expect("a file");
    std::fs::write(folder.join("two.toml"), toml.replace("dynamic", "kinematic")).expect("a file");
    let svgs = |arguments: &[&str], out: &str| -> Vec<String> {
        let done = Command::new(env!("CARGO_BIN_EXE_articula")).current_dir(&folder).args(arguments).output();
        let done = done.expect("the command runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let names = std::fs::read_dir(folder.join(out)).expect("a folder");
        let names = names.map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned());
        let mut found: Vec<String> = names.filter(|n| n.ends_with(".svg")).collect();
        found.sort();
        for name in &found {
            let text = std::fs::read_to_string(folder.join(out).join(name)).expect("a file");
            roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        found
    };
    let four = ["efforts.svg", "indicators.svg", "positions.svg", "velocities.svg"];
    assert_eq!(svgs(&["run", "one.toml", "--out", "one"], "one"), four);
    assert_eq!(svgs(&["run", "two.toml", "--out", "two"], "two"), four[1..]);
    // Their names are known before there are rows.
    for file in ["one.toml", "two.toml"] {
        let mut built = Experiment::read(folder.join(file)).and_then(|read| read.build()).expect("a session");
        let before = plot_names(&built.session);
        built.session.run(|_, _| ControlFlow::Continue(()));
        assert_eq!(before, plots(&built).into_iter().map(|plot| plot.name).collect::<Vec<_>>());
    }
    assert!(svgs(&["run", "two.toml", "--out", "no", "--no-plots"], "no").is_empty());
    assert_eq!(svgs(&["demo", "--out", "demo"], "demo"), four);
    assert!(svgs(&["demo", "--out", "less", "--no-plots"], "less").is_empty());
}

/// Claim: a hundred joints are drawn in columns, each panel wide enough to read, none over another.
#[test]
fn many_joints_stay_apart() {
    let names: Vec<String> = (0..100).map(|j| format!("joint_{j}")).collect();
    let urdf = chain(&names.iter().map(|name| hinge(name)).collect::<Vec<_>>());
    let built = run("many", &urdf, &experiment("dynamic", 0.001, 0.05, &[0.0; 100], ""));
    for plot in plots(&built) {
        let panels: Vec<Panel> = panels(&plot);
        let page = roxmltree::Document::parse(&plot.svg).expect("XML");
        let view: Vec<f64> = page
            .root_element()
            .attribute("viewBox")
            .expect("a view")
            .split(' ')
            .map(|x| x.parse().expect("a number"))
            .collect();
        for (k, a) in panels.iter().enumerate() {
            assert!(a.width >= 190.0 && a.height >= 90.0, "{} {}", a.width, a.height);
            assert!(a.at.0 + a.width < view[2] && a.at.1 + a.height < view[3]);
            for b in &panels[..k] {
                let beside = (a.at.0 - b.at.0).abs() >= a.width + 60.0;
                assert!(beside || (a.at.1 - b.at.1).abs() >= a.height + 20.0, "{} over {}", a.joint, b.joint);
            }
        }
    }
}
