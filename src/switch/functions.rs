//! The piecewise functions of the laws: a side is chosen first, then values are selected.

use super::{Choice, Choices, Switch, lexicographic_sign};
use crate::real::Real;

/// Below, inside or above the bounds, by the lexicographic order; `open` at an undecided bound.
#[inline]
fn place_between<T: Real>(x: T, lo: Option<T>, hi: Option<T>) -> Choice {
    let below = lo.map_or(1, |lo| lexicographic_sign(x - lo));
    let above = hi.map_or(1, |hi| lexicographic_sign(hi - x));
    let piece = if below < 0 {
        -1
    } else if above < 0 {
        1
    } else {
        0
    };
    Choice { piece, open: piece == 0 && (below == 0 || above == 0) }
}

/// `−1` below `lo`, `0` between, `1` above `hi`, for `lo ≤ hi`, either of which may be absent. An undecided tie counts as
/// between.
#[inline]
pub fn side<T: Real>(
    x: T,
    lo: Option<T>,
    hi: Option<T>,
    choices: &mut Choices,
    switch: &Switch,
    instance: u64,
) -> i8 {
    choices.choose(switch, instance, || place_between(x, lo, hi))
}

/// `min(max(x, lo), hi)` for `lo ≤ hi`, either of which may be absent. An undecided tie counts as inside.
///
/// # Derivative
/// That of the piece: 1 by `x` inside; 1 by the bound outside. Two kinks, order 0.
#[inline]
pub fn clamp<T: Real>(
    x: T,
    lo: Option<T>,
    hi: Option<T>,
    choices: &mut Choices,
    switch: &Switch,
    instance: u64,
) -> T {
    match side(x, lo, hi, choices, switch, instance) {
        -1 => lo.unwrap_or(x),
        0 => x,
        _ => hi.unwrap_or(x),
    }
}

/// Soft threshold `sign(x) max(|x| − a, 0)` for `a ≥ 0`. An undecided tie counts as held at zero.
///
/// # Derivative
/// 0 within `±a`; outside 1 by `x` and `∓1` by `a`. Two kinks, order 0.
#[inline]
pub fn soft<T: Real>(x: T, a: T, choices: &mut Choices, switch: &Switch, instance: u64) -> T {
    let piece = choices.choose(switch, instance, || place_between(x, Some(-a), Some(a)));
    soften(x, a, piece)
}

/// [`soft`] for an indicator: nothing is computed from it, so its choice is not kept.
#[inline]
pub(crate) fn softened<T: Real>(x: T, a: T) -> T {
    soften(x, a, place_between(x, Some(-a), Some(a)).piece)
}

#[inline]
fn soften<T: Real>(x: T, a: T, piece: i8) -> T {
    match piece {
        -1 => x + a,
        0 => T::zero(),
        _ => x - a,
    }
}

/// Whether `x` is above `y`. An undecided tie is not.
#[inline]
pub fn exceeds<T: Real>(x: T, y: T, choices: &mut Choices, switch: &Switch, instance: u64) -> bool {
    let piece = choices.choose(switch, instance, || match lexicographic_sign(x - y) {
        1 => Choice { piece: 1, open: false },
        s => Choice { piece: -1, open: s == 0 },
    });
    piece > 0
}

/// The larger of two. An undecided tie takes the first. A kink, order 0.
#[inline]
pub fn max<T: Real>(a: T, b: T, choices: &mut Choices, switch: &Switch, instance: u64) -> T {
    if exceeds(b, a, choices, switch, instance) { b } else { a }
}

/// `−1`, `0` or `1`: the sign of `x`, zero only at an undecided tie. A jump, order −1.
#[inline]
pub fn sign<T: Real>(x: T, choices: &mut Choices, switch: &Switch, instance: u64) -> T {
    let piece = choices.choose(switch, instance, || {
        let piece = lexicographic_sign(x);
        Choice { piece, open: piece == 0 }
    });
    T::from_f64(f64::from(piece))
}

/// `|x|`. A kink, order 0; at an undecided tie the derivative is 0.
#[inline]
pub fn abs<T: Real>(x: T, choices: &mut Choices, switch: &Switch, instance: u64) -> T {
    x * sign(x, choices, switch, instance)
}
