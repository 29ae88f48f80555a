//! Motions and forces about one point, in world axes, and rows of them: what the closed-form derivatives are made of.

use crate::real::Real;
use crate::spatial::{Inertia, Matrix, Vector, cross, cross_plus, mul, mul_transpose, scaled, vector};

/// Angular x, y, z, linear x, y, z (forces: moment, force), each for all coordinates.
pub(super) type Six<T> = [Vec<T>; 6];

/// A motion (angular, linear) or a force (moment, force) about the root's origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<T> {
    pub angular: Vector<T>,
    pub linear: Vector<T>,
}

impl<T: Real> Pair<T> {
    pub fn zero() -> Self {
        Pair { angular: vector([0.0; 3]), linear: vector([0.0; 3]) }
    }

    /// `a × b` of two motions.
    #[inline(always)]
    pub fn cross(&self, b: &Self) -> Self {
        Pair {
            angular: cross(&self.angular, &b.angular),
            linear: cross_plus(&self.angular, &b.linear, Some(&cross(&self.linear, &b.angular))),
        }
    }

    /// `a ×* f` of a motion and a force.
    #[inline(always)]
    pub fn cross_force(&self, f: &Self) -> Self {
        Pair {
            angular: cross_plus(&self.angular, &f.angular, Some(&cross(&self.linear, &f.linear))),
            linear: cross(&self.angular, &f.linear),
        }
    }

    #[inline(always)]
    pub fn plus(&self, b: &Self) -> Self {
        Pair { angular: self.angular + b.angular, linear: self.linear + b.linear }
    }

    #[inline(always)]
    pub fn times(&self, k: T) -> Self {
        Pair { angular: scaled(&self.angular, k), linear: scaled(&self.linear, k) }
    }

    pub fn put(&self, rows: &mut Six<T>, column: usize) {
        for k in 0..3 {
            rows[k][column] = self.angular[k];
            rows[3 + k][column] = self.linear[k];
        }
    }
}

/// A force that depends on an angular velocity `x`: moment `N x`, force `x × f`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turning<T> {
    pub matrix: Matrix<T>,
    pub linear: Vector<T>,
}

impl<T: Real> Turning<T> {
    pub fn zero() -> Self {
        Turning { matrix: Matrix::zeros(), linear: vector([0.0; 3]) }
    }

    #[inline(always)]
    pub fn at(&self, x: &Vector<T>) -> Pair<T> {
        Pair { angular: mul(&self.matrix, x), linear: cross(x, &self.linear) }
    }

    /// The vector whose product with `x` is the product of `motion` with what `x` gives.
    #[inline(always)]
    pub fn transpose(&self, motion: &Pair<T>) -> Vector<T> {
        cross_plus(&self.linear, &motion.linear, Some(&mul_transpose(&self.matrix, &motion.angular)))
    }

    pub fn add(&mut self, other: &Self) {
        self.matrix += other.matrix;
        self.linear += other.linear;
    }
}

/// `tr(P) 1 − P`.
#[inline(always)]
pub(super) fn complement<T: Real>(p: &Matrix<T>) -> Matrix<T> {
    let mut n = -p;
    (n.m11, n.m22, n.m33) = (p.m22 + p.m33, p.m11 + p.m33, p.m11 + p.m22);
    n
}

/// `Y x` about the root's origin.
#[inline(always)]
pub(super) fn momentum<T: Real>(inertia: &Inertia<T>, x: &Pair<T>) -> Pair<T> {
    let (h, second) = (&inertia.first_moment, &inertia.second_moment);
    let turning = scaled(&x.angular, second.trace()) - second.mul(&x.angular);
    Pair {
        angular: cross_plus(h, &x.linear, Some(&turning)),
        linear: cross_plus(&x.angular, h, Some(&scaled(&x.linear, inertia.mass))),
    }
}

/// Column `c`.
pub(super) fn pair<T: Real>(rows: &Six<T>, c: usize) -> Pair<T> {
    Pair {
        angular: Vector::new(rows[0][c], rows[1][c], rows[2][c]),
        linear: Vector::new(rows[3][c], rows[4][c], rows[5][c]),
    }
}

/// `row[c] = s · columns[c]` over a range of coordinates.
#[inline(always)]
pub(super) fn products<T: Real>(s: &Pair<T>, columns: &Six<T>, range: std::ops::Range<usize>, row: &mut [T]) {
    let [ax, ay, az, lx, ly, lz] = columns.each_ref().map(|part| &part[range.clone()]);
    let row = &mut row[range];
    for j in 0..row.len() {
        let angular = s.angular.x.mul_add(ax[j], s.angular.y.mul_add(ay[j], s.angular.z * az[j]));
        row[j] = s.linear.x.mul_add(lx[j], s.linear.y.mul_add(ly[j], s.linear.z.mul_add(lz[j], angular)));
    }
}

/// The angular rows.
pub(super) fn angular<T>(rows: &Six<T>) -> [&Vec<T>; 3] {
    let [x, y, z, ..] = rows;
    [x, y, z]
}

/// `row[c] += x · columns[c]` over a range of coordinates.
#[inline(always)]
pub(super) fn add_products<T: Real>(
    x: &Vector<T>,
    columns: [&Vec<T>; 3],
    range: std::ops::Range<usize>,
    row: &mut [T],
) {
    let [ax, ay, az] = columns.map(|part| &part[range.clone()]);
    let row = &mut row[range];
    for j in 0..row.len() {
        row[j] = x.x.mul_add(ax[j], x.y.mul_add(ay[j], x.z.mul_add(az[j], row[j])));
    }
}
