//! The mass matrix, by composite rigid bodies.

use super::jacobian::columns;
use super::kinematics::{axis, place, place_world};
use super::{Carried, Workspace, assert_len};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Inertia, cross, dot, scaled};

/// Mass matrix `M(q)`, with each joint's armature on its diagonal and what the frames carry, row by row.
///
/// | symbol | argument | unit | length |
/// |---|---|---|---|
/// | `q` | `q` | rad; m | [`Model::positions`] |
/// | `C` | `carried` | kg m² | |
/// | `M` | `out` | kg m², kg m, kg | [`Model::velocities`]² |
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
/// Featherstone 2008, section 6.2; here composites are in world axes about each body's own origin, and the row of a
/// joint is six products over its subtree's columns, which are contiguous.
pub fn mass_matrix<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    carried: &[Carried<T>],
    out: &mut [T],
) {
    place(model, ws, q);
    place_world(model, ws);
    mass_matrix_placed(model, ws, carried, out);
}

/// After [`place_world`].
pub(crate) fn mass_matrix_placed<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    carried: &[Carried<T>],
    out: &mut [T],
) {
    let (n, base) = (model.velocities(), model.base_velocities());
    assert_len!(out, n * n, "out: the square of the velocity's length");
    columns(model, ws);
    composites(model, ws, carried);
    for i in 1..model.bodies.len() {
        let (a, inertia) = (axis(&ws.world[i]), &ws.composite[i]);
        let (force, moment) = if model.bodies[i].slides {
            (scaled(&a, inertia.mass), cross(&inertia.first_moment, &a))
        } else {
            let moment = scaled(&a, inertia.second_moment.trace()) - inertia.second_moment.mul(&a);
            (cross(&a, &inertia.first_moment), moment)
        };
        let about_root = moment + cross(&ws.world[i].position, &force);
        ws.momentum.set(i - 1, &about_root, &force);
        // On the diagonal without the detour over the root's origin, and so without its cancellation.
        let own = if model.bodies[i].slides { dot(&a, &force) } else { dot(&a, &moment) };
        out[(base + i - 1) * (n + 1)] = own + model.joints()[i - 1].armature;
    }
    for i in 1..model.bodies.len() {
        let row = &mut out[(base + i - 1) * n..][base + i..n];
        let (below, rest) = row.split_at_mut(model.bodies[i].end - i - 1);
        rest.fill(T::zero());
        let (w, v) = ws.motion.get(i - 1);
        let u = ws.momentum.rows.each_ref().map(|r| &r[i..model.bodies[i].end - 1]);
        for (k, m) in below.iter_mut().enumerate() {
            *m =
                w.x * u[0][k] + w.y * u[1][k] + w.z * u[2][k] + v.x * u[3][k] + v.y * u[4][k] + v.z * u[5][k];
        }
    }
    if base > 0 {
        base_rows(ws, n, out);
    }
    for i in 1..n {
        for j in 0..i {
            out[i * n + j] = out[j * n + i];
        }
    }
}

/// Composite inertia of every subtree. After [`place_world`].
pub(crate) fn composites<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, carried: &[Carried<T>]) {
    for ((body, world), composite) in model.bodies.iter().zip(&ws.world).zip(&mut ws.composite) {
        *composite = Inertia {
            mass: body.inertia.mass,
            first_moment: crate::spatial::mul(&world.rotation, &body.inertia.first_moment),
            second_moment: body.inertia.second_moment.rotated(&world.rotation),
        };
    }
    for load in carried {
        ws.composite[model.frames()[load.frame].body()] += Inertia::rotational(&load.tensor);
    }
    for i in (1..model.bodies.len()).rev() {
        let parent = model.bodies[i].parent;
        let moved = ws.composite[i].shifted(&(ws.world[i].position - ws.world[parent].position));
        ws.composite[parent] += moved;
    }
}

/// Rows of a free base above the diagonal: momentum of everything for a unit velocity of the base, and of each joint.
fn base_rows<T: Real>(ws: &Workspace<T>, n: usize, out: &mut [T]) {
    let all = &ws.composite[0];
    let tensor = all.second_moment.tensor().to_matrix();
    let (h, o) = (&all.first_moment, T::zero());
    // Momentum by angular velocity, ω × h, in rows of the force.
    let turned = [[o, h.z, -h.y], [-h.z, o, h.x], [h.y, -h.x, o]];
    for k in 0..3 {
        for l in 0..3 {
            out[k * n + l] = if k == l { all.mass } else { o };
            out[k * n + 3 + l] = turned[k][l];
            out[(3 + k) * n + 3 + l] = tensor[(k, l)];
        }
        out[k * n + 6..(k + 1) * n].copy_from_slice(&ws.momentum.rows[k + 3]);
        out[(3 + k) * n + 6..(4 + k) * n].copy_from_slice(&ws.momentum.rows[k]);
    }
}
