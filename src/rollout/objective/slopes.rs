//! Derivatives of terms in closed form, of closures in dual numbers.

use super::own::Sample;
use super::value::{OwnWorkspace, goal_rotation, parts, turn_error};
use super::{CostWorkspace, Lanes, Objective, Own, Quantity, Row, WIDTH};
use crate::dynamics::{
    Loads, Wrench, add_efforts_placed, frame_pose_placed, place, place_world, virtual_power_placed,
};
use crate::model::Model;
use crate::real::{Real, Tangents};
use crate::spatial::{mul, vector};

impl Objective {
    /// Adds the derivatives of what a row counts for, all terms together, by positions, velocities and efforts of all joints.
    /// Allocates nothing, closures aside.
    ///
    /// ```text
    /// position 2 w Jᵀ e      orientation 2 w J_ωᵀ R_goal e      energy w (½ vᵀ ∂M/∂q v, M v)
    /// ```
    ///
    /// # Panics
    /// On a slice of the wrong length.
    pub fn add_gradient(
        &self,
        model: &Model<f64>,
        ws: &mut CostWorkspace,
        row: &Row<'_, f64>,
        by_q: &mut [f64],
        by_v: &mut [f64],
        by_effort: &mut [f64],
    ) {
        let n = model.joints().len();
        for (list, name) in [(&*by_q, "by_q"), (by_v, "by_v"), (by_effort, "by_effort")] {
            assert_eq!(list.len(), n, "length of {name}");
        }
        self.place(model, &mut ws.ws, row);
        ws.pulls.clear();
        for term in self.terms() {
            let share = term.share(row);
            if share == 0.0 {
                continue;
            }
            match &term.quantity {
                Quantity::FramePosition { frame, goal } => {
                    let e = frame_pose_placed(model, &ws.ws, *frame).position - vector(*goal);
                    ws.pulls.push(Wrench {
                        frame: *frame,
                        force: e * (2.0 * share),
                        moment: vector([0.0; 3]),
                    });
                }
                Quantity::FrameOrientation { frame, goal } => {
                    // The error is its own rotation's axis: a turn on the left changes its square by twice their product.
                    let e = turn_error(goal, &frame_pose_placed(model, &ws.ws, *frame));
                    let moment = mul(&goal_rotation(goal), &e) * (2.0 * share);
                    ws.pulls.push(Wrench { frame: *frame, force: vector([0.0; 3]), moment });
                }
                Quantity::JointPosition { joint, goal } => {
                    by_q[*joint] += 2.0 * share * (row.q[*joint] - goal);
                }
                Quantity::JointVelocity { joint, goal } => {
                    by_v[*joint] += 2.0 * share * (row.v[*joint] - goal);
                }
                Quantity::EffortSquared => {
                    by_effort.iter_mut().zip(row.effort).for_each(|(x, u)| *x += 2.0 * share * u);
                }
                Quantity::KineticEnergy => {
                    let CostWorkspace { ws, power, still, .. } = &mut *ws;
                    place(model, ws, row.q);
                    place_world(model, ws);
                    let (motion, none) = ((&still[..], row.v), Loads::none());
                    virtual_power_placed(model, ws, motion, row.v, &vector([0.0; 3]), &none, power);
                    by_q.iter_mut().zip(&power.by_position).for_each(|(x, y)| *x += 0.5 * share * y);
                    by_v.iter_mut().zip(&power.by_acceleration).for_each(|(x, y)| *x += share * y);
                }
                Quantity::Own(own) => {
                    let Some(room) = &mut ws.own else { continue };
                    room.each_pass(own, row, |first, value, _| {
                        for (lane, slope) in value.tangents.iter().enumerate() {
                            let i = first + lane;
                            match i / n.max(1) {
                                0 => by_q[i] += share * slope,
                                1 => by_v[i - n] += share * slope,
                                2 => by_effort[i - 2 * n] += share * slope,
                                _ => {}
                            }
                        }
                    });
                }
            }
        }
        // All frames in one pass.
        if !ws.pulls.is_empty() {
            add_efforts_placed(model, &mut ws.ws, &ws.pulls, by_q);
        }
    }
}

impl OwnWorkspace {
    /// A closure over a row by all of its numbers: positions, velocities and efforts, eight at a time. `each(first, value,
    /// errors)`.
    pub(super) fn each_pass(
        &mut self,
        own: &Own,
        row: &Row<'_, f64>,
        mut each: impl FnMut(usize, Lanes, &[Lanes]),
    ) {
        let n = row.q.len();
        let all = row.q.iter().chain(row.v).chain(row.effort);
        self.row.iter_mut().zip(all).for_each(|(to, x)| *to = Lanes::from_f64(*x));
        for first in (0..3 * n).step_by(WIDTH) {
            let seeded = first..(first + WIDTH).min(3 * n);
            for i in seeded.clone() {
                self.row[i] = Tangents::variable(self.row[i].value, i - first);
            }
            let sample = Sample::new(&self.model, &parts(&self.row, row), &mut self.lanes.room);
            let value = own.evaluate(&sample, &mut self.lanes.numbers);
            each(first, value, &self.lanes.numbers);
            for i in seeded {
                self.row[i] = Lanes::from_f64(self.row[i].value);
            }
        }
    }
}
