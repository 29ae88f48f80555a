//! Derivatives of inverse dynamics in closed form, one pass out and one back.
//!
//! Everything is in world axes about one point, the root's origin. There a body's motion is a pair: angular velocity, and
//! velocity of the point of the body at the root's origin. With `S_c` the motion of coordinate `c`, `V_p` and `A_p` the
//! velocity and acceleration of what it moves against, and `×` of pairs as usual (Featherstone 2008, chapter 2), moving
//! the subtree below `c` turns all of its motions with it, and leaves besides
//!
//! ```text
//! by position   U = V_p × S,  X = A_p × S + V_p × U      δF = S ×* F + Y X + 2 B U
//! by velocity   W = 2 U                                  δF = Y W + 2 B S
//! by acceleration                                        δF = Y S
//! ```
//!
//! `Y` the inertia of the subtree, `F` the force on it, and `B`, the Coriolis matrix of the subtree, by its momentum `f`
//! and `P = ∫ u rᵀ dm` (velocity times position): `B x = ((tr P 1 − P) x_ω, x_ω × f)`. What a coordinate `i` above `c`
//! takes of it is `S_i · δF`; one below `c` takes `(Y S_i) · X + 2 (Bᵀ S_i) · U`, of its own subtree, and nothing of the
//! turning. Loads fixed in world axes do not turn: what turns with the subtree is taken off them again.

use super::jacobian::column;
use super::kinematics::{place, place_world};
use super::pair::{Pair, Six, Turning, add_products, angular, complement, momentum, pair, products};
use super::rnea::{axial, rate};
use super::{Loads, Workspace, assert_len};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Inertia, Matrix, Vector, cross, cross_plus, dot, mul, scaled, skew, vector};

/// Matrices of derivatives, one row an effort, one column a velocity coordinate, row by row; and their scratch.
#[derive(Clone, Debug)]
pub struct InverseDynamicsDerivatives<T> {
    /// `∂τ/∂q`; of a free base by world translation, then by a world rotation vector on the left.
    pub by_position: Vec<T>,
    /// `∂τ/∂v`.
    pub by_velocity: Vec<T>,
    /// `∂τ/∂v̇ = M(q)`, armatures and carried inertias in it.
    pub by_acceleration: Vec<T>,
    bodies: Vec<Subtree<T>>,
    /// `S`, `X`, `W`, and the forces by position, velocity and acceleration: six rows each, one column a coordinate.
    motion: Six<T>,
    turned: Six<T>,
    swept: Six<T>,
    /// Angular part of `2 U`: that of `W` but for the turns of a free base, whose velocity is held in world axes.
    drift: [Vec<T>; 3],
    force_position: Six<T>,
    force_velocity: Six<T>,
    force_acceleration: Six<T>,
}

/// Motion of a body, and what its subtree adds up to.
#[derive(Clone, Copy, Debug)]
struct Subtree<T> {
    velocity: Pair<T>,
    acceleration: Pair<T>,
    inertia: Inertia<T>,
    force: Pair<T>,
    coriolis: Turning<T>,
    /// What loads fixed in world axes do not turn.
    fixed: Turning<T>,
}

impl<T: Real> InverseDynamicsDerivatives<T> {
    /// Room for a model, and for every model of the same shape.
    pub fn new(model: &Model<T>) -> Self {
        let n = model.velocities();
        let square = || vec![T::zero(); n * n];
        let six = || std::array::from_fn(|_| vec![T::zero(); n]);
        let none = Subtree {
            velocity: Pair::zero(),
            acceleration: Pair::zero(),
            inertia: Inertia::zero(),
            force: Pair::zero(),
            coriolis: Turning::zero(),
            fixed: Turning::zero(),
        };
        InverseDynamicsDerivatives {
            by_position: square(),
            by_velocity: square(),
            by_acceleration: square(),
            bodies: vec![none; model.bodies.len()],
            motion: six(),
            turned: six(),
            swept: six(),
            drift: std::array::from_fn(|_| vec![T::zero(); n]),
            force_position: six(),
            force_velocity: six(),
            force_acceleration: six(),
        }
    }
}

