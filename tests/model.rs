//! Building a machine: what is refused, and what two ways of writing the same machine have in common.

mod kit;

use articula::dynamics::{
    Loads, Workspace, bias, forward_dynamics, frame_poses, inverse_dynamics, mass_matrix, regressor,
};
use articula::model::{Builder, Inertial, Joint, JointKind, JointSpec, Model};
use articula::spatial::{Pose, Symmetric, Vector};
use articula::step::{Inputs, Solver, StepWorkspace};
use articula::switch::Choices;
use articula::{Error, Real, Tangents};
use kit::{Kind, Random, Rig, constants, machine, positions, relative};
use num_dual::Dual2_64;

fn body() -> Option<Inertial<f64>> {
    Some(Inertial::new(1.0, [0.0, 0.0, -0.2], [0.02, 0.0, 0.0, 0.02, 0.0, 0.01]))
}

fn spec(name: &str, parent: &str, child: &str) -> JointSpec {
    let (name, parent, child) = (name.into(), parent.into(), child.into());
    JointSpec { name, parent, child, kind: Some(JointKind::Revolute), ..JointSpec::default() }
}

/// A sound machine of three links, with one thing changed.
fn spoiled(
    change: impl FnOnce(&mut Vec<(&'static str, Option<Inertial<f64>>)>, &mut Vec<JointSpec>),
) -> Builder {
    let mut links = vec![("base", None), ("upper", body()), ("lower", body())];
    let mut joints = vec![spec("shoulder", "base", "upper"), spec("elbow", "upper", "lower")];
    change(&mut links, &mut joints);
    let mut builder = Builder::new("arm");
    links.into_iter().for_each(|(name, inertial)| {
        builder.link(name, inertial);
    });
    joints.into_iter().for_each(|joint| {
        builder.joint(joint);
    });
    builder
}

/// Each thing spoiled in a sound machine is refused by an error that names who holds it and what was found.
#[test]
fn each_spoiled_thing_is_refused_by_name() {
    spoiled(|_, _| ()).build().expect("sound as it is");
    type Links = Vec<(&'static str, Option<Inertial<f64>>)>;
    type Change = fn(&mut Links, &mut Vec<JointSpec>);
    let values: [(&str, &str, &str, Change); 22] = [
        ("a link twice", "arm", "two links named `upper`", |l, _| l.push(("upper", None))),
        ("a joint twice", "arm", "two joints named `shoulder`", |_, j| j[1].name = "shoulder".into()),
        ("two joints above a link", "arm", "lower moved by elbow and other", |_, j| {
            j.push(spec("other", "base", "lower"))
        }),
        ("two roots", "arm", "root links", |l, _| l.push(("alone", None))),
        ("no root", "arm", "root links []", |_, j| j.push(spec("back", "lower", "base"))),
        ("a loop apart", "arm", "links in a loop", |l, j| {
            l.extend([("a", None), ("b", None)]);
            j.extend([spec("ab", "a", "b"), spec("ba", "b", "a")]);
        }),
        ("a joint on itself", "arm", "links in a loop", |l, j| {
            l.push(("a", None));
            j.push(spec("aa", "a", "a"));
        }),
        ("an origin that is no number", "shoulder.origin", "NaN", |_, j| j[0].origin.position.x = f64::NAN),
        ("an axis that is no number", "elbow.axis", "inf", |_, j| j[1].axis[2] = f64::INFINITY),
        ("an axis of no length", "elbow.axis", "[0.0, 0.0, 0.0]", |_, j| j[1].axis = [0.0; 3]),
        ("a negative damping", "elbow.damping", "-1", |_, j| j[1].damping = -1.0),
        ("a damping that is no number", "elbow.damping", "NaN", |_, j| j[1].damping = f64::NAN),
        ("a negative friction", "elbow.friction", "-0.5", |_, j| j[1].friction = -0.5),
        ("an infinite friction", "elbow.friction", "inf", |_, j| j[1].friction = f64::INFINITY),
        ("a negative armature", "elbow.armature", "-2", |_, j| j[1].armature = -2.0),
        ("a lower limit that is no number", "elbow.lower", "NaN", |_, j| j[1].lower = Some(f64::NAN)),
        ("an infinite upper limit", "elbow.upper", "inf", |_, j| j[1].upper = Some(f64::INFINITY)),
        ("limits crossed", "elbow.lower", "2", |_, j| (j[1].lower, j[1].upper) = (Some(2.0), Some(1.0))),
        ("a negative mass", "lower.mass", "-1", |l, _| l[2].1 = body().map(|i| Inertial { mass: -1.0, ..i })),
        ("a centre that is no number", "lower.inertial", "NaN", |l, _| {
            l[2].1 = Some(Inertial::new(1.0, [f64::NAN, 0.0, 0.0], [0.1, 0.0, 0.0, 0.1, 0.0, 0.1]))
        }),
        // Scenario 35: refused with the link's name, never zeroed.
        ("negative moments", "lower.inertia", "least principal moment", |l, _| {
            l[2].1 = Some(Inertial::new(1.0, [0.0; 3], [-1.2e-3, 0.0, 0.0, -1.2e-3, 0.0, 3e-4]))
        }),
        ("a massless body with a first moment of inertia below zero", "lower.inertia", "least", |l, _| {
            l[2].1 = Some(Inertial::new(0.0, [0.0; 3], [-0.1, 0.0, 0.0, 0.1, 0.0, 0.1]))
        }),
    ];
    for (what, whose, shown, change) in values {
        match spoiled(change).build() {
            Err(Error::Value { who, found, .. }) => {
                assert_eq!(who, whose, "{what}");
                assert!(found.contains(shown), "{what}: found {found}, not {shown}");
            }
            other => panic!("{what}: {other:?}"),
        }
    }
    let unknown: [(&str, &str, Change); 2] = [
        ("parent", "bsae", |_, j| j[0].parent = "bsae".into()),
        ("child", "uper", |_, j| j[0].child = "uper".into()),
    ];
    for (what, misspelt, change) in unknown {
        match spoiled(change).build() {
            Err(Error::UnknownName { who, found, nearest: Some(near), .. }) => {
                assert_eq!((who.as_str(), found.as_str()), ("shoulder", misspelt));
                assert!(near == "base" || near == "upper", "{what}: {near}");
            }
            other => panic!("{what}: {other:?}"),
        }
    }
    // Of a continuous joint, limits are not taken, and so not judged.
    let free = spoiled(|_, j| {
        j[1] = JointSpec {
            kind: Some(JointKind::Continuous),
            lower: Some(2.0),
            upper: Some(1.0),
            ..j[1].clone()
        }
    });
    assert!(free.build().unwrap().joints()[1].lower.is_none());
}

/// M, h, ID, FD and poses of a machine at one state, in one list.
fn numbers<T: Real>(model: &Model<T>, q: &[T], v: &[T], a: &[T], frames: usize) -> Vec<T> {
    let n = model.velocities();
    let mut ws = Workspace::new(model);
    let none = Loads::none();
    let row = || vec![T::zero(); n];
    let (mut m, mut h, mut tau, mut acc) = (vec![T::zero(); n * n], row(), row(), row());
    mass_matrix(model, &mut ws, q, &[], &mut m);
    bias(model, &mut ws, q, v, &none, &mut h);
    inverse_dynamics(model, &mut ws, q, v, a, &none, &mut tau);
    forward_dynamics(model, &mut ws, q, v, a, &none, &mut acc);
    let mut poses = vec![Pose::identity(); model.frames().len()];
    frame_poses(model, &mut ws, q, &mut poses);
    let places = poses[..frames]
        .iter()
        .flat_map(|p| p.position.iter().chain(&p.rotation).copied().collect::<Vec<_>>());
    [m, h, tau, acc].concat().into_iter().chain(places).collect()
}

/// A massless body welded on changes no number of the machine, to the last bit, and is a frame of its own; a name that is
/// taken or a frame that is not there is refused.
#[test]
fn a_massless_graft_changes_nothing() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let model = machine(&mut random, Kind::tree(1 + seed as usize % 6)).with_free_base(seed % 2 == 1);
        let (q, n, frames) = (positions(&mut random, &model), model.velocities(), model.frames().len());
        let (v, a) = (random.vector(n), random.vector(n));
        let onto = &model.frames()[random.below(frames)].name;
        let pose = Pose::from_xyz_rpy(random.three(), random.three());
        let grafted = model.graft(onto, "tool", pose, None).unwrap();
        assert_eq!(grafted.frames().len(), frames + 1);
        assert_eq!(numbers(&grafted, &q, &v, &a, frames), numbers(&model, &q, &v, &a, frames));
        let mut poses = vec![Pose::identity(); frames + 1];
        frame_poses(&grafted, &mut Workspace::new(&grafted), &q, &mut poses);
        let expected = poses[model.frame_index(onto).unwrap()].then(&pose);
        let found = &poses[grafted.frame_index("tool").unwrap()];
        assert!((found.position - expected.position).norm() < 1e-13);
        assert!((found.rotation - expected.rotation).norm() < 1e-13);
        assert!(matches!(model.graft(onto, onto, pose, None), Err(Error::Value { .. })));
        assert!(matches!(model.graft("nowhere", "tool", pose, None), Err(Error::UnknownName { .. })));
    }
}

/// A massive body welded on afterwards is the same body written into the tree with a fixed joint: all numbers to 1e-12,
/// which is the rounding of sums in another order.
#[test]
fn a_massive_graft_is_a_fixed_link() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let (one, two, tool) = (random.inertial(), random.inertial(), random.inertial());
        let pose = Pose::from_xyz_rpy(random.three(), random.three());
        let build = |with: bool| {
            spoiled(|links, joints| {
                (links[1].1, links[2].1) = (Some(one), Some(two));
                if with {
                    links.push(("tool", Some(tool)));
                    joints.push(JointSpec { kind: None, origin: pose, ..spec("weld", "upper", "tool") });
                }
            })
            .build()
            .unwrap()
        };
        let written = build(true);
        let grafted = build(false).graft("upper", "tool", pose, Some(tool)).unwrap();
        let (q, v, a) = (random.vector(2), random.vector(2), random.vector(2));
        let (x, y) = (numbers(&written, &q, &v, &a, 1), numbers(&grafted, &q, &v, &a, 1));
        assert!(relative(&x, &y) < 1e-12, "seed {seed}: {:e}", relative(&x, &y));
        let heavier = numbers(&build(false), &q, &v, &a, 1);
        assert!(relative(&heavier, &y) > 1e-3, "the tool weighs something");
        let place = |model: &Model<f64>, name| {
            let mut poses = vec![Pose::identity(); model.frames().len()];
            frame_poses(model, &mut Workspace::new(model), &q, &mut poses);
            poses[model.frame_index(name).unwrap()]
        };
        for name in ["tool", "lower", "upper"] {
            let (p, q) = (place(&written, name), place(&grafted, name));
            assert!((p.position - q.position).norm() + (p.rotation - q.rotation).norm() < 1e-13);
        }
    }
}

