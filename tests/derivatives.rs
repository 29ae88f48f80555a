//! Closed-form derivatives against duals, on random trees.

mod kit;

use articula::dynamics::{
    Carried, ForwardDynamicsDerivatives, InverseDynamicsDerivatives, Loads, VirtualPower, Workspace, Wrench,
    forward_dynamics, forward_dynamics_derivatives, inverse_dynamics, inverse_dynamics_derivatives,
    mass_matrix, virtual_power,
};
use articula::model::Model;
use articula::real::{Real, Tangents};
use articula::spatial::Symmetric;
use articula::step::{
    DynamicArm, Inputs, Outcome, Solver, SpinMomentum, State, StepAdjoint, StepJacobian, StepWorkspace,
};
use articula::switch::Choices;
use kit::{Kind, Random, machine, positions};

type Dual = Tangents<1>;

/// Wrenches, carried inertias at the start, spin momenta, carried inertias at the end.
type StepLoads<T> = (Vec<Wrench<T>>, Vec<Carried<T>>, Vec<SpinMomentum<T>>, Vec<Carried<T>>);

/// Loads on random frames, in any scalar.
struct Loading {
    wrenches: Vec<(usize, [f64; 3], [f64; 3])>,
    carried: Vec<(usize, [f64; 6])>,
    momenta: Vec<(usize, [f64; 3])>,
}

impl Loading {
    fn random(random: &mut Random, model: &Model<f64>) -> Self {
        let frames = model.frames().len();
        Loading {
            wrenches: (0..2).map(|_| (random.below(frames), random.three(), random.three())).collect(),
            carried: (0..2)
                .map(|_| {
                    (
                        random.below(frames),
                        [random.unit(), random.unit(), 0.3, random.unit(), -0.2, random.unit()],
                    )
                })
                .collect(),
            momenta: (0..2).map(|_| (random.below(frames), random.three().map(|x| 0.2 * x))).collect(),
        }
    }

    fn none() -> Self {
        Loading { wrenches: Vec::new(), carried: Vec::new(), momenta: Vec::new() }
    }

    /// For a step: small tensors, so that the mass matrix stays positive, which change over it.
    fn step<T: Real>(&self) -> StepLoads<T> {
        let (wrenches, carried) = self.make::<T>();
        let scaled = |k: f64| {
            let carried = carried.iter();
            carried
                .map(|c| Carried { frame: c.frame, tensor: c.tensor.map(&mut |x| x.scale(k)) })
                .collect::<Vec<_>>()
        };
        let momenta = self.momenta.iter();
        let momenta =
            momenta.map(|(frame, h)| SpinMomentum { frame: *frame, value: h.map(T::from_f64).into() });
        (wrenches, scaled(0.01), momenta.collect(), scaled(0.013))
    }

    fn make<T: Real>(&self) -> (Vec<Wrench<T>>, Vec<Carried<T>>) {
        let wrench = |(frame, force, moment): &(usize, [f64; 3], [f64; 3])| Wrench {
            frame: *frame,
            force: force.map(T::from_f64).into(),
            moment: moment.map(T::from_f64).into(),
        };
        let carried = |(frame, tensor): &(usize, [f64; 6])| Carried {
            frame: *frame,
            tensor: Symmetric::from_entries(tensor.map(T::from_f64)),
        };
        (self.wrenches.iter().map(wrench).collect(), self.carried.iter().map(carried).collect())
    }
}

/// One column by duals: positions (of a free base by translation and a rotation vector on the left) or velocities.
fn column(
    model: &Model<f64>,
    q: &[f64],
    v: &[f64],
    a: &[f64],
    loading: &Loading,
    c: usize,
    by_position: bool,
) -> Vec<f64> {
    let dual = model.map(Dual::from_f64);
    let seed = |x: &[f64]| x.iter().map(|x| Dual::from_f64(*x)).collect::<Vec<_>>();
    let (mut q, mut v, a) = (seed(q), seed(v), seed(a));
    if by_position {
        let n = v.len();
        seed_position(&mut q, n, c);
    } else {
        v[c].tangents[0] = 1.0;
    }
    let (wrenches, carried) = loading.make();
    let loads = Loads { wrenches: &wrenches, carried: &carried };
    let mut tau = vec![Dual::from_f64(0.0); v.len()];
    inverse_dynamics(&dual, &mut Workspace::new(&dual), &q, &v, &a, &loads, &mut tau);
    tau.iter().map(|x| x.tangents[0]).collect()
}