/// Derivatives of [`inverse_dynamics`](super::inverse_dynamics) by positions, velocities and accelerations, at
/// `q`, `v`, `a`, under loads that are fixed in world axes: `O(n · depth)`.
///
/// | symbol | argument | unit | length |
/// |---|---|---|---|
/// | `q, v, v̇` | `q`, `v`, `a` | rad, rad/s, rad/s²; m, m/s, m/s² | n |
/// | `∂τ/∂q, ∂τ/∂v, M` | `out` | N m/rad, … | n × n |
///
/// Allocates: nothing. Switches: none.
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
///
/// # Derivative
/// Exact for every scalar: over duals these are second derivatives.
///
/// # Reference
/// Carpentier & Mansard 2018; Singh, Russell & Wensing 2022. Here in world axes about one point, with a body's Coriolis
/// matrix by its momentum and one 3×3 matrix.
pub fn inverse_dynamics_derivatives<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
    loads: &Loads<'_, T>,
    out: &mut InverseDynamicsDerivatives<T>,
) {
    place(model, ws, q);
    place_world(model, ws);
    inverse_dynamics_derivatives_placed(model, ws, v, a, loads, out);
}

/// After [`place_world`].
pub(crate) fn inverse_dynamics_derivatives_placed<T: Real>(
    model: &Model<T>,
    ws: &Workspace<T>,
    v: &[T],
    a: &[T],
    loads: &Loads<'_, T>,
    out: &mut InverseDynamicsDerivatives<T>,
) {
    derive(model, ws, (v, a), &model.gravity(), loads, out);
}

/// Derivatives of `M a` alone: no velocity (`still` is zeros) and no gravity. After [`place_world`].
pub(crate) fn motion_from_rest<T: Real>(
    model: &Model<T>,
    ws: &Workspace<T>,
    still: &[T],
    a: &[T],
    loads: &Loads<'_, T>,
    out: &mut InverseDynamicsDerivatives<T>,
) {
    derive(model, ws, (still, a), &vector([0.0; 3]), loads, out);
}

fn derive<T: Real>(
    model: &Model<T>,
    ws: &Workspace<T>,
    (v, a): (&[T], &[T]),
    gravity: &Vector<T>,
    loads: &Loads<'_, T>,
    out: &mut InverseDynamicsDerivatives<T>,
) {
    assert_len!(v, model.velocities(), "v");
    assert_len!(a, model.velocities(), "a");
    go_out(model, ws, v, a, gravity, out);
    add_loads(model, ws, loads, &mut out.bodies);
    go_back(model, ws, out);
    rows(model, out);
}

/// Motions of bodies and coordinates, and what each body adds by itself.
fn go_out<T: Real>(
    model: &Model<T>,
    ws: &Workspace<T>,
    v: &[T],
    a: &[T],
    gravity: &Vector<T>,
    out: &mut InverseDynamicsDerivatives<T>,
) {
    let base = model.base_velocities();
    let (mut velocity, mut acceleration) = (Pair::zero(), Pair::zero());
    if base > 0 {
        velocity = Pair { linear: Vector::new(v[0], v[1], v[2]), angular: Vector::new(v[3], v[4], v[5]) };
        acceleration = Pair { linear: Vector::new(a[0], a[1], a[2]), angular: Vector::new(a[3], a[4], a[5]) };
        // Of the point that is at the origin now, less that of the origin.
        acceleration.linear -= cross(&velocity.angular, &velocity.linear);
    }
    acceleration.linear -= gravity;
    for k in 0..base {
        base_column(k, &velocity, &acceleration, out);
    }
    for (i, body) in model.bodies.iter().enumerate() {
        if i > 0 {
            let c = base + i - 1;
            let (angular, linear) = column(model, ws, i);
            let s = Pair { angular, linear };
            let above = &out.bodies[body.parent];
            let u = above.velocity.cross(&s);
            let x = above.acceleration.cross(&s).plus(&above.velocity.cross(&u));
            velocity = above.velocity.plus(&s.times(v[c]));
            acceleration = above.acceleration.plus(&s.times(a[c])).plus(&u.times(v[c]));
            s.put(&mut out.motion, c);
            x.put(&mut out.turned, c);
            let w = u.times(T::from_f64(2.0));
            w.put(&mut out.swept, c);
            (0..3).for_each(|k| out.drift[k][c] = w.angular[k]);
        }
        let inertia = body.inertia.placed(&ws.world[i]);
        let (h, second) = (&inertia.first_moment, &inertia.second_moment);
        let rate = rate(&velocity.angular, &acceleration.angular);
        let origin = cross_plus(&velocity.angular, &velocity.linear, Some(&acceleration.linear));
        let p = velocity.linear * h.transpose()
            + crate::spatial::product(&skew(&velocity.angular), &second.to_matrix());
        out.bodies[i] = Subtree {
            velocity,
            acceleration,
            force: Pair {
                angular: cross_plus(h, &origin, Some(&axial(&rate, second))),
                linear: mul(&rate, h) + scaled(&origin, inertia.mass),
            },
            coriolis: Turning {
                matrix: complement(&p),
                linear: cross_plus(&velocity.angular, h, Some(&scaled(&velocity.linear, inertia.mass))),
            },
            fixed: Turning::zero(),
            inertia,
        };
    }
}

