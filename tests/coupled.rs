//! Joints that follow others: the same answers as a machine whose joints are all free and held together by forces.

mod kit;

use articula::Error;
use articula::description::{Acknowledgement, Description};
use articula::dynamics::{self, Loads, Twist, Workspace, Wrench, coupled};
use articula::model::{Builder, Inertial, JointKind, JointSpec, MimicSpec, Model};
use articula::real::{Real, Tangents};
use articula::spatial::{Pose, vector};
use articula::step::{
    DynamicArm, Inputs, KinematicArm, Ledger, Outcome, Piece, Solver, SpinMomentum, StepWorkspace,
};
use articula::switch::Choices;
use kit::{Kind, Random, machine, relative};
use nalgebra::{DMatrix, DVector};

/// A random machine with at least one joint that follows another.
fn coupled_machine(random: &mut Random, kind: Kind) -> Model<f64> {
    loop {
        let model = machine(random, Kind { coupled: 0.5, ..kind });
        if !model.coupling().is_trivial() {
            return model;
        }
    }
}

/// `J` and `o` of `q = J y + o`, read off the names and numbers of the joints alone.
fn law(model: &Model<f64>) -> (DMatrix<f64>, DVector<f64>) {
    let n = model.joints().len();
    let free: Vec<usize> = (0..n).filter(|&j| model.joints()[j].mimic.is_none()).collect();
    let at = |y: &[f64]| -> Vec<f64> {
        fn position(model: &Model<f64>, free: &[usize], y: &[f64], j: usize) -> f64 {
            match &model.joints()[j].mimic {
                None => y[free.iter().position(|&k| k == j).unwrap()],
                Some(m) => m.multiplier * position(model, free, y, m.leader) + m.offset,
            }
        }
        (0..n).map(|j| position(model, &free, y, j)).collect()
    };
    let offset = at(&vec![0.0; free.len()]);
    let matrix = DMatrix::from_fn(n, free.len(), |j, k| {
        let mut y = vec![0.0; free.len()];
        y[k] = 1.0;
        at(&y)[j] - offset[j]
    });
    (matrix, offset.into())
}

/// Rows of `C v = 0`: each follower's velocity less its multiplier times its leader's.
fn constraints(model: &Model<f64>) -> DMatrix<f64> {
    let n = model.joints().len();
    let followers: Vec<usize> = (0..n).filter(|&j| model.joints()[j].mimic.is_some()).collect();
    let mut c = DMatrix::zeros(followers.len(), n);
    for (row, &j) in followers.iter().enumerate() {
        let mimic = model.joints()[j].mimic.unwrap();
        c[(row, j)] = 1.0;
        c[(row, mimic.leader)] = -mimic.multiplier;
    }
    c
}

/// Solution of `A x + Cᵀ λ = b, C x = 0`: the held machine by its forces.
fn held(a: &DMatrix<f64>, c: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let (n, m) = (a.nrows(), c.nrows());
    let mut whole = DMatrix::zeros(n + m, n + m);
    whole.view_mut((0, 0), (n, n)).copy_from(a);
    whole.view_mut((0, n), (n, m)).copy_from(&c.transpose());
    whole.view_mut((n, 0), (m, n)).copy_from(c);
    let mut right = DVector::zeros(n + m);
    right.rows_mut(0, n).copy_from(b);
    whole.lu().solve(&right).unwrap().rows(0, n).into_owned()
}

fn free_mass_matrix(model: &Model<f64>, q: &[f64]) -> DMatrix<f64> {
    let n = model.velocities();
    let mut m = vec![0.0; n * n];
    dynamics::mass_matrix(model, &mut Workspace::new(model), q, &[], &mut m);
    DMatrix::from_row_slice(n, n, &m)
}

