//! The one answer of the problem.

use super::pieces::Graph;
use super::pivot::{Pivot, solve_pieces};
use super::{Piece, Problem, Settlement, Solution, SolveReport};
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
/// The pieces are found on values without tangents (one sweep, block pivoting, an active set if that does not end),
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
    found.pivot.load(problem);
    found.pivot.velocity.iter_mut().zip(guess).for_each(|(to, from)| *to = from.primal());
    let search = found.pivot.search();
    found.pieces.copy_from_slice(&found.pivot.pieces);
    let scripted = replay(choices, &mut found.pieces);
    let mut rounds = search.rounds;
    let searched = !T::DIFFERENTIATES && !scripted;
    if searched {
        // Without tangents the search has made this very solve.
        found.velocity.iter_mut().zip(&found.pivot.velocity).for_each(|(to, v)| *to = T::from_f64(*v));
        found.impulse.iter_mut().zip(&found.pivot.impulse).for_each(|(to, p)| *to = T::from_f64(*p));
    } else {
        rounds += settle_ties(problem, choices, found);
    }
    record(problem, choices, found);
    found.free(problem, searched);

    let values = &mut found.pivot;
    values.velocity.iter_mut().zip(&found.velocity).for_each(|(to, v)| *to = v.primal());
    let residual = values.residual();
    let settlement = match first_bad(problem, found) {
        Some(joint) => Settlement::NotFinite { joint },
        None if search.settled => Settlement::Settled,
        None => Settlement::Residual(residual),
    };
    SolveReport { settlement, residual, rounds, active_set: search.active_set }
}

/// The first joint whose compliance is not a positive number (`A` is not positive definite), or whose momentum or
/// velocity is not finite.
pub(crate) fn first_bad<T: Real>(problem: &Problem<T>, found: &Solution<T>) -> Option<usize> {
    let good = |j: usize| {
        let compliance = found.compliance[j].primal();
        let finite = |x: &T| x.all_finite();
        compliance > 0.0
            && compliance.is_finite()
            && finite(&problem.momentum[j])
            && finite(&found.velocity[j])
    };
    (0..problem.len()).find(|&j| !good(j))
}

/// Solve the pieces in `T`; move joints that a tie leaves on the wrong one, in the lexicographic order. What a script
/// says of a joint stays.
fn settle_ties<T: Real>(problem: &Problem<T>, choices: &Choices, found: &mut Solution<T>) -> u32 {
    let n = problem.len();
    let cap = 2 * n as u32 + 1;
    found.factors.begin(found.pivot.factors.order().iter().copied());
    for round in 1..=cap {
        let Solution { pieces, factors, lanes, velocity, impulse, .. } = found;
        solve_pieces(problem, pieces, factors, lanes, velocity, impulse);
        let mut moved = false;
        for j in 0..n {
            if scripted_piece(choices, j).is_some() {
                continue;
            }
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

/// What a replayed script says of a joint: nothing where it left a tie open.
fn scripted_piece(choices: &Choices, j: usize) -> Option<Piece> {
    if choices.is_free() {
        return None;
    }
    choices.scripted_piece(&PIECE, j as u64).and_then(Piece::from_code)
}

/// Take the pieces from a replayed script. True when it held any.
fn replay(choices: &Choices, pieces: &mut [Piece]) -> bool {
    let mut any = false;
    if choices.is_free() {
        return any;
    }
    for (j, piece) in pieces.iter_mut().enumerate() {
        if let Some(scripted) = scripted_piece(choices, j) {
            *piece = scripted;
            any = true;
        }
    }
    any
}

/// Write the pieces down; a joint exactly between two pieces, whose tangents do not say which, is an open tie.
fn record<T: Real>(problem: &Problem<T>, choices: &mut Choices, found: &Solution<T>) {
    if choices.is_free() {
        return;
    }
    for (j, piece) in found.pieces.iter().enumerate() {
        choices.choose(&PIECE, j as u64, || {
            let open =
                Graph::new(&problem.bounds[j]).on_the_edge(*piece, found.velocity[j], found.impulse[j]);
            Choice { piece: piece.code(), open }
        });
    }
}

impl<T: Real> Solution<T> {
    /// Compliances, and the velocities that each joint's own impulse takes away.
    fn free(&mut self, problem: &Problem<T>, searched: bool) {
        let n = problem.len();
        if searched {
            let Pivot { matrix, factors, target, .. } = &mut self.pivot;
            factors.extend(matrix, n);
            factors.inverse_diagonal(target);
            self.compliance.iter_mut().zip(target).for_each(|(to, w)| *to = T::from_f64(*w));
        } else {
            self.factors.extend(problem.matrix, n);
            self.factors.inverse_diagonal(&mut self.compliance);
        }
        for j in 0..n {
            self.free_velocity[j] = self.velocity[j] - self.compliance[j] * self.impulse[j];
        }
    }
}
