//! The robot: heading, tree, links, transmissions, and whether the other commands take it.

use super::text::{Text, number};
use crate::description::{Acknowledged, Inspection, JointDescription, JointKind};
use crate::model::Model;
use crate::step::{DynamicArm, Solver};
use std::collections::HashMap;

/// File, robot, hash, counts.
pub(super) fn heading(inspection: &Inspection, text: &mut Text) {
    let robot = match inspection.robot.as_str() {
        "" => "a robot without a name".to_owned(),
        name => format!("robot {name}"),
    };
    text.line(&format!("{}: {robot}", inspection.file));
    text.line(&format!("sha256 {}", inspection.sha256));
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for joint in &inspection.joints {
        match kinds.iter_mut().find(|(kind, _)| *kind == joint.type_name) {
            Some((_, count)) => *count += 1,
            None => kinds.push((&joint.type_name, 1)),
        }
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let moving = inspection.joints.iter().filter(|joint| moves(joint.kind)).count();
    text.line(&format!(
        "{}, {}{}; {} of freedom{}",
        counted(inspection.links.len(), "link"),
        counted(inspection.joints.len(), "joint"),
        if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) },
        if moving == 1 { "1 degree".into() } else { format!("{moving} degrees") },
        match inspection.joints.iter().any(|joint| joint.kind == JointKind::Floating) {
            true => " and a free base",
            false => "",
        },
    ));
    if let Some(account) = &inspection.account {
        let counts = account.counts();
        text.line(&format!(
            "elements and attributes: {} used, {} not used, {} refused, {} with a note",
            counts.used, counts.not_used, counts.refused, counts.note
        ));
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn moves(kind: JointKind) -> bool {
    matches!(kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic)
}

/// The joints below each link, in file order, and the root's place to start from.
struct Tree<'a> {
    below: HashMap<&'a str, Vec<&'a JointDescription>>,
}

impl<'a> Tree<'a> {
    fn of(inspection: &'a Inspection) -> Self {
        let mut below: HashMap<&str, Vec<&JointDescription>> = HashMap::new();
        for joint in &inspection.joints {
            below.entry(joint.parent.as_str()).or_default().push(joint);
        }
        Tree { below }
    }

    fn below(&self, link: &str) -> &[&'a JointDescription] {
        self.below.get(link).map_or(&[], Vec::as_slice)
    }

    /// Every joint depth first, with its depth; without recursion, because files nest as deep as they like.
    fn walk(&self, root: &str) -> Vec<(usize, &'a JointDescription)> {
        let mut found = Vec::new();
        let mut left: Vec<(usize, &JointDescription)> =
            self.below(root).iter().rev().map(|joint| (1, *joint)).collect();
        while let Some((depth, joint)) = left.pop() {
            found.push((depth, joint));
            left.extend(self.below(&joint.child).iter().rev().map(|below| (depth + 1, *below)));
        }
        found
    }
}

/// The kinematic tree, by indentation.
pub(super) fn tree(inspection: &Inspection, text: &mut Text) {
    let Some(root) = &inspection.root else { return };
    text.heading("Tree (link <- joint: kind, axis, limits, dynamics; model order)");
    text.line(&format!("  {root}"));
    for (depth, joint) in Tree::of(inspection).walk(root) {
        // Deeper ones stand at the margin with their depth: lines must not grow with the square of a chain's length.
        const DEEPEST: usize = 40;
        let margin = match depth {
            0..=DEEPEST => "  ".repeat(depth + 1),
            _ => format!("{}({depth}) ", "  ".repeat(DEEPEST + 1)),
        };
        text.line(&format!("{margin}{} <- {}: {}", joint.child, joint.name, facts(joint)));
    }
}

/// What a joint is, in one line.
fn facts(joint: &JointDescription) -> String {
    let mut facts = vec![joint.type_name.clone()];
    if joint.kind == JointKind::Fixed {
        facts[0].push_str(" (merged into the body above)");
        return facts.remove(0);
    }
    let slides = joint.kind == JointKind::Prismatic;
    let (position, effort) = if slides { ("m", "N") } else { ("rad", "N m") };
    let per = |unit: &str| format!("{unit} s/{position}");
    if moves(joint.kind) {
        let [x, y, z] = joint.axis.map(number);
        facts.push(format!("axis {x} {y} {z}"));
        match joint.bounds() {
            Some((lower, upper)) => {
                facts.push(format!("{} .. {} {position}", number(lower), number(upper)));
            }
            None if joint.kind == JointKind::Continuous => {}
            None => facts.push("no limits".into()),
        }
    }
    if let Some(limit) = &joint.limit {
        facts.extend(limit.effort.map(|x| format!("effort {} {effort}", number(x))));
        facts.extend(limit.velocity.map(|x| format!("speed {} {position}/s", number(x))));
    }
    if joint.damping != 0.0 {
        facts.push(format!("damping {} {}", number(joint.damping), per(effort)));
    }
    if joint.friction != 0.0 {
        facts.push(format!("friction {} {effort}", number(joint.friction)));
    }
    if let Some(mimic) = &joint.mimic {
        facts.push(format!("mimics {}", mimic.joint));
    }
    facts.join(", ")
}

