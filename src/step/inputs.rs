//! What acts on an arm during one step.

use crate::dynamics::{Carried, Wrench};
use crate::spatial::Vector;

/// A rotor's spin on a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinMomentum<T> {
    /// The frame's index.
    pub frame: usize,
    /// `H`, N m s, world axes.
    pub value: Vector<T>,
}

/// What acts on an arm during one step, held over it.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a, T> {
    /// `u`, one a joint, N m; N.
    pub effort: &'a [T],
    /// Coulomb friction of this step, one a joint, not negative, N m; N: in place of the model's, for joints that have any
    /// there. Empty: the model's.
    pub friction: &'a [T],
    /// On frames, N, N m.
    pub wrenches: &'a [Wrench<T>],
    /// Of rotors, N m s.
    pub momenta: &'a [SpinMomentum<T>],
    /// Rotational inertia that frames carry at the start of the step, `C0`, kg m².
    pub carried_start: &'a [Carried<T>],
    /// And at its end, `C1`.
    pub carried_end: &'a [Carried<T>],
}

impl<'a, T> Inputs<'a, T> {
    /// Joint efforts alone.
    pub fn effort(effort: &'a [T]) -> Self {
        Inputs { effort, friction: &[], wrenches: &[], momenta: &[], carried_start: &[], carried_end: &[] }
    }
}
