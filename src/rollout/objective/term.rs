//! Terms, and the objective they add up to.

use super::Own;
use crate::error::{Error, Result};
use crate::model::Model;

/// What a term looks at. `e` is its error; the term is `w |e|²` unless said otherwise.
#[derive(Clone, Debug)]
pub enum Quantity {
    /// `e = p − goal` of a frame's origin, world axes, m.
    FramePosition {
        /// The frame's index.
        frame: usize,
        /// m.
        goal: [f64; 3],
    },
    /// `e = log(R_goalᵀ R)` of a frame, rad; at an angle of π exactly, a kink.
    FrameOrientation {
        /// The frame's index.
        frame: usize,
        /// A quaternion `w x y z`, of any length but zero.
        goal: [f64; 4],
    },
    /// `e = q − goal`, rad; m.
    JointPosition {
        /// The joint's index.
        joint: usize,
        /// rad; m.
        goal: f64,
    },
    /// `e = v − goal`, rad/s; m/s.
    JointVelocity {
        /// The joint's index.
        joint: usize,
        /// rad/s; m/s.
        goal: f64,
    },
    /// `e = u`, the efforts of all joints in the step that ended, N m; N. All along only.
    EffortSquared,
    /// The term is `w T`, `T` the kinetic energy, J.
    KineticEnergy,
    /// A user's own.
    Own(Own),
}

/// Which states count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The last.
    End,
    /// Every one but the start, times `dt`.
    All,
}

/// A quantity with its weight.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it looks at.
    pub quantity: Quantity,
    /// When it does.
    pub when: When,
    /// `w`.
    pub weight: f64,
}

impl Term {
    /// What the quantity counts for in a row.
    pub(super) fn share<T>(&self, row: &Row<'_, T>) -> f64 {
        match self.when {
            When::All => self.weight * row.dt,
            When::End if row.last => self.weight,
            When::End => 0.0,
        }
    }
}

/// A state at the end of a step, and what was told in the step; one number a joint.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a, T> {
    /// Positions, rad; m.
    pub q: &'a [T],
    /// Velocities, rad/s; m/s.
    pub v: &'a [T],
    /// Efforts, N m; N (kinematic: commanded positions).
    pub effort: &'a [T],
    /// The step's length, s.
    pub dt: f64,
    /// Whether it is the last step of the rollout.
    pub last: bool,
    /// The time of the state, s.
    pub t: f64,
}

/// Terms over the rollouts of one machine.
#[derive(Clone, Debug)]
pub struct Objective {
    terms: Vec<Term>,
}

impl Objective {
    /// An objective over a machine. Goal quaternions are taken at length one.
    ///
    /// # Errors
    /// [`Error::Value`]: a free base; with the term's number (from 1): a frame or joint the machine does not have, a number that is not
    /// finite, a goal quaternion of no length, efforts at the end alone.
    pub fn new(model: &Model<f64>, mut terms: Vec<Term>) -> Result<Self> {
        if model.has_free_base() {
            let expected = "a root fixed in the world for an objective";
            return Err(Error::value(model.name(), "a free base", expected));
        }
        let (frames, joints) = (model.frames().len(), model.joints().len());
        for (i, Term { quantity, when, weight }) in terms.iter_mut().enumerate() {
            let who = format!("term {}", i + 1);
            let index = |what: &str, index: usize, count: usize| match index < count {
                true => Ok(()),
                false => {
                    let expected = format!("a {what} below {count}: `{}` has so many", model.name());
                    Err(Error::value(&who, format!("{what} {index}"), &expected))
                }
            };
            let finite = |what: &str, numbers: &[f64]| match numbers.iter().find(|x| !x.is_finite()) {
                None => Ok(()),
                Some(x) => Err(Error::value(&format!("{what} of {who}"), x, "a finite number")),
            };
            finite("weight", &[*weight])?;
            match quantity {
                Quantity::FramePosition { frame, goal } => {
                    index("frame", *frame, frames)?;
                    finite("goal", goal)?;
                }
                Quantity::FrameOrientation { frame, goal } => {
                    index("frame", *frame, frames)?;
                    finite("goal", goal)?;
                    // By the largest entry first, so that no square leaves the range of numbers.
                    let largest = goal.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                    if largest == 0.0 {
                        let (found, expected) = ("a quaternion of length 0", "a quaternion w x y z");
                        return Err(Error::value(&format!("goal of {who}"), found, expected));
                    }
                    goal.iter_mut().for_each(|x| *x /= largest);
                    let length = goal.iter().map(|x| x * x).sum::<f64>().sqrt();
                    goal.iter_mut().for_each(|x| *x /= length);
                }
                Quantity::JointPosition { joint, goal } | Quantity::JointVelocity { joint, goal } => {
                    index("joint", *joint, joints)?;
                    finite("goal", &[*goal])?;
                }
                Quantity::EffortSquared if *when == When::End => {
                    return Err(Error::value(&who, "efforts at the end", "efforts all along"));
                }
                Quantity::EffortSquared | Quantity::KineticEnergy | Quantity::Own(_) => {}
            }
        }
        Ok(Objective { terms })
    }

    /// Its terms.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }
}
