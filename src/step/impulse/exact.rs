//! The one answer of the problem.

use super::pieces::Graph;
use super::pivot::{Pivot, solve_pieces};
use super::{Margins, Piece, Problem, Settlement, Solution, SolveReport};
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
    let replayed = replay(choices, found);
    let searched = !T::DIFFERENTIATES && !replayed;
    let (mut rounds, mut settled) = (search.rounds, search.settled);
    if searched {
        // Without tangents the search has made this very solve.
        found.velocity.iter_mut().zip(&found.pivot.velocity).for_each(|(to, v)| *to = T::from_f64(*v));
        found.impulse.iter_mut().zip(&found.pivot.impulse).for_each(|(to, p)| *to = T::from_f64(*p));
    } else {
        let (more, ended) = settle_ties(problem, found);
        rounds += more;
        settled &= ended;
    }
    record(problem, choices, found);
    found.free(problem, searched);

    let values = &mut found.pivot;
    values.velocity.iter_mut().zip(&found.velocity).for_each(|(to, v)| *to = v.primal());
    let residual = values.residual();
    // Pieces of a script need not be the law's at other inputs.
    settled &= (0..problem.len()).filter(|&j| found.scripted[j]).all(|j| {
        let (piece, bounds) = (found.pieces[j], &values.bounds[j]);
        let violation = Graph::new(bounds).violation(piece, values.velocity[j], found.impulse[j].primal());
        violation.is_none_or(|(amount, _)| amount <= values.rounding(j, piece.held()))
    });
    let settlement = match first_bad(problem, found, searched) {
        Some(joint) => Settlement::NotFinite { joint },
        None if settled => Settlement::Settled,
        None => Settlement::Residual(residual),
    };
    let tied = (0..problem.len()).any(|j| open_tie(problem, found, j));
    SolveReport { settlement, residual, rounds, active_set: search.active_set, tied }
}

/// Exactly between two pieces, with no tangent to say which.
fn open_tie<T: Real>(problem: &Problem<T>, found: &Solution<T>, j: usize) -> bool {
    Graph::new(&problem.bounds[j]).on_the_edge(found.pieces[j], found.velocity[j], found.impulse[j])
}

/// The first joint whose pivot is not a positive number (`A` is not positive definite), or whose momentum or velocity is
/// not finite.
fn first_bad<T: Real>(problem: &Problem<T>, found: &Solution<T>, searched: bool) -> Option<usize> {
    let positive = |x: f64| x > 0.0 && x.is_finite();
    let order = if searched { found.pivot.factors.order() } else { found.factors.order() };
    let pivot =
        |k: usize| if searched { found.pivot.factors.pivot(k) } else { found.factors.pivot(k).primal() };
    let broken = (0..problem.len()).find(|&k| !positive(pivot(k))).map(|k| order[k]);
    broken.or_else(|| not_finite(problem, found))
}

/// The first joint whose momentum, velocity or impulse is not finite, tangents included.
pub(crate) fn not_finite<T: Real>(problem: &Problem<T>, found: &Solution<T>) -> Option<usize> {
    let numbers = |j: usize| [problem.momentum[j], found.velocity[j], found.impulse[j]];
    (0..problem.len()).find(|&j| !numbers(j).iter().all(T::all_finite))
}

/// Solve the pieces in `T`; move joints that a tie leaves on the wrong one, in the lexicographic order, but those that a
/// script holds. Returns the rounds, and whether no joint was left to move.
///
/// Violated joints move together for a while, then one at a time, the first in order: Murty's rule, which cannot cycle.
fn settle_ties<T: Real>(problem: &Problem<T>, found: &mut Solution<T>) -> (u32, bool) {
    let n = problem.len();
    let (together, cap) = (n as u32 + 1, 10 * n as u32 + 10);
    found.factors.begin(found.pivot.factors.order().iter().copied());
    for j in (0..n).filter(|&j| !found.scripted[j]) {
        // A piece of zero width in values may be none at all, or have some, by the tangents of its bounds.
        found.pieces[j] = Graph::new(&problem.bounds[j]).nearest(found.pieces[j]);
    }
    for round in 1..=cap {
        let Solution { pieces, factors, part, velocity, impulse, scripted, .. } = found;
        solve_pieces(problem, pieces, factors, part, velocity, impulse);
        let next = |j: usize, pieces: &[Piece]| {
            let graph = Graph::new(&problem.bounds[j]);
            let violation = graph.violation(pieces[j], velocity[j], impulse[j]);
            // Anything but an exact tie is rounding, which the search has judged.
            let tie = violation.filter(|(amount, _)| amount.primal() == 0.0);
            tie.and_then(|(_, way)| graph.next(pieces[j], way))
        };
        let mut moved = false;
        for j in (0..n).filter(|&j| !scripted[j]) {
            if let Some(next) = next(j, pieces) {
                if round == cap {
                    return (round, false);
                }
                pieces[j] = next;
                moved = true;
                if round > together {
                    break;
                }
            }
        }
        if !moved {
            return (round, true);
        }
    }
    (cap, false)
}

/// Take the pieces from a replayed script; open ties in it stay to be decided. True when it held any.
fn replay<T: Real>(choices: &Choices, found: &mut Solution<T>) -> bool {
    found.scripted.fill(false);
    if choices.is_free() {
        return false;
    }
    for (j, piece) in found.pieces.iter_mut().enumerate() {
        if let Some(scripted) = choices.scripted_piece(&PIECE, j as u64).and_then(Piece::from_code) {
            *piece = scripted;
            found.scripted[j] = true;
        }
    }
    found.scripted.contains(&true)
}

/// Write the pieces down; a joint exactly between two pieces, whose tangents do not say which, is an open tie.
fn record<T: Real>(problem: &Problem<T>, choices: &mut Choices, found: &Solution<T>) {
    if choices.is_free() {
        return;
    }
    for (j, piece) in found.pieces.iter().enumerate() {
        let decide = || Choice { piece: piece.code(), open: open_tie(problem, found, j) };
        choices.choose(&PIECE, j as u64, decide);
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
            let free = self.velocity[j] - self.compliance[j] * self.impulse[j];
            self.free_velocity[j] = free;
            self.margins[j] = Margins::of(&problem.bounds[j], free, self.compliance[j]);
        }
    }
}
