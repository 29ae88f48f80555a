//! Derivatives: every dual number agrees with every other and with differences, by state, inputs and parameters; at
//! ties they are one-sided, and everywhere they are finite.

mod kit;

use articula::dynamics::{
    Carried, Loads, Twist, Workspace, Wrench, bias, center_of_mass, forward_dynamics, frame_jacobian,
    frame_poses, frame_twists, inverse_dynamics, kinetic_energy, mass_matrix, momentum, potential_energy,
    regressor,
};
use articula::model::{Inertial, JointKind, JointSpec, Model};
use articula::spatial::{Pose, Symmetric, Vector};
use articula::step::switches::{FRICTION_LOW, STICK, STOP_LOW};
use articula::step::{DynamicArm, Inputs, Outcome, Piece, Solver, SpinMomentum, StepWorkspace};
use articula::switch::{Choices, Place, Script, Switch};
use articula::{Real, Tangents};
use kit::tangents::{Function, Groups, assert_same_tangents, block, by_differences, by_duals, sides};
use kit::{Kind, Random, Rig, constants, machine, one_joint, positions, single};
use num_dual::{Derivative, Dual2_64, Dual2SVec64, Dual64, DualSVec64, HyperDual64, HyperDualSVec64};
use std::collections::HashSet;

/// Of duals against duals: the same arithmetic in another order, through a linear solve a step.
const DUALS: f64 = 1e-12;
/// Of duals against central differences over ±1e-6: rounding 1e-16/1e-6 times the arm's condition.
const DIFFERENCES: f64 = 1e-6;
const H: f64 = 1e-6;

fn frame_numbers<T: Real>(poses: &[Pose<T>], twists: &[Twist<T>]) -> Groups<T> {
    vec![
        ("rotations", poses.iter().flat_map(|p| p.rotation.iter().copied().collect::<Vec<_>>()).collect()),
        ("places", poses.iter().flat_map(|p| p.position.iter().copied().collect::<Vec<_>>()).collect()),
        ("speeds", twists.iter().flat_map(|t| t.linear.iter().copied().collect::<Vec<_>>()).collect()),
        ("turns", twists.iter().flat_map(|t| t.angular.iter().copied().collect::<Vec<_>>()).collect()),
    ]
}

/// A wrench (6 numbers) and carried inertia (6) on a frame.
fn loads_of<T: Real>(frame: usize, x: &[T]) -> (Wrench<T>, Carried<T>) {
    let three = |k: usize| Vector::new(x[k], x[k + 1], x[k + 2]);
    let tensor = Symmetric::from_entries(std::array::from_fn(|k| x[6 + k]));
    (Wrench { frame, force: three(0), moment: three(3) }, Carried { frame, tensor })
}

/// Everything smooth, of one machine, by `q, v, a`, a wrench and a carried inertia.
struct Smooth {
    model: Model<f64>,
    frame: usize,
}

impl Function for Smooth {
    fn at<T: Real>(&self, x: &[T], _: &mut Choices) -> Groups<T> {
        let model = self.model.map(T::from_f64);
        let (p, n) = (model.positions(), model.velocities());
        let (q, v, a, rest) = (&x[..p], &x[p..p + n], &x[p + n..p + 2 * n], &x[p + 2 * n..]);
        let (wrench, carried) = loads_of(self.frame, rest);
        let loads = Loads { wrenches: &[wrench], carried: &[carried] };
        let ws = &mut Workspace::new(&model);
        let row = || vec![T::zero(); n];
        let (mut tau, mut acc, mut h, mut m) = (row(), row(), row(), vec![T::zero(); n * n]);
        inverse_dynamics(&model, ws, q, v, a, &loads, &mut tau);
        // The same numbers as efforts.
        forward_dynamics(&model, ws, q, v, a, &loads, &mut acc);
        bias(&model, ws, q, v, &loads, &mut h);
        mass_matrix(&model, ws, q, loads.carried, &mut m);
        let frames = model.frames().len();
        let zero = Vector::zeros();
        let (mut poses, mut twists) =
            (vec![Pose::identity(); frames], vec![Twist { linear: zero, angular: zero }; frames]);
        frame_poses(&model, ws, q, &mut poses);
        frame_twists(&model, ws, q, v, &mut twists);
        let mut jacobian = vec![T::zero(); 6 * n];
        frame_jacobian(&model, ws, q, self.frame, &mut jacobian);
        let mut y = vec![T::zero(); n * 10 * frames];
        regressor(&model, ws, q, v, a, &mut y);
        let energy = vec![kinetic_energy(&model, ws, q, v), potential_energy(&model, ws, q)];
        let center = center_of_mass(&model, ws, q).iter().copied().collect();
        let all = momentum(&model, ws, q, v);
        let mut groups = frame_numbers(&poses, &twists);
        groups.extend([("inverse", tau), ("forward", acc), ("bias", h), ("mass", m), ("jacobian", jacobian)]);
        groups.extend([("regressor", y), ("energy", energy), ("center", center)]);
        groups.push(("momentum", all.linear.iter().chain(&all.angular_about_com).copied().collect()));
        groups
    }
}

