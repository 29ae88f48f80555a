//! Gradients over rollouts: the adjoint, dual numbers run forwards and central differences of whole rollouts agree.

mod kit;

use articula::model::Model;
use articula::real::{Real, Tangents};
use articula::rollout::{
    Adjoint, By, Course, Drive, Objective, Quantity, RolloutGradient, Row, Rung, Term, When, gradients,
    linearize,
};
use articula::step::{DynamicArm, KinematicArm, Outcome, Solver, State, StepWorkspace};
use articula::switch::Choices;
use kit::{Kind, Random, machine};
use std::collections::{BTreeSet, HashSet};

const WIDTH: usize = 8;
type Lanes = Tangents<WIDTH>;

/// Sides and pieces of all joints, step by step.
type Pieces = Vec<i8>;

/// A random arm that meets its stops and sticks, some joints under a drive, a course of it and an objective over it.
struct Case {
    rung: Rung,
    start: State<f64>,
    drives: Vec<Option<Drive>>,
    values: Vec<f64>,
    objective: Objective,
    by: By,
    steps: usize,
}

impl Case {
    /// With the given solver, or commanded; `coupled` is the share of joints that follow another.
    fn random(seed: u64, solver: Option<Solver>, coupled: f64, steps: usize) -> Self {
        let mut random = Random::new(seed);
        let joints = 1 + random.below(6);
        let model = machine(&mut random, Kind { coupled, ..Kind::arm(joints) });
        let mut q: Vec<f64> = (0..joints).map(|_| 0.05 * random.unit()).collect();
        let mut v = random.vector(joints);
        model.coupling().positions(&mut q);
        model.coupling().rates(&mut v);
        let objective = objective(&mut random, &model, solver.is_some());
        let parameters = parameters(&mut random, &model);
        let by = By { start: true, inputs: (0..joints).collect(), parameters };
        let (size, rung) = match solver {
            Some(solver) => (15.0, Rung::Dynamic(DynamicArm::new(model, 4e-3, solver).unwrap())),
            None => {
                let lag = seed.is_multiple_of(2).then_some(0.02);
                (1.0, Rung::Kinematic(KinematicArm::new(model, 4e-3, lag).unwrap()))
            }
        };
        let drive = |random: &mut Random| match solver {
            Some(_) => Drive::Pd { target: random.unit(), kp: 20.0, kd: 1.0 },
            None => Drive::Constant(0.1 * random.unit()),
        };
        let drives = (0..joints).map(|_| (random.below(3) == 0).then(|| drive(&mut random))).collect();
        let values = (0..steps * joints).map(|_| size * random.unit()).collect();
        let start = rung.state(&q, &v).unwrap();
        Case { rung, start, drives, values, objective, by, steps }
    }

    fn joints(&self) -> usize {
        self.start.q.len()
    }

