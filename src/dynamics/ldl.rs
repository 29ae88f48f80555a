//! A small dense factorisation for symmetric positive definite matrices: `A = Uᵀ D U`, `U` unit upper triangular.
//!
//! The scalar has no order, so nothing here pivots; a positive definite matrix needs none. Matrices are row by row,
//! and every inner loop runs along a row. References: Golub & Van Loan 2013, section 4.1.

use super::{assert_len, rows};
use crate::real::Real;

/// Factor in place: `D` on the diagonal, `U` above it; below the diagonal nothing is read or written.
///
/// A matrix that is not positive definite leaves entries of `D` that are not positive, or numbers that are not finite.
///
/// # Panics
/// When `a` is not `n × n`.
pub fn factor<T: Real>(a: &mut [T], n: usize) {
    assert_len!(a, n * n, "a: n × n");
    for k in 0..n {
        let (head, tail) = a.split_at_mut((k + 1) * n);
        let row = &mut head[k * n..][k..n];
        let (pivot, above) = row.split_at_mut(1);
        let inverse = pivot[0].recip();
        for (i, lower) in tail.chunks_exact_mut(n.max(1)).enumerate() {
            let scale = -(above[i] * inverse);
            for (x, y) in lower[k + 1 + i..].iter_mut().zip(&above[i..]) {
                *x = scale.mul_add(*y, *x);
            }
        }
        above.iter_mut().for_each(|x| *x *= inverse);
    }
}

/// `x ← A⁻¹ x` with the factors of [`factor`].
///
/// # Panics
/// On a slice of the wrong length.
pub fn solve<T: Real>(a: &[T], n: usize, x: &mut [T]) {
    assert_len!(a, n * n, "a: n × n");
    assert_len!(x, n, "x");
    for (k, row) in a.chunks_exact(n.max(1)).enumerate() {
        let (done, rest) = x.split_at_mut(k + 1);
        let xk = -done[k];
        for (x, u) in rest.iter_mut().zip(&row[k + 1..]) {
            *x = u.mul_add(xk, *x);
        }
    }
    for (k, row) in a.chunks_exact(n.max(1)).enumerate().rev() {
        let below = dot(&row[k + 1..], &x[k + 1..]);
        x[k] = x[k] / row[k] - below;
    }
}

/// `X ← A⁻¹ X` with the factors of [`factor`], `X` of `n` rows of `width` numbers.
///
/// # Panics
/// On a slice of the wrong length.
pub fn solve_rows<T: Real>(a: &[T], n: usize, x: &mut [T], width: usize) {
    assert_len!(a, n * n, "a: n × n");
    assert_len!(x, n * width, "x: n rows");
    if width == 0 {
        return;
    }
    for l in 0..n {
        // Less U_kl times the rows k above, which are done; two at a time.
        let (done, rest) = x.split_at_mut(l * width);
        let row = &mut rest[..width];
        let minus = |k: usize| -a[k * n + l];
        let mut pairs = done.chunks_exact(2 * width);
        for (pair, k) in (&mut pairs).zip((0..).step_by(2)) {
            let (first, second) = pair.split_at(width);
            rows::add_two(row, [first, second], [minus(k), minus(k + 1)]);
        }
        if l % 2 == 1 {
            rows::add_scaled(row, pairs.remainder(), minus(l - 1));
        }
    }
    for k in (0..n).rev() {
        let (head, below) = x.split_at_mut((k + 1) * width);
        let (row, u) = (&mut head[k * width..], &a[k * n..(k + 1) * n]);
        let inverse = u[k].recip();
        row.iter_mut().for_each(|x| *x *= inverse);
        let mut pairs = below.chunks_exact(2 * width);
        for (pair, l) in (&mut pairs).zip((k + 1..).step_by(2)) {
            let (first, second) = pair.split_at(width);
            rows::add_two(row, [first, second], [-u[l], -u[l + 1]]);
        }
        if (n - k - 1) % 2 == 1 {
            rows::add_scaled(row, pairs.remainder(), -u[n - 1]);
        }
    }
}

/// `xᵀ y`, summed in four running sums so that they can go in parallel.
#[inline]
pub(crate) fn dot<T: Real>(x: &[T], y: &[T]) -> T {
    let mut sums = [T::zero(); 4];
    let (mut a, mut b) = (x.chunks_exact(4), y.chunks_exact(4));
    for (x, y) in a.by_ref().zip(b.by_ref()) {
        for k in 0..4 {
            sums[k] = x[k].mul_add(y[k], sums[k]);
        }
    }
    for (x, y) in a.remainder().iter().zip(b.remainder()) {
        sums[0] = x.mul_add(*y, sums[0]);
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}