/// A random arm in a random state that is likely to meet stops and to stick.
struct Step {
    model: Model<f64>,
    frame: usize,
    dt: f64,
    solver: Solver,
    steps: usize,
}

impl Step {
    fn random(random: &mut Random, steps: usize, solver: Solver) -> (Self, Vec<f64>) {
        let joints = 2 + random.below(5);
        let placement = Pose::from_xyz_rpy(random.three(), random.three());
        let model = machine(random, Kind::arm(joints)).with_placement(placement);
        let bare: Vec<bool> = (0..joints).map(|_| random.within(0.0, 1.0) < 0.3).collect();
        let strong: Vec<f64> = (0..joints).map(|_| 30.0 * random.within(0.0, 1.0).powi(2)).collect();
        let model = model
            .with_joints(|j, joint| joint.friction = if bare[j] { None } else { Some(0.5 + strong[j]) })
            .unwrap();
        let (frame, dt) = (random.below(model.frames().len()), 5e-3);
        let mut q = positions(random, &model);
        let mut v = random.vector(joints);
        for (j, joint) in model.joints().iter().enumerate() {
            // Some on their way into a stop, some nearly at rest.
            match random.below(5) {
                0 => (q[j], v[j]) = (joint.lower.unwrap() + 1e-3, -1.0 - v[j].abs()),
                1 => (q[j], v[j]) = (joint.upper.unwrap() - 1e-3, 1.0 + v[j].abs()),
                2 => v[j] *= 1e-3,
                _ => {}
            }
        }
        let effort: Vec<f64> = (0..joints).map(|_| 10.0 * random.unit()).collect();
        let mut x = [q, v, effort].concat();
        x.extend(random.vector(6));
        x.extend([0.03, 0.004, -0.002, 0.02, 0.003, 0.025]);
        x.extend([0.02, -0.004, 0.003, 0.03, 0.001, 0.02]);
        x.extend(random.three());
        (Step { model, frame, dt, solver, steps }, x)
    }

    /// The arm's run, and the pieces its joints were on.
    fn run<T: Real>(
        &self,
        model: Model<T>,
        x: &[T],
        choices: &mut Choices,
        seen: &mut HashSet<Piece>,
    ) -> Groups<T> {
        let n = model.joints().len();
        let arm = DynamicArm::new(model, self.dt, self.solver).unwrap();
        let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
        let mut state = arm.state(&x[..n], &x[n..2 * n]).unwrap();
        let rest = &x[3 * n..];
        let (wrench, start) = loads_of(self.frame, rest);
        let end = Carried { tensor: Symmetric::from_entries(std::array::from_fn(|k| rest[12 + k])), ..start };
        let spin = SpinMomentum { frame: self.frame, value: Vector::new(rest[18], rest[19], rest[20]) };
        for step in 0..self.steps {
            choices.at_step(step as u64);
            let share = (0.4 * step as f64).cos();
            let effort: Vec<T> = x[2 * n..3 * n].iter().map(|u| u.scale(share)).collect();
            let inputs = Inputs {
                effort: &effort,
                friction: &[],
                wrenches: &[wrench],
                momenta: &[spin],
                carried_start: &[start],
                carried_end: &[end],
            };
            let report = arm.step(&mut ws, &mut state, &inputs, choices, &mut out);
            assert!(report.settled() || self.solver != Solver::Exact, "{report:?}");
            seen.extend(out.pieces.iter().copied());
        }
        let mut groups = vec![("positions", state.q), ("velocities", state.v), ("free", out.v_free)];
        groups.extend([("friction", out.friction_impulse), ("stops", out.stop_impulse)]);
        groups.extend(frame_numbers(&out.frame_poses, &out.frame_twists));
        groups
    }
}

impl Function for Step {
    fn at<T: Real>(&self, x: &[T], choices: &mut Choices) -> Groups<T> {
        self.run(self.model.map(T::from_f64), x, choices, &mut HashSet::new())
    }

