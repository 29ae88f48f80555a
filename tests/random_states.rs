//! A hundred thousand random states of real arms: no derivative of a step is ever not finite, and where its status says `exact`
//! every column is what central differences give.

mod kit;

use articula::description::Description;
use articula::dynamics::{Loads, Workspace, bias, mass_matrix};
use articula::model::Model;
use articula::step::{DynamicArm, Inputs, Outcome, Piece, Solver, State, StepJacobian, StepWorkspace};
use articula::switch::{Choices, Observed};
use kit::Random;
use rayon::prelude::*;
use std::ops::AddAssign;

const STATES: usize = 100_000;
const DT: f64 = 1e-3;
/// Of a block's largest entry.
const TOLERANCE: f64 = 1e-5;

const ROBOTS: [&str; 5] = [
    "tests/robots/arm7.urdf",
    "tests/robots/branched.urdf",
    "tests/robots/double_pendulum.urdf",
    "benches/peers/models/panda7.urdf",
    "benches/peers/models/ur5.urdf",
];

/// A robot file's arm; friction and limits where the file has none (a continuous joint can have no limits).
fn arm(path: &str) -> DynamicArm<f64> {
    let text = Description::read(path).unwrap().acknowledge(&[]).unwrap();
    let model = Model::from_description(&text).unwrap();
    let model = model.with_joints(|j, joint| {
        joint.friction = joint.friction.or(Some(0.2 + 0.1 * j as f64));
        if joint.kind != articula::model::JointKind::Continuous {
            (joint.lower, joint.upper) = (joint.lower.or(Some(-2.0)), joint.upper.or(Some(2.0)));
        }
    });
    DynamicArm::new(model.unwrap(), DT, Solver::Exact).unwrap()
}

/// Where states are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Anywhere within the limits, at usual speeds.
    Moving,
    /// At rest, or so slow that friction stops it in the step; pushed by less than its friction.
    Stuck,
    /// At a limit, pushed into it.
    OnStops,
    /// About to arrive at a limit.
    Arriving,
    /// Exactly at limits, at rest, pushed by anything, nothing, or just the weight.
    AtLimits,
    /// Without velocity, under any effort.
    Still,
    /// All joints at zero, moving or not, pushed or not.
    ZeroPose,
    /// At rest, pushed by the weight and exactly the friction.
    Edge,
    /// Far beyond what any such arm does.
    Fast,
    /// Each joint by another of these.
    Mixed,
}

const KINDS: [Kind; 10] = [
    Kind::Moving,
    Kind::Stuck,
    Kind::OnStops,
    Kind::Arriving,
    Kind::AtLimits,
    Kind::Still,
    Kind::ZeroPose,
    Kind::Edge,
    Kind::Fast,
    Kind::Mixed,
];

/// The effort that leaves exactly `friction` over `bias`, or as near as a few last bits come.
fn exactly(bias: f64, friction: f64) -> f64 {
    let mut effort = bias + friction;
    for _ in 0..4 {
        let over = effort - bias - friction;
        if over != 0.0 {
            effort -= over;
        }
    }
    effort
}

/// One arm, and all that a thread needs for it.
struct Bench<'a> {
    arm: &'a DynamicArm<f64>,
    ws: StepWorkspace<f64>,
    dynamics: Workspace<f64>,
    out: Outcome<f64>,
    jacobian: StepJacobian<f64>,
    /// Positions, velocities, efforts and frictions one after the other.
    x: Vec<f64>,
    state: State<f64>,
    bias: Vec<f64>,
    mass: Vec<f64>,
}

/// What was found of a state, or of many.
#[derive(Clone, Copy, Default)]
struct Tally {
    /// States by status, in its order.
    status: [usize; 5],
    /// Columns compared where it is `exact`, and where it is `exact_branch`.
    columns: [usize; 2],
    /// Columns of `exact_branch` whose differences left the pieces however small the step.
    left: usize,
    /// Columns whose difference took a smaller step to keep the pieces.
    shortened: usize,
    /// The worst column, over the block's largest entry.
    worst: f64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        (0..5).for_each(|i| self.status[i] += other.status[i]);
        (0..2).for_each(|i| self.columns[i] += other.columns[i]);
        self.left += other.left;
        self.shortened += other.shortened;
        self.worst = self.worst.max(other.worst);
    }
}

