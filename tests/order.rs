//! How fast a step's error falls with dt, and what a fast spinner does: the scheme is of first order, and says so.

mod kit;

use articula::dynamics::{Carried, Loads, Workspace, Wrench, bias, mass_matrix};
use articula::model::{Builder, Inertial, JointKind, JointSpec, Model};
use articula::spatial::{Pose, Symmetric, Vector};
use articula::step::{Inputs, Piece, Solver, SpinMomentum};
use articula::switch::Choices;
use kit::{Kind, Random, Rig, machine, positions, relative};
use std::collections::HashSet;

const DURATION: f64 = 0.25;

/// Efforts at the start of a step: smooth in time.
fn drive(t: f64, n: usize, size: f64) -> Vec<f64> {
    (0..n).map(|j| size * (3.0 * t + j as f64).sin()).collect()
}

/// The state after [`DURATION`] in steps of `dt`, under smooth efforts and a wrench, and the pieces seen.
fn run(model: &Model<f64>, q: &[f64], v: &[f64], size: f64, steps: usize) -> (Vec<f64>, HashSet<Piece>) {
    let (n, dt) = (q.len(), DURATION / steps as f64);
    let mut rig = Rig::new(model.clone(), dt, Solver::Exact, q, v);
    let mut seen = HashSet::new();
    let frame = model.frames().len() - 1;
    let wrenches =
        [Wrench { frame, force: Vector::new(1.0, -2.0, 0.5), moment: Vector::new(0.2, 0.1, -0.3) }];
    for k in 0..steps {
        let effort = drive(k as f64 * dt, n, size);
        let inputs = Inputs { wrenches: &wrenches, ..Inputs::effort(&effort) };
        let report = rig.step(&inputs, &mut Choices::free());
        assert!(report.settled(), "{report:?}");
        seen.extend(rig.out.pieces.iter().copied());
    }
    ([rig.state.q, rig.state.v].concat(), seen)
}

/// Slope of log error against log dt from 1/64 to 1/2048 of the run, by least squares; the error is against the
/// extrapolation of two finer runs, whose own error is of second order where the scheme is smooth.
fn slope(model: &Model<f64>, q: &[f64], v: &[f64], size: f64) -> (f64, HashSet<Piece>) {
    let (coarse, _) = run(model, q, v, size, 1 << 15);
    let (fine, seen) = run(model, q, v, size, 1 << 16);
    let limit: Vec<f64> = fine.iter().zip(&coarse).map(|(f, c)| 2.0 * f - c).collect();
    let points: Vec<(f64, f64)> = (6..=11)
        .map(|k| {
            let (end, _) = run(model, q, v, size, 1 << k);
            (-f64::from(k), relative(&end, &limit).log2())
        })
        .collect();
    let count = points.len() as f64;
    let (mx, my) =
        (points.iter().map(|p| p.0).sum::<f64>() / count, points.iter().map(|p| p.1).sum::<f64>() / count);
    let above: f64 = points.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    let below: f64 = points.iter().map(|p| (p.0 - mx).powi(2)).sum();
    (above / below, seen)
}

/// Before any switch: random arms under smooth efforts, damping and a wrench are of order one in dt, 0.9 to 1.1. The
/// slope is taken over a factor of 32 in dt, where the next order leaves a few percent.
#[test]
fn smooth_runs_are_of_first_order() {
    let mut slopes = Vec::new();
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let n = 1 + random.below(4);
        let kind = Kind { friction: 0.0, stops: false, damping: 1.0, ..Kind::arm(n) };
        let model = machine(&mut random, kind);
        let q = positions(&mut random, &model);
        let (order, seen) = slope(&model, &q, &random.vector(n), 3.0);
        assert_eq!(seen, HashSet::from([Piece::Free]));
        slopes.push(order);
    }
    println!("orders of smooth runs: {slopes:.3?}");
    for order in slopes {
        assert!((0.9..=1.1).contains(&order), "{order}");
    }
}

/// Through stops, sticking and sliding the order is still about one, though not cleanly: the instant of a stop or a
/// standstill is found to within a step. Every arm meets switches; each slope is printed, and their median is 0.8 to 1.2.
#[test]
fn runs_through_stops_and_friction_are_of_about_first_order() {
    let (mut slopes, mut all) = (Vec::new(), HashSet::new());
    for seed in 0..9 {
        let mut random = Random::new(50 + seed);
        let n = 1 + random.below(3);
        let model = machine(&mut random, Kind { friction: 4.0, ..Kind::arm(n) });
        let mut q = positions(&mut random, &model);
        let mut v = random.vector(n);
        for (j, joint) in model.joints().iter().enumerate() {
            // On the way to a stop, one way or the other.
            if random.below(2) == 0 {
                (q[j], v[j]) = (joint.upper.unwrap() - 0.05, 1.0);
            }
        }
        let (order, seen) = slope(&model, &q, &v, 3.0);
        slopes.push(order);
        all.extend(seen);
    }
    println!("orders through stops and friction: {slopes:.3?}; pieces seen {all:?}");
    assert!([Piece::Stick, Piece::SlidePlus, Piece::SlideMinus].iter().all(|p| all.contains(p)));
    assert!(all.contains(&Piece::Upper) || all.contains(&Piece::Lower));
    for order in &slopes {
        assert!((0.5..=1.6).contains(order), "{order}");
    }
    slopes.sort_by(f64::total_cmp);
    assert!((0.8..=1.2).contains(&slopes[slopes.len() / 2]), "{slopes:?}");
}

