//! Rotations as vectors.

use super::{Matrix, Vector, quaternion};
use crate::real::Real;
use crate::switch;

/// Coefficients of `asin(s)/s = Σ c_k s^{2k}`.
const SERIES: [f64; 7] =
    [1.0, 1.0 / 6.0, 3.0 / 40.0, 5.0 / 112.0, 35.0 / 1152.0, 63.0 / 2816.0, 231.0 / 13312.0];

/// Below this `s²` the series is used: its next term is below 1e-16.
const SMALL: f64 = 5e-3;

/// The rotation vector of a rotation, `log R`, rad: its axis times its angle, of at most π.
///
/// # Derivative
/// Exact, at no rotation too. At an angle of π exactly the vector jumps to its opposite, as any unique choice of it must; its
/// square has a kink there.
pub fn rotation_vector<T: Real>(r: &Matrix<T>) -> Vector<T> {
    let [w, x, y, z] = quaternion(r);
    let square = x * x + y * y + z * z;
    // Either formula gives the same number: which one is used changes no result.
    let factor = if switch::is_negative(square - T::from_f64(SMALL)) {
        SERIES.iter().rev().fold(T::zero(), |sum, c| sum.mul_add(square, T::from_f64(*c)))
    } else {
        let s = square.sqrt();
        s.atan2(w) / s
    };
    Vector::new(x, y, z).map(|x| (x * factor).scale(2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real::Tangents;
    use crate::spatial::rotation_quaternion;

    /// Vectors of every size are got back, to rounding, from the quaternion of half their angle; derivatives by one component
    /// agree with those of the inverse road: here those of `R(v)` and back, the identity's.
    #[test]
    fn rotations_come_back() {
        for size in [0.0, 1e-9, 1e-3, 0.1, 0.14, 0.15, 1.0, 3.0, 3.1] {
            let axis = [0.6, -0.48, 0.64];
            for seed in 0..3 {
                let v: [Tangents<1>; 3] = std::array::from_fn(|k| Tangents {
                    value: axis[k] * size,
                    tangents: [f64::from(u8::from(k == seed))],
                });
                let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
                // cos(θ/2) and sin(θ/2)/θ, by their series where θ has no derivative.
                let (w, k) = if size < 1e-2 {
                    let one = Tangents::from_f64(1.0);
                    (one - square.scale(0.125), Tangents::from_f64(0.5) - square.scale(1.0 / 48.0))
                } else {
                    let angle = square.sqrt();
                    let (sin, cos) = angle.scale(0.5).sin_cos();
                    (cos, sin / angle)
                };
                let back = rotation_vector(&rotation_quaternion([w, v[0] * k, v[1] * k, v[2] * k]));
                for i in 0..3 {
                    assert!((back[i].value - v[i].value).abs() < 1e-9, "{size}: {back:?}");
                    let slope = back[i].tangents[0];
                    assert!((slope - v[i].tangents[0]).abs() < 1e-6, "{size} {seed} {i}: {slope}");
                }
            }
        }
    }
}
