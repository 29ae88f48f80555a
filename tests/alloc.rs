//! Nothing is allocated after the first call: steps of both rungs, every solver, with and without loads, in plain numbers
//! and duals; every algorithm of the dynamics room. Counted by an allocator that counts for the thread it is asked by.

// A global allocator is unsafe by its trait; this one passes everything on to the system's.
#![allow(unsafe_code)]

mod kit;

use articula::dynamics::{
    Carried, Loads, Twist, Workspace, Wrench, bias, center_of_mass, forward_dynamics, frame_jacobian,
    frame_poses, frame_twists, inverse_dynamics, joint_jacobians, kinetic_energy, ldl, mass_matrix, momentum,
    potential_energy, regressor,
};
use articula::rollout::{Adjoint, By, CostBlocks, Course, Objective, Own, Quantity, Row, Rung, Term, When};
use articula::spatial::{Pose, Symmetric, Vector, vector};
use articula::step::{
    DynamicArm, Inputs, KinematicArm, Outcome, Solver, SpinMomentum, StepJacobian, StepWorkspace,
    gyroscopic_turn,
};
use articula::switch::Choices;
use articula::{Real, Tangents};
use kit::{Kind, Random, Rig, constants, machine, positions};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that is ending has no counter any more, and none of its calls is measured.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call is the system allocator's own, with the arguments as given.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls of the allocator that `f` makes.
fn calls(f: impl FnOnce()) -> u64 {
    let before = CALLS.get();
    f();
    CALLS.get() - before
}

/// The counter counts, so that a zero below means something.
#[test]
fn an_allocation_is_counted() {
    let mut all = Vec::new();
    assert_eq!(calls(|| all.push(1.0)), 1);
    assert_eq!(calls(|| all.extend([0.0; 100])), 1);
    assert_eq!(calls(|| drop(all)), 0);
}

fn carried<T: Real>(frame: usize, size: f64) -> Carried<T> {
    let tensor = Symmetric::from_entries([1.0, 0.1, -0.2, 0.8, 0.1, 1.1].map(|x| T::from_f64(size * x)));
    Carried { frame, tensor }
}

/// 200 steps after the first, through slides, sticks and stops, of coupled joints too, observed, and the Jacobian of each
/// exact one.
fn steps_allocate_nothing<T: Real>() {
    for seed in 0..6 {
        for solver in [Solver::Exact, Solver::Sweeps(0), Solver::Sweeps(4)] {
            for loaded in [false, true] {
                let mut random = Random::new(seed);
                let joints = 1 + 2 * seed as usize;
                let coupled = if seed % 2 == 1 { 0.5 } else { 0.0 };
                let plain = machine(&mut random, Kind { coupled, ..Kind::arm(joints) });
                let frame = plain.frames().len() - 1;
                let (mut q, mut v) = (positions(&mut random, &plain), random.vector(joints));
                q.iter_mut().for_each(|x| *x *= 0.05);
                plain.coupling().positions(&mut q);
                plain.coupling().rates(&mut v);
                let mut rig = Rig::new(plain.map(T::from_f64), 5e-3, solver, &constants(&q), &constants(&v));
                let mut jacobian = StepJacobian::new(rig.arm.model());
                let mut observer = rig.arm.observer();
                let mut before = rig.state.clone();
                let mut effort: Vec<T> = constants(&vec![0.0; joints]);
                let wrenches =
                    [Wrench { frame, force: vector(random.three()), moment: vector(random.three()) }];
                let momenta = [SpinMomentum { frame, value: vector(random.three()) }];
                let (start, end) = ([carried(frame, 0.02)], [carried(frame, 0.03)]);
                let mut step = |k: u32| {
                    for (j, u) in effort.iter_mut().enumerate() {
                        *u = T::from_f64(20.0 * (0.07 * f64::from(k) + j as f64).sin());
                    }
                    let mut inputs = Inputs::effort(&effort);
                    if loaded {
                        inputs = Inputs {
                            friction: &[],
                            wrenches: &wrenches,
                            momenta: &momenta,
                            carried_start: &start,
                            carried_end: &end,
                            ..inputs
                        };
                    }
                    before.clone_from(&rig.state);
                    let report = rig.step(&inputs, &mut Choices::free());
                    observer.observe(&rig.out, &report, f64::from(k));
                    if solver == Solver::Exact {
                        rig.arm.jacobian(&mut rig.ws, &before, &inputs, &rig.state, &rig.out, &mut jacobian);
                    }
                };
                step(0);
                let found = calls(|| (1..200).for_each(&mut step));
                assert_eq!(found, 0, "seed {seed} {solver:?} loaded {loaded}");
            }
        }
    }
}

/// A dynamic step allocates nothing, in plain numbers.
#[test]
fn a_dynamic_step_allocates_nothing() {
    steps_allocate_nothing::<f64>();
}