    fn course(&self) -> Course<'_> {
        Course { start: &self.start, drives: &self.drives, values: &self.values }
    }

    fn independent(&self) -> &[usize] {
        self.rung.model().coupling().independent()
    }

    /// How many numbers it is by: start positions and velocities of the coordinates, values, parameters.
    fn size(&self) -> usize {
        2 * self.independent().len() + self.values.len() + self.by.parameters.len()
    }

    /// Those parts of the numbers whose derivatives are of one kind.
    fn parts(&self) -> [std::ops::Range<usize>; 4] {
        let (r, n) = (self.independent().len(), self.values.len());
        [0..r, r..2 * r, 2 * r..2 * r + n, 2 * r + n..self.size()]
    }

    /// A gradient in that order.
    fn flat(&self, found: &RolloutGradient) -> Vec<f64> {
        let of = |row: &[f64]| self.independent().iter().map(|&j| row[j]).collect::<Vec<_>>();
        let start = [of(&found.by_start_position), of(&found.by_start_velocity)].concat();
        [start, found.by_value.clone(), found.by_parameter.clone()].concat()
    }

    fn name(&self, i: usize) -> String {
        match i.checked_sub(2 * self.independent().len() + self.values.len()) {
            Some(parameter) => self.by.parameters[parameter].clone(),
            None => format!("number {i} of {}", self.size()),
        }
    }

    /// The objective of the rollout with amounts added to the numbers, written out here; and the pieces it went through.
    fn run(&self, amount: impl Fn(usize) -> Lanes) -> (Lanes, Pieces) {
        let (n, r) = (self.joints(), self.independent().len());
        let lift = |x: &f64| Lanes::from_f64(*x);
        let names = self.by.parameters.iter().enumerate();
        let changes: Vec<(&str, Lanes)> = names
            .map(|(i, name)| (name.as_str(), amount(2 * r + self.values.len() + i)))
            .filter(|(_, x)| *x != Lanes::from_f64(0.0))
            .collect();
        let model = self.rung.model().map(Lanes::from_f64).vary(&changes).unwrap();
        let rung = self.rung.with_model(model).unwrap();
        let mut q: Vec<Lanes> = self.start.q.iter().map(lift).collect();
        let mut v: Vec<Lanes> = self.start.v.iter().map(lift).collect();
        for (c, &j) in self.independent().iter().enumerate() {
            q[j] += amount(c);
            v[j] += amount(r + c);
        }
        let mut state = State { q, v, t: 0.0 };
        rung.model().coupling().positions(&mut state.q);
        rung.model().coupling().rates(&mut state.v);
        let (mut ws, mut out) = (StepWorkspace::new(rung.model()), Outcome::new(rung.model()));
        let mut cost = self.objective.lanes(self.rung.model());
        let (mut sum, mut pieces) = (Lanes::from_f64(0.0), Vec::new());
        let mut choices = Choices::free();
        for k in 0..self.steps {
            let t = k as f64 * rung.dt();
            let mut input: Vec<Lanes> =
                (0..n).map(|j| lift(&self.values[k * n + j]) + amount(2 * r + k * n + j)).collect();
            for (j, drive) in self.drives.iter().enumerate() {
                if let Some(drive) = drive {
                    input[j] += drive.value(t, state.q[j], state.v[j]);
                }
            }
            if let Rung::Kinematic(arm) = &rung {
                arm.model().coupling().positions(&mut input);
            }
            let report = rung.step(&mut ws, &mut state, &input, &mut choices, &mut out);
            assert!(report.settled() || !exact(&self.rung), "{report:?}");
            pieces.extend(out.pieces.iter().map(|p| p.code()));
            let (dt, last, t) = (rung.dt(), k + 1 == self.steps, (k + 1) as f64 * rung.dt());
            let row = Row { q: &state.q, v: &state.v, effort: &input, dt, last, t };
            sum += self.objective.value_lanes(rung.model(), &mut cost, &row);
        }
        (sum, pieces)
    }

    /// The gradient by duals, eight numbers a rollout.
    fn by_duals(&self) -> Vec<f64> {
        let mut all = Vec::new();
        for first in (0..self.size()).step_by(WIDTH) {
            let seed = |i: usize| match i.checked_sub(first) {
                Some(lane) if lane < WIDTH => Tangents::variable(0.0, lane),
                _ => Lanes::from_f64(0.0),
            };
            all.extend(self.run(seed).0.tangents);
        }
        all.truncate(self.size());
        all
    }

    /// By central differences over `±h`, where neither side leaves the pieces.
    fn by_difference(&self, i: usize, h: f64) -> Option<f64> {
        let at = |amount: f64| self.run(|k| Lanes::from_f64(if k == i { amount } else { 0.0 }));
        let (here, above, below) = (at(0.0), at(h), at(-h));
        (here.1 == above.1 && here.1 == below.1).then(|| (above.0.value - below.0.value) / (2.0 * h))
    }

    fn adjoint(&self) -> RolloutGradient {
        let mut adjoint = Adjoint::new(&self.rung, &self.objective, self.by.clone(), self.steps).unwrap();
        adjoint.gradient(&self.course()).unwrap().into_parts().0
    }
}

fn exact(rung: &Rung) -> bool {
    matches!(rung, Rung::Dynamic(arm) if arm.solver() == Solver::Exact)
}

/// Twelve addresses of the machine.
fn parameters(random: &mut Random, model: &Model<f64>) -> Vec<String> {
    let all = model.addresses();
    let names: BTreeSet<_> = (0..12).map(|_| all[random.below(all.len())].name.clone()).collect();
    names.into_iter().collect()
}

