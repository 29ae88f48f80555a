//! Values of terms, in plain numbers and in numbers that carry tangents.

use super::own::{Room, Sample};
use super::{Lanes, Objective, Quantity, Row};
use crate::dynamics::{
    VirtualPower, Workspace, Wrench, frame_pose_placed, kinetic_energy, place, place_world,
};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Matrix, Pose, Vector, dot, product, rotation_quaternion, rotation_vector};

/// Scratch for values and derivatives; make one a thread.
#[derive(Clone, Debug)]
pub struct CostWorkspace {
    pub(super) ws: Workspace<f64>,
    /// What pulls frames to their goals.
    pub(super) pulls: Vec<Wrench<f64>>,
    /// Six rows.
    pub(super) jacobian: Vec<f64>,
    pub(super) power: VirtualPower<f64>,
    pub(super) still: Vec<f64>,
    pub(super) mass: Vec<f64>,
    /// For closures: the machine, and a row, in numbers that carry tangents.
    pub(super) own: Option<OwnWorkspace>,
}

#[derive(Clone, Debug)]
pub(super) struct OwnWorkspace {
    pub model: Model<Lanes>,
    pub lanes: LanesWorkspace,
    /// Positions, velocities and efforts one after the other.
    pub row: Vec<Lanes>,
    /// Errors by all of them, a row an error.
    pub slopes: Vec<f64>,
}

/// Scratch for values that carry tangents.
#[derive(Clone, Debug)]
pub struct LanesWorkspace {
    ws: Workspace<Lanes>,
    pub(super) room: Room,
    pub(super) numbers: Vec<Lanes>,
}

impl Objective {
    /// Scratch for a machine.
    pub fn workspace(&self, model: &Model<f64>) -> CostWorkspace {
        let n = model.joints().len();
        let has_own = self.terms().iter().any(|term| matches!(term.quantity, Quantity::Own(_)));
        CostWorkspace {
            ws: Workspace::new(model),
            pulls: Vec::with_capacity(self.terms().len()),
            jacobian: vec![0.0; 6 * n],
            power: VirtualPower::new(model),
            still: vec![0.0; n],
            mass: vec![0.0; n * n],
            own: has_own.then(|| OwnWorkspace {
                model: model.map(Lanes::from_f64),
                lanes: self.lanes(model),
                row: vec![Lanes::from_f64(0.0); 3 * n],
                slopes: Vec::with_capacity(3 * n * self.errors()),
            }),
        }
    }

    /// Scratch for numbers that carry tangents.
    pub fn lanes(&self, model: &Model<f64>) -> LanesWorkspace {
        let model = model.map(Lanes::from_f64);
        LanesWorkspace {
            ws: Workspace::new(&model),
            room: Room::new(&model),
            numbers: Vec::with_capacity(self.errors()),
        }
    }

    /// The most numbers that a closure writes.
    fn errors(&self) -> usize {
        let own = self.terms().iter().filter_map(|term| match &term.quantity {
            Quantity::Own(own) => Some(own.errors.unwrap_or(1)),
            _ => None,
        });
        own.max().unwrap_or(0)
    }

    /// Places the machine, once for all terms, where one that counts in a row looks at a frame.
    pub(super) fn place<T: Real>(&self, model: &Model<T>, ws: &mut Workspace<T>, row: &Row<'_, T>) {
        let frame =
            |q: &Quantity| matches!(q, Quantity::FramePosition { .. } | Quantity::FrameOrientation { .. });
        if self.terms().iter().any(|term| frame(&term.quantity) && term.share(row) != 0.0) {
            place(model, ws, row.q);
            place_world(model, ws);
        }
    }

