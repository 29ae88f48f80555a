//! Derivatives of the power that joint efforts do on a virtual motion, in one pass out and one back.
//!
//! With `N` the virtual motion of a body (`ν` of the joints above it), the power `νᵀ ID(q, v, v̇)` is `Σ N · F` over the
//! bodies. In the terms of `derivatives.rs`, with sums over the subtree of coordinate `c` of the bodies' own force `F`,
//! virtual momentum `Q = Σ Y N` and `b = Σ Bᵀ N`,
//!
//! ```text
//! by position    N · (S ×* F) + Q · X + 2 b · U          by velocity    2 Q · U + 2 b · S          by acceleration    Q · S
//! ```
//!
//! No matrix is made: three vectors a body, `O(n)`.

use super::jacobian::column;
use super::pair::{Pair, momentum};
use super::rnea::{axial, rate};
use super::{Loads, Workspace, assert_len, place, place_world};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Inertia, Vector, cross, cross_plus, dot, mul, scaled, vector};

/// `νᵀ ∂τ/∂q`, `νᵀ ∂τ/∂v` and `νᵀ M`: one number a velocity coordinate, and scratch.
#[derive(Clone, Debug)]
pub struct VirtualPower<T> {
    /// `νᵀ ∂τ/∂q`; of a free base by world translation, then by a world rotation vector on the left.
    pub by_position: Vec<T>,
    /// `νᵀ ∂τ/∂v`.
    pub by_velocity: Vec<T>,
    /// `νᵀ ∂τ/∂v̇ = M ν`, armatures and carried inertias in it.
    pub by_acceleration: Vec<T>,
    bodies: Vec<Subtree<T>>,
}

/// Motions of a body, and what its subtree adds up to.
#[derive(Clone, Copy, Debug)]
struct Subtree<T> {
    velocity: Pair<T>,
    acceleration: Pair<T>,
    virtual_motion: Pair<T>,
    force: Pair<T>,
    virtual_momentum: Pair<T>,
    coriolis: Vector<T>,
    /// What loads fixed in world axes do not turn.
    fixed: Vector<T>,
}

impl<T: Real> VirtualPower<T> {
    /// Room for a model, and for every model of the same shape.
    pub fn new(model: &Model<T>) -> Self {
        let row = || vec![T::zero(); model.velocities()];
        let (still, zero) = (Pair::zero(), vector([0.0; 3]));
        let none = Subtree {
            velocity: still,
            acceleration: still,
            virtual_motion: still,
            force: still,
            virtual_momentum: still,
            coriolis: zero,
            fixed: zero,
        };
        VirtualPower {
            by_position: row(),
            by_velocity: row(),
            by_acceleration: row(),
            bodies: vec![none; model.bodies.len()],
        }
    }
}

/// Derivatives of the virtual power `νᵀ τ` of [`inverse_dynamics`](super::inverse_dynamics) by positions, velocities and
/// accelerations, for a virtual velocity `ν` that is held: the products `νᵀ ∂τ/∂q`, `νᵀ ∂τ/∂v`, `M ν` without the
/// matrices, `O(n)`. What an adjoint sweep needs of a step.
///
/// | symbol | argument | unit | length |
/// |---|---|---|---|
/// | `q, v, v̇` | `q`, `v`, `a` | rad, rad/s, rad/s²; m, m/s, m/s² | n |
/// | `ν` | `virtual_velocity` | any | n |
///
/// Allocates: nothing. Switches: none.
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
///
/// # Derivative
/// Exact for every scalar.
///
/// # Reference
/// The transposed products of Carpentier & Mansard 2018, summed before they are formed.
pub fn virtual_power<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    (q, v, a): (&[T], &[T], &[T]),
    virtual_velocity: &[T],
    loads: &Loads<'_, T>,
    out: &mut VirtualPower<T>,
) {
    place(model, ws, q);
    place_world(model, ws);
    virtual_power_placed(model, ws, (v, a), virtual_velocity, &model.gravity(), loads, out);
}

