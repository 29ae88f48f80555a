//! What a solve is given, and how far from solved something is.

use crate::real::Real;
use crate::switch::lexicographic_sign;

/// What bounds one joint over one step. A law the joint does not have is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<T> {
    /// Friction's impulse `dt μ`, N m s; N s.
    pub friction: Option<T>,
    /// Least velocity, `(lo − q)/dt`, rad/s; m/s.
    pub lower: Option<T>,
    /// Largest velocity, `(hi − q)/dt`, rad/s; m/s.
    pub upper: Option<T>,
}

impl<T: Real> Bounds<T> {
    /// None at all.
    pub fn free() -> Self {
        Bounds { friction: None, lower: None, upper: None }
    }

    /// Whether there is room between the bounds.
    pub(crate) fn is_wide(&self) -> bool {
        match (self.lower, self.upper) {
            (Some(lower), Some(upper)) => lexicographic_sign(upper - lower) > 0,
            _ => true,
        }
    }

    /// Without tangents.
    pub(crate) fn primal(&self) -> Bounds<f64> {
        let value = |x: Option<T>| x.map(|x| x.primal());
        Bounds { friction: value(self.friction), lower: value(self.lower), upper: value(self.upper) }
    }
}

/// A step's impulse problem.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a, T> {
    /// `A`, symmetric positive definite, row by row, whole.
    pub matrix: &'a [T],
    /// `y = A v*`: the velocity the step would have, in momentum.
    pub momentum: &'a [T],
    /// Each joint's bounds.
    pub bounds: &'a [Bounds<T>],
}

impl<T: Real> Problem<'_, T> {
    /// Number of joints.
    pub fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Whether there are no joints.
    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }

    /// A row of `A`.
    pub(crate) fn row(&self, j: usize) -> &[T] {
        let n = self.len();
        &self.matrix[j * n..(j + 1) * n]
    }

    /// The impulse that joint `j` needs for these velocities, `(A v − y)_j`.
    pub(crate) fn impulse(&self, j: usize, velocity: &[T]) -> T {
        crate::dynamics::ldl::dot(self.row(j), velocity) - self.momentum[j]
    }
}

/// The best velocity of one joint, the others as they are: `clamp(soft(v − p/A_jj, dt μ/A_jj), lo, hi)`.
///
/// `rest` is the impulse it would need to stand still, so that sticking is decided between impulses.
pub(crate) fn best(rest: f64, inertia: f64, bounds: &Bounds<f64>) -> f64 {
    let friction = bounds.friction.unwrap_or(0.0);
    let velocity = if rest > friction {
        (friction - rest) / inertia
    } else if rest < -friction {
        -(friction + rest) / inertia
    } else {
        0.0
    };
    let velocity = bounds.lower.map_or(velocity, |l| velocity.max(l));
    bounds.upper.map_or(velocity, |u| velocity.min(u))
}

/// How far velocities are from the answer, in impulse (N m s; N s):
/// `max_j A_jj |v_j − clamp(soft(v_j − p_j/A_jj, dt μ_j/A_jj), lo_j, hi_j)|` with `p = A v − y`.
///
/// Zero exactly at the answer; NaN where something is not finite.
///
/// # Panics
/// On a slice of the wrong length.
pub fn residual(problem: &Problem<f64>, velocity: &[f64]) -> f64 {
    off_by_most(problem, velocity, |j| problem.impulse(j, velocity))
}

/// The residual, from impulses at hand.
pub(crate) fn off_by_most(problem: &Problem<f64>, velocity: &[f64], impulse: impl Fn(usize) -> f64) -> f64 {
    let mut worst = 0.0;
    for (j, (v, bounds)) in velocity.iter().zip(problem.bounds).enumerate() {
        let inertia = problem.row(j)[j];
        let rest = impulse(j) - inertia * v;
        let off = inertia * (v - best(rest, inertia, bounds)).abs();
        if off.is_nan() {
            return f64::NAN;
        }
        worst = f64::max(worst, off);
    }
    worst
}
