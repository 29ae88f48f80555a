//! Joint efforts of a motion, by Newton and Euler.

use super::workspace::BodyMotion;
use super::{Loads, Workspace, assert_len, place, place_world};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{
    Matrix, Symmetric, Vector, cross, cross_plus, mul, mul_plus, mul_transpose, scaled, vector,
};

/// Joint efforts that produce an acceleration: `τ = M(q) v̇ + h(q, v)`, recursive Newton–Euler, O(n).
///
/// | symbol | argument | unit | length |
/// |---|---|---|---|
/// | `q` | `q` | rad; m | [`Model::positions`] |
/// | `v` | `v` | rad/s; m/s | [`Model::velocities`] |
/// | `v̇` | `a` | rad/s²; m/s² | as `v` |
/// | | `loads` | N, N m; kg m² | |
/// | `τ` | `tau` | N m; N | as `v` |
///
/// Gravity, armature and loads are in; damping and friction are not. A free base's efforts are a force and a moment,
/// world axes, at its origin. Allocates: nothing. Switches: none.
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
///
/// # Derivative
/// Exact for every scalar.
///
/// # Reference
/// Luh, Walker & Paul 1980, in body axes; no linear velocities are needed. Each body's moment is the axial part of
/// `([ω̇]× + [ω]×²) Σ`, `Σ` its second moment of mass.
pub fn inverse_dynamics<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
    loads: &Loads<T>,
    tau: &mut [T],
) {
    assert_len!(a, model.velocities(), "a");
    place_for(model, ws, q, loads);
    newton_euler(model, ws, v, Some(a), loads, tau);
}

/// The bias `h(q, v)`: joint efforts at zero acceleration. [`inverse_dynamics`] says more.
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
///
/// # Derivative
/// Exact for every scalar.
pub fn bias<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    loads: &Loads<T>,
    out: &mut [T],
) {
    place_for(model, ws, q, loads);
    newton_euler(model, ws, v, None, loads, out);
}

/// World axes are needed only where something acts in them.
fn place_for<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, q: &[T], loads: &Loads<T>) {
    place(model, ws, q);
    if !loads.is_none() {
        place_world(model, ws);
    }
}

/// The recursion. After `place`; with loads also after `place_world`. `a`: none for zero acceleration.
pub(crate) fn newton_euler<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    v: &[T],
    a: Option<&[T]>,
    loads: &Loads<T>,
    tau: &mut [T],
) {
    assert_len!(v, model.velocities(), "v");
    assert_len!(tau, model.velocities(), "tau");
    motions(model, ws, v, a);
    for (body, (motion, wrench)) in model.bodies.iter().zip(ws.motions.iter().zip(&mut ws.wrench)) {
        let (h, m) = (&body.inertia.first_moment, body.inertia.mass);
        let acc = &motion.acceleration;
        let force = mul_plus(&motion.rate, h, &scaled(acc, m));
        let moment = cross_plus(h, acc, Some(&axial(&motion.rate, &body.inertia.second_moment)));
        *wrench = (force, moment);
    }
    apply_loads(model, ws, loads);

    let base = model.base_velocities();
    for i in (1..model.bodies.len()).rev() {
        let (body, j) = (&model.bodies[i], base + i - 1);
        let (force, moment) = ws.wrench[i];
        tau[j] = if body.slides { force.z } else { moment.z };
        if let Some(a) = a {
            tau[j] += model.joints()[i - 1].armature * a[j];
        }
        let local = &ws.local[i];
        let force = mul(&local.rotation, &force);
        let moment = cross_plus(&local.position, &force, Some(&mul(&local.rotation, &moment)));
        let above = &mut ws.wrench[body.parent];
        above.0 += force;
        above.1 += moment;
    }
    if base > 0 {
        let (force, moment) = ws.wrench[0];
        let (force, moment) = (mul(&ws.local[0].rotation, &force), mul(&ws.local[0].rotation, &moment));
        tau[..3].copy_from_slice(force.as_slice());
        tau[3..6].copy_from_slice(moment.as_slice());
    }
}