/// A fixed joint merges its bodies and keeps its frame: split in two welded halves, a link has the same dynamics to 1e-12,
/// no joint more, and every link is still a frame, riding on the joint above; massless links in a row too (scenarios 11,
/// 33).
#[test]
fn fixed_joints_merge_bodies_and_keep_frames() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let (a, b) = (random.inertial(), random.inertial());
        let first = Pose::from_xyz_rpy(random.three(), random.three());
        let second = Pose::from_xyz_rpy(random.three(), random.three());
        let split = spoiled(|links, joints| {
            links[1].1 = Some(a);
            links.extend([("ghost", None), ("half", Some(b))]);
            joints.push(JointSpec { kind: None, origin: first, ..spec("weld_1", "upper", "ghost") });
            joints.push(JointSpec { kind: None, origin: second, ..spec("weld_2", "ghost", "half") });
        })
        .build()
        .unwrap();
        // The same two bodies as one inertial, about the common centre of mass, by the parallel-axis theorem here.
        let pose = first.then(&second);
        let place = pose.point(&b.center_of_mass);
        let mass = a.mass + b.mass;
        let center = (a.center_of_mass * a.mass + place * b.mass) / mass;
        let about = |m: f64, tensor: nalgebra::Matrix3<f64>, at: Vector<f64>| {
            let d = at - center;
            tensor + (nalgebra::Matrix3::identity() * d.dot(&d) - d * d.transpose()) * m
        };
        let turned = pose.rotation * b.tensor.to_matrix() * pose.rotation.transpose();
        let tensor = about(a.mass, a.tensor.to_matrix(), a.center_of_mass) + about(b.mass, turned, place);
        let whole = Inertial::new(mass, center.into(), Symmetric::from_matrix(&tensor).entries());
        let merged = spoiled(|links, _| links[1].1 = Some(whole)).build().unwrap();

        let (q, v, acc) = (random.vector(2), random.vector(2), random.vector(2));
        let (x, y) = (numbers(&split, &q, &v, &acc, 1), numbers(&merged, &q, &v, &acc, 1));
        assert!(relative(&x, &y) < 1e-12, "{:e}", relative(&x, &y));
        assert_eq!((split.joints().len(), split.frames().len()), (2, 5));
        for name in ["upper", "ghost", "half"] {
            let frame = &split.frames()[split.frame_index(name).unwrap()];
            assert_eq!(frame.joint, Some(split.joint_index("shoulder").unwrap()), "{name}");
        }
        assert_eq!(split.frames()[0].joint, None);
        assert!((split.total_mass() - merged.total_mass()).abs() < 1e-14);
    }
}

