//! [`Real`] for the dual numbers of num-dual. Their tangents live in differently named fields; the rest is the same.

use super::{Real, first_sign};
use nalgebra::Const;
use num_dual::{
    Derivative, Dual2_64, Dual2SVec64, Dual64, DualNum, DualSVec64, HyperDual64, HyperDualSVec64,
};

/// A derivative block row by row; an absent one holds no numbers.
fn rows<const R: usize, const C: usize>(
    d: &Derivative<f64, Const<R>, Const<C>>,
) -> impl Iterator<Item = f64> + '_ {
    d.0.iter().flat_map(|m| (0..R).flat_map(move |i| (0..C).map(move |j| m[(i, j)])))
}

macro_rules! real {
    ([$($dim:ident),*] $type:ty, $x:ident => $tangents:expr) => {
        impl<$(const $dim: usize),*> Real for $type {
            const DIFFERENTIATES: bool = true;

            #[inline]
            fn from_f64(x: f64) -> Self {
                Self::from(x)
            }
            #[inline]
            fn primal(&self) -> f64 {
                self.re
            }
            #[inline]
            fn with_value(mut self, x: f64) -> Self {
                self.re = x;
                self
            }
            #[inline]
            fn tangent_sign(&self) -> i8 {
                let $x = self;
                first_sign($tangents)
            }
            #[inline]
            fn all_finite(&self) -> bool {
                let $x = self;
                self.re.is_finite() && $tangents.into_iter().all(f64::is_finite)
            }
            #[inline]
            fn scale(self, k: f64) -> Self {
                self * k
            }
            #[inline]
            fn mul_add(self, a: Self, b: Self) -> Self {
                self * a + b
            }
            #[inline]
            fn recip(self) -> Self {
                DualNum::recip(&self)
            }
            #[inline]
            fn sin_cos(self) -> (Self, Self) {
                DualNum::sin_cos(&self)
            }
            #[inline]
            fn sqrt(self) -> Self {
                DualNum::sqrt(&self)
            }
            #[inline]
            fn exp(self) -> Self {
                DualNum::exp(&self)
            }
            #[inline]
            fn atan2(self, x: Self) -> Self {
                // num-dual divides by `x`, which may be zero: by the larger of the two, either road has the same tangents.
                let mut angle = if self.re.abs() <= x.re.abs() {
                    DualNum::atan(&(self / x))
                } else {
                    -DualNum::atan(&(x / self))
                };
                angle.re = self.re.atan2(x.re);
                angle
            }
            #[inline]
            fn powf(self, p: f64) -> Self {
                DualNum::powf(&self, p)
            }
        }
    };
}

real!([] Dual64, x => [x.eps]);
real!([] Dual2_64, x => [x.v1, x.v2]);
real!([] HyperDual64, x => [x.eps1, x.eps2, x.eps1eps2]);
real!([N] DualSVec64<N>, x => rows(&x.eps));
real!([N] Dual2SVec64<N>, x => rows(&x.v1).chain(rows(&x.v2)));
real!([M, N] HyperDualSVec64<M, N>, x => rows(&x.eps1).chain(rows(&x.eps2)).chain(rows(&x.eps1eps2)));