/// On 60 random trees: M_y = Jᵀ M J, efforts Jᵀ τ, Jacobians X J, and accelerations those of the free machine with the
/// coupling's forces solved for. `J` is made here from the joints' own laws. To rounding times the condition of M.
#[test]
fn dynamics_are_those_of_the_held_machine() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let joints = 2 + random.below(7);
        let model = coupled_machine(&mut random, Kind::tree(joints));
        let (jacobian, offset) = law(&model);
        let (n, r) = (joints, jacobian.ncols());
        assert_eq!(r, model.coupling().independent().len());
        let [y, rate, second, effort] = [0; 4].map(|_| DVector::from_vec(random.vector(r)));
        let q = &jacobian * &y + offset;
        let [v, a] = [&rate, &second].map(|x| &jacobian * x);
        let loads = [Wrench { frame: n / 2, force: random.three().into(), moment: random.three().into() }];
        let loads = Loads { wrenches: &loads, carried: &[] };
        let mut ws = coupled::Workspace::new(&model);
        let (whole_q, whole_v) = ws.expand(&model, y.as_slice(), rate.as_slice());
        assert!(relative(whole_q, q.as_slice()) < 1e-14 && relative(whole_v, v.as_slice()) < 1e-14);

        let mass = free_mass_matrix(&model, q.as_slice());
        let mut found = vec![0.0; r * r];
        coupled::mass_matrix(&model, &mut ws, y.as_slice(), &[], &mut found);
        let expected = jacobian.transpose() * &mass * &jacobian;
        assert!(relative(&found, expected.transpose().as_slice()) < 1e-13, "seed {seed}");

        let mut free = Workspace::new(&model);
        let (mut bias, mut inverse) = (vec![0.0; n], vec![0.0; n]);
        dynamics::bias(&model, &mut free, q.as_slice(), v.as_slice(), &loads, &mut bias);
        let (qs, vs, acc) = (q.as_slice(), v.as_slice(), a.as_slice());
        dynamics::inverse_dynamics(&model, &mut free, qs, vs, acc, &loads, &mut inverse);
        let mut found = vec![0.0; r];
        coupled::bias(&model, &mut ws, y.as_slice(), rate.as_slice(), &loads, &mut found);
        let expected = jacobian.transpose() * DVector::from_column_slice(&bias);
        assert!(relative(&found, expected.as_slice()) < 1e-12, "seed {seed}");
        let (ys, rates) = (y.as_slice(), rate.as_slice());
        coupled::inverse_dynamics(&model, &mut ws, ys, rates, second.as_slice(), &loads, &mut found);
        let expected = jacobian.transpose() * DVector::from_column_slice(&inverse);
        assert!(relative(&found, expected.as_slice()) < 1e-12, "seed {seed}");

        // Efforts on leaders; the coupling's forces make the followers follow.
        coupled::forward_dynamics(&model, &mut ws, ys, rates, effort.as_slice(), &loads, &mut found);
        let mut tau = DVector::zeros(n);
        for (k, &j) in model.coupling().independent().iter().enumerate() {
            tau[j] = effort[k];
        }
        let right = tau - DVector::from_column_slice(&bias);
        let expected = held(&mass, &constraints(&model), &right);
        let whole = &jacobian * DVector::from_column_slice(&found);
        assert!(relative(whole.as_slice(), expected.as_slice()) < 1e-9, "seed {seed}");

        let (mut free_six, mut six) = (vec![0.0; 6 * n], vec![0.0; 6 * r]);
        for frame in 0..model.frames().len() {
            dynamics::frame_jacobian(&model, &mut free, qs, frame, &mut free_six);
            coupled::frame_jacobian(&model, &mut ws, ys, frame, &mut six);
            let expected = DMatrix::from_row_slice(6, n, &free_six) * &jacobian;
            assert!(relative(&six, expected.transpose().as_slice()) < 1e-13);
        }
    }
}

/// A free base under coupled joints: its six coordinates stay, the rest is as above.
#[test]
fn a_free_base_keeps_its_coordinates() {
    let mut random = Random::new(7);
    let model = coupled_machine(&mut random, Kind::tree(6)).with_free_base(true);
    let (jacobian, offset) = law(&model);
    let r = jacobian.ncols();
    let mut whole = DMatrix::identity(12, 6 + r);
    whole.view_mut((6, 6), (6, r)).copy_from(&jacobian);
    let base = [0.3, -0.2, 0.5, 0.5, 0.5, -0.5, 0.5];
    let y = random.vector(r);
    let joints = &jacobian * DVector::from_column_slice(&y) + offset;
    let q: Vec<f64> = base.iter().chain(joints.iter()).copied().collect();
    let reduced: Vec<f64> = base.iter().chain(&y).copied().collect();
    let mut ws = coupled::Workspace::new(&model);
    let mut found = vec![0.0; (6 + r) * (6 + r)];
    coupled::mass_matrix(&model, &mut ws, &reduced, &[], &mut found);
    let expected = whole.transpose() * free_mass_matrix(&model, &q) * &whole;
    assert!(relative(&found, expected.transpose().as_slice()) < 1e-13);
    // Accelerations of efforts, and efforts of accelerations.
    let (v, tau) = (random.vector(6 + r), random.vector(6 + r));
    let (mut a, mut back) = (vec![0.0; 6 + r], vec![0.0; 6 + r]);
    coupled::forward_dynamics(&model, &mut ws, &reduced, &v, &tau, &Loads::none(), &mut a);
    coupled::inverse_dynamics(&model, &mut ws, &reduced, &v, &a, &Loads::none(), &mut back);
    assert!(relative(&back, &tau) < 1e-9);
}

