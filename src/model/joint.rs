//! One degree of freedom.

use super::Mimic;
use crate::error::{Error, Result};
use crate::real::Real;

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JointKind {
    /// About its axis, rad.
    Revolute,
    /// About its axis without limits, rad; not wrapped.
    Continuous,
    /// Along its axis, m.
    Prismatic,
}

impl JointKind {
    /// Whether it moves along its axis.
    pub fn slides(self) -> bool {
        self == JointKind::Prismatic
    }

    /// Unit of its position.
    pub fn position_unit(self) -> &'static str {
        if self.slides() { "m" } else { "rad" }
    }

    /// Unit of its velocity.
    pub fn velocity_unit(self) -> &'static str {
        if self.slides() { "m/s" } else { "rad/s" }
    }

    /// Unit of its effort and friction.
    pub fn effort_unit(self) -> &'static str {
        if self.slides() { "N" } else { "N m" }
    }

    /// Unit of its damping.
    pub fn damping_unit(self) -> &'static str {
        if self.slides() { "N s/m" } else { "N m s/rad" }
    }

    /// Unit of its armature.
    pub fn armature_unit(self) -> &'static str {
        if self.slides() { "kg" } else { "kg m^2" }
    }
}

/// A joint with one degree of freedom.
///
/// A law that a joint does not have is `None`: it then evaluates no switch, whatever the numbers would be.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint<T> {
    /// Its name.
    pub name: String,
    /// How it moves.
    pub kind: JointKind,
    /// Its lower stop, rad or m.
    pub lower: Option<T>,
    /// Its upper stop, rad or m.
    pub upper: Option<T>,
    /// Largest effort by the description, N m or N: watched, not applied.
    pub effort_limit: Option<f64>,
    /// Largest speed by the description, rad/s or m/s: watched, not applied.
    pub speed_limit: Option<f64>,
    /// Viscous damping, N m s/rad or N s/m.
    pub damping: T,
    /// Coulomb friction, N m or N.
    pub friction: Option<T>,
    /// Reflected rotor inertia, kg m² or kg.
    pub armature: T,
    /// What it follows, if it is coupled to another joint.
    pub mimic: Option<Mimic<T>>,
}

impl<T: Real> Joint<T> {
    /// The same in another scalar.
    pub(crate) fn map<U: Real>(&self, f: &mut impl FnMut(T) -> U) -> Joint<U> {
        Joint {
            name: self.name.clone(),
            kind: self.kind,
            lower: self.lower.map(&mut *f),
            upper: self.upper.map(&mut *f),
            effort_limit: self.effort_limit,
            speed_limit: self.speed_limit,
            damping: f(self.damping),
            friction: self.friction.map(&mut *f),
            armature: f(self.armature),
            mimic: self.mimic.as_ref().map(|m| m.map(f)),
        }
    }

    /// Its laws are ones a joint can have.
    pub(crate) fn check(&self) -> Result<()> {
        let value = |x: Option<T>| x.map(|x| x.primal());
        let who = |law: &str| format!("{}.{law}", self.name);
        let laws = [
            ("damping", Some(self.damping), self.kind.damping_unit()),
            ("friction", self.friction, self.kind.effort_unit()),
            ("armature", Some(self.armature), self.kind.armature_unit()),
        ];
        for (law, x, unit) in laws {
            if let Some(x) = value(x).filter(|x| !(*x >= 0.0 && x.is_finite())) {
                return Err(Error::value(&who(law), x, &format!("a number of zero or more, {unit}")));
            }
        }
        if self.kind == JointKind::Continuous && (self.lower.is_some() || self.upper.is_some()) {
            return Err(Error::value(
                &self.name,
                "limits on a continuous joint",
                "a revolute joint, or no limits",
            ));
        }
        let unit = self.kind.position_unit();
        for (law, x) in [("lower", value(self.lower)), ("upper", value(self.upper))] {
            if let Some(x) = x.filter(|x| !x.is_finite()) {
                return Err(Error::value(&who(law), x, &format!("a finite number, {unit}")));
            }
        }
        match (value(self.lower), value(self.upper)) {
            (Some(lower), Some(upper)) if lower > upper => {
                Err(Error::value(&who("lower"), lower, &format!("at most the upper limit, {upper} {unit}")))
            }
            _ => Ok(()),
        }
    }
}
