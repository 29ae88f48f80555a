//! Vectors and matrix rows in whole blocks of eight numbers, so that every inner loop is a few full registers and no
//! remainder: on arms of six or seven joints the remainders would be most of the work.

use crate::real::Real;

/// Numbers in a block.
pub(crate) const WIDTH: usize = 8;

/// A block of numbers.
pub(crate) type Block<T> = [T; WIDTH];

/// Blocks that hold `n` numbers.
pub(crate) fn blocks(n: usize) -> usize {
    n.div_ceil(WIDTH)
}

/// Zeros for `rows` rows of `n` numbers.
pub(crate) fn zeros<T: Real>(rows: usize, n: usize) -> Vec<Block<T>> {
    vec![[T::zero(); WIDTH]; rows * blocks(n)]
}

/// `x ← x + c y`.
#[inline(always)]
pub(crate) fn add_scaled<T: Real>(x: &mut [Block<T>], y: &[Block<T>], c: T) {
    for (x, y) in x.iter_mut().zip(y) {
        for l in 0..WIDTH {
            x[l] = c.mul_add(y[l], x[l]);
        }
    }
}

/// `x ← c x`.
#[inline(always)]
pub(crate) fn scale<T: Real>(x: &mut [Block<T>], c: T) {
    for block in x {
        for x in block {
            *x *= c;
        }
    }
}

/// `x ← x + Σ c_k y_k` for four rows.
#[inline(always)]
fn add_four<T: Real>(x: &mut [Block<T>], y: [&[Block<T>]; 4], c: &[T]) {
    let rows = y[0].iter().zip(y[1]).zip(y[2].iter().zip(y[3]));
    for (x, ((y0, y1), (y2, y3))) in x.iter_mut().zip(rows) {
        for l in 0..WIDTH {
            let first = c[1].mul_add(y1[l], c[0].mul_add(y0[l], x[l]));
            x[l] = c[3].mul_add(y3[l], c[2].mul_add(y2[l], first));
        }
    }
}

/// `x ← x + Σ_k c_k rows_k`, rows of `stride` blocks, each from block `from` on; four at a time.
#[inline(always)]
pub(crate) fn add_rows<T: Real>(x: &mut [Block<T>], rows: &[Block<T>], stride: usize, from: usize, c: &[T]) {
    let row = |k: usize| &rows[k * stride + from..(k + 1) * stride];
    let fours = c.len() / 4 * 4;
    for k in (0..fours).step_by(4) {
        add_four(x, [row(k), row(k + 1), row(k + 2), row(k + 3)], &c[k..k + 4]);
    }
    for k in fours..c.len() {
        add_scaled(x, row(k), c[k]);
    }
}

/// `xᵀ y`.
#[inline(always)]
pub(crate) fn dot<T: Real>(x: &[Block<T>], y: &[Block<T>]) -> T {
    let mut sums = [T::zero(); WIDTH];
    for (x, y) in x.iter().zip(y) {
        for l in 0..WIDTH {
            sums[l] = x[l].mul_add(y[l], sums[l]);
        }
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}
