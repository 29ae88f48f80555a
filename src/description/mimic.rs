//! Whether mimic joints can be coupled: who follows whom.

use super::account::Verdict;
use super::parts::{Description, JointKind};
use crate::error::Fault;

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
    let index: std::collections::HashMap<&str, usize> =
        joints.iter().enumerate().map(|(j, joint)| (joint.name, j)).collect();
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
        let follow = |j: usize| joints[j].follows.and_then(|(leader, ..)| index.get(leader).copied());
        let mut at = k;
        for _ in 0..joints.len() {
            if at == j {
                return Some("it follows itself, by way of the joints it follows".into());
            }
            match follow(at) {
                Some(next) => at = next,
                None => return None,
            }
        }
        // Led into a loop of others, which are reported themselves.
        Some(format!("it follows `{leader}`, which follows itself"))
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

    /// Path of each mimic element, and what is in the way of coupling it, if anything.
    pub(super) fn mimics(&self) -> Vec<(String, Option<String>)> {
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
                follows: joint.mimic.as_ref().map(|m| (m.joint.as_str(), m.multiplier, m.offset)),
            })
            .collect();
        let broken = broken(&followers);
        let mimics = self.joints.iter().enumerate().filter(|(_, joint)| joint.mimic.is_some());
        mimics
            .map(|(j, joint)| {
                let path = format!("joint[{}]/mimic", joint.name);
                let law = broken.iter().find(|(at, _)| *at == j).map(|(_, reason)| reason.clone());
                let odd = law.or_else(|| self.odd_attribute(&path));
                (path, odd)
            })
            .collect()
    }

    /// An attribute of a mimic element that URDF does not define: it might have meant the multiplier.
    fn odd_attribute(&self, element: &str) -> Option<String> {
        let defined = super::grammar::attributes(super::grammar::Place::Mimic);
        let names = self.account.attributes.iter().filter(|entry| entry.verdict == Verdict::Refused);
        let mut names = names.filter_map(|entry| entry.path.strip_prefix(element)?.strip_prefix('@'));
        let odd = names.find(|name| !defined.contains(name))?;
        Some(format!("its attribute `{odd}` is none that URDF defines"))
    }
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
