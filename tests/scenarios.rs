//! What robot files say must not be dropped without a word: kinds of faults that users of other tools reported.
//!
//! | kind | where |
//! |---|---|
//! | a mimic, its target misspelt, fixed, itself, another mimic | `description.rs`, `a_mimic_is_refused_by_name`; planar, and through commands: here |
//! | damping as a child element | `description.rs`, `a_damping_child_is_not_lost` |
//! | friction dropped beside damping; all of `<dynamics>` dropped | here |
//! | a reduction of a transmission not applied | `experiment.rs`, `armature_is_reflected` and `armature_refusals` |
//! | a link without mass dropped, and all below it | here |
//! | a default namespace | `description.rs`, `dialects_of_text_are_read` |
//! | a prefix bound to nothing, on an element and an attribute | `description.rs`, `what_is_no_robot_file_says_so`; here |
//! | `<limit>` without some of its attributes | `description.rs`, `any_subset_of_limits_is_read` |
//! | `<inertial>` without `<origin>` | `description.rs`, `an_inertial_without_origin_stands_at_the_origin` |
//!
//! And where derivatives of other tools are zero, not finite or of nobody's piece (numbers are those of the reports' list):
//!
//! | kind | where |
//! |---|---|
//! | 59 a pendulum's swing by its dry friction | `gradient.rs`, `a_pendulums_final_angle_depends_on_its_friction` |
//! | 61 a fit that starts at a bound, or cannot tell its parameters apart | nowhere yet: identification is not built |
//! | 63 held below break-away, it never creeps | `closed_form.rs`, `held_friction_does_not_creep`; `step.rs`, `held_arm_is_still_bit_for_bit_for_ten_seconds` |
//! | 65 a step's Jacobian at rest, on leaving, on a stop | `gradient.rs`, `derivatives_are_finite_everywhere`; `random_states.rs`, `exact_is_exact` |
//! | 67 a number exactly at its bound | `ties.rs`, `a_command_on_a_limit_is_one_sided`; `switch.rs`, `the_first_nonzero_tangent_decides_a_tie`, `duals_that_are_compared_by_value_miss_the_piece` |
//! | 69 a length at zero: no velocity, no rotation | `gradient.rs`, `derivatives_are_finite_everywhere`; `objective.rs`, `orientation_at_no_error_and_near_half_a_turn` |
//! | 71 a free base at the identity, of another length | here |
//! | 73 a rotor through a gear: on the output's side, `n² J` on the diagonal | `experiment.rs`, `armature_is_reflected`; `closed_form.rs`, `simple_pendulum`; here |

#![cfg(feature = "cli")]

use articula::description::{Description, Inspection, Verdict};
use articula::dynamics::{Loads, Workspace, forward_dynamics, frame_poses, inverse_dynamics, mass_matrix};
use articula::model::Model;
use articula::spatial::Pose;
use articula::step::{DynamicArm, Inputs, Outcome, Solver, StepWorkspace};
use articula::switch::Choices;
use articula::{Error, Real, Tangents};
use serde_json::Value;

fn machine(urdf: &str) -> articula::Result<Model<f64>> {
    Model::from_description(&Description::parse("r.urdf", urdf.as_bytes())?.acknowledge(&[])?)
}

fn hinge(dynamics: &str) -> String {
    format!(
        "<robot name='r'><link name='base'/><link name='rotor'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' \
         iyy='1' iyz='0' izz='0.5'/></inertial></link>\n<joint name='hinge' type='continuous'><parent link='base'/>\
         <child link='rotor'/><axis xyz='0 0 1'/>{dynamics}</joint></robot>"
    )
}

