//! The mass matrix, by composite rigid bodies.

use super::jacobian::column;
use super::kinematics::{axis, place, place_world};
use super::{Carried, Workspace, assert_len};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Inertia, cross, cross_plus, dot, mul, scaled};

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
/// Featherstone 2008, section 6.2; here composites are in world axes about each body's own origin, so that
/// nothing is turned on the way up, and entries are products of two six-vectors about the root's origin, a row at a time.
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
    composites(model, ws, carried);
    for i in 1..model.bodies.len() {
        let (a, inertia) = (axis(&ws.world[i]), &ws.composite[i]);
        let (force, moment) = if model.bodies[i].slides {
            (scaled(&a, inertia.mass), cross(&inertia.first_moment, &a))
        } else {
            let moment = scaled(&a, inertia.second_moment.trace()) - inertia.second_moment.mul(&a);
            (cross(&a, &inertia.first_moment), moment)
        };
        // On the diagonal without the detour over the root's origin, and so without its cancellation.
        let (own, row) =
            (if model.bodies[i].slides { dot(&a, &force) } else { dot(&a, &moment) }, base + i - 1);
        out[row * (n + 1)] = own + model.joints()[i - 1].armature;
        let moment = cross_plus(&ws.world[i].position, &force, Some(&moment));
        for k in 0..3 {
            ws.momentum[k][i - 1] = moment[k];
            ws.momentum[3 + k][i - 1] = force[k];
        }
        for k in 0..base / 2 {
            (out[row * n + k], out[k * n + row]) = (force[k], force[k]);
            (out[row * n + 3 + k], out[(3 + k) * n + row]) = (moment[k], moment[k]);
        }
    }
    for i in 1..model.bodies.len() {
        couplings(model, ws, i, n, base, out);
    }
    if base > 0 {
        base_block(ws, n, out);
    }
}

/// Entries of a joint with the joints after it: its unit motion times the unit momenta of those below it, zero for those
/// on other branches.
#[inline(always)]
fn couplings<T: Real>(model: &Model<T>, ws: &Workspace<T>, i: usize, n: usize, base: usize, out: &mut [T]) {
    let (w, v) = column(model, ws, i);
    // Joints i .. end − 1 are those of the bodies below.
    let below = i..model.bodies[i].end - 1;
    let [nx, ny, nz, fx, fy, fz] = ws.momentum.each_ref().map(|part| &part[below.clone()]);
    let row = base + i - 1;
    let (entries, others) = out[row * n..(row + 1) * n][base + i..].split_at_mut(below.len());
    for j in 0..nx.len().min(entries.len()) {
        let angular = w.x.mul_add(nx[j], w.y.mul_add(ny[j], w.z * nz[j]));
        entries[j] = v.x.mul_add(fx[j], v.y.mul_add(fy[j], v.z.mul_add(fz[j], angular)));
    }
    others.fill(T::zero());
    for j in row + 1..n {
        out[j * n + row] = out[row * n + j];
    }
}

/// Composite inertia of every subtree. After [`place_world`].
pub(crate) fn composites<T: Real>(model: &Model<T>, ws: &mut Workspace<T>, carried: &[Carried<T>]) {
    for ((body, world), composite) in model.bodies.iter().zip(&ws.world).zip(&mut ws.composite) {
        *composite = Inertia {
            mass: body.inertia.mass,
            first_moment: mul(&world.rotation, &body.inertia.first_moment),
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

/// The block of a free base: momentum of everything for a unit velocity of it.
fn base_block<T: Real>(ws: &Workspace<T>, n: usize, out: &mut [T]) {
    let all = &ws.composite[0];
    let tensor = all.second_moment.tensor().to_matrix();
    let (h, o) = (&all.first_moment, T::zero());
    // Momentum by angular velocity, ω × h, in rows of the force.
    let turned = [[o, h.z, -h.y], [-h.z, o, h.x], [h.y, -h.x, o]];
    for k in 0..3 {
        for l in 0..3 {
            out[k * n + l] = if k == l { all.mass } else { o };
            out[k * n + 3 + l] = turned[k][l];
            out[(3 + l) * n + k] = turned[k][l];
            out[(3 + k) * n + 3 + l] = tensor[(k, l)];
        }
    }
}
