//! The gyroscopic turn: spin momenta on the frames turn the velocity and do no work.

use super::inputs::SpinMomentum;
use super::workspace::StepWorkspace;
use crate::dynamics::{angular_jacobian_placed, place, place_world};
use crate::model::{Model, project_columns};
use crate::real::Real;
use crate::spatial::{Vector, cross};

/// The gyroscopic turn alone, from `q`: what spin momenta on the frames make of a velocity over `dt` seconds.
///
/// `(Ms − ½dt G) v′ = (Ms + ½dt G) v`, `G = Σ_k S_kᵀ [H_k]× S_k`; it keeps `vᵀ Ms v`. `velocity` and `turned` are one a
/// joint, rad/s; m/s, of joints that follow others their leaders'. Allocates: nothing. Switches: none.
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
///
/// # Derivative
/// Exact for every scalar.
pub fn gyroscopic_turn<T: Real>(
    model: &Model<T>,
    ws: &mut StepWorkspace<T>,
    q: &[T],
    dt: f64,
    momenta: &[SpinMomentum<T>],
    velocity: &[T],
    turned: &mut [T],
) {
    place(model, &mut ws.dynamics, q);
    place_world(model, &mut ws.dynamics);
    super::dynamic::mass(model, &mut ws.dynamics, &[], &mut ws.whole, &mut ws.start);
    model.coupling().gather(velocity, &mut ws.rates);
    turn(model, ws, dt, momenta);
    model.coupling().scatter(&ws.turned, turned);
}

/// Cayley's turn `(Ms − ½dt G) v′ = (Ms + ½dt G) v`, `G = Σ_k S_kᵀ [H_k]× S_k`, skew; so `v′ᵀ Ms v′ = vᵀ Ms v`.
///
/// Solved for the change, `(Ms − ½dt G)(v′ − v) = dt G v`. The matrix has a positive definite symmetric part, so its
/// elimination needs no pivots. Without spinners `v′ = v` to the last bit. From `ws.rates` to `ws.turned`, after
/// the bodies are placed, with `ws.start`.
pub(crate) fn turn<T: Real>(
    model: &Model<T>,
    ws: &mut StepWorkspace<T>,
    dt: f64,
    momenta: &[SpinMomentum<T>],
) {
    ws.turned.copy_from_slice(&ws.rates);
    if momenta.is_empty() {
        return;
    }
    let n = ws.rates.len();
    gyroscopic(model, ws, momenta);
    let (g, matrix, velocity) = (&ws.gyroscopic, &mut ws.turn, &ws.rates);
    let change = &mut ws.momentum;
    for i in 0..n {
        let row = &g[i * n..(i + 1) * n];
        change[i] = crate::dynamics::ldl::dot(row, velocity).scale(dt);
        for j in 0..n {
            matrix[i * n + j] = ws.start[i * n + j] - row[j].scale(0.5 * dt);
        }
    }
    eliminate(matrix, n, change, 1);
    ws.turned.iter_mut().zip(change.iter()).for_each(|(v, c)| *v += *c);
}

/// `G` into the workspace.
pub(super) fn gyroscopic<T: Real>(model: &Model<T>, ws: &mut StepWorkspace<T>, momenta: &[SpinMomentum<T>]) {
    let coupling = model.coupling();
    let n = coupling.independent().len();
    ws.gyroscopic.fill(T::zero());
    for spin in momenta {
        angular_jacobian_placed(model, &ws.dynamics, spin.frame, &mut ws.angular);
        if !coupling.is_trivial() {
            project_columns(coupling.members(), n, &ws.angular, &mut ws.spin);
        }
        let s = if coupling.is_trivial() { &ws.angular } else { &ws.spin };
        let column = |j: usize| Vector::new(s[j], s[n + j], s[2 * n + j]);
        for i in 0..n {
            // s_iᵀ (H × s_j) = (s_i × H)ᵀ s_j; below the diagonal the exact negative keeps G skew.
            let row = cross(&column(i), &spin.value);
            for j in 0..i {
                let x = crate::spatial::dot(&row, &column(j));
                ws.gyroscopic[i * n + j] += x;
                ws.gyroscopic[j * n + i] -= x;
            }
        }
    }
}

/// `x ← a⁻¹ x` by elimination without pivots, `x` of `n` rows of so many numbers; `a` is overwritten.
pub(super) fn eliminate<T: Real>(a: &mut [T], n: usize, x: &mut [T], width: usize) {
    use crate::dynamics::rows::add_scaled;
    for k in 0..n {
        let (head, tail) = a.split_at_mut((k + 1) * n);
        let row = &head[k * n + k..];
        let inverse = row[0].recip();
        let (done, rest) = x.split_at_mut((k + 1) * width);
        let own = &done[k * width..];
        for (lower, x) in tail.chunks_exact_mut(n).zip(rest.chunks_exact_mut(width)) {
            let factor = -(lower[k] * inverse);
            add_scaled(x, own, factor);
            add_scaled(&mut lower[k + 1..], &row[1..], factor);
        }
    }
    for k in (0..n).rev() {
        let (head, below) = x.split_at_mut((k + 1) * width);
        let own = &mut head[k * width..];
        for (u, x) in a[k * n + k + 1..(k + 1) * n].iter().zip(below.chunks_exact(width)) {
            add_scaled(own, x, -*u);
        }
        let inverse = a[k * (n + 1)].recip();
        own.iter_mut().for_each(|x| *x *= inverse);
    }
}