/// A coupled arm on its way through stops and friction, under efforts on every joint, wrenches and spin. At each step:
/// followers follow; no joint passes its own stop; each joint's own friction is within its bound, and against its
/// motion where it moves; stops push; and what is left of `A (v⁺ − v*) = p` on the free joints is forces that do no work
/// on any motion the coupling allows (`Jᵀ` of it is zero), as of a machine held by forces.
#[test]
fn steps_are_those_of_the_held_machine() {
    let (mut stopped, mut stuck, mut passed_on) = (0, 0, 0);
    for seed in 0..40 {
        let mut random = Random::new(100 + seed);
        let joints = 2 + random.below(6);
        let model = coupled_machine(&mut random, Kind { friction: 3.0, ..Kind::arm(joints) });
        let (jacobian, _) = law(&model);
        let (dt, frame) = (2e-3, model.frames().len() - 1);
        let arm = DynamicArm::new(model, dt, Solver::Exact).unwrap();
        let model = arm.model();
        let (mut ws, mut out) = (StepWorkspace::new(model), Outcome::new(model));
        let mut q: Vec<f64> = (0..joints).map(|_| 0.05 * random.unit()).collect();
        let mut v = random.vector(joints);
        model.coupling().positions(&mut q);
        model.coupling().rates(&mut v);
        let mut state = arm.state(&q, &v).unwrap();
        let mut ledger = Ledger::open(&arm, &mut ws, &state, &[]);
        for step in 0..400 {
            let effort: Vec<f64> =
                (0..joints).map(|j| 25.0 * (0.02 * step as f64 + j as f64).sin() * random.unit()).collect();
            let wrenches = [Wrench { frame, force: random.three().into(), moment: random.three().into() }];
            let momenta = [SpinMomentum { frame, value: random.three().into() }];
            let inputs = Inputs { wrenches: &wrenches, momenta: &momenta, ..Inputs::effort(&effort) };
            let before = state.clone();
            let report = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
            assert!(report.settled(), "seed {seed} step {step}: {report:?}");
            ledger.enter(&arm, &mut ws, &before, &state, &inputs, &out);

            let mut free = Workspace::new(model);
            let mass = free_mass_matrix(model, &before.q);
            let mut bias = vec![0.0; joints];
            let loads = Loads { wrenches: &wrenches, carried: &[] };
            dynamics::bias(model, &mut free, &before.q, &out.v_turned, &loads, &mut bias);
            let (turned, after) =
                (DVector::from_column_slice(&out.v_turned), DVector::from_column_slice(&state.v));
            let mut left = &mass * (&after - turned);
            let mut size = left.amax();
            for (j, joint) in model.joints().iter().enumerate() {
                let drive = dt * (effort[j] - bias[j]);
                let impulse = out.friction_impulse[j] + out.stop_impulse[j];
                left[j] += dt * joint.damping * state.v[j] - drive - impulse;
                size = size.max(drive.abs()).max(impulse.abs());

                let follows = joint.mimic.map(|m| m.multiplier * state.q[m.leader] + m.offset);
                assert!(follows.is_none_or(|law| (law - state.q[j]).abs() <= 1e-15 * (1.0 + law.abs())));
                let (lower, upper) = (joint.lower.unwrap(), joint.upper.unwrap());
                assert!((lower..=upper).contains(&state.q[j]), "seed {seed} step {step} joint {j}");
                let (most, friction) = (dt * joint.friction.unwrap(), out.friction_impulse[j]);
                assert!(friction.abs() <= most * (1.0 + 1e-12));
                let stop = out.stop_impulse[j];
                match out.pieces[j] {
                    Piece::SlidePlus => assert!(state.v[j] >= 0.0 && (friction + most).abs() < 1e-12 * most),
                    Piece::SlideMinus => assert!(state.v[j] <= 0.0 && (friction - most).abs() < 1e-12 * most),
                    Piece::Stick => {
                        stuck += 1;
                        assert_eq!(state.v[j], 0.0);
                    }
                    Piece::Lower => assert!(stop >= 0.0),
                    Piece::Upper => assert!(stop <= 0.0),
                    Piece::Free => panic!("every joint has friction"),
                }
                if stop != 0.0 {
                    // A stop pushes only where it is reached.
                    let at = if stop > 0.0 { lower } else { upper };
                    assert!((state.q[j] - at).abs() < 1e-15, "seed {seed} step {step} joint {j}");
                    stopped += 1;
                    passed_on += u32::from(joint.mimic.is_some());
                }
            }
            let work = jacobian.transpose() * left;
            assert!(work.amax() < 1e-11 * size, "seed {seed} step {step}: {}", work.amax() / size);
        }
        assert!(ledger.closure < 1e-11, "seed {seed}: {}", ledger.closure);
    }
    assert!(stopped > 100 && stuck > 100 && passed_on > 20, "{stopped} {stuck} {passed_on}");
}

