//! Against formulas written out in the test: pendulums from their Lagrangians, slides, rotations by Rodrigues' formula,
//! friction's closed-form stopping time, rigid stops.

mod kit;

use articula::dynamics::{
    Loads, Twist, Workspace, bias, forward_dynamics, frame_poses, frame_twists, inverse_dynamics,
    kinetic_energy, mass_matrix, potential_energy,
};
use articula::model::{Builder, Inertial, JointKind, JointSpec};
use articula::spatial::{Matrix, Pose, Vector};
use articula::step::{Piece, Solver};
use kit::{Random, Rig, one_joint, single};

const G: f64 = 9.80665;

fn hinge(name: &str, parent: &str, child: &str, at: [f64; 3]) -> JointSpec {
    JointSpec {
        name: name.into(),
        kind: Some(JointKind::Revolute),
        parent: parent.into(),
        child: child.into(),
        origin: Pose::from_xyz_rpy(at, [0.0; 3]),
        axis: [0.0, 1.0, 0.0],
        ..JointSpec::default()
    }
}

/// A point mass with a moment of inertia about `y`, hanging at `(0, 0, −l)`.
fn bob(mass: f64, l: f64, iyy: f64) -> Inertial<f64> {
    Inertial::new(mass, [0.0, 0.0, -l], [iyy, 0.0, 0.0, iyy, 0.0, iyy])
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{what}: {found}, not {expected}");
}

/// A pendulum about −y hangs along −z: (m l² + I + armature) θ̈ = τ − m g l sin θ. All of M, h, FD, ID, both energies to
/// 1e-12.
#[test]
fn simple_pendulum() {
    let (m, l, i, armature) = (1.3, 0.7, 0.05, 0.02);
    let spec = JointSpec { armature, ..hinge("", "", "", [0.0; 3]) };
    let model = one_joint(bob(m, l, i), spec);
    let ws = &mut Workspace::new(&model);
    let none = Loads::none();
    let mut random = Random::new(1);
    for _ in 0..100 {
        let (q, v, tau) = (3.0 * random.unit(), 5.0 * random.unit(), 4.0 * random.unit());
        let inertia = m * l * l + i + armature;
        let (mut h, mut mass, mut acc, mut back) = ([0.0], [0.0], [0.0], [0.0]);
        bias(&model, ws, &[q], &[v], &none, &mut h);
        close(h[0], m * G * l * q.sin(), "h");
        mass_matrix(&model, ws, &[q], &[], &mut mass);
        close(mass[0], inertia, "M");
        forward_dynamics(&model, ws, &[q], &[v], &[tau], &none, &mut acc);
        close(acc[0], (tau - m * G * l * q.sin()) / inertia, "FD");
        inverse_dynamics(&model, ws, &[q], &[v], &acc, &none, &mut back);
        close(back[0], tau, "ID");
        close(kinetic_energy(&model, ws, &[q], &[v]), 0.5 * inertia * v * v, "T");
        close(potential_energy(&model, ws, &[q]), -m * G * l * q.cos(), "V");
    }
}

