//! The robot as plain data.

use std::path::Path;

use super::{Account, Inspection, Transmission};
use crate::error::Result;

/// A robot file read without error: the file's numbers, in the file's order, and the account of all of it.
///
/// Refused elements may still be in it: [`Description::acknowledge`] is the way on.
#[derive(Clone, Debug)]
pub struct Description {
    /// The file as the user named it.
    pub file: String,
    /// SHA-256 of the file's bytes, 64 hexadecimal digits.
    pub sha256: String,
    /// The robot's name; empty when the file gives none.
    pub robot: String,
    /// The links, in file order.
    pub links: Vec<LinkDescription>,
    /// The joints, in file order.
    pub joints: Vec<JointDescription>,
    /// The link that is no joint's child.
    pub root: String,
    /// The transmissions, in file order, with what is wrong with each.
    pub transmissions: Vec<Transmission>,
    /// The verdict on every element and attribute.
    pub account: Account,
    /// Whether mimic joints are coupled where that can be: see [`Description::coupled`].
    pub(crate) couples_mimics: bool,
}

impl Description {
    /// Reads a robot file.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) when the file cannot be read; [`Error::Description`](crate::Error::Description)
    /// with every fault found when it is not a robot description.
    pub fn read(path: impl AsRef<Path>) -> Result<Description> {
        Inspection::read(path)?.description()
    }

    /// Reads a robot file's bytes; `file` is the name used in messages.
    ///
    /// # Errors
    /// [`Error::Description`](crate::Error::Description) with every fault found.
    pub fn parse(file: &str, bytes: &[u8]) -> Result<Description> {
        Inspection::parse(file, bytes).description()
    }

    /// The link of that name.
    pub fn link(&self, name: &str) -> Option<&LinkDescription> {
        self.links.iter().find(|link| link.name == name)
    }

    /// The joint of that name.
    pub fn joint(&self, name: &str) -> Option<&JointDescription> {
        self.joints.iter().find(|joint| joint.name == name)
    }
}

/// A link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkDescription {
    /// Its name.
    pub name: String,
    /// Its mass and inertia; `None` when the file gives none.
    pub inertial: Option<Inertial>,
    /// The line of its element, from 1.
    pub line: u32,
}

/// `<inertial>`: the file's numbers, in the inertial frame's own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertial {
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the link's frame, m.
    pub center_of_mass: [f64; 3],
    /// Roll, pitch, yaw of the inertial axes in the link's frame, rad: `R = R_z(yaw) R_y(pitch) R_x(roll)`.
    pub rpy: [f64; 3],
    /// `ixx ixy ixz iyy iyz izz` about the centre of mass, in the inertial axes, kg m².
    pub inertia: [f64; 6],
}

/// A joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDescription {
    /// Its name.
    pub name: String,
    /// What it lets its child do.
    pub kind: JointKind,
    /// The type as the file writes it.
    pub type_name: String,
    /// The link it hangs from.
    pub parent: String,
    /// The link it carries.
    pub child: String,
    /// Origin of the child's frame in the parent's, m.
    pub xyz: [f64; 3],
    /// Roll, pitch, yaw of the child's frame in the parent's, rad: `R = R_z(yaw) R_y(pitch) R_x(roll)`.
    pub rpy: [f64; 3],
    /// The axis in the joint's frame, as the file writes it (not normalised); 1 0 0 when it gives none.
    pub axis: [f64; 3],
    /// `<limit>`, when there is one.
    pub limit: Option<Limit>,
    /// Viscous damping, N m s/rad; N s/m. 0 when the file gives none.
    pub damping: f64,
    /// Dry friction, N m; N. 0 when the file gives none.
    pub friction: f64,
    /// `<mimic>`, when there is one. Refused unless coupled; gone where it was acknowledged.
    pub mimic: Option<Mimic>,
    /// The line of its element, from 1.
    pub line: u32,
}

impl JointDescription {
    /// The stops `(lower, upper)`, rad; m: those of a revolute or prismatic joint with `<limit>` and lower ≤ upper.
    ///
    /// An acknowledged joint whose lower bound is above its upper has none.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        let limit = self.limit.as_ref()?;
        let bounded = matches!(self.kind, JointKind::Revolute | JointKind::Prismatic);
        (bounded && limit.lower <= limit.upper).then_some((limit.lower, limit.upper))
    }
}

/// What a joint lets its child do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Turns about the axis, between stops.
    Revolute,
    /// Turns about the axis without stops.
    Continuous,
    /// Slides along the axis, between stops.
    Prismatic,
    /// Does not move.
    Fixed,
    /// Moves freely, six ways. Read as the free base at the root, refused elsewhere.
    Floating,
    /// Slides two ways and turns one. Refused.
    Planar,
    /// A type URDF does not define, such as a screw. Refused.
    Other,
}

impl JointKind {
    /// The kind of a `type` attribute; URDF's words, in its spelling.
    pub fn of(type_name: &str) -> JointKind {
        match type_name {
            "revolute" => JointKind::Revolute,
            "continuous" => JointKind::Continuous,
            "prismatic" => JointKind::Prismatic,
            "fixed" => JointKind::Fixed,
            "floating" => JointKind::Floating,
            "planar" => JointKind::Planar,
            _ => JointKind::Other,
        }
    }
}

/// `<limit>`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Lower stop, rad; m. 0 when the file gives none.
    pub lower: f64,
    /// Upper stop, rad; m. 0 when the file gives none.
    pub upper: f64,
    /// Greatest effort, N m; N. `None` when absent or not above zero.
    pub effort: Option<f64>,
    /// Greatest speed, rad/s; m/s. `None` when absent or not above zero.
    pub velocity: Option<f64>,
}

/// `<mimic>`: position = multiplier × position of `joint` + offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Mimic {
    /// The joint followed; empty when the file names none.
    pub joint: String,
    /// Factor; 1 when the file gives none. 1; m/rad; rad/m.
    pub multiplier: f64,
    /// Offset, rad; m. 0 when the file gives none.
    pub offset: f64,
}

/// What the second reader, urdf-rs, made of the same text.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SecondReading {
    /// Links and joints whose numbers both readers gave alike, to the last bit.
    pub agreed: usize,
    /// Why it was not asked, or not about everything; empty when it was.
    pub skipped: String,
}