/// Nor with eight tangents.
#[test]
fn a_dynamic_step_with_tangents_allocates_nothing() {
    steps_allocate_nothing::<Tangents<8>>();
}

fn commands_allocate_nothing<T: Real>() {
    let mut random = Random::new(9);
    let plain = machine(&mut random, Kind::arm(6));
    let q = positions(&mut random, &plain);
    for servo in [None, Some(0.05)] {
        let model = plain.map(T::from_f64);
        let arm = KinematicArm::new(model, 1e-2, servo.map(T::from_f64)).unwrap();
        let (mut ws, mut out) = (Workspace::new(arm.model()), Outcome::new(arm.model()));
        let mut state = arm.state(&constants(&q), &constants(&[0.0; 6])).unwrap();
        let command: Vec<T> = constants(&random.vector(6));
        let mut observer = arm.observer();
        let mut step = || {
            let report = arm.step(&mut ws, &mut state, &command, &mut Choices::free(), &mut out);
            assert!(report.settled());
            let _ = observer.observe(&out, &report, state.t);
        };
        step();
        assert_eq!(calls(|| (0..100).for_each(|_| step())), 0);
    }
}

/// A kinematic step allocates nothing.
#[test]
fn a_kinematic_step_allocates_nothing() {
    commands_allocate_nothing::<f64>();
    commands_allocate_nothing::<Tangents<8>>();
}

fn algorithms_allocate_nothing<T: Real>() {
    for free in [false, true] {
        let mut random = Random::new(10);
        let plain = machine(&mut random, Kind::tree(7)).with_free_base(free);
        let (n, frames) = (plain.velocities(), plain.frames().len());
        let q: Vec<T> = constants(&positions(&mut random, &plain));
        let (v, a): (Vec<T>, Vec<T>) = (constants(&random.vector(n)), constants(&random.vector(n)));
        let model = plain.map(T::from_f64);
        let mut ws = Workspace::new(&model);
        let wrenches = [Wrench { frame: 3, force: vector(random.three()), moment: vector(random.three()) }];
        let loads = Loads { wrenches: &wrenches, carried: &[carried(2, 0.01)] };
        let row = |k: usize| vec![T::zero(); k];
        let (mut tau, mut m, mut jacobian) = (row(n), row(n * n), row(6 * n));
        let (mut joints, mut y) = (row(6 * model.joints().len()), row(n * 10 * frames));
        let zero: Vector<T> = vector([0.0; 3]);
        let mut poses = vec![Pose::identity(); frames];
        let mut twists = vec![Twist { linear: zero, angular: zero }; frames];
        let mut all = || {
            frame_poses(&model, &mut ws, &q, &mut poses);
            frame_twists(&model, &mut ws, &q, &v, &mut twists);
            inverse_dynamics(&model, &mut ws, &q, &v, &a, &loads, &mut tau);
            bias(&model, &mut ws, &q, &v, &loads, &mut tau);
            forward_dynamics(&model, &mut ws, &q, &v, &a, &loads, &mut tau);
            mass_matrix(&model, &mut ws, &q, loads.carried, &mut m);
            ldl::factor(&mut m, n);
            ldl::solve(&m, n, &mut tau);
            frame_jacobian(&model, &mut ws, &q, frames - 1, &mut jacobian);
            if !free {
                joint_jacobians(&model, &mut ws, &q, &mut joints);
            }
            regressor(&model, &mut ws, &q, &v, &a, &mut y);
            let _ = kinetic_energy(&model, &mut ws, &q, &v);
            let _ = potential_energy(&model, &mut ws, &q);
            let _ = center_of_mass(&model, &mut ws, &q);
            let _ = momentum(&model, &mut ws, &q, &v);
        };
        all();
        assert_eq!(calls(all), 0, "free base: {free}");
        if !free {
            let mut ws = StepWorkspace::new(&model);
            let momenta = [SpinMomentum { frame: 1, value: vector([0.1, 0.2, 0.3]) }];
            let mut turn = || gyroscopic_turn(&model, &mut ws, &q, 1e-3, &momenta, &v, &mut tau);
            turn();
            assert_eq!(calls(turn), 0);
        }
    }
}

/// No algorithm of the dynamics room allocates, on a fixed base or a free one.
#[test]
fn dynamics_allocate_nothing() {
    algorithms_allocate_nothing::<f64>();
    algorithms_allocate_nothing::<Tangents<8>>();
}

/// Every built-in quantity on the last frame and joint.
fn built_in(model: &articula::model::Model<f64>) -> Vec<Quantity> {
    let (joint, frame) = (model.joints().len() - 1, model.frames().len() - 1);
    vec![
        Quantity::FramePosition { frame, goal: [0.1, 0.2, 0.3] },
        Quantity::FrameOrientation { frame, goal: [0.9, 0.1, -0.2, 0.3] },
        Quantity::JointPosition { joint, goal: 0.3 },
        Quantity::JointVelocity { joint, goal: -0.1 },
        Quantity::EffortSquared,
        Quantity::KineticEnergy,
    ]
}