/// Two slides of 1 and 2 kg, the second three times as fast and the other way, offset 0.1 m: one coordinate of 1 + 9 × 2
/// kg. Its friction is 0.5 + 3 × 0.2 N, its damping 1 + 9 × 0.1; pushed by 5 N it moves as one body does, by hand.
fn two_slides() -> Model<f64> {
    let mut pair = Builder::new("pair");
    let body = |mass: f64| Some(Inertial::new(mass, [0.0; 3], [1.0, 0.0, 0.0, 1.0, 0.0, 1.0]));
    pair.link("rail", None).link("a", body(1.0)).link("b", body(2.0));
    let slide = |name: &str, spec: JointSpec| JointSpec {
        name: format!("to_{name}"),
        kind: Some(JointKind::Prismatic),
        parent: "rail".into(),
        child: name.into(),
        ..spec
    };
    pair.joint(slide(
        "b",
        JointSpec {
            lower: Some(-0.5),
            upper: Some(0.4),
            friction: 0.2,
            damping: 0.1,
            mimic: Some(MimicSpec { joint: "to_a".into(), multiplier: -3.0, offset: 0.1 }),
            ..JointSpec::default()
        },
    ));
    pair.joint(slide(
        "a",
        JointSpec {
            lower: Some(-1.0),
            upper: Some(1.0),
            friction: 0.5,
            damping: 1.0,
            ..JointSpec::default()
        },
    ));
    pair.build().unwrap()
}

#[test]
fn two_slides_by_hand() {
    let dt = 1e-3;
    let arm = DynamicArm::new(two_slides(), dt, Solver::Exact).unwrap();
    let [b, a] = ["to_b", "to_a"].map(|name| arm.model().joint_index(name).unwrap());
    assert_eq!((b, a), (0, 1), "a follower may stand before its leader");
    let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
    let mut state = arm.state(&[0.1, 0.0], &[0.0, 0.0]).unwrap();
    let (mut y, mut rate) = (0.0_f64, 0.0_f64);
    let mut met = false;
    for _ in 0..4000 {
        let inputs = Inputs::effort(&[0.0, 5.0]);
        let report = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
        assert!(report.settled());
        // b's lower stop: 0.1 − 3 y = −0.5 at y = 0.2.
        let before = rate;
        rate = ((19.0 * rate + dt * (5.0 - 1.1)) / (19.0 + dt * 1.9)).min((0.2 - y) / dt);
        y = (y + dt * rate).min(0.2);
        assert!((state.q[a] - y).abs() < 1e-12 && (state.q[b] - (0.1 - 3.0 * y)).abs() < 1e-12);
        if y == 0.2 && before == 0.0 {
            // Held: 5 N less the friction of both on b's stop, as b sees it.
            met = true;
            assert_eq!((out.pieces[a], out.pieces[b]), (Piece::Upper, Piece::Lower));
            assert_eq!(out.stop_impulse[a], 0.0);
            assert!((out.stop_impulse[b] - dt * 3.9 / 3.0).abs() < 1e-12, "{}", out.stop_impulse[b] / dt);
            assert!((out.friction_impulse[a] + dt * 0.5).abs() < 1e-15);
            assert!((out.friction_impulse[b] - dt * 0.2).abs() < 1e-15);
            assert_eq!((state.q[a], state.q[b]), (0.6 / 3.0, -0.5));
        }
    }
    assert!(met);
    // 1.05 N on `a` is held by both frictions together, and neither alone would do.
    let mut state = arm.state(&[0.1, 0.0], &[0.0, 0.0]).unwrap();
    for _ in 0..100 {
        let inputs = Inputs::effort(&[0.0, 1.05]);
        let report = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
        assert!(report.settled() && state.q == [0.1, 0.0] && out.pieces == [Piece::Stick; 2]);
    }
    // An effort on the follower pushes through the coupling: −0.35 N there is +1.05 N on `a`.
    let inputs = Inputs::effort(&[-0.4, 0.0]);
    let _ = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
    assert!((state.v[a] - dt * (1.2 - 1.1) / (19.0 + dt * 1.9)).abs() < 1e-15);
}

