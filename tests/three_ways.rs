//! Derivatives of kinematics and inverse dynamics three ways: duals, closed forms, central differences; by positions, velocities,
//! accelerations and every number of the machine, on robot files and random trees.

mod kit;

use articula::dynamics::{
    InverseDynamicsDerivatives, Loads, Twist, Workspace, frame_jacobian, frame_poses, frame_twists,
    inverse_dynamics, inverse_dynamics_derivatives, regressor,
};
use articula::model::Model;
use articula::real::{Real, Tangents};
use articula::spatial::{Pose, Vector};
use articula::switch::Choices;
use kit::tangents::{Function, Groups, Jacobian, assert_same_tangents, by_differences, by_duals};
use kit::{Kind, Random, constants, machine, positions};

/// The same linear forms in another order.
const CLOSED: f64 = 1e-11;
/// Over ±1e-6: rounding 1e-16/1e-6 of terms that may be a thousand times the column's largest number.
const DIFFERENCES: f64 = 1e-6;
const H: f64 = 1e-6;

/// Places, turns and speeds of all frames, and the efforts, by `q`, `v`, `v̇` and an amount for every address.
struct Machine {
    model: Model<f64>,
    names: Vec<String>,
}

impl Machine {
    /// With armature and damping, so that differences have somewhere to go.
    fn new(model: Model<f64>) -> Self {
        let model = model.with_joints(|_, joint| {
            (joint.armature, joint.damping) = (joint.armature + 0.1, joint.damping + 0.1);
        });
        let model = model.unwrap();
        let names = model.addresses().into_iter().map(|address| address.name).collect();
        Machine { model, names }
    }

    fn at_random(&self, random: &mut Random) -> Vec<f64> {
        let mut x = positions(random, &self.model);
        x.extend(random.vector(2 * self.model.velocities()));
        x.extend(vec![0.0; self.names.len()]);
        x
    }
}

impl Function for Machine {
    fn at<T: Real>(&self, x: &[T], _: &mut Choices) -> Groups<T> {
        let (p, n) = (self.model.positions(), self.model.velocities());
        let (q, v, a, amounts) = (&x[..p], &x[p..p + n], &x[p + n..p + 2 * n], &x[p + 2 * n..]);
        // Amounts that are nothing change nothing.
        let nothing = T::zero();
        let changes: Vec<(&str, T)> =
            self.names.iter().map(String::as_str).zip(amounts.iter().copied()).collect();
        let changes: Vec<(&str, T)> = changes.into_iter().filter(|(_, x)| *x != nothing).collect();
        let model = self.model.map(T::from_f64).vary(&changes).unwrap();
        let ws = &mut Workspace::new(&model);
        let (frames, zero) = (model.frames().len(), Vector::zeros());
        let mut poses = vec![Pose::identity(); frames];
        let mut twists = vec![Twist { linear: zero, angular: zero }; frames];
        frame_poses(&model, ws, q, &mut poses);
        frame_twists(&model, ws, q, v, &mut twists);
        let mut tau = vec![T::zero(); n];
        inverse_dynamics(&model, ws, q, v, a, &Loads::none(), &mut tau);
        let all = |f: &dyn Fn(&Pose<T>) -> Vec<T>| poses.iter().flat_map(f).collect::<Vec<T>>();
        vec![
            ("places", all(&|pose| pose.position.iter().copied().collect())),
            ("rotations", all(&|pose| pose.rotation.iter().copied().collect())),
            ("speeds", twists.iter().flat_map(|t| t.linear.iter().chain(&t.angular).copied()).collect()),
            ("efforts", tau),
        ]
    }
}

/// What closed forms know: a column, its group, and the numbers there.
type Columns = Vec<(usize, usize, Vec<f64>)>;

const PLACES: usize = 0;
const ROTATIONS: usize = 1;
const SPEEDS: usize = 2;
const EFFORTS: usize = 3;

