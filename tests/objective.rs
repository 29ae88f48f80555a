//! Objectives: every quantity's derivatives against duals and differences, Gauss–Newton blocks against errors written out here,
//! closures against built-in terms, and what is refused.

mod kit;

use articula::dynamics::{Workspace, frame_poses};
use articula::model::Model;
use articula::real::{Real, Tangents};
use articula::rollout::{CostBlocks, Lanes, Objective, Own, Quantity, Row, Term, When};
use articula::spatial::{Pose, rotation_vector};
use kit::{Kind, Random, machine, relative};
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

/// A state and efforts of a machine: positions, velocities and efforts one after the other.
struct Case {
    model: Model<f64>,
    x: Vec<f64>,
    last: bool,
}

/// Value, derivatives by positions, velocities and efforts, and Gauss–Newton blocks as one matrix.
struct Found {
    value: f64,
    gradient: Vec<f64>,
    blocks: Vec<f64>,
}

const STEP: f64 = 0.25;

impl Case {
    /// A random tree, joints that follow others on it in every third.
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let joints = 1 + random.below(7);
        let coupled = if seed.is_multiple_of(3) { 0.5 } else { 0.0 };
        let model = machine(&mut random, Kind { coupled, ..Kind::tree(joints) });
        let mut x = [random.vector(joints), random.vector(joints), random.vector(joints)].concat();
        x.iter_mut().for_each(|x| *x *= 1.5);
        let (q, v) = x.split_at_mut(joints);
        model.coupling().positions(q);
        model.coupling().rates(&mut v[..joints]);
        Case { model, x, last: seed.is_multiple_of(2) }
    }

    fn joints(&self) -> usize {
        self.model.joints().len()
    }

    fn row<'a, T>(&self, x: &'a [T]) -> Row<'a, T> {
        let n = self.joints();
        Row { q: &x[..n], v: &x[n..2 * n], effort: &x[2 * n..], dt: STEP, last: self.last, t: 0.5 }
    }

    fn objective(&self, quantity: Quantity, when: When) -> Objective {
        Objective::new(&self.model, vec![Term { quantity, when, weight: 0.7 }]).unwrap()
    }

    fn value(&self, objective: &Objective, x: &[f64]) -> f64 {
        let mut values = vec![0.0; objective.terms().len()];
        objective.add_value(&self.model, &mut objective.workspace(&self.model), &self.row(x), &mut values);
        values.iter().sum()
    }

    fn found(&self, objective: &Objective) -> Found {
        let n = self.joints();
        let mut ws = objective.workspace(&self.model);
        let (mut gradient, mut blocks) = (vec![0.0; 3 * n], CostBlocks::new(&self.model));
        let (by_q, rest) = gradient.split_at_mut(n);
        let (by_v, by_effort) = rest.split_at_mut(n);
        objective.add_gradient(&self.model, &mut ws, &self.row(&self.x), by_q, by_v, by_effort);
        objective.add_gauss_newton(&self.model, &mut ws, &self.row(&self.x), &mut blocks);
        let (state, both, effort) = (&blocks.by_state, &blocks.by_both, &blocks.by_effort);
        let entry = |i: usize, j: usize| match (i < 2 * n, j < 2 * n) {
            (true, true) => state[i * 2 * n + j],
            (true, false) => both[i * n + j - 2 * n],
            (false, true) => both[j * n + i - 2 * n],
            (false, false) => effort[(i - 2 * n) * n + j - 2 * n],
        };
        let blocks = (0..9 * n * n).map(|k| entry(k / (3 * n), k % (3 * n))).collect();
        Found { value: self.value(objective, &self.x), gradient, blocks }
    }

    /// The value and its derivatives by `value_lanes`.
    fn by_lanes(&self, objective: &Objective) -> (f64, Vec<f64>) {
        let (model, mut ws) = (self.model.map(Lanes::from_f64), objective.lanes(&self.model));
        let (mut value, mut all) = (0.0, Vec::new());
        for first in (0..self.x.len()).step_by(8) {
            let seed = |(i, x): (usize, &f64)| match i.checked_sub(first) {
                Some(lane) if lane < 8 => Tangents::variable(*x, lane),
                _ => Lanes::from_f64(*x),
            };
            let x: Vec<Lanes> = self.x.iter().enumerate().map(seed).collect();
            let found = objective.value_lanes(&model, &mut ws, &self.row(&x));
            value = found.value;
            all.extend(found.tangents);
        }
        all.truncate(self.x.len());
        (value, all)
    }

    /// By central differences of numbers that depend on the state: a row a number.
    fn by_differences(&self, h: f64, f: impl Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
        let mut rows = vec![Vec::new(); f(&self.x).len()];
        for i in 0..self.x.len() {
            let at = |amount: f64| {
                let mut x = self.x.clone();
                x[i] += amount;
                f(&x)
            };
            let (above, below) = (at(h), at(-h));
            rows.iter_mut().enumerate().for_each(|(k, row)| row.push((above[k] - below[k]) / (2.0 * h)));
        }
        rows
    }

    fn pose(&self, x: &[f64], frame: usize) -> Pose<f64> {
        let mut poses = vec![Pose::identity(); self.model.frames().len()];
        frame_poses(&self.model, &mut Workspace::new(&self.model), &x[..self.joints()], &mut poses);
        poses[frame]
    }

    /// The errors of a built-in quantity, written out with nalgebra's rotations.
    fn errors(&self, quantity: &Quantity, x: &[f64]) -> Vec<f64> {
        let n = self.joints();
        match quantity {
            Quantity::FramePosition { frame, goal } => {
                (self.pose(x, *frame).position - Vector3::from(*goal)).iter().copied().collect()
            }
            Quantity::FrameOrientation { frame, goal: [w, i, j, k] } => {
                let goal = UnitQuaternion::from_quaternion(Quaternion::new(*w, *i, *j, *k));
                let pose = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(
                    self.pose(x, *frame).rotation,
                ));
                (goal.inverse() * pose).scaled_axis().iter().copied().collect()
            }
            Quantity::JointPosition { joint, goal } => vec![x[*joint] - goal],
            Quantity::JointVelocity { joint, goal } => vec![x[n + joint] - goal],
            Quantity::EffortSquared => x[2 * n..].to_vec(),
            Quantity::KineticEnergy | Quantity::Own(_) => unreachable!("no built-in errors"),
        }
    }

    /// `2 k Σ s sᵀ` of rows of slopes.
    fn squares(&self, k: f64, rows: &[Vec<f64>]) -> Vec<f64> {
        let n = self.x.len();
        (0..n * n).map(|at| rows.iter().map(|s| 2.0 * k * s[at / n] * s[at % n]).sum()).collect()
    }
}

