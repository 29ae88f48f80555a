//! Scratch of a step, allocated once.

use super::impulse::{Bounds, Solution};
use crate::dynamics::Workspace;
use crate::model::Model;
use crate::real::Real;

/// Everything a step needs besides its arguments: make one per thread and reuse it. Undefined between calls.
#[derive(Clone, Debug)]
pub struct StepWorkspace<T> {
    /// For the smooth algorithms.
    pub dynamics: Workspace<T>,
    /// `Ms`, row by row.
    pub(crate) start: Vec<T>,
    /// `A = Me + dt D`, row by row.
    pub(crate) system: Vec<T>,
    /// `h`.
    pub(crate) bias: Vec<T>,
    /// `y = A v*`.
    pub(crate) momentum: Vec<T>,
    pub(crate) bounds: Vec<Bounds<T>>,
    pub(crate) solution: Solution<T>,
    /// `G`, and the matrix of the gyroscopic turn.
    pub(crate) gyroscopic: Vec<T>,
    pub(crate) turn: Vec<T>,
    /// `S_k` of one frame, three rows.
    pub(crate) angular: Vec<T>,
    /// The ledger's: mean velocity, and a product or impulse.
    pub(crate) mean: Vec<T>,
    pub(crate) product: Vec<T>,
}

impl<T: Real> StepWorkspace<T> {
    /// A workspace for a model, and for every model with as many joints.
    pub fn new(model: &Model<T>) -> Self {
        let n = model.joints().len();
        let (row, square) = (|| vec![T::zero(); n], || vec![T::zero(); n * n]);
        StepWorkspace {
            dynamics: Workspace::new(model),
            start: square(),
            system: square(),
            bias: row(),
            momentum: row(),
            bounds: vec![Bounds::free(); n],
            solution: Solution::new(n),
            gyroscopic: square(),
            turn: square(),
            angular: vec![T::zero(); 3 * n],
            mean: row(),
            product: row(),
        }
    }
}
