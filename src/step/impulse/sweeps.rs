//! A fixed count of projected Gauss–Seidel sweeps: the sources' law.

use super::exact::not_finite;
use super::{Bounds, Margins, Piece, Problem, Settlement, Solution, SolveReport};
use crate::dynamics::ldl;
use crate::real::Real;
use crate::step::switches::{FRICTION_LOW, STICK, STOP_LOW};
use crate::switch::{self, Choices};

/// A residual below this share of the largest impulse of the problem counts as settled.
const SETTLED: f64 = 1e-12;

/// Make `sweeps` sweeps over the impulses, `v = v* + W p`, `W = A⁻¹`, from a start that holds every joint with friction
/// still as far as its friction can.
///
/// ```text
/// v_free = v_j − W_jj p_j
/// v_new  = clamp(soft(v_free, W_jj dt μ_j), lo_j, hi_j)
/// Δp     = (v_new − v_j) / W_jj ;  p_j ← p_j + Δp ;  v ← v + W_·j Δp ;  v_j ← v_new
/// ```
///
/// With any number of sweeps, zero included: no joint passes its bound; the velocity never has more energy in `A` than
/// `v*`; an arm whose friction can hold every joint is still, to the last bit; one joint alone is exact after one sweep.
///
/// # Panics
/// On a slice of the wrong length.
///
/// # Derivative
/// That of the sweeps as made: through every visit's piece.
pub fn sweeps<T: Real>(
    problem: &Problem<T>,
    sweeps: u32,
    choices: &mut Choices,
    found: &mut Solution<T>,
) -> SolveReport {
    let n = problem.len();
    found.pivot.load(problem);
    found.block.copy_from_slice(problem.matrix);
    ldl::factor(&mut found.block, n);
    let positive = |x: f64| x > 0.0;
    let broken = (0..n).find(|&j| !positive(found.block[j * (n + 1)].primal()));
    found.velocity.copy_from_slice(problem.momentum);
    ldl::solve(&found.block, n, &mut found.velocity);
    inverse(found, n);
    start(problem, choices, found);
    for j in 0..n {
        let free = found.velocity[j] - found.compliance[j] * found.impulse[j];
        found.free_velocity[j] = free;
        found.margins[j] = Margins::of(&problem.bounds[j], free, found.compliance[j]);
    }
    for sweep in 0..u64::from(sweeps) {
        for j in 0..n {
            visit(problem, j, sweep * n as u64 + j as u64, choices, found);
        }
    }

    let values = &mut found.pivot;
    values.velocity.iter_mut().zip(&found.velocity).for_each(|(to, v)| *to = v.primal());
    values.impulse.iter_mut().zip(&found.impulse).for_each(|(to, p)| *to = p.primal());
    for (j, bounds) in values.bounds.iter().enumerate() {
        found.pieces[j] = Piece::of(bounds, values.velocity[j], values.impulse[j]);
    }
    let left = values.residual();
    let size = values.momentum.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
    let settlement = match broken.or_else(|| not_finite(problem, found)) {
        Some(joint) => Settlement::NotFinite { joint },
        None if left <= SETTLED * size => Settlement::Settled,
        None => Settlement::Residual(left),
    };
    let tied = found.margins.iter().any(Margins::is_tied);
    SolveReport { settlement, residual: left, rounds: sweeps, active_set: false, tied }
}

/// `W = A⁻¹`, whole, into `found.square`.
fn inverse<T: Real>(found: &mut Solution<T>, n: usize) {
    // Column by column through the factors; W is symmetric, so rows are columns.
    for j in 0..n {
        let row = &mut found.square[j * n..(j + 1) * n];
        row.fill(T::zero());
        row[j] = T::one();
        ldl::solve(&found.block, n, row);
        found.compliance[j] = row[j];
    }
}

/// Where the sweeps start: hold every joint with friction still, `W_FF p = −v*_F`, scaled by what friction can hold.
fn start<T: Real>(problem: &Problem<T>, choices: &mut Choices, found: &mut Solution<T>) {
    let n = problem.len();
    found.impulse.fill(T::zero());
    found.index.clear();
    found.stick.fill(None);
    // Friction of zero holds nothing, though a seed may say how the answer changes with it.
    let holds = |j: &usize| problem.bounds[*j].friction.is_some_and(|f| f.primal() > 0.0);
    found.index.extend((0..n).filter(holds));
    let m = found.index.len();
    if m == n {
        // p = −A v* = −y, without a solve: sticking is then decided between impulses as given.
        found.part.iter_mut().zip(problem.momentum).for_each(|(p, y)| *p = -*y);
    } else {
        // The factors of A have done their work.
        let held = &mut found.block[..m * m];
        for (row, &j) in held.chunks_exact_mut(m.max(1)).zip(&found.index) {
            row.iter_mut().zip(&found.index).for_each(|(to, &k)| *to = found.square[j * n + k]);
        }
        ldl::factor(held, m);
        for (k, &j) in found.index.iter().enumerate() {
            found.part[k] = -found.velocity[j];
        }
        ldl::solve(held, m, &mut found.part[..m]);
    }
    let mut square = T::one();
    let mut beyond = false;
    for (k, &j) in found.index.iter().enumerate() {
        let Some(friction) = problem.bounds[j].friction else { continue };
        let ratio = found.part[k] / friction;
        let ratio = ratio * ratio;
        found.stick[j] = Some(square - ratio);
        if switch::exceeds(ratio, square, choices, &STICK, j as u64) {
            square = ratio;
            beyond = true;
        }
    }
    for k in 0..m {
        let j = found.index[k];
        found.impulse[j] = if beyond { found.part[k] / square } else { found.part[k] };
    }
    for i in 0..n {
        let row = &found.square[i * n..(i + 1) * n];
        for &j in &found.index {
            found.velocity[i] += row[j] * found.impulse[j];
        }
    }
    if !beyond {
        found.index.iter().for_each(|&j| found.velocity[j] = T::zero());
    }
}

/// One visit of joint `j`.
fn visit<T: Real>(
    problem: &Problem<T>,
    j: usize,
    instance: u64,
    choices: &mut Choices,
    found: &mut Solution<T>,
) {
    let n = problem.len();
    let own = found.compliance[j];
    let free = found.velocity[j] - own * found.impulse[j];
    let slid = match problem.bounds[j].friction {
        Some(friction) => switch::soft(free, own * friction, choices, &FRICTION_LOW, instance),
        None => free,
    };
    let Bounds { lower, upper, .. } = problem.bounds[j];
    let bounded = lower.is_some() || upper.is_some();
    let new = if bounded { switch::clamp(slid, lower, upper, choices, &STOP_LOW, instance) } else { slid };
    let change = (new - found.velocity[j]) / own;
    found.impulse[j] += change;
    let row = &found.square[j * n..(j + 1) * n];
    found.velocity.iter_mut().zip(row).for_each(|(v, w)| *v += *w * change);
    found.velocity[j] = new;
    found.free_velocity[j] = free;
    found.margins[j] = found.margins[j].nearer(Margins::of(&problem.bounds[j], free, own));
}
