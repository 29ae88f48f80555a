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
use articula::spatial::{Pose, Symmetric, Vector, vector};
use articula::step::{
    Inputs, KinematicArm, Outcome, Solver, SpinMomentum, StepJacobian, StepWorkspace, gyroscopic_turn,
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
