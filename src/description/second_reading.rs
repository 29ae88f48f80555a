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
use super::urdf::Reading;
use crate::error::{Fault, quote};

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
    // Without regard to namespaces it may take another's <link> for URDF's.
    if robot.links.len() != reading.links.len() || robot.joints.len() != reading.joints.len() {
        return skipped("urdf-rs sees other links and joints in it");
    }
    let mut tally = Tally::default();
    for (link, node) in &reading.links {
        let other = links.get(link.name.as_str());
        let same = other.map(|other| same_link(link, other));
        tally.add(reading, *node, &format!("link {}", quote(&link.name)), same);
    }
    for (joint, node) in &reading.joints {
        let other = joints.get(joint.name.as_str());
        let same = other.map(|other| same_joint(joint, other));
        tally.add(reading, *node, &format!("joint {}", quote(&joint.name)), same);
    }
    reading.faults.append(&mut tally.faults);
    let skipped = match tally.passed_over {
        0 => String::new(),
        count => {
            format!("{count} links and joints hold what URDF does not define, or are named otherwise there")
        }
    };
    SecondReading { agreed: tally.agreed, skipped }
}

/// What came of the comparisons so far.
#[derive(Default)]
struct Tally {
    agreed: usize,
    passed_over: usize,
    faults: Vec<Fault>,
}

impl Tally {
    /// Counts one comparison; it says nothing where the element holds what URDF leaves undefined.
    fn add<'a, 'i>(&mut self, reading: &Reading<'a, 'i>, node: Node<'a, 'i>, what: &str, same: Option<bool>) {
        match same {
            Some(same) if !reading.audit.has_refused_inside(node) => {
                if same {
                    self.agreed += 1;
                } else {
                    self.faults.push(Fault {
                        found: format!("{what}, whose numbers urdf-rs reads otherwise"),
                        expected: "two readers that agree".into(),
                        fix: "write it plainly; if it is plain, report this file".into(),
                        ..reading.audit.fault(node.range().start, "readers_disagree")
                    });
                }
            }
            _ => self.passed_over += 1,
        }
    }
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

/// The numbers and the kind; names are left to one parser, since the two may undo escapes differently.
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
            ours.multiplier == theirs.multiplier.unwrap_or(1.0) && ours.offset == theirs.offset.unwrap_or(0.0)
        }
        _ => false,
    };
    kind == ours.kind
        && ours.xyz == *theirs.origin.xyz
        && ours.rpy == *theirs.origin.rpy
        && ours.axis == *theirs.axis.xyz
        && (ours.damping, ours.friction) == dynamics
        && limit
        && mimic
}
