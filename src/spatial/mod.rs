//! Rigid bodies in three dimensions: rotations, poses, inertias.
//!
//! One convention, everywhere in the library:
//!
//! | quantity | is |
//! |---|---|
//! | pose `(R, p)` of a frame | takes the frame's coordinates to its parent's: `x_parent = R x + p` |
//! | velocity of a frame | angular velocity `ω`, and linear velocity of its origin |
//! | acceleration of a frame | `ω̇`, and the second derivative of its origin's position (not Featherstone's spatial one) |
//! | wrench on a frame | force `f`, and moment about its origin |
//! | inertia of a body | mass `m`, first moment `h = ∫ r dm`, second moment `Σ = ∫ r rᵀ dm`, about the frame's origin |
//!
//! The second moment stands in for the usual inertia tensor, `I = tr(Σ) 1 − Σ`: it adds, rotates (`R Σ Rᵀ`) and
//! shifts (`Σ + d gᵀ + g dᵀ` with `g = h + ½ m d`) more simply, and a body is physical exactly when
//! `[Σ h; hᵀ m]` is positive semidefinite (Wensing, Kim & Slotine 2018).
//!
//! References: Featherstone 2008; Sciavicco & Siciliano 2000; Luh, Walker & Paul 1980.

mod inertia;
mod pose;
mod symmetric;

pub use inertia::Inertia;
pub use pose::Pose;
pub use symmetric::Symmetric;

use crate::real::Real;

/// Three coordinates.
pub type Vector<T> = nalgebra::Vector3<T>;

/// Three by three: a rotation, unless said otherwise.
pub type Matrix<T> = nalgebra::Matrix3<T>;

/// The constant vector of three numbers.
pub fn vector<T: Real>(x: [f64; 3]) -> Vector<T> {
    Vector::new(T::from_f64(x[0]), T::from_f64(x[1]), T::from_f64(x[2]))
}

/// `M v`, written out: nine products that every build inlines.
#[inline(always)]
pub(crate) fn mul<T: Real>(m: &Matrix<T>, v: &Vector<T>) -> Vector<T> {
    Vector::new(
        m.m11 * v.x + m.m12 * v.y + m.m13 * v.z,
        m.m21 * v.x + m.m22 * v.y + m.m23 * v.z,
        m.m31 * v.x + m.m32 * v.y + m.m33 * v.z,
    )
}

/// `Mᵀ v`.
#[inline(always)]
pub(crate) fn mul_transpose<T: Real>(m: &Matrix<T>, v: &Vector<T>) -> Vector<T> {
    Vector::new(
        m.m11 * v.x + m.m21 * v.y + m.m31 * v.z,
        m.m12 * v.x + m.m22 * v.y + m.m32 * v.z,
        m.m13 * v.x + m.m23 * v.y + m.m33 * v.z,
    )
}

/// `A B`.
#[inline(always)]
pub(crate) fn product<T: Real>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    let column = |j: usize| mul(a, &Vector::new(b[(0, j)], b[(1, j)], b[(2, j)]));
    Matrix::from_columns(&[column(0), column(1), column(2)])
}

/// `a × b`.
#[inline(always)]
pub(crate) fn cross<T: Real>(a: &Vector<T>, b: &Vector<T>) -> Vector<T> {
    Vector::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

/// `a · b`.
#[inline(always)]
pub(crate) fn dot<T: Real>(a: &Vector<T>, b: &Vector<T>) -> T {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// `k v`.
#[inline(always)]
pub(crate) fn scaled<T: Real>(v: &Vector<T>, k: T) -> Vector<T> {
    Vector::new(v.x * k, v.y * k, v.z * k)
}
