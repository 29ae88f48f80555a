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
mod turn;

pub use inertia::Inertia;
pub use pose::Pose;
pub(crate) use pose::{quaternion, rotation_quaternion};
pub use symmetric::Symmetric;
pub use turn::rotation_vector;

use crate::real::Real;

/// Three coordinates.
pub type Vector<T> = nalgebra::Vector3<T>;

/// Three by three: a rotation, unless said otherwise.
pub type Matrix<T> = nalgebra::Matrix3<T>;

/// The constant vector of three numbers.
pub fn vector<T: Real>(x: [f64; 3]) -> Vector<T> {
    Vector::new(T::from_f64(x[0]), T::from_f64(x[1]), T::from_f64(x[2]))
}

/// `a b + c d + e f`.
#[inline(always)]
fn three<T: Real>(a: T, b: T, c: T, d: T, e: T, f: T) -> T {
    a.mul_add(b, c.mul_add(d, e * f))
}

/// `M v`, written out: nine products that every build inlines.
#[inline(always)]
pub(crate) fn mul<T: Real>(m: &Matrix<T>, v: &Vector<T>) -> Vector<T> {
    Vector::new(
        three(m.m11, v.x, m.m12, v.y, m.m13, v.z),
        three(m.m21, v.x, m.m22, v.y, m.m23, v.z),
        three(m.m31, v.x, m.m32, v.y, m.m33, v.z),
    )
}

/// `M v + w`.
#[inline(always)]
pub(crate) fn mul_plus<T: Real>(m: &Matrix<T>, v: &Vector<T>, w: &Vector<T>) -> Vector<T> {
    let row = |a: T, b: T, c: T, w: T| a.mul_add(v.x, b.mul_add(v.y, c.mul_add(v.z, w)));
    Vector::new(row(m.m11, m.m12, m.m13, w.x), row(m.m21, m.m22, m.m23, w.y), row(m.m31, m.m32, m.m33, w.z))
}

/// `Mᵀ v`.
#[inline(always)]
pub(crate) fn mul_transpose<T: Real>(m: &Matrix<T>, v: &Vector<T>) -> Vector<T> {
    Vector::new(
        three(m.m11, v.x, m.m21, v.y, m.m31, v.z),
        three(m.m12, v.x, m.m22, v.y, m.m32, v.z),
        three(m.m13, v.x, m.m23, v.y, m.m33, v.z),
    )
}

/// `A B`.
#[inline(always)]
pub(crate) fn product<T: Real>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    let column = |x: T, y: T, z: T| mul(a, &Vector::new(x, y, z));
    Matrix::from_columns(&[
        column(b.m11, b.m21, b.m31),
        column(b.m12, b.m22, b.m32),
        column(b.m13, b.m23, b.m33),
    ])
}

/// `a × b`.
#[inline(always)]
pub(crate) fn cross<T: Real>(a: &Vector<T>, b: &Vector<T>) -> Vector<T> {
    cross_plus(a, b, None)
}

/// `a × b + c`.
#[inline(always)]
pub(crate) fn cross_plus<T: Real>(a: &Vector<T>, b: &Vector<T>, c: Option<&Vector<T>>) -> Vector<T> {
    let row = |p: T, q: T, r: T, s: T, c: Option<T>| match c {
        Some(c) => p.mul_add(q, (-r).mul_add(s, c)),
        None => p.mul_add(q, -(r * s)),
    };
    Vector::new(
        row(a.y, b.z, a.z, b.y, c.map(|c| c.x)),
        row(a.z, b.x, a.x, b.z, c.map(|c| c.y)),
        row(a.x, b.y, a.y, b.x, c.map(|c| c.z)),
    )
}

/// `[a]×`.
pub(crate) fn skew<T: Real>(a: &Vector<T>) -> Matrix<T> {
    let o = T::zero();
    Matrix::new(o, -a.z, a.y, a.z, o, -a.x, -a.y, a.x, o)
}

/// `a · b`.
#[inline(always)]
pub(crate) fn dot<T: Real>(a: &Vector<T>, b: &Vector<T>) -> T {
    three(a.x, b.x, a.y, b.y, a.z, b.z)
}

/// `k v`.
#[inline(always)]
pub(crate) fn scaled<T: Real>(v: &Vector<T>, k: T) -> Vector<T> {
    Vector::new(v.x * k, v.y * k, v.z * k)
}

/// `k v + w`.
#[inline(always)]
pub(crate) fn scaled_plus<T: Real>(v: &Vector<T>, k: T, w: &Vector<T>) -> Vector<T> {
    Vector::new(v.x.mul_add(k, w.x), v.y.mul_add(k, w.y), v.z.mul_add(k, w.z))
}
