//! The mass matrix, by composite rigid bodies.

use super::jacobian::column;
use super::kinematics::{axis, place, place_world};
use super::{Carried, Workspace, assert_len};
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Inertia, cross, cross_plus, dot, mul, scaled};

/// Joints of a block: what fills two registers. Here whole blocks pay: six products a joint cost less than a loop's
/// remainder, on arms of six or seven joints a seventh of the whole.
const WIDTH: usize = if cfg!(target_feature = "avx") { 8 } else { 4 };

/// One number of each joint of a block, aligned so that none of `f64` crosses a cache line.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(target_feature = "avx", repr(align(64)))]
#[cfg_attr(not(target_feature = "avx"), repr(align(32)))]
pub(crate) struct Block<T>([T; WIDTH]);

impl<T: Real> Block<T> {
    /// Zeros for so many joints, six numbers each.
    pub(crate) fn sixes(joints: usize) -> Vec<[Self; 6]> {
        vec![[Block([T::zero(); WIDTH]); 6]; joints.div_ceil(WIDTH)]
    }
}

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
/// nothing is turned on the way up, and entries are products of two six-vectors about the root's origin,
/// a block of joints at a time.
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
        let (block, lane) = (&mut ws.momentum[(i - 1) / WIDTH], (i - 1) % WIDTH);
        for k in 0..3 {
            block[k].0[lane] = moment[k];
            block[3 + k].0[lane] = force[k];
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

/// Entries of a joint with the joints below it: its unit motion times their unit momenta, a block of joints at a time.
#[inline(always)]
fn couplings<T: Real>(model: &Model<T>, ws: &Workspace<T>, i: usize, n: usize, base: usize, out: &mut [T]) {
    let (w, v) = column(model, ws, i);
    // Joints i .. end − 1 are those of the bodies below.
    let (first, end) = (i, model.bodies[i].end - 1);
    for (b, momentum) in ws.momentum.iter().enumerate().take(end.div_ceil(WIDTH)).skip(first / WIDTH) {
        let [nx, ny, nz, fx, fy, fz] = momentum;
        let entries: [T; WIDTH] = std::array::from_fn(|l| {
            let angular = w.x.mul_add(nx.0[l], w.y.mul_add(ny.0[l], w.z * nz.0[l]));
            v.x.mul_add(fx.0[l], v.y.mul_add(fy.0[l], v.z.mul_add(fz.0[l], angular)))
        });
        let row = base + i - 1;
        for j in first.max(b * WIDTH)..end.min((b + 1) * WIDTH) {
            out[row * n + base + j] = entries[j - b * WIDTH];
            out[(base + j) * n + row] = entries[j - b * WIDTH];
        }
    }
    // Joints after those are on other branches.
    for j in end..model.joints().len() {
        out[(base + i - 1) * n + base + j] = T::zero();
        out[(base + j) * n + base + i - 1] = T::zero();
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