/// Columns in closed form, of a fixed base: frames by positions and their speeds by velocities from their Jacobians; efforts by state
/// from the derivatives of inverse dynamics; by linear parameters from the regressor, by masses through it by the chain rule; by
/// armature `v̇`, by gravity the efforts of that gravity alone; by joints' laws nothing.
fn closed_forms(machine: &Machine, x: &[f64]) -> Columns {
    let model = &machine.model;
    let (n, frames) = (model.velocities(), model.frames().len());
    let (q, v, a) = (&x[..n], &x[n..2 * n], &x[2 * n..3 * n]);
    let ws = &mut Workspace::new(model);
    let mut columns = Columns::new();
    let mut poses = vec![Pose::identity(); frames];
    frame_poses(model, ws, q, &mut poses);
    let mut jacobians = vec![vec![0.0; 6 * n]; frames];
    jacobians.iter_mut().enumerate().for_each(|(f, to)| frame_jacobian(model, ws, q, f, to));
    for c in 0..n {
        let column = |f: usize| -> [f64; 6] { std::array::from_fn(|k| jacobians[f][k * n + c]) };
        columns.push((c, PLACES, (0..frames).flat_map(|f| column(f)[..3].to_vec()).collect()));
        columns.push((n + c, SPEEDS, (0..frames).flat_map(column).collect()));
        let turned = |f: usize| {
            let [.., x, y, z] = column(f);
            (Vector::new(x, y, z).cross_matrix() * poses[f].rotation).iter().copied().collect::<Vec<f64>>()
        };
        columns.push((c, ROTATIONS, (0..frames).flat_map(turned).collect()));
    }
    let mut derivatives = InverseDynamicsDerivatives::new(model);
    inverse_dynamics_derivatives(model, ws, q, v, a, &Loads::none(), &mut derivatives);
    let blocks = [&derivatives.by_position, &derivatives.by_velocity, &derivatives.by_acceleration];
    for (block, matrix) in blocks.into_iter().enumerate() {
        columns.extend((0..n).map(|c| (block * n + c, EFFORTS, (0..n).map(|i| matrix[i * n + c]).collect())));
    }
    let mut y = vec![0.0; n * 10 * frames];
    regressor(model, ws, q, v, a, &mut y);
    let linear = |frame: usize, k: usize| -> Vec<f64> {
        (0..n).map(|i| y[i * 10 * frames + 10 * frame + k]).collect()
    };
    for (i, name) in machine.names.iter().enumerate() {
        let (owner, field) = name.split_once('.').unwrap();
        let frame = model.frames().iter().position(|frame| frame.name == owner);
        let joint = model.joints().iter().position(|joint| joint.name == owner);
        let efforts = match (field, frame, joint) {
            (_, None, Some(j)) if field == "armature" => {
                (0..n).map(|i| if i == j { a[j] } else { 0.0 }).collect()
            }
            ("damping" | "friction" | "lower" | "upper", None, Some(_)) => vec![0.0; n],
            (_, Some(frame), None) if field.starts_with("linear.") => {
                const LINEAR: [&str; 10] = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz"];
                linear(frame, LINEAR.iter().position(|p| field.ends_with(&format!(".{p}"))).unwrap())
            }
            // More mass at the same centre, with the same inertia about it.
            ("mass", Some(frame), None) => {
                let c: [f64; 3] = ["x", "y", "z"].map(|k| {
                    model.value(&format!("{owner}.center_of_mass.{k}")).expect("a link with a mass")
                });
                let [x, y, z] = c;
                let about = [y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y];
                let weights = [1.0, x, y, z].into_iter().chain(about);
                weights.enumerate().fold(vec![0.0; n], |mut sum, (k, w)| {
                    sum.iter_mut().zip(linear(frame, k)).for_each(|(s, y)| *s += w * y);
                    sum
                })
            }
            (axis, None, None) if owner == "gravity" => {
                let mut one = Vector::zeros();
                one["xyz".find(axis).unwrap()] = 1.0;
                let (still, mut tau) = (vec![0.0; n], vec![0.0; n]);
                let alone = model.clone().with_gravity(one);
                inverse_dynamics(&alone, ws, q, &still, &still, &Loads::none(), &mut tau);
                tau
            }
            _ => continue,
        };
        columns.push((3 * n + i, EFFORTS, efforts));
    }
    columns
}