fn all_along(quantities: Vec<Quantity>) -> Vec<Term> {
    quantities.into_iter().map(|quantity| Term { quantity, when: When::All, weight: 0.5 }).collect()
}

/// Values, derivatives and Gauss–Newton blocks of an objective allocate nothing, in the first row neither, closures that do not
/// themselves among them.
#[test]
fn objectives_allocate_nothing() {
    let mut random = Random::new(11);
    let model = machine(&mut random, Kind { coupled: 0.3, ..Kind::tree(6) });
    let mut quantities = built_in(&model);
    quantities.push(Quantity::Own(Own::value(|s| s.frame_pose(2).position.z * s.kinetic_energy())));
    quantities.push(Quantity::Own(Own::errors(2, |s, e| {
        (e[0], e[1]) = (s.q[0] * s.effort[1], s.frame_twist(1).angular.x);
    })));
    let objective = Objective::new(&model, all_along(quantities)).unwrap();
    let (mut ws, mut blocks) = (objective.workspace(&model), CostBlocks::new(&model));
    let mut lanes = objective.lanes(&model);
    let lifted = model.map(Tangents::<8>::from_f64);
    let (q, v, effort) = (random.vector(6), random.vector(6), random.vector(6));
    let [in_q, in_v, in_effort] = [&q, &v, &effort].map(|x| constants::<Tangents<8>>(x));
    let mut values = vec![0.0; objective.terms().len()];
    let (mut by_q, mut by_v, mut by_effort) = (vec![0.0; 6], vec![0.0; 6], vec![0.0; 6]);
    let row = Row { q: &q, v: &v, effort: &effort, dt: 1e-2, last: true, t: 0.0 };
    let in_lanes = Row { q: &in_q, v: &in_v, effort: &in_effort, dt: 1e-2, last: true, t: 0.0 };
    let mut all = || {
        objective.add_value(&model, &mut ws, &row, &mut values);
        objective.add_gradient(&model, &mut ws, &row, &mut by_q, &mut by_v, &mut by_effort);
        objective.add_gauss_newton(&model, &mut ws, &row, &mut blocks);
        let _ = objective.value_lanes(&lifted, &mut lanes, &in_lanes);
    };
    assert_eq!(calls(|| (0..20).for_each(|_| all())), 0);
    assert!(by_q.iter().chain(&by_v).chain(&by_effort).any(|x| *x != 0.0));
}

/// A gradient of a rollout allocates its result and its status, and nothing a step: as much over 400 steps as over 20, with
/// parameters, stops and friction, and for coupled joints; and no more than a few dozen small rows in all.
#[test]
fn a_rollouts_gradient_allocates_nothing_a_step() {
    for coupled in [0.0, 0.5] {
        let mut random = Random::new(12);
        let model = machine(&mut random, Kind { coupled, ..Kind::arm(5) });
        let (mut q, mut v) = (vec![0.05; 5], vec![0.5; 5]);
        model.coupling().positions(&mut q);
        model.coupling().rates(&mut v);
        let objective = Objective::new(&model, all_along(built_in(&model))).unwrap();
        // Where joints share stops, which one counts is settled by parameters in a rollout of its own, which allocates.
        let names: &[&str] = if coupled > 0.0 { &[] } else { &["joint_1.friction", "link_3.mass"] };
        let parameters = names.iter().map(|name| (*name).to_owned()).collect();
        let by = By { start: true, inputs: (0..5).collect(), parameters };
        let rung = Rung::Dynamic(DynamicArm::new(model, 5e-3, Solver::Exact).unwrap());
        let start = rung.state(&q, &v).unwrap();
        let gradient = |steps: usize| {
            let values: Vec<f64> = (0..5 * steps).map(|k| 15.0 * (0.1 * k as f64).sin()).collect();
            let course = Course { start: &start, drives: &[], values: &values };
            let mut adjoint = Adjoint::new(&rung, &objective, by.clone(), steps).unwrap();
            let (first, status) = adjoint.gradient(&course).unwrap().into_parts();
            assert!(status.undecided.is_empty() && status.steps as usize == steps, "{status:?}");
            let mut again = None;
            let count = calls(|| again = Some(adjoint.gradient(&course).unwrap()));
            let (again, status) = again.unwrap().into_parts();
            assert_eq!(again, first);
            // Names of joints, and of what came near.
            let named = status.groups.iter().map(|g| g.near.len() + 1).sum::<usize>();
            (count, named as u64)
        };
        let (short, long) = (gradient(20), gradient(400));
        println!("{short:?} allocations and names over 20 steps, {long:?} over 400");
        for (count, named) in [short, long] {
            assert!(count <= 60 + 4 * named, "coupled {coupled}: {count} with {named} names");
        }
        let more = long.0.saturating_sub(short.0);
        assert!(more <= 4 * long.1.saturating_sub(short.1), "coupled {coupled}: {more} more");
    }
}