impl<'a> Bench<'a> {
    fn new(arm: &'a DynamicArm<f64>) -> Self {
        let model = arm.model();
        let n = model.joints().len();
        assert_eq!(model.coupling().independent().len(), n, "no joint here follows another");
        Bench {
            arm,
            ws: StepWorkspace::new(model),
            dynamics: Workspace::new(model),
            out: Outcome::new(model),
            jacobian: StepJacobian::new(model),
            x: (0..3 * n).map(|_| 0.0).chain(model.joints().iter().map(|j| j.friction.unwrap())).collect(),
            state: State { q: vec![0.0; n], v: vec![0.0; n], t: 0.0 },
            bias: vec![0.0; n],
            mass: vec![0.0; n * n],
        }
    }

    /// Draws a state and efforts.
    fn draw(&mut self, random: &mut Random, kind: Kind) {
        let Bench { arm, dynamics, x, bias: weight, mass, .. } = self;
        let joints = arm.model().joints();
        let n = joints.len();
        let kinds: Vec<Kind> = (0..n)
            .map(|_| if kind == Kind::Mixed { KINDS[random.below(KINDS.len() - 1)] } else { kind })
            .collect();
        let still = random.below(2) == 0;
        let (q, rest) = x.split_at_mut(n);
        let (v, rest) = rest.split_at_mut(n);
        let effort = &mut rest[..n];
        let sides: Vec<f64> = (0..n).map(|_| random.unit().signum()).collect();
        for (j, joint) in joints.iter().enumerate() {
            let span = (joint.lower.unwrap_or(-3.0), joint.upper.unwrap_or(3.0));
            let limit = if sides[j] < 0.0 { joint.lower } else { joint.upper };
            let speed = if joint.kind.slides() { 0.3 } else { 2.0 };
            q[j] = random.within(span.0, span.1);
            v[j] = speed * random.unit();
            match kinds[j] {
                Kind::Moving | Kind::Mixed => {}
                Kind::Fast => v[j] *= 25.0,
                Kind::Still | Kind::Edge => v[j] = 0.0,
                // Of a slow one, later: it takes the mass matrix.
                Kind::Stuck => v[j] = 0.0,
                Kind::ZeroPose => {
                    q[j] = 0.0_f64.clamp(span.0, span.1);
                    v[j] *= if still { 0.0 } else { 1.0 };
                }
                Kind::AtLimits => {
                    q[j] = limit.unwrap_or(q[j]);
                    v[j] = 0.0;
                }
                Kind::OnStops => {
                    q[j] = limit.unwrap_or(q[j]);
                    v[j] = if still { 0.0 } else { sides[j] * v[j].abs() };
                }
                Kind::Arriving => {
                    v[j] = sides[j] * v[j].abs();
                    let before = |x: f64| x - 2.0 * DT * random.within(0.0, 1.0) * v[j];
                    q[j] = limit.map_or(q[j], before).clamp(span.0, span.1);
                }
            }
        }
        mass_matrix(arm.model(), dynamics, q, &[], mass);
        for j in (0..n).filter(|&j| kinds[j] == Kind::Stuck && !still) {
            v[j] = 0.3 * random.unit() * DT * joints[j].friction.unwrap() / mass[j * (n + 1)];
        }
        bias(arm.model(), dynamics, q, v, &Loads::none(), weight);
        for (j, joint) in joints.iter().enumerate() {
            let friction = joint.friction.unwrap();
            let any = (friction + 0.5 * weight[j].abs()) * 4.0 * random.unit();
            effort[j] = match kinds[j] {
                Kind::Stuck => weight[j] + 0.6 * friction * random.unit(),
                Kind::OnStops => weight[j] + sides[j] * (2.0 * friction + any.abs()),
                Kind::ZeroPose if still => 0.0,
                Kind::Edge => exactly(weight[j], sides[j] * friction),
                Kind::AtLimits => [any, 0.0, weight[j]][random.below(3)],
                _ => any,
            };
        }
    }

    /// A step from `x`: into `state` and `out`.
    fn step(&mut self) -> bool {
        let n = self.bias.len();
        self.state.q.copy_from_slice(&self.x[..n]);
        self.state.v.copy_from_slice(&self.x[n..2 * n]);
        let inputs = Inputs { friction: &self.x[3 * n..], ..Inputs::effort(&self.x[2 * n..3 * n]) };
        let report =
            self.arm.step(&mut self.ws, &mut self.state, &inputs, &mut Choices::free(), &mut self.out);
        report.settled()
    }