/// One of each, on random joints and frames.
fn quantities(random: &mut Random, model: &Model<f64>) -> Vec<Quantity> {
    let (joint, frame) = (random.below(model.joints().len()), random.below(model.frames().len()));
    vec![
        Quantity::FramePosition { frame, goal: random.three() },
        Quantity::FrameOrientation { frame, goal: [0.0; 4].map(|_| random.unit()) },
        Quantity::JointPosition { joint, goal: random.unit() },
        Quantity::JointVelocity { joint, goal: random.unit() },
        Quantity::EffortSquared,
        Quantity::KineticEnergy,
        Quantity::Own(Own::value(move |s| {
            let at = s.frame_pose(frame).position;
            at.z * s.v[joint] + s.effort[joint] * s.potential_energy() + s.kinetic_energy().scale(0.1)
        })),
        Quantity::Own(Own::errors(2, move |s, e| {
            e[0] = s.frame_twist(frame).linear.x + s.effort[joint];
            e[1] = s.q[joint] * s.v[joint] - Lanes::from_f64(s.t);
        })),
    ]
}

fn share(when: When, case: &Case) -> f64 {
    match when {
        When::All => 0.7 * STEP,
        When::End => f64::from(u8::from(case.last)) * 0.7,
    }
}

/// Claim: of each quantity alone, on 60 random trees, at the end and all along: the value is `value_lanes`' to 1e-13, the derivatives
/// by every position, velocity and effort are its tangents to 1e-12 of the largest, and central differences of the value to 1e-7
/// (`h = 1e-5`: rounding 1e-16/1e-5 over a value that may be some tens of times the slopes). Before the end a term of the end counts
/// nothing, exactly.
#[test]
fn gradients_are_those_of_duals_and_differences() {
    let (mut compared, mut duals, mut differences) = (0, 0.0_f64, 0.0_f64);
    for seed in 0..60 {
        let case = Case::random(seed);
        for (kind, quantity) in quantities(&mut Random::new(seed), &case.model).into_iter().enumerate() {
            for when in [When::All, When::End] {
                if matches!(quantity, Quantity::EffortSquared) && when == When::End {
                    continue;
                }
                let objective = case.objective(quantity.clone(), when);
                let found = case.found(&objective);
                let (value, tangents) = case.by_lanes(&objective);
                if share(when, &case) == 0.0 {
                    assert!(found.value == 0.0 && value == 0.0, "seed {seed} kind {kind}");
                    let all = found.gradient.iter().chain(&found.blocks).chain(&tangents);
                    assert!({ all }.all(|x| *x == 0.0), "seed {seed} kind {kind}");
                    continue;
                }
                assert!((found.value - value).abs() <= 1e-13 * value.abs(), "seed {seed} kind {kind}");
                let scale = tangents.iter().fold(1e-3 * value.abs(), |m, x| m.max(x.abs()));
                let slopes = case.by_differences(1e-5, |x| vec![case.value(&objective, x)]);
                for i in 0..case.x.len() {
                    let off = (found.gradient[i] - tangents[i]).abs() / scale;
                    assert!(off < 1e-12, "seed {seed} kind {kind} by {i}: {off:e}");
                    duals = duals.max(off);
                    let off = (found.gradient[i] - slopes[0][i]).abs() / scale;
                    assert!(off < 1e-7, "seed {seed} kind {kind} by {i}: {off:e} from differences");
                    differences = differences.max(off);
                    compared += 1;
                }
            }
        }
    }
    println!("{compared} entries, apart from duals by {duals:.1e}, from differences by {differences:.1e}");
    assert!(compared > 7000, "{compared}");
}