/// Every link, which is a frame, with its mass and the joint that moves it.
pub(super) fn links(inspection: &Inspection, text: &mut Text) {
    let Some(root) = &inspection.root else { return };
    let masses: HashMap<&str, Option<f64>> =
        inspection.links.iter().map(|link| (link.name.as_str(), link.inertial.map(|i| i.mass))).collect();
    let total: f64 = inspection.links.iter().filter_map(|link| Some(link.inertial?.mass)).sum();
    text.heading("Frames and masses (every link is a frame)");
    let shown = |name: &str| match masses.get(name).copied().flatten() {
        Some(mass) => format!("{} kg", number(mass)),
        None => "no mass".into(),
    };
    let mut rows = vec![vec![root.clone(), shown(root), "the root".to_owned()]];
    // The joint that moves each link, through the fixed ones above it.
    let mut mover: HashMap<&str, Option<&str>> = HashMap::new();
    for (_, joint) in Tree::of(inspection).walk(root) {
        let above = mover.get(joint.parent.as_str()).copied().flatten();
        let fixed = joint.kind == JointKind::Fixed;
        let moved = if fixed { above } else { Some(joint.name.as_str()) };
        mover.insert(&joint.child, moved);
        let how = match (fixed, moved) {
            (false, _) => format!("moved by {}", joint.name),
            (true, Some(by)) => format!("fixed, moved by {by}"),
            (true, None) => "fixed to the root".into(),
        };
        rows.push(vec![joint.child.clone(), shown(&joint.child), how]);
    }
    rows.push(vec!["total".into(), format!("{} kg", number(total))]);
    text.columns(&rows);
}

/// Transmissions with what is wrong with them.
pub(super) fn transmissions(inspection: &Inspection, text: &mut Text) {
    if inspection.transmissions.is_empty() {
        return;
    }
    text.heading("Transmissions (no effect until a rotor inertia is given for the actuator)");
    for transmission in &inspection.transmissions {
        let or_none = |words: &[String]| match words.iter().all(String::is_empty) {
            true => "none".into(),
            false => words.join(", "),
        };
        text.line(&format!(
            "  {}: {}, joint {}, actuator {}, reduction {} (line {})",
            or_none(std::slice::from_ref(&transmission.name)),
            or_none(std::slice::from_ref(&transmission.kind)),
            or_none(&transmission.joints),
            or_none(&transmission.actuators),
            transmission.reduction.map_or("none".into(), number),
            transmission.line
        ));
        for problem in &transmission.problems {
            text.line(&format!("    problem: {problem}"));
        }
    }
}

/// Whether the other commands take the file.
pub(super) fn closing(inspection: &Inspection, acknowledged: Option<&Acknowledged>, text: &mut Text) {
    match (inspection.errors.len(), acknowledged) {
        (0, Some(acknowledged)) => match Model::from_description(acknowledged) {
            Ok(machine) => {
                text.heading("eval takes this file");
                usable_by_run(inspection, machine, text);
            }
            Err(error) => text.heading(&format!("eval and run do not take this file: {error}")),
        },
        (0, None) => text.heading("Refused elements stop eval and run until each is acknowledged"),
        (1, _) => text.heading("1 error: not usable as a robot description"),
        (count, _) => text.heading(&format!("{count} errors: not usable as a robot description")),
    }
}

/// What else run needs.
fn usable_by_run(inspection: &Inspection, machine: Model<f64>, text: &mut Text) {
    let without = inspection
        .joints
        .iter()
        .filter(|joint| matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic))
        .filter(|joint| joint.bounds().is_none())
        .map(|joint| joint.name.as_str())
        .collect::<Vec<_>>();
    let refusal = DynamicArm::new(machine, 1e-3, Solver::Exact).err().map(|error| error.to_string());
    if without.is_empty() && refusal.is_none() {
        text.line("run takes this file");
    }
    if !without.is_empty() {
        text.line(&format!("run needs [chain.NAME.limits] for {}", without.join(", ")));
    }
    if let Some(refusal) = refusal {
        text.line(&format!("the dynamic rung does not take it: {refusal}"));
    }
}