/// A gimbal: yaw about z, then pitch about −y; the rotor's link with its centre of mass `l` out along its x axis.
fn gimbal(m: f64, l: f64, i: f64) -> Model<f64> {
    let mut builder = Builder::new("gimbal");
    let fork = Inertial::new(0.1, [0.0; 3], [1e-3, 0.0, 0.0, 1e-3, 0.0, 1e-3]);
    builder.link("stand", None).link("fork", Some(fork));
    builder.link("rotor", Some(Inertial::new(m, [l, 0.0, 0.0], [i, 0.0, 0.0, i, 0.0, i])));
    for (name, parent, child, axis) in
        [("yaw", "stand", "fork", [0.0, 0.0, 1.0]), ("pitch", "fork", "rotor", [0.0, -1.0, 0.0])]
    {
        builder.joint(JointSpec {
            name: name.into(),
            kind: Some(JointKind::Continuous),
            parent: parent.into(),
            child: child.into(),
            axis,
            ..JointSpec::default()
        });
    }
    builder.build().unwrap()
}

/// A horizontal rotor of momentum H on a gimbal, released at its steady precession Ω = m g l / H: it goes on at that rate
/// and in that sense (H along +x out, weight down: dH/dt = l × m g = +y m g l, so yaw about +z; reversed with H), to 1e-3:
/// the rate does not depend on the pitch. The scheme's first order shows in the pitch alone: the axle sinks at
/// ½ dt M⁻¹ Q = ½ dt m g l / I, to 2 %, half as fast at half the step. The momentum is carried in the rotor's axes, from
/// the pose at the start of each step.
#[test]
fn a_gyroscope_precesses_at_m_g_l_over_h() {
    let (m, l, i, spin) = (1.0, 0.2, 0.01, 20.0);
    let model = gimbal(m, l, i);
    let rotor = model.frame_index("rotor").unwrap();
    for sense in [1.0, -1.0] {
        for dt in [1e-3, 5e-4] {
            let expected = sense * m * 9.80665 * l / spin;
            let mut rig = Rig::new(model.clone(), dt, Solver::Exact, &[0.0, 0.0], &[expected, 0.0]);
            let mut pose = Pose::identity();
            let duration = 5.0;
            for _ in 0..(duration / dt) as u32 {
                let value = pose.rotation * Vector::new(sense * spin, 0.0, 0.0);
                let momenta = [SpinMomentum { frame: rotor, value }];
                let inputs = Inputs { momenta: &momenta, ..Inputs::effort(&[0.0, 0.0]) };
                let report = rig.step(&inputs, &mut Choices::free());
                assert!(report.settled());
                pose = rig.out.frame_poses[rotor];
            }
            let (rate, sinking) = (rig.state.q[0] / duration, -rig.state.q[1] / duration);
            let first_order = 0.5 * dt * m * 9.80665 * l / (i + m * l * l);
            println!(
                "dt {dt}: precession {rate:.6} rad/s, expected {expected:.6}; sinks at {sinking:.5} rad/s, \
                 expected {first_order:.5}"
            );
            assert!((rate / expected - 1.0).abs() < 1e-3);
            assert!((sinking / first_order - 1.0).abs() < 0.02);
        }
    }
}

