//! Accelerations that efforts cause, by articulated bodies.

use super::kinematics::{axis, place, place_world};
use super::workspace::Articulated;
use super::{Loads, Workspace, assert_len, ldl, newton_euler};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Matrix, Symmetric, Vector, cross, dot, mul, mul_transpose, scaled, vector};

/// Accelerations that joint efforts cause: `v̇ = M(q)⁻¹ (τ − h(q, v))`, O(n).
///
/// | symbol | argument | unit | length |
/// |---|---|---|---|
/// | `q` | `q` | rad; m | [`Model::positions`] |
/// | `v` | `v` | rad/s; m/s | [`Model::velocities`] |
/// | `τ` | `tau` | N m; N | as `v` |
/// | | `loads` | N, N m; kg m² | |
/// | `v̇` | `out` | rad/s²; m/s² | as `v` |
///
/// Free motion: no limits, friction or damping. A joint that moves no inertia gives a result that is not finite.
/// Allocates: nothing. Switches: none.
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
///
/// # Derivative
/// Exact for every scalar.
///
/// # Reference
/// Featherstone 2008, section 7.3, split in two: the bias by Newton–Euler, then `M⁻¹` of the rest by articulated
/// inertias, in world axes about each body's own origin, where no velocity appears.
pub fn forward_dynamics<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    tau: &[T],
    loads: &Loads<T>,
    out: &mut [T],
) {
    assert_len!(tau, model.velocities(), "tau");
    place(model, ws, q);
    place_world(model, ws);
    newton_euler(model, ws, v, None, loads, out);
    for (x, t) in out.iter_mut().zip(tau) {
        *x = *t - *x;
    }
    solve(model, ws, loads, out);
}

/// `x ← M⁻¹ x`. After [`place_world`].
fn solve<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, loads: &Loads<T>, x: &mut [T]) {
    let base = model.base_velocities();
    let count = model.bodies.len();
    let none = vector([0.0; 3]);
    // A fixed root needs no inertia of its own.
    for i in (if base > 0 { 0 } else { 1 })..count {
        let (rotation, inertia) = (&ws.world[i].rotation, &model.bodies[i].inertia);
        let h = mul(rotation, &inertia.first_moment);
        let (o, m) = (T::zero(), inertia.mass);
        let own = &mut ws.articulated[i];
        own.a = inertia.second_moment.rotated(rotation).tensor();
        own.b = Matrix::new(o, -h.z, h.y, h.z, o, -h.x, -h.y, h.x, o);
        own.c = Symmetric::from_entries([m, o, o, m, o, m]);
        ws.wrench[i] = (none, none);
    }
    for load in loads.carried {
        ws.articulated[model.frames()[load.frame].body()].a += load.tensor;
    }

    for i in (1..count).rev() {
        let body = &model.bodies[i];
        let a = axis(&ws.world[i]);
        let art = &ws.articulated[i];
        let (moment, force, own) = if body.slides {
            let (n, f) = (mul(&art.b, &a), art.c.mul(&a));
            (n, f, dot(&a, &f))
        } else {
            let (n, f) = (art.a.mul(&a), mul_transpose(&art.b, &a));
            (n, f, dot(&a, &n))
        };
        let inverse = (own + model.joints()[i - 1].armature).recip();
        let (bias_force, bias_moment) = ws.wrench[i];
        let drive = x[base + i - 1] - dot(&a, if body.slides { &bias_force } else { &bias_moment });
        ws.drive[i - 1] = drive;
        ws.articulated[i].unit = (moment, force);
        ws.articulated[i].inverse = inverse;
        let parent = body.parent;
        if parent > 0 || base > 0 {
            let d = ws.world[i].position - ws.world[parent].position;
            let given = given_way(&ws.articulated[i], inverse);
            add_shifted(&mut ws.articulated[parent], &given, &d);
            let share = drive * inverse;
            let force = bias_force + scaled(&force, share);
            let moment = bias_moment + scaled(&moment, share) + cross(&d, &force);
            ws.wrench[parent].0 += force;
            ws.wrench[parent].1 += moment;
        }
    }

    ws.twist[0] = (none, none);
    if base > 0 {
        ws.twist[0] = base_acceleration(&ws.articulated[0], &ws.wrench[0], &x[..6]);
        let (angular, linear) = ws.twist[0];
        x[..3].copy_from_slice(linear.as_slice());
        x[3..6].copy_from_slice(angular.as_slice());
    }
    for i in 1..count {
        let body = &model.bodies[i];
        let (angular, linear) = ws.twist[body.parent];
        let d = ws.world[i].position - ws.world[body.parent].position;
        let linear = linear + cross(&angular, &d);
        let art = &ws.articulated[i];
        let (moment, force) = &art.unit;
        let rate = (ws.drive[i - 1] - dot(moment, &angular) - dot(force, &linear)) * art.inverse;
        x[base + i - 1] = rate;
        let along = scaled(&axis(&ws.world[i]), rate);
        ws.twist[i] = if body.slides { (angular, linear + along) } else { (angular + along, linear) };
    }
}