/// Column `k` of a free base: translations, then turns, in world axes, at which its velocities and accelerations are held
/// in world axes too.
fn base_column<T: Real>(
    k: usize,
    velocity: &Pair<T>,
    acceleration: &Pair<T>,
    out: &mut InverseDynamicsDerivatives<T>,
) {
    let mut e = vector([0.0; 3]);
    e[k % 3] = T::one();
    let (mut s, mut x, mut w) = (Pair::zero(), Pair::zero(), Pair::zero());
    let mut drift = w.angular;
    if k < 3 {
        s.linear = e;
    } else {
        s.angular = e;
        x = acceleration.cross(&s).plus(&velocity.cross(&velocity.cross(&s)));
        w.angular = cross(&velocity.angular, &e);
        drift = w.angular + w.angular;
        w.linear = scaled(&cross(&velocity.linear, &e), T::from_f64(2.0));
    }
    s.put(&mut out.motion, k);
    x.put(&mut out.turned, k);
    w.put(&mut out.swept, k);
    (0..3).for_each(|axis| out.drift[axis][k] = drift[axis]);
}

/// Loads into the bodies they act on.
fn add_loads<T: Real>(model: &Model<T>, ws: &Workspace<T>, loads: &Loads<'_, T>, bodies: &mut [Subtree<T>]) {
    for load in loads.wrenches {
        let frame = &model.frames()[load.frame];
        let (body, f) = (&mut bodies[frame.body()], &load.force);
        let p = ws.world[frame.body()].point(&frame.pose.position);
        body.force.linear -= f;
        body.force.angular -= cross_plus(&p, f, Some(&load.moment));
        // The wrench turned by x is p × (x × f) + x × m, x × f: less of it, since it stays.
        let along = dot(&p, f);
        let matrix = Matrix::from_diagonal_element(along) - *f * p.transpose() - skew(&load.moment);
        body.fixed.add(&Turning { matrix, linear: *f });
    }
    for load in loads.carried {
        let body = &mut bodies[model.frames()[load.frame].body()];
        let (w, wd) = (body.velocity.angular, body.acceleration.angular);
        let rate = rate(&w, &wd);
        let inertia = Inertia::rotational(&load.tensor);
        body.force.angular += axial(&rate, &inertia.second_moment);
        let spin = crate::spatial::product(&skew(&w), &inertia.second_moment.to_matrix());
        body.coriolis.matrix += complement(&spin);
        body.inertia += inertia;
        let tensor = load.tensor.to_matrix();
        let turn = |x: &Vector<T>| skew(&mul(&tensor, x)) - crate::spatial::product(&tensor, &skew(x));
        body.fixed.matrix += turn(&wd) + crate::spatial::product(&skew(&w), &turn(&w));
    }
}