/// Sweeps keep their promises on a coupled arm: no joint passes its own stop, followers follow.
#[test]
fn sweeps_keep_coupled_joints_within_their_stops() {
    for sweeps in [0, 1, 8] {
        for seed in 0..10 {
            let mut random = Random::new(500 + seed);
            let model = coupled_machine(&mut random, Kind::arm(5));
            let arm = DynamicArm::new(model, 5e-3, Solver::Sweeps(sweeps)).unwrap();
            let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
            let mut q = vec![0.0; 5];
            arm.model().coupling().positions(&mut q);
            let mut state = arm.state(&q, &[0.0; 5]).unwrap();
            for _ in 0..200 {
                let effort: Vec<f64> = (0..5).map(|_| 40.0 * random.unit()).collect();
                let inputs = Inputs::effort(&effort);
                let _ = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
                for (j, joint) in arm.model().joints().iter().enumerate() {
                    assert!((joint.lower.unwrap()..=joint.upper.unwrap()).contains(&state.q[j]));
                    let law = joint.mimic.map(|m| m.multiplier * state.q[m.leader] + m.offset);
                    assert!(law.is_none_or(|law| (law - state.q[j]).abs() < 1e-12));
                }
            }
        }
    }
}

/// Derivatives pass through the coupling: 30 steps of the two slides by the leader's start, an effort on each, both
/// frictions, and (at rest on it) the follower's stop, duals against central differences away from switches.
#[test]
fn duals_pass_through_the_coupling() {
    type Dual = Tangents<6>;
    fn end<T: Real>(x: &[T; 6], steps: usize) -> [T; 2] {
        let model = two_slides().map(T::from_f64);
        let model = model
            .with_joints(|j, joint| match joint.name.as_str() {
                "to_b" => {
                    assert_eq!(j, 0);
                    joint.friction = Some(x[3]);
                    joint.lower = Some(x[5]);
                }
                _ => joint.friction = Some(x[4]),
            })
            .unwrap();
        let arm = DynamicArm::new(model, 1e-3, Solver::Exact).unwrap();
        let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
        let follower = x[0] * T::from_f64(-3.0) + T::from_f64(0.1);
        let mut state = arm.state(&[follower, x[0]], &[T::zero(); 2]).unwrap();
        for _ in 0..steps {
            let inputs = Inputs::effort(&x[1..3]);
            let _ = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
        }
        [state.q[0], state.q[1]]
    }
    for (steps, push) in [(30, 5.0), (3000, 5.0)] {
        let at = [0.01, -0.3, push, 0.2, 0.5, -0.5];
        let seeded = std::array::from_fn(|k| {
            let mut x = Dual::from_f64(at[k]);
            x.tangents[k] = 1.0;
            x
        });
        let found = end(&seeded, steps);
        for k in 0..6 {
            let moved = |h: f64| {
                let mut x = at;
                x[k] += h;
                end(&x, steps)
            };
            let h = 1e-6;
            let (up, down) = (moved(h), moved(-h));
            for i in 0..2 {
                let difference = (up[i] - down[i]) / (2.0 * h);
                let off = (found[i].tangents[k] - difference).abs();
                assert!(
                    off < 1e-7 * (1.0 + difference.abs()),
                    "{steps} steps, by {k}: {difference} {found:?}"
                );
            }
        }
        if steps == 3000 {
            assert_eq!(found[0].tangents, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0], "on its stop it is the stop");
        }
    }
}

/// By the coupling's own numbers: multiplier and offset of the second slide, through 30 steps and on its stop, duals against
/// central differences.
#[test]
fn duals_pass_through_multiplier_and_offset() {
    type Dual = Tangents<2>;
    fn end<T: Real>(x: &[T; 2], steps: usize) -> [T; 2] {
        let addresses = [("to_b.mimic.multiplier", x[0]), ("to_b.mimic.offset", x[1])];
        let model = two_slides().map(T::from_f64).vary(&addresses).unwrap();
        let arm = DynamicArm::new(model, 1e-3, Solver::Exact).unwrap();
        let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
        let (zero, effort) = (T::zero(), [T::from_f64(-0.2), T::from_f64(5.0)]);
        let mut state =
            arm.state(&[arm.model().joints()[0].mimic.unwrap().offset, zero], &[zero; 2]).unwrap();
        for _ in 0..steps {
            let _ = arm.step(&mut ws, &mut state, &Inputs::effort(&effort), &mut Choices::free(), &mut out);
        }
        [state.q[0], state.q[1]]
    }
    for steps in [30, 3000] {
        let found = end(&[Dual::variable(0.0, 0), Dual::variable(0.0, 1)], steps);
        for k in 0..2 {
            let moved = |h: f64| {
                let mut x = [0.0; 2];
                x[k] = h;
                end(&x, steps)
            };
            let (up, down) = (moved(1e-6), moved(-1e-6));
            for i in 0..2 {
                let difference = (up[i] - down[i]) / 2e-6;
                let off = (found[i].tangents[k] - difference).abs();
                assert!(
                    off < 1e-7 * (1.0 + difference.abs()),
                    "{steps} steps, by {k}: {difference} {found:?}"
                );
            }
        }
    }
    let addresses = two_slides().addresses();
    let unit = |name: &str| addresses.iter().find(|a| a.name == name).map(|a| a.unit);
    assert_eq!((unit("to_b.mimic.multiplier"), unit("to_b.mimic.offset")), (Some("1"), Some("m")));
    assert_eq!(unit("to_a.mimic.offset"), None);
    let error = two_slides().vary(&[("to_b.mimic.multiplier", 3.0)]).unwrap_err().to_string();
    assert!(error.contains("to_b.mimic"), "a multiplier of zero: {error}");
}

