//! Factors of a matrix that keep what still holds when joints change between moving and held.

use super::Piece;
use crate::dynamics::{ldl, rows};
use crate::real::Real;

/// `Pᵀ A P = Uᵀ D U` row by row, in an order that puts moving joints first: the leading rows factor `A_mm`, and all rows
/// factor `A`. A joint that changes sides costs the rows from its place on, not all of them.
#[derive(Clone, Debug)]
pub(crate) struct Factors<T> {
    /// Joint at each place.
    order: Vec<usize>,
    /// `U` right of its diagonal, row by row; what lies before is scratch.
    upper: Vec<T>,
    /// `D`.
    pivots: Vec<T>,
    /// Leading rows that are right for the order.
    done: usize,
    next: Vec<usize>,
    place: Vec<usize>,
    line: Vec<T>,
    inverse: Vec<T>,
}

impl<T: Real> Factors<T> {
    pub fn new(n: usize) -> Self {
        Factors {
            order: (0..n).collect(),
            upper: vec![T::zero(); n * n],
            pivots: vec![T::zero(); n],
            done: 0,
            next: Vec::with_capacity(n),
            place: vec![0; n],
            line: vec![T::zero(); n],
            inverse: vec![T::zero(); n * n],
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
        for row in self.upper.chunks_exact_mut(n).take(self.done) {
            for (x, &j) in self.line[kept..].iter_mut().zip(&self.next[kept..]) {
                *x = row[self.place[j]];
            }
            row[kept..].copy_from_slice(&self.line[kept..]);
        }
        std::mem::swap(&mut self.order, &mut self.next);
        moving
    }

    /// Factor the leading rows that are not yet, of a symmetric matrix given row by row.
    pub fn extend(&mut self, matrix: &[T], upto: usize) {
        let n = self.order.len();
        for k in self.done..upto {
            let (above, here) = self.upper.split_at_mut(k * n);
            let row = &mut here[k..n];
            let from = &matrix[self.order[k] * n..][..n];
            for (x, &j) in row.iter_mut().zip(&self.order[k..]) {
                *x = from[j];
            }
            // Less what the rows above explain of it: Σ_{i < k} (U_ik D_i) U_i, two rows at a time.
            let mut pairs = above.chunks_exact(2 * n);
            for (pair, d) in (&mut pairs).zip(self.pivots.chunks_exact(2)) {
                let (first, second) = pair.split_at(n);
                let (first, second) = (&first[k..], &second[k..]);
                let scales = [-(first[0] * d[0]), -(second[0] * d[1])];
                rows::add_two(row, [first, second], scales);
            }
            if k % 2 == 1 {
                let last = &pairs.remainder()[k..];
                rows::add_scaled(row, last, -(last[0] * self.pivots[k - 1]));
            }
            let pivot = row[0];
            self.pivots[k] = pivot;
            let inverse = pivot.recip();
            row[1..].iter_mut().for_each(|x| *x *= inverse);
        }
        self.done = self.done.max(upto);
    }

    /// `x ← A_mm⁻¹ x` over the first places, as many as `x` has.
    pub fn solve(&self, x: &mut [T]) {
        let m = x.len();
        let rows = || self.upper.chunks_exact(self.order.len().max(1)).take(m).enumerate();
        for (k, row) in rows() {
            let (done, rest) = x.split_at_mut(k + 1);
            rows::add_scaled(rest, &row[k + 1..m], -done[k]);
        }
        for (k, row) in rows().rev() {
            let below = ldl::dot(&row[k + 1..m], &x[k + 1..]);
            x[k] = x[k] / self.pivots[k] - below;
        }
    }

    /// `D` at a place of a row that is factored.
    pub fn pivot(&self, k: usize) -> T {
        self.pivots[k]
    }

    /// `diag A⁻¹`, by joint, from all rows: `1/D_j + Σ_{k > j} V_jk² / D_k` with `V = U⁻¹`.
    pub fn inverse_diagonal(&mut self, out: &mut [T]) {
        let n = self.order.len();
        let Factors { upper, inverse, line, pivots, .. } = self;
        line.iter_mut().zip(pivots.iter()).for_each(|(x, d)| *x = d.recip());
        for i in (0..n).rev() {
            // V_i = −U_i − Σ_{k > i} U_ik V_k, right of the diagonal, two rows at a time.
            let (head, below) = inverse.split_at_mut((i + 1) * n);
            let row = &mut head[i * n..][i + 1..];
            let u = &upper[i * n..(i + 1) * n][i + 1..];
            row.iter_mut().zip(u).for_each(|(x, u)| *x = -*u);
            for (pair, k) in below.chunks_exact(2 * n).zip((0..).step_by(2)) {
                let (first, second) = pair.split_at(n);
                let (first, second) = (&first[i + k + 2..], &second[i + k + 3..]);
                let scales = [-u[k], -u[k + 1]];
                row[k + 1] = scales[0].mul_add(first[0], row[k + 1]);
                rows::add_two(&mut row[k + 2..], [&first[1..], second], scales);
            }
            let sum = line[i];
            out[self.order[i]] =
                row.iter().zip(&line[i + 1..]).fold(sum, |sum, (v, d)| (*v * *v).mul_add(*d, sum));
        }
    }
}