/// After [`place_world`].
pub(crate) fn virtual_power_placed<T: Real>(
    model: &Model<T>,
    ws: &Workspace<T>,
    (v, a): (&[T], &[T]),
    virtual_velocity: &[T],
    gravity: &Vector<T>,
    loads: &Loads<'_, T>,
    out: &mut VirtualPower<T>,
) {
    assert_len!(v, model.velocities(), "v");
    assert_len!(a, model.velocities(), "a");
    assert_len!(virtual_velocity, model.velocities(), "virtual_velocity");
    go_out(model, ws, (v, a, virtual_velocity), gravity, &mut out.bodies);
    add_loads(model, ws, loads, &mut out.bodies);
    go_back(model, ws, virtual_velocity, out);
}

/// A free base's motion from its six world coordinates.
fn base_pair<T: Real>(x: &[T]) -> Pair<T> {
    Pair { linear: Vector::new(x[0], x[1], x[2]), angular: Vector::new(x[3], x[4], x[5]) }
}

fn go_out<T: Real>(
    model: &Model<T>,
    ws: &Workspace<T>,
    (v, a, virtual_velocity): (&[T], &[T], &[T]),
    gravity: &Vector<T>,
    bodies: &mut [Subtree<T>],
) {
    let base = model.base_velocities();
    let (mut velocity, mut acceleration, mut virtual_motion) = (Pair::zero(), Pair::zero(), Pair::zero());
    if base > 0 {
        (velocity, acceleration, virtual_motion) = (base_pair(v), base_pair(a), base_pair(virtual_velocity));
        // Of the point that is at the origin now, less that of the origin.
        acceleration.linear -= cross(&velocity.angular, &velocity.linear);
    }
    acceleration.linear -= gravity;
    for (i, body) in model.bodies.iter().enumerate() {
        if i > 0 {
            let c = base + i - 1;
            let (angular, linear) = column(model, ws, i);
            let s = Pair { angular, linear };
            let above = &bodies[body.parent];
            let u = above.velocity.cross(&s);
            velocity = above.velocity.plus(&s.times(v[c]));
            acceleration = above.acceleration.plus(&s.times(a[c])).plus(&u.times(v[c]));
            virtual_motion = above.virtual_motion.plus(&s.times(virtual_velocity[c]));
        }
        let inertia = body.inertia.placed(&ws.world[i]);
        let (h, second) = (&inertia.first_moment, &inertia.second_moment);
        let rate = rate(&velocity.angular, &acceleration.angular);
        let origin = cross_plus(&velocity.angular, &velocity.linear, Some(&acceleration.linear));
        let force = Pair {
            angular: cross_plus(h, &origin, Some(&axial(&rate, second))),
            linear: mul(&rate, h) + scaled(&origin, inertia.mass),
        };
        // Bᵀ N: f × N_v, and ((tr P) 1 − P)ᵀ N_ω with P = V_v hᵀ + [V_ω]× Σ, whose second part has no trace.
        let (w, turn) = (&velocity.angular, &virtual_motion.angular);
        let moved = cross_plus(w, h, Some(&scaled(&velocity.linear, inertia.mass)));
        let carried = cross_plus(&velocity.linear, &cross(turn, h), Some(&second.mul(&cross(w, turn))));
        bodies[i] = Subtree {
            velocity,
            acceleration,
            virtual_motion,
            force,
            virtual_momentum: momentum(&inertia, &virtual_motion),
            coriolis: cross_plus(&moved, &virtual_motion.linear, Some(&carried)),
            fixed: vector([0.0; 3]),
        };
    }
}

