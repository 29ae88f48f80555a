//! Scratch of a step, allocated once.

use super::group::Group;
use super::impulse::{Bounds, Solution};
use crate::dynamics::Workspace;
use crate::model::Model;
use crate::real::Real;

/// Everything a step needs besides its arguments: make one per thread and reuse it. Undefined between calls.
///
/// Of its vectors and matrices some have one entry a joint, some one an independent coordinate of coupled joints.
#[derive(Clone, Debug)]
pub struct StepWorkspace<T> {
    /// For the smooth algorithms.
    pub dynamics: Workspace<T>,
    /// A mass matrix of all joints, where some follow others.
    pub(crate) whole: Vec<T>,
    /// `Ms` of the coordinates, row by row.
    pub(crate) start: Vec<T>,
    /// `A = Me + dt D`, row by row.
    pub(crate) system: Vec<T>,
    /// Velocities of the coordinates, before and after the gyroscopic turn.
    pub(crate) rates: Vec<T>,
    pub(crate) turned: Vec<T>,
    /// `h`, one a joint.
    pub(crate) bias: Vec<T>,
    /// `y = A v*`.
    pub(crate) momentum: Vec<T>,
    /// Coulomb friction of the step, one a joint.
    pub(crate) friction: Vec<Option<T>>,
    pub(crate) groups: Vec<Group<T>>,
    pub(crate) bounds: Vec<Bounds<T>>,
    pub(crate) solution: Solution<T>,
    /// `G`, and the matrix of the gyroscopic turn.
    pub(crate) gyroscopic: Vec<T>,
    pub(crate) turn: Vec<T>,
    /// `S_k` of one frame, three rows: of all joints, and of the coordinates.
    pub(crate) angular: Vec<T>,
    pub(crate) spin: Vec<T>,
    /// One a joint: what drives, or moves on average; and a product or impulse.
    pub(crate) mean: Vec<T>,
    pub(crate) product: Vec<T>,
}

impl<T: Real> StepWorkspace<T> {
    /// A workspace for a model, and for every model with as many joints, of which as many follow others.
    pub fn new(model: &Model<T>) -> Self {
        let (n, r) = (model.joints().len(), model.coupling().independent().len());
        let (row, each) = (|| vec![T::zero(); r], || vec![T::zero(); n]);
        let square = || vec![T::zero(); r * r];
        StepWorkspace {
            dynamics: Workspace::new(model),
            whole: vec![T::zero(); if r < n { n * n } else { 0 }],
            start: square(),
            system: square(),
            rates: row(),
            turned: row(),
            bias: each(),
            momentum: row(),
            friction: vec![None; n],
            groups: vec![Group::none(); r],
            bounds: vec![Bounds::free(); r],
            solution: Solution::new(r),
            gyroscopic: square(),
            turn: square(),
            angular: vec![T::zero(); 3 * n],
            spin: vec![T::zero(); 3 * r],
            mean: each(),
            product: each(),
        }
    }
}
