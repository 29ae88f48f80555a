//! The tree: one root, every link hung once, no way round in circles.

use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use super::grammar::Place;
use super::parts::JointKind;
use super::urdf::Reading;
use crate::error::{Fault, quote};

/// Checks names and tree, with a fault for everything wrong; the root when there is exactly one.
pub fn check(reading: &mut Reading<'_, '_>, robot: Node<'_, '_>) -> Option<String> {
    let mut faults = duplicates(reading);
    faults.extend(unknown_links(reading));
    let carrier = carriers(reading, &mut faults);
    faults.extend(loops(reading, &carrier));
    let names = reading.links.iter().map(|(link, _)| link.name.clone());
    let mut roots: Vec<String> = names.filter(|name| !carrier.contains_key(name)).collect();
    let mut seen = HashSet::new();
    roots.retain(|name| seen.insert(name.clone()));
    let at_robot = |code| reading.audit.fault(robot.range().start, code);
    match roots.len() {
        1 => {}
        0 => faults.push(Fault {
            found: if reading.links.is_empty() {
                "a robot without <link>".into()
            } else {
                "a robot whose every link is some joint's child".into()
            },
            expected: "one link that is no joint's child".into(),
            fix: "give the whole robot, with the link it stands on".into(),
            ..at_robot("no_root")
        }),
        count => faults.push(Fault {
            found: format!("{count} links that are no joint's child: {}", listed(&roots)),
            expected: "one, the root".into(),
            fix: "join them with fixed joints, or take the loose ones out".into(),
            ..at_robot("several_roots")
        }),
    }
    reading.faults.append(&mut faults);
    let [root] = <[String; 1]>::try_from(roots).ok()?;
    Some(root)
}

/// What can be done about a mimic joint.
const MIMIC_WAYS: &str = "coupled by `mimic = \"coupled\"` in an experiment and `--mimic coupled` in eval, a free joint if acknowledged";

/// Remarks and refusals that need the whole robot: free base, followed joints, shared names.
pub fn judge(reading: &mut Reading<'_, '_>, root: Option<&str>) {
    let kinds: HashMap<String, (JointKind, bool)> = reading
        .joints
        .iter()
        .map(|(joint, _)| (joint.name.clone(), (joint.kind, joint.mimic.is_some())))
        .collect();
    let links: HashSet<String> = reading.links.iter().map(|(link, _)| link.name.clone()).collect();
    let below_root = reading.joints.iter().filter(|(joint, _)| Some(joint.parent.as_str()) == root).count();
    for (joint, node) in &reading.joints {
        let audit = &mut reading.audit;
        if links.contains(&joint.name) {
            audit.note(*node, "a link has the same name: joints and links are separate name spaces");
        }
        if joint.kind == JointKind::Floating {
            if root == Some(joint.parent.as_str()) && below_root == 1 {
                audit.note(*node, "the free base");
            } else {
                let remedy =
                    "only the single joint of the root may float: make it prismatic or revolute joints";
                audit.refuse(*node, "floating joints below the root are not modelled", Some(remedy));
            }
        }
        let element = audit.children(*node, Place::Mimic).next();
        if let (Some(mimic), Some(element)) = (&joint.mimic, element) {
            let leader = quote(&mimic.joint);
            let reason = match kinds.get(&mimic.joint) {
                _ if mimic.joint.is_empty() => "it names no joint to follow".into(),
                _ if mimic.joint == joint.name => "it follows itself".into(),
                None => format!("it follows {leader}, which does not exist"),
                Some((JointKind::Fixed, _)) => format!("it follows {leader}, which is fixed"),
                Some((_, true)) => format!("it follows {leader}, which is a mimic joint itself"),
                Some(_) => format!("it follows {leader}"),
            };
            audit.refuse(element, &format!("{reason}; {MIMIC_WAYS}"), None);
        }
    }
}

fn duplicates(reading: &Reading<'_, '_>) -> Vec<Fault> {
    let links =
        reading.links.iter().map(|(link, node)| ("link", "duplicate_link", &link.name, node, link.line));
    let joints = reading
        .joints
        .iter()
        .map(|(joint, node)| ("joint", "duplicate_joint", &joint.name, node, joint.line));
    let mut first = HashMap::new();
    let mut faults = Vec::new();
    for (what, code, name, node, line) in links.chain(joints) {
        if let Some(earlier) = first.insert((what, name), line) {
            first.insert((what, name), earlier);
            faults.push(Fault {
                found: format!("a second {what} {}, after the one in line {earlier}", quote(name)),
                expected: format!("each {what} name once"),
                fix: "rename one of them, and what refers to it".into(),
                ..reading.audit.fault(node.range().start, code)
            });
        }
    }
    faults
}

