//! The only room that compares scalars: every choice in every law is written down here.
//!
//! A **switch** is a place where a law picks a piece by the sign of an **indicator** `g`. It is declared once, by the
//! law that owns it, as a [`Switch`]; every pick passes through [`Choices`], which can record the sides taken and
//! replay them. At `g = 0` exactly, the side is that of the first nonzero tangent of `g`, in seed order: the
//! lexicographic directional derivative, an element of the generalized derivative.
//!
//! | type | holds |
//! |---|---|
//! | [`Switch`] | name, indicator in words, unit, order per output group, route to exact |
//! | [`Choices`] | decides, records or replays, step by step |
//! | [`Script`] | the sides taken, keyed by step, owner and instance |
//! | [`Observer`] | watches switches through a run, without allocating |
//! | [`StepStatus`], [`GradientStatus`] | what a derivative through a step, or a run, is worth |
//! | [`Gradient`] | derivatives that cannot be had without their status |
//! | [`side`], [`clamp`], [`soft`], [`max`], [`exceeds`], [`abs`], [`sign`] | the piecewise functions of the laws, select-shaped |
//!
//! References: Nesterov 2005; Khan & Barton 2015; Griewank & Walther 2008, chapter 14.

mod choices;
mod functions;
mod gradient;
mod mark;
mod near;
mod observer;
mod reach;
mod status;
mod step_status;

pub use choices::{Choice, Choices, Place, Script};
pub(crate) use functions::softened;
pub use functions::{abs, clamp, exceeds, max, side, sign, soft};
pub use gradient::Gradient;
pub use near::{GroupStatus, Near, Undecided, Vanishing};
pub(crate) use observer::Source;
pub use observer::{Observer, Watch};
pub(crate) use reach::{Coordinate, Family, Motion};
pub use status::{Declared, GradientStatus, Observed};
pub(crate) use step_status::{Break, Seen, reading};
pub use step_status::{StepNear, StepStatus};

use crate::real::Real;

/// A declared switch of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Switch {
    /// Its name, for instance `arm.stop.low`.
    pub name: &'static str,
    /// What is compared with zero, in words.
    pub indicator: &'static str,
    /// The indicator's unit.
    pub unit: &'static str,
    /// Output groups with the order of the non-smoothness there: `0` a kink, `-1` a jump.
    pub orders: &'static [(&'static str, i8)],
    /// How to get an exact derivative through it, or why there is none.
    pub route: &'static str,
}

/// The sign of `x` in the lexicographic order: its primal's, at zero the first nonzero tangent's, else 0.
#[inline]
pub(crate) fn lexicographic_sign<T: Real>(x: T) -> i8 {
    let p = x.primal();
    if p > 0.0 {
        1
    } else if p < 0.0 {
        -1
    } else {
        x.tangent_sign()
    }
}

/// Zero, and no tangent says which way it goes.
#[inline]
pub(crate) fn is_tie<T: Real>(x: T) -> bool {
    lexicographic_sign(x) == 0
}

/// Index of the largest primal value: for a choice of gauge, of which no result depends.
pub(crate) fn largest<T: Real>(values: &[T]) -> usize {
    let mut best = 0;
    for (i, x) in values.iter().enumerate() {
        if x.primal() > values[best].primal() {
            best = i;
        }
    }
    best
}

/// `x` with its value, not its tangents, moved into the bounds where it is outside by no more than rounding.
///
/// Farther out, `x` is left alone: a replayed script put it there.
pub(crate) fn nudged<T: Real>(x: T, lo: Option<T>, hi: Option<T>) -> T {
    let value = x.primal();
    for (bound, outside) in [(lo, -1.0), (hi, 1.0)] {
        let Some(bound) = bound.map(|b| b.primal()) else { continue };
        let excess = outside * (value - bound);
        if excess > 0.0 && excess <= 16.0 * f64::EPSILON * (value.abs() + bound.abs() + 1.0) {
            return x.with_value(bound);
        }
    }
    x
}

/// Of two indicators of one switch, the one whose value is nearer to zero: a report, of which no result depends.
pub(crate) fn nearer_zero<T: Real>(a: T, b: T) -> T {
    if b.primal().abs() < a.primal().abs() { b } else { a }
}

/// Whether the primal value is below zero: for a choice of gauge, of which no result depends.
pub(crate) fn is_negative<T: Real>(x: T) -> bool {
    x.primal() < 0.0
}