/// A double pendulum, angles a and b (the second relative to the first), from L = T − V with φ = a + b:
/// M11 = I1 + I2 + m1 c1² + m2 (l² + c2² + 2 l c2 cos b), M12 = I2 + m2 (c2² + l c2 cos b), M22 = I2 + m2 c2²,
/// h1 = −m2 l c2 sin b (2 ȧ ḃ + ḃ²) + g (m1 c1 + m2 l) sin a + g m2 c2 sin φ, h2 = m2 l c2 sin b ȧ² + g m2 c2 sin φ.
#[test]
fn double_pendulum() {
    let (m1, c1, i1, l, m2, c2, i2) = (1.1, 0.3, 0.02, 0.6, 0.8, 0.25, 0.03);
    let mut builder = Builder::new("double");
    builder.link("base", None).link("upper", Some(bob(m1, c1, i1))).link("lower", Some(bob(m2, c2, i2)));
    builder.joint(hinge("shoulder", "base", "upper", [0.0; 3]));
    builder.joint(hinge("elbow", "upper", "lower", [0.0, 0.0, -l]));
    let model = builder.build().unwrap();
    let ws = &mut Workspace::new(&model);
    let none = Loads::none();
    let mut random = Random::new(2);
    for _ in 0..100 {
        let q = [3.0 * random.unit(), 3.0 * random.unit()];
        let v = [4.0 * random.unit(), 4.0 * random.unit()];
        let phi = q[0] + q[1];
        let (s, c) = q[1].sin_cos();
        let m11 = i1 + i2 + m1 * c1 * c1 + m2 * (l * l + c2 * c2 + 2.0 * l * c2 * c);
        let (m12, m22) = (i2 + m2 * (c2 * c2 + l * c2 * c), i2 + m2 * c2 * c2);
        let h1 = -m2 * l * c2 * s * (2.0 * v[0] * v[1] + v[1] * v[1])
            + G * (m1 * c1 + m2 * l) * q[0].sin()
            + G * m2 * c2 * phi.sin();
        let h2 = m2 * l * c2 * s * v[0] * v[0] + G * m2 * c2 * phi.sin();
        let (mut mass, mut h, mut acc) = ([0.0; 4], [0.0; 2], [0.0; 2]);
        mass_matrix(&model, ws, &q, &[], &mut mass);
        for (found, expected) in mass.iter().zip([m11, m12, m12, m22]) {
            close(*found, expected, "M");
        }
        bias(&model, ws, &q, &v, &none, &mut h);
        close(h[0], h1, "h1");
        close(h[1], h2, "h2");
        let tau = [random.unit(), random.unit()];
        forward_dynamics(&model, ws, &q, &v, &tau, &none, &mut acc);
        let det = m11 * m22 - m12 * m12;
        let (r1, r2) = (tau[0] - h1, tau[1] - h2);
        let expected = [(m22 * r1 - m12 * r2) / det, (m11 * r2 - m12 * r1) / det];
        for (found, expected) in acc.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-11 * expected.abs().max(1.0), "{found} {expected}");
        }
    }
}

/// 2 kg on a slide pushed by 1 N from rest: q(1 s) = 0.25 m, and semi-implicit Euler is ahead of it by exactly
/// F dt t/(2 m), at every step and for every dt, to 1e-12.
#[test]
fn pushed_slide_is_ahead_by_half_a_step() {
    for solver in [Solver::Exact, Solver::Sweeps(1)] {
        for steps in [10, 100, 1000] {
            let dt = 1.0 / f64::from(steps);
            let model = single(JointKind::Prismatic, 2.0, JointSpec::default());
            let mut rig = Rig::new(model, dt, solver, &[0.0], &[0.0]);
            for k in 1..=steps {
                rig.push(&[1.0]);
                let t = f64::from(k) * dt;
                let expected = t * t / 4.0 + dt * t / 4.0;
                assert!((rig.state.q[0] - expected).abs() < 1e-12, "{solver:?} dt {dt} step {k}");
            }
            assert!((rig.state.q[0] - 0.25 - dt / 4.0).abs() < 1e-12);
        }
    }
}

/// `R = 1 + sin θ [a]× + (1 − cos θ) [a]×²`, a unit.
fn rodrigues(axis: [f64; 3], angle: f64) -> Matrix<f64> {
    let a = Vector::from(axis).normalize();
    let k = a.cross_matrix();
    Matrix::identity() + k * angle.sin() + k * k * (1.0 - angle.cos())
}

/// URDF's fixed-axis roll, pitch, yaw from three of Rodrigues' rotations.
fn rpy(angles: [f64; 3]) -> Matrix<f64> {
    rodrigues([0.0, 0.0, 1.0], angles[2])
        * rodrigues([0.0, 1.0, 0.0], angles[1])
        * rodrigues([1.0, 0.0, 0.0], angles[0])
}