/// On 60 random trees, fixed and free, under wrenches and carried inertias: derivatives of inverse dynamics by position and
/// velocity equal the duals', and by acceleration the mass matrix, to 1e-12 of each matrix' largest entry.
#[test]
fn inverse_dynamics_in_closed_form_equals_the_duals() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let joints = 1 + random.below(9);
        let model = machine(&mut random, Kind::tree(joints)).with_free_base(seed % 3 == 0);
        let n = model.velocities();
        let q = positions(&mut random, &model);
        let (v, a) = (random.vector(n), random.vector(n));
        let mut loading = Loading::random(&mut random, &model);
        if seed % 2 == 0 {
            loading.wrenches.clear();
            loading.carried.clear();
        }
        let (wrenches, carried) = loading.make();
        let loads = Loads { wrenches: &wrenches, carried: &carried };
        let mut ws = Workspace::new(&model);
        let mut found = InverseDynamicsDerivatives::new(&model);
        inverse_dynamics_derivatives(&model, &mut ws, &q, &v, &a, &loads, &mut found);
        let (mut by_q, mut by_v, mut mass) = (vec![0.0; n * n], vec![0.0; n * n], vec![0.0; n * n]);
        for c in 0..n {
            let position = column(&model, &q, &v, &a, &loading, c, true);
            let velocity = column(&model, &q, &v, &a, &loading, c, false);
            for i in 0..n {
                (by_q[i * n + c], by_v[i * n + c]) = (position[i], velocity[i]);
            }
        }
        mass_matrix(&model, &mut ws, &q, &carried, &mut mass);
        // A slide alone has no derivative by its velocity at all: rounding is then that of the forces.
        let forces = mass.iter().chain(&by_q).fold(0.0_f64, |m, x| m.max(x.abs()));
        for (what, found, expected) in [
            ("acceleration", &found.by_acceleration, &mass),
            ("velocity", &found.by_velocity, &by_v),
            ("position", &found.by_position, &by_q),
        ] {
            let scale = expected.iter().fold(1e-3 * forces, |m, x| m.max(x.abs()));
            let off = found.iter().zip(expected).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / scale;
            assert!(off < 1e-12, "seed {seed}: by {what}: {off:e}");
        }
    }
}

/// On 60 random trees, fixed and free, under wrenches and carried inertias: derivatives of a virtual motion's power are that
/// motion times the matrices, to 1e-12 of the largest entry.
#[test]
fn virtual_power_is_the_transposed_product() {
    for seed in 0..60 {
        let mut random = Random::new(400 + seed);
        let joints = 1 + random.below(9);
        let model = machine(&mut random, Kind::tree(joints)).with_free_base(seed % 3 == 0);
        let n = model.velocities();
        let q = positions(&mut random, &model);
        let (v, a, virtual_velocity) = (random.vector(n), random.vector(n), random.vector(n));
        let mut loading = Loading::random(&mut random, &model);
        if seed % 2 == 0 {
            loading.wrenches.clear();
            loading.carried.clear();
        }
        let (wrenches, carried) = loading.make();
        let loads = Loads { wrenches: &wrenches, carried: &carried };
        let mut ws = Workspace::new(&model);
        let mut matrices = InverseDynamicsDerivatives::new(&model);
        inverse_dynamics_derivatives(&model, &mut ws, &q, &v, &a, &loads, &mut matrices);
        let mut found = VirtualPower::new(&model);
        virtual_power(&model, &mut ws, (&q, &v, &a), &virtual_velocity, &loads, &mut found);
        for (what, found, matrix) in [
            ("position", &found.by_position, &matrices.by_position),
            ("velocity", &found.by_velocity, &matrices.by_velocity),
            ("acceleration", &found.by_acceleration, &matrices.by_acceleration),
        ] {
            let scale = matrix.iter().chain(&matrices.by_acceleration).fold(0.0_f64, |m, x| m.max(x.abs()));
            for c in 0..n {
                let expected: f64 = (0..n).map(|i| virtual_velocity[i] * matrix[i * n + c]).sum();
                let off = (found[c] - expected).abs() / scale;
                assert!(off < 1e-12, "seed {seed}: by {what} {c}: {off:e}");
            }
        }
    }
}

