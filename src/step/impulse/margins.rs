//! How far a joint is from the next pieces of its graph.

use super::Bounds;
use crate::real::Real;
use crate::switch::{is_tie, nearer_zero, softened};

/// Indicators of a joint's switches in the units of the impulse problem; `None` where the joint does not have the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins<T> {
    /// What friction leaves of the free velocity, less the lower bound, rad/s; m/s.
    pub lower: Option<T>,
    /// The upper bound, less what friction leaves of the free velocity.
    pub upper: Option<T>,
    /// The impulse that would stop the joint, `−v_free/W_jj`, plus friction's, N m s; N s.
    pub friction_low: Option<T>,
    /// Friction's impulse, less the one that would stop the joint.
    pub friction_high: Option<T>,
}

impl<T: Real> Margins<T> {
    /// Of a joint without any law.
    pub fn none() -> Self {
        Margins { lower: None, upper: None, friction_low: None, friction_high: None }
    }

    /// From a free velocity and the compliance `W_jj`.
    pub(crate) fn of(bounds: &Bounds<T>, free: T, compliance: T) -> Self {
        let left = bounds.friction.map_or(free, |most| softened(free, compliance * most));
        let stopping = free / compliance;
        Margins {
            lower: bounds.lower.map(|lower| left - lower),
            upper: bounds.upper.map(|upper| upper - left),
            friction_low: bounds.friction.map(|most| most - stopping),
            friction_high: bounds.friction.map(|most| most + stopping),
        }
    }

    /// Exactly on a switch, with no tangent to say which side.
    pub(crate) fn is_tied(&self) -> bool {
        [self.lower, self.upper, self.friction_low, self.friction_high].into_iter().flatten().any(is_tie)
    }

    /// Of two visits, the nearer to each switch.
    pub(crate) fn nearer(self, other: Self) -> Self {
        let near = |a: Option<T>, b: Option<T>| a.zip(b).map(|(a, b)| nearer_zero(a, b)).or(a).or(b);
        Margins {
            lower: near(self.lower, other.lower),
            upper: near(self.upper, other.upper),
            friction_low: near(self.friction_low, other.friction_low),
            friction_high: near(self.friction_high, other.friction_high),
        }
    }
}
