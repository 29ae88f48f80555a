//! A user's own term.

use super::{Lanes, Row};
use crate::dynamics::{Twist, Workspace, frame_poses, frame_twists, kinetic_energy, potential_energy};
use crate::model::Model;
use crate::spatial::Pose;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

type Law = dyn Fn(&Sample<'_>, &mut [Lanes]) + Send + Sync;

/// A closure over a state: a value, or errors whose squares are summed.
///
/// It is called with numbers that carry tangents, and differentiated by what it does with them.
///
/// ```
/// use articula::rollout::{Own, Quantity, Term, When};
/// // Keep the tool (frame 3) above 0.2 m, as a penalty on how far it is below.
/// let own = Own::errors(1, |sample, e| {
///     let height = sample.frame_pose(3).position.z;
///     // A choice on a value is the closure's own: here both sides meet with slope zero.
///     e[0] = if height.value < 0.2 { height - articula::Tangents::constant(0.2) } else { articula::Tangents::constant(0.0) };
/// });
/// let term = Term { quantity: Quantity::Own(own), when: When::All, weight: 10.0 };
/// ```
#[derive(Clone)]
pub struct Own {
    /// How many errors; none for a value.
    pub(super) errors: Option<usize>,
    pub(super) law: Arc<Law>,
}

impl Own {
    /// A value `y`: the term is `w y`. Its Gauss–Newton block is zero, since nothing says where its least value is.
    pub fn value(law: impl Fn(&Sample<'_>) -> Lanes + Send + Sync + 'static) -> Self {
        Own { errors: None, law: Arc::new(move |sample, y| y[0] = law(sample)) }
    }

    /// So many errors `e`, written by the closure: the term is `w |e|²`, with a Gauss–Newton block.
    pub fn errors(count: usize, law: impl Fn(&Sample<'_>, &mut [Lanes]) + Send + Sync + 'static) -> Self {
        Own { errors: Some(count), law: Arc::new(law) }
    }

    /// The term without its weight.
    pub(super) fn evaluate(&self, sample: &Sample<'_>, numbers: &mut Vec<Lanes>) -> Lanes {
        let zero = Lanes::constant(0.0);
        numbers.clear();
        numbers.resize(self.errors.unwrap_or(1), zero);
        (self.law)(sample, numbers);
        match self.errors {
            None => numbers[0],
            Some(_) => numbers.iter().fold(zero, |sum, e| sum + *e * *e),
        }
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Own").field("errors", &self.errors).finish_non_exhaustive()
    }
}

/// A state as a closure is shown it: numbers that carry tangents, one a joint; frames and energies where asked for.
pub struct Sample<'a> {
    /// Positions, rad; m.
    pub q: &'a [Lanes],
    /// Velocities, rad/s; m/s.
    pub v: &'a [Lanes],
    /// Efforts of the step that ended here, N m; N.
    pub effort: &'a [Lanes],
    /// s.
    pub t: f64,
    /// The step's length, s.
    pub dt: f64,
    model: &'a Model<Lanes>,
    room: RefCell<&'a mut Room>,
}

/// Scratch, and what has been computed of a sample.
#[derive(Clone, Debug)]
pub(super) struct Room {
    ws: Workspace<Lanes>,
    poses: Vec<Pose<Lanes>>,
    twists: Vec<Twist<Lanes>>,
    placed: bool,
    moved: bool,
}

impl Room {
    pub fn new(model: &Model<Lanes>) -> Self {
        let zero = crate::spatial::vector([0.0; 3]);
        let frames = model.frames().len();
        Room {
            ws: Workspace::new(model),
            poses: vec![Pose::identity(); frames],
            twists: vec![Twist { linear: zero, angular: zero }; frames],
            placed: false,
            moved: false,
        }
    }
}

impl<'a> Sample<'a> {
    pub(super) fn new(model: &'a Model<Lanes>, row: &Row<'a, Lanes>, room: &'a mut Room) -> Self {
        (room.placed, room.moved) = (false, false);
        Sample {
            q: row.q,
            v: row.v,
            effort: row.effort,
            t: row.t,
            dt: row.dt,
            model,
            room: RefCell::new(room),
        }
    }

    /// World pose of a frame.
    ///
    /// # Panics
    /// On an unknown frame.
    pub fn frame_pose(&self, frame: usize) -> Pose<Lanes> {
        let room = &mut *self.room.borrow_mut();
        if !room.placed {
            frame_poses(self.model, &mut room.ws, self.q, &mut room.poses);
            room.placed = true;
        }
        room.poses[frame]
    }

    /// World velocity of a frame, at its origin.
    ///
    /// # Panics
    /// On an unknown frame.
    pub fn frame_twist(&self, frame: usize) -> Twist<Lanes> {
        let room = &mut *self.room.borrow_mut();
        if !room.moved {
            frame_twists(self.model, &mut room.ws, self.q, self.v, &mut room.twists);
            room.moved = true;
        }
        room.twists[frame]
    }

    /// J.
    pub fn kinetic_energy(&self) -> Lanes {
        kinetic_energy(self.model, &mut self.room.borrow_mut().ws, self.q, self.v)
    }

    /// J, zero at the world origin's height.
    pub fn potential_energy(&self) -> Lanes {
        potential_energy(self.model, &mut self.room.borrow_mut().ws, self.q)
    }
}
