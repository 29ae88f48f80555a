//! Identities that hold for every machine, on random trees: each ties two algorithms that share little code.

mod kit;

use articula::dynamics::{
    Carried, Loads, Workspace, Wrench, bias, center_of_mass, forward_dynamics, frame_jacobian, frame_poses,
    frame_twists, inverse_dynamics, joint_jacobians, kinetic_energy, mass_matrix, momentum, potential_energy,
    regressor,
};
use articula::model::Model;
use articula::spatial::{Pose, Symmetric, Vector};
use articula::{Real, Tangents};
use kit::{Kind, Random, constants, machine, positions, relative};
use proptest::prelude::*;

type Dual = Tangents<1>;

/// A machine with a state; the base is free on odd seeds.
fn sample(seed: u64) -> (Model<f64>, Random, Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut random = Random::new(seed);
    let joints = 1 + random.below(9);
    let placement = Pose::from_xyz_rpy(random.three(), random.three());
    let model =
        machine(&mut random, Kind::tree(joints)).with_placement(placement).with_free_base(seed % 2 == 1);
    let q = positions(&mut random, &model);
    let (v, a) = (random.vector(model.velocities()), random.vector(model.velocities()));
    (model, random, q, v, a)
}

/// `q(t)` along `v` with `q(0) = q`, and its tangent: the base by its quaternion's own derivative.
fn along(model: &Model<f64>, q: &[f64], v: &[f64]) -> Vec<Dual> {
    let joints = model.joints().len();
    let mut moving: Vec<Dual> = constants(q);
    if model.has_free_base() {
        for k in 0..3 {
            moving[k].tangents[0] = v[k];
        }
        let (w, x) = (Vector::new(v[3], v[4], v[5]), Vector::new(q[4], q[5], q[6]));
        moving[3].tangents[0] = -0.5 * w.dot(&x);
        let rate = (w * q[3] + w.cross(&x)) * 0.5;
        for k in 0..3 {
            moving[4 + k].tangents[0] = rate[k];
        }
    }
    for j in 0..joints {
        let (i, k) = (q.len() - joints + j, v.len() - joints + j);
        moving[i].tangents[0] = v[k];
    }
    moving
}

