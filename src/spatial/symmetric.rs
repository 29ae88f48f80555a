//! A symmetric 3×3 matrix by its six entries.

use super::{Matrix, Vector, three};
use crate::real::Real;
use std::ops::{Add, AddAssign};

/// A symmetric 3×3 matrix: inertia tensors (kg m²) and second moments.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // six entries named by their row and column
pub struct Symmetric<T> {
    pub xx: T,
    pub xy: T,
    pub xz: T,
    pub yy: T,
    pub yz: T,
    pub zz: T,
}

impl<T: Real> Symmetric<T> {
    /// All zero.
    pub fn zero() -> Self {
        Self::from_entries([T::zero(); 6])
    }

    /// From `[xx, xy, xz, yy, yz, zz]`, the order of URDF.
    pub fn from_entries([xx, xy, xz, yy, yz, zz]: [T; 6]) -> Self {
        Symmetric { xx, xy, xz, yy, yz, zz }
    }

    /// `[xx, xy, xz, yy, yz, zz]`.
    pub fn entries(&self) -> [T; 6] {
        [self.xx, self.xy, self.xz, self.yy, self.yz, self.zz]
    }

    /// The symmetric part of a matrix.
    pub fn from_matrix(m: &Matrix<T>) -> Self {
        let half = |a: T, b: T| (a + b).scale(0.5);
        Self::from_entries([m.m11, half(m.m12, m.m21), half(m.m13, m.m31), m.m22, half(m.m23, m.m32), m.m33])
    }

    /// The full matrix.
    pub fn to_matrix(&self) -> Matrix<T> {
        Matrix::new(self.xx, self.xy, self.xz, self.xy, self.yy, self.yz, self.xz, self.yz, self.zz)
    }

    /// `S v`.
    #[inline(always)]
    pub fn mul(&self, v: &Vector<T>) -> Vector<T> {
        Vector::new(
            three(self.xx, v.x, self.xy, v.y, self.xz, v.z),
            three(self.xy, v.x, self.yy, v.y, self.yz, v.z),
            three(self.xz, v.x, self.yz, v.y, self.zz, v.z),
        )
    }

    /// The trace.
    #[inline(always)]
    pub fn trace(&self) -> T {
        self.xx + self.yy + self.zz
    }

    /// `R S Rᵀ`: the same in the axes that `R` leads to.
    #[inline(always)]
    pub fn rotated(&self, r: &Matrix<T>) -> Self {
        // Rows of R S, then against the rows of R.
        let row = |a: T, b: T, c: T| self.mul(&Vector::new(a, b, c));
        let x = row(r.m11, r.m12, r.m13);
        let y = row(r.m21, r.m22, r.m23);
        let z = row(r.m31, r.m32, r.m33);
        let onto = |v: &Vector<T>, a: T, b: T, c: T| three(v.x, a, v.y, b, v.z, c);
        Symmetric {
            xx: onto(&x, r.m11, r.m12, r.m13),
            xy: onto(&x, r.m21, r.m22, r.m23),
            xz: onto(&x, r.m31, r.m32, r.m33),
            yy: onto(&y, r.m21, r.m22, r.m23),
            yz: onto(&y, r.m31, r.m32, r.m33),
            zz: onto(&z, r.m31, r.m32, r.m33),
        }
    }

    /// `a bᵀ + b aᵀ`.
    #[inline(always)]
    pub fn outer_sum(a: &Vector<T>, b: &Vector<T>) -> Self {
        let twice = |x: T| x + x;
        Symmetric {
            xx: twice(a.x * b.x),
            xy: a.x.mul_add(b.y, a.y * b.x),
            xz: a.x.mul_add(b.z, a.z * b.x),
            yy: twice(a.y * b.y),
            yz: a.y.mul_add(b.z, a.z * b.y),
            zz: twice(a.z * b.z),
        }
    }

    /// `tr(S) 1 − S`: an inertia tensor from a second moment.
    pub fn tensor(&self) -> Self {
        Symmetric {
            xx: self.yy + self.zz,
            xy: -self.xy,
            xz: -self.xz,
            yy: self.xx + self.zz,
            yz: -self.yz,
            zz: self.xx + self.yy,
        }
    }

    /// `½ tr(S) 1 − S`: a second moment from an inertia tensor.
    pub fn second_moment(&self) -> Self {
        let half = self.trace().scale(0.5);
        Symmetric {
            xx: half - self.xx,
            xy: -self.xy,
            xz: -self.xz,
            yy: half - self.yy,
            yz: -self.yz,
            zz: half - self.zz,
        }
    }

    /// The same with every entry through `f`.
    pub fn map<U: Real>(&self, f: &mut impl FnMut(T) -> U) -> Symmetric<U> {
        Symmetric::from_entries(self.entries().map(f))
    }
}

impl<T: Real> Add for Symmetric<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Symmetric {
            xx: self.xx + o.xx,
            xy: self.xy + o.xy,
            xz: self.xz + o.xz,
            yy: self.yy + o.yy,
            yz: self.yz + o.yz,
            zz: self.zz + o.zz,
        }
    }
}

impl<T: Real> AddAssign for Symmetric<T> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
