//! Gauss–Newton blocks: the second derivatives that errors' first ones make.

use super::value::{goal_rotation, turn_error};
use super::{CostWorkspace, Objective, Quantity, Row};
use crate::dynamics::{frame_jacobian_placed, frame_pose_placed, mass_matrix};
use crate::model::Model;
use crate::spatial::{Matrix, Vector, skew};

/// `2 w Jᵀ J` of all terms: symmetric, positive semidefinite, of all joints.
#[derive(Clone, Debug, PartialEq)]
pub struct CostBlocks {
    /// By positions, then velocities: `2n × 2n`, row by row.
    pub by_state: Vec<f64>,
    /// By positions and velocities, and efforts: `2n × n`, row by row. Closures alone make any.
    pub by_both: Vec<f64>,
    /// By efforts: `n × n`.
    pub by_effort: Vec<f64>,
    /// One error's derivatives by positions, velocities and efforts.
    slopes: Vec<f64>,
}

impl CostBlocks {
    /// Zero, for a machine.
    pub fn new(model: &Model<f64>) -> Self {
        let n = model.joints().len();
        CostBlocks {
            by_state: vec![0.0; 4 * n * n],
            by_both: vec![0.0; 2 * n * n],
            by_effort: vec![0.0; n * n],
            slopes: vec![0.0; 3 * n],
        }
    }

    /// Zero again.
    pub fn clear(&mut self) {
        [&mut self.by_state, &mut self.by_both, &mut self.by_effort].into_iter().for_each(|m| m.fill(0.0));
    }

    /// Adds `k s sᵀ` of one error's slopes.
    fn add(&mut self, k: f64, s: &[f64]) {
        let n = s.len() / 3;
        let (state, effort) = s.split_at(2 * n);
        let outer = |matrix: &mut [f64], rows: &[f64], columns: &[f64]| {
            for (row, a) in matrix.chunks_exact_mut(columns.len().max(1)).zip(rows) {
                row.iter_mut().zip(columns).for_each(|(x, b)| *x += k * a * b);
            }
        };
        outer(&mut self.by_state, state, state);
        outer(&mut self.by_both, state, effort);
        outer(&mut self.by_effort, effort, effort);
    }
}

impl Objective {
    /// Adds the Gauss–Newton blocks of what a row counts for: `2 w Jᵀ J` with `J = ∂e/∂(q, v, u)`; of the kinetic energy `w M` by
    /// velocities. A closure that gives a value and no errors adds nothing.
    ///
    /// # Panics
    /// On a slice of the wrong length.
    pub fn add_gauss_newton(
        &self,
        model: &Model<f64>,
        ws: &mut CostWorkspace,
        row: &Row<'_, f64>,
        blocks: &mut CostBlocks,
    ) {
        let n = model.joints().len();
        assert_eq!(blocks.slopes.len(), 3 * n, "blocks made for a machine with as many joints");
        self.place(model, &mut ws.ws, row);
        let mut slopes = std::mem::take(&mut blocks.slopes);
        for term in self.terms() {
            let share = term.share(row);
            if share == 0.0 {
                continue;
            }
            let twice = 2.0 * share;
            slopes.fill(0.0);
            match &term.quantity {
                Quantity::FramePosition { frame, .. } => {
                    frame_jacobian_placed(model, &ws.ws, *frame, &mut ws.jacobian);
                    for k in 0..3 {
                        slopes[..n].copy_from_slice(&ws.jacobian[k * n..(k + 1) * n]);
                        blocks.add(twice, &slopes);
                    }
                }
                Quantity::FrameOrientation { frame, goal } => {
                    frame_jacobian_placed(model, &ws.ws, *frame, &mut ws.jacobian);
                    let e = turn_error(goal, &frame_pose_placed(model, &ws.ws, *frame));
                    let turn = inverse_left(&e) * goal_rotation::<f64>(goal).transpose();
                    for k in 0..3 {
                        for (j, slope) in slopes[..n].iter_mut().enumerate() {
                            *slope = (0..3).map(|l| turn[(k, l)] * ws.jacobian[(3 + l) * n + j]).sum();
                        }
                        blocks.add(twice, &slopes);
                    }
                }
                Quantity::JointPosition { joint, .. } => {
                    blocks.by_state[joint * (2 * n + 1)] += twice;
                }
                Quantity::JointVelocity { joint, .. } => {
                    blocks.by_state[(n + joint) * (2 * n + 1)] += twice;
                }
                Quantity::EffortSquared => {
                    (0..n).for_each(|j| blocks.by_effort[j * (n + 1)] += twice);
                }
                Quantity::KineticEnergy => {
                    mass_matrix(model, &mut ws.ws, row.q, &[], &mut ws.mass);
                    for (i, mass) in ws.mass.chunks_exact(n.max(1)).enumerate() {
                        let to = &mut blocks.by_state[(n + i) * 2 * n + n..][..n];
                        to.iter_mut().zip(mass).for_each(|(x, m)| *x += share * m);
                    }
                }
                Quantity::Own(own) => {
                    let (Some(count), Some(room)) = (own.errors, &mut ws.own) else { continue };
                    let mut all = std::mem::take(&mut room.slopes);
                    all.clear();
                    all.resize(count * 3 * n, 0.0);
                    room.each_pass(own, row, |first, _, errors| {
                        for (e, row) in errors.iter().zip(all.chunks_exact_mut(3 * n)) {
                            row[first..].iter_mut().zip(e.tangents).for_each(|(to, x)| *to = x);
                        }
                    });
                    all.chunks_exact(3 * n).for_each(|row| blocks.add(twice, row));
                    room.slopes = all;
                }
            }
        }
        blocks.slopes = slopes;
    }
}

/// `∂ log(exp(d) R)/∂d` at `d = 0`, `e = log R`: `1 − ½ [e]× + k [e]×²`, `k = 1/θ² − (1 + cos θ)/(2 θ sin θ)`.
fn inverse_left(e: &Vector<f64>) -> Matrix<f64> {
    let square = e.norm_squared();
    let k = if square < 1e-4 {
        1.0 / 12.0 + square / 720.0
    } else {
        let half = 0.5 * square.sqrt();
        (1.0 - half / half.tan()) / square
    };
    let cross = skew(e);
    Matrix::identity() - cross * 0.5 + cross * cross * k
}