    /// `∂(v⁺, q⁺)/∂x_i` by a central difference over `±h`, into `to`; whether both sides are on these pieces.
    fn difference(&mut self, i: usize, h: f64, pieces: &[Piece], to: &mut [f64]) -> bool {
        let n = pieces.len();
        let at = self.x[i];
        let (above, below) = (at + h, at - h);
        self.x[i] = above;
        let mut kept = self.step() && self.out.pieces == pieces;
        to[..n].copy_from_slice(&self.state.v);
        to[n..].copy_from_slice(&self.state.q);
        self.x[i] = below;
        kept = kept && self.step() && self.out.pieces == pieces;
        self.x[i] = at;
        let width = above - below;
        let (v, q) = to.split_at_mut(n);
        v.iter_mut().zip(&self.state.v).for_each(|(x, b)| *x = (*x - b) / width);
        q.iter_mut().zip(&self.state.q).for_each(|(x, b)| *x = (*x - b) / width);
        kept
    }

    /// One state: everything finite, and the differences where the status promises them.
    fn judge(&mut self) -> Result<Tally, String> {
        let n = self.bias.len();
        let mut tally = Tally::default();
        let before = State { q: self.x[..n].to_vec(), v: self.x[n..2 * n].to_vec(), t: 0.0 };
        let _ = self.step();
        let Bench { arm, ws, out, jacobian, x, state, .. } = self;
        let inputs = Inputs { friction: &x[3 * n..], ..Inputs::effort(&x[2 * n..3 * n]) };
        arm.jacobian(ws, &before, &inputs, state, out, jacobian);
        let (found, status) = self.jacobian.read();
        let by_friction: Vec<f64> =
            found.by_effort.iter().enumerate().map(|(k, x)| -x * found.slides[k % n]).collect();
        let blocks =
            [found.by_position, found.by_velocity, found.by_effort, &by_friction].map(<[f64]>::to_vec);
        let (stopped, observed) = (found.stopped.to_vec(), status.observed);
        let nearest = status.nearest;
        let (pieces, end) = (self.out.pieces.clone(), self.state.clone());
        let finite = |all: &[f64]| all.iter().all(|x| x.is_finite());
        if !blocks.iter().all(|block| finite(block)) || !finite(&end.q) || !finite(&end.v) {
            return Err(format!("not finite on {pieces:?}: {blocks:?}"));
        }
        tally.status[observed as usize] = 1;
        let compared = match observed {
            Observed::Exact => 0,
            Observed::ExactBranch => 1,
            _ => return Ok(tally),
        };
        let mut column = vec![0.0; 2 * n];
        for (block, matrix) in blocks.iter().enumerate() {
            let own = |i: usize, c: usize| f64::from(block == 0 && i == c);
            // q⁺ moves by dt v⁺, and by itself; on a stop not at all.
            let place =
                |i: usize, c: usize| if stopped[i] { 0.0 } else { own(i, c) + DT * matrix[i * n + c] };
            let velocities = matrix.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let positions = (0..n * n).fold(0.0_f64, |m, k| m.max(place(k / n, k % n).abs()));
            for c in 0..n {
                let i = block * n + c;
                // Small to curvature; efforts and frictions enter linearly, speeds as squares.
                let mut h = [1e-4, 1e-3, 1e-2, 1e-2][block];
                let mut kept = self.difference(i, h, &pieces, &mut column);
                for _ in 0..10 {
                    if kept {
                        break;
                    }
                    h *= 0.25;
                    kept = self.difference(i, h, &pieces, &mut column);
                    tally.shortened += usize::from(kept);
                }
                if !kept {
                    if observed == Observed::Exact {
                        return Err(format!(
                            "exact, but block {block} column {c} leaves {pieces:?} at {h:e}; nearest {nearest:?}"
                        ));
                    }
                    tally.left += 1;
                    continue;
                }
                tally.columns[compared] += 1;
                for row in 0..n {
                    let expected = [matrix[row * n + c], place(row, c)];
                    for (k, scale) in [velocities, positions].into_iter().enumerate() {
                        let differs = (column[k * n + row] - expected[k]).abs();
                        let rounding = [4.0 * f64::EPSILON * end.v[row].abs() / h, 0.0][k];
                        // NaN is no agreement either.
                        if differs.is_nan() || differs > TOLERANCE * scale + rounding {
                            return Err(format!(
                                "{observed:?}: d{}[{row}] by block {block} column {c} is {:e}, differences give {:e} at h = {h:e}, \
                                 block's largest {scale:e}, on {pieces:?}",
                                ["v+", "q+"][k],
                                expected[k],
                                column[k * n + row]
                            ));
                        }
                        tally.worst = tally.worst.max((differs - rounding) / scale.max(f64::MIN_POSITIVE));
                    }
                }
            }
        }
        Ok(tally)
    }
}

