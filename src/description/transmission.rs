//! Transmissions: recognised, read as far as a rotor reflected through them would need, and judged.

use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use super::attribute::value;
use super::parts::{JointDescription, JointKind};
use crate::error::quote;
use crate::input::Positions;

/// A `<transmission>`, in whichever of the dialects the file uses.
///
/// It has no effect until a rotor inertia is given for its actuator; what is wrong with it is listed, and refused only
/// there.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Transmission {
    /// Its name; empty when the file gives none.
    pub name: String,
    /// Its type as the file writes it; empty when the file gives none.
    #[serde(rename = "type")]
    pub kind: String,
    /// The joints it names.
    pub joints: Vec<String>,
    /// The actuators it names.
    pub actuators: Vec<String>,
    /// Turns of the actuator a turn of the joint, 1; rad/m on a slide. `None` when absent or not a number.
    pub reduction: Option<f64>,
    /// What is wrong with it; empty when it can be used.
    pub problems: Vec<String>,
    /// The line of its element, from 1.
    pub line: u32,
}

impl Transmission {
    /// Whether it is one actuator on one joint with a plain ratio.
    pub fn is_simple(&self) -> bool {
        let last = self.kind.rsplit(['/', ':']).next().unwrap_or_default();
        matches!(last, "SimpleTransmission" | "SimpleTransmissionLoader")
    }
}

/// Reads every transmission: below `<robot>`, and below `<ros2_control>`, where ROS 2 puts them.
pub fn read(
    robot: Node<'_, '_>,
    positions: &Positions<'_>,
    joints: &[JointDescription],
) -> Vec<Transmission> {
    let joints = joints.iter().map(|joint| (joint.name.as_str(), joint.kind)).collect();
    let mut found = Vec::new();
    for child in robot.children() {
        if is(child, robot, "transmission") {
            found.push(read_one(child, positions, &joints));
        } else if is(child, robot, "ros2_control") {
            found.extend(named(child, "transmission").map(|inner| read_one(inner, positions, &joints)));
        }
    }
    judge_together(&mut found);
    found
}

fn read_one(
    node: Node<'_, '_>,
    positions: &Positions<'_>,
    joints: &HashMap<&str, JointKind>,
) -> Transmission {
    let text = |name: &str| named(node, name).next().map(|inner| inner.text().unwrap_or_default().trim());
    let kind = text("type").or_else(|| value(node, "type")).or_else(|| text("plugin")).unwrap_or_default();
    let mut problems = Vec::new();
    let name = value(node, "name").unwrap_or_default();
    if name.trim().is_empty() {
        problems.push("it has no name".into());
    }
    if kind.is_empty() {
        problems.push("it has no type".into());
    }
    let mut transmission = Transmission {
        name: name.into(),
        kind: kind.into(),
        joints: names(node, "joint", &mut problems),
        actuators: names(node, "actuator", &mut problems),
        reduction: None,
        problems,
        line: positions.at(node.range().start).0,
    };
    if transmission.is_simple() {
        read_simple(node, &mut transmission);
    } else if !transmission.kind.is_empty() {
        let reason = format!(
            "{} couples joints and is not read: declare each joint's reflected inertia as its armature",
            quote(&transmission.kind)
        );
        transmission.problems.push(reason);
    }
    for name in &transmission.joints {
        match joints.get(name.as_str()) {
            None => transmission.problems.push(format!("the arm has no joint {}", quote(name))),
            Some(JointKind::Fixed) => {
                transmission.problems.push(format!("joint {} is fixed", quote(name)));
            }
            Some(_) => {}
        }
    }
    transmission
}