/// Loads into the bodies they act on.
fn add_loads<T: Real>(model: &Model<T>, ws: &Workspace<T>, loads: &Loads<'_, T>, bodies: &mut [Subtree<T>]) {
    for load in loads.wrenches {
        let frame = &model.frames()[load.frame];
        let (body, f) = (&mut bodies[frame.body()], &load.force);
        let p = ws.world[frame.body()].point(&frame.pose.position);
        body.force.linear -= f;
        body.force.angular -= cross_plus(&p, f, Some(&load.moment));
        // The turned wrench x ↦ (p × (x × f) + x × m, x × f), transposed: less of it, since the wrench stays.
        let (turn, linear) = (&body.virtual_motion.angular, &body.virtual_motion.linear);
        let by_moment = cross_plus(&load.moment, turn, Some(&cross(f, &cross(turn, &p))));
        body.fixed += cross_plus(f, linear, Some(&by_moment));
    }
    for load in loads.carried {
        let body = &mut bodies[model.frames()[load.frame].body()];
        let (w, wd) = (body.velocity.angular, body.acceleration.angular);
        let turn = body.virtual_motion.angular;
        let inertia = Inertia::rotational(&load.tensor);
        body.force.angular += axial(&rate(&w, &wd), &inertia.second_moment);
        body.virtual_momentum = body.virtual_momentum.plus(&momentum(&inertia, &body.virtual_motion));
        body.coriolis += inertia.second_moment.mul(&cross(&w, &turn));
        // The turned moment x ↦ x × (C ω̇) − C (x × ω̇) and its like of ω × C ω, transposed.
        let tensor = load.tensor.to_matrix();
        let stays = |x: &Vector<T>, n: &Vector<T>| cross(x, &mul(&tensor, n)) - cross(&mul(&tensor, x), n);
        body.fixed += stays(&wd, &turn) + stays(&w, &cross(&turn, &w));
    }
}

fn go_back<T: Real>(model: &Model<T>, ws: &Workspace<T>, virtual_velocity: &[T], out: &mut VirtualPower<T>) {
    let VirtualPower { by_position, by_velocity, by_acceleration, bodies } = out;
    let base = model.base_velocities();
    let power = |f: &Pair<T>, s: &Pair<T>| dot(&f.angular, &s.angular) + dot(&f.linear, &s.linear);
    for i in (1..model.bodies.len()).rev() {
        let c = base + i - 1;
        let (angular, linear) = column(model, ws, i);
        let s = Pair { angular, linear };
        let (head, tail) = bodies.split_at_mut(i);
        let (above, own) = (&mut head[model.bodies[i].parent], &tail[0]);
        let u = above.velocity.cross(&s);
        let x = above.acceleration.cross(&s).plus(&above.velocity.cross(&u));
        let swept = dot(&own.coriolis, &u.angular);
        by_position[c] = power(&s.cross_force(&own.force), &own.virtual_motion)
            + power(&own.virtual_momentum, &x)
            + (swept + swept)
            + dot(&own.fixed, &s.angular);
        let half = power(&own.virtual_momentum, &u) + dot(&own.coriolis, &s.angular);
        by_velocity[c] = half + half;
        let armature = model.joints()[i - 1].armature * virtual_velocity[c];
        by_acceleration[c] = power(&own.virtual_momentum, &s) + armature;
        above.force = above.force.plus(&own.force);
        above.virtual_momentum = above.virtual_momentum.plus(&own.virtual_momentum);
        above.coriolis += own.coriolis;
        above.fixed += own.fixed;
    }
    if base == 0 {
        return;
    }
    let root = &bodies[0];
    let (velocity, acceleration) = (&root.velocity, &root.acceleration);
    for k in 0..3 {
        let mut e = vector([0.0; 3]);
        e[k] = T::one();
        // Moved as a whole, nothing changes; velocities are held in world axes.
        by_position[k] = T::zero();
        by_velocity[k] = T::zero();
        by_acceleration[k] = root.virtual_momentum.linear[k];
        let s = Pair { angular: e, linear: vector([0.0; 3]) };
        let x = acceleration.cross(&s).plus(&velocity.cross(&velocity.cross(&s)));
        let drift = cross(&velocity.angular, &e);
        let swept = dot(&root.coriolis, &drift);
        by_position[3 + k] = power(&s.cross_force(&root.force), &root.virtual_motion)
            + power(&root.virtual_momentum, &x)
            + (swept + swept)
            + dot(&root.fixed, &e);
        let linear = cross(&velocity.linear, &e);
        let w = Pair { angular: drift, linear: linear + linear };
        let turned = dot(&root.coriolis, &e);
        by_velocity[3 + k] = power(&root.virtual_momentum, &w) + (turned + turned);
        by_acceleration[3 + k] = root.virtual_momentum.angular[k];
    }
}