/// Speeds of a rotor of 0.5 kg m² that coasts from 3 rad/s, each millisecond.
fn coast(dynamics: &str, steps: usize) -> Vec<f64> {
    let arm =
        DynamicArm::new(machine(&hinge(dynamics)).expect("a machine"), 1e-3, Solver::Exact).expect("an arm");
    let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
    let mut state = arm.state(&[0.0], &[3.0]).expect("a state");
    let step = |_| {
        assert!(
            arm.step(&mut ws, &mut state, &Inputs::effort(&[0.0]), &mut Choices::free(), &mut out).settled()
        );
        state.v[0]
    };
    (0..steps).map(step).collect()
}

/// Claim: damping and friction of the file both act. With both, `I dv/dt = −μ − d v` stops at
/// `t = (I/d) ln(1 + d v₀/μ)`, 2.3502 s here, and stays; with damping alone it never stops; with neither, nothing changes.
/// Tolerance: the step is first order, a few milliseconds.
#[test]
fn friction_and_damping_of_the_file_both_act() {
    let both = coast("<dynamics damping='0.1' friction='0.5'/>", 4000);
    let stopped = both.iter().position(|v| *v == 0.0).expect("it stops") as f64 * 1e-3;
    let exact = (0.5 / 0.1) * (1.0_f64 + 0.1 * 3.0 / 0.5).ln();
    assert!((stopped - exact).abs() < 5e-3, "{stopped} s and not {exact} s");
    assert!(both[(stopped * 1e3) as usize..].iter().all(|v| *v == 0.0), "it stays");
    let damped = coast("<dynamics damping='0.1'/>", 4000);
    assert!((damped[3999] - 3.0 * (-0.1_f64 * 4.0 / 0.5).exp()).abs() < 1e-3, "{}", damped[3999]);
    let rubbed = coast("<dynamics friction='0.5'/>", 4000);
    let stopped = rubbed.iter().position(|v| *v == 0.0).expect("it stops") as f64 * 1e-3;
    assert!((stopped - 3.0 * 0.5 / 0.5).abs() < 3e-3, "{stopped}");
    assert!(coast("", 10).iter().all(|v| *v == 3.0));
}

/// Claim: a link stays, and all below it, whatever it weighs: none, 1e-6 kg, 1e-5 kg.
#[test]
fn a_link_without_mass_takes_nothing_with_it() {
    let middle = |inertial: &str| {
        let solid = "<inertial><mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial>";
        format!(
            "<robot name='r'><link name='a'/><link name='b'>{inertial}</link><link name='c'>{solid}</link>\
             <joint name='1' type='continuous'><parent link='a'/><child link='b'/><axis xyz='0 1 0'/></joint>\
             <joint name='2' type='continuous'><parent link='b'/><child link='c'/><origin xyz='0 0 -1'/><axis xyz='1 0 0'/>\
             </joint></robot>"
        )
    };
    let light = |mass: &str| {
        format!(
            "<inertial><mass value='{mass}'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial>"
        )
    };
    for (inertial, mass) in [(String::new(), 1.0), (light("1e-6"), 1.000001), (light("1e-5"), 1.00001)] {
        let model = machine(&middle(&inertial)).expect("a machine");
        assert_eq!((model.joints().len(), model.frames().len()), (2, 3), "{inertial}");
        assert!((model.total_mass() - mass).abs() < 1e-15);
        let answer = articula::cli::answers(&model, "s", b"{}", &["frames".into()]).expect("an answer");
        assert_eq!(answer["frames"]["c"]["pose"][2], -1.0, "the frame below it is where it was");
    }
    // A massless link in the middle is no fault of kinematics; the dynamic rung says by name that it cannot move it.
    let refused = DynamicArm::new(machine(&middle("")).expect("a machine"), 1e-3, Solver::Exact);
    assert!(matches!(refused, Err(Error::Value { who, .. }) if who == "1"));
}