/// Terms of every kind on random joints and frames, at the end and all along.
fn objective(random: &mut Random, model: &Model<f64>, dynamic: bool) -> Objective {
    let (joints, frames) = (model.joints().len(), model.frames().len());
    let mut terms = Vec::new();
    for _ in 0..2 {
        let (joint, frame) = (random.below(joints), random.below(frames));
        let goal = [0.0; 4].map(|_| random.unit());
        for quantity in [
            Quantity::JointPosition { joint, goal: random.unit() },
            Quantity::JointVelocity { joint, goal: random.unit() },
            Quantity::FramePosition { frame, goal: random.three() },
            Quantity::FrameOrientation { frame, goal },
        ] {
            let when = if random.below(2) == 0 { When::End } else { When::All };
            terms.push(Term { quantity, when, weight: 1.0 + random.unit() });
        }
    }
    terms.push(Term { quantity: Quantity::KineticEnergy, when: When::All, weight: 0.1 });
    if dynamic {
        terms.push(Term { quantity: Quantity::EffortSquared, when: When::All, weight: 1e-3 });
    }
    Objective::new(model, terms).unwrap()
}

/// The largest difference over the parts, each by its own largest entry.
fn apart(case: &Case, found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let mut worst = 0.0_f64;
    for part in case.parts() {
        let scale = expected[part.clone()].iter().fold(1e-9_f64, |m, x| m.max(x.abs()));
        for i in part {
            let off = (found[i] - expected[i]).abs() / scale;
            assert!(off < 1e-9, "{}: {} and {}, of {scale}", case.name(i), found[i], expected[i]);
            worst = worst.max(off);
        }
    }
    worst
}

/// Random arms on their way through stops and friction, with feedback drives and coupled joints: the adjoint is what duals give
/// run forwards through the same rollout, by start, every value and a dozen parameters, to 1e-9 of each part's largest entry
/// (a rollout's products of step Jacobians amplify rounding); and the value is the same.
#[test]
fn the_adjoint_is_what_duals_give() {
    let (mut worst, mut mixes) = (0.0_f64, HashSet::new());
    for seed in 0..40 {
        let case = Case::random(seed, Some(Solver::Exact), if seed % 3 == 0 { 0.4 } else { 0.0 }, 40);
        let found = case.adjoint();
        let (value, pieces) = case.run(|_| Lanes::from_f64(0.0));
        mixes.extend(pieces.chunks(case.joints()).map(<[i8]>::to_vec));
        worst = worst.max(apart(&case, &case.flat(&found), &case.by_duals()));
        assert!((value.value - found.objective).abs() <= 1e-12 * value.value.abs(), "seed {seed}");
        assert!((found.terms.iter().sum::<f64>() - found.objective).abs() <= 1e-12 * value.value.abs());
    }
    println!("worst {worst:.1e} through {} mixes of pieces", mixes.len());
    assert!(mixes.len() > 60, "{} mixes of pieces", mixes.len());
}

/// The same of commanded arms, with and without lag, beyond their limits too; and of steps by sweeps, which are differentiated
/// forwards.
#[test]
fn other_rungs_and_solvers_agree_with_duals() {
    let mut worst = 0.0_f64;
    for seed in 0..12 {
        for solver in [None, Some(Solver::Sweeps(3))] {
            let case = Case::random(100 + seed, solver, if seed % 3 == 0 { 0.4 } else { 0.0 }, 12);
            worst = worst.max(apart(&case, &case.flat(&case.adjoint()), &case.by_duals()));
        }
    }
    println!("worst {worst:.1e}");
}

/// Central differences of whole rollouts, where neither side changes a piece, to 1e-6 of the part's largest entry and what
/// rounding of the objective makes over the step; and enough of them.
#[test]
fn differences_of_rollouts_agree() {
    let (mut compared, mut worst) = (0, 0.0_f64);
    for seed in 0..16 {
        let solver = (seed % 4 != 3).then_some(Solver::Exact);
        let case = Case::random(200 + seed, solver, if seed % 3 == 0 { 0.4 } else { 0.0 }, 25);
        let gradient = case.adjoint();
        let (found, rounding) = (case.flat(&gradient), 5e-9 * gradient.objective.abs());
        let mut random = Random::new(seed);
        for part in case.parts().into_iter().filter(|part| !part.is_empty()) {
            let scale = found[part.clone()].iter().fold(1e-6_f64, |m, x| m.max(x.abs()));
            for _ in 0..10 {
                let i = part.start + random.below(part.len());
                let Some(difference) = case.by_difference(i, 1e-6) else { continue };
                let off = (found[i] - difference).abs() / (scale + 1e6 * rounding);
                assert!(off < 1e-6, "seed {seed} {}: {} and {difference}", case.name(i), found[i]);
                worst = worst.max(off);
                compared += 1;
            }
        }
    }
    println!("{compared} compared, worst {worst:.1e}");
    assert!(compared > 400, "{compared} compared");
}