/// Subtrees, and the forces that each coordinate makes.
fn go_back<T: Real>(model: &Model<T>, ws: &Workspace<T>, out: &mut InverseDynamicsDerivatives<T>) {
    let base = model.base_velocities();
    for i in (1..model.bodies.len()).rev() {
        let (angular, linear) = column(model, ws, i);
        forces(out, i, base + i - 1, &Pair { angular, linear });
        let (head, tail) = out.bodies.split_at_mut(i);
        let (above, own) = (&mut head[model.bodies[i].parent], &tail[0]);
        above.inertia += own.inertia;
        above.force = above.force.plus(&own.force);
        above.coriolis.add(&own.coriolis);
        above.fixed.add(&own.fixed);
    }
    for k in 0..base {
        let mut s = Pair::zero();
        let part = if k < 3 { &mut s.linear } else { &mut s.angular };
        part[k % 3] = T::one();
        forces(out, 0, k, &s);
        if k < 3 {
            // Moved as a whole, nothing changes.
            Pair::zero().put(&mut out.force_position, k);
        }
    }
}

/// The forces on the subtree of body `i` by coordinate `c`, whose motion is `s`.
fn forces<T: Real>(out: &mut InverseDynamicsDerivatives<T>, i: usize, c: usize, s: &Pair<T>) {
    let body = &out.bodies[i];
    let (x, w) = (pair(&out.turned, c), pair(&out.swept, c));
    let (two, drift) = (T::from_f64(2.0), Vector::new(out.drift[0][c], out.drift[1][c], out.drift[2][c]));
    let position = s
        .cross_force(&body.force)
        .plus(&momentum(&body.inertia, &x))
        .plus(&body.coriolis.at(&drift))
        .plus(&body.fixed.at(&s.angular));
    let velocity = momentum(&body.inertia, &w).plus(&body.coriolis.at(&scaled(&s.angular, two)));
    position.put(&mut out.force_position, c);
    velocity.put(&mut out.force_velocity, c);
    momentum(&body.inertia, s).put(&mut out.force_acceleration, c);
}

/// The rows of the three matrices.
fn rows<T: Real>(model: &Model<T>, out: &mut InverseDynamicsDerivatives<T>) {
    let (n, base) = (model.velocities(), model.base_velocities());
    let InverseDynamicsDerivatives { by_position, by_velocity, by_acceleration, .. } = out;
    for i in 0..n {
        let body = if i < base { 0 } else { i - base + 1 };
        let s = pair(&out.motion, i);
        let [position, velocity, acceleration] =
            [&mut *by_position, by_velocity, by_acceleration].map(|matrix| &mut matrix[i * n..(i + 1) * n]);
        // A base's coordinates all move the whole, and its own rows are of forces that nothing turns.
        let (first, end) = (if i < base { 0 } else { i }, base + model.bodies[body].end - 1);
        let subtree = &out.bodies[body];
        let inertial = pair(&out.force_acceleration, i);
        let coriolis = subtree.coriolis.transpose(&s);
        let fixed = subtree.fixed.transpose(&s);
        products(&s, &out.force_position, first..end, position);
        products(&inertial, &out.turned, 0..first, position);
        add_products(&coriolis, out.drift.each_ref(), 0..first, position);
        add_products(&fixed, angular(&out.motion), 0..first, position);
        products(&s, &out.force_velocity, first..end, velocity);
        products(&inertial, &out.swept, 0..first, velocity);
        add_products(&scaled(&coriolis, T::from_f64(2.0)), angular(&out.motion), 0..first, velocity);
        products(&s, &out.force_acceleration, first..end, acceleration);
        products(&inertial, &out.motion, 0..first, acceleration);
        if i < base {
            continue;
        }
        acceleration[i] += model.joints()[i - base].armature;
        // Coordinates on other branches: those after the subtree, and those before it that are not above.
        let mut clear = |from: usize, to: usize| {
            for row in [&mut *position, velocity, acceleration] {
                row[from..to].fill(T::zero());
            }
        };
        clear(end, n);
        let mut above = body;
        while above > 0 {
            let parent = model.bodies[above].parent;
            clear(base + parent, base + above - 1);
            above = parent;
        }
    }
}