/// Sides of coupled steps, recorded and replayed at the same inputs, give the same steps to the last bit; replayed at others
/// they hold the pieces they have, and say so.
#[test]
fn coupled_steps_replay() {
    let arm = DynamicArm::new(two_slides(), 1e-3, Solver::Exact).unwrap();
    let run = |choices: &mut Choices, push: f64| {
        let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
        let mut state = arm.state(&[0.1, 0.0], &[0.0; 2]).unwrap();
        let mut pieces = Vec::new();
        for k in 0..2000 {
            choices.at_step(k);
            let _ = arm.step(&mut ws, &mut state, &Inputs::effort(&[0.0, push]), choices, &mut out);
            pieces.push(out.pieces.clone());
        }
        (state, pieces)
    };
    let mut recorded = Choices::record();
    let (state, pieces) = run(&mut recorded, 5.0);
    assert!(pieces.iter().any(|p| p[0] == Piece::Lower) && pieces.iter().any(|p| p[0] == Piece::SlideMinus));
    let script = recorded.into_script();
    let (again, same) = run(&mut Choices::replay(script.clone()), 5.0);
    assert_eq!((again.q, again.v, same), (state.q, state.v, pieces.clone()));
    let (_, held) = run(&mut Choices::replay(script), 5.01);
    assert_eq!(held, pieces);
}

/// Commands of coupled joints: held within every stop, the follower with its leader.
#[test]
fn the_kinematic_rung_follows_too() {
    let arm = KinematicArm::new(two_slides(), 1e-3, None).unwrap();
    let mut state = arm.state(&[0.1, 0.0], &[0.0; 2]).unwrap();
    let (mut ws, mut out) = (Workspace::new(arm.model()), Outcome::new(arm.model()));
    assert!(arm.step(&mut ws, &mut state, &[7.0, 0.15], &mut Choices::free(), &mut out).settled());
    assert!((state.q[1] - 0.15).abs() < 1e-15 && (state.q[0] + 0.35).abs() < 1e-15);
    assert!((state.v[0] + 450.0).abs() < 1e-9 && (state.v[1] - 150.0).abs() < 1e-9);
    assert!(arm.step(&mut ws, &mut state, &[0.0, 0.9], &mut Choices::free(), &mut out).settled());
    assert_eq!((state.q[1], state.q[0]), (0.6 / 3.0, 0.1 - 3.0 * (0.6 / 3.0)));
    assert!((out.indicators[1].stop_high.unwrap() + 0.7).abs() < 1e-12);
    assert!((out.indicators[0].stop_low.unwrap() + 2.1).abs() < 1e-12, "three times as far, the other end");
}

const CHAIN: &str = r#"<robot name="chain">
  <link name="base"/>
  <link name="la"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="lb"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="lc"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="C" type="revolute"><parent link="lb"/><child link="lc"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="B" multiplier="2" offset="0.1"/></joint>
  <joint name="B" type="revolute"><parent link="la"/><child link="lb"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="A" multiplier="3" offset="0.2"/></joint>
  <joint name="A" type="revolute"><parent link="base"/><child link="la"/><axis xyz="0 1 0"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/></joint>
</robot>"#;

fn read(text: &str) -> Description {
    Description::parse("chain.urdf", text.as_bytes()).unwrap()
}