/// The error of central differences falls as h² and rises again as rounding over h: from 0.1 to 0.01 by the square, at 1e-10 it is
/// larger than at 1e-4.
#[test]
fn the_curve_of_differences_is_that_of_a_derivative() {
    let mut seen = 0;
    for seed in 0..40 {
        let case = Case::random(300 + seed, Some(Solver::Exact), 0.0, 10);
        let found = case.flat(&case.adjoint());
        // A velocity it starts with: speeds enter squared, turns as sines.
        let i = case.independent().len();
        let error = |h: f64| case.by_difference(i, h).map(|x| (x - found[i]).abs());
        let (Some(coarse), Some(fine)) = (error(1e-1), error(1e-2)) else { continue };
        if coarse < 1e-6 * found[i].abs() || found[i].abs() < 1e-6 {
            continue;
        }
        let order = (coarse / fine).log10();
        assert!(
            (1.9..2.1).contains(&order),
            "seed {seed}: {coarse:e} at 0.1, {fine:e} at 0.01: order {order}"
        );
        let (least, tiny) = (error(1e-4).unwrap(), error(1e-10).unwrap());
        assert!(least < 1e-2 * fine && least < tiny, "seed {seed}: {fine:e}, {least:e}, {tiny:e}");
        seen += 1;
    }
    println!("{seen} curves");
    assert!(seen >= 5, "{seen} curves");
}

/// Keeping few steps at a time changes no bit.
#[test]
fn checkpoints_change_nothing() {
    for seed in 0..6 {
        let case = Case::random(400 + seed, Some(Solver::Exact), 0.2, 37);
        let whole = case.adjoint();
        for block in [1, 5, 36, 37, 100] {
            let adjoint =
                Adjoint::with_checkpoints(&case.rung, &case.objective, case.by.clone(), case.steps, block);
            let found = adjoint.unwrap().gradient(&case.course()).unwrap().into_parts().0;
            assert_eq!(found, whole, "seed {seed} block {block}");
        }
    }
}

/// A batch gives each course what it gets alone, to the bit, on one, two and three threads.
#[test]
fn batches_do_not_depend_on_threads() {
    let case = Case::random(500, Some(Solver::Exact), 0.0, 20);
    let mut random = Random::new(9);
    let all: Vec<Vec<f64>> =
        (0..17).map(|_| (0..case.values.len()).map(|_| 10.0 * random.unit()).collect()).collect();
    let courses: Vec<Course<'_>> = all.iter().map(|values| Course { values, ..case.course() }).collect();
    let mut alone = Adjoint::new(&case.rung, &case.objective, case.by.clone(), case.steps).unwrap();
    let alone: Vec<RolloutGradient> =
        courses.iter().map(|course| alone.gradient(course).unwrap().into_parts().0).collect();
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let batch =
            pool.install(|| gradients(&case.rung, &case.objective, &case.by, case.steps, &courses).unwrap());
        let batch: Vec<_> = batch.into_iter().map(|g| g.unwrap().into_parts().0).collect();
        assert_eq!(batch, alone, "{threads} threads");
    }
}

/// Matrices of the steps, multiplied from the end, are the adjoint: by start, values and parameters, for the exact solve, sweeps
/// and commanded arms. The objective is of the end alone and by joints, so that its own derivative is written out here.
#[test]
fn matrices_multiply_to_the_adjoint() {
    for seed in 0..24 {
        let solver =
            [Some(Solver::Exact), Some(Solver::Exact), Some(Solver::Sweeps(2)), None][seed as usize % 4];
        let mut case = Case::random(600 + seed, solver, if seed % 3 == 0 { 0.4 } else { 0.0 }, 15);
        let end = |quantity| Term { quantity, when: When::End, weight: 1.0 };
        let independent = case.independent().to_vec();
        let r = independent.len();
        let positions = independent.iter().map(|&joint| end(Quantity::JointPosition { joint, goal: 0.3 }));
        let velocities = independent.iter().map(|&joint| end(Quantity::JointVelocity { joint, goal: -0.2 }));
        case.objective = Objective::new(case.rung.model(), positions.chain(velocities).collect()).unwrap();
        // Followers' places depend on their law, which the coordinates do not show.
        case.by.parameters.retain(|name| !name.contains("mimic"));
        let gradient = linearize(&case.rung, &case.course(), &case.by).unwrap();
        let (found, _) = gradient.read();
        let last = found.states.row(case.steps);
        let goal = |i: usize| if i < r { 0.3 } else { -0.2 };
        let mut costate: Vec<f64> = (0..2 * r).map(|i| 2.0 * (last[i] - goal(i))).collect();
        let (mut by_value, mut by_parameter) =
            (vec![0.0; case.values.len()], vec![0.0; case.by.parameters.len()]);
        let times = |m: ndarray::ArrayView2<'_, f64>, x: &[f64]| -> Vec<f64> {
            (0..m.ncols()).map(|c| (0..m.nrows()).map(|i| m[[i, c]] * x[i]).sum()).collect()
        };
        for k in (0..case.steps).rev() {
            let step = ndarray::Axis(0);
            let value = times(found.b.index_axis(step, k), &costate);
            by_value[k * case.joints()..(k + 1) * case.joints()].copy_from_slice(&value);
            let parameter = times(found.p.index_axis(step, k), &costate);
            by_parameter.iter_mut().zip(parameter).for_each(|(x, y)| *x += y);
            costate = times(found.a.index_axis(step, k), &costate);
        }
        let flat = [costate, by_value, by_parameter].concat();
        apart(&case, &case.flat(&case.adjoint()), &flat);
    }
}

