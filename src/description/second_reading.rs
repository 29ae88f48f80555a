//! A second opinion on the numbers, by urdf-rs.
//!
//! urdf-rs gives typed values but drops and misreads much without a word: unknown elements and attributes,
//! transmissions, an inertial that is missing (mass 0), a limit that is missing (0, 0), `"0 foo 0 1"` (0 0 1); it
//! checks no graph and knows no lines. So the numbers of a [`Description`](super::Description) come from the strict
//! reading, which refuses what is not a number, and urdf-rs is the check on it: where it reads the text at all, and
//! the element has nothing URDF leaves undefined, both must agree to the last bit, and then the values are the values
//! of both. A difference is a fault, because one of the two readers is wrong about that file.

use std::collections::HashMap;

use roxmltree::Node;

use super::parts::{JointDescription, JointKind, LinkDescription, SecondReading};
use super::source::quote;
use super::urdf::Reading;
use crate::error::Fault;

/// Longest text handed to urdf-rs, bytes: it copies the text several times.
const LONGEST: usize = 8 << 20;

/// Compares with urdf-rs; differences become faults of the reading.
pub fn compare(reading: &mut Reading<'_, '_>, text: &str) -> SecondReading {
    let skipped = |why: &str| SecondReading { agreed: 0, skipped: why.into() };
    if !reading.faults.is_empty() {
        return skipped("the file has errors");
    }
    if reading.other_version.is_some() {
        return skipped("the file follows another version of URDF");
    }
    if text.len() > LONGEST {
        return skipped("the file is too long for it");
    }
    let robot = match urdf_rs::read_from_string(text) {
        Ok(robot) => robot,
        Err(error) => return skipped(&format!("urdf-rs does not read it: {error}")),
    };
    let links: HashMap<&str, &urdf_rs::Link> =
        robot.links.iter().map(|link| (link.name.as_str(), link)).collect();
    let joints: HashMap<&str, &urdf_rs::Joint> =
        robot.joints.iter().map(|joint| (joint.name.as_str(), joint)).collect();
    let mut agreed = 0;
    let mut passed_over = 0;
    let mut faults = Vec::new();
    let mut settle = |node: Node<'_, '_>, what: &str, name: &str, same: Option<bool>, fault: Fault| match same
    {
        Some(true) => agreed += 1,
        None => passed_over += 1,
        Some(false) => faults.push(Fault {
            found: format!("{what} {} (line {}), which urdf-rs reads otherwise", quote(name), fault.line),
            expected: "two readers that agree".into(),
            fix: format!("write <{}> plainly; if it is plain, report this file", node.tag_name().name()),
            ..fault
        }),
    };
    for (link, node) in &reading.links {
        let plain = !reading.audit.has_refused_inside(*node);
        let same = plain.then(|| links.get(link.name.as_str()).is_some_and(|other| same_link(link, other)));
        settle(*node, "link", &link.name, same, reading.audit.fault(node.range().start, "readers_disagree"));
    }
    for (joint, node) in &reading.joints {
        let plain = !reading.audit.has_refused_inside(*node);
        let same =
            plain.then(|| joints.get(joint.name.as_str()).is_some_and(|other| same_joint(joint, other)));
        settle(
            *node,
            "joint",
            &joint.name,
            same,
            reading.audit.fault(node.range().start, "readers_disagree"),
        );
    }
    reading.faults.append(&mut faults);
    let skipped = match passed_over {
        0 => String::new(),
        count => format!("{count} links and joints hold what URDF does not define"),
    };
    SecondReading { agreed, skipped }
}

fn same_link(ours: &LinkDescription, theirs: &urdf_rs::Link) -> bool {
    // It gives a link without <inertial> a mass of 0 and no inertia.
    let Some(inertial) = ours.inertial else { return theirs.inertial.mass.value == 0.0 };
    let other = &theirs.inertial;
    let i = &other.inertia;
    inertial.mass == other.mass.value
        && inertial.center_of_mass == *other.origin.xyz
        && inertial.rpy == *other.origin.rpy
        && inertial.inertia == [i.ixx, i.ixy, i.ixz, i.iyy, i.iyz, i.izz]
}

fn same_joint(ours: &JointDescription, theirs: &urdf_rs::Joint) -> bool {
    let kind = match theirs.joint_type {
        urdf_rs::JointType::Revolute => JointKind::Revolute,
        urdf_rs::JointType::Continuous => JointKind::Continuous,
        urdf_rs::JointType::Prismatic => JointKind::Prismatic,
        urdf_rs::JointType::Fixed => JointKind::Fixed,
        urdf_rs::JointType::Floating => JointKind::Floating,
        urdf_rs::JointType::Planar => JointKind::Planar,
        urdf_rs::JointType::Spherical => JointKind::Other,
    };
    let limit = ours.limit.is_none_or(|limit| {
        let given = |value: f64| (value > 0.0).then_some(value);
        limit.lower == theirs.limit.lower
            && limit.upper == theirs.limit.upper
            && limit.effort == given(theirs.limit.effort)
            && limit.velocity == given(theirs.limit.velocity)
    });
    let dynamics = theirs.dynamics.as_ref().map_or((0.0, 0.0), |d| (d.damping, d.friction));
    let mimic = match (&ours.mimic, &theirs.mimic) {
        (None, None) => true,
        (Some(ours), Some(theirs)) => {
            ours.joint == theirs.joint
                && ours.multiplier == theirs.multiplier.unwrap_or(1.0)
                && ours.offset == theirs.offset.unwrap_or(0.0)
        }
        _ => false,
    };
    kind == ours.kind
        && ours.parent == theirs.parent.link
        && ours.child == theirs.child.link
        && ours.xyz == *theirs.origin.xyz
        && ours.rpy == *theirs.origin.rpy
        && ours.axis == *theirs.axis.xyz
        && (ours.damping, ours.friction) == dynamics
        && limit
        && mimic
}