    /// Of sweeps, the visits: on a stop, rounding decides whether the last clamp has anything to remove.
    fn same_sides(&self, a: &Script, b: &Script) -> bool {
        let Solver::Sweeps(count) = self.solver else { return a == b };
        let n = self.model.joints().len() as u64;
        let piece = |s: &Script, step, switch: &Switch, instance| {
            s.get(&Place { step, owner: 0, switch: switch.name, instance }).map(|c| c.piece)
        };
        (0..self.steps as u64).all(|step| {
            let visits = |switch| (0..u64::from(count) * n).map(move |k| (switch, k));
            let all = visits(&FRICTION_LOW).chain(visits(&STOP_LOW)).chain((0..n).map(|j| (&STICK, j)));
            { all }.all(|(switch, k)| piece(a, step, switch, k) == piece(b, step, switch, k))
        })
    }
}

/// The same run by the amounts added to the model's numbers.
struct Parameters {
    step: Step,
    x: Vec<f64>,
    names: Vec<String>,
}

impl Function for Parameters {
    fn at<T: Real>(&self, amounts: &[T], choices: &mut Choices) -> Groups<T> {
        let changes: Vec<(&str, T)> =
            self.names.iter().map(String::as_str).zip(amounts.iter().copied()).collect();
        let model = self.step.model.map(T::from_f64).vary(&changes).unwrap();
        self.step.run(model, &constants(&self.x), choices, &mut HashSet::new())
    }
}

/// First derivatives by every scalar; the worst disagreement.
fn compare_scalars(what: &str, f: &impl Function, x: &[f64]) -> f64 {
    let reference = by_duals::<Tangents<8>>(f, x);
    let others = [
        ("Dual64", by_duals::<Dual64>(f, x)),
        ("DualSVec64<3>", by_duals::<DualSVec64<3>>(f, x)),
        ("Dual2_64", by_duals::<Dual2_64>(f, x)),
        ("HyperDual64", by_duals::<HyperDual64>(f, x)),
        ("Dual2SVec64<2>", by_duals::<Dual2SVec64<2>>(f, x)),
        ("HyperDualSVec64<2, 2>", by_duals::<HyperDualSVec64<2, 2>>(f, x)),
    ];
    let mut worst = 0.0_f64;
    for (name, other) in &others {
        let (off, compared) =
            assert_same_tangents(&format!("{what} by {name}"), other, &reference, DUALS, 1e-2);
        assert_eq!(compared, x.len());
        worst = worst.max(off);
    }
    worst
}

/// By duals against differences: the worst disagreement; columns compared, and all.
fn compare_differences(what: &str, f: &impl Function, x: &[f64]) -> (f64, usize, usize) {
    let duals = by_duals::<Tangents<8>>(f, x);
    let (off, compared) = assert_same_tangents(what, &duals, &by_differences(f, x, H), DIFFERENCES, 1e-3);
    (off, compared, x.len())
}

