//! One test a fault that was found: what went wrong is told above each.

mod kit;

use articula::dynamics::Carried;
use articula::model::{Builder, Inertial, JointKind, JointSpec, Model};
use articula::spatial::Symmetric;
use articula::step::impulse::{Bounds, Problem, Settlement, Solution, exact, sweeps};
use articula::step::{DynamicArm, Inputs, Ledger, Outcome, Piece, Solver, StepWorkspace};
use articula::switch::Choices;
use articula::{Real, Tangents};
use kit::Random;

type Dual = Tangents<2>;

fn dual(value: f64, tangents: [f64; 2]) -> Dual {
    Dual { value, tangents }
}

fn hinge(joint: &str, link: &str) -> Model<f64> {
    let mut builder = Builder::new("hinge");
    builder.link("base", None).link(link, Some(Inertial::new(1.0, [0.0; 3], [1.0, 0.0, 0.0, 1.0, 0.0, 1.0])));
    builder.joint(JointSpec {
        name: joint.into(),
        kind: Some(JointKind::Revolute),
        parent: "base".into(),
        child: link.into(),
        axis: [0.0, 0.0, 1.0],
        ..JointSpec::default()
    });
    builder.build().unwrap().with_gravity(Default::default())
}

fn friction(most: f64) -> Bounds<Dual> {
    Bounds { friction: Some(dual(most, [0.0; 2])), lower: None, upper: None }
}

/// A replay took an open tie for decided as soon as another joint was scripted, and closed it on the wrong side; and a
/// tie decided by one pass was reported unsettled by the next, whose own search says otherwise.
#[test]
fn a_replay_decides_open_ties_and_stays_settled() {
    let matrix: Vec<Dual> = [1.0, 0.0, 0.0, 1.0].map(|x| dual(x, [0.0; 2])).to_vec();
    let bounds = [friction(0.5), friction(0.5)];
    let solve = |tied: [f64; 2], choices: &mut Choices| {
        let momentum = [dual(2.0, [0.0; 2]), dual(0.5, tied)];
        let problem = Problem { matrix: &matrix, momentum: &momentum, bounds: &bounds };
        let mut found = Solution::new(2);
        let report = exact::exact(&problem, &[dual(0.0, [0.0; 2]); 2], choices, &mut found);
        assert_eq!(report.settlement, Settlement::Settled);
        (found.pieces[1], found.velocity[1].tangents)
    };
    let mut record = Choices::record();
    assert_eq!(solve([0.0, 0.0], &mut record), (Piece::Stick, [0.0, 0.0]));
    assert_eq!(record.script().open_ties().len(), 1);
    let mut second = Choices::replay(record.into_script());
    assert_eq!(solve([1.0, -3.0], &mut second), (Piece::SlidePlus, [1.0, -3.0]));
    assert!(second.script().open_ties().is_empty());
    let mut third = Choices::replay(second.into_script());
    assert_eq!(
        solve([-2.0, 0.0], &mut third),
        (Piece::SlidePlus, [-2.0, 0.0]),
        "the piece of the pass before"
    );
}

/// Coupled ties moved together could go round in circles, and the answer then belonged to other pieces than those
/// returned, as if settled. Every problem here is tied in every joint.
#[test]
fn coupled_ties_settle_on_the_pieces_they_return() {
    let mut random = Random::new(5);
    for trial in 0..5_000 {
        let n = 3 + random.below(6);
        let b = random.vector(n * n);
        let matrix: Vec<Dual> = (0..n * n)
            .map(|k| {
                let (i, j) = (k / n, k % n);
                let dot: f64 = (0..n).map(|l| b[i * n + l] * b[j * n + l]).sum();
                dual(dot + if i == j { 0.1 } else { 0.0 }, [0.0; 2])
            })
            .collect();
        let momentum: Vec<Dual> = (0..n).map(|_| dual(1.0, [random.unit(), 0.0])).collect();
        let bounds: Vec<_> = (0..n).map(|_| friction(1.0)).collect();
        let problem = Problem { matrix: &matrix, momentum: &momentum, bounds: &bounds };
        let mut found = Solution::new(n);
        let report = exact::exact(&problem, &vec![dual(0.0, [0.0; 2]); n], &mut Choices::free(), &mut found);
        assert_eq!(report.settlement, Settlement::Settled, "trial {trial}: {report:?}");
        for j in 0..n {
            let (dv, dp) = (found.velocity[j].tangents[0], found.impulse[j].tangents[0]);
            // The directional derivative solves its own complementarity: slides forward freely, or is held from it.
            let right = match found.pieces[j] {
                Piece::SlidePlus => dv >= 0.0 && dp == 0.0,
                Piece::Stick => dv == 0.0 && dp >= -1e-12,
                _ => false,
            };
            assert!(right, "trial {trial}, joint {j}: {:?} dv {dv:e} dp {dp:e}", found.pieces[j]);
        }
    }
}

