//! Joint efforts as a linear function of inertial parameters.

use super::kinematics::{axis, place, place_world};
use super::rnea::{motions, rate};
use super::{Workspace, assert_len};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Vector, cross, mul_transpose, vector};

/// Torque regressor `Y` with `τ = Y φ + armature · v̇`, at `q, v, v̇`: row by row, ten columns a frame in model order.
///
/// `φ` lists, link after link, `m, mx, my, mz, Ixx, Ixy, Ixz, Iyy, Iyz, Izz` about the link's origin, in its axes
/// ([`crate::spatial::Inertia::linear`] of each frame): the addresses `LINK.linear.*`.
///
/// | symbol | argument | unit | length |
/// |---|---|---|---|
/// | `q` | `q` | rad; m | [`Model::positions`] |
/// | `v`, `v̇` | `v`, `a` | rad/s, rad/s²; m/s, m/s² | [`Model::velocities`] |
/// | `Y` | `out` | | [`Model::velocities`] × 10 · frames |
///
/// Allocates: nothing. Switches: none.
///
/// # Panics
/// On a slice of the wrong length.
///
/// # Derivative
/// Exact for every scalar.
///
/// # Reference
/// Khalil & Dombre 2002, section 12.3, by virtual power instead of a recursion.
pub fn regressor<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, q: &[T], v: &[T], a: &[T], out: &mut [T]) {
    let (n, width) = (model.velocities(), 10 * model.frames().len());
    assert_len!(a, n, "a");
    assert_len!(out, n * width, "out: ten columns a frame");
    place(model, ws, q);
    place_world(model, ws);
    motions(model, ws, v, Some(a));
    out.fill(T::zero());
    let base = model.base_velocities();
    for (k, frame) in model.frames().iter().enumerate() {
        let b = frame.body();
        let (motion, turn) = (&ws.motions[b], &frame.pose.rotation);
        let rotation = crate::spatial::product(&ws.world[b].rotation, turn);
        let point = ws.world[b].point(&frame.pose.position);
        let (w, wd) = (mul_transpose(turn, &motion.angular), mul_transpose(turn, &motion.angular_rate));
        let acc = motion.acceleration + crate::spatial::mul(&motion.rate, &frame.pose.position);
        let columns = Columns { w, rate: rate(&w, &wd), wd, acc: mul_transpose(turn, &acc) };
        let mut write = |row: usize, linear: &Vector<T>, angular: &Vector<T>| {
            let (l, w) = (mul_transpose(&rotation, linear), mul_transpose(&rotation, angular));
            out[row * width + 10 * k..][..10].copy_from_slice(&columns.power(&l, &w));
        };
        let none = vector([0.0; 3]);
        for j in 0..base / 2 {
            let mut unit = none;
            unit[j] = T::one();
            write(j, &unit, &none);
            write(3 + j, &cross(&unit, &point), &unit);
        }
        let mut i = b;
        while i > 0 {
            let along = axis(&ws.world[i]);
            if model.bodies[i].slides {
                write(base + i - 1, &along, &none);
            } else {
                write(base + i - 1, &cross(&along, &(point - ws.world[i].position)), &along);
            }
            i = model.bodies[i].parent;
        }
    }
}

/// Motion of a link in its own axes: what its ten wrench columns are made of.
struct Columns<T: Real> {
    w: Vector<T>,
    wd: Vector<T>,
    rate: crate::spatial::Matrix<T>,
    acc: Vector<T>,
}

impl<T: Real> Columns<T> {
    /// Virtual power of the ten wrenches in a virtual motion of the link: linear of its origin, angular.
    #[inline(always)]
    fn power(&self, linear: &Vector<T>, angular: &Vector<T>) -> [T; 10] {
        let Columns { w, wd, rate, acc } = self;
        // First moment: force W h, moment h × acc.
        let first = mul_transpose(rate, linear) + cross(acc, angular);
        // Tensor: moment I ω̇ + ω × I ω, power (ω̇ uᵀ + ω (u × ω)ᵀ) : I.
        let t = cross(angular, w);
        let m = |i: usize, j: usize| angular[i] * wd[j] + t[i] * w[j];
        let pair = |i, j| m(i, j) + m(j, i);
        [
            crate::spatial::dot(linear, acc),
            first.x,
            first.y,
            first.z,
            m(0, 0),
            pair(0, 1),
            pair(0, 2),
            m(1, 1),
            pair(1, 2),
            m(2, 2),
        ]
    }
}