/// Claim: Gauss–Newton blocks are `2 w JᵀJ` of the errors as the docs write them, with `J` by differences of errors written out here
/// (1e-8 of the largest entry, twice what `h = 1e-5` leaves of a first derivative); of the energy `w M` by velocities,
/// here by differences of its gradient; of a closure's errors by duals. A closure that is a value adds nothing.
#[test]
fn gauss_newton_blocks_are_the_squares_of_the_errors_slopes() {
    let (mut worst, mut compared) = (0.0_f64, 0);
    for seed in 0..60 {
        let case = Case::random(seed);
        let n = case.joints();
        for (kind, quantity) in quantities(&mut Random::new(seed), &case.model).into_iter().enumerate() {
            let objective = case.objective(quantity.clone(), When::All);
            let (found, k) = (case.found(&objective), share(When::All, &case));
            let expected = match (&quantity, kind) {
                (Quantity::KineticEnergy, _) => {
                    let rows = case.by_differences(1e-5, |x| {
                        let moved = Case { model: case.model.clone(), x: x.to_vec(), last: case.last };
                        moved.found(&objective).gradient[n..2 * n].to_vec()
                    });
                    let entry = |i: usize, j: usize| match (n..2 * n).contains(&i) && (n..2 * n).contains(&j)
                    {
                        true => rows[i - n][j],
                        false => 0.0,
                    };
                    (0..9 * n * n).map(|at| entry(at / (3 * n), at % (3 * n))).collect()
                }
                (Quantity::Own(_), 6) => vec![0.0; 9 * n * n],
                (Quantity::Own(_), _) => {
                    // Its two errors, each alone: the square's tangents over twice the error are the error's.
                    let rows = case.by_differences(1e-5, |x| own_errors(&case, &mut Random::new(seed), x));
                    case.squares(k, &rows)
                }
                _ => case.squares(k, &case.by_differences(1e-5, |x| case.errors(&quantity, x))),
            };
            let off = relative(&found.blocks, &expected);
            let zero = expected.iter().all(|x| *x == 0.0);
            if zero {
                assert!(found.blocks.iter().all(|x| *x == 0.0), "seed {seed} kind {kind}");
                continue;
            }
            assert!(off < 1e-8, "seed {seed} kind {kind}: {off:e}");
            worst = worst.max(off);
            compared += 1;
        }
    }
    println!("{compared} matrices, apart by {worst:.1e}");
    assert!(compared > 300, "{compared}");
}

