//! What became of what a description says.

use super::chain::{RungName, SegmentSpec};
use super::settings::Setting;
use crate::description::{Acknowledged, Acknowledgement, Description, Entry, Verdict};
use crate::error::{Error, Result};
use std::collections::HashSet;

/// Where a segment came from.
#[derive(Clone, Debug)]
pub struct SegmentAccount {
    /// The description's path as the experiment names it.
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Elements and attributes without effect here, with their lines; each covers what is inside it.
    pub not_used: Vec<(String, u32)>,
    /// What was acknowledged, with its line.
    pub acknowledged: Vec<(Acknowledgement, u32)>,
    /// The source of each joint's armature, in model order.
    pub armature_sources: Vec<String>,
    /// Every setting as resolved.
    pub settings: Vec<Setting>,
    /// What somebody should know before believing the numbers.
    pub validity: Vec<Validity>,
}

/// Something to know before believing the numbers.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Validity {
    /// What kind of thing.
    pub kind: &'static str,
    /// The joint; none where it is about the segment.
    pub joint: Option<String>,
    /// In words.
    pub text: String,
}

/// The description with what is refused in it answered for, as the experiment does.
pub(super) fn acknowledge(description: &Description, spec: &SegmentSpec) -> Result<Acknowledged> {
    let list: Vec<Acknowledgement> = spec.acknowledged.iter().map(|a| a.value.clone()).collect();
    let coupled = if spec.coupled { description.clone().coupled() } else { description.clone() };
    coupled.acknowledge(&list).map_err(|error| {
        let named = |path: &str| spec.acknowledged.iter().find(|a| path.contains(&a.value.element));
        let at = match &error {
            Error::UnknownName { found, .. } | Error::Value { found, .. } => named(found),
            _ => None,
        };
        at.map_or(&spec.place, |a| &a.place).of(error)
    })
}

/// What the file says without effect here: elements, then attributes, without what is inside another of them.
pub(super) fn not_used(description: &Description) -> Vec<(String, u32)> {
    let unused = |entry: &&Entry| entry.verdict == Verdict::NotUsed;
    let account = &description.account;
    let elements: HashSet<&str> = account.elements.iter().filter(unused).map(|e| e.path.as_str()).collect();
    let covered = |path: &str| path.match_indices(['/', '@']).any(|(at, _)| elements.contains(&path[..at]));
    account.entries().filter(unused).filter(|e| !covered(&e.path)).map(|e| (e.path.clone(), e.line)).collect()
}

/// Joints that an acknowledgement leaves free where coupling was asked for.
pub(super) fn freed(spec: &SegmentSpec, acknowledged: &Acknowledged) -> Vec<Validity> {
    let mimics = acknowledged.acknowledged.iter().filter_map(|(given, _)| {
        let joint = given.element.strip_prefix("joint[")?.strip_suffix("]/mimic")?;
        Some(Validity {
            kind: "not_coupled",
            joint: Some(joint.to_owned()),
            text: "its mimic is acknowledged, so it is a free joint and not coupled".into(),
        })
    });
    if spec.coupled { mimics.collect() } else { Vec::new() }
}

/// What the kinematic rung has no use for.
pub(super) fn validity(spec: &SegmentSpec) -> Vec<Validity> {
    if spec.rung.value == RungName::Dynamic {
        return Vec::new();
    }
    let line = |what: &str, joint: Option<&str>| Validity {
        kind: "not_used",
        joint: joint.map(str::to_owned),
        text: format!("{what}: given and not used, the kinematic rung has no efforts and no masses"),
    };
    let mut lines: Vec<Validity> = spec.friction.iter().map(|e| line("friction", Some(&e.name))).collect();
    lines.extend(spec.armature.iter().map(|e| line("armature", Some(&e.name))));
    lines.extend(spec.actuators.iter().map(|e| line(&format!("actuator {}", e.name), None)));
    lines.extend(spec.solver.iter().map(|_| line("solver", None)));
    lines
}