/// Claim: a prefix bound to nothing is named with its place, on an attribute as on an element.
#[test]
fn an_unbound_prefix_is_named() {
    for (from, line) in [("<joint name='hinge' type", 2), ("<link name='base'", 1)] {
        let text = hinge("").replacen(from, &from.replacen(' ', " gz:x='1' ", 1), 1);
        let errors = Inspection::parse("r.urdf", text.as_bytes()).errors;
        assert_eq!((errors.len(), errors[0].code, errors[0].line), (1, "not_xml", line), "{errors:?}");
        assert!(errors[0].found.contains("`gz`") && errors[0].fix.contains("xmlns:gz"), "{}", errors[0]);
    }
}

/// Two fingers: the second mimics what `target` says.
fn gripper(target: &str, kind: &str) -> String {
    let finger = |name: &str, kind: &str, more: &str| {
        format!(
            "<link name='{name}'><inertial><mass value='0.1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/>\
             </inertial></link>\n<joint name='{name}_joint' type='{kind}'><parent link='palm'/><child link='{name}'/>\
             <axis xyz='0 1 0'/><limit lower='0' upper='0.04' effort='9' velocity='1'/>{more}</joint>\n"
        )
    };
    let second = format!("<dynamics damping='1'/><mimic joint='{target}' multiplier='0.5' offset='0.2'/>");
    format!(
        "<robot name='r'><link name='palm'/>\n{}{}</robot>",
        finger("left", kind, ""),
        finger("right", "prismatic", &second)
    )
}

/// Claim: a mimic is never dropped in silence: every command stops and names the joint, what it follows and the line; a
/// target that does not exist, is fixed, or is of a kind that has no one position is named as such.
#[test]
fn a_mimic_stops_every_command_by_name() {
    let cases = [
        ("left_joint", "prismatic", "it follows `left_joint`"),
        ("lefd_joint", "prismatic", "`lefd_joint`, which does not exist"),
        ("left_joint", "fixed", "`left_joint`, which is fixed"),
        ("left_joint", "planar", "planar"),
    ];
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenarios");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(
        folder.join("x.toml"),
        "[time]\nstep = 0.001\nduration = 0.01\n[chain.hand]\ndescription = \"r.urdf\"\nrung = \"dynamic\"\ninitial_positions = [0, 0]\n",
    )
    .expect("a file");
    for (target, kind, words) in cases {
        let text = gripper(target, kind);
        std::fs::write(folder.join("r.urdf"), &text).expect("a file");
        for arguments in [&["eval", "r.urdf", "--state", "x.toml"][..], &["run", "x.toml", "--out", "out"]] {
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_articula"))
                .current_dir(&folder)
                .args(arguments)
                .output()
                .expect("the command runs");
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{message}");
            assert!(
                message.contains("joint[right_joint]/mimic") && message.contains("r.urdf:5:"),
                "{message}"
            );
            assert!(message.contains(words), "{message}");
        }
        // What stands beside it is kept.
        let account = Inspection::parse("r.urdf", text.as_bytes()).account.expect("an account");
        assert_eq!(
            account.entry("joint[right_joint]/dynamics@damping").map(|entry| entry.verdict),
            Some(Verdict::Used)
        );
        let json: Value = Inspection::parse("r.urdf", text.as_bytes()).to_json();
        let listed = json["elements"]
            .as_array()
            .expect("a list")
            .iter()
            .find(|e| e["path"] == "joint[right_joint]/mimic");
        assert_eq!(listed.expect("the mimic")["verdict"], "refused");
    }
}