/// The errors of the last of [`quantities`], in plain numbers and by another road to the twist.
fn own_errors(case: &Case, random: &mut Random, x: &[f64]) -> Vec<f64> {
    let n = case.joints();
    let (joint, frame) = (random.below(n), random.below(case.model.frames().len()));
    let mut twists = vec![
        articula::dynamics::Twist { linear: Vector3::zeros(), angular: Vector3::zeros() };
        case.model.frames().len()
    ];
    let ws = &mut Workspace::new(&case.model);
    articula::dynamics::frame_twists(&case.model, ws, &x[..n], &x[n..2 * n], &mut twists);
    vec![twists[frame].linear.x + x[2 * n + joint], x[joint] * x[n + joint] - 0.5]
}

/// A goal that a frame is turned from by `angle` about a random axis, in its own axes.
fn turned(case: &Case, frame: usize, axis: [f64; 3], angle: f64) -> Quantity {
    let rotation: Matrix3<f64> = case.pose(&case.x, frame).rotation;
    let here = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation));
    let axis = nalgebra::Unit::new_normalize(Vector3::from(axis));
    // R = R_goal exp(e).
    let goal = here * UnitQuaternion::from_axis_angle(&axis, angle).inverse();
    Quantity::FrameOrientation { frame, goal: [goal.w, goal.i, goal.j, goal.k] }
}

/// Claim: at no error the orientation's derivatives are zero and its block is `2 w J_ωᵀ J_ω`; on the way to an angle of π the gradient stays
/// the duals' and the value's `w θ²`; the block is that of the errors while differences stay clear of π; at π exactly all is finite.
/// The tolerance grows as the angle comes near π: half a turn is found from a cosine of rounding 1e-16, whose part is `1e-16/(π − θ)`.
#[test]
fn orientation_at_no_error_and_near_half_a_turn() {
    let pi = std::f64::consts::PI;
    for seed in 0..40 {
        let case = Case::random(700 + seed);
        let mut random = Random::new(seed);
        let (frame, axis) = (random.below(case.model.frames().len()), random.three());
        for angle in [0.0, 1e-12, 1e-8, 1e-4, 9e-3, 0.1, 1.0, 3.0, pi - 1e-2, pi - 1e-4, pi - 1e-6, pi] {
            let quantity = turned(&case, frame, axis, angle);
            let objective = case.objective(quantity.clone(), When::All);
            let (found, k) = (case.found(&objective), share(When::All, &case));
            let all = found.gradient.iter().chain(&found.blocks);
            assert!({ all }.all(|x| x.is_finite()) && found.value.is_finite(), "seed {seed} angle {angle}");
            assert!(
                (found.value - k * angle * angle).abs() < 1e-13 + 1e-13 * angle,
                "seed {seed} angle {angle}"
            );
            if angle == pi {
                continue;
            }
            let (_, tangents) = case.by_lanes(&objective);
            let apart = found.gradient.iter().zip(&tangents).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            let allowed = 1e-13 + 1e-15 / (pi - angle);
            assert!(apart < allowed, "seed {seed} angle {angle}: {apart:e}");
            let sizes = found.gradient.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            // 2 w θ times a unit axis times columns of unit length at most.
            assert!(sizes <= 2.0 * k * angle + 1e-12, "seed {seed} angle {angle}: {sizes:e}");
            let room = pi - angle;
            if room < 1e-3 {
                continue;
            }
            let rows = case.by_differences(1e-5, |x| case.errors(&quantity, x));
            let off = relative(&found.blocks, &case.squares(k, &rows));
            let moves = rows.iter().flatten().any(|x| x.abs() > 1e-6);
            // The log's third derivative grows as 1/room²; h² of it stays.
            assert!(!moves || off < 1e-7 / room, "seed {seed} angle {angle}: {off:e}");
        }
    }
}

