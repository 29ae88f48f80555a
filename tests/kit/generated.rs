//! An experiment for any robot file: refused elements acknowledged, friction and limits given where the file has none.

use articula::description::{Description, JointKind};
use std::fmt::Write;
use std::path::Path;

/// How long and how finely.
pub const STEP: f64 = 1e-3;
pub const DURATION: f64 = 5.0;

/// The text of an experiment beside nothing: the description's path is written as it is given.
pub fn experiment(path: &Path) -> articula::Result<String> {
    let robot = Description::read(path)?;
    let mut text = format!(
        "profile = \"research\"\n[time]\nstep = {STEP:?}\nduration = {DURATION:?}\n[chain.arm]\n\
         description = {:?}\nrung = \"dynamic\"\n",
        path.display().to_string()
    );
    let moving: Vec<_> = robot
        .joints
        .iter()
        .filter(|j| matches!(j.kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic))
        .collect();
    let slides = |kind| kind == JointKind::Prismatic;
    let (mut start, mut limits, mut friction, mut drives) =
        (String::new(), String::new(), String::new(), String::new());
    for (i, joint) in moving.iter().enumerate() {
        let (name, slide) = (&joint.name, slides(joint.kind));
        let (lower, upper) = joint.bounds().unwrap_or(if slide { (-0.1, 0.1) } else { (-3.0, 3.0) });
        if joint.bounds().is_none() && joint.kind != JointKind::Continuous {
            let line = "reason = \"the file has none\"";
            limits.push_str(&format!("{name:?} = {{ lower = {lower:?}, upper = {upper:?}, {line} }}\n"));
        }
        let q = (0.3_f64).clamp(lower + 0.2 * (upper - lower), upper - 0.2 * (upper - lower));
        start.push_str(&format!("{name:?} = {q:?}, "));
        if joint.friction == 0.0 {
            friction.push_str(&format!(
                "{name:?} = {{ coulomb = 0.3, damping = {:?} }}\n",
                joint.damping.max(0.2)
            ));
        }
        let size = if slide { 5.0 } else { 20.0 / (1.0 + i as f64) };
        let rate = 0.3 + 0.1 * i as f64;
        let key = format!("arm.\"{name}\"");
        let sine = format!("amplitude = {size:?}, frequency = {rate:?}, phase = 0.0, offset = 0.0");
        drives.push_str(&format!("'{key}' = {{ sine = {{ {sine} }} }}\n"));
    }
    writeln!(text, "initial_positions = {{ {} }}", start.trim_end_matches(", ")).expect("a string");
    writeln!(text, "[chain.arm.limits]\n{limits}[chain.arm.friction]\n{friction}[drive]\n{drives}")
        .expect("a string");
    for entry in robot.account.refused() {
        let reason = "a run of the corpus";
        writeln!(text, "[[chain.arm.acknowledged]]\nelement = {:?}\nreason = {reason:?}", entry.path)
            .expect("a string");
    }
    Ok(text)
}