/// Second derivatives by Dual2 and HyperDual, against differences of first derivatives by Dual64: both by a pair of
/// inputs `(i, j)`. Left out where a side changes. The tolerance is that of first derivatives.
fn compare_second(what: &str, f: &impl Function, x: &[f64], i: usize, j: usize) -> bool {
    let first = |at: &[f64], by: usize| -> Groups<Dual64> {
        let seeded: Vec<Dual64> =
            at.iter().enumerate().map(|(k, x)| Dual64::new(*x, f64::from(k == by))).collect();
        f.at(&seeded, &mut Choices::free())
    };
    let moved = |amount: f64| {
        let mut at = x.to_vec();
        at[i] += amount;
        at
    };
    let here = sides(f, x);
    if !f.same_sides(&sides(f, &moved(H)), &here) || !f.same_sides(&sides(f, &moved(-H)), &here) {
        return false;
    }
    let mixed: Vec<HyperDual64> =
        (0..x.len()).map(|k| HyperDual64::new(x[k], f64::from(k == i), f64::from(k == j), 0.0)).collect();
    let mixed = f.at(&mixed, &mut Choices::free());
    let twice: Vec<Dual2_64> = (0..x.len()).map(|k| Dual2_64::new(x[k], f64::from(k == i), 0.0)).collect();
    let twice = f.at(&twice, &mut Choices::free());
    // Both at once, as blocks of two: the Hessian by (i, j).
    let unit = |k: usize| match k {
        k if k == i => [1.0, 0.0],
        k if k == j => [0.0, 1.0],
        _ => [0.0, 0.0],
    };
    let hessian: Vec<Dual2SVec64<2>> = (0..x.len())
        .map(|k| Dual2SVec64::new(x[k], Derivative::some(unit(k).into()), Derivative::none()))
        .collect();
    let hessian = f.at(&hessian, &mut Choices::free());
    let hyper: Vec<HyperDualSVec64<2, 2>> = (0..x.len())
        .map(|k| {
            let mut y = HyperDualSVec64::from(x[k]);
            y.eps1 = Derivative::some(unit(k).into());
            y.eps2 = Derivative::some(unit(k).into());
            y
        })
        .collect();
    let hyper = f.at(&hyper, &mut Choices::free());
    for (by, cell) in [(i, 0), (j, 1)] {
        let (above, below) = (first(&moved(H), by), first(&moved(-H), by));
        for g in 0..above.len() {
            let slopes: Vec<f64> =
                above[g].1.iter().zip(&below[g].1).map(|(a, b)| (a.eps - b.eps) / (2.0 * H)).collect();
            let size = above[g].1.iter().fold(1e-3_f64, |m, x| m.max(x.eps.abs()));
            let scale = slopes.iter().fold(size, |m, x| m.max(x.abs()));
            for (k, slope) in slopes.iter().enumerate() {
                let mut found = vec![
                    ("Dual2SVec64", block(&hessian[g].1[k].v2)[cell]),
                    ("HyperDualSVec64", block(&hyper[g].1[k].eps1eps2)[2 * cell]),
                ];
                found.push(if cell == 0 {
                    ("Dual2_64", twice[g].1[k].v2)
                } else {
                    ("HyperDual64", mixed[g].1[k].eps1eps2)
                });
                for (by_what, value) in found {
                    assert!(
                        (value - slope).abs() <= DIFFERENCES * scale,
                        "{what}: {} [{k}] by {i}, {by} by {by_what}: {value:e}, not {slope:e} of {scale:e}",
                        above[g].0
                    );
                }
            }
        }
    }
    true
}

/// The smooth algorithms on random trees, fixed and free bases: first derivatives by seven scalars to 1e-12 and by
/// differences to 1e-6; second ones by four scalars against differences of first ones. Nothing is shared between
/// differences and duals but the formula itself; between scalars, only it.
#[test]
fn smooth_algorithms_have_one_derivative() {
    let (mut worst, mut off) = (0.0_f64, 0.0_f64);
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let joints = 1 + random.below(5);
        let placement = Pose::from_xyz_rpy(random.three(), random.three());
        let model =
            machine(&mut random, Kind::tree(joints)).with_placement(placement).with_free_base(seed % 3 == 2);
        let (frame, n) = (random.below(model.frames().len()), model.velocities());
        let mut x = positions(&mut random, &model);
        x.extend(random.vector(2 * n + 6));
        x.extend([0.03, 0.004, -0.002, 0.02, 0.003, 0.025]);
        let f = Smooth { model, frame };
        worst = worst.max(compare_scalars(&format!("seed {seed}"), &f, &x));
        let (difference, compared, all) = compare_differences(&format!("seed {seed}"), &f, &x);
        assert_eq!(compared, all, "smooth algorithms have no switch");
        off = off.max(difference);
        for _ in 0..3 {
            let i = random.below(x.len());
            let j = (i + 1 + random.below(x.len() - 1)) % x.len();
            assert!(compare_second(&format!("seed {seed}"), &f, &x, i, j));
        }
    }
    println!("scalars apart by {worst:.1e}, differences by {off:.1e}");
}

/// One exact step and 20 of them, in every mix of pieces (all six are seen), by state, effort, wrench, both carried
/// inertias and spin: as above. Columns whose differences cross a switch are left out, and are few.
#[test]
fn exact_steps_have_one_derivative_in_every_mix_of_pieces() {
    for (steps, seeds) in [(1, 16), (20, 8)] {
        let (mut worst, mut off, mut seen) = (0.0_f64, 0.0_f64, HashSet::new());
        let (mut compared, mut all, mut second) = (0, 0, 0);
        for seed in 0..seeds {
            let mut random = Random::new(100 + seed);
            let (f, x) = Step::random(&mut random, steps, Solver::Exact);
            let _ = f.run(f.model.clone(), &x, &mut Choices::free(), &mut seen);
            let what = format!("{steps} steps, seed {seed}");
            worst = worst.max(compare_scalars(&what, &f, &x));
            let (difference, some, of) = compare_differences(&what, &f, &x);
            off = off.max(difference);
            (compared, all) = (compared + some, all + of);
            for _ in 0..3 {
                let i = random.below(x.len());
                let j = (i + 1 + random.below(x.len() - 1)) % x.len();
                second += usize::from(compare_second(&what, &f, &x, i, j));
            }
        }
        println!(
            "{steps} steps: scalars apart by {worst:.1e}, differences by {off:.1e}; {compared} of {all} columns, {second} pairs"
        );
        assert_eq!(seen.len(), 6, "pieces seen: {seen:?}");
        assert!(compared * 10 > all * 9 && second as u64 * 10 > seeds * 3 * 9);
    }
}