/// Claim: closures that say what built-in terms say have their values, derivatives and blocks, to 1e-12 of the largest entry.
#[test]
fn closures_are_equal_to_built_in_terms() {
    let mut compared = 0;
    for seed in 0..30 {
        let case = Case::random(300 + seed);
        for quantity in quantities(&mut Random::new(seed), &case.model) {
            let constant = Lanes::from_f64;
            let own = match quantity.clone() {
                Quantity::FramePosition { frame, goal } => Own::errors(3, move |s, e| {
                    let at = s.frame_pose(frame).position;
                    (0..3).for_each(|k| e[k] = at[k] - constant(goal[k]));
                }),
                Quantity::FrameOrientation { frame, goal } => {
                    let [w, i, j, k] = goal;
                    let goal = UnitQuaternion::from_quaternion(Quaternion::new(w, i, j, k));
                    let back = goal.to_rotation_matrix().into_inner().transpose();
                    Own::errors(3, move |s, e| {
                        let turn = back.map(constant) * s.frame_pose(frame).rotation;
                        e.copy_from_slice(rotation_vector(&turn).as_slice());
                    })
                }
                Quantity::JointPosition { joint, goal } => {
                    Own::errors(1, move |s, e| e[0] = s.q[joint] - constant(goal))
                }
                Quantity::JointVelocity { joint, goal } => {
                    Own::errors(1, move |s, e| e[0] = s.v[joint] - constant(goal))
                }
                Quantity::EffortSquared => Own::errors(case.joints(), |s, e| e.copy_from_slice(s.effort)),
                Quantity::KineticEnergy => Own::value(|s| s.kinetic_energy()),
                Quantity::Own(_) => continue,
            };
            let [built_in, own] =
                [quantity.clone(), Quantity::Own(own)].map(|q| case.found(&case.objective(q, When::All)));
            assert!((built_in.value - own.value).abs() <= 1e-12 * built_in.value.abs(), "{quantity:?}");
            let close = |a: &[f64], b: &[f64]| {
                let scale = b.iter().fold(1e-3, |m: f64, x| m.max(x.abs()));
                a.iter().zip(b).all(|(x, y)| (x - y).abs() <= 1e-12 * scale)
            };
            assert!(close(&own.gradient, &built_in.gradient), "seed {seed} {quantity:?}");
            // Nobody says where a value has its least, so that it has no block.
            if matches!(quantity, Quantity::KineticEnergy) {
                assert!(own.blocks.iter().all(|x| *x == 0.0));
            } else {
                assert!(close(&own.blocks, &built_in.blocks), "seed {seed} {quantity:?}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 180);
}

/// Claim: terms add up: value, derivatives and blocks of all together are the sums of each alone, to rounding; and what is added to stays.
#[test]
fn terms_add_up() {
    for seed in 0..20 {
        let case = Case::random(500 + seed);
        let all = quantities(&mut Random::new(seed), &case.model);
        let term = |quantity: &Quantity| Term { quantity: quantity.clone(), when: When::All, weight: 0.7 };
        let together = Objective::new(&case.model, all.iter().map(term).collect()).unwrap();
        let n = case.joints();
        let mut ws = together.workspace(&case.model);
        let mut sums = [vec![1.0; n], vec![2.0; n], vec![3.0; n]];
        let [by_q, by_v, by_effort] = &mut sums;
        together.add_gradient(&case.model, &mut ws, &case.row(&case.x), by_q, by_v, by_effort);
        let mut values = vec![5.0; all.len()];
        together.add_value(&case.model, &mut ws, &case.row(&case.x), &mut values);
        let alone: Vec<Found> =
            all.iter().map(|q| case.found(&case.objective(q.clone(), When::All))).collect();
        for (value, found) in values.iter().zip(&alone) {
            assert!((value - 5.0 - found.value).abs() < 1e-13 * (5.0 + found.value.abs()), "seed {seed}");
        }
        for (i, sum) in sums.concat().iter().enumerate() {
            let started = 1.0 + (i / n) as f64;
            let parts: Vec<f64> = alone.iter().map(|found| found.gradient[i]).collect();
            let size = started + parts.iter().map(|x| x.abs()).sum::<f64>();
            assert!((sum - started - parts.iter().sum::<f64>()).abs() < 1e-13 * size, "seed {seed}");
        }
        let blocks = case.found(&together).blocks;
        let size = blocks.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (i, sum) in blocks.iter().enumerate() {
            let parts: f64 = alone.iter().map(|found| found.blocks[i]).sum();
            assert!((sum - parts).abs() < 1e-12 * size, "seed {seed}");
        }
    }
}

/// Claim: an objective that the machine cannot have is refused, with the term's number, what was found and what would do.
#[test]
fn what_is_refused_is_named() {
    let model = machine(&mut Random::new(1), Kind { chain: 1.0, ..Kind::tree(3) });
    let frames = model.frames().len();
    let good = Quantity::JointPosition { joint: 0, goal: 0.0 };
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let unit = [1.0, 0.0, 0.0, 0.0];
    let place = |frame, goal| Quantity::FramePosition { frame, goal };
    let turn = |frame, goal| Quantity::FrameOrientation { frame, goal };
    let cases = [
        (place(frames, [0.0; 3]), When::All, 1.0, "term 2", format!("frame {frames}"), "a frame below"),
        (turn(99, unit), When::End, 1.0, "term 2", "frame 99".into(), "`random` has so many"),
        (
            Quantity::JointPosition { joint: 3, goal: 0.0 },
            When::All,
            1.0,
            "term 2",
            "joint 3".into(),
            "below 3",
        ),
        (
            Quantity::JointVelocity { joint: 7, goal: 0.0 },
            When::All,
            1.0,
            "term 2",
            "joint 7".into(),
            "below 3",
        ),
        (place(0, [0.0, nan, 0.0]), When::All, 1.0, "goal of term 2", "NaN".into(), "a finite number"),
        (turn(0, [1.0, inf, 0.0, 0.0]), When::All, 1.0, "goal of term 2", "inf".into(), "a finite number"),
        (turn(0, [0.0; 4]), When::All, 1.0, "goal of term 2", "length 0".into(), "quaternion w x y z"),
        (
            Quantity::JointPosition { joint: 0, goal: nan },
            When::All,
            1.0,
            "goal of term 2",
            "NaN".into(),
            "finite",
        ),
        (
            Quantity::JointVelocity { joint: 0, goal: -inf },
            When::All,
            1.0,
            "goal of term 2",
            "-inf".into(),
            "finite",
        ),
        (good.clone(), When::All, nan, "weight of term 2", "NaN".into(), "a finite number"),
        (Quantity::KineticEnergy, When::End, inf, "weight of term 2", "inf".into(), "a finite number"),
        (Quantity::EffortSquared, When::End, 1.0, "term 2", "efforts at the end".into(), "all along"),
    ];
    for (quantity, when, weight, who, found, expected) in cases {
        let first = Term { quantity: good.clone(), when: When::All, weight: 1.0 };
        let terms = vec![first, Term { quantity: quantity.clone(), when, weight }];
        let error = Objective::new(&model, terms).expect_err("it is refused");
        let articula::Error::Value { who: named, found: seen, expected: wanted } = &error else {
            panic!("{quantity:?}: {error:?}")
        };
        assert_eq!(named, who, "{error}");
        assert!(seen.contains(&found) && wanted.contains(expected), "{error}");
    }
    // What is at the border of that is taken.
    for quantity in [turn(frames - 1, [0.0, 0.0, 2.0, 0.0]), Quantity::EffortSquared, good] {
        let term = Term { quantity, when: When::All, weight: -1.0 };
        assert_eq!(Objective::new(&model, vec![term]).unwrap().terms().len(), 1);
    }
}
