//! Links and joints from the XML, every number checked where it stands.

use roxmltree::{Document, Node};

use super::account::Verdict;
use super::attribute::value;
use super::audit::Audit;
use super::grammar::Place;
use super::parts::{Inertial, JointDescription, JointKind, Limit, LinkDescription, Mimic};
use crate::error::{Fault, quote};

/// What is read from the document, faults included.
pub struct Reading<'a, 'input> {
    /// The account, still open.
    pub audit: Audit<'a, 'input>,
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// The robot's name.
    pub robot: String,
    /// Links with their elements.
    pub links: Vec<(LinkDescription, Node<'a, 'input>)>,
    /// Joints with their elements.
    pub joints: Vec<(JointDescription, Node<'a, 'input>)>,
    /// The version of URDF the file claims, when it is not the one read here.
    pub other_version: Option<String>,
}

/// Reads links and joints.
pub fn read<'a, 'input>(doc: &'a Document<'input>, audit: Audit<'a, 'input>) -> Reading<'a, 'input> {
    let mut reading = Reading {
        audit,
        faults: Vec::new(),
        robot: String::new(),
        links: Vec::new(),
        joints: Vec::new(),
        other_version: None,
    };
    let root = doc.root_element();
    if reading.audit.place(root) != Some(Place::Robot) {
        reading.faults.push(Fault {
            found: match root.tag_name().namespace() {
                Some(uri) => format!("the document <{}> (namespace {})", root.tag_name().name(), quote(uri)),
                None => format!("the document <{}>", root.tag_name().name()),
            },
            expected: "<robot>".into(),
            fix: "give a URDF file; SDF, MJCF and xacro files have to be converted first".into(),
            ..reading.audit.fault(root.range().start, "no_robot")
        });
        return reading;
    }
    reading.read_robot(root);
    for node in root.children() {
        match reading.audit.place(node) {
            Some(Place::Link) => reading.read_link(node),
            Some(Place::Joint) => reading.read_joint(node),
            _ => {}
        }
    }
    reading
}

impl<'a, 'input> Reading<'a, 'input> {
    fn read_robot(&mut self, root: Node<'a, 'input>) {
        match value(root, "name") {
            Some(name) => self.robot = name.to_owned(),
            None => self.audit.note(root, "the robot has no name"),
        }
        let version = value(root, "version").map(str::trim);
        if let Some(version) = version.filter(|version| !matches!(*version, "1" | "1.0" | "1.0.0")) {
            self.other_version = Some(version.to_owned());
            let reason = format!(
                "the file follows URDF {}, where absent limits and orientations may mean something else; it is read \
                 as URDF 1.0",
                quote(version)
            );
            self.audit.judge_attribute(root, "version", Verdict::Refused, &reason);
        }
    }

    fn read_link(&mut self, node: Node<'a, 'input>) {
        self.audit.judge_attribute(node, "type", Verdict::NotUsed, "a label without effect on motion");
        let inertial = self.child(node, Place::Inertial).map(|inertial| self.read_inertial(inertial));
        let Some(name) = self.required(node, "name") else { return };
        let line = self.audit.line(node);
        self.links.push((LinkDescription { name, inertial, line }, node));
    }