/// Sweeps are differentiated as made: through every visit's piece, whatever they have left unsolved. Against
/// differences of the same count of sweeps.
#[test]
fn sweeps_are_differentiated_as_made() {
    let (mut compared, mut all) = (0, 0);
    for count in [0, 1, 3, 10] {
        for seed in 0..4 {
            let mut random = Random::new(200 + seed);
            let (f, x) = Step::random(&mut random, 2, Solver::Sweeps(count));
            let (_, some, of) = compare_differences(&format!("{count} sweeps, seed {seed}"), &f, &x);
            (compared, all) = (compared + some, all + of);
            let (dual, lean) = (by_duals::<Dual64>(&f, &x), by_duals::<Tangents<8>>(&f, &x));
            let _ = assert_same_tangents("sweeps by Dual64", &dual, &lean, DUALS, 1e-2);
        }
    }
    assert!(compared * 10 > all * 9, "{compared} of {all}");
}

/// By every address that a random arm has, through `Model::vary`: duals are differences of the varied arm's run. The
/// kinds of address are counted, so that none is missing.
#[test]
fn every_address_has_its_derivative() {
    let (mut worst, mut compared, mut all) = (0.0_f64, 0, 0);
    let mut kinds = HashSet::new();
    for seed in 0..6 {
        let mut random = Random::new(300 + seed);
        let (step, x) = Step::random(&mut random, 1 + 4 * (seed as usize % 2), Solver::Exact);
        let names: Vec<String> = step.model.addresses().into_iter().map(|a| a.name).collect();
        kinds.extend(names.iter().map(|n| {
            let owned = n.split_once('.').map_or("", |(_, field)| field);
            if n.starts_with("gravity") || n.starts_with("placement") { n.clone() } else { owned.to_owned() }
        }));
        let amounts = vec![0.0; names.len()];
        let f = Parameters { step, x, names };
        let duals = by_duals::<Tangents<8>>(&f, &amounts);
        let differences = by_differences(&f, &amounts, H);
        for (name, column) in f.names.iter().zip(&differences.columns) {
            all += 1;
            if column.is_none() {
                println!("seed {seed}: a switch near {name}");
            }
        }
        let (off, some) =
            assert_same_tangents(&format!("seed {seed}"), &duals, &differences, DIFFERENCES, 1e-3);
        (worst, compared) = (worst.max(off), compared + some);
        let plain = by_duals::<Dual64>(&f, &amounts);
        let _ = assert_same_tangents("by Dual64", &plain, &duals, DUALS, 1e-2);
    }
    println!("{compared} of {all} addresses, apart by {worst:.1e}");
    assert!(compared * 20 > all * 19);
    // gravity 3, placement 6; a joint's 5 laws, origin 6, axis 3; a link's mass, centre 3, tensor 6, linear 10, offset 3.
    assert_eq!(kinds.len(), 9 + 14 + 23, "{kinds:?}");
}

/// Seeds of the hand cases, in order.
const BY: [&str; 8] = ["q", "v", "u", "friction", "lower", "upper", "damping", "mass"];

