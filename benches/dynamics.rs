//! Micro-benches of the dynamics and the step, one JSON object a line, microseconds a call.
//!
//! ```text
//! cargo bench --bench dynamics                                  the models in benches/peers/models
//! cargo bench --bench dynamics -- MODEL.urdf NAME [MODEL NAME]  others
//! cargo bench --bench dynamics -- --test                        each operation once
//! cargo bench --bench dynamics -- --ops=step,poses              some operations
//! ```
//!
//! `benches/compare.py` runs it beside the peers. States are 256 random ones within the limits, cycled, as theirs.

use articula::description::Description;
use articula::dynamics::{
    ForwardDynamicsDerivatives, InverseDynamicsDerivatives, Loads, Workspace, forward_dynamics,
    forward_dynamics_derivatives, frame_poses, inverse_dynamics, inverse_dynamics_derivatives,
    joint_jacobians, mass_matrix, regressor,
};
use articula::model::Model;
use articula::real::{Real, Tangents};
use articula::rollout::{Adjoint, By, Course, Objective, Quantity, Rung, Term, When, gradients};
use articula::spatial::Pose;
use articula::step::{DynamicArm, Inputs, Outcome, Solver, StepJacobian, StepWorkspace};
use articula::switch::Choices;
use cpu_time::ThreadTime;
use std::hint::black_box;
use std::time::Instant;

const STATES: usize = 256;

/// Times closures and prints their lines.
struct Bench<'a> {
    robot: &'a str,
    /// Calls a repeat, and repeats.
    calls: usize,
    repeats: usize,
    /// Only these operations; empty for all.
    ops: &'a [String],
}

impl Bench<'_> {
    fn time(&self, op: &str, mut call: impl FnMut(usize)) {
        if !self.ops.is_empty() && !self.ops.iter().any(|o| o == op) {
            return;
        }
        (0..self.calls / 10 + 1).for_each(&mut call);
        let (mut cpu, mut wall) = (Vec::new(), Vec::new());
        for _ in 0..self.repeats {
            let (c, w) = (ThreadTime::now(), Instant::now());
            (0..self.calls).for_each(&mut call);
            let per_call = |d: std::time::Duration| d.as_secs_f64() * 1e6 / self.calls as f64;
            cpu.push(per_call(c.elapsed()));
            wall.push(per_call(w.elapsed()));
        }
        cpu.sort_by(f64::total_cmp);
        wall.sort_by(f64::total_cmp);
        let line = serde_json::json!({
            "lib": "articula", "robot": self.robot, "op": op,
            "cpu_min": cpu[0], "cpu_med": cpu[self.repeats / 2],
            "wall_min": wall[0], "wall_med": wall[self.repeats / 2],
            "nev": self.calls, "rep": self.repeats,
        });
        println!("{line}");
    }
}

/// Uniform in ±1, the same everywhere.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn rows(&mut self, n: usize) -> Vec<Vec<f64>> {
        (0..STATES).map(|_| (0..n).map(|_| self.unit()).collect()).collect()
    }
}

