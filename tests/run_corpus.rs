//! Robots people use, run for five seconds; skipped where the collection of robot files is not beside the repository.

#![cfg(feature = "cli")]

#[path = "kit/generated.rs"]
mod generated;

use articula::experiment::Experiment;
use articula::rollout::Ending;
use std::ops::ControlFlow;
use std::path::Path;

/// Claim: AR4, UR5, Panda arm (its finger's mimic acknowledged) and xArm7 run for 5 s at 1 ms with friction that
/// sticks: all rows, every step settled, finite, within limits to the last bit. Prints the real-time factor.
#[test]
fn robots_people_use_run() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/urdf");
    if !corpus.exists() {
        eprintln!("skipped: no {}", corpus.display());
        return;
    }
    for (file, joints) in
        [("ar4/ar4.urdf", 6), ("ur5/ur5_robot.urdf", 6), ("panda/panda.urdf", 9), ("xarm7/xarm7.urdf", 7)]
    {
        let text = generated::experiment(&corpus.join(file)).expect("an experiment");
        let experiment = Experiment::parse("generated.toml", Path::new(""), text.as_bytes()).expect("read");
        let mut built = experiment.build().unwrap_or_else(|error| panic!("{file}: {error}"));
        if file.starts_with("panda") {
            let mimic = |a: &(articula::description::Acknowledgement, u32)| a.0.element.ends_with("/mimic");
            assert!(built.segments[0].acknowledged.iter().any(mimic), "the finger's mimic is acknowledged");
        }
        let start = std::time::Instant::now();
        assert_eq!(built.session.run(|_, _| ControlFlow::Continue(())), Ending::Done, "{file}");
        let wall = start.elapsed().as_secs_f64();
        let segment = &built.session.segments()[0];
        let (rows, model) = (segment.trajectory(), segment.model());
        assert_eq!((rows.rows, model.joints().len()), (5001, joints), "{file}");
        assert!(rows.settled.iter().all(|settled| *settled), "{file}");
        for (i, q) in rows.q.iter().enumerate() {
            let joint = &model.joints()[i % joints];
            let within = joint.lower.is_none_or(|l| *q >= l) && joint.upper.is_none_or(|u| *q <= u);
            assert!(q.is_finite() && within, "{file}: {} at {q}", joint.name);
        }
        let stuck = rows.pieces.iter().filter(|p| p.name() == "stick").count();
        assert!(stuck > 0, "{file}: something sticks");
        println!("{file}: {:.0} times real time", 5.0 / wall);
    }
}