/// What a block of states came to, robot by robot, and its first fault.
type Block = (Vec<(usize, Kind, Tally)>, Option<String>);

/// Claim: (a) the closed-form Jacobian of one exact step has no number that is not finite, in any state an arm can be in; (b) where
/// its status is `exact`, steps small enough keep the pieces, and every column of `v⁺` and `q⁺` by `q`, `v`, `u` and friction is the central
/// difference, to 1e-5 of its block's largest entry and `4 ε |v⁺| / h`, the last bits of `v⁺` over the step; (c) so it is
/// where the status is `exact_branch` and both sides stay on the pieces.
///
/// Method: 20 000 states of each of five robots, seeded by their index, of ten kinds. The tolerance is for the
/// curvature over steps of 1e-4 in position and 1e-3 in velocity; the last bits count where a block is zero but for them, as by
/// positions where only the last joint moves, about its own axis.
#[test]
fn exact_is_exact() {
    let arms = ROBOTS.map(arm);
    // Blocks of one robot's states, so that a thread makes its room a few hundred times only.
    let block = 250;
    let blocks: Vec<Block> = (0..STATES / block)
        .into_par_iter()
        .map(|b| {
            let robot = b % arms.len();
            let mut bench = Bench::new(&arms[robot]);
            let (mut found, mut fault) = (Vec::new(), None);
            for index in b * block..(b + 1) * block {
                let kind = KINDS[index % KINDS.len()];
                bench.draw(&mut Random::new(index as u64), kind);
                match bench.judge() {
                    Ok(tally) => found.push((robot, kind, tally)),
                    Err(message) => {
                        let told = format!("{} state {index} ({kind:?}): {message}", ROBOTS[robot]);
                        fault.get_or_insert(told);
                    }
                }
            }
            (found, fault)
        })
        .collect();
    println!(
        "{:42} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>6} {:>9}  worst",
        "states", "exact", "branch", "one", "unsettl", "columns", "columns-b", "left", "shortened",
    );
    let row = |name: &str, tally: &Tally| {
        let [exact, branch, one, jump, unsettled] = tally.status;
        assert_eq!(jump, 0, "no law here jumps");
        let Tally { columns, left, shortened, worst, .. } = tally;
        println!(
            "{name:42} {exact:8} {branch:8} {one:8} {unsettled:8} {:9} {:9} {left:6} {shortened:9}  {worst:.1e}",
            columns[0], columns[1]
        );
    };
    let all = || blocks.iter().flat_map(|(found, _)| found);
    let sum = |of: &dyn Fn(usize, Kind) -> bool| {
        let mut sum = Tally::default();
        all().filter(|(robot, kind, _)| of(*robot, *kind)).for_each(|(.., tally)| sum += *tally);
        sum
    };
    ROBOTS.iter().enumerate().for_each(|(r, name)| row(name, &sum(&|robot, _| robot == r)));
    KINDS.iter().for_each(|kind| row(&format!("{kind:?}"), &sum(&|_, k| k == *kind)));
    let total = sum(&|_, _| true);
    row("all", &total);
    let faults: Vec<&String> = blocks.iter().filter_map(|(_, fault)| fault.as_ref()).collect();
    assert!(
        faults.is_empty(),
        "{} blocks with a fault:\n{}",
        faults.len(),
        faults.iter().take(10).map(|f| f.as_str()).collect::<Vec<_>>().join("\n")
    );
    assert_eq!(total.status.iter().sum::<usize>(), STATES);
    let [exact, branch, one, _, unsettled] = total.status;
    assert_eq!(unsettled, 0, "the exact solve has an answer");
    assert!(exact > STATES / 3 && branch > 300 && one > 1000, "{:?}", total.status);
}