fn bench(path: &str, robot: &str, ops: &[String], test: bool) {
    let description = Description::read(path).expect("a bench model is readable");
    let acknowledged = description.acknowledge(&[]).expect("a bench model has nothing refused");
    let model = Model::from_description(&acknowledged).expect("a bench model is sound");
    let n = model.velocities();
    let bench = Bench {
        robot,
        calls: if test { 400 } else { (400_000 / (n * n).max(20)).clamp(100, 10_000) },
        repeats: if test { 1 } else { 21 },
        ops,
    };
    let mut random = Random(1);
    let q: Vec<Vec<f64>> = (0..STATES)
        .map(|_| {
            let joints = model.joints().iter();
            joints
                .map(|j| {
                    let (lo, hi) = (j.lower.unwrap_or(-3.0), j.upper.unwrap_or(3.0));
                    lo + (hi - lo) * 0.5 * (1.0 + random.unit())
                })
                .collect()
        })
        .collect();
    let (v, a, t) = (random.rows(n), random.rows(n), random.rows(n));
    let s = |i: usize| i % STATES;

    let mut ws = Workspace::new(&model);
    let none = Loads::none();
    let mut poses = vec![Pose::identity(); model.frames().len()];
    let (mut square, mut row) = (vec![0.0; n * n], vec![0.0; n]);
    let (mut columns, mut wide) = (vec![0.0; 6 * n], vec![0.0; n * 10 * model.frames().len()]);
    bench.time("poses", |i| {
        frame_poses(&model, &mut ws, &q[s(i)], &mut poses);
        black_box(&poses);
    });
    bench.time("jacobians", |i| {
        joint_jacobians(&model, &mut ws, &q[s(i)], &mut columns);
        black_box(&columns);
    });
    bench.time("mass_matrix", |i| {
        mass_matrix(&model, &mut ws, &q[s(i)], &[], &mut square);
        black_box(&square);
    });
    bench.time("inverse_dynamics", |i| {
        inverse_dynamics(&model, &mut ws, &q[s(i)], &v[s(i)], &a[s(i)], &none, &mut row);
        black_box(&row);
    });
    bench.time("forward_dynamics", |i| {
        forward_dynamics(&model, &mut ws, &q[s(i)], &v[s(i)], &t[s(i)], &none, &mut row);
        black_box(&row);
    });
    bench.time("regressor", |i| {
        regressor(&model, &mut ws, &q[s(i)], &v[s(i)], &a[s(i)], &mut wide);
        black_box(&wide);
    });
    let mut inverse = InverseDynamicsDerivatives::new(&model);
    bench.time("id_derivatives", |i| {
        let i = s(i);
        inverse_dynamics_derivatives(&model, &mut ws, &q[i], &v[i], &a[i], &none, &mut inverse);
        black_box(&inverse);
    });
    let mut forward = ForwardDynamicsDerivatives::new(&model);
    bench.time("fd_derivatives", |i| {
        let i = s(i);
        forward_dynamics_derivatives(&model, &mut ws, &q[i], &v[i], &t[i], &none, &mut forward);
        black_box(&forward);
    });
    duals(&bench, &model, &q, &v, &a);
    step(&bench, &model, &q, &v, &mut random);
    // A batch on a hundred joints would take minutes.
    if n <= 30 {
        rollouts(&bench, &model, &q, &mut random);
    }
}

/// Inverse dynamics with eight tangents: by `q` first, then `v`, then `v̇`, as the peers' dual bench.
fn duals(bench: &Bench, model: &Model<f64>, q: &[Vec<f64>], v: &[Vec<f64>], a: &[Vec<f64>]) {
    type Dual = Tangents<8>;
    let lifted = model.map(Dual::from_f64);
    let mut ws = Workspace::new(&lifted);
    let n = model.velocities();
    let seeded = |x: &[Vec<f64>], first: usize| -> Vec<Vec<Dual>> {
        let number = |x: f64, k: usize| if k < 8 { Dual::variable(x, k) } else { Dual::from_f64(x) };
        x.iter().map(|row| row.iter().enumerate().map(|(j, x)| number(*x, first + j)).collect()).collect()
    };
    let (q, v, a) = (seeded(q, 0), seeded(v, n), seeded(a, 2 * n));
    let mut tau = vec![Dual::from_f64(0.0); n];
    bench.time("inverse_dynamics_8", |i| {
        let i = i % STATES;
        inverse_dynamics(&lifted, &mut ws, &q[i], &v[i], &a[i], &Loads::none(), &mut tau);
        black_box(&tau);
    });
}

/// A full step of 1 ms: stops, friction 0.5, damping 0.1, armature 0.05; rolls on from random states for 200 steps.
fn step(bench: &Bench, model: &Model<f64>, q: &[Vec<f64>], v: &[Vec<f64>], random: &mut Random) {
    let full = model.with_joints(|_, joint| joint.armature = 0.05).expect("sound laws");
    let arm = DynamicArm::new(full, 1e-3, Solver::Exact).expect("a bench model can step");
    let mut ws = StepWorkspace::new(arm.model());
    let mut out = Outcome::new(arm.model());
    let efforts: Vec<Vec<f64>> =
        random.rows(model.velocities()).iter().map(|r| r.iter().map(|x| 10.0 * x).collect()).collect();
    let starts: Vec<_> = q.iter().zip(v).map(|(q, v)| arm.state(q, v).expect("within limits")).collect();
    let mut state = starts[0].clone();
    let (mut rounds, mut unsettled, mut total) = (0u64, 0u64, 0u64);
    bench.time("step", |i| {
        if i % 200 == 0 {
            state.clone_from(&starts[(i / 200) % STATES]);
        }
        let inputs = Inputs::effort(&efforts[i % STATES]);
        let report = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
        rounds += u64::from(report.rounds);
        unsettled += u64::from(!report.settled());
        total += 1;
        black_box(&out);
    });
    let mut observer = arm.observer();
    bench.time("step_observed", |i| {
        if i % 200 == 0 {
            state.clone_from(&starts[(i / 200) % STATES]);
        }
        let inputs = Inputs::effort(&efforts[i % STATES]);
        let report = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
        black_box(observer.observe(&out, &report, i as f64 * 1e-3));
        black_box(&out);
    });
    let mut jacobian = StepJacobian::new(arm.model());
    let mut before = state.clone();
    bench.time("step_jacobians", |i| {
        if i % 200 == 0 {
            state.clone_from(&starts[(i / 200) % STATES]);
        }
        before.clone_from(&state);
        let inputs = Inputs::effort(&efforts[i % STATES]);
        let report = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
        unsettled += u64::from(!report.settled());
        arm.jacobian(&mut ws, &before, &inputs, &state, &out, &mut jacobian);
        black_box(&jacobian);
    });
    if total > 0 {
        let mean = rounds as f64 / total as f64;
        eprintln!("{}: {mean:.2} rounds a step, {unsettled} of {total} unsettled", bench.robot);
    }
}