/// What is left of a subtree's inertia when its joint gives way: `I − U Uᵀ / D`.
#[inline(always)]
fn given_way<T: Real>(art: &Articulated<T>, inverse: T) -> Articulated<T> {
    let (n, f) = &art.unit;
    let half = -inverse.scale(0.5);
    let (ns, fs) = (scaled(n, half), scaled(f, half));
    let (nk, fk) = (scaled(n, -inverse), f);
    Articulated {
        a: art.a + Symmetric::outer_sum(n, &ns),
        b: Matrix::new(
            art.b.m11 + nk.x * fk.x,
            art.b.m12 + nk.x * fk.y,
            art.b.m13 + nk.x * fk.z,
            art.b.m21 + nk.y * fk.x,
            art.b.m22 + nk.y * fk.y,
            art.b.m23 + nk.y * fk.z,
            art.b.m31 + nk.z * fk.x,
            art.b.m32 + nk.z * fk.y,
            art.b.m33 + nk.z * fk.z,
        ),
        c: art.c + Symmetric::outer_sum(f, &fs),
        ..*art
    }
}

/// Add an inertia about a point at `d` from the parent's origin: `B′ = B + [d]C`, `A′ = A + X + Xᵀ − [d] C [d]`, `X = [d]Bᵀ`.
#[inline(always)]
fn add_shifted<T: Real>(to: &mut Articulated<T>, from: &Articulated<T>, d: &Vector<T>) {
    let column = |m: &Matrix<T>, j: usize| Vector::new(m[(0, j)], m[(1, j)], m[(2, j)]);
    let row = |m: &Matrix<T>, i: usize| Vector::new(m[(i, 0)], m[(i, 1)], m[(i, 2)]);
    let c = &from.c;
    // Columns of [d]C; then rows of [d]C against d give −[d]C[d].
    let y = Matrix::from_columns(&[
        cross(d, &Vector::new(c.xx, c.xy, c.xz)),
        cross(d, &Vector::new(c.xy, c.yy, c.yz)),
        cross(d, &Vector::new(c.xz, c.yz, c.zz)),
    ]);
    let x: [Vector<T>; 3] = std::array::from_fn(|j| cross(d, &row(&from.b, j)));
    let z: [Vector<T>; 3] = std::array::from_fn(|i| cross(d, &row(&y, i)));
    let twice = |x: T| x + x;
    to.a += Symmetric {
        xx: from.a.xx + twice(x[0].x) + z[0].x,
        xy: from.a.xy + x[0].y + x[1].x + z[0].y,
        xz: from.a.xz + x[0].z + x[2].x + z[0].z,
        yy: from.a.yy + twice(x[1].y) + z[1].y,
        yz: from.a.yz + x[1].z + x[2].y + z[1].z,
        zz: from.a.zz + twice(x[2].z) + z[2].z,
    };
    for j in 0..3 {
        let (b, y) = (column(&from.b, j), column(&y, j));
        to.b[(0, j)] += b.x + y.x;
        to.b[(1, j)] += b.y + y.y;
        to.b[(2, j)] += b.z + y.z;
    }
    to.c += from.c;
}

/// Angular and linear acceleration of a free base under a force and moment (`effort`), less what its joints pass on.
fn base_acceleration<T: Real>(
    art: &Articulated<T>,
    passed_on: &(Vector<T>, Vector<T>),
    effort: &[T],
) -> (Vector<T>, Vector<T>) {
    let (a, c) = (art.a.to_matrix(), art.c.to_matrix());
    let mut matrix = [T::zero(); 36];
    for k in 0..3 {
        for l in 0..3 {
            matrix[6 * k + l] = c[(k, l)];
            matrix[6 * k + 3 + l] = art.b[(l, k)];
            matrix[6 * (3 + k) + l] = art.b[(k, l)];
            matrix[6 * (3 + k) + 3 + l] = a[(k, l)];
        }
    }
    let mut x: [T; 6] =
        std::array::from_fn(|k| effort[k] - if k < 3 { passed_on.0[k] } else { passed_on.1[k - 3] });
    ldl::factor(&mut matrix, 6);
    ldl::solve(&matrix, 6, &mut x);
    (Vector::new(x[3], x[4], x[5]), Vector::new(x[0], x[1], x[2]))
}
