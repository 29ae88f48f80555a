//! Factors of a matrix that keep what still holds when joints change between moving and held.

use super::Piece;
use crate::dynamics::lanes::{self, Block, WIDTH};
use crate::real::Real;

/// `Pᵀ A P = Uᵀ D U` row by row, in an order that puts moving joints first: the leading rows factor `A_mm`, and all rows
/// factor `A`. A joint that changes sides costs the rows from its place on, not all of them.
#[derive(Clone, Debug)]
pub(crate) struct Factors<T> {
    /// Joint at each place.
    order: Vec<usize>,
    /// `U` right of its diagonal, row by row; zero in the diagonal's block left of it, anything before that block.
    upper: Vec<Block<T>>,
    /// `D`.
    pivots: Vec<T>,
    /// Leading rows that are right for the order.
    done: usize,
    next: Vec<usize>,
    place: Vec<usize>,
    line: Vec<T>,
    inverse: Vec<Block<T>>,
}

impl<T: Real> Factors<T> {
    pub fn new(n: usize) -> Self {
        Factors {
            order: (0..n).collect(),
            upper: lanes::zeros(n, n),
            pivots: vec![T::zero(); n],
            done: 0,
            next: Vec::with_capacity(n),
            place: vec![0; n],
            line: vec![T::zero(); n],
            inverse: lanes::zeros(n, n),
        }
    }

    /// Forget the matrix, and start from an order.
    pub fn begin(&mut self, order: impl Iterator<Item = usize>) {
        self.done = 0;
        self.order.clear();
        self.order.extend(order);
    }

    /// Forget the matrix; put the joints least likely to change sides first, since what changes last costs least.
    pub fn sort_by_confidence(&mut self, confidence: impl Fn(usize) -> f64) {
        self.order.sort_unstable_by(|&a, &b| confidence(b).total_cmp(&confidence(a)));
        self.done = 0;
    }

    /// Joint at each place, moving ones first after [`Factors::arrange`].
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Moving joints first, as they stood; what was factored before the first change is kept. Returns how many move.
    pub fn arrange(&mut self, pieces: &[Piece]) -> usize {
        let n = pieces.len();
        let moving = pieces.iter().filter(|p| !p.held()).count();
        if self.order[..moving].iter().all(|&j| !pieces[j].held()) {
            return moving;
        }
        self.next.clear();
        self.next.extend(self.order.iter().copied().filter(|&j| !pieces[j].held()));
        self.next.extend(self.order.iter().copied().filter(|&j| pieces[j].held()));
        let kept = (0..n).find(|&k| self.next[k] != self.order[k]).unwrap_or(n);
        self.done = self.done.min(kept);
        for (k, &j) in self.order.iter().enumerate() {
            self.place[j] = k;
        }
        let stride = lanes::blocks(n);
        for row in self.upper.chunks_exact_mut(stride).take(self.done) {
            for k in kept..n {
                self.line[k] = lanes::at(row, self.place[self.next[k]]);
            }
            for k in kept..n {
                lanes::put(row, k, self.line[k]);
            }
        }
        std::mem::swap(&mut self.order, &mut self.next);
        moving
    }

    /// Factor the leading rows that are not yet, of a symmetric matrix given row by row.
    pub fn extend(&mut self, matrix: &[T], upto: usize) {
        let n = self.order.len();
        let stride = lanes::blocks(n);
        for k in self.done..upto {
            let (above, here) = self.upper.split_at_mut(k * stride);
            let row = &mut here[..stride];
            let from = &matrix[self.order[k] * n..][..n];
            let order = &self.order;
            lanes::fill(row, n, |place| from[order[place]]);
            // Less what the rows above explain of it: Σ_{i < k} (U_ik D_i) U_i.
            let (scales, first) = (&mut self.line[..k], k / WIDTH);
            for (i, scale) in scales.iter_mut().enumerate() {
                *scale = -(above[i * stride + first].0[k % WIDTH] * self.pivots[i]);
            }
            lanes::add_rows(&mut row[first..], above, stride, first, scales);
            let pivot = lanes::at(row, k);
            let inverse = pivot.recip();
            self.pivots[k] = pivot;
            lanes::scale(&mut row[first..], inverse);
            lanes::clear_up_to(&mut row[first], k % WIDTH);
        }
        self.done = self.done.max(upto);
    }

    /// `x ← A_mm⁻¹ x` over the first `m` places; what lies beyond them is scratch.
    pub fn solve(&self, m: usize, x: &mut [Block<T>]) {
        let stride = lanes::blocks(self.order.len());
        let rows = || self.upper.chunks_exact(stride.max(1)).take(m).enumerate();
        let used = lanes::blocks(m);
        for (k, row) in rows() {
            let first = k / WIDTH;
            let minus = -lanes::at(x, k);
            lanes::add_scaled(&mut x[first..used], &row[first..used], minus);
        }
        for k in m..used * WIDTH {
            lanes::put(x, k, T::zero());
        }
        for (k, row) in rows().rev() {
            let first = k / WIDTH;
            // Number by number in the block that is being written, then whole blocks.
            let mut below = lanes::dot(&row[first + 1..used], &x[first + 1..used]);
            for l in k % WIDTH + 1..WIDTH {
                below = row[first].0[l].mul_add(x[first].0[l], below);
            }
            let own = lanes::at(x, k) / self.pivots[k];
            lanes::put(x, k, own - below);
        }
    }

    /// `diag A⁻¹`, by joint, from all rows: `1/D_j + Σ_{k > j} V_jk² / D_k` with `V = U⁻¹`.
    pub fn inverse_diagonal(&mut self, out: &mut [T]) {
        let n = self.order.len();
        let stride = lanes::blocks(n);
        let Factors { upper, inverse, line, pivots, .. } = self;
        for i in (0..n).rev() {
            // V_i = −U_i − Σ_{k > i} U_ik V_k, right of the diagonal.
            let (head, below) = inverse.split_at_mut((i + 1) * stride);
            let row = &mut head[i * stride..];
            let u = &upper[i * stride..(i + 1) * stride];
            let first = i / WIDTH;
            row[first..].copy_from_slice(&u[first..]);
            lanes::scale(&mut row[first..], -T::one());
            for k in (i + 1..n).step_by(WIDTH) {
                let minus = &mut line[..WIDTH.min(n - k)];
                minus.iter_mut().enumerate().for_each(|(l, m)| *m = -lanes::at(u, k + l));
                let from = k / WIDTH;
                lanes::add_rows(&mut row[from..], &below[(k - i - 1) * stride..], stride, from, minus);
            }
        }
        for (x, d) in line.iter_mut().zip(pivots.iter()) {
            *x = d.recip();
        }
        for (k, row) in inverse.chunks_exact(stride.max(1)).enumerate() {
            let mut sum = line[k];
            for (l, d) in line.iter().enumerate().skip(k + 1) {
                let v = lanes::at(row, l);
                sum = (v * v).mul_add(*d, sum);
            }
            out[self.order[k]] = sum;
        }
    }
}
