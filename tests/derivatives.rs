//! Closed-form derivatives against duals, on random trees.

mod kit;

use articula::dynamics::{
    Carried, InverseDynamicsDerivatives, Loads, Workspace, Wrench, inverse_dynamics,
    inverse_dynamics_derivatives, mass_matrix,
};
use articula::model::Model;
use articula::real::{Real, Tangents};
use articula::spatial::Symmetric;
use kit::{Kind, Random, machine, positions};

type Dual = Tangents<1>;

/// Loads on random frames, in any scalar.
struct Loading {
    wrenches: Vec<(usize, [f64; 3], [f64; 3])>,
    carried: Vec<(usize, [f64; 6])>,
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
        }
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
    let extra = q.len() - v.len();
    if !by_position {
        v[c].tangents[0] = 1.0;
    } else if extra == 0 || c < 3 {
        q[c].tangents[0] = 1.0;
    } else if c >= 6 {
        q[c + extra].tangents[0] = 1.0;
    } else {
        let [w, x, y, z] = [3, 4, 5, 6].map(|k| q[k].value);
        let turned = [[-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]][c - 3];
        (0..4).for_each(|k| q[3 + k].tangents[0] = 0.5 * turned[k]);
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
