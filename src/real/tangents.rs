//! A value with `N` tangents in plain lanes.

use super::{Real, first_sign};
use num_traits::{One, Zero};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A value and `N` first derivatives, `x + Σᵢ ẋᵢ εᵢ` with `εᵢ εⱼ = 0`, as plain arrays.
///
/// The same numbers as num-dual's `DualSVec64<N>`, without its optional derivative, so that the lanes vectorise.
/// Width 8 fills one AVX-512 or two AVX registers. Seed many tangents in passes of `N`.
///
/// ```
/// use articula::{Real, Tangents};
/// let x = Tangents::<2>::variable(3.0, 0);
/// let y = x * x + Tangents::from_f64(1.0);
/// assert_eq!((y.value, y.tangents), (10.0, [6.0, 0.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangents<const N: usize> {
    /// The value.
    pub value: f64,
    /// Its derivatives by the `N` seeds.
    pub tangents: [f64; N],
}

impl<const N: usize> Tangents<N> {
    /// The variable of seed `i`: value `x`, tangent `i` one, the others zero.
    ///
    /// # Panics
    /// When `i` is not below `N`.
    pub fn variable(x: f64, i: usize) -> Self {
        assert!(i < N, "seed {i} of a number with {N} tangents");
        let mut tangents = [0.0; N];
        tangents[i] = 1.0;
        Tangents { value: x, tangents }
    }

    /// A number without tangents.
    pub fn constant(x: f64) -> Self {
        Tangents { value: x, tangents: [0.0; N] }
    }

    /// `f(x)` with its derivative `f′(x)`: the chain rule.
    #[inline]
    fn chain(self, value: f64, slope: f64) -> Self {
        Tangents { value, tangents: self.tangents.map(|t| t * slope) }
    }

    /// Combine the lanes of two numbers.
    #[inline]
    fn zip(self, other: Self, value: f64, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut tangents = self.tangents;
        for (t, o) in tangents.iter_mut().zip(&other.tangents) {
            *t = f(*t, *o);
        }
        Tangents { value, tangents }
    }
}

impl<const N: usize> Add for Tangents<N> {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        self.zip(o, self.value + o.value, |a, b| a + b)
    }
}

impl<const N: usize> Sub for Tangents<N> {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        self.zip(o, self.value - o.value, |a, b| a - b)
    }
}

impl<const N: usize> Mul for Tangents<N> {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        self.zip(o, self.value * o.value, |a, b| Real::mul_add(a, o.value, b * self.value))
    }
}

impl<const N: usize> Div for Tangents<N> {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        let (r, q) = (1.0 / o.value, self.value / o.value);
        self.zip(o, q, |a, b| (a - b * q) * r)
    }
}

impl<const N: usize> Neg for Tangents<N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

impl<const N: usize> AddAssign for Tangents<N> {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<const N: usize> SubAssign for Tangents<N> {
    #[inline]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl<const N: usize> MulAssign for Tangents<N> {
    #[inline]
    fn mul_assign(&mut self, o: Self) {
        *self = *self * o;
    }
}

impl<const N: usize> DivAssign for Tangents<N> {
    #[inline]
    fn div_assign(&mut self, o: Self) {
        *self = *self / o;
    }
}

impl<const N: usize> Zero for Tangents<N> {
    #[inline]
    fn zero() -> Self {
        Self::from_f64(0.0)
    }
    #[inline]
    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl<const N: usize> One for Tangents<N> {
    #[inline]
    fn one() -> Self {
        Self::from_f64(1.0)
    }
}

impl<const N: usize> Real for Tangents<N> {
    const DIFFERENTIATES: bool = true;

    #[inline]
    fn from_f64(x: f64) -> Self {
        Tangents { value: x, tangents: [0.0; N] }
    }
    #[inline]
    fn primal(&self) -> f64 {
        self.value
    }
    #[inline]
    fn with_value(self, x: f64) -> Self {
        Tangents { value: x, tangents: self.tangents }
    }
    #[inline]
    fn tangent_sign(&self) -> i8 {
        first_sign(self.tangents)
    }
    #[inline]
    fn all_finite(&self) -> bool {
        self.value.is_finite() && self.tangents.iter().all(|t| t.is_finite())
    }
    #[inline]
    fn scale(self, k: f64) -> Self {
        self.chain(self.value * k, k)
    }
    #[inline]
    fn mul_add(self, a: Self, b: Self) -> Self {
        let mut tangents = b.tangents;
        for (t, (x, y)) in tangents.iter_mut().zip(self.tangents.iter().zip(&a.tangents)) {
            *t = Real::mul_add(*x, a.value, Real::mul_add(*y, self.value, *t));
        }
        Tangents { value: Real::mul_add(self.value, a.value, b.value), tangents }
    }
    #[inline]
    fn recip(self) -> Self {
        let r = 1.0 / self.value;
        self.chain(r, -r * r)
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.value.sin_cos();
        (self.chain(s, c), self.chain(c, -s))
    }
    #[inline]
    fn sqrt(self) -> Self {
        let r = self.value.sqrt();
        self.chain(r, 0.5 / r)
    }
    #[inline]
    fn exp(self) -> Self {
        let e = self.value.exp();
        self.chain(e, e)
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        let (y, square) = (self, self.value * self.value + x.value * x.value);
        let (a, b) = (x.value / square, -y.value / square);
        y.zip(x, y.value.atan2(x.value), |ty, tx| Real::mul_add(ty, a, tx * b))
    }
    #[inline]
    fn powf(self, p: f64) -> Self {
        self.chain(self.value.powf(p), p * self.value.powf(p - 1.0))
    }
}
