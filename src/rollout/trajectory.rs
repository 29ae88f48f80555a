//! The rows of a run.

use crate::step::{Indicators, Piece};

/// What one segment did: row `k` holds the state at `t_k` and what acted in the step that ended there.
///
/// Row 0 is the start: nothing has acted yet, so efforts, impulses and indicators are zero; pieces are `stick` where a
/// joint has friction and `free` where it has not. All rows are allocated before the run; `rows` of them are filled.
#[derive(Clone, Debug)]
pub struct Trajectory {
    /// Filled rows.
    pub rows: usize,
    /// Joints in a row.
    pub joints: usize,
    /// Frames in a row.
    pub frames: usize,
    /// Positions, rad; m; `joints` a row, as all down to `indicators`.
    pub q: Vec<f64>,
    /// Velocities, rad/s; m/s.
    pub v: Vec<f64>,
    /// Efforts, N m; N. Kinematic: commanded positions, rad; m.
    pub input: Vec<f64>,
    /// N m s; N s.
    pub friction_impulse: Vec<f64>,
    /// N m s; N s.
    pub stop_impulse: Vec<f64>,
    /// Where each joint was on its graph.
    pub pieces: Vec<Piece>,
    /// Each joint's indicators.
    pub indicators: Vec<Indicators<f64>>,
    /// World poses `x y z qw qx qy qz`, `frames` a row; quaternions without jumps of sign.
    pub poses: Vec<[f64; 7]>,
    /// World angular velocities, rad/s, `frames` a row.
    pub angular: Vec<[f64; 3]>,
    /// J; one a row, as all below.
    pub kinetic: Vec<f64>,
    /// J.
    pub potential: Vec<f64>,
    /// What the solve left, N m s or N s.
    pub residual: Vec<f64>,
    /// Whether the solve settled.
    pub settled: Vec<bool>,
}

impl Trajectory {
    /// Room for `rows` rows of a machine with so many joints and frames, none filled.
    pub fn new(rows: usize, joints: usize, frames: usize) -> Self {
        let each = || Vec::with_capacity(rows * joints);
        Trajectory {
            rows: 0,
            joints,
            frames,
            q: each(),
            v: each(),
            input: each(),
            friction_impulse: each(),
            stop_impulse: each(),
            pieces: Vec::with_capacity(rows * joints),
            indicators: Vec::with_capacity(rows * joints),
            poses: Vec::with_capacity(rows * frames),
            angular: Vec::with_capacity(rows * frames),
            kinetic: Vec::with_capacity(rows),
            potential: Vec::with_capacity(rows),
            residual: Vec::with_capacity(rows),
            settled: Vec::with_capacity(rows),
        }
    }

    /// How many numbers a row of such a machine holds.
    pub fn numbers(joints: usize, frames: usize) -> usize {
        14 * joints + 10 * frames + 4
    }

    /// One row's part of a list with `joints` a row.
    pub fn of<'a, X>(&self, list: &'a [X], row: usize) -> &'a [X] {
        &list[row * self.joints..(row + 1) * self.joints]
    }

    /// The last row once more: a segment between two of its own steps.
    pub(super) fn repeat(&mut self) {
        fn again<X: Clone>(list: &mut Vec<X>, width: usize) {
            list.extend_from_within(list.len() - width..);
        }
        let (joints, frames) = (self.joints, self.frames);
        for list in
            [&mut self.q, &mut self.v, &mut self.input, &mut self.friction_impulse, &mut self.stop_impulse]
        {
            again(list, joints);
        }
        again(&mut self.pieces, joints);
        again(&mut self.indicators, joints);
        again(&mut self.poses, frames);
        again(&mut self.angular, frames);
        for list in [&mut self.kinetic, &mut self.potential, &mut self.residual] {
            again(list, 1);
        }
        again(&mut self.settled, 1);
        self.rows += 1;
    }

    /// A pose with the quaternion's sign nearest to the row before; in the first row its own, `qw ≥ 0`.
    pub(super) fn push_pose(&mut self, mut pose: [f64; 7]) {
        if let Some(before) = self.poses.len().checked_sub(self.frames) {
            let along: f64 = self.poses[before][3..].iter().zip(&pose[3..]).map(|(a, b)| a * b).sum();
            if along < 0.0 {
                pose[3..].iter_mut().for_each(|x| *x = -*x);
            }
        }
        self.poses.push(pose);
    }
}