/// On 40 random trees, fixed and free, loaded: forward dynamics' derivatives equal the duals' to 1e-9 of each block's largest
/// entry (the condition of M stands between), and the accelerations are those of forward dynamics.
#[test]
fn forward_dynamics_in_closed_form_equals_the_duals() {
    for seed in 0..40 {
        let mut random = Random::new(200 + seed);
        let model = machine(&mut random, Kind { armature: 0.5, ..Kind::tree(1 + seed as usize % 8) });
        let model = model.with_free_base(seed % 3 == 0);
        let n = model.velocities();
        let q = positions(&mut random, &model);
        let (v, tau) = (random.vector(n), random.vector(n));
        let loading = Loading::random(&mut random, &model);
        let (wrenches, _) = loading.make();
        let loads = Loads { wrenches: &wrenches, carried: &[] };
        let mut found = ForwardDynamicsDerivatives::new(&model);
        let mut ws = Workspace::new(&model);
        forward_dynamics_derivatives(&model, &mut ws, &q, &v, &tau, &loads, &mut found);
        let mut plain = vec![0.0; n];
        forward_dynamics(&model, &mut ws, &q, &v, &tau, &loads, &mut plain);
        assert_eq!(found.acceleration, plain);

        let dual = model.map(Dual::from_f64);
        let (wrenches, _) = loading.make::<Dual>();
        let loads = Loads { wrenches: &wrenches, carried: &[] };
        for block in 0..3 {
            let (mut expected, mut ours) = (vec![0.0; n * n], vec![0.0; n * n]);
            for c in 0..n {
                let [mut q, mut v, mut tau] =
                    [&q, &v, &tau].map(|x| x.iter().map(|x| Dual::from_f64(*x)).collect::<Vec<_>>());
                match block {
                    0 => seed_position(&mut q, n, c),
                    1 => v[c].tangents[0] = 1.0,
                    _ => tau[c].tangents[0] = 1.0,
                }
                let mut a = vec![Dual::from_f64(0.0); n];
                forward_dynamics(&dual, &mut Workspace::new(&dual), &q, &v, &tau, &loads, &mut a);
                for i in 0..n {
                    expected[i * n + c] = a[i].tangents[0];
                    ours[i * n + c] = found.blocks[i * 3 * n + block * n + c];
                }
            }
            let scale = expected.iter().fold(1e-6_f64, |m, x| m.max(x.abs()));
            let off = ours.iter().zip(&expected).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / scale;
            assert!(off < 1e-9, "seed {seed} block {block}: {off:e}");
        }
    }
}

/// Seeds position coordinate `c`: of a free base by translation, then by a rotation vector on the left.
fn seed_position(q: &mut [Dual], n: usize, c: usize) {
    let extra = q.len() - n;
    if extra == 0 || c < 3 {
        q[c].tangents[0] = 1.0;
    } else if c >= 6 {
        q[c + extra].tangents[0] = 1.0;
    } else {
        let [w, x, y, z] = [3, 4, 5, 6].map(|k| q[k].value);
        let turned = [[-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]][c - 3];
        (0..4).for_each(|k| q[3 + k].tangents[0] = 0.5 * turned[k]);
    }
}

/// Friction of a step that is not the model's.
fn rougher(model: &Model<f64>) -> Vec<f64> {
    model.joints().iter().map(|joint| 1.3 * joint.friction.unwrap_or(0.0)).collect()
}

/// One step in duals from a state, with one seed: positions, velocities, efforts or friction of a coordinate; the tangents of `v⁺`
/// and `q⁺` at the coordinates.
fn step_column(
    arm: &DynamicArm<f64>,
    start: &State<f64>,
    effort: &[f64],
    loading: &Loading,
    (block, c): (usize, usize),
) -> (Vec<f64>, Vec<f64>) {
    let dual = arm.map(Dual::from_f64);
    let lift = |x: &[f64]| x.iter().map(|x| Dual::from_f64(*x)).collect::<Vec<_>>();
    let mut seeded = [lift(&start.q), lift(&start.v), lift(effort), lift(&rougher(arm.model()))];
    let independent = arm.model().coupling().independent().to_vec();
    seeded[block][independent[c]].tangents[0] = 1.0;
    let [q, v, effort, friction] = seeded;
    let mut state = State { q, v, t: 0.0 };
    let (wrenches, carried, momenta, end) = loading.step();
    let inputs = Inputs {
        effort: &effort,
        friction: &friction,
        wrenches: &wrenches,
        momenta: &momenta,
        carried_start: &carried,
        carried_end: &end,
    };
    let (mut ws, mut out) = (StepWorkspace::new(dual.model()), Outcome::new(dual.model()));
    let _ = dual.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
    let at = |x: &[Dual]| independent.iter().map(|&j| x[j].tangents[0]).collect();
    (at(&state.v), at(&state.q))
}