/// C = 2 B + 0.1 and B = 3 A + 0.2: C = 6 A + 0.5. The tip's pose is that of three turns added up, and its velocity is
/// (1 + 3 + 6) times A's.
#[test]
fn a_chain_of_followers_composes() {
    let model = Model::from_description(&read(CHAIN).coupled().acknowledge(&[]).unwrap()).unwrap();
    assert_eq!(model.coupling().independent(), [0]);
    let mut q = [0.05, 9.0, 9.0];
    model.coupling().positions(&mut q);
    assert!((q[1] - 0.35).abs() < 1e-15 && (q[2] - 0.8).abs() < 1e-15);
    let mut ws = coupled::Workspace::new(&model);
    let (q, v) = ws.expand(&model, &[0.05], &[2.0]);
    let (q, v) = (q.to_vec(), v.to_vec());
    assert_eq!(v, [2.0, 6.0, 12.0]);
    let mut poses = vec![Pose::identity(); 4];
    let mut twists = vec![Twist { linear: vector([0.0; 3]), angular: vector([0.0; 3]) }; 4];
    dynamics::frame_poses(&model, &mut ws.dynamics, &q, &mut poses);
    dynamics::frame_twists(&model, &mut ws.dynamics, &q, &v, &mut twists);
    let tip = model.frame_index("lc").unwrap();
    let angle: f64 = 0.05 + 0.35 + 0.8;
    assert!((poses[tip].to_row()[3] - (angle / 2.0).cos()).abs() < 1e-15);
    assert!((poses[tip].position.x - (0.05_f64.sin() + 0.4_f64.sin())).abs() < 1e-15);
    assert!((twists[tip].angular.y - 20.0).abs() < 1e-14);
    // An effort on A moves A, 3 A and 6 A: M_y = Σ over the three tensors and points, by hand from the velocities.
    let mut m = [0.0];
    coupled::mass_matrix(&model, &mut ws, &[0.05], &[], &mut m);
    let energy = dynamics::kinetic_energy(&model, &mut ws.dynamics, &q, &v);
    assert!((0.5 * m[0] * 4.0 - energy).abs() < 1e-12 * energy);
}

/// What cannot be coupled is named, with its place; acknowledged, it is a free joint beside coupled ones.
#[test]
fn followers_of_nothing_are_refused_by_name() {
    let refused = |from: &str, to: &str| {
        let text = CHAIN.replacen(from, to, 1);
        assert_ne!(text, CHAIN);
        match read(&text).coupled().acknowledge(&[]) {
            Err(Error::Refused { faults, .. }) => faults,
            other => panic!("{other:?}"),
        }
    };
    let cases = [
        ("joint=\"A\"", "joint=\"X\"", "B", "`X`, which does not exist"),
        ("joint=\"A\"", "joint=\"B\"", "B", "follows itself"),
        ("joint=\"A\"", "joint=\"C\"", "C", "follows itself"),
        ("multiplier=\"3\"", "multiplier=\"0\"", "B", "multiplier 0"),
        ("multiplier=\"3\"", "multiplyer=\"3\"", "B", "attribute `multiplyer`"),
        ("<joint name=\"A\" type=\"revolute\">", "<joint name=\"A\" type=\"fixed\">", "B", "does not move"),
        (
            "<joint name=\"A\" type=\"revolute\">",
            "<joint name=\"A\" type=\"prismatic\">",
            "B",
            "a hinge that follows",
        ),
    ];
    for (from, to, joint, words) in cases {
        let faults = refused(from, to);
        let fault = faults.iter().find(|f| f.found.starts_with(&format!("joint[{joint}]/mimic")));
        let fault = fault.unwrap_or_else(|| panic!("{to}: {faults:?}"));
        assert!(fault.found.contains(words), "{to}: {fault}");
        assert!(fault.line > 0 && fault.column > 0 && fault.fix.contains("--acknowledge"), "{fault}");
    }
    // Without asking, every mimic is refused; with it, an acknowledged one is free.
    assert!(read(CHAIN).acknowledge(&[]).is_err());
    let free = [Acknowledgement::parse("joint[B]/mimic=driven by hand").unwrap()];
    let model = Model::from_description(&read(CHAIN).coupled().acknowledge(&free).unwrap()).unwrap();
    let joints: Vec<(&str, bool)> =
        model.joints().iter().map(|j| (j.name.as_str(), j.mimic.is_some())).collect();
    assert_eq!(joints, [("A", false), ("B", false), ("C", true)]);
    // One of a circle acknowledged: the other two follow it.
    let circle = CHAIN.replacen(
        "velocity=\"1\"/></joint>\n</robot>",
        "velocity=\"1\"/><mimic joint=\"C\"/></joint>\n</robot>",
        1,
    );
    assert!(read(&circle).coupled().acknowledge(&[]).is_err());
    let free = [Acknowledgement::parse("joint[A]/mimic=it leads").unwrap()];
    let model = Model::from_description(&read(&circle).coupled().acknowledge(&free).unwrap()).unwrap();
    assert_eq!(model.coupling().independent(), [0]);
    // A broken one among sound ones, all answered for at once.
    let text = CHAIN.replacen("joint=\"A\"", "joint=\"X\"", 1);
    let model = Model::from_description(&read(&text).coupled().acknowledge_all("broken").unwrap()).unwrap();
    assert_eq!(model.coupling().independent().len(), 2);
}