/// A 2 kg slide with every number seeded: its state after a step, friction's impulse and the stop's.
fn slide(q: f64, v: f64, u: f64, friction: f64, solver: Solver) -> [Tangents<8>; 4] {
    let spec =
        JointSpec { friction, damping: 0.25, lower: Some(-1.0), upper: Some(1.0), ..JointSpec::default() };
    let plain = single(JointKind::Prismatic, 2.0, spec).with_gravity(Vector::zeros());
    let mut changes = Vec::new();
    for (i, by) in BY.iter().enumerate().skip(3).filter(|(i, _)| *i != 3 || friction > 0.0) {
        let owner = if *by == "mass" { "body" } else { "joint" };
        changes.push((format!("{owner}.{by}"), Tangents::variable(0.0, i)));
    }
    let changes: Vec<(&str, Tangents<8>)> = changes.iter().map(|(name, x)| (name.as_str(), *x)).collect();
    let model = plain.map(Tangents::<8>::from_f64).vary(&changes).unwrap();
    let variable = Tangents::<8>::variable;
    let mut rig = Rig::new(model, DT, solver, &[variable(q, 0)], &[variable(v, 1)]);
    rig.push(&[variable(u, 2)]);
    [rig.state.q[0], rig.state.v[0], rig.out.friction_impulse[0], rig.out.stop_impulse[0]]
}

/// A power of two, so that products with it are exact.
const DT: f64 = 1.0 / 128.0;

/// The hand-worked derivatives of equations.md 1.3: with y = m v + dt u and A = m + dt d,
/// sliding v⁺ = (y ∓ dt μ)/A; sticking nothing moves; on a stop v⁺ = (stop − q)/dt, and the impulse takes the rest.
/// Zeros are exact, the rest to 1e-12 of 1/dt.
#[test]
fn one_joint_has_the_derivatives_worked_by_hand() {
    let (m, a) = (2.0, 2.0 + 0.25 * DT);
    let none = [0.0; 8];
    for solver in [Solver::Exact, Solver::Sweeps(1), Solver::Sweeps(4)] {
        for (name, q, v, u, friction) in [
            ("slide+", 0.1, 0.5, 3.0, 0.5),
            ("slide-", 0.1, -0.5, 3.0, 0.5),
            ("free", 0.1, -0.5, 3.0, 0.0),
            ("stick", 0.1, 0.0, 0.2, 0.5),
            ("upper", 0.999, 2.0, 3.0, 0.5),
            ("lower", -0.999, -2.0, 3.0, 0.5),
            ("upper", 0.999, 2.0, 3.0, 0.0),
        ] {
            let [end, speed, rubbing, stop] = slide(q, v, u, friction, solver);
            let y = m * v + DT * u;
            let mut by_v = none;
            let mut by_stop = none;
            let s = match name {
                "slide+" | "upper" => 1.0,
                "slide-" | "lower" => -1.0,
                _ => 0.0,
            };
            let mut by_friction = none;
            if friction > 0.0 {
                by_friction[3] = -s * DT;
            }
            let v_end = match name {
                "slide+" | "slide-" | "free" => {
                    let v_end = (y - s * DT * friction) / a;
                    let by_mu = if friction > 0.0 { -s * DT / a } else { 0.0 };
                    by_v = [0.0, m / a, DT / a, by_mu, 0.0, 0.0, -DT * v_end / a, (v - v_end) / a];
                    v_end
                }
                "stick" => {
                    // Friction holds what comes: p = −y.
                    by_friction = [0.0, -m, -DT, 0.0, 0.0, 0.0, 0.0, -v];
                    0.0
                }
                _ => {
                    let bound = if name == "upper" { 5 } else { 4 };
                    (by_v[0], by_v[bound]) = (-1.0 / DT, 1.0 / DT);
                    let v_end = (s - q) / DT;
                    // p = A v⁺ − y, and friction has its share of it.
                    by_stop = [-a / DT, -m, -DT, -by_friction[3], 0.0, 0.0, DT * v_end, v_end - v];
                    by_stop[bound] = a / DT;
                    v_end
                }
            };
            let mut by_q = by_v.map(|x| x * DT);
            by_q[0] += 1.0;
            assert!((speed.value - v_end).abs() < 1e-14, "{name} {solver:?}: {} {v_end}", speed.value);
            for (what, found, expected) in [
                ("v⁺", speed, by_v),
                ("q⁺", end, by_q),
                ("friction", rubbing, by_friction),
                ("stop", stop, by_stop),
            ] {
                for (k, (x, y)) in found.tangents.iter().zip(&expected).enumerate() {
                    let allowed = if *y == 0.0 && solver == Solver::Exact { 0.0 } else { 1e-12 / DT };
                    assert!((x - y).abs() <= allowed, "{name} {solver:?}: d{what}/d{}: {x}, not {y}", BY[k]);
                }
            }
        }
    }
}