/// Steps of random arms on their way through stops and friction, coupled joints among them, plain and under wrenches, spin
/// momenta and carried inertias that change over the step: the Jacobian of each in closed form equals the duals', to
/// 1e-10 of each block's largest entry, in every mix of pieces; and taking derivatives back through the step multiplies by it.
#[test]
fn step_jacobians_in_closed_form_equal_the_duals() {
    let mut mixes = std::collections::HashSet::new();
    let mut worst = 0.0_f64;
    for seed in 0..60 {
        let mut random = Random::new(1000 + seed);
        let joints = 1 + random.below(7);
        let coupled = if seed % 4 == 0 { 0.5 } else { 0.0 };
        let model = machine(&mut random, Kind { coupled, ..Kind::arm(joints) });
        let r = model.coupling().independent().len();
        let mut loading = Loading::random(&mut random, &model);
        match seed % 3 {
            0 => loading = Loading::none(),
            1 => loading.momenta.clear(),
            _ => {}
        }
        let arm = DynamicArm::new(model, 2e-3, Solver::Exact).unwrap();
        let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
        let mut jacobian = StepJacobian::new(arm.model());
        let mut adjoint = StepAdjoint::new(arm.model());
        let mut q: Vec<f64> = (0..joints).map(|_| 0.05 * random.unit()).collect();
        let mut v = random.vector(joints);
        arm.model().coupling().positions(&mut q);
        arm.model().coupling().rates(&mut v);
        let mut state = arm.state(&q, &v).unwrap();
        let friction = rougher(arm.model());
        for step in 0..300 {
            let effort: Vec<f64> = (0..joints).map(|_| 20.0 * random.unit()).collect();
            let before = state.clone();
            let (wrenches, carried, momenta, end) = loading.step();
            let inputs = Inputs {
                effort: &effort,
                friction: &friction,
                wrenches: &wrenches,
                momenta: &momenta,
                carried_start: &carried,
                carried_end: &end,
            };
            let report = arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out);
            if step % 20 != 0 || !report.settled() {
                continue;
            }
            // Stuck exactly at a stop is a tie, which the closed form does not decide.
            let tie = |x: Option<f64>| x == Some(0.0);
            if out.indicators.iter().any(|i| tie(i.stop_low) || tie(i.stop_high)) {
                continue;
            }
            mixes.insert(out.pieces.iter().map(|p| p.code()).collect::<Vec<_>>());
            arm.jacobian(&mut ws, &before, &inputs, &state, &out, &mut jacobian);
            let (by_q, by_v) = (random.vector(r), random.vector(r));
            adjoint.by_position.copy_from_slice(&by_q);
            adjoint.by_velocity.copy_from_slice(&by_v);
            arm.pull_back(&mut ws, (&before, &state), &inputs, (&out.pieces, &out.v_turned), &mut adjoint);
            let pulled =
                [&adjoint.by_position, &adjoint.by_velocity, &adjoint.by_effort, &adjoint.by_friction];
            let (found, status) = jacobian.read();
            assert!(status.settled && status.residual == report.residual);
            let stopped = found.stopped;
            // A joint's own friction, where it has any.
            let rubs =
                |c: usize| arm.model().joints()[arm.model().coupling().independent()[c]].friction.is_some();
            let own = |c: usize| if rubs(c) { -found.slides[c] } else { 0.0 };
            let by_friction: Vec<f64> = (0..r * r).map(|i| own(i % r) * found.by_effort[i]).collect();
            let blocks = [found.by_position, found.by_velocity, found.by_effort, &by_friction];
            for (block, found) in blocks.into_iter().enumerate() {
                let (mut expected, mut summed) = (vec![0.0; r * r], vec![0.0; r]);
                for c in 0..r {
                    let (velocity, position) = step_column(&arm, &before, &effort, &loading, (block, c));
                    summed[c] = (0..r).map(|i| by_q[i] * position[i] + by_v[i] * velocity[i]).sum();
                    for i in 0..r {
                        expected[i * r + c] = velocity[i];
                        let own = if block == 0 && i == c { 1.0 } else { 0.0 };
                        let reached = if stopped[i] { 0.0 } else { own + arm.dt() * found[i * r + c] };
                        assert!(
                            (position[i] - reached).abs() < 1e-10 * (1.0 + reached.abs()),
                            "seed {seed} step {step} block {block} {:?}: position {} {reached}, velocity {} {}",
                            out.pieces,
                            position[i],
                            velocity[i],
                            found[i * r + c]
                        );
                    }
                }
                let scale = expected.iter().fold(1e-9_f64, |m, x| m.max(x.abs()));
                let off = found.iter().zip(&expected).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / scale;
                worst = worst.max(off);
                assert!(off < 1e-10, "seed {seed} step {step} block {block}: {off:e}");
                let compared =
                    pulled[block].iter().zip(&summed).enumerate().filter(|(c, _)| block < 3 || rubs(*c));
                let back = compared.map(|(_, pair)| pair).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                assert!(back < 1e-10 * (1.0 + scale), "seed {seed} step {step} back {block}: {back:e}");
            }
        }
    }
    println!("{} mixes of pieces, worst {worst:.1e}", mixes.len());
    assert!(mixes.len() > 100, "{} mixes of pieces", mixes.len());
}