fn read_simple(node: Node<'_, '_>, transmission: &mut Transmission) {
    let problems = &mut transmission.problems;
    for (what, count) in [("joint", transmission.joints.len()), ("actuator", transmission.actuators.len())] {
        if count != 1 {
            problems.push(format!("it has {count} {what}s with a name, a simple transmission has one"));
        }
    }
    undefined(node, problems);
    let holders = || std::iter::once(node).chain(named(node, "actuator")).chain(named(node, "joint"));
    let values: Vec<(&str, Option<f64>)> = holders()
        .flat_map(|holder| named(holder, "mechanicalReduction").chain(named(holder, "mechanical_reduction")))
        .map(|element| element.text().unwrap_or_default().trim())
        .map(|text| (text, text.parse().ok().filter(|number: &f64| number.is_finite())))
        .collect();
    for (text, value) in &values {
        match value {
            None => problems.push(format!("its reduction {} is not a number", quote(text))),
            Some(0.0) => problems.push("its reduction is zero".into()),
            Some(_) => {}
        }
    }
    let distinct = values.iter().skip(1).any(|(_, value)| *value != values[0].1);
    if distinct {
        problems.push("it gives several reductions".into());
    }
    match values.first() {
        None => problems.push("it gives no reduction".into()),
        Some((_, value)) => transmission.reduction = value.filter(|_| !distinct),
    }
    let offsets = named(node, "joint").flat_map(|joint| named(joint, "offset"));
    for offset in offsets {
        let text = offset.text().unwrap_or_default().trim();
        if !text.parse().is_ok_and(|number: f64| number.is_finite()) {
            problems.push(format!("its offset {} is not a number", quote(text)));
        }
    }
}

/// Names elements of a simple transmission that URDF and ROS's control packages do not define.
fn undefined(node: Node<'_, '_>, problems: &mut Vec<String>) {
    const REDUCTION: [&str; 2] = ["mechanicalReduction", "mechanical_reduction"];
    let inside: [(&str, &[&str]); 3] = [
        ("transmission", &["type", "plugin", "joint", "actuator", "transmissionInterface", "robotNamespace"]),
        ("joint", &["hardwareInterface", "offset", "role"]),
        ("actuator", &["hardwareInterface", "role"]),
    ];
    let holders = std::iter::once(node).chain(named(node, "joint")).chain(named(node, "actuator"));
    for holder in holders {
        let local = holder.tag_name().name();
        let defined = inside.iter().find(|(name, _)| *name == local).map_or(&[][..], |(_, inner)| inner);
        for child in holder.children().filter(Node::is_element) {
            let name = child.tag_name().name();
            let ours = child.tag_name().namespace() == node.tag_name().namespace();
            if !ours || !(defined.contains(&name) || REDUCTION.contains(&name)) {
                problems.push(format!("URDF does not define <{name}> in its <{local}>"));
            }
        }
    }
}

/// Two transmissions on one joint: neither can say what the joint carries.
fn judge_together(transmissions: &mut [Transmission]) {
    let mut users: HashMap<String, usize> = HashMap::new();
    for transmission in transmissions.iter() {
        for joint in distinct(&transmission.joints) {
            *users.entry(joint.clone()).or_default() += 1;
        }
    }
    for transmission in transmissions {
        for joint in distinct(&transmission.joints) {
            let count = users.get(joint).copied().unwrap_or(0);
            if count > 1 {
                transmission.problems.push(format!("joint {} has {count} transmissions", quote(joint)));
            }
        }
    }
}

/// Each name once, in order.
fn distinct(names: &[String]) -> impl Iterator<Item = &String> {
    let mut seen = HashSet::new();
    names.iter().filter(move |name| seen.insert(name.as_str()))
}

/// The children of that name, in the namespace of `node`.
fn named<'a, 'i>(node: Node<'a, 'i>, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| is(*child, node, name))
}

fn is(node: Node<'_, '_>, parent: Node<'_, '_>, name: &str) -> bool {
    let tag = node.tag_name();
    node.is_element() && tag.name() == name && tag.namespace() == parent.tag_name().namespace()
}

/// The names of the children of that kind.
fn names(node: Node<'_, '_>, what: &str, problems: &mut Vec<String>) -> Vec<String> {
    let mut names = Vec::new();
    for child in named(node, what) {
        match value(child, "name").filter(|name| !name.trim().is_empty()) {
            Some(name) => names.push(name.to_owned()),
            None => problems.push(format!("its <{what}> has no name")),
        }
    }
    names
}
