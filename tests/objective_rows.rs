//! Objectives beside `tests/objective.rs`: the coordinates that are left where joints follow others, numbers of the model,
//! which rows count, rotation vectors up to exactly half a turn, and goals of any length.

mod kit;

use articula::Real;
use articula::model::{JointKind, JointSpec, Model};
use articula::rollout::{Lanes, Objective, Own, Quantity, Row, Sample, Term, When};
use articula::spatial::{Matrix, Pose, Vector, rotation_vector};
use kit::{Kind, Random, constants, machine, positions, relative, single};
use num_dual::Dual64;

const DT: f64 = 2e-3;

/// Positions, velocities and efforts of all joints, one after another.
type Numbers = Vec<f64>;

fn row<T>(numbers: &[T], last: bool) -> Row<'_, T> {
    let n = numbers.len() / 3;
    Row { q: &numbers[..n], v: &numbers[n..2 * n], effort: &numbers[2 * n..], dt: DT, last, t: 0.4 }
}

fn term(quantity: Quantity, when: When, weight: f64) -> Term {
    Term { quantity, when, weight }
}

/// A tree with a state; on every third seed joints follow others. Frames are off their joints' axes, so that all move.
fn sample(seed: u64) -> (Model<f64>, Random, Numbers) {
    let mut random = Random::new(seed);
    let coupled = if seed.is_multiple_of(3) { 0.5 } else { 0.0 };
    let joints = 1 + random.below(9);
    let placement = Pose::from_xyz_rpy(random.three(), random.three());
    let model = machine(&mut random, Kind { coupled, ..Kind::tree(joints) }).with_placement(placement);
    let offsets = model.frames().iter().map(|frame| format!("{}.offset.x", frame.name));
    let offsets: Vec<String> = offsets.flat_map(|x| [x.replace(".x", ".y"), x]).collect();
    let offsets: Vec<_> = offsets.iter().map(|name| (name.as_str(), 0.1 + 0.2 * random.unit())).collect();
    let model = model.vary(&offsets).unwrap();
    let mut q = positions(&mut random, &model);
    let mut v = random.vector(joints);
    model.coupling().positions(&mut q);
    model.coupling().rates(&mut v);
    let effort = random.vector(joints);
    (model, random, [q, v, effort].concat())
}

/// Whether a hinge is above a frame.
fn turns(model: &Model<f64>, frame: usize) -> bool {
    let path = std::iter::successors(Some(frame), |&f| model.parent_frame(f));
    path.filter_map(|f| model.frames()[f].joint).any(|j| model.joints()[j].kind == JointKind::Revolute)
}

/// One term of every kind but closures, for a machine; of an orientation where some frame turns.
fn kinds(random: &mut Random, model: &Model<f64>) -> Vec<Quantity> {
    let (frames, joints) = (model.frames().len(), model.joints().len());
    let turning: Vec<usize> = (0..frames).filter(|&f| turns(model, f)).collect();
    let moving: Vec<usize> = (0..frames).filter(|&f| model.frames()[f].joint.is_some()).collect();
    let any = |random: &mut Random, list: &[usize]| list[random.below(list.len())];
    let mut all = vec![
        Quantity::FramePosition { frame: any(random, &moving), goal: random.three() },
        Quantity::JointPosition { joint: random.below(joints), goal: random.unit() },
        Quantity::JointVelocity { joint: random.below(joints), goal: random.unit() },
        Quantity::EffortSquared,
        Quantity::KineticEnergy,
    ];
    if !turning.is_empty() {
        let goal = std::array::from_fn(|_| 3.0 * random.unit());
        all.push(Quantity::FrameOrientation { frame: any(random, &turning), goal });
    }
    all
}

fn value(objective: &Objective, model: &Model<f64>, numbers: &[f64]) -> f64 {
    let mut values = vec![0.0; objective.terms().len()];
    objective.add_value(model, &mut objective.workspace(model), &row(numbers, true), &mut values);
    values.iter().sum()
}

/// By positions, velocities and efforts, one after another.
fn gradient(objective: &Objective, model: &Model<f64>, numbers: &[f64]) -> Numbers {
    let (n, ws) = (numbers.len() / 3, &mut objective.workspace(model));
    let mut by = vec![0.0; 3 * n];
    let (q, rest) = by.split_at_mut(n);
    let (v, effort) = rest.split_at_mut(n);
    objective.add_gradient(model, ws, &row(numbers, true), q, v, effort);
    by
}

fn differences(f: impl Fn(&[f64]) -> f64, numbers: &[f64]) -> Numbers {
    const H: f64 = 1e-5;
    let slope = |i: usize| {
        let at = |amount: f64| {
            let mut moved = numbers.to_vec();
            moved[i] += amount;
            f(&moved)
        };
        // Of fourth order: what is left is rounding.
        (8.0 * (at(H) - at(-H)) - (at(2.0 * H) - at(-2.0 * H))) / (12.0 * H)
    };
    (0..numbers.len()).map(slope).collect()
}

