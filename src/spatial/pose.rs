//! Where a frame is and how it is turned.

use super::{Matrix, Vector, mul_plus, mul_transpose, product, vector};
use crate::real::Real;
use crate::switch;

/// Rotation and position: `x_parent = R x + p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<T> {
    /// `R`.
    pub rotation: Matrix<T>,
    /// `p`, m.
    pub position: Vector<T>,
}

impl<T: Real> Pose<T> {
    /// The frame itself.
    pub fn identity() -> Self {
        Pose { rotation: Matrix::identity(), position: vector([0.0; 3]) }
    }

    /// From a position (m) and fixed-axis roll, pitch, yaw (rad), `R = Rz(yaw) Ry(pitch) Rx(roll)`, as URDF has it.
    pub fn from_xyz_rpy(xyz: [T; 3], rpy: [T; 3]) -> Self {
        Pose { rotation: rotation_rpy(rpy), position: xyz.into() }
    }

    /// From `x y z qw qx qy qz`; the quaternion is read through `R(q)/|q|²`, so any length but zero will do.
    pub fn from_row(row: &[T]) -> Self {
        Pose {
            position: Vector::new(row[0], row[1], row[2]),
            rotation: rotation_quaternion([row[3], row[4], row[5], row[6]]),
        }
    }

    /// As `x y z qw qx qy qz`, unit norm, `qw ≥ 0`.
    ///
    /// # Derivative
    /// Exact. Which of four formulas is used (the one whose divisor is largest) leaves the result unchanged; the sign
    /// of the whole quaternion flips where `qw` passes zero, as any unique choice of it must.
    pub fn to_row(&self) -> [T; 7] {
        let (p, q) = (&self.position, quaternion(&self.rotation));
        [p.x, p.y, p.z, q[0], q[1], q[2], q[3]]
    }

    /// Turned in place by a rotation vector (rad): its quaternion is taken as `(1, d/2)`, which agrees with the
    /// exponential to second order at zero. For seeds and small turns.
    pub fn turned(d: &Vector<T>) -> Self {
        let half = |x: T| x.scale(0.5);
        let rotation = rotation_quaternion([T::one(), half(d.x), half(d.y), half(d.z)]);
        Pose { rotation, position: vector([0.0; 3]) }
    }

    /// This pose, then `inner` inside it: `(R R′, R p′ + p)`.
    #[inline(always)]
    pub fn then(&self, inner: &Pose<T>) -> Self {
        Pose { rotation: product(&self.rotation, &inner.rotation), position: self.point(&inner.position) }
    }

    /// A point of the frame in its parent's coordinates, `R x + p`.
    #[inline(always)]
    pub fn point(&self, x: &Vector<T>) -> Vector<T> {
        mul_plus(&self.rotation, x, &self.position)
    }

    /// The parent seen from the frame, `(Rᵀ, −Rᵀ p)`.
    pub fn inverse(&self) -> Self {
        Pose { rotation: self.rotation.transpose(), position: -mul_transpose(&self.rotation, &self.position) }
    }

    /// The same with every number through `f`.
    pub fn map<U: Real>(&self, f: &mut impl FnMut(T) -> U) -> Pose<U> {
        Pose { rotation: self.rotation.map(&mut *f), position: self.position.map(f) }
    }
}

/// `Rz(yaw) Ry(pitch) Rx(roll)`, rad.
fn rotation_rpy<T: Real>([roll, pitch, yaw]: [T; 3]) -> Matrix<T> {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    Matrix::new(
        cy * cp,
        cy * sp * sr - sy * cr,
        cy * sp * cr + sy * sr,
        sy * cp,
        sy * sp * sr + cy * cr,
        sy * sp * cr - cy * sr,
        -sp,
        cp * sr,
        cp * cr,
    )
}

/// The rotation of a quaternion `w x y z` of any length but zero.
pub(crate) fn rotation_quaternion<T: Real>([w, x, y, z]: [T; 4]) -> Matrix<T> {
    let k = (w * w + x * x + y * y + z * z).recip().scale(2.0);
    let one = T::one();
    Matrix::new(
        one - k * (y * y + z * z),
        k * (x * y - w * z),
        k * (x * z + w * y),
        k * (x * y + w * z),
        one - k * (x * x + z * z),
        k * (y * z - w * x),
        k * (x * z - w * y),
        k * (y * z + w * x),
        one - k * (x * x + y * y),
    )
}

/// The unit quaternion `w x y z` of a rotation, `w ≥ 0` (Shepperd 1978).
pub(crate) fn quaternion<T: Real>(r: &Matrix<T>) -> [T; 4] {
    let one = T::one();
    let squares = [
        one + r.m11 + r.m22 + r.m33,
        one + r.m11 - r.m22 - r.m33,
        one - r.m11 + r.m22 - r.m33,
        one - r.m11 - r.m22 + r.m33,
    ];
    let k = switch::largest(&squares);
    let root = squares[k].sqrt();
    let (half, part) = (root.scale(0.5), root.recip().scale(0.5));
    let q = match k {
        0 => [half, (r.m32 - r.m23) * part, (r.m13 - r.m31) * part, (r.m21 - r.m12) * part],
        1 => [(r.m32 - r.m23) * part, half, (r.m21 + r.m12) * part, (r.m13 + r.m31) * part],
        2 => [(r.m13 - r.m31) * part, (r.m21 + r.m12) * part, half, (r.m32 + r.m23) * part],
        _ => [(r.m21 - r.m12) * part, (r.m13 + r.m31) * part, (r.m32 + r.m23) * part, half],
    };
    if switch::is_negative(q[0]) { q.map(|x| -x) } else { q }
}
