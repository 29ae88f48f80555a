//! Rows of matrices, exact in length: on arms of six to twelve joints padding to whole registers costs more than the
//! remainders do.

use crate::real::Real;

/// `x ← x + c y`.
#[inline(always)]
pub(crate) fn add_scaled<T: Real>(x: &mut [T], y: &[T], c: T) {
    for (x, y) in x.iter_mut().zip(y) {
        *x = c.mul_add(*y, *x);
    }
}

/// `x ← x + c₀ y₀ + c₁ y₁`, reading and writing `x` once.
#[inline(always)]
pub(crate) fn add_two<T: Real>(x: &mut [T], y: [&[T]; 2], c: [T; 2]) {
    let n = x.len();
    let (first, second) = (&y[0][..n], &y[1][..n]);
    for j in 0..n {
        x[j] = c[1].mul_add(second[j], c[0].mul_add(first[j], x[j]));
    }
}