/// Where joints follow others, the projected gradient is that along the coordinates that are left: differences of the
/// objective with followers where their leaders put them.
#[test]
fn projected_gradients_are_along_the_coordinates_that_are_left() {
    let mut coupled = 0;
    for seed in (0..60).step_by(3) {
        let (model, mut random, numbers) = sample(seed);
        let (n, coupling) = (model.joints().len(), model.coupling());
        coupled += usize::from(!coupling.is_trivial());
        let terms = kinds(&mut random, &model).into_iter().map(|q| term(q, When::All, 1.0));
        let objective = Objective::new(&model, terms.collect()).unwrap();
        let free = gradient(&objective, &model, &numbers);
        let r = coupling.independent().len();
        let mut found = vec![0.0; 2 * r];
        coupling.project(&free[..n], &mut found[..r]);
        coupling.project(&free[n..2 * n], &mut found[r..]);
        let along = |y: &[f64]| {
            let mut at = numbers.clone();
            for (c, &j) in coupling.independent().iter().enumerate() {
                (at[j], at[n + j]) = (y[c], y[r + c]);
            }
            coupling.positions(&mut at[..n]);
            coupling.rates(&mut at[n..2 * n]);
            value(&objective, &model, &at)
        };
        let mut y = vec![0.0; 2 * r];
        coupling.gather(&numbers[..n], &mut y[..r]);
        coupling.gather(&numbers[n..2 * n], &mut y[r..]);
        let slopes = differences(along, &y);
        assert!(relative(&found, &slopes) < 1e-7, "seed {seed}: {found:?}, {slopes:?}");
    }
    assert!(coupled > 10, "{coupled}");
}