    fn read_inertial(&mut self, node: Node<'a, 'input>) -> Inertial {
        let (center_of_mass, rpy) = self.read_origin(node);
        let mut mass = 0.0;
        match self.child(node, Place::Mass) {
            None => self.audit.refuse(node, "no <mass>: 0 kg if acknowledged", None),
            Some(element) => {
                if value(element, "value").is_none() {
                    self.audit.refuse(element, "no `value`: 0 kg if acknowledged", None);
                }
                mass = self.number(element, "value").unwrap_or(0.0);
                if mass < 0.0 {
                    self.audit.refuse(element, "negative mass: kept as it is if acknowledged", None);
                }
            }
        }
        let mut inertia = [0.0; 6];
        match self.child(node, Place::Inertia) {
            None => self.audit.refuse(node, "no <inertia>: all zero if acknowledged", None),
            Some(element) => {
                for (moment, name) in inertia.iter_mut().zip(["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]) {
                    if value(element, name).is_none() {
                        let reason = format!("no `{name}`: 0 kg m² if acknowledged");
                        self.audit.refuse(element, &reason, None);
                    }
                    *moment = self.number(element, name).unwrap_or(0.0);
                }
            }
        }
        Inertial { mass, center_of_mass, rpy, inertia }
    }

    fn read_joint(&mut self, node: Node<'a, 'input>) {
        let name = self.required(node, "name");
        let type_name = self.required(node, "type");
        let parent = self.read_link_name(node, "parent");
        let child = self.read_link_name(node, "child");
        let kind = type_name.as_deref().map_or(JointKind::Other, JointKind::of);
        if type_name.is_some() {
            self.judge_kind(node, kind);
        }
        let (xyz, rpy) = self.read_origin(node);
        let axis = self.read_axis(node, kind);
        let limit = self.read_limit(node, kind);
        let (damping, friction) = self.read_dynamics(node, kind);
        let mimic = self.read_mimic(node);
        let line = self.audit.line(node);
        if let (Some(name), Some(type_name), Some(parent), Some(child)) = (name, type_name, parent, child) {
            let joint = JointDescription {
                name,
                kind,
                type_name,
                parent,
                child,
                xyz,
                rpy,
                axis,
                limit,
                damping,
                friction,
                mimic,
                line,
            };
            self.joints.push((joint, node));
        }
    }

    /// Floating joints are judged with the tree: one of them may be the free base.
    fn judge_kind(&mut self, node: Node<'a, 'input>, kind: JointKind) {
        match kind {
            JointKind::Planar => self.audit.refuse(
                node,
                "planar joints are not modelled",
                Some("write it as two prismatic joints and a continuous one, with massless links between"),
            ),
            JointKind::Other => self.audit.refuse(
                node,
                "URDF does not define this type of joint",
                Some("use revolute, continuous, prismatic or fixed, spelt so"),
            ),
            _ => {}
        }
    }

    fn read_link_name(&mut self, joint: Node<'a, 'input>, role: &'static str) -> Option<String> {
        let both = self.audit.children(joint, Place::ParentOrChild);
        let found = both.into_iter().find(|element| element.tag_name().name() == role);
        match found {
            Some(element) => self.required(element, "link"),
            None => {
                self.faults.push(Fault {
                    found: format!("{} without <{role}>", self.called(joint)),
                    expected: format!("<{role} link=\"…\"/>"),
                    fix: format!("name the link the joint has as {role}"),
                    ..self.audit.fault(joint.range().start, "missing_element")
                });
                None
            }
        }
    }

    fn read_origin(&mut self, node: Node<'a, 'input>) -> ([f64; 3], [f64; 3]) {
        let Some(origin) = self.child(node, Place::Origin) else { return Default::default() };
        let xyz = self.numbers(origin, "xyz").unwrap_or_default();
        (xyz, self.numbers(origin, "rpy").unwrap_or_default())
    }

    fn read_axis(&mut self, joint: Node<'a, 'input>, kind: JointKind) -> [f64; 3] {
        const DEFAULT: [f64; 3] = [1.0, 0.0, 0.0];
        let turns = matches!(kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic);
        let Some(element) = self.child(joint, Place::Axis) else {
            if turns {
                self.audit.note(joint, "no axis: 1 0 0 taken");
            }
            return DEFAULT;
        };
        let axis = self.numbers(element, "xyz");
        match (kind, axis) {
            (JointKind::Fixed, _) => self.audit.leave_out(element, "a fixed joint does not move"),
            (JointKind::Floating, _) => self.audit.leave_out(element, "a free body has no axis"),
            (_, None) if value(element, "xyz").is_none() => {
                self.audit.note(element, "no axis: 1 0 0 taken");
            }
            (_, Some([0.0, 0.0, 0.0])) => {
                let remedy = "write the direction the joint moves in, or make the joint fixed";
                self.audit.refuse(element, "zero axis: no direction to move in", Some(remedy));
                self.audit.judge_attribute(element, "xyz", Verdict::Refused, "with its element");
            }
            (_, Some([x, y, z])) => {
                let length = x.hypot(y).hypot(z);
                if (length - 1.0).abs() > 1e-6 {
                    self.audit.note(element, &format!("axis of length {length:.6}: normalised"));
                }
            }
            _ => {}
        }
        axis.unwrap_or(DEFAULT)
    }

    fn read_limit(&mut self, joint: Node<'a, 'input>, kind: JointKind) -> Option<Limit> {
        let stops = matches!(kind, JointKind::Revolute | JointKind::Prismatic);
        let Some(element) = self.child(joint, Place::Limit) else {
            if stops {
                let reason = "no <limit>: to build or run, give the bounds under `[chain.X.limits]`";
                self.audit.note(joint, reason);
            }
            return None;
        };
        let lower = self.number(element, "lower");
        let upper = self.number(element, "upper");
        let effort = self.number(element, "effort");
        let velocity = self.number(element, "velocity");
        let limit = Limit {
            lower: lower.unwrap_or(0.0),
            upper: upper.unwrap_or(0.0),
            effort: effort.filter(|effort| *effort > 0.0),
            velocity: velocity.filter(|velocity| *velocity > 0.0),
        };
        match kind {
            JointKind::Fixed => self.audit.leave_out(element, "a fixed joint does not move"),
            JointKind::Floating => self.audit.leave_out(element, "a free body has no stops"),
            _ => {
                if stops {
                    self.judge_bounds(element, &limit);
                } else if kind == JointKind::Continuous {
                    self.leave_out_bounds(element);
                }
                self.judge_cap(element, "effort", effort);
                self.judge_cap(element, "velocity", velocity);
            }
        }
        Some(limit)
    }

    fn judge_bounds(&mut self, element: Node<'a, 'input>, limit: &Limit) {
        for name in ["lower", "upper"] {
            if value(element, name).is_none() {
                self.audit.note(element, &format!("no `{name}`: 0, as URDF says"));
            }
        }
        if limit.lower > limit.upper {
            let reason = "lower is above upper: the joint has no stops if acknowledged";
            self.audit.refuse(element, reason, None);
        } else if limit.lower == limit.upper {
            self.audit.note(element, "lower equals upper: the stops leave no room to move");
        }
    }

    fn leave_out_bounds(&mut self, element: Node<'a, 'input>) {
        let reason = "a continuous joint has no bounds: not used";
        let given = ["lower", "upper"].map(|name| value(element, name).is_some());
        for name in ["lower", "upper"] {
            self.audit.judge_attribute(element, name, Verdict::NotUsed, reason);
        }
        if given.contains(&true) {
            self.audit.note(element, reason);
        }
    }

    fn judge_cap(&mut self, element: Node<'a, 'input>, name: &'static str, cap: Option<f64>) {
        match cap {
            None if value(element, name).is_none() => {
                self.audit.note(element, &format!("no `{name}`: taken as not given"));
            }
            Some(cap) if cap <= 0.0 => {
                self.audit.note(element, &format!("`{name}` is not above zero: taken as not given"));
                self.audit.judge_attribute(
                    element,
                    name,
                    Verdict::NotUsed,
                    "not above zero: taken as not given",
                );
            }
            _ => {}
        }
    }

    fn read_dynamics(&mut self, joint: Node<'a, 'input>, kind: JointKind) -> (f64, f64) {
        let Some(element) = self.child(joint, Place::Dynamics) else { return (0.0, 0.0) };
        let damping = self.number(element, "damping");
        let friction = self.number(element, "friction");
        if kind == JointKind::Fixed {
            self.audit.leave_out(element, "a fixed joint does not move");
        } else if value(element, "damping").is_none() && value(element, "friction").is_none() {
            self.audit.note(element, "neither `damping` nor `friction`: both 0");
        }
        (damping.unwrap_or(0.0), friction.unwrap_or(0.0))
    }

    fn read_mimic(&mut self, joint: Node<'a, 'input>) -> Option<Mimic> {
        let element = self.child(joint, Place::Mimic)?;
        let multiplier = self.number(element, "multiplier").unwrap_or(1.0);
        let offset = self.number(element, "offset").unwrap_or(0.0);
        let leader = value(element, "joint").unwrap_or_default().to_owned();
        Some(Mimic { joint: leader, multiplier, offset })
    }

    /// The child read as `place`; later ones of its kind are refused in the account.
    fn child(&self, node: Node<'a, 'input>, place: Place) -> Option<Node<'a, 'input>> {
        self.audit.children(node, place).next()
    }
}