/// Exactly at |y| = dt μ the derivative is one-sided, 1/A or 0, by the sign of the first nonzero tangent in seed order,
/// and every column is of that one side; by second-order parts where the first are zero. All numbers are powers of two
/// times small integers, so the tie is exact and so is the answer.
#[test]
fn at_the_edge_of_friction_the_first_tangent_decides() {
    let spec = JointSpec { friction: 0.5, ..JointSpec::default() };
    let plain = single(JointKind::Prismatic, 2.0, spec).with_gravity(Vector::zeros());
    for solver in [Solver::Exact, Solver::Sweeps(1)] {
        for side in [1.0, -1.0] {
            for (by_u, by_mu, slides) in [
                ([1.0, 0.0], [0.0, 0.0], true),
                ([-1.0, 0.0], [0.0, 0.0], false),
                ([0.0, 1.0], [0.0, 0.0], true),
                ([0.0, -1.0], [0.0, 0.0], false),
                ([1.0, -5.0], [0.0, 0.0], true),
                ([-1.0, 5.0], [0.0, 0.0], false),
                ([0.0, 0.0], [1.0, 0.0], false),
                ([0.0, 0.0], [-1.0, 3.0], true),
                ([2.0, 0.0], [1.0, 7.0], true),
                ([1.0, 0.0], [2.0, -7.0], false),
                ([0.0, 0.0], [0.0, 0.0], false),
            ] {
                let mu = Tangents { value: 0.0, tangents: by_mu };
                let model = plain.map(Tangents::<2>::from_f64).vary(&[("joint.friction", mu)]).unwrap();
                let zero = Tangents::from_f64(0.0);
                let mut rig = Rig::new(model, DT, solver, &[zero], &[zero]);
                rig.push(&[Tangents { value: 0.5 * side, tangents: by_u.map(|t| t * side) }]);
                let expected = if slides {
                    std::array::from_fn(|k| side * DT * (by_u[k] - by_mu[k]) / 2.0)
                } else {
                    [0.0; 2]
                };
                let found = rig.state.v[0];
                assert_eq!(found.value, 0.0);
                assert_eq!(found.tangents, expected, "{solver:?} {side} {by_u:?} {by_mu:?}");
            }
            for (bend, slides) in [(2.0, true), (-2.0, false)] {
                let zero = Dual2_64::from(0.0);
                let mut rig = Rig::new(plain.map(Dual2_64::from_f64), DT, solver, &[zero], &[zero]);
                rig.push(&[Dual2_64::new(0.5 * side, 0.0, bend * side)]);
                let expected = if slides { side * bend * DT / 2.0 } else { 0.0 };
                assert_eq!(
                    (rig.state.v[0].v1, rig.state.v[0].v2),
                    (0.0, expected),
                    "{solver:?} {side} {bend}"
                );
            }
        }
    }
}

/// At rest exactly on a stop that nothing presses: pushed off, the joint is free (dv⁺/dv = 1, dq⁺/dv = dt); pushed on, it
/// is held (0). A position tangent that leads off the stop leaves room.
#[test]
fn at_rest_on_a_stop_the_first_tangent_decides() {
    let spec = JointSpec { upper: Some(1.0), ..JointSpec::default() };
    let plain = single(JointKind::Prismatic, 2.0, spec).with_gravity(Vector::zeros());
    for solver in [Solver::Exact, Solver::Sweeps(1)] {
        for (by_q, by_v, q_end, v_end) in [
            (0.0, 1.0, 0.0, 0.0),
            (0.0, -1.0, -DT, -1.0),
            (-1.0, 0.0, -1.0, 0.0),
            (-1.0, 2.0, -1.0 + 2.0 * DT, 2.0),
            (-1.0, 1000.0, 0.0, 1.0 / DT),
        ] {
            let at = |value, tangent| Tangents { value, tangents: [tangent] };
            let model = plain.map(Tangents::<1>::from_f64);
            let mut rig = Rig::new(model, DT, solver, &[at(1.0, by_q)], &[at(0.0, by_v)]);
            rig.push(&[at(0.0, 0.0)]);
            let found = (rig.state.q[0].tangents[0], rig.state.v[0].tangents[0]);
            assert_eq!(found, (q_end, v_end), "{solver:?} {by_q} {by_v}");
        }
    }
}