/// Lanes on a model that carries seeds: derivatives by numbers of the model, against differences of the machine varied.
#[test]
fn lanes_give_derivatives_by_parameters() {
    for seed in 0..20 {
        let (model, mut random, numbers) = sample(seed);
        let mut quantities = kinds(&mut random, &model);
        quantities
            .push(Quantity::Own(Own::value(|s: &Sample<'_>| s.kinetic_energy() * s.potential_energy())));
        let last = model.joints().len();
        let addresses = [
            format!("joint_{last}.origin.x"),
            "joint_1.axis.y".into(),
            format!("link_{last}.mass"),
            "joint_1.armature".into(),
            "gravity.y".into(),
            "placement.rz".into(),
        ];
        let changes: Vec<_> =
            addresses.iter().enumerate().map(|(i, a)| (a.as_str(), Lanes::variable(0.0, i))).collect();
        let seeded = model.map(Lanes::from_f64).vary(&changes).unwrap();
        let terms = quantities.into_iter().map(|q| term(q, When::All, 1.0)).collect();
        let objective = Objective::new(&model, terms).unwrap();
        let lanes: Vec<Lanes> = constants(&numbers);
        let found = objective.value_lanes(&seeded, &mut objective.lanes(&model), &row(&lanes, true));
        let varied = |x: &[f64]| {
            let changes: Vec<_> = addresses.iter().map(String::as_str).zip(x.iter().copied()).collect();
            value(&objective, &model.vary(&changes).unwrap(), &numbers)
        };
        let slopes = differences(varied, &[0.0; 6]);
        let off = relative(&found.tangents[..6], &slopes);
        assert!(off < 1e-7, "seed {seed}: {:?}, {slopes:?}", found.tangents);
        assert!(
            (found.value - value(&objective, &model, &numbers)).abs() < 1e-12 * found.value.abs().max(1.0)
        );
    }
}

/// A rotation vector and its derivative by a turn on the left, `1 − ½ [e]× + c [e]×²` with `c = (1 − (θ/2) cot(θ/2)) / θ²`,
/// in lanes and in num-dual's numbers, from no turn at all to exactly half a turn, where the cosine of half the angle is
/// zero to the bit. 1e-12: at 1e-3 rad, `c` of the test has lost six digits, and its share is 1e-6.
#[test]
fn rotation_vectors_have_their_slopes_up_to_half_a_turn() {
    let half_turns = [[1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    let mut rotations: Vec<Matrix<f64>> =
        half_turns.map(|d| Matrix::from_diagonal(&Vector::from(d))).to_vec();
    let mut random = Random::new(5);
    for angle in [0.0, 1e-9, 1e-3, 0.0199, 0.0201, 0.1, 0.141, 0.142, 1.0, 1.57, 1.572, 2.0, 3.1, 3.137] {
        let axis = nalgebra::Unit::new_normalize(Vector::from(random.three()));
        rotations.push(nalgebra::Rotation3::from_axis_angle(&axis, angle).into_inner());
    }
    for r in rotations {
        let e = rotation_vector(&r);
        let reference = nalgebra::Rotation3::from_matrix_unchecked(r);
        let reference = nalgebra::UnitQuaternion::from_rotation_matrix(&reference).scaled_axis();
        assert!((e - reference).norm().min((e + reference).norm()) < 1e-13, "{r}{e}{reference}");
        let (angle, cross) = (e.norm(), e.cross_matrix());
        let c =
            if angle < 1e-6 { 1.0 / 12.0 } else { (1.0 - 0.5 * angle / (0.5 * angle).tan()) / angle.powi(2) };
        let slope = Matrix::identity() - cross * 0.5 + cross * cross * c;
        let turn = Vector::new(Lanes::variable(0.0, 0), Lanes::variable(0.0, 1), Lanes::variable(0.0, 2));
        let lanes = rotation_vector(&(Pose::turned(&turn).rotation * r.map(Lanes::from_f64)));
        for j in 0..3 {
            let turn = Vector::from_fn(|k, _| Dual64::new(0.0, f64::from(u8::from(k == j))));
            let duals = rotation_vector(&(Pose::turned(&turn).rotation * r.map(Dual64::from_f64)));
            for i in 0..3 {
                for found in [lanes[i].tangents[j], duals[i].eps] {
                    let expected = slope[(i, j)];
                    assert!((found - expected).abs() < 1e-12, "{r}[{i}, {j}]: {found:e}, not {expected:e}");
                }
            }
        }
    }
}

/// Terms of the end count in the last row alone, with their weight; terms of all rows in each, with the weight times the
/// step. Parts are added to what is there, one a term.
#[test]
fn terms_count_in_their_rows() {
    let model =
        single(JointKind::Prismatic, 2.0, JointSpec { axis: [1.0, 0.0, 0.0], ..JointSpec::default() });
    let body = model.frame_index("body").unwrap();
    let terms = vec![
        term(Quantity::FramePosition { frame: body, goal: [1.0, 0.0, 2.0] }, When::End, 3.0),
        term(Quantity::JointVelocity { joint: 0, goal: 1.0 }, When::All, 5.0),
        term(Quantity::EffortSquared, When::All, 7.0),
        term(Quantity::KineticEnergy, When::End, 0.25),
    ];
    let objective = Objective::new(&model, terms).unwrap();
    let (mut ws, mut values) = (objective.workspace(&model), [100.0; 4]);
    let numbers = [0.5, 4.0, 6.0];
    objective.add_value(&model, &mut ws, &row(&numbers, false), &mut values);
    let all = [100.0, 100.0 + 5.0 * DT * 9.0, 100.0 + 7.0 * DT * 36.0, 100.0];
    assert!(relative(&values, &all) < 1e-15, "{values:?}");
    let mut values = [0.0; 4];
    objective.add_value(&model, &mut ws, &row(&numbers, true), &mut values);
    let end = [3.0 * (0.25 + 4.0), 5.0 * DT * 9.0, 7.0 * DT * 36.0, 0.25 * 16.0];
    assert!(relative(&values, &end) < 1e-15, "{values:?}");

    // A closure sees the row's time and step.
    let clock = Own::value(|s: &Sample<'_>| Lanes::constant(s.t + 1e3 * s.dt));
    let objective_of_time = Objective::new(&model, vec![term(Quantity::Own(clock), When::End, 2.0)]).unwrap();
    assert_eq!(value(&objective_of_time, &model, &numbers), 2.0 * (0.4 + 1e3 * DT));

    let (mut q, mut v, mut effort) = ([10.0], [20.0], [30.0]);
    objective.add_gradient(&model, &mut ws, &row(&numbers, false), &mut q, &mut v, &mut effort);
    assert_eq!((q, v), ([10.0], [20.0 + 2.0 * 5.0 * DT * 3.0]));
    assert!((effort[0] - 30.0 - 2.0 * 7.0 * DT * 6.0).abs() < 1e-14);
    let (mut q, mut v, mut effort) = ([0.0], [0.0], [0.0]);
    objective.add_gradient(&model, &mut ws, &row(&numbers, true), &mut q, &mut v, &mut effort);
    assert!((q[0] - 2.0 * 3.0 * -0.5).abs() < 1e-15, "{q:?}");
    assert!((v[0] - 2.0 * 5.0 * DT * 3.0 - 0.25 * 2.0 * 4.0).abs() < 1e-14, "{v:?}");
}

/// A free base is refused by name; a goal of any length is taken at length one, however small or large.
#[test]
fn goals_have_any_length_and_a_free_base_none() {
    let model = single(JointKind::Revolute, 1.0, JointSpec { axis: [0.0, 0.0, 1.0], ..JointSpec::default() });
    let (end, orientation) = (When::End, |frame, goal| Quantity::FrameOrientation { frame, goal });
    let free = model.clone().with_free_base(true);
    let refused = Objective::new(&free, Vec::new()).unwrap_err().to_string();
    assert!(refused.contains("free base"), "{refused}");
    // A goal of any length is taken at length one, however small or large.
    for size in [1e-300, 3.0, 1e300] {
        let goal = [0.5 * size, 0.5 * size, -0.5 * size, 0.5 * size];
        let objective = Objective::new(&model, vec![term(orientation(1, goal), end, 1.0)]).unwrap();
        let Quantity::FrameOrientation { goal, .. } = &objective.terms()[0].quantity else { unreachable!() };
        assert!(relative(goal, &[0.5, 0.5, -0.5, 0.5]) < 1e-15, "{goal:?}");
    }
}