/// The same body written with inertial axes along the link and turned by 90° with the tensor permuted (scenario 37): the
/// turn is applied once, and ID agrees to 1e-12; left out, it would differ by the tensor's unlike entries.
#[test]
fn two_ways_of_writing_an_inertial_are_one_body() {
    use std::f64::consts::FRAC_PI_2;
    let tensor = [0.05, 0.004, -0.003, 0.02, 0.002, 0.04];
    let plain = Inertial::new(1.2, [0.1, -0.2, 0.15], tensor);
    let full = plain.tensor.to_matrix();
    for rpy in [[FRAC_PI_2, 0.0, 0.0], [0.0, FRAC_PI_2, 0.0], [0.0, 0.0, FRAC_PI_2], [0.0, 0.0, -FRAC_PI_2]] {
        // Quarter turns written as permutations with signs, so that nothing of the library writes the tensor.
        let [r, p, y] = rpy.map(|x| (x / FRAC_PI_2) as i32 as f64);
        let turn = if r != 0.0 {
            nalgebra::Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.0, -r, 0.0, r, 0.0)
        } else if p != 0.0 {
            nalgebra::Matrix3::new(0.0, 0.0, p, 0.0, 1.0, 0.0, -p, 0.0, 0.0)
        } else {
            nalgebra::Matrix3::new(0.0, -y, 0.0, y, 0.0, 0.0, 0.0, 0.0, 1.0)
        };
        let turned = Inertial {
            axes: Pose::from_xyz_rpy([0.0; 3], rpy).rotation,
            tensor: Symmetric::from_matrix(&(turn.transpose() * full * turn)),
            ..plain
        };
        let ignored = Inertial { axes: nalgebra::Matrix3::identity(), ..turned };
        // About axes along none of the tensor's, or a turn about one of them would not be seen.
        let build = |inertial| {
            spoiled(|links, joints| {
                links[2].1 = Some(inertial);
                (joints[0].axis, joints[1].axis) = ([0.3, -0.8, 0.5], [0.6, 0.2, -0.7]);
            })
            .build()
            .unwrap()
        };
        let mut random = Random::new(5);
        let (q, v, a) = (random.vector(2), random.vector(2), random.vector(2));
        let found = |inertial| numbers(&build(inertial), &q, &v, &a, 3);
        assert!(relative(&found(turned), &found(plain)) < 1e-12, "{rpy:?}");
        assert!(relative(&found(ignored), &found(plain)) > 1e-4, "{rpy:?} would be seen");
    }
}