/// Circles of thousands are judged in less time than they are read.
#[test]
fn long_chains_are_judged_quickly() {
    let joint = |j: usize, leader: usize| {
        format!(
            r#"<link name="l{j}"/><joint name="j{j}" type="revolute"><parent link="base"/><child link="l{j}"/><axis xyz="0 0 1"/>
               <limit lower="-1" upper="1" effort="1" velocity="1"/><mimic joint="j{leader}"/></joint>"#
        )
    };
    let count = 3_000;
    let joints: String = (0..count).map(|j| joint(j, (j + 1) % count)).collect();
    let text = format!(r#"<robot name="r"><link name="base"/>{joints}</robot>"#);
    let began = std::time::Instant::now();
    let description = read(&text).coupled();
    let reading = began.elapsed();
    match description.acknowledge(&[]) {
        Err(Error::Refused { faults, .. }) => assert_eq!(faults.len(), count),
        other => panic!("{other:?}"),
    }
    // Against reading the same file, so that a busy machine changes nothing.
    let judging = began.elapsed() - reading;
    assert!(judging < reading, "{judging:?} after {reading:?} of reading");
}

/// Stops of coupled joints that leave no position, and a start that is not on the law.
#[test]
fn impossible_couplings_are_refused() {
    let apart = two_slides().with_joints(|_, joint| {
        if joint.name == "to_b" {
            (joint.lower, joint.upper) = (Some(5.0), Some(6.0));
        }
    });
    let error = DynamicArm::new(apart.unwrap(), 1e-3, Solver::Exact).unwrap_err().to_string();
    assert!(error.contains("to_a") && error.contains("to_b") && error.contains("no position"), "{error}");
    // 1e-200 twice is no multiplier, nor is 1e10: no stop could be mapped through them.
    for (multiplier, chained) in [(1e-6, true), (1e10, false), (1e-200, true)] {
        let body = Some(Inertial::new(1.0, [0.0; 3], [1.0, 0.0, 0.0, 1.0, 0.0, 1.0]));
        let mut builder = Builder::new("chain");
        builder.link("world", None);
        for (name, follows) in [("a", None), ("b", Some("a")), ("c", chained.then_some("b"))] {
            let mimic = follows.map(|joint: &str| MimicSpec { joint: joint.into(), multiplier, offset: 0.0 });
            builder.link(&format!("link_{name}"), body);
            builder.joint(JointSpec {
                name: name.into(),
                kind: Some(JointKind::Prismatic),
                parent: "world".into(),
                child: format!("link_{name}"),
                mimic,
                ..JointSpec::default()
            });
        }
        let error = builder.build().unwrap_err().to_string();
        let named = if chained && multiplier == 1e-6 { "c.mimic" } else { "b.mimic" };
        assert!(error.contains(named) && error.contains("`a`"), "{error}");
    }
    // A start on the edge: 0.1 × 3 rounds past 0.3, which is not the user's doing.
    let edge = two_slides().with_joints(|_, joint| {
        let half = if joint.name == "to_b" { 0.30000000000000004 - 5.6e-17 } else { 1.0 };
        (joint.lower, joint.upper) = (Some(-half), Some(half));
    });
    let edge = edge.unwrap().vary(&[("to_b.mimic.offset", -0.1), ("to_b.mimic.multiplier", 6.0)]).unwrap();
    let arm = DynamicArm::new(edge, 1e-3, Solver::Exact).unwrap();
    let state = arm.state(&[0.1 * 3.0, 0.1], &[0.0; 2]).unwrap();
    assert_eq!(state.q[0], 0.3, "put on its stop");
    let arm = DynamicArm::new(two_slides(), 1e-3, Solver::Exact).unwrap();
    let error = arm.state(&[-0.8, 0.3], &[0.0; 2]).unwrap_err().to_string();
    assert!(error.contains("initial_positions.to_b") && error.contains("follows `to_a`"), "{error}");
    let error = arm.state(&[0.2, 0.0], &[0.0; 2]).unwrap_err().to_string();
    assert!(error.contains("initial_positions.to_b") && error.contains("0.1 m"), "{error}");
    let error = arm.state(&[0.1, 0.0], &[1.0, 0.0]).unwrap_err().to_string();
    assert!(error.contains("initial_velocities.to_b"), "{error}");
}
