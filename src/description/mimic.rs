//! Whether mimic joints can be coupled: who follows whom.

use super::account::Verdict;
use super::parts::{Description, JointDescription, JointKind};
use crate::error::Fault;
use std::collections::{HashMap, HashSet};

/// Where following leads to.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Unknown,
    Free,
    Circle,
}

/// A joint as far as following goes.
pub(crate) struct Follower<'a> {
    pub name: &'a str,
    /// Along its axis, not about it; none: it does not move by one coordinate.
    pub slides: Option<bool>,
    /// The joint it follows, the multiplier and the offset.
    pub follows: Option<(&'a str, f64, f64)>,
}

/// What is wrong with the joints that follow others, each with the joint's index. Chains are right; a joint that is not
/// there or cannot move, a loop, a hinge that follows a slide (or the other way), and a multiplier of zero are not.
pub(crate) fn broken(joints: &[Follower<'_>]) -> Vec<(usize, String)> {
    let index: HashMap<&str, usize> = joints.iter().enumerate().map(|(j, joint)| (joint.name, j)).collect();
    let leader = |j: usize| joints[j].follows.and_then(|(leader, ..)| index.get(leader).copied());
    let (mut ends, mut on_circle) = (vec![End::Unknown; joints.len()], vec![false; joints.len()]);
    for start in 0..joints.len() {
        // Along the chain to a joint whose end is known, to one that follows none, or round a circle.
        let (mut path, mut at) = (Vec::new(), Some(start));
        let mut visited = HashMap::new();
        let end = loop {
            let Some(j) = at else { break End::Free };
            if ends[j] != End::Unknown {
                break ends[j];
            }
            if let Some(&first) = visited.get(&j) {
                path[first..].iter().for_each(|&k: &usize| on_circle[k] = true);
                break End::Circle;
            }
            visited.insert(j, path.len());
            path.push(j);
            at = leader(j);
        };
        path.into_iter().for_each(|j| ends[j] = end);
    }
    let wrong = |j: usize| -> Option<String> {
        let (leader, multiplier, offset) = joints[j].follows?;
        let Some(&k) = index.get(leader) else {
            return Some(match leader {
                "" => "it names no joint to follow".into(),
                _ => format!("it follows `{leader}`, which does not exist"),
            });
        };
        match (joints[j].slides, joints[k].slides) {
            (None, _) => return Some("it does not move by one coordinate".into()),
            (_, None) => {
                return Some(format!("it follows `{leader}`, which does not move by one coordinate"));
            }
            (Some(own), Some(other)) if own != other => {
                let kind = |slides| if slides { "slide" } else { "hinge" };
                return Some(format!("a {} that follows `{leader}`, a {}", kind(own), kind(other)));
            }
            _ => {}
        }
        if !(multiplier != 0.0 && multiplier.is_finite() && offset.is_finite()) {
            return Some(format!("multiplier {multiplier} and offset {offset}: a finite law that moves it"));
        }
        match ends[j] {
            End::Free => None,
            End::Circle if on_circle[j] => Some("it follows itself, by way of the joints it follows".into()),
            End::Circle | End::Unknown => Some(format!("it follows `{leader}`, which follows itself")),
        }
    };
    (0..joints.len()).filter_map(|j| wrong(j).map(|reason| (j, reason))).collect()
}

impl Description {
    /// The same description with its mimic joints coupled to the joints they follow, `q = multiplier × q_leader +
    /// offset`: [`Description::acknowledge`] then asks for no word on those that can be. One that is acknowledged all
    /// the same is a free joint of its own.
    pub fn coupled(mut self) -> Description {
        self.couples_mimics = true;
        self
    }

    /// Path of each mimic element, and what is in the way of coupling it, if anything; those at `free` follow nothing.
    pub(super) fn mimics(&self, free: &HashSet<&str>) -> HashMap<String, Option<String>> {
        let followers: Vec<Follower<'_>> = self
            .joints
            .iter()
            .map(|joint| Follower {
                name: &joint.name,
                slides: match joint.kind {
                    JointKind::Revolute | JointKind::Continuous => Some(false),
                    JointKind::Prismatic => Some(true),
                    JointKind::Fixed | JointKind::Floating | JointKind::Planar | JointKind::Other => None,
                },
                follows: joint
                    .mimic
                    .as_ref()
                    .filter(|_| !free.contains(path(joint).as_str()))
                    .map(|m| (m.joint.as_str(), m.multiplier, m.offset)),
            })
            .collect();
        let broken: HashMap<usize, String> = broken(&followers).into_iter().collect();
        let odd_attributes = self.odd_attributes();
        let mimics = self.joints.iter().enumerate().filter(|(_, joint)| joint.mimic.is_some());
        mimics
            .map(|(j, joint)| {
                let path = path(joint);
                let law = broken.get(&j).cloned();
                let odd = law.or_else(|| odd_attributes.get(path.as_str()).map(|name| odd(name)));
                (path, odd)
            })
            .collect()
    }

    /// Attributes of mimic elements that URDF does not define, by the element's path: one might have meant the multiplier.
    fn odd_attributes(&self) -> HashMap<&str, &str> {
        let defined = super::grammar::attributes(super::grammar::Place::Mimic);
        let refused = self.account.attributes.iter().filter(|entry| entry.verdict == Verdict::Refused);
        let parts = refused.filter_map(|entry| entry.path.rsplit_once('@'));
        parts.filter(|(element, name)| element.ends_with("]/mimic") && !defined.contains(name)).collect()
    }
}

/// Where a joint's mimic element stands in the account.
pub(super) fn path(joint: &JointDescription) -> String {
    format!("joint[{}]/mimic", joint.name)
}

fn odd(name: &str) -> String {
    format!("its attribute `{name}` is none that URDF defines")
}

/// The fault of a mimic joint that cannot be coupled.
pub(super) fn fault(path: &str, reason: &str, line: u32, column: u32) -> Fault {
    Fault {
        code: "mimic",
        line,
        column,
        found: format!("{path}: {reason}"),
        expected: "a joint that moves, of the same kind, followed without a loop".into(),
        fix: format!(
            "correct it, or make the joint free with `--acknowledge '{path}=REASON'` or under \
             `[[chain.X.acknowledged]]` of the experiment"
        ),
    }
}