fn multiply(m: &[f64], x: &[f64]) -> Vec<f64> {
    m.chunks(x.len()).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// M v̇ + h = ID; M is symmetric and positive; FD undoes ID. Loads and carried inertia included.
    /// 1e-11: cancellation in trees of up to nine bodies.
    #[test]
    fn mass_matrix_inverse_and_forward_dynamics_agree(seed: u64) {
        let (model, mut random, q, v, a) = sample(seed);
        let n = model.velocities();
        let mut ws = Workspace::new(&model);
        let frame = random.below(model.frames().len());
        let wrenches = [Wrench { frame, force: random.three().into(), moment: random.three().into() }];
        let carried = [Carried { frame, tensor: Symmetric::from_entries([0.02, 0.001, 0.0, 0.01, -0.002, 0.03]) }];
        let loads = Loads { wrenches: &wrenches, carried: &carried };

        let (mut m, mut h, mut tau, mut back) = (vec![0.0; n * n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        mass_matrix(&model, &mut ws, &q, &carried, &mut m);
        bias(&model, &mut ws, &q, &v, &loads, &mut h);
        inverse_dynamics(&model, &mut ws, &q, &v, &a, &loads, &mut tau);
        let sum: Vec<f64> = multiply(&m, &a).iter().zip(&h).map(|(x, y)| x + y).collect();
        prop_assert!(relative(&sum, &tau) < 1e-11);

        let transposed: Vec<f64> = (0..n * n).map(|k| m[(k % n) * n + k / n]).collect();
        prop_assert_eq!(&m, &transposed);
        prop_assert!(dot(&a, &multiply(&m, &a)) > 0.0);

        forward_dynamics(&model, &mut ws, &q, &v, &tau, &loads, &mut back);
        prop_assert!(relative(&back, &a) < 1e-9, "FD of ID: {:e}", relative(&back, &a));
    }

    /// Frame velocities are the derivative of frame poses along v, and J v; 1e-12.
    #[test]
    fn twists_are_derivatives_of_poses_and_jacobians_times_velocity(seed: u64) {
        let (model, _, q, v, _) = sample(seed);
        let n = model.velocities();
        let mut ws = Workspace::new(&model);
        let zero = Vector::zeros();
        let mut twists = vec![articula::dynamics::Twist { linear: zero, angular: zero }; model.frames().len()];
        frame_twists(&model, &mut ws, &q, &v, &mut twists);

        let lifted = model.map(Dual::from_f64);
        let mut poses = vec![Pose::identity(); model.frames().len()];
        frame_poses(&lifted, &mut Workspace::new(&lifted), &along(&model, &q, &v), &mut poses);
        let mut jacobian = vec![0.0; 6 * n];
        for (k, (pose, twist)) in poses.iter().zip(&twists).enumerate() {
            let linear = pose.position.map(|x| x.tangents[0]);
            prop_assert!((linear - twist.linear).norm() < 1e-12 * (1.0 + twist.linear.norm()));
            // Ṙ Rᵀ = [ω]×
            let r = pose.rotation.map(|x| x.value);
            let skew = pose.rotation.map(|x| x.tangents[0]) * r.transpose();
            let angular = Vector::new(skew.m32, skew.m13, skew.m21);
            prop_assert!((angular - twist.angular).norm() < 1e-12 * (1.0 + angular.norm()));

            frame_jacobian(&model, &mut ws, &q, k, &mut jacobian);
            let product = multiply(&jacobian, &v);
            let both: Vec<f64> = twist.linear.iter().chain(&twist.angular).copied().collect();
            prop_assert!(relative(&product, &both) < 1e-12);
        }
        if !model.has_free_base() {
            let mut all = vec![0.0; 6 * n];
            joint_jacobians(&model, &mut ws, &q, &mut all);
            let last = model.frames().len() - 1;
            frame_jacobian(&model, &mut ws, &q, last, &mut jacobian);
            let point = poses[last].position.map(|x| x.value) - model.placement().position;
            for j in (0..n).filter(|&j| (0..6).any(|k| jacobian[k * n + j] != 0.0)) {
                let column = |m: &[f64], k: usize| Vector::new(m[k * n + j], m[(k + 1) * n + j], m[(k + 2) * n + j]);
                let linear = column(&all, 0) + column(&all, 3).cross(&point);
                prop_assert!((linear - column(&jacobian, 0)).norm() < 1e-12);
                prop_assert!((column(&all, 3) - column(&jacobian, 3)).norm() < 1e-12);
            }
        }
    }

    /// Ṁ − 2C is skew: vᵀ Ṁ v = 2 vᵀ (h − g); the gravity efforts are the potential's gradient; power is the energy's
    /// rate. All derivatives by duals, along v. 1e-11.
    #[test]
    fn power_is_the_rate_of_energy(seed: u64) {
        let (model, _, q, v, a) = sample(seed);
        let n = model.velocities();
        let mut ws = Workspace::new(&model);
        let lifted = model.map(Dual::from_f64);
        let mut lifted_ws = Workspace::new(&lifted);
        let moving = along(&model, &q, &v);
        let none = Loads::none();

        let (mut g, mut h, mut tau) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        bias(&model, &mut ws, &q, &vec![0.0; n], &none, &mut g);
        bias(&model, &mut ws, &q, &v, &none, &mut h);
        inverse_dynamics(&model, &mut ws, &q, &v, &a, &none, &mut tau);

        let potential = potential_energy(&lifted, &mut lifted_ws, &moving);
        prop_assert!((potential.tangents[0] - dot(&g, &v)).abs() < 1e-11 * (1.0 + dot(&g, &v).abs()));

        let mut m = vec![Dual::from_f64(0.0); n * n];
        mass_matrix(&lifted, &mut lifted_ws, &moving, &[], &mut m);
        let rate: Vec<f64> = m.iter().map(|x| x.tangents[0]).collect();
        let coriolis: f64 = h.iter().zip(&g).zip(&v).map(|((h, g), v)| (h - g) * v).sum();
        let skew = dot(&v, &multiply(&rate, &v)) - 2.0 * coriolis;
        prop_assert!(skew.abs() < 1e-11 * (1.0 + coriolis.abs()), "{skew:e}");

        let speeds: Vec<Dual> = v.iter().zip(&a).map(|(v, a)| Dual { value: *v, tangents: [*a] }).collect();
        let kinetic = kinetic_energy(&lifted, &mut lifted_ws, &moving, &speeds);
        let (rate, power) = (kinetic.tangents[0] + potential.tangents[0], dot(&tau, &v));
        prop_assert!((rate - power).abs() < 1e-11 * (1.0 + power.abs()), "{rate} {power}");
        let values: Vec<f64> = m.iter().map(|x| x.value).collect();
        let half = 0.5 * dot(&v, &multiply(&values, &v));
        prop_assert!((kinetic.value - half).abs() < 1e-12 * (1.0 + half));
    }

    /// Momentum is mass times the centre of mass's velocity; a free base feels its rate. 1e-11.
    #[test]
    fn momentum_is_mass_times_velocity_of_the_centre(seed: u64) {
        let (model, _, q, v, _) = sample(seed);
        let mut ws = Workspace::new(&model);
        let lifted = model.map(Dual::from_f64);
        let center = center_of_mass(&lifted, &mut Workspace::new(&lifted), &along(&model, &q, &v));
        let found = momentum(&model, &mut ws, &q, &v);
        let expected = center.map(|x| x.tangents[0]) * model.total_mass();
        prop_assert!((found.linear - expected).norm() < 1e-11 * (1.0 + expected.norm()));
        if model.has_free_base() {
            // The base's rows of M v are the momentum about its origin.
            let n = model.velocities();
            let mut m = vec![0.0; n * n];
            mass_matrix(&model, &mut ws, &q, &[], &mut m);
            let mv = multiply(&m, &v);
            let arm = center.map(|x| x.value) - Vector::new(q[0], q[1], q[2]);
            let about = found.angular_about_com + arm.cross(&found.linear);
            for k in 0..3 {
                prop_assert!((mv[k] - found.linear[k]).abs() < 1e-11 * (1.0 + found.linear.norm()));
                prop_assert!((mv[3 + k] - about[k]).abs() < 1e-11 * (1.0 + about.norm()));
            }
        }
    }

    /// Y φ + armature v̇ = τ, and each column is the derivative by its address. 1e-11.
    #[test]
    fn regressor_times_parameters_is_inverse_dynamics(seed: u64) {
        let (model, mut random, q, v, a) = sample(seed);
        let (n, width) = (model.velocities(), 10 * model.frames().len());
        let mut ws = Workspace::new(&model);
        let mut y = vec![0.0; n * width];
        regressor(&model, &mut ws, &q, &v, &a, &mut y);
        let phi: Vec<f64> = model.frames().iter().flat_map(|f| f.inertia.linear()).collect();
        let mut sum = multiply(&y, &phi);
        for (j, joint) in model.joints().iter().enumerate() {
            let k = n - model.joints().len() + j;
            sum[k] += joint.armature * a[k];
        }
        let mut tau = vec![0.0; n];
        inverse_dynamics(&model, &mut ws, &q, &v, &a, &Loads::none(), &mut tau);
        prop_assert!(relative(&sum, &tau) < 1e-11);

        let names = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz"];
        let (frame, k) = (random.below(model.frames().len()), random.below(10));
        let address = format!("{}.linear.{}", model.frames()[frame].name, names[k]);
        let varied = model.map(Dual::from_f64).vary(&[(&address, Dual::variable(0.0, 0))]).unwrap();
        let mut tau = vec![Dual::from_f64(0.0); n];
        let (q, v, a) = (constants(&q), constants(&v), constants(&a));
        inverse_dynamics(&varied, &mut Workspace::new(&varied), &q, &v, &a, &Loads::none(), &mut tau);
        let found: Vec<f64> = tau.iter().map(|x| x.tangents[0]).collect();
        let column: Vec<f64> = (0..n).map(|i| y[i * width + 10 * frame + k]).collect();
        let scale = column.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
        for (a, b) in found.iter().zip(&column) {
            prop_assert!((a - b).abs() < 1e-11 * scale, "{address}: {a} {b}");
        }
    }
}