/// A body on a free base with a hinge, in eight tangents: poses, efforts and accelerations of a base quaternion `w x y z`.
fn free_base(quaternion: [f64; 4], seeded: bool) -> Vec<Tangents<8>> {
    let model = machine(&hinge("").replace(
        "<link name='base'/>",
        "<link name='base'><inertial><mass value='2'/><inertia ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='2.5'/></inertial></link>",
    ));
    let model = model.expect("a machine").with_free_base(true).map(Tangents::<8>::from_f64);
    let mut q = [[0.1, -0.2, 0.3].as_slice(), &quaternion, &[0.4]].concat();
    let q: Vec<Tangents<8>> = q
        .drain(..)
        .enumerate()
        .map(|(i, x)| if seeded { Tangents::variable(x, i) } else { Tangents::from_f64(x) })
        .collect();
    let [v, a, mut efforts, mut accelerations] =
        [0.3, 0.0, 0.0, 0.0].map(|x| vec![Tangents::<8>::from_f64(x); 7]);
    let mut ws = Workspace::new(&model);
    let mut poses = vec![Pose::identity(); model.frames().len()];
    frame_poses(&model, &mut ws, &q, &mut poses);
    inverse_dynamics(&model, &mut ws, &q, &v, &a, &Loads::none(), &mut efforts);
    forward_dynamics(&model, &mut ws, &q, &v, &a, &Loads::none(), &mut accelerations);
    let rotations = poses.iter().flat_map(|pose| pose.rotation.iter().copied().collect::<Vec<_>>());
    rotations.chain(efforts).chain(accelerations).collect()
}

/// Claim: derivatives by a free base's quaternion are finite and right at the identity, half a turn away, and at any length: they
/// are central differences to 1e-8, and along the quaternion itself, which turns nothing, zero.
#[test]
fn a_free_base_has_derivatives_at_the_identity() {
    for quaternion in [
        [1.0, 0.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [1e-3, 0.0, 0.0, 0.0],
        [3.0, 4.0, 0.0, -12.0],
    ] {
        let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
        let found = free_base(quaternion, true);
        assert!(found.iter().all(Real::all_finite), "{quaternion:?}");
        let h = 1e-5 * length;
        for k in 0..4 {
            let at = |amount: f64| {
                let mut moved = quaternion;
                moved[k] += amount;
                free_base(moved, false)
            };
            let (above, below) = (at(h), at(-h));
            for (i, x) in found.iter().enumerate() {
                let slope = (above[i].value - below[i].value) / (2.0 * h);
                let off = (x.tangents[3 + k] - slope).abs() * length;
                assert!(off < 1e-8 * (1.0 + x.value.abs()), "{quaternion:?} {i} by {k}: {off:e}");
            }
        }
        for x in &found {
            let along: f64 = (0..4).map(|k| x.tangents[3 + k] * quaternion[k]).sum();
            assert!(along.abs() < 1e-13 * (1.0 + x.value.abs()), "{quaternion:?}: {along:e}");
        }
    }
}

/// Claim: a rotor of 1e-5 kg m² behind a gear of 50 is 0.025 kg m² on its own joint's diagonal of the mass matrix, and on that alone;
/// torque and speed are the output's: 2 N m turn 0.525 kg m² by 2/0.525 rad/s², and damping takes `d ω` of the joint's own ω.
#[test]
fn a_geared_rotor_is_reflected_to_the_output() {
    let plain = machine(&hinge("<dynamics damping='0.1'/>")).expect("a machine");
    let geared = plain.with_joints(|_, joint| joint.armature = 1e-5 * 50.0 * 50.0).expect("a machine");
    let mut mass = [0.0];
    mass_matrix(&geared, &mut Workspace::new(&geared), &[0.3], &[], &mut mass);
    assert!((mass[0] - 0.525).abs() < 1e-15, "{mass:?}");
    let arm = DynamicArm::new(geared, 1e-3, Solver::Exact).expect("an arm");
    let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
    for (speed, expected) in [(0.0, 2.0), (3.0, 2.0 - 0.1 * 3.0)] {
        let mut state = arm.state(&[0.3], &[speed]).expect("a state");
        let inputs = Inputs::effort(&[2.0]);
        assert!(arm.step(&mut ws, &mut state, &inputs, &mut Choices::free(), &mut out).settled());
        // Damping is that of the end of the step.
        let gained = (state.v[0] - speed) / 1e-3;
        assert!((gained - expected / (0.525 + 1e-3 * 0.1)).abs() < 1e-10, "{gained}");
    }
}