/// Mapped to duals, a machine's primal numbers are the same bits: of the model, the algorithms, and a step.
#[test]
fn mapping_to_duals_keeps_primals_bit_for_bit() {
    fn lifted<T: Real>(model: &Model<f64>, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
        let frames = model.frames().len();
        let all = numbers(&model.map(T::from_f64), &constants(q), &constants(v), &constants::<T>(a), frames);
        all.iter().map(Real::primal).collect()
    }
    fn stepped<T: Real>(model: &Model<f64>, q: &[f64], v: &[f64]) -> Vec<f64> {
        let mut rig = Rig::new(model.map(T::from_f64), 1e-3, Solver::Exact, &constants(q), &constants(v));
        let effort: Vec<T> = constants(&vec![0.7; v.len()]);
        for _ in 0..20 {
            let _ = rig.step(&Inputs::effort(&effort), &mut Choices::free());
        }
        rig.state.q.iter().chain(&rig.state.v).map(Real::primal).collect()
    }
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let model = machine(&mut random, Kind::arm(1 + seed as usize % 5));
        let (q, n) = (positions(&mut random, &model), model.velocities());
        let (v, a) = (random.vector(n), random.vector(n));
        let there = model.map(Tangents::<2>::from_f64).map(|x| x.primal());
        for (x, y) in model.frames().iter().zip(there.frames()) {
            assert_eq!((x.pose, x.inertia), (y.pose, y.inertia));
        }
        assert_eq!(model.joints(), there.joints());
        let plain = lifted::<f64>(&model, &q, &v, &a);
        assert_eq!(lifted::<Tangents<3>>(&model, &q, &v, &a), plain);
        // Steps settle their pieces the same way; the numbers are the same formula through the same solve.
        let (x, y) = (stepped::<f64>(&model, &q, &v), stepped::<Tangents<3>>(&model, &q, &v));
        assert!(relative(&y, &x) < 1e-13, "seed {seed}: {:e}", relative(&y, &x));
        let second = stepped::<Dual2_64>(&model, &q, &v);
        assert!(relative(&second, &x) < 1e-11, "seed {seed}: {:e}", relative(&second, &x));
    }
}

