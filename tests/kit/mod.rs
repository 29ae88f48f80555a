//! What the tests share: random machines, comparisons that look at tangents too.
#![allow(dead_code)] // each test binary uses a part

pub mod tangents;

use articula::Real;
use articula::model::{Builder, Inertial, JointKind, JointSpec, MimicSpec, Model};
use articula::spatial::Pose;
use articula::step::{DynamicArm, Inputs, Outcome, Solver, State, StepReport, StepWorkspace};
use articula::switch::Choices;

/// SplitMix64: small, seeded, the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `[lo, hi)`.
    pub fn within(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in `±1`.
    pub fn unit(&mut self) -> f64 {
        self.within(-1.0, 1.0)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.unit()).collect()
    }

    pub fn three(&mut self) -> [f64; 3] {
        [self.unit(), self.unit(), self.unit()]
    }

    /// A body that could exist: four point masses and a little rotational inertia.
    pub fn inertial(&mut self) -> Inertial<f64> {
        let points: Vec<([f64; 3], f64)> =
            (0..4).map(|_| (self.three().map(|x| 0.3 * x), self.within(0.1, 1.0))).collect();
        let mass: f64 = points.iter().map(|p| p.1).sum();
        let center: [f64; 3] =
            std::array::from_fn(|k| points.iter().map(|p| p.0[k] * p.1).sum::<f64>() / mass);
        let mut tensor = [0.01, 0.0, 0.0, 0.01, 0.0, 0.01];
        for (p, m) in &points {
            let [x, y, z]: [f64; 3] = std::array::from_fn(|k| p[k] - center[k]);
            let terms = [y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y];
            tensor.iter_mut().zip(terms).for_each(|(t, x)| *t += m * x);
        }
        Inertial::new(mass, center, tensor)
    }
}

/// What a random machine has.
#[derive(Clone, Copy)]
pub struct Kind {
    pub joints: usize,
    /// Likelihood that a body hangs on the last one: 1 gives a chain.
    pub chain: f64,
    pub slides: f64,
    pub friction: f64,
    pub stops: bool,
    pub damping: f64,
    pub armature: f64,
    /// Likelihood that a joint follows an earlier one of its kind.
    pub coupled: f64,
}

impl Kind {
    /// Joints of all kinds on a branched tree, free to move.
    pub fn tree(joints: usize) -> Self {
        Kind {
            joints,
            chain: 0.6,
            slides: 0.3,
            friction: 0.0,
            stops: false,
            damping: 0.0,
            armature: 0.1,
            coupled: 0.0,
        }
    }

    /// Stops, friction and damping too.
    pub fn arm(joints: usize) -> Self {
        Kind {
            joints,
            chain: 0.8,
            slides: 0.25,
            friction: 2.0,
            stops: true,
            damping: 0.3,
            armature: 0.05,
            coupled: 0.0,
        }
    }
}

/// A random machine, fixed links between its joints.
pub fn machine(random: &mut Random, kind: Kind) -> Model<f64> {
    let mut builder = Builder::new("random");
    builder.link("link_0", Some(random.inertial()));
    let mut kinds: Vec<bool> = Vec::new();
    for j in 0..kind.joints {
        let on = if random.within(0.0, 1.0) < kind.chain { j } else { random.below(j + 1) };
        builder.link(&format!("link_{}", j + 1), Some(random.inertial()));
        let slides = random.within(0.0, 1.0) < kind.slides;
        let mut parent = format!("link_{on}");
        if random.within(0.0, 1.0) < 0.3 {
            let welded = format!("bracket_{}", j + 1);
            builder.link(&welded, Some(random.inertial()));
            let name = format!("weld_{}", j + 1);
            let origin = Pose::from_xyz_rpy(random.three().map(|x| 0.2 * x), random.three());
            builder.joint(JointSpec { name, parent, child: welded.clone(), origin, ..JointSpec::default() });
            parent = welded;
        }
        let span = if slides { 0.5 } else { 2.0 };
        let same: Vec<usize> = (0..j).filter(|&i| kinds[i] == slides).collect();
        kinds.push(slides);
        // Nothing is drawn where nothing is coupled, so that other machines stay what they are.
        let follows = kind.coupled > 0.0 && !same.is_empty() && random.within(0.0, 1.0) < kind.coupled;
        let mimic = follows.then(|| MimicSpec {
            joint: format!("joint_{}", same[random.below(same.len())] + 1),
            multiplier: random.unit().signum() * random.within(0.4, 1.8),
            offset: 0.1 * span * random.unit(),
        });
        builder.joint(JointSpec {
            name: format!("joint_{}", j + 1),
            kind: Some(if slides { JointKind::Prismatic } else { JointKind::Revolute }),
            parent,
            child: format!("link_{}", j + 1),
            origin: Pose::from_xyz_rpy(random.three().map(|x| 0.4 * x), random.three().map(|x| 3.0 * x)),
            axis: random.three(),
            lower: kind.stops.then_some(-span),
            upper: kind.stops.then_some(span),
            damping: random.within(0.0, 1.0) * kind.damping,
            friction: random.within(0.0, 1.0) * kind.friction,
            armature: random.within(0.0, 1.0) * kind.armature,
            mimic,
            ..JointSpec::default()
        });
    }
    builder.build().expect("a random machine is sound")
}

