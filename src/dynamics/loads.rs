//! What acts on frames.

use crate::real::Real;
use crate::spatial::{Symmetric, Vector};

/// A force and a moment on a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench<T> {
    /// The frame's index.
    pub frame: usize,
    /// N, world axes, at the frame's origin, on the robot.
    pub force: Vector<T>,
    /// N m, world axes.
    pub moment: Vector<T>,
}

/// Rotational inertia that a frame carries: adds `S_kᵀ C S_k` to `M` and its velocity terms to `h`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried<T> {
    /// The frame's index.
    pub frame: usize,
    /// `C`, kg m², world axes; may be indefinite while `M` is not.
    pub tensor: Symmetric<T>,
}

/// What acts on the frames besides gravity.
#[derive(Clone, Copy, Debug)]
pub struct Loads<'a, T> {
    /// Wrenches.
    pub wrenches: &'a [Wrench<T>],
    /// Carried rotational inertia.
    pub carried: &'a [Carried<T>],
}

impl<T: Real> Loads<'_, T> {
    /// Nothing.
    pub fn none() -> Self {
        Loads { wrenches: &[], carried: &[] }
    }

    /// Whether nothing acts.
    pub(crate) fn is_none(&self) -> bool {
        self.wrenches.is_empty() && self.carried.is_empty()
    }
}