/// The same on a chain of three joints at a general pose: over one tiny step from rest in yaw, the spinner's effort is
/// that of G = Σ Sᵀ [H]× S, by angular Jacobians built here from differences of poses: v′ − v = dt M⁻¹ G v to first
/// order, so the difference to a step without spin, over dt, is M⁻¹ G v up to dt.
#[test]
fn a_spinner_turns_a_three_joint_arm_by_its_own_jacobian() {
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let kind = Kind { friction: 0.0, stops: false, slides: 0.0, chain: 1.0, ..Kind::arm(3) };
        let model = machine(&mut random, kind);
        let frame = model.frames().len() - 1;
        let (q, v) = (positions(&mut random, &model), random.vector(3));
        let momentum = Vector::from(random.three());
        let dt = 1e-7;
        let step = |momenta: &[SpinMomentum<f64>]| {
            let mut rig = Rig::new(model.clone(), dt, Solver::Exact, &q, &v);
            let inputs = Inputs { momenta, ..Inputs::effort(&[0.0; 3]) };
            let report = rig.step(&inputs, &mut Choices::free());
            assert!(report.settled());
            rig.state.v
        };
        let (with, without) = (step(&[SpinMomentum { frame, value: momentum }]), step(&[]));
        let found: Vec<f64> = with.iter().zip(&without).map(|(a, b)| (a - b) / dt).collect();

        let mut ws = Workspace::new(&model);
        let rotation = |at: &[f64]| {
            let mut poses = vec![Pose::identity(); model.frames().len()];
            articula::dynamics::frame_poses(&model, &mut Workspace::new(&model), at, &mut poses);
            poses[frame].rotation
        };
        let columns: Vec<Vector<f64>> = (0..3)
            .map(|j| {
                let (mut above, mut below) = (q.clone(), q.clone());
                (above[j], below[j]) = (q[j] + 1e-6, q[j] - 1e-6);
                let w = (rotation(&above) - rotation(&below)) / 2e-6 * rotation(&q).transpose();
                Vector::new(w.m32, w.m13, w.m21)
            })
            .collect();
        let omega: Vector<f64> = columns.iter().zip(&v).map(|(c, v)| c * *v).sum();
        let effort: Vec<f64> = columns.iter().map(|s| s.dot(&momentum.cross(&omega))).collect();
        let mut m = vec![0.0; 9];
        mass_matrix(&model, &mut ws, &q, &[], &mut m);
        let expected =
            nalgebra::Matrix3::from_row_slice(&m).try_inverse().unwrap() * Vector::from_row_slice(&effort);
        assert!(relative(&found, expected.as_slice()) < 1e-5, "seed {seed}: {found:?} {expected}");
    }
}

/// Inertia that a frame carries is that of a massless body welded there: M and h to 1e-12 of a machine whose link has it
/// written in, at any pose; and in a step it enters Ms v′ at the start and A at the end, as equations.md 1 says: with
/// C0 = C1 the welded machine's step, and with C1 alone A v* = Ms v′ + … of the two matrices.
#[test]
fn carried_inertia_is_that_of_a_welded_body() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let n = 1 + random.below(5);
        let kind = Kind { friction: 0.0, stops: false, ..Kind::arm(n) };
        let model = machine(&mut random, kind);
        let (q, v) = (positions(&mut random, &model), random.vector(n));
        let frame = random.below(model.frames().len());
        let body = [0.03, 0.004, -0.002, 0.02, 0.003, 0.025];
        let inertial = Inertial::new(0.0, [0.0; 3], body);
        let welded =
            model.graft(&model.frames()[frame].name, "rotor", Pose::identity(), Some(inertial)).unwrap();
        let ws = &mut Workspace::new(&model);
        let mut poses = vec![Pose::identity(); model.frames().len()];
        articula::dynamics::frame_poses(&model, ws, &q, &mut poses);
        let r = poses[frame].rotation;
        let tensor = Symmetric::from_matrix(&(r * Symmetric::from_entries(body).to_matrix() * r.transpose()));
        let carried = [Carried { frame, tensor }];

        let (mut m, mut expected) = (vec![0.0; n * n], vec![0.0; n * n]);
        mass_matrix(&model, ws, &q, &carried, &mut m);
        mass_matrix(&welded, ws, &q, &[], &mut expected);
        assert!(relative(&m, &expected) < 1e-12);
        let (mut h, mut welded_h) = (vec![0.0; n], vec![0.0; n]);
        bias(&model, ws, &q, &v, &Loads { wrenches: &[], carried: &carried }, &mut h);
        bias(&welded, ws, &q, &v, &Loads::none(), &mut welded_h);
        assert!(relative(&h, &welded_h) < 1e-12);

        let effort = random.vector(n);
        let dt = 1e-2;
        let step = |model: &Model<f64>, start: &[Carried<f64>], end: &[Carried<f64>]| {
            let mut rig = Rig::new(model.clone(), dt, Solver::Exact, &q, &v);
            let inputs = Inputs { carried_start: start, carried_end: end, ..Inputs::effort(&effort) };
            let report = rig.step(&inputs, &mut Choices::free());
            assert!(report.settled());
            rig.state.v
        };
        let same = step(&model, &carried, &carried);
        assert!(relative(&same, &step(&welded, &[], &[])) < 1e-11);

        // C0 nothing, C1 the tensor: A from the welded machine, Ms and h from the bare one.
        let found = step(&model, &[], &carried);
        let mut bare = vec![0.0; n * n];
        mass_matrix(&model, ws, &q, &[], &mut bare);
        bias(&model, ws, &q, &v, &Loads::none(), &mut h);
        for i in 0..n {
            let product = |m: &[f64], x: &[f64]| (0..n).map(|j| m[i * n + j] * x[j]).sum::<f64>();
            let left = product(&expected, &found) + dt * model.joints()[i].damping * found[i];
            let right = product(&bare, &v) + dt * (effort[i] - h[i]);
            assert!((left - right).abs() < 1e-11 * (1.0 + right.abs()), "seed {seed}: {left} {right}");
        }
    }
}
