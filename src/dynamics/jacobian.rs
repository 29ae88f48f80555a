//! Velocities as linear functions of joint velocities.

use super::kinematics::{axis, place, place_world};
use super::{Workspace, Wrench, assert_len};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Vector, cross, cross_plus, dot, vector};

/// Jacobian of a frame at `q`: six rows (linear x, y, z of its origin, angular x, y, z; world axes), one column a
/// velocity coordinate, row by row.
///
/// ```text
/// revolute  Jv = a × (p − p_j), Jω = a      prismatic  Jv = a, Jω = 0      not above the frame: exactly zero
/// ```
///
/// | symbol | argument | unit | length |
/// |---|---|---|---|
/// | `q` | `q` | rad; m | [`Model::positions`] |
/// | `J` | `out` | m, 1; 1 on a slide | 6 × [`Model::velocities`] |
///
/// Allocates: nothing. Switches: none.
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
///
/// # Derivative
/// Exact for every scalar: the Jacobian's own derivative comes by duals.
pub fn frame_jacobian<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    frame: usize,
    out: &mut [T],
) {
    place(model, ws, q);
    place_world(model, ws);
    frame_jacobian_placed(model, ws, frame, out);
}

/// After [`place_world`].
pub(crate) fn frame_jacobian_placed<T: Real>(
    model: &Model<T>,
    ws: &Workspace<T>,
    frame: usize,
    out: &mut [T],
) {
    let n = model.velocities();
    assert_len!(out, 6 * n, "out: six rows");
    let frame = &model.frames()[frame];
    let point = ws.world[frame.body()].point(&frame.pose.position);
    out.fill(T::zero());
    let mut set = |column: usize, linear: &Vector<T>, angular: &Vector<T>| {
        for k in 0..3 {
            out[k * n + column] = linear[k];
            out[(k + 3) * n + column] = angular[k];
        }
    };
    let (base, none) = (model.base_velocities(), vector([0.0; 3]));
    for k in 0..base / 2 {
        let mut unit = none;
        unit[k] = T::one();
        set(k, &unit, &none);
        set(3 + k, &cross(&unit, &point), &unit);
    }
    let mut b = frame.body();
    while b > 0 {
        let a = axis(&ws.world[b]);
        if model.bodies[b].slides {
            set(base + b - 1, &a, &none);
        } else {
            set(base + b - 1, &cross(&a, &(point - ws.world[b].position)), &a);
        }
        b = model.bodies[b].parent;
    }
}

/// All joint columns at once, at `q`: linear velocity of the point of each moved body that lies at the root's origin
/// (x, y, z), then its angular velocity (x, y, z), for a unit velocity of the joint; world axes, row by row, joints only.
///
/// The Jacobian of any frame at `p` (relative to the root's origin) is `Jv + Jω × p` over the joints above it.
/// `out`: 6 × joints. Allocates: nothing. Switches: none.
///
/// # Panics
/// On a slice of the wrong length.
///
/// # Derivative
/// Exact for every scalar.
pub fn joint_jacobians<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, q: &[T], out: &mut [T]) {
    place(model, ws, q);
    place_world(model, ws);
    let n = model.joints().len();
    assert_len!(out, 6 * n, "out: six rows");
    for i in 1..=n {
        let (angular, linear) = column(model, ws, i);
        for k in 0..3 {
            out[k * n + i - 1] = linear[k];
            out[(k + 3) * n + i - 1] = angular[k];
        }
    }
}

/// Motion of body `i` for a unit velocity of its joint: angular, and linear of the point at the root's origin. After
/// [`place_world`].
#[inline(always)]
pub(crate) fn column<T: Real>(model: &Model<T>, ws: &Workspace<T>, i: usize) -> (Vector<T>, Vector<T>) {
    let a = axis(&ws.world[i]);
    if model.bodies[i].slides { (vector([0.0; 3]), a) } else { (a, cross(&ws.world[i].position, &a)) }
}

/// `out += Σ Jᵀ w`: what wrenches on frames are as joint efforts, one a joint. After [`place_world`].
///
/// About one point they add up body by body, so that one pass serves any number of them.
pub(crate) fn add_efforts_placed<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    wrenches: &[Wrench<T>],
    out: &mut [T],
) {
    assert_len!(out, model.joints().len(), "out: one a joint");
    ws.wrench.fill((vector([0.0; 3]), vector([0.0; 3])));
    for Wrench { frame, force, moment } in wrenches {
        let frame = &model.frames()[*frame];
        let point = ws.world[frame.body()].point(&frame.pose.position);
        let body = &mut ws.wrench[frame.body()];
        body.0 += force;
        body.1 += cross_plus(&point, force, Some(moment));
    }
    for i in (1..model.bodies.len()).rev() {
        let ((force, moment), (angular, linear)) = (ws.wrench[i], column(model, ws, i));
        out[i - 1] += dot(&linear, &force) + dot(&angular, &moment);
        let above = &mut ws.wrench[model.bodies[i].parent];
        above.0 += force;
        above.1 += moment;
    }
}

/// Angular Jacobian `S_k` of a frame (3 rows, joints only), row by row. After [`place_world`].
pub(crate) fn angular_jacobian_placed<T: Real>(
    model: &Model<T>,
    ws: &Workspace<T>,
    frame: usize,
    out: &mut [T],
) {
    let n = model.joints().len();
    assert_len!(out, 3 * n, "out: three rows");
    out.fill(T::zero());
    let mut b = model.frames()[frame].body();
    while b > 0 {
        if !model.bodies[b].slides {
            let a = axis(&ws.world[b]);
            for k in 0..3 {
                out[k * n + b - 1] = a[k];
            }
        }
        b = model.bodies[b].parent;
    }
}
