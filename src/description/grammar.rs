//! What URDF defines, and where.

/// Where an element stands in URDF, as far as the account needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Robot,
    Link,
    Inertial,
    Origin,
    Mass,
    Inertia,
    Joint,
    ParentOrChild,
    Axis,
    Dynamics,
    Limit,
    Mimic,
}

/// What URDF makes of an element inside a given place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Read.
    Read(Place),
    /// Recognised, without effect here: why.
    Unused(&'static str),
    /// Not in URDF.
    Undefined,
}

/// What an element named `name` is inside `place`.
pub fn element(place: Place, name: &str) -> Definition {
    use Definition::{Read, Undefined, Unused};
    match (place, name) {
        (Place::Robot, "link") => Read(Place::Link),
        (Place::Robot, "joint") => Read(Place::Joint),
        (Place::Robot, "material") => Unused("looks have no effect on motion"),
        (Place::Robot, "transmission") => {
            Unused("a transmission has no effect until a rotor is reflected through it")
        }
        (Place::Robot, "ros2_control") => Unused("control interfaces have no effect on the mechanism"),
        (Place::Link, "inertial") => Read(Place::Inertial),
        (Place::Link, "visual") => Unused("looks have no effect on motion"),
        (Place::Link, "collision") => Unused("contact between shapes is not modelled"),
        (Place::Robot | Place::Link | Place::Joint, "gazebo") => {
            Unused("settings of one simulator have no effect here")
        }
        (Place::Robot | Place::Link | Place::Joint, "sensor") => Unused("sensors have no effect on motion"),
        (Place::Inertial | Place::Joint, "origin") => Read(Place::Origin),
        (Place::Inertial, "mass") => Read(Place::Mass),
        (Place::Inertial, "inertia") => Read(Place::Inertia),
        (Place::Joint, "parent" | "child") => Read(Place::ParentOrChild),
        (Place::Joint, "axis") => Read(Place::Axis),
        (Place::Joint, "dynamics") => Read(Place::Dynamics),
        (Place::Joint, "limit") => Read(Place::Limit),
        (Place::Joint, "mimic") => Read(Place::Mimic),
        (Place::Joint, "safety_controller") => {
            Unused("the soft limits of a controller are not the mechanism's")
        }
        (Place::Joint, "calibration") => Unused("where the reference switch stands has no effect on motion"),
        _ => Undefined,
    }
}

/// Whether an element may stand more than once among its siblings.
pub fn repeatable(place: Place) -> bool {
    matches!(place, Place::Link | Place::Joint)
}

/// The attributes URDF defines there.
pub fn attributes(place: Place) -> &'static [&'static str] {
    match place {
        Place::Robot => &["name", "version"],
        Place::Link => &["name", "type"],
        Place::Inertial => &[],
        Place::Origin => &["xyz", "rpy"],
        Place::Mass => &["value"],
        Place::Inertia => &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"],
        Place::Joint => &["name", "type"],
        Place::ParentOrChild => &["link"],
        Place::Axis => &["xyz"],
        Place::Dynamics => &["damping", "friction"],
        Place::Limit => &["lower", "upper", "effort", "velocity"],
        Place::Mimic => &["joint", "multiplier", "offset"],
    }
}

/// Elements outside any link or joint that a path calls by their `name` attribute alone.
pub fn called_by_name(local: &str) -> bool {
    matches!(local, "link" | "joint" | "transmission" | "material" | "sensor" | "ros2_control")
}