/// A matrix with positive diagonal and positive diagonal of its inverse, but not positive definite, passed as settled.
#[test]
fn an_indefinite_matrix_is_not_finite_whatever_its_diagonals_say() {
    let third = 1.0 / 3.0;
    let matrix: Vec<f64> = (0..9).map(|k| if k % 4 == 0 { third } else { -2.0 * third }).collect();
    let bounds = [Bounds::free(); 3];
    let problem = Problem { matrix: &matrix, momentum: &[0.1, 0.2, 0.3], bounds: &bounds };
    let mut found = Solution::new(3);
    let report = exact::exact(&problem, &[0.0; 3], &mut Choices::free(), &mut found);
    assert!(matches!(report.settlement, Settlement::NotFinite { .. }), "{report:?}");
    let report = sweeps::sweeps(&problem, 4, &mut Choices::free(), &mut found);
    assert!(matches!(report.settlement, Settlement::NotFinite { .. }), "{report:?}");
}

/// A joint whose limits are one point was put on whichever piece it came from, with a stop that pulled and more friction
/// than it has.
#[test]
fn a_locked_joint_is_held_by_friction_first() {
    for (effort, piece) in [(0.3, Piece::Stick), (0.9, Piece::Upper), (-0.9, Piece::Lower)] {
        let model = hinge("joint", "link").with_joints(|_, j| {
            (j.lower, j.upper, j.friction) = (Some(0.0), Some(0.0), Some(0.5));
        });
        let arm = DynamicArm::new(model.unwrap(), 0.1, Solver::Exact).unwrap();
        let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
        let mut state = arm.state(&[0.0], &[0.0]).unwrap();
        let report =
            arm.step(&mut ws, &mut state, &Inputs::effort(&[effort]), &mut Choices::free(), &mut out);
        assert!(report.settled());
        assert_eq!((state.q[0], state.v[0], out.pieces[0]), (0.0, 0.0, piece));
        assert!((out.friction_impulse[0] + 0.1 * effort.clamp(-0.5, 0.5)).abs() < 1e-15);
        assert!((out.friction_impulse[0] + out.stop_impulse[0] + 0.1 * effort).abs() < 1e-15);
    }
}

/// The energy ledger left out what frames carry: half the work was called the scheme's error.
#[test]
fn the_ledger_counts_carried_inertia() {
    let arm = DynamicArm::new(hinge("joint", "link"), 1e-3, Solver::Exact).unwrap();
    let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
    let carried = [Carried { frame: 1, tensor: Symmetric::from_entries([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]) }];
    let mut state = arm.state(&[0.0], &[0.0]).unwrap();
    let mut ledger = Ledger::open(&arm, &mut ws, &state, &carried);
    for _ in 0..1000 {
        let inputs = Inputs { carried_start: &carried, carried_end: &carried, ..Inputs::effort(&[1.0]) };
        let before = state.clone();
        let report = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
        assert!(report.settled());
        ledger.enter(&arm, &mut ws, &before, &state, &inputs, &out);
    }
    // 1 N m on 2 kg m² for 1 s: ω = ½ rad/s, T = ¼ J, and the step's mean velocity makes the work exactly that.
    assert!((ledger.kinetic_end - 0.25).abs() < 1e-12, "{ledger:?}");
    assert!((ledger.work.effort - 0.25).abs() < 1e-12 && ledger.step_defect.abs() < 1e-12, "{ledger:?}");
}

/// Addresses that the list gave could not be found: names with a backslash, and joints or links called `gravity` or
/// `placement`; and varying a number could leave a joint with laws no joint has.
#[test]
fn every_listed_address_is_found_whatever_the_names() {
    for name in ["a.b\\c", "gravity", "placement", "say \"hi\"", "plain"] {
        let model = hinge(name, name);
        for address in model.addresses() {
            let value = model.value(&address.name);
            assert!(value.is_ok(), "{name}: {} {value:?}", address.name);
            let up = model.vary(&[(&address.name, 0.25)]).unwrap().value(&address.name).unwrap();
            let turned =
                address.name.contains(".rx") || address.name.contains(".ry") || address.name.contains(".rz");
            assert!(
                (up - value.unwrap() - if turned { 0.0 } else { 0.25 }).abs() < 1e-12,
                "{name}: {}",
                address.name
            );
        }
    }
    assert!(hinge("joint", "link").vary(&[("joint.damping", -1.0)]).is_err());
}

/// Friction of exactly zero made the sweeps' derivatives NaN.
#[test]
fn zero_friction_has_finite_tangents_in_sweeps() {
    let matrix = [dual(2.0, [0.0; 2])];
    let momentum = [dual(1.0, [1.0, 0.0])];
    let bounds = [Bounds { friction: Some(dual(0.0, [0.0, 1.0])), lower: None, upper: None }];
    let problem = Problem { matrix: &matrix, momentum: &momentum, bounds: &bounds };
    let mut found = Solution::new(1);
    let report = sweeps::sweeps(&problem, 2, &mut Choices::free(), &mut found);
    assert_eq!(report.settlement, Settlement::Settled);
    assert!(found.velocity[0].all_finite());
    assert_eq!(found.velocity[0].tangents, [0.5, -0.5]);
}