fn unknown_links(reading: &Reading<'_, '_>) -> Vec<Fault> {
    let known: HashSet<&str> = reading.links.iter().map(|(link, _)| link.name.as_str()).collect();
    let mut faults: Vec<Fault> = Vec::new();
    for (joint, node) in &reading.joints {
        for (role, name) in [("parent", &joint.parent), ("child", &joint.child)] {
            if known.contains(name.as_str()) {
                continue;
            }
            // Looking for the nearest name costs more than all else; a file with hundreds wrong has another trouble.
            let near = match faults.len() {
                0..20 => crate::error::nearest(name, reading.links.iter().map(|(l, _)| l.name.as_str())),
                _ => None,
            };
            let near = near.map(|near| format!("; the nearest is {}", quote(&near))).unwrap_or_default();
            let mut both = reading.audit.children(*node, Place::ParentOrChild);
            let element = both.find(|child| child.tag_name().name() == role).unwrap_or(*node);
            faults.push(Fault {
                found: format!("{} as {role} of joint {}", quote(name), quote(&joint.name)),
                expected: format!("the name of a link of the file{near}"),
                fix: "correct the name, or add the link".into(),
                ..reading.audit.fault(element.range().start, "unknown_link")
            });
        }
    }
    faults
}

/// The joint that carries each link, by the link's name: the first of the file. Others are faults.
fn carriers(reading: &Reading<'_, '_>, faults: &mut Vec<Fault>) -> HashMap<String, usize> {
    let mut carrier: HashMap<String, usize> = HashMap::new();
    for (at, (joint, node)) in reading.joints.iter().enumerate() {
        if joint.parent == joint.child {
            faults.push(Fault {
                found: format!("joint {} from {} to itself", quote(&joint.name), quote(&joint.child)),
                expected: "two different links".into(),
                fix: "name the link it hangs from as <parent>".into(),
                ..reading.audit.fault(node.range().start, "self_loop")
            });
        } else if let Some(first) = carrier.get(&joint.child) {
            let first = quote(&reading.joints[*first].0.name);
            let found = format!("{} carried by {} and by {first}", quote(&joint.child), quote(&joint.name));
            faults.push(Fault {
                found,
                expected: "each link to be the child of one joint: URDF is a tree".into(),
                fix: "cut the loop: take one of the joints out".into(),
                ..reading.audit.fault(node.range().start, "two_parents")
            });
        } else {
            carrier.insert(joint.child.clone(), at);
        }
    }
    carrier
}

/// Each way round in circles once, at the joint of it that stands first in the file.
fn loops(reading: &Reading<'_, '_>, carrier: &HashMap<String, usize>) -> Vec<Fault> {
    let mut faults = Vec::new();
    // The start of the walk that first came by each joint.
    let mut walked: HashMap<usize, usize> = HashMap::new();
    for start in 0..reading.joints.len() {
        let mut at = start;
        let mut way = Vec::new();
        // Joints that carry nothing (a second parent, a self-loop) lead into the tree but are not part of it.
        while let std::collections::hash_map::Entry::Vacant(free) = walked.entry(at) {
            free.insert(start);
            way.push(at);
            match carrier.get(&reading.joints[at].0.parent) {
                Some(next) => at = *next,
                None => break,
            }
        }
        let Some(from) = way.iter().position(|joint| *joint == at) else { continue };
        // The walk ended on a joint of its own way: at the end of the tree that joint is the last one.
        let closes = carrier.get(&reading.joints[way[way.len() - 1]].0.parent) == Some(&at);
        if !closes {
            continue;
        }
        let names: Vec<String> =
            way[from..].iter().map(|joint| reading.joints[*joint].0.child.clone()).collect();
        let first = way[from..].iter().min().copied().unwrap_or(at);
        faults.push(Fault {
            found: format!("links that hang from each other in a circle: {}", listed(&names)),
            expected: "a tree".into(),
            fix: "take out the joint that closes the circle".into(),
            ..reading.audit.fault(reading.joints[first].1.range().start, "loop")
        });
    }
    faults
}

fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut words: Vec<String> = names.iter().take(SHOWN).map(|name| quote(name)).collect();
    if names.len() > SHOWN {
        words.push(format!("and {} more", names.len() - SHOWN));
    }
    words.join(", ")
}
