//! The piecewise functions of the laws: a side is chosen first, then values are selected.

use super::{Choice, Choices, Switch, lexicographic_sign};
use crate::real::Real;

/// Below, inside or above `[lo, hi]`, by the lexicographic order; `open` at an undecided bound.
#[inline]
fn place_between<T: Real>(x: T, lo: T, hi: T) -> Choice {
    let (below, above) = (lexicographic_sign(x - lo), lexicographic_sign(hi - x));
    let piece = if below < 0 {
        -1
    } else if above < 0 {
        1
    } else {
        0
    };
    Choice { piece, open: piece == 0 && (below == 0 || above == 0) }
}

/// `min(max(x, lo), hi)` for `lo ≤ hi`. An undecided tie counts as inside.
///
/// # Derivative
/// That of the piece: 1 by `x` inside; 1 by the bound outside. Two kinks, order 0.
#[inline]
pub fn clamp<T: Real>(x: T, lo: T, hi: T, choices: &mut Choices, switch: &Switch, instance: u64) -> T {
    match choices.choose(switch, instance, || place_between(x, lo, hi)) {
        -1 => lo,
        0 => x,
        _ => hi,
    }
}

/// Soft threshold `sign(x) max(|x| − a, 0)` for `a ≥ 0`. An undecided tie counts as held at zero.
///
/// # Derivative
/// 0 within `±a`; outside 1 by `x` and `∓1` by `a`. Two kinks, order 0.
#[inline]
pub fn soft<T: Real>(x: T, a: T, choices: &mut Choices, switch: &Switch, instance: u64) -> T {
    match choices.choose(switch, instance, || place_between(x, -a, a)) {
        -1 => x + a,
        0 => T::zero(),
        _ => x - a,
    }
}

/// The larger of two. An undecided tie takes the first.
#[inline]
pub fn max<T: Real>(a: T, b: T, choices: &mut Choices, switch: &Switch, instance: u64) -> T {
    let piece = choices.choose(switch, instance, || match lexicographic_sign(b - a) {
        1 => Choice { piece: 1, open: false },
        s => Choice { piece: -1, open: s == 0 },
    });
    if piece > 0 { b } else { a }
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