/// Chains with oblique, negative and non-unit axes, among them those of public bug reports (scenarios 39, 41), origins
/// with roll, pitch and yaw: poses by Rodrigues' formula and products written here, to 1e-13.
#[test]
fn poses_follow_rodrigues_formula() {
    let axes = [
        [0.638, 0.0, -0.770],
        [0.0, 1.5, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 0.0, -1.0],
        [0.0, 0.0, -1e-3],
        [1e3, -2e3, 1e3],
        [-0.3, -0.4, -0.5],
        [1e-9, 0.0, -1.0],
    ];
    let mut random = Random::new(3);
    for trial in 0..50 {
        let mut builder = Builder::new("chain");
        builder.link("link_0", None);
        let mut expected = vec![(Matrix::identity(), Vector::zeros())];
        let mut q = Vec::new();
        for j in 0..4 {
            let axis = axes[(trial + 3 * j) % axes.len()];
            let (xyz, angles) = (random.three(), random.three().map(|x| 3.0 * x));
            let slides = random.below(3) == 0;
            builder.link(&format!("link_{}", j + 1), Some(random.inertial()));
            builder.joint(JointSpec {
                name: format!("joint_{j}"),
                kind: Some(if slides { JointKind::Prismatic } else { JointKind::Continuous }),
                parent: format!("link_{j}"),
                child: format!("link_{}", j + 1),
                origin: Pose::from_xyz_rpy(xyz, angles),
                axis,
                ..JointSpec::default()
            });
            let x = 3.0 * random.unit();
            q.push(x);
            let (r, p) = expected[j];
            let held: Matrix<f64> = r * rpy(angles);
            let place: Vector<f64> = p + r * Vector::from(xyz);
            expected.push(if slides {
                (held, place + held * Vector::from(axis).normalize() * x)
            } else {
                (held * rodrigues(axis, x), place)
            });
        }
        let model = builder.build().unwrap();
        let mut poses = vec![Pose::identity(); 5];
        frame_poses(&model, &mut Workspace::new(&model), &q, &mut poses);
        for (pose, (r, p)) in poses.iter().zip(&expected) {
            assert!((pose.rotation - r).norm() < 1e-13, "trial {trial}");
            assert!((pose.position - p).norm() < 1e-12, "trial {trial}");
        }
    }
}

/// A slide at distance r on an arm turning at ω about z: ID on the slide is m (r̈ − r ω²), on the arm
/// m (r² ω̇ + 2 r ṙ ω) + (I) ω̇, without gravity; the cart's velocity is (ṙ, r ω). To 1e-12.
#[test]
fn slide_on_a_turning_arm_feels_coriolis() {
    let (m, i) = (1.7, 0.04);
    let mut builder = Builder::new("turning");
    builder.link("base", None).link("arm", None);
    builder.link("cart", Some(Inertial::new(m, [0.0; 3], [i, 0.0, 0.0, i, 0.0, i])));
    builder.joint(JointSpec { axis: [0.0, 0.0, 1.0], ..hinge("turn", "base", "arm", [0.0; 3]) });
    builder.joint(JointSpec {
        name: "out".into(),
        kind: Some(JointKind::Prismatic),
        parent: "arm".into(),
        child: "cart".into(),
        ..JointSpec::default()
    });
    let model = builder.build().unwrap().with_gravity(Vector::zeros());
    let ws = &mut Workspace::new(&model);
    let mut random = Random::new(4);
    for _ in 0..50 {
        let (theta, r) = (3.0 * random.unit(), random.within(0.1, 2.0));
        let (w, rate) = (3.0 * random.unit(), 2.0 * random.unit());
        let a = [random.unit(), random.unit()];
        let mut tau = [0.0; 2];
        inverse_dynamics(&model, ws, &[theta, r], &[w, rate], &a, &Loads::none(), &mut tau);
        close(tau[0], m * (r * r * a[0] + 2.0 * r * rate * w) + i * a[0], "arm");
        close(tau[1], m * (a[1] - r * w * w), "slide");
        let zero = Vector::zeros();
        let mut twists = [Twist { linear: zero, angular: zero }; 3];
        frame_twists(&model, ws, &[theta, r], &[w, rate], &mut twists);
        let turned = rodrigues([0.0, 0.0, 1.0], theta) * Vector::new(rate, r * w, 0.0);
        assert!((twists[2].linear - turned).norm() < 1e-12);
        assert!((twists[2].angular - Vector::new(0.0, 0.0, w)).norm() < 1e-12);
    }
}