    /// Adds what a row counts for to each term's value. Allocates nothing, closures aside.
    ///
    /// # Panics
    /// On a slice of the wrong length.
    pub fn add_value(
        &self,
        model: &Model<f64>,
        ws: &mut CostWorkspace,
        row: &Row<'_, f64>,
        values: &mut [f64],
    ) {
        assert_eq!(values.len(), self.terms().len(), "length of values");
        self.place(model, &mut ws.ws, row);
        for (term, value) in self.terms().iter().zip(values) {
            let share = term.share(row);
            if share == 0.0 {
                continue;
            }
            *value += share
                * match (&term.quantity, &mut ws.own) {
                    (Quantity::Own(own), Some(room)) => {
                        let OwnWorkspace { model, lanes, row: lifted, .. } = room;
                        let sample = Sample::new(model, &lift(lifted, row), &mut lanes.room);
                        own.evaluate(&sample, &mut lanes.numbers).value
                    }
                    (quantity, _) => built_in(quantity, model, &mut ws.ws, row),
                };
        }
    }

    /// What a row counts for in all, with the tangents of the machine and of the row.
    ///
    /// # Panics
    /// On a slice of the wrong length.
    pub fn value_lanes(&self, model: &Model<Lanes>, ws: &mut LanesWorkspace, row: &Row<'_, Lanes>) -> Lanes {
        self.place(model, &mut ws.ws, row);
        let mut sum = Lanes::from_f64(0.0);
        for term in self.terms() {
            let share = term.share(row);
            if share == 0.0 {
                continue;
            }
            let value = match &term.quantity {
                Quantity::Own(own) => own.evaluate(&Sample::new(model, row, &mut ws.room), &mut ws.numbers),
                quantity => built_in(quantity, model, &mut ws.ws, row),
            };
            sum += value.scale(share);
        }
        sum
    }
}

/// A row as constants.
fn lift<'a>(to: &'a mut [Lanes], row: &Row<'_, f64>) -> Row<'a, Lanes> {
    let all = row.q.iter().chain(row.v).chain(row.effort);
    to.iter_mut().zip(all).for_each(|(to, x)| *to = Lanes::from_f64(*x));
    parts(to, row)
}

/// Positions, velocities and efforts one after the other, as a row of another's step.
pub(super) fn parts<'a>(numbers: &'a [Lanes], row: &Row<'_, f64>) -> Row<'a, Lanes> {
    let n = row.q.len();
    let (q, rest) = numbers.split_at(n);
    let (v, effort) = rest.split_at(n);
    Row { q, v, effort, dt: row.dt, last: row.last, t: row.t }
}

/// `R_goal` of a quaternion.
pub(super) fn goal_rotation<T: Real>(goal: &[f64; 4]) -> Matrix<T> {
    rotation_quaternion(goal.map(T::from_f64))
}

/// `log(R_goalᵀ R)`.
pub(super) fn turn_error<T: Real>(goal: &[f64; 4], pose: &Pose<T>) -> Vector<T> {
    rotation_vector(&product(&goal_rotation::<T>(goal).transpose(), &pose.rotation))
}

/// A built-in quantity of a row, `|e|²`; the machine is placed.
fn built_in<T: Real>(quantity: &Quantity, model: &Model<T>, ws: &mut Workspace<T>, row: &Row<'_, T>) -> T {
    let square = |x: T| x * x;
    match quantity {
        Quantity::FramePosition { frame, goal } => {
            let e = frame_pose_placed(model, ws, *frame).position - crate::spatial::vector(*goal);
            dot(&e, &e)
        }
        Quantity::FrameOrientation { frame, goal } => {
            let e = turn_error(goal, &frame_pose_placed(model, ws, *frame));
            dot(&e, &e)
        }
        Quantity::JointPosition { joint, goal } => square(row.q[*joint] - T::from_f64(*goal)),
        Quantity::JointVelocity { joint, goal } => square(row.v[*joint] - T::from_f64(*goal)),
        Quantity::EffortSquared => row.effort.iter().fold(T::zero(), |sum, u| u.mul_add(*u, sum)),
        Quantity::KineticEnergy => kinetic_energy(model, ws, row.q, row.v),
        // Its callers have the machine that closures are shown.
        Quantity::Own(_) => T::zero(),
    }
}
