//! Vectors and matrix rows in whole blocks of a few numbers, so that every inner loop is a few full registers and no
//! remainder: on arms of six or seven joints the remainders would be most of the work.

use crate::real::Real;

/// Numbers in a block: what fills two registers. With two lanes a register, wider blocks would mostly be padding on arms
/// of nine to twelve joints (a step of twelve: 6.4 µs in blocks of four, 11.8 in blocks of eight); with four lanes,
/// narrower ones cost a fifth on seven.
pub(crate) const WIDTH: usize = if cfg!(target_feature = "avx") { 8 } else { 4 };

/// A block of numbers, aligned so that none of `f64` crosses a cache line.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_feature = "avx", repr(align(64)))]
#[cfg_attr(not(target_feature = "avx"), repr(align(32)))]
pub(crate) struct Block<T>(pub [T; WIDTH]);

/// Number `j` of a row.
#[inline(always)]
pub(crate) fn at<T: Real>(row: &[Block<T>], j: usize) -> T {
    row[j / WIDTH].0[j % WIDTH]
}

/// Put number `j` of a row. A whole block must not be read soon after: it would wait for the write.
#[inline(always)]
pub(crate) fn put<T: Real>(row: &mut [Block<T>], j: usize, x: T) {
    row[j / WIDTH].0[j % WIDTH] = x;
}

/// Fill a row with `n ≥ 1` numbers, block by block; the last one is repeated beyond them, since a choice a lane would
/// cost more than the number.
#[inline(always)]
pub(crate) fn fill<T: Real>(row: &mut [Block<T>], n: usize, mut number: impl FnMut(usize) -> T) {
    for (block, first) in row.iter_mut().zip((0..).step_by(WIDTH)) {
        *block = Block(std::array::from_fn(|l| number((first + l).min(n - 1))));
    }
}

/// Zero the lanes of a block up to `last`, by products: again, without a choice a lane.
#[inline(always)]
pub(crate) fn clear_up_to<T: Real>(block: &mut Block<T>, last: usize) {
    const RIGHT: [[f64; WIDTH]; WIDTH] = {
        let mut right = [[0.0; WIDTH]; WIDTH];
        let mut last = 0;
        while last < WIDTH {
            let mut l = last + 1;
            while l < WIDTH {
                right[last][l] = 1.0;
                l += 1;
            }
            last += 1;
        }
        right
    };
    for (x, keep) in block.0.iter_mut().zip(&RIGHT[last]) {
        *x = x.scale(*keep);
    }
}

/// Blocks that hold `n` numbers.
pub(crate) fn blocks(n: usize) -> usize {
    n.div_ceil(WIDTH)
}

/// Zeros for `rows` rows of `n` numbers.
pub(crate) fn zeros<T: Real>(rows: usize, n: usize) -> Vec<Block<T>> {
    vec![Block([T::zero(); WIDTH]); rows * blocks(n)]
}

/// `x ← x + c y`.
#[inline(always)]
pub(crate) fn add_scaled<T: Real>(x: &mut [Block<T>], y: &[Block<T>], c: T) {
    for (x, y) in x.iter_mut().zip(y) {
        for l in 0..WIDTH {
            x.0[l] = c.mul_add(y.0[l], x.0[l]);
        }
    }
}

/// `x ← c x`.
#[inline(always)]
pub(crate) fn scale<T: Real>(x: &mut [Block<T>], c: T) {
    for block in x {
        for x in &mut block.0 {
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
            let first = c[1].mul_add(y1.0[l], c[0].mul_add(y0.0[l], x.0[l]));
            x.0[l] = c[3].mul_add(y3.0[l], c[2].mul_add(y2.0[l], first));
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
            sums[l] = x.0[l].mul_add(y.0[l], sums[l]);
        }
    }
    let mut half = WIDTH / 2;
    while half > 0 {
        for l in 0..half {
            let upper = sums[l + half];
            sums[l] += upper;
        }
        half /= 2;
    }
    sums[0]
}