/// A hinge of inertia J with damping d = 0.1 and friction μ = 0.5 coasting from v₀ (scenario 5): J v̇ = −d v − μ stops at
/// T = (J/d) ln(1 + d v₀/μ), and stays. The step's own law, v⁺ = (J v − dt μ)/(J + dt d), is met to rounding at every
/// step; its stopping time is the closed form's within a step for the first-order error, dt (1 + ½ d v₀/μ).
#[test]
fn coasting_hinge_stops_in_finite_time() {
    let (inertia, damping, friction) = (0.8, 0.1, 0.5);
    let spec = JointSpec { damping, friction, ..JointSpec::default() };
    for v0 in [0.5, 3.0, -20.0_f64] {
        for dt in [1e-2, 1e-3] {
            let model = single(JointKind::Continuous, inertia, spec.clone());
            let mut rig = Rig::new(model, dt, Solver::Exact, &[0.0], &[v0]);
            let expected = inertia / damping * (1.0 + damping * v0.abs() / friction).ln();
            let mut stopped = None;
            for k in 1..=(2.0 * expected / dt) as u32 {
                let v = rig.state.v[0];
                rig.push(&[0.0]);
                let reached = ((inertia * v.abs() - dt * friction) / (inertia + dt * damping)).max(0.0);
                assert!((rig.state.v[0].abs() - reached).abs() < 1e-14 * v0.abs());
                if rig.state.v[0] == 0.0 && stopped.is_none() {
                    stopped = Some(f64::from(k) * dt);
                }
                assert!(stopped.is_none() || rig.state.v[0] == 0.0, "it started again");
            }
            let stopped = stopped.expect("it stops");
            let allowed = dt * (2.0 + 0.5 * damping * v0.abs() / friction);
            assert!((stopped - expected).abs() < allowed, "v₀ {v0}: {stopped} s, not {expected} s");
        }
    }
}

/// Into a stop at 1, 5 and 100 rad/s, a step covering up to half a turn (scenario 57): never past it by one bit, there at
/// the end of the step that meets it, at rest after the next, by any solver that visits it.
#[test]
fn no_speed_passes_a_stop() {
    for solver in [Solver::Exact, Solver::Sweeps(1), Solver::Sweeps(8)] {
        for speed in [1.0, 5.0, 100.0, -1.0, -5.0, -100.0] {
            for dt in [1e-3, 1e-2, 3e-2] {
                let spec = JointSpec { lower: Some(-0.7), upper: Some(0.9), ..JointSpec::default() };
                let model = single(JointKind::Revolute, 0.5, spec).with_gravity(Vector::zeros());
                let mut rig = Rig::new(model, dt, solver, &[0.1], &[speed]);
                let stop = if speed > 0.0 { 0.9 } else { -0.7 };
                let mut met = None;
                for k in 0..2000 {
                    rig.push(&[0.0]);
                    let q = rig.state.q[0];
                    assert!((-0.7..=0.9).contains(&q), "{speed} rad/s, dt {dt}: {q}");
                    if q == stop && met.is_none() {
                        met = Some(k);
                    }
                    if met.is_some_and(|m| k > m) {
                        assert_eq!((q, rig.state.v[0]), (stop, 0.0), "{solver:?} {speed} rad/s, dt {dt}");
                    }
                }
                let expected = ((stop - 0.1) / (speed * dt)).abs().ceil() as i32 - 1;
                assert!((met.unwrap() - expected).abs() <= 1, "{met:?} {expected}");
            }
        }
    }
}