/// One machine in one state: differences against duals, closed forms against duals. How many columns of each, and the worst.
fn compare(what: &str, machine: &Machine, x: &[f64]) -> [(usize, f64); 2] {
    let duals = by_duals::<Tangents<8>>(machine, x);
    let differences = by_differences(machine, x, H);
    let (apart, compared) = assert_same_tangents(what, &duals, &differences, DIFFERENCES, 1e-3);
    assert_eq!(compared, x.len(), "{what}: nothing here has a switch");
    if machine.model.has_free_base() {
        return [(compared, apart), (0, 0.0)];
    }
    let (columns, mut worst) = (closed_forms(machine, x), 0.0_f64);
    for (input, group, found) in &columns {
        let expected = &duals.columns[*input].as_ref().unwrap()[*group];
        let largest = size(&duals, *group);
        let off = found.iter().zip(expected).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs())) / largest;
        assert!(
            found.len() == expected.len() && off <= CLOSED,
            "{what}: input {input} group {group}: {off:e}"
        );
        worst = worst.max(off);
    }
    [(compared, apart), (columns.len(), worst)]
}

/// The largest number of a group.
fn size(of: &Jacobian, group: usize) -> f64 {
    let all = of.columns.iter().flatten().flat_map(|column| &column[group]);
    all.fold(1e-3_f64, |m, x| m.max(x.abs()))
}

fn robot(path: &std::path::Path) -> articula::Result<Model<f64>> {
    let text = articula::description::Description::read(path)?;
    let known = if text.account.refused().next().is_some() {
        text.acknowledge_all("a test of derivatives")?
    } else {
        text.acknowledge(&[])?
    };
    Model::from_description(&known)
}

fn told(what: &str, all: &[[(usize, f64); 2]]) {
    let sum = |k: usize| all.iter().map(|found| found[k].0).sum::<usize>();
    let worst = |k: usize| all.iter().fold(0.0_f64, |m, found| m.max(found[k].1));
    println!(
        "{what}: {} columns by duals and differences, apart by {:.1e}; {} by duals and closed forms, by {:.1e}",
        sum(0),
        worst(0),
        sum(1),
        worst(1)
    );
}

/// Claim: on the robot files of this repository, in three random states each, all three ways agree by everything.
#[test]
fn robot_files_three_ways() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/robots");
    for name in ["arm7", "branched", "double_pendulum", "pendulum", "quadruped", "slider"] {
        let machine = Machine::new(robot(&folder.join(format!("{name}.urdf"))).unwrap());
        let mut random = Random::new(77);
        let all = [(); 3].map(|()| compare(name, &machine, &machine.at_random(&mut random)));
        told(name, &all);
        assert!(all[0][0].0 > 30 && all[0][1].0 > 20, "{name}: {all:?}");
    }
}

/// Claim: so they do on random trees, on a free base too (duals and differences), and in the zero pose at rest.
#[test]
fn random_trees_three_ways() {
    let mut all = Vec::new();
    for seed in 0..24 {
        let mut random = Random::new(800 + seed);
        let joints = 1 + random.below(6);
        let kind = if seed % 2 == 0 { Kind::tree(joints) } else { Kind::arm(joints) };
        let model = machine(&mut random, kind).with_free_base(seed % 4 == 3);
        let machine = Machine::new(model);
        let mut x = machine.at_random(&mut random);
        if seed % 4 == 1 {
            x.fill(0.0);
        }
        all.push(compare(&format!("seed {seed}"), &machine, &x));
    }
    told("24 random trees", &all);
}

/// By hand, on any robot files, those that this repository does not hold:
/// `ARTICULA_ROBOTS=A.urdf:B.urdf cargo test --test three_ways -- --ignored --nocapture`.
#[test]
#[ignore = "reads the robot files that ARTICULA_ROBOTS names"]
fn named_files_three_ways() {
    let files = std::env::var("ARTICULA_ROBOTS").expect("ARTICULA_ROBOTS: robot files, with colons between");
    for path in std::env::split_paths(&files) {
        let name = path.display().to_string();
        let machine = Machine::new(robot(&path).unwrap_or_else(|error| panic!("{error}")));
        let mut random = Random::new(78);
        let x = machine.at_random(&mut random);
        let still: Vec<f64> = constants(&vec![0.0; x.len()]);
        told(&name, &[compare(&name, &machine, &x), compare(&name, &machine, &still)]);
    }
}