/// Values and derivatives are finite wherever an arm can stand: at rest, in the zero pose, exactly on its stops, exactly
/// at friction's edge, on a stop without pressing it; with either solver, second derivatives too (scenario 65).
#[test]
fn derivatives_are_finite_everywhere() {
    fn finite<T: kit::tangents::Seeded>(f: &Step, x: &[f64], what: &str) {
        for from in (0..x.len()).step_by(T::SEEDS) {
            let seeded: Vec<T> = (0..x.len())
                .map(|i| {
                    if (from..from + T::SEEDS).contains(&i) {
                        T::seeded(x[i], i - from)
                    } else {
                        T::from_f64(x[i])
                    }
                })
                .collect();
            for (name, numbers) in f.at(&seeded, &mut Choices::free()) {
                assert!(numbers.iter().all(Real::all_finite), "{what}: {name} by {from}..");
            }
        }
    }
    for seed in 0..4 {
        let mut random = Random::new(400 + seed);
        let joints = 1 + seed as usize;
        let model = machine(&mut random, Kind::arm(joints));
        let q = positions(&mut random, &model);
        let ends = |f: &dyn Fn(&articula::model::Joint<f64>) -> f64| model.joints().iter().map(f).collect();
        let still = vec![0.0; joints];
        let mut weight = still.clone();
        bias(&model, &mut Workspace::new(&model), &q, &still, &Loads::none(), &mut weight);
        let edge = model.with_joints(|j, joint| joint.friction = Some(weight[j].abs().max(1e-6))).unwrap();
        let bare = model.with_joints(|_, joint| joint.friction = None).unwrap();
        let lower: Vec<f64> = ends(&|j| j.lower.unwrap());
        let upper: Vec<f64> = ends(&|j| j.upper.unwrap());
        let weightless = |m: &Model<f64>| m.clone().with_gravity(Vector::zeros());
        for (what, model, q, v) in [
            ("at rest", model.clone(), q.clone(), still.clone()),
            ("zero pose, at rest", model.clone(), still.clone(), still.clone()),
            ("zero pose, without friction", bare.clone(), still.clone(), still.clone()),
            ("zero pose, without weight", weightless(&model), still.clone(), still.clone()),
            ("on the lower stops", model.clone(), lower.clone(), still.clone()),
            ("on the upper stops", bare.clone(), upper.clone(), still.clone()),
            ("on stops that nothing presses", weightless(&bare), lower, still.clone()),
            ("into the upper stops", model.clone(), upper, vec![1.0; joints]),
            ("at friction's edge", edge, q.clone(), still.clone()),
        ] {
            for solver in [Solver::Exact, Solver::Sweeps(3)] {
                let f = Step { model: model.clone(), frame: 0, dt: 5e-3, solver, steps: 3 };
                let x = [q.clone(), v.clone(), still.clone(), vec![0.0; 21]].concat();
                finite::<Tangents<8>>(&f, &x, what);
                finite::<Dual2_64>(&f, &x, what);
                finite::<HyperDual64>(&f, &x, what);
            }
        }
    }
}

/// A swinging pendulum's final angle by its friction (scenario 59, mujoco#1344): not zero, and the difference of two
/// runs, to 1e-6; by either solver the same number, which for one joint are the same law.
#[test]
fn a_pendulums_final_angle_depends_on_its_friction() {
    let body = Inertial::new(1.0, [0.0, 0.0, -0.5], [0.02, 0.0, 0.0, 0.02, 0.0, 0.001]);
    let spec = JointSpec {
        kind: Some(JointKind::Revolute),
        axis: [0.0, 1.0, 0.0],
        friction: 0.05,
        damping: 0.01,
        ..JointSpec::default()
    };
    let plain = one_joint(body, spec);
    fn final_angle<T: Real>(plain: &Model<f64>, amount: T, solver: Solver) -> T {
        let model = plain.map(T::from_f64).vary(&[("joint.friction", amount)]).unwrap();
        let mut rig = Rig::new(model, 1e-3, solver, &[T::from_f64(1.0)], &[T::zero()]);
        (0..2000).for_each(|_| rig.push(&[T::zero()]));
        rig.state.q[0]
    }
    let by_dual = final_angle(&plain, Tangents::<1>::variable(0.0, 0), Solver::Exact).tangents[0];
    let swept = final_angle(&plain, Tangents::<1>::variable(0.0, 0), Solver::Sweeps(1)).tangents[0];
    let by_difference =
        (final_angle(&plain, H, Solver::Exact) - final_angle(&plain, -H, Solver::Exact)) / (2.0 * H);
    println!("d angle / d friction: {by_dual} rad/(N m), by difference {by_difference}");
    assert!(by_dual.abs() > 0.01);
    assert!((by_dual - by_difference).abs() < 1e-6 * by_dual.abs());
    assert!((by_dual - swept).abs() < 1e-9 * by_dual.abs());
}
