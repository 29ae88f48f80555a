//! Runs and their pages, for the tests of pages.
#![allow(dead_code)] // each test binary uses a part

use articula::experiment::{Built, Experiment};
use articula::report::{Clocked, Plot, document, page};
use articula::rollout::Ending;
use serde_json::Value;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::Path;

/// A run, its report and its page.
pub struct Page {
    pub built: Built,
    pub report: Value,
    pub html: String,
}

/// Runs an experiment's text whose paths are beside `folder`; breaks off before base step `until`.
pub fn made(file: &str, folder: &Path, toml: &str, until: usize) -> Page {
    let experiment = Experiment::parse(file, folder, toml.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let mut built = experiment.build().unwrap_or_else(|e| panic!("{e}"));
    let ending = built
        .session
        .run(|done, _| if done < until { ControlFlow::Continue(()) } else { ControlFlow::Break(()) });
    let report = document(&built, &ending, Clocked { wall_s: 0.25 });
    let html = page(&built, &report, &[]);
    assert_eq!(ending == Ending::Interrupted, until <= built.session.steps(), "{ending:?}");
    Page { built, report, html }
}

/// The demonstration: seven joints with branches at the tool, hinges and a slide, that stick and meet their stops.
pub fn demo() -> Page {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/demo");
    let toml = std::fs::read_to_string(folder.join("demo.toml")).expect("a file");
    made("demo.toml", &folder, &toml, usize::MAX)
}

/// A robot of `links` links `apart` metres, every one moved by a joint of a type.
pub fn chain(links: usize, apart: f64, kind: &str) -> String {
    let mut urdf = String::from("<robot name=\"chain\"><link name=\"l0\"/>");
    for i in 1..=links {
        write!(
            urdf,
            "<link name=\"l{i}\"><inertial><mass value=\"1\"/><origin xyz=\"0 0 {}\"/>\
             <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\
             <joint name=\"j{i}\" type=\"{kind}\"><parent link=\"l{}\"/><child link=\"l{i}\"/>\
             <origin xyz=\"0 0 {apart}\"/><axis xyz=\"0 1 0\"/>\
             <limit lower=\"-2\" upper=\"2\" effort=\"1e9\" velocity=\"1e9\"/><dynamics damping=\"0.5\"/></joint>",
            apart / 2.0,
            i - 1
        )
        .expect("a string");
    }
    urdf + "</robot>"
}

/// Runs a robot file's text for so many steps of a millisecond, all joints starting at 0.
pub fn robot(name: &str, urdf: &str, steps: usize, rest: &str, until: usize) -> Page {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(format!("{name}.urdf")), urdf).expect("a file");
    let joints = urdf.matches("<joint").count() - urdf.matches("type=\"fixed\"").count();
    let toml = format!(
        "[time]\nstep = 0.001\nduration = {:?}\n[chain.arm]\ndescription = \"{name}.urdf\"\nrung = \"dynamic\"\n\
         initial_positions = {:?}\n{rest}",
        steps as f64 * 1e-3,
        vec![0.0; joints]
    );
    made(&format!("{name}.toml"), &folder, &toml, until)
}

/// Robots and runs that are at an edge: by name.
pub fn edges() -> Vec<(&'static str, Page)> {
    let free = usize::MAX;
    let one = "<robot name=\"one\"><link name=\"only\"/></robot>";
    let runaway = chain(1, 0.0, "prismatic").replace("\"-2\" upper=\"2\"", "\"-1e308\" upper=\"1e308\"");
    let pull = "[drive]\n\"arm.j1\" = { pd = { target = 0.3, kp = 1e9, kd = 0.0 } }\n";
    let welded = chain(299, 0.01, "fixed").replacen("type=\"fixed\"", "type=\"revolute\"", 3);
    let mut all = vec![
        ("one_link", robot("one_link", one, 20, "", free)),
        ("one_point", robot("one_point", &chain(3, 0.0, "revolute"), 20, "", free)),
        ("huge", robot("huge", &chain(3, 1e6, "revolute"), 20, "", free)),
        ("tiny", robot("tiny", &chain(3, 1e-6, "revolute"), 20, "", free)),
        ("far", robot("far", &chain(2, 0.1, "revolute"), 20, "at = [1e6, 2e6, -3e6]\n", free)),
        ("many", robot("many", &welded, 3000, "", free)),
        ("one_row", robot("one_row", &chain(2, 0.5, "revolute"), 20, "", 0)),
        ("not_finite", robot("not_finite", &runaway, 1000, pull, free)),
    ];
    let kinematic =
        "[drive]\n\"arm.j1\" = { sine = { amplitude = 3.0, frequency = 1.0, phase = 0.0, offset = 0.0 } }\n";
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    let toml = "[time]\nstep = 0.001\nduration = 1.0\n[chain.arm]\ndescription = \"huge.urdf\"\nrung = \"kinematic\"\n\
                initial_positions = [0.0, 0.0, 0.0]\n";
    all.push(("kinematic", made("kinematic.toml", &folder, &format!("{toml}{kinematic}"), free)));
    all
}

/// A page with a plot.
pub fn with_plot(page_of: &Page, plot: Plot) -> String {
    page(&page_of.built, &page_of.report, &[plot])
}