/// `with_joints` changes laws and nothing else: a law no joint has is refused by name, a joint's name and kind stay, and
/// the machine it came from is untouched.
#[test]
fn changed_joints_are_checked() {
    let model = spoiled(|_, _| ()).build().unwrap();
    type Law = fn(&mut Joint<f64>);
    let spoils: [(&str, Law); 7] = [
        ("elbow.damping", |j| j.damping = -1.0),
        ("elbow.friction", |j| j.friction = Some(-1.0)),
        ("elbow.friction", |j| j.friction = Some(f64::NAN)),
        ("elbow.armature", |j| j.armature = f64::INFINITY),
        ("elbow.lower", |j| j.lower = Some(f64::NEG_INFINITY)),
        ("elbow.upper", |j| j.upper = Some(f64::NAN)),
        ("elbow.lower", |j| (j.lower, j.upper) = (Some(1.0), Some(0.5))),
    ];
    for (whose, law) in spoils {
        match model.with_joints(|i, joint| {
            if i == 1 {
                law(joint)
            }
        }) {
            Err(Error::Value { who, .. }) => assert_eq!(who, whose),
            other => panic!("{whose}: {other:?}"),
        }
    }
    let changed = model
        .with_joints(|i, joint| {
            joint.name = "other".into();
            joint.kind = JointKind::Prismatic;
            joint.damping = i as f64;
        })
        .unwrap();
    for (i, (joint, before)) in changed.joints().iter().zip(model.joints()).enumerate() {
        assert_eq!((&joint.name, joint.kind), (&before.name, before.kind));
        assert_eq!((joint.damping, before.damping), (i as f64, 0.0));
    }
    assert!(
        matches!(model.joint_index("elbwo"), Err(Error::UnknownName { nearest: Some(n), .. }) if n == "elbow")
    );
}