/// The gradient of where an arm ends by every effort of 200 and of 1000 steps, stops and friction on, and the rollout alone.
fn rollouts(bench: &Bench, model: &Model<f64>, q: &[Vec<f64>], random: &mut Random) {
    let n = model.velocities();
    let full = model.with_joints(|_, joint| joint.armature = 0.05).expect("sound laws");
    let arm = DynamicArm::new(full, 1e-3, Solver::Exact).expect("a bench model can step");
    let start = arm.state(&q[0], &vec![0.0; n]).expect("within limits");
    let goal =
        |joint| Term { quantity: Quantity::JointPosition { joint, goal: 0.3 }, when: When::End, weight: 1.0 };
    let mut terms: Vec<Term> = (0..n).map(goal).collect();
    terms.push(Term { quantity: Quantity::EffortSquared, when: When::All, weight: 1e-4 });
    let objective = Objective::new(arm.model(), terms).expect("joints of the arm");
    let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
    let mut state = start.clone();
    let rung = Rung::Dynamic(arm.clone());
    for (steps, rollout, gradient) in
        [(200, "rollout_200", "gradient_200"), (1000, "rollout_1000", "gradient_1000")]
    {
        let bench = Bench { calls: (bench.calls / steps).max(1), ..*bench };
        // Held for 20 steps each: the arm moves, meets stops and sticks.
        let rows = random.rows(n);
        let values: Vec<f64> = (0..steps)
            .flat_map(|k| rows[k / 20 % STATES].iter().map(|x| 10.0 * x).collect::<Vec<_>>())
            .collect();
        bench.time(rollout, |_| {
            state.clone_from(&start);
            for efforts in values.chunks_exact(n) {
                let report =
                    arm.step(&mut ws, &mut state, &Inputs::effort(efforts), &mut Choices::free(), &mut out);
                black_box(&report);
            }
            black_box(&out);
        });
        let by = By::every_input(arm.model());
        let mut adjoint = Adjoint::new(&rung, &objective, by, steps).expect("joints of the arm");
        let course = Course { start: &start, drives: &[], values: &values };
        bench.time(gradient, |_| {
            let _ = black_box(adjoint.gradient(&course).expect("a rollout that stays finite"));
        });
        if steps > 200 {
            continue;
        }
        // One call is 64 gradients: the time on the clock is what counts.
        let bench = Bench { calls: (bench.calls / 64).max(1), ..bench };
        let courses = [course; 64];
        let by = By::every_input(arm.model());
        for (threads, op) in [(1, "batch_1"), (2, "batch_2")] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            bench.time(op, |_| {
                black_box(
                    pool.install(|| gradients(&rung, &objective, &by, steps, &courses)).expect("a batch"),
                );
            });
        }
    }
}

fn main() {
    // Cargo passes `--bench`; anything that is no option names a model.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let test = arguments.iter().any(|a| a == "--test");
    let ops: Vec<String> = arguments
        .iter()
        .filter_map(|a| a.strip_prefix("--ops="))
        .flat_map(|list| list.split(',').map(str::to_owned))
        .collect();
    let named: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    if named.is_empty() {
        let models = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/models");
        for robot in ["two", "panda7", "ur5", "chain30", "chain100"] {
            let path = format!("{models}/{robot}.urdf");
            let double = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/robots/double_pendulum.urdf");
            bench(if robot == "two" { double } else { &path }, robot, &ops, test);
        }
    }
    for pair in named.chunks(2) {
        bench(pair[0], pair.get(1).map_or("robot", |n| n.as_str()), &ops, test);
    }
}
