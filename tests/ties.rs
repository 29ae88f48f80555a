//! Exact ties: one piece for all columns, within what differences from both sides give, and said so where nothing decides.
//!
//! Numbers are binary fractions, so that a tie is one in floating point too.

mod kit;

use articula::model::{Builder, Inertial, JointKind, JointSpec, Model};
use articula::rollout::{By, Course, Rung, linearize};
use articula::step::{DynamicArm, KinematicArm, Solver, State};
use articula::switch::Observed;
use kit::Random;

const DT: f64 = 1.0 / 256.0;

/// Slides on slides along one axis, 1 kg each, with friction and limits: `A = M` is coupled, and all is exact.
fn slides(frictions: &[f64], limit: Option<f64>) -> Model<f64> {
    let mut chain = Builder::new("slides");
    chain.link("rail", None);
    for (j, friction) in frictions.iter().enumerate() {
        let link = format!("cart {j}");
        chain.link(&link, Some(Inertial::new(1.0, [0.0; 3], [1.0, 0.0, 0.0, 1.0, 0.0, 1.0])));
        chain.joint(JointSpec {
            name: format!("slide {j}"),
            kind: Some(JointKind::Prismatic),
            parent: if j == 0 { "rail".into() } else { format!("cart {}", j - 1) },
            child: link,
            friction: *friction,
            lower: limit.map(|x| -x),
            upper: limit,
            ..JointSpec::default()
        });
    }
    chain.build().unwrap()
}

/// `∂v⁺/∂u` of slides of which those of a set move: `dt A_mm⁻¹`, by elimination.
fn moving(n: usize, set: u32) -> Vec<f64> {
    let chosen: Vec<usize> = (0..n).filter(|j| set >> j & 1 == 1).collect();
    let m = chosen.len();
    let mut out = vec![0.0; n * n];
    let matrix = nalgebra::DMatrix::from_fn(m, m, |i, j| (n - chosen[i].max(chosen[j])) as f64);
    if m > 0 {
        let inverse = matrix.try_inverse().unwrap();
        for (i, &a) in chosen.iter().enumerate() {
            for (j, &b) in chosen.iter().enumerate() {
                out[a * n + b] = DT * inverse[(i, j)];
            }
        }
    }
    out
}

/// Where one step from rest ends, by efforts.
fn step(rung: &Rung, start: &State<f64>, input: &[f64]) -> Vec<f64> {
    let course = Course { start, drives: &[], values: input };
    let found = linearize(rung, &course, &By::default()).unwrap();
    found.read().0.states.row(1).to_vec()
}

/// Up to four coupled joints at rest, each with an effort that is exactly its friction, one way or the other, or half of it:
/// `∂v⁺/∂u` is that of one set of moving joints, the same in every column: the derivative at the point moved by a little of the
/// first seed, less of the second, and so on (the lexicographic derivative). Where one joint is tied, each column is between the
/// differences from both sides; where several are, only the first seed's need be.
#[test]
fn joints_at_the_edge_of_sticking_share_one_piece() {
    let (mut sets, mut hulls) = (std::collections::HashSet::new(), 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let n = 1 + random.below(4);
        let frictions: Vec<f64> = (0..n).map(|_| 0.25 * (1 + random.below(8)) as f64).collect();
        let rung = Rung::Dynamic(DynamicArm::new(slides(&frictions, None), DT, Solver::Exact).unwrap());
        let efforts: Vec<f64> = frictions.iter().map(|f| f * [1.0, -1.0, 0.5][random.below(3)]).collect();
        let start = rung.state(&vec![0.0; n], &vec![0.0; n]).unwrap();
        let course = Course { start: &start, drives: &[], values: &efforts };
        // In a random order of seeds.
        let mut inputs: Vec<usize> = (0..n).collect();
        (0..n).for_each(|i| inputs.swap(i, random.below(n)));
        let by = By { inputs: inputs.clone(), ..By::default() };
        let gradient = linearize(&rung, &course, &by).unwrap();
        let (found, status) = gradient.read();
        let mut ours = vec![0.0; n * n];
        for i in 0..n {
            for (column, &j) in inputs.iter().enumerate() {
                ours[i * n + j] = found.b[[0, n + i, column]];
                assert!((found.b[[0, i, column]] - DT * ours[i * n + j]).abs() < 1e-15);
            }
        }
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-13);
        let set = (0..1u32 << n).find(|set| close(&moving(n, *set), &ours));
        assert!(
            set.is_some(),
            "seed {seed}: {ours:?} is of no one set of moving joints, efforts {efforts:?}"
        );
        sets.insert((n, set));

        let slope = |from: &[f64], j: usize, h: f64| -> Vec<f64> {
            let mut moved = from.to_vec();
            moved[j] += h;
            let (here, there) = (step(&rung, &start, from), step(&rung, &start, &moved));
            (0..n).map(|i| (there[n + i] - here[n + i]) / h).collect()
        };
        let mut aside = efforts.clone();
        inputs.iter().enumerate().for_each(|(k, &j)| aside[j] += 2f64.powi(-4 * (k as i32 + 1)));
        let ties = efforts.iter().zip(&frictions).filter(|(u, f)| u.abs() == **f).count();
        for (rank, &j) in inputs.iter().enumerate() {
            let (up, down) = (slope(&efforts, j, 2f64.powi(-20)), slope(&efforts, j, -2f64.powi(-20)));
            let there = slope(&aside, j, 2f64.powi(-30));
            for i in 0..n {
                let (x, least, most) = (ours[i * n + j], up[i].min(down[i]), up[i].max(down[i]));
                assert!((x - there[i]).abs() < 1e-8, "seed {seed} ({i}, {j}): {x}, not {}", there[i]);
                if ties == 1 || rank == 0 {
                    assert!((least - 1e-9..=most + 1e-9).contains(&x), "seed {seed}: {x} of {least}..{most}");
                    hulls += 1;
                }
            }
        }
        let expected = if ties > 0 { Observed::OneSided } else { Observed::Exact };
        assert_eq!(status.observed, expected, "seed {seed}");
    }
    println!("{} sets of moving joints, {hulls} entries between two differences", sets.len());
    assert!(sets.len() > 15 && hulls > 300, "{sets:?}, {hulls}");
}

