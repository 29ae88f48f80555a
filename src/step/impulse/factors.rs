//! Factors of a matrix that keep what still holds when joints change between moving and held.

use super::Piece;
use crate::dynamics::ldl;
use crate::real::Real;

/// `Pᵀ A P = Uᵀ D U` row by row, in an order that puts moving joints first: the leading rows factor `A_mm`, and all rows
/// factor `A`. A joint that changes sides costs the rows from its place on, not all of them.
#[derive(Clone, Debug)]
pub(crate) struct Factors<T> {
    /// Joint at each place.
    order: Vec<usize>,
    /// Row by row: `D` on the diagonal, `U` right of it.
    rows: Vec<T>,
    /// Leading rows that are right for the order.
    done: usize,
    next: Vec<usize>,
    place: Vec<usize>,
    line: Vec<T>,
}

impl<T: Real> Factors<T> {
    pub fn new(n: usize) -> Self {
        Factors {
            order: (0..n).collect(),
            rows: vec![T::zero(); n * n],
            done: 0,
            next: Vec::with_capacity(n),
            place: vec![0; n],
            line: vec![T::zero(); n],
        }
    }

    /// Forget the matrix, and start from an order.
    pub fn begin(&mut self, order: impl Iterator<Item = usize>) {
        self.done = 0;
        self.order.clear();
        self.order.extend(order);
    }

    /// Joint at each place, moving ones first after [`Factors::arrange`].
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Moving joints first, as they stood; what was factored before the first change is kept. Returns how many move.
    pub fn arrange(&mut self, pieces: &[Piece]) -> usize {
        let n = pieces.len();
        self.next.clear();
        self.next.extend(self.order.iter().copied().filter(|&j| !pieces[j].held()));
        let moving = self.next.len();
        self.next.extend(self.order.iter().copied().filter(|&j| pieces[j].held()));
        let kept = (0..n).find(|&k| self.next[k] != self.order[k]).unwrap_or(n);
        if kept < n {
            self.done = self.done.min(kept);
            for (k, &j) in self.order.iter().enumerate() {
                self.place[j] = k;
            }
            for row in self.rows.chunks_exact_mut(n).take(self.done) {
                for k in kept..n {
                    self.line[k] = row[self.place[self.next[k]]];
                }
                row[kept..].copy_from_slice(&self.line[kept..]);
            }
            std::mem::swap(&mut self.order, &mut self.next);
        }
        moving
    }

    /// Factor the leading rows that are not yet.
    pub fn extend(&mut self, matrix: &[T], upto: usize) {
        let n = self.order.len();
        for k in self.done..upto {
            let (above, here) = self.rows.split_at_mut(k * n);
            let (row, order) = (&mut here[k..n], &self.order[k..]);
            let from = &matrix[order[0] * n..][..n];
            for (x, &j) in row.iter_mut().zip(order) {
                *x = from[j];
            }
            for (i, upper) in above.chunks_exact(n).enumerate() {
                let scale = -(upper[k] * upper[i]);
                for (x, u) in row.iter_mut().zip(&upper[k..]) {
                    *x = scale.mul_add(*u, *x);
                }
            }
            let inverse = row[0].recip();
            row[1..].iter_mut().for_each(|x| *x *= inverse);
        }
        self.done = self.done.max(upto);
    }

    /// `x ← A_mm⁻¹ x` over the first `m` places.
    pub fn solve(&self, m: usize, x: &mut [T]) {
        let n = self.order.len();
        for (k, row) in self.rows.chunks_exact(n.max(1)).take(m).enumerate() {
            let (done, rest) = x.split_at_mut(k + 1);
            let xk = -done[k];
            for (x, u) in rest.iter_mut().zip(&row[k + 1..m]) {
                *x = u.mul_add(xk, *x);
            }
        }
        for (k, row) in self.rows.chunks_exact(n.max(1)).take(m).enumerate().rev() {
            let below = ldl::dot(&row[k + 1..m], &x[k + 1..m]);
            x[k] = x[k] / row[k] - below;
        }
    }

    /// `D` at a place; all rows must be factored.
    pub fn pivot(&self, k: usize) -> T {
        self.rows[k * (self.order.len() + 1)]
    }

    /// `diag A⁻¹`, by joint, from all rows: `Σ_k V_jk² / D_k` with `V = U⁻¹`. `square` is scratch.
    pub fn inverse_diagonal(&mut self, square: &mut [T], out: &mut [T]) {
        let n = self.order.len();
        ldl::invert_unit_upper(&self.rows, n, square);
        for k in 0..n {
            self.line[k] = self.pivot(k).recip();
        }
        for (k, row) in square.chunks_exact(n.max(1)).enumerate() {
            let mut sum = T::zero();
            for (v, d) in row[k..].iter().zip(&self.line[k..]) {
                sum = (*v * *v).mul_add(*d, sum);
            }
            out[self.order[k]] = sum;
        }
    }
}
