//! Where every body and frame is, and how fast.

use super::{Workspace, assert_len};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Matrix, Pose, Vector, cross_plus, mul, scaled, vector};

/// A frame's velocity in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist<T> {
    /// Of its origin, m/s.
    pub linear: Vector<T>,
    /// rad/s.
    pub angular: Vector<T>,
}

/// World pose of every frame at `q`: `(R, p)_child = (R, p)_parent ∘ placement ∘ joint(q)`.
///
/// | symbol | argument | unit | length |
/// |---|---|---|---|
/// | `q` | `q` | rad; m | [`Model::positions`] |
/// | `(R, p)` | `out` | 1; m | one a frame |
///
/// Allocates: nothing. Switches: none.
///
/// # Panics
/// On a slice of the wrong length.
///
/// # Derivative
/// Exact for every scalar.
pub fn frame_poses<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, q: &[T], out: &mut [Pose<T>]) {
    place(model, ws, q);
    place_world(model, ws);
    frame_poses_placed(model, ws, out);
}

/// Velocity of every frame at `q`, `v`: `ω = ω_parent + a q̇`, `v = v_parent + ω_parent × d` (`+ a q̇` along a slide).
///
/// `out` has one entry a frame. Allocates: nothing. Switches: none.
///
/// # Panics
/// On a slice of the wrong length.
///
/// # Derivative
/// Exact for every scalar.
pub fn frame_twists<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    out: &mut [Twist<T>],
) {
    place(model, ws, q);
    place_world(model, ws);
    frame_twists_placed(model, ws, v, out);
}

/// Every body in its parent's frame; the root in the world.
pub(crate) fn place<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, q: &[T]) {
    ws.assert_fits(model);
    assert_len!(q, model.positions(), "q");
    let (base, joints) = q.split_at(q.len() - model.joints().len());
    ws.local[0] = if base.is_empty() { *model.placement() } else { Pose::from_row(base) };
    for ((body, local), &q) in model.bodies[1..].iter().zip(&mut ws.local[1..]).zip(joints) {
        let Pose { rotation: r, position: p } = &body.placement;
        *local = if body.slides {
            Pose { rotation: *r, position: Vector::new(p.x + r.m13 * q, p.y + r.m23 * q, p.z + r.m33 * q) }
        } else {
            let (s, c) = q.sin_cos();
            let turned = |x: T, y: T| (x.mul_add(c, y * s), y.mul_add(c, -(x * s)));
            let ((x1, y1), (x2, y2), (x3, y3)) =
                (turned(r.m11, r.m12), turned(r.m21, r.m22), turned(r.m31, r.m32));
            let rotation = Matrix::new(x1, y1, r.m13, x2, y2, r.m23, x3, y3, r.m33);
            Pose { rotation, position: *p }
        };
    }
}

/// Every body in world axes, its origin relative to the root's. After [`place`].
pub(crate) fn place_world<T: Real>(model: &Model<T>, ws: &mut Workspace<T>) {
    ws.world[0] = Pose { rotation: ws.local[0].rotation, position: vector([0.0; 3]) };
    for i in 1..model.bodies.len() {
        ws.world[i] = ws.world[model.bodies[i].parent].then(&ws.local[i]);
    }
}

/// After [`place_world`].
pub(crate) fn frame_poses_placed<T: Real>(model: &Model<T>, ws: &Workspace<T>, out: &mut [Pose<T>]) {
    assert_len!(out, model.frames().len(), "out: one pose a frame");
    for (k, out) in out.iter_mut().enumerate() {
        *out = frame_pose_placed(model, ws, k);
    }
}

/// One frame's pose. After [`place_world`].
#[inline(always)]
pub(crate) fn frame_pose_placed<T: Real>(model: &Model<T>, ws: &Workspace<T>, frame: usize) -> Pose<T> {
    let frame = &model.frames()[frame];
    let mut pose = ws.world[frame.body()].then(&frame.pose);
    pose.position += ws.local[0].position;
    pose
}

/// Velocities of all bodies, then of the frames. After [`place_world`].
pub(crate) fn frame_twists_placed<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    v: &[T],
    out: &mut [Twist<T>],
) {
    assert_len!(out, model.frames().len(), "out: one twist a frame");
    body_twists(model, ws, v);
    for (frame, out) in model.frames().iter().zip(out) {
        let b = frame.body();
        let (angular, linear) = ws.twist[b];
        let arm = mul(&ws.world[b].rotation, &frame.pose.position);
        *out = Twist { linear: cross_plus(&angular, &arm, Some(&linear)), angular };
    }
}

/// Angular velocity of every body and linear velocity of its origin, world axes. After [`place_world`].
pub(crate) fn body_twists<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, v: &[T]) {
    assert_len!(v, model.velocities(), "v");
    let (base, joints) = v.split_at(model.base_velocities());
    ws.twist[0] = if base.is_empty() {
        (vector([0.0; 3]), vector([0.0; 3]))
    } else {
        (Vector::new(base[3], base[4], base[5]), Vector::new(base[0], base[1], base[2]))
    };
    for (i, &rate) in (1..).zip(joints) {
        let body = &model.bodies[i];
        let (above, here) = (&ws.world[body.parent], &ws.world[i]);
        let (angular, linear) = ws.twist[body.parent];
        let along = scaled(&axis(here), rate);
        let linear = cross_plus(&angular, &(here.position - above.position), Some(&linear));
        ws.twist[i] = if body.slides { (angular, linear + along) } else { (angular + along, linear) };
    }
}

/// The joint's axis of a body in world axes.
#[inline(always)]
pub(crate) fn axis<T: Real>(world: &Pose<T>) -> Vector<T> {
    let r = &world.rotation;
    Vector::new(r.m13, r.m23, r.m33)
}