/// A slide at rest exactly on its stop, pushed by nothing: by a force away from the stop it leaves; and a slide that arrives at its
/// stop exactly at the end of a step.
#[test]
fn exactly_on_a_stop_the_first_seed_decides() {
    let arm = DynamicArm::new(slides(&[0.0], Some(0.5)), DT, Solver::Exact).unwrap();
    let rung = Rung::Dynamic(arm);
    let rest = rung.state(&[-0.5], &[0.0]).unwrap();
    let arriving = rung.state(&[0.5 - 2.0 * DT], &[2.0]).unwrap();
    for (start, free) in [(&rest, true), (&arriving, false)] {
        let by = By { inputs: vec![0], ..By::default() };
        let course = Course { start, drives: &[], values: &[0.0] };
        let gradient = linearize(&rung, &course, &by).unwrap();
        let (found, status) = gradient.read();
        // A push forward leaves the lower stop, and is taken up by the upper one.
        assert_eq!(found.b[[0, 1, 0]], if free { DT } else { 0.0 });
        assert_eq!(found.b[[0, 0, 0]], if free { DT * DT } else { 0.0 });
        assert_eq!(status.observed, Observed::OneSided);
    }
}

/// A command exactly on a limit: the first seed away from it decides, here the command's own, upward: at the lower limit it moves the
/// joint, at the upper one it does not.
#[test]
fn a_command_on_a_limit_is_one_sided() {
    let rung = Rung::Kinematic(KinematicArm::new(slides(&[0.0], Some(0.5)), DT, None).unwrap());
    let start = rung.state(&[0.0], &[0.0]).unwrap();
    for (command, slope) in [(-0.5, 1.0), (0.5, 0.0)] {
        let by = By { inputs: vec![0], ..By::default() };
        let course = Course { start: &start, drives: &[], values: &[command] };
        let gradient = linearize(&rung, &course, &by).unwrap();
        let (found, status) = gradient.read();
        assert_eq!(found.b[[0, 0, 0]], slope, "at {command}");
        assert_eq!(status.observed, Observed::OneSided);
    }
}

/// The same tie, decided by a parameter where nothing before it leads away: a joint held by friction of exactly its effort sticks
/// for more friction.
#[test]
fn a_parameter_decides_where_nothing_before_it_does() {
    let rung = Rung::Dynamic(DynamicArm::new(slides(&[0.5, 1.0], None), DT, Solver::Exact).unwrap());
    let start = rung.state(&[0.0; 2], &[0.0; 2]).unwrap();
    let course = Course { start: &start, drives: &[], values: &[0.5, 0.0] };
    let by = |inputs: Vec<usize>, parameters: &[&str]| {
        let parameters = parameters.iter().map(|name| (*name).to_owned()).collect();
        linearize(&rung, &course, &By { start: false, inputs, parameters }).unwrap()
    };
    let by_friction = by(vec![], &["\"slide 0\".friction"]);
    assert_eq!(by_friction.read().0.p[[0, 2, 0]], 0.0);
    let both = by(vec![0], &["\"slide 0\".friction"]);
    // Moving, by the effort that comes first: dt/2 by it, and the same the other way by friction.
    let moving = both.read().0;
    assert_eq!((moving.b[[0, 2, 0]], moving.p[[0, 2, 0]]), (DT / 2.0, -DT / 2.0));
    // The other joint's effort has no part in it: the tie stays open, and the status says so.
    let open = by(vec![1], &[]);
    let (_, status) = open.read();
    assert_eq!(status.observed, Observed::OneSided);
    assert_eq!(status.undecided.len(), 1, "{status:?}");
}
