//! The one scalar bound of the library: arithmetic without an order.
//!
//! A law that chooses a piece by comparing values has a derivative that belongs to that piece alone. So that no
//! such choice can hide, [`Real`] has **no** `PartialOrd`, no `abs`, no `max`: a choice on a value goes through
//! [`crate::switch`], where it is declared, or it does not compile.
//!
//! ```compile_fail
//! fn larger<T: articula::Real>(a: T, b: T) -> T {
//!     if a > b { a } else { b } // error: binary operation `>` cannot be applied to type `T`
//! }
//! ```
//!
//! ```compile_fail
//! fn length<T: articula::Real>(v: nalgebra::Vector3<T>) -> T {
//!     v.norm() // error: needs an ordered field, and its derivative at zero is NaN
//! }
//! ```
//!
//! | type | from | carries |
//! |---|---|---|
//! | `f64` | | the value |
//! | [`Tangents<N>`] | here | the value and `N` first derivatives, lean: for the hot path |
//! | `Dual64`, `DualSVec64<N>` | num-dual | the same |
//! | `Dual2_64`, `Dual2SVec64<N>` | num-dual | first and second derivatives |
//! | `HyperDual64`, `HyperDualSVec64<M, N>` | num-dual | mixed second derivatives |
//!
//! References: Griewank & Walther 2008, *Evaluating Derivatives*, chapter 3; num-dual's documentation.

mod num_dual;
mod tangents;

pub use tangents::Tangents;

use nalgebra::{ClosedAddAssign, ClosedDivAssign, ClosedMulAssign, ClosedSubAssign, Scalar};
use num_traits::{One, Zero};
use std::ops::Neg;

/// A number that may carry derivatives: everything the library computes is generic over it.
///
/// Reading the primal value ([`Real::primal`]) is for reports, for [`crate::switch`] and for choices of gauge that
/// leave every result unchanged; the project's checks allow it in a short list of files only.
pub trait Real:
    Scalar
    + Copy
    + Send
    + Sync
    + Zero
    + One
    + Neg<Output = Self>
    + ClosedAddAssign
    + ClosedSubAssign
    + ClosedMulAssign
    + ClosedDivAssign
{
    /// Whether the type carries tangents; `f64` does not.
    const DIFFERENTIATES: bool;

    /// The constant `x`: all tangents zero.
    fn from_f64(x: f64) -> Self;

    /// The value without its tangents.
    fn primal(&self) -> f64;

    /// Another value with the same tangents.
    fn with_value(self, x: f64) -> Self;

    /// The sign of the first nonzero tangent, in seed order (then the second-order parts): `-1`, `0` (all zero), `1`.
    ///
    /// At an indicator of exactly zero this decides the side: the lexicographic directional derivative
    /// (Nesterov 2005; Khan & Barton 2015).
    fn tangent_sign(&self) -> i8;

    /// Whether the value **and every tangent** are finite.
    fn all_finite(&self) -> bool;

    /// `k · self` for a constant `k`.
    fn scale(self, k: f64) -> Self;

    /// `self · a + b`: in one rounding where the build has a fused instruction, in two where it has not.
    fn mul_add(self, a: Self, b: Self) -> Self;

    /// `1 / self`.
    fn recip(self) -> Self;

    /// `(sin self, cos self)`, radians.
    fn sin_cos(self) -> (Self, Self);

    /// The square root. Its derivative at zero is infinite: guard the argument.
    fn sqrt(self) -> Self;

    /// The exponential.
    fn exp(self) -> Self;

    /// The angle of the point `(x, self)`, rad. At the origin it has none: guard it.
    fn atan2(self, x: Self) -> Self;

    /// `self` to the constant power `p`. Its derivative at zero may be infinite: guard the argument.
    fn powf(self, p: f64) -> Self;
}

impl Real for f64 {
    const DIFFERENTIATES: bool = false;

    #[inline]
    fn from_f64(x: f64) -> Self {
        x
    }
    #[inline]
    fn primal(&self) -> f64 {
        *self
    }
    #[inline]
    fn with_value(self, x: f64) -> Self {
        x
    }
    #[inline]
    fn tangent_sign(&self) -> i8 {
        0
    }
    #[inline]
    fn all_finite(&self) -> bool {
        self.is_finite()
    }
    #[inline]
    fn scale(self, k: f64) -> Self {
        self * k
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        // Without the instruction, the fused product is a library call a hundred times slower.
        if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
            f64::mul_add(self, a, b)
        } else {
            self * a + b
        }
    }
    #[inline]
    fn recip(self) -> Self {
        1.0 / self
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }
    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline]
    fn exp(self) -> Self {
        f64::exp(self)
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
    #[inline]
    fn powf(self, p: f64) -> Self {
        f64::powf(self, p)
    }
}

/// The sign of the first nonzero number of a sequence.
#[inline]
fn first_sign(parts: impl IntoIterator<Item = f64>) -> i8 {
    for x in parts {
        if x > 0.0 {
            return 1;
        }
        if x < 0.0 {
            return -1;
        }
    }
    0
}