/// Random positions: quaternion of unit length on a free base, joints within their limits or ±3.
pub fn positions(random: &mut Random, model: &Model<f64>) -> Vec<f64> {
    let mut q = Vec::new();
    if model.has_free_base() {
        q.extend(random.three());
        let quaternion: Vec<f64> = random.vector(4);
        let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
        q.extend(quaternion.iter().map(|x| x / length));
    }
    q.extend(model.joints().iter().map(|j| random.within(j.lower.unwrap_or(-3.0), j.upper.unwrap_or(3.0))));
    q
}

/// Largest difference against the largest entry of `reference` (at least 1e-300).
pub fn relative(found: &[f64], reference: &[f64]) -> f64 {
    assert_eq!(found.len(), reference.len());
    let scale = reference.iter().fold(1e-300_f64, |m, x| m.max(x.abs()));
    let worst = found.iter().zip(reference).fold(0.0_f64, |m, (a, b)| {
        let d = (a - b).abs();
        if d.is_nan() { f64::INFINITY } else { m.max(d) }
    });
    worst / scale
}

/// As constants of another scalar.
pub fn constants<T: Real>(x: &[f64]) -> Vec<T> {
    x.iter().map(|x| T::from_f64(*x)).collect()
}

/// A slide or hinge with a body of mass `mass`, and as much inertia about every axis through its centre at the joint.
pub fn single(kind: JointKind, mass: f64, spec: JointSpec) -> Model<f64> {
    let body = Inertial::new(mass, [0.0; 3], [mass, 0.0, 0.0, mass, 0.0, mass]);
    one_joint(body, JointSpec { kind: Some(kind), ..spec })
}

/// One body moved by one joint: links `base` and `body`, joint `joint`.
pub fn one_joint(body: Inertial<f64>, spec: JointSpec) -> Model<f64> {
    let mut builder = Builder::new("single");
    builder.link("base", None).link("body", Some(body));
    builder.joint(JointSpec { name: "joint".into(), parent: "base".into(), child: "body".into(), ..spec });
    builder.build().expect("one body on one joint is sound")
}

/// An arm with all that a step needs.
pub struct Rig<T> {
    pub arm: DynamicArm<T>,
    pub ws: StepWorkspace<T>,
    pub out: Outcome<T>,
    pub state: State<T>,
}

impl<T: Real> Rig<T> {
    pub fn new(model: Model<T>, dt: f64, solver: Solver, q: &[T], v: &[T]) -> Self {
        let arm = DynamicArm::new(model, dt, solver).expect("an arm");
        let state = arm.state(q, v).expect("a state within the limits");
        Rig { ws: StepWorkspace::new(arm.model()), out: Outcome::new(arm.model()), arm, state }
    }

    pub fn step(&mut self, inputs: &Inputs<T>, choices: &mut Choices) -> StepReport {
        self.arm.step(&mut self.ws, &mut self.state, inputs, choices, &mut self.out)
    }

    /// A step under efforts that must settle.
    pub fn push(&mut self, effort: &[T]) {
        let report = self.step(&Inputs::effort(effort), &mut Choices::free());
        assert!(report.settled(), "{report:?}");
    }
}