/// A joint that comes to its stop and rests there, held by its friction once the push is gone: at each of those states its limit is
/// where it stands, and moves on with it. By that limit, the start, friction and inertia together the adjoint is what duals give,
/// and the same as by each alone; so are the matrices of the steps, multiplied.
#[test]
fn a_limit_that_a_joint_rests_on_is_differentiated_on_the_pieces_taken() {
    for (solver, side) in [(Solver::Exact, 1.0), (Solver::Exact, -1.0), (Solver::Sweeps(2), 1.0)] {
        let mut case = Case::random(700, Some(solver), 0.0, 30);
        let spec = kit::one_joint(
            articula::model::Inertial::new(1.0, [0.1, 0.0, 0.0], [0.1, 0.0, 0.0, 0.1, 0.0, 0.1]),
            articula::model::JointSpec {
                kind: Some(articula::model::JointKind::Prismatic),
                lower: Some(-0.25),
                upper: Some(0.25),
                friction: 2.0,
                ..articula::model::JointSpec::default()
            },
        );
        let name = spec.joints()[0].name.clone();
        let link = spec.frames().last().unwrap().name.clone();
        let limit = if side > 0.0 { "upper" } else { "lower" };
        let all: Vec<String> =
            [limit, "friction", "armature"].iter().map(|field| format!("{name}.{field}")).collect();
        let all = [all, vec![format!("{link}.mass")]].concat();
        case.rung = Rung::Dynamic(DynamicArm::new(spec, 4e-3, solver).unwrap());
        // On its stop after a few steps; then nothing pushes.
        case.start = case.rung.state(&[side * 0.24], &[side * 0.5]).unwrap();
        case.drives = vec![None];
        case.values = (0..case.steps).map(|k| if k < 12 { side * 5.0 } else { 0.0 }).collect();
        let end = |quantity| Term { quantity, when: When::All, weight: 1.0 };
        let terms = vec![
            end(Quantity::JointPosition { joint: 0, goal: 0.1 }),
            end(Quantity::JointVelocity { joint: 0, goal: 0.1 }),
        ];
        case.objective = Objective::new(case.rung.model(), terms).unwrap();
        case.by = By { start: true, inputs: vec![0], parameters: all.clone() };
        let found = case.adjoint();
        let (_, pieces) = case.run(|_| Lanes::from_f64(0.0));
        assert!(!exact(&case.rung) || pieces[20..].iter().all(|piece| *piece == 0), "{pieces:?}");
        apart(&case, &case.flat(&found), &case.by_duals());
        for (i, parameter) in all.iter().enumerate() {
            case.by.parameters = vec![parameter.clone()];
            let alone = case.adjoint().by_parameter[0];
            assert!((alone - found.by_parameter[i]).abs() < 1e-12, "{parameter}: {alone}, {found:?}");
        }
        case.by.parameters = all;
        let gradient = linearize(&case.rung, &case.course(), &case.by).unwrap();
        let (steps, _) = gradient.read();
        // The last state's derivative by the limit, forwards: it is the limit.
        let mut slope = [0.0; 2];
        for k in 0..case.steps {
            let row =
                |i: usize| steps.a[[k, i, 0]] * slope[0] + steps.a[[k, i, 1]] * slope[1] + steps.p[[k, i, 0]];
            slope = [row(0), row(1)];
        }
        assert!((slope[0] - 1.0).abs() < 1e-12 && slope[1].abs() < 1e-9, "{slope:?}");
    }
}