/// Motion of every body in its own axes, gravity taken as an upward acceleration of the root. After `place`.
pub(crate) fn motions<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, v: &[T], a: Option<&[T]>) {
    let base = model.base_velocities();
    let root = &ws.local[0].rotation;
    let mut still = vector([0.0; 3]);
    let (mut angular, mut angular_rate) = (still, still);
    if base > 0 {
        angular = mul_transpose(root, &Vector::new(v[3], v[4], v[5]));
        if let Some(a) = a {
            still = Vector::new(a[0], a[1], a[2]);
            angular_rate = mul_transpose(root, &Vector::new(a[3], a[4], a[5]));
        }
    }
    ws.motions[0] = BodyMotion {
        angular,
        angular_rate,
        rate: rate(&angular, &angular_rate),
        acceleration: mul_transpose(root, &(still - model.gravity())),
    };
    for i in 1..model.bodies.len() {
        let (body, local, j) = (&model.bodies[i], &ws.local[i], base + i - 1);
        let above = &ws.motions[body.parent];
        let (vj, aj) = (v[j], a.map_or(T::zero(), |a| a[j]));
        let mut angular = mul_transpose(&local.rotation, &above.angular);
        let mut angular_rate = mul_transpose(&local.rotation, &above.angular_rate);
        let acceleration = mul_plus(&above.rate, &local.position, &above.acceleration);
        let mut acceleration = mul_transpose(&local.rotation, &acceleration);
        // With the axis along z, ω × z q̇ = (ω_y q̇, −ω_x q̇, 0).
        let (x, y) = (angular.y * vj, -(angular.x * vj));
        if body.slides {
            acceleration += Vector::new(x + x, y + y, aj);
        } else {
            angular.z += vj;
            angular_rate += Vector::new(x, y, aj);
        }
        let rate = rate(&angular, &angular_rate);
        ws.motions[i] = BodyMotion { angular, angular_rate, rate, acceleration };
    }
}

/// `[ω̇]× + [ω]×²`.
#[inline(always)]
pub(crate) fn rate<T: Real>(w: &Vector<T>, wd: &Vector<T>) -> Matrix<T> {
    let (xx, yy, zz) = (w.x * w.x, w.y * w.y, w.z * w.z);
    let (xy, xz, yz) = (w.x * w.y, w.x * w.z, w.y * w.z);
    Matrix::new(
        -(yy + zz),
        xy - wd.z,
        xz + wd.y,
        xy + wd.z,
        -(xx + zz),
        yz - wd.x,
        xz - wd.y,
        yz + wd.x,
        -(xx + yy),
    )
}

/// `∫ r × (W r) dm`: the axial part of `W Σ`.
#[inline(always)]
pub(crate) fn axial<T: Real>(w: &Matrix<T>, s: &Symmetric<T>) -> Vector<T> {
    let six = |a: [T; 6], b: [T; 6]| {
        let plus = a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]));
        (-a[3]).mul_add(b[3], (-a[4]).mul_add(b[4], (-a[5]).mul_add(b[5], plus)))
    };
    Vector::new(
        six([w.m31, w.m32, w.m33, w.m21, w.m22, w.m23], [s.xy, s.yy, s.yz, s.xz, s.yz, s.zz]),
        six([w.m11, w.m12, w.m13, w.m31, w.m32, w.m33], [s.xz, s.yz, s.zz, s.xx, s.xy, s.xz]),
        six([w.m21, w.m22, w.m23, w.m11, w.m12, w.m13], [s.xx, s.xy, s.xz, s.xy, s.yy, s.yz]),
    )
}

/// Take the loads off the efforts. After `place_world`.
fn apply_loads<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, loads: &Loads<T>) {
    for load in loads.wrenches {
        let frame = &model.frames()[load.frame];
        let b = frame.body();
        let world = &ws.world[b].rotation;
        let (force, moment) = (mul_transpose(world, &load.force), mul_transpose(world, &load.moment));
        ws.wrench[b].0 -= force;
        ws.wrench[b].1 -= moment + cross(&frame.pose.position, &force);
    }
    for load in loads.carried {
        let b = model.frames()[load.frame].body();
        let local = load.tensor.second_moment().rotated(&ws.world[b].rotation.transpose());
        ws.wrench[b].1 += axial(&ws.motions[b].rate, &local);
    }
}
