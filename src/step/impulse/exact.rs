//! The one answer of the problem.

use super::pieces::Graph;
use super::pivot::solve_pieces;
use super::{Piece, Problem, Settlement, Solution, SolveReport, residual};
use crate::dynamics::ldl;
use crate::real::Real;
use crate::switch::{Choice, Choices, Switch};

/// The piece of a joint, as recorded scripts hold it.
pub const PIECE: Switch = Switch {
    name: "arm.piece",
    indicator: "which piece of its graph of impulse against velocity a joint is on after the exact solve",
    unit: "1",
    orders: &[],
    route: "the pieces are those of arm.stop and arm.friction; this name only keys recorded scripts",
};

/// Solve exactly, from a guess of the velocities (the step's start is a good one).
///
/// The pieces are found on values without tangents (two sweeps, block pivoting, an active set if that does not end),
/// then solved once in `T`. There, a joint that stands exactly between two pieces is moved by the first nonzero
/// tangent of what it violates, until no joint is violated in the lexicographic order; where tied joints are coupled,
/// the same rounds settle them together. A replayed script gives the pieces instead.
///
/// # Panics
/// On a slice of the wrong length.
///
/// # Derivative
/// That of the final pieces: `A_mm dv_m = d(y_m + p_m) − dA_m· v − A_mh dv_h`.
pub fn exact<T: Real>(
    problem: &Problem<T>,
    guess: &[T],
    choices: &mut Choices,
    found: &mut Solution<T>,
) -> SolveReport {
    let n = problem.len();
    found.factor.copy_from_slice(problem.matrix);
    ldl::factor(&mut found.factor, n);
    found.pivot.load(problem, &found.factor);
    found.pivot.velocity.iter_mut().zip(guess).for_each(|(to, from)| *to = from.primal());

    if let Some(joint) = first_bad_pivot(&found.pivot.factor, &found.pivot.momentum) {
        found.velocity.copy_from_slice(guess);
        let settlement = Settlement::NotFinite { joint };
        return SolveReport { settlement, residual: f64::NAN, rounds: 0, active_set: false };
    }
    let search = found.pivot.search();
    found.pieces.copy_from_slice(&found.pivot.pieces);
    let scripted = replay(choices, &mut found.pieces);
    let mut rounds = search.rounds;
    if T::DIFFERENTIATES || scripted {
        rounds += settle_ties(problem, found, scripted);
    } else {
        // Without tangents the search has made this very solve.
        found.velocity.iter_mut().zip(&found.pivot.velocity).for_each(|(to, v)| *to = T::from_f64(*v));
        found.impulse.iter_mut().zip(&found.pivot.impulse).for_each(|(to, p)| *to = T::from_f64(*p));
    }
    record(problem, choices, found);
    found.free(problem);

    found.pivot.velocity.iter_mut().zip(&found.velocity).for_each(|(to, v)| *to = v.primal());
    let values = &found.pivot;
    let bare = Problem { matrix: &values.matrix, momentum: &values.momentum, bounds: &values.bounds };
    let residual = residual(&bare, &values.velocity);
    let settlement = match found.velocity.iter().position(|v| !v.all_finite()) {
        Some(joint) => Settlement::NotFinite { joint },
        None if search.settled => Settlement::Settled,
        None => Settlement::Residual(residual),
    };
    SolveReport { settlement, residual, rounds, active_set: search.active_set }
}

/// The first joint whose pivot is not a positive number, or whose momentum is not finite.
pub(crate) fn first_bad_pivot(factor: &[f64], momentum: &[f64]) -> Option<usize> {
    let n = momentum.len();
    (0..n)
        .find(|&j| !(factor[j * (n + 1)] > 0.0 && factor[j * (n + 1)].is_finite() && momentum[j].is_finite()))
}

/// Solve the pieces in `T`; move joints that a tie leaves on the wrong one, in the lexicographic order.
fn settle_ties<T: Real>(problem: &Problem<T>, found: &mut Solution<T>, scripted: bool) -> u32 {
    let n = problem.len();
    let cap = 2 * n as u32 + 1;
    for round in 1..=cap {
        solve_pieces(
            problem,
            &found.pieces,
            &found.factor,
            &mut found.square,
            &mut found.part,
            &mut found.index,
            &mut found.velocity,
            &mut found.impulse,
        );
        if scripted {
            return round;
        }
        let mut moved = false;
        for j in 0..n {
            let graph = Graph::new(&problem.bounds[j]);
            let piece = found.pieces[j];
            let violation = graph.violation(piece, found.velocity[j], found.impulse[j]);
            // Anything but an exact tie is rounding, which the search has judged.
            let tie = violation.filter(|(amount, _)| amount.primal() == 0.0);
            if let Some(next) = tie.and_then(|(_, way)| graph.next(piece, way)) {
                found.pieces[j] = next;
                moved = true;
            }
        }
        if !moved {
            return round;
        }
    }
    cap
}

/// Take the pieces from a replayed script. True when it held any.
fn replay(choices: &Choices, pieces: &mut [Piece]) -> bool {
    let mut any = false;
    for (j, piece) in pieces.iter_mut().enumerate() {
        if let Some(scripted) = choices.scripted_piece(&PIECE, j as u64).and_then(Piece::from_code) {
            *piece = scripted;
            any = true;
        }
    }
    any
}

/// Write the pieces down; a joint exactly between two pieces, whose tangents do not say which, is an open tie.
fn record<T: Real>(problem: &Problem<T>, choices: &mut Choices, found: &Solution<T>) {
    for (j, piece) in found.pieces.iter().enumerate() {
        choices.choose(&PIECE, j as u64, || {
            let open =
                Graph::new(&problem.bounds[j]).on_the_edge(*piece, found.velocity[j], found.impulse[j]);
            Choice { piece: piece.code(), open }
        });
    }
}

impl<T: Real> Solution<T> {
    /// Compliances, and the velocities that each joint's own impulse takes away. Needs the factors.
    fn free(&mut self, problem: &Problem<T>) {
        let n = problem.len();
        ldl::invert_unit_upper(&self.factor, n, &mut self.square);
        for k in 0..n {
            self.part[k] = self.factor[k * (n + 1)].recip();
        }
        for j in 0..n {
            let row = &self.square[j * n..(j + 1) * n];
            let mut sum = T::zero();
            for (v, d) in row[j..].iter().zip(&self.part[j..]) {
                sum += *v * *v * *d;
            }
            self.compliance[j] = sum;
            self.free_velocity[j] = self.velocity[j] - sum * self.impulse[j];
        }
    }
}