/// A free base has seven positions and six velocities more; freely falling, whatever its joints do, its centre of mass
/// falls with gravity, and fixed again it is the machine it was, bit for bit. Its dynamic arm is refused.
#[test]
fn a_free_base_falls() {
    for seed in 0..10 {
        let mut random = Random::new(seed);
        let fixed = machine(&mut random, Kind { armature: 0.0, ..Kind::tree(3) });
        let free = fixed.clone().with_free_base(true);
        assert_eq!((free.positions(), free.velocities()), (10, 9));
        assert_eq!(free.zero_positions()[..7], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        let (q, mut v) = (positions(&mut random, &free), random.vector(9));
        v[6..].fill(0.0);
        v[3..6].fill(0.0);
        // At rest but for the base's own speed, no effort: everything falls together and no joint moves.
        let mut acc = vec![0.0; 9];
        let none = Loads::none();
        let tau = vec![0.0; 9];
        forward_dynamics(&free, &mut Workspace::new(&free), &q, &v, &tau, &none, &mut acc);
        let expected = [0.0, 0.0, -9.80665, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert!(relative(&acc, &expected) < 1e-11, "{acc:?}");
        let again = free.with_free_base(false);
        let (q, v, a) = (random.vector(3), random.vector(3), random.vector(3));
        assert_eq!(numbers(&again, &q, &v, &a, 1), numbers(&fixed, &q, &v, &a, 1));
        let refused = articula::step::DynamicArm::new(fixed.with_free_base(true), 1e-3, Solver::Exact);
        assert!(matches!(refused, Err(Error::Value { found, .. }) if found == "a free base"));
    }
}

/// A workspace carries nothing from call to call: used for other machines of the same size in between, each answer is
/// that of a fresh one, bit for bit, of the algorithms and of a step.
#[test]
fn a_workspace_serves_every_model_of_its_size() {
    let mut random = Random::new(77);
    let models: Vec<Model<f64>> = (0..6).map(|_| machine(&mut random, Kind::arm(5))).collect();
    let mut shared = Workspace::new(&models[0]);
    let mut stepping = StepWorkspace::new(&models[0]);
    for _ in 0..5 {
        for model in &models {
            let (q, v, a) = (positions(&mut random, model), random.vector(5), random.vector(5));
            let run = |ws: &mut Workspace<f64>| {
                let none = Loads::none();
                let (mut m, mut tau, mut acc) = (vec![0.0; 25], vec![0.0; 5], vec![0.0; 5]);
                let mut y = vec![0.0; 50 * model.frames().len()];
                forward_dynamics(model, ws, &q, &v, &a, &none, &mut acc);
                mass_matrix(model, ws, &q, &[], &mut m);
                inverse_dynamics(model, ws, &q, &v, &a, &none, &mut tau);
                regressor(model, ws, &q, &v, &a, &mut y);
                [m, tau, acc, y].concat()
            };
            assert_eq!(run(&mut shared), run(&mut Workspace::new(model)));

            let mut rig = Rig::new(model.clone(), 1e-2, Solver::Exact, &q, &v);
            let mut state = rig.state.clone();
            let mut out = rig.out.clone();
            let inputs = Inputs::effort(&a);
            let report = rig.arm.step(&mut stepping, &mut state, &inputs, &mut Choices::free(), &mut out);
            assert!(report.settled());
            rig.push(&a);
            assert_eq!(state, rig.state);
            assert_eq!((out.stop_impulse, out.v_free), (rig.out.stop_impulse, rig.out.v_free));
        }
    }
}

/// A workspace of another size is noticed, not read past.
#[test]
#[should_panic(expected = "workspace made for a model with as many bodies")]
fn a_workspace_of_another_size_is_noticed() {
    let mut random = Random::new(78);
    let (model, other) = (machine(&mut random, Kind::arm(5)), machine(&mut random, Kind::arm(4)));
    let mut poses = vec![Pose::identity(); other.frames().len()];
    frame_poses(&other, &mut Workspace::new(&model), &[0.0; 4], &mut poses);
}
