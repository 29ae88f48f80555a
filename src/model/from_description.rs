//! A model from a robot file.

use super::{Builder, Inertial, JointKind, JointSpec, MimicSpec, Model};
use crate::description::{self, Acknowledged, Description, JointDescription};
use crate::error::{Error, Fault, Result};
use crate::spatial::{Pose, Symmetric};

impl Model<f64> {
    /// The machine a robot file describes, all that was refused in it acknowledged.
    ///
    /// Limits are those of revolute and prismatic joints with a `<limit>`; damping, friction, effort and speed limits are
    /// the file's; armature is none, which URDF has no word for. A mimic left in an acknowledged description couples its joint. A `floating` joint below an empty root link makes the
    /// base free, and its origin is where [`Model::zero_positions`] has it; that root link is then the world, no frame.
    ///
    /// # Errors
    /// As [`Builder::build`]; [`Error::Value`] where a floating root joint leaves the root link more than a name.
    pub fn from_description(acknowledged: &Acknowledged) -> Result<Self> {
        let robot = &acknowledged.description;
        let floating = robot.joints.iter().find(|j| j.kind == description::JointKind::Floating);
        let mut builder = Builder::new(&robot.robot).answered();
        for link in &robot.links {
            if floating.is_some_and(|j| j.parent == link.name) {
                continue;
            }
            builder.link(&link.name, link.inertial.as_ref().map(inertial));
        }
        for joint in &robot.joints {
            if floating.is_some_and(|f| f.name == joint.name) {
                continue;
            }
            builder.joint(spec(joint)?);
        }
        if let Some(f) = floating {
            let world = robot.link(&f.parent);
            let carries = robot.joints.iter().filter(|j| j.parent == f.parent).count() > 1;
            if carries || world.is_some_and(|w| w.inertial.is_some()) {
                let found =
                    format!("root link `{}` with more than the floating joint `{}`", f.parent, f.name);
                return Err(Error::value(&robot.file, found, "an empty root link above a floating joint"));
            }
        }
        let model = builder.build().map_err(|error| placed(robot, error))?;
        Ok(match floating {
            // Where the file puts a free base is where zero positions have it.
            Some(f) => model.with_free_base(true).with_placement(Pose::from_xyz_rpy(f.xyz, f.rpy)),
            None => model,
        })
    }
}

/// The builder's error of a joint or link, with the place where the file has it.
fn placed(robot: &Description, error: Error) -> Error {
    let Error::Value { who, found, expected } = error else { return error };
    let about =
        |name: &str| who.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let joint = robot.joints.iter().find(|joint| about(&joint.name)).map(|joint| joint.line);
    let line = joint.or_else(|| robot.links.iter().find(|link| about(&link.name)).map(|link| link.line));
    let (line, column) = (line.unwrap_or(0), u32::from(line.is_some()));
    let (found, fix) = (format!("{who}: {found}"), "change the file".into());
    Error::file(&robot.file, Fault { code: "value", line, column, found, expected, fix })
}

fn inertial(given: &description::Inertial) -> Inertial<f64> {
    Inertial {
        mass: given.mass,
        center_of_mass: given.center_of_mass.into(),
        axes: Pose::from_xyz_rpy([0.0; 3], given.rpy).rotation,
        tensor: Symmetric::from_entries(given.inertia),
    }
}

fn spec(joint: &JointDescription) -> Result<JointSpec> {
    let kind = match joint.kind {
        description::JointKind::Revolute => Some(JointKind::Revolute),
        description::JointKind::Continuous => Some(JointKind::Continuous),
        description::JointKind::Prismatic => Some(JointKind::Prismatic),
        description::JointKind::Fixed => None,
        description::JointKind::Floating | description::JointKind::Planar | description::JointKind::Other => {
            let found = format!("a joint of type `{}`", joint.type_name);
            return Err(Error::value(&joint.name, found, "revolute, continuous, prismatic or fixed"));
        }
    };
    let (lower, upper) = joint.bounds().unzip();
    let limit = joint.limit.as_ref();
    Ok(JointSpec {
        name: joint.name.clone(),
        kind,
        parent: joint.parent.clone(),
        child: joint.child.clone(),
        origin: Pose::from_xyz_rpy(joint.xyz, joint.rpy),
        axis: joint.axis,
        lower,
        upper,
        effort_limit: limit.and_then(|l| l.effort),
        speed_limit: limit.and_then(|l| l.velocity),
        damping: joint.damping,
        friction: joint.friction,
        armature: 0.0,
        mimic: joint.mimic.as_ref().map(|m| MimicSpec {
            joint: m.joint.clone(),
            multiplier: m.multiplier,
            offset: m.offset,
        }),
    })
}