/// Pressed against a stop and let go, with an effort that swings (scenario 55): the stop's impulse never pulls, and while
/// the joint leaves, the step is that of an arm without stops, bit for bit.
#[test]
fn a_stop_never_attracts() {
    let spec = JointSpec { lower: Some(0.0), upper: Some(0.4), ..JointSpec::default() };
    let bounded = single(JointKind::Prismatic, 2.0, spec).with_gravity(Vector::zeros());
    let unbounded = single(JointKind::Prismatic, 2.0, JointSpec::default()).with_gravity(Vector::zeros());
    let mut rig = Rig::new(bounded, 1e-3, Solver::Exact, &[0.0], &[0.0]);
    let (mut pressed, mut left) = (0, 0);
    for k in 0..10_000 {
        let effort = 3.0 * (0.004 * f64::from(k)).sin() + if k % 7 == 0 { 2.0 } else { -1.0 };
        let (q, v) = (rig.state.q.clone(), rig.state.v.clone());
        rig.push(&[effort]);
        let impulse = rig.out.stop_impulse[0];
        match rig.out.pieces[0] {
            Piece::Lower => assert!(impulse >= 0.0),
            Piece::Upper => assert!(impulse <= 0.0),
            _ => assert_eq!(impulse, 0.0),
        }
        pressed += i32::from(impulse != 0.0);
        if impulse == 0.0 && (q[0] == 0.0 || q[0] == 0.4) {
            left += 1;
            let mut free = Rig::new(unbounded.clone(), 1e-3, Solver::Exact, &q, &v);
            free.push(&[effort]);
            assert_eq!(free.state.v, rig.state.v, "left as if there were no stop");
        }
    }
    assert!(pressed > 100 && left > 20, "{pressed} {left}");
}

/// An arm at rest below break-away creeps by nothing at all (scenario 63): held at 99.999 % of its friction for 100 s,
/// its position is the same number; at 100.001 % it moves.
#[test]
fn held_friction_does_not_creep() {
    let (m, l) = (1.0, 0.5);
    let angle = 0.6_f64;
    let weight = m * G * l * angle.sin();
    for (share, moves) in [(1.00001, false), (0.99999, true)] {
        let spec = JointSpec { friction: weight * share, ..hinge("", "", "", [0.0; 3]) };
        let model = one_joint(bob(m, l, 0.01), spec);
        let mut rig = Rig::new(model, 1e-2, Solver::Exact, &[angle], &[0.0]);
        (0..10_000).for_each(|_| rig.push(&[0.0]));
        assert_eq!(rig.state.q[0] != angle, moves, "{share}");
        assert!(moves || rig.state.v[0] == 0.0);
    }
}

/// A pendulum without friction for 100 s (scenario 77): semi-implicit Euler is symplectic, so the energy error stays
/// bounded, by its first-order ½ dt |θ̇ m g l sin θ| at most over the orbit, and does not grow: the mean over the last
/// ten seconds is that over the first ten to a hundredth of the bound. It swings at its own amplitude to the end.
#[test]
fn a_pendulum_keeps_its_energy_for_100_seconds() {
    let (m, l, dt) = (1.0, 0.5, 1e-3);
    let model = one_joint(bob(m, l, 0.0), hinge("", "", "", [0.0; 3]));
    let mut rig = Rig::new(model, dt, Solver::Exact, &[1.0], &[0.0]);
    let inertia = m * l * l;
    let energy = |q: f64, v: f64| 0.5 * inertia * v * v + m * G * l * (1.0 - q.cos());
    let start = energy(1.0, 0.0);
    let most = (2.0 * start / inertia).sqrt();
    let bound = 0.5 * dt * most * m * G * l * 1.0_f64.sin();
    let (mut worst, mut amplitude, mut means) = (0.0_f64, 0.0_f64, [0.0; 10]);
    for k in 0..100_000 {
        rig.push(&[0.0]);
        let off = energy(rig.state.q[0], rig.state.v[0]) - start;
        worst = worst.max(off.abs());
        means[k / 10_000] += off / 10_000.0;
        if k >= 90_000 {
            amplitude = amplitude.max(rig.state.q[0].abs());
        }
    }
    println!(
        "energy off by at most {:.1e} of {start:.3} J, bound {:.1e}; first and last ten seconds' means {:.1e}, {:.1e}",
        worst, bound, means[0], means[9]
    );
    assert!(worst < bound);
    assert!((means[9] - means[0]).abs() < 0.01 * bound, "{means:?}");
    assert!((amplitude - 1.0).abs() < 1e-3);
}
