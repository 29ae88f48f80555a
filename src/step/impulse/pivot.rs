//! Which piece every joint is on, found on values without tangents.
//!
//! Pivots are no switches: what is differentiated is the answer, and only the final pieces matter. So the search runs
//! in `f64` for every scalar, by the same linear solves that give the answer.

use super::factors::Factors;
use super::pieces::{Graph, Piece};
use super::problem::{best, off_by_most};
use super::{Bounds, Problem};
use crate::dynamics::{ldl, rows};
use crate::real::Real;

/// Rounds of block pivoting before the active set takes over.
const BLOCK_ROUNDS: u32 = 20;

/// Scratch of the search; holds the problem without tangents.
#[derive(Clone, Debug)]
pub(crate) struct Pivot {
    pub matrix: Vec<f64>,
    pub momentum: Vec<f64>,
    pub bounds: Vec<Bounds<f64>>,
    pub velocity: Vec<f64>,
    pub impulse: Vec<f64>,
    pub pieces: Vec<Piece>,
    pub factors: Factors<f64>,
    pub target: Vec<f64>,
    part: Vec<f64>,
}

/// How the search ended.
pub(crate) struct Found {
    pub settled: bool,
    pub rounds: u32,
    pub active_set: bool,
}

impl Pivot {
    pub fn new(n: usize) -> Self {
        let row = || vec![0.0; n];
        Pivot {
            matrix: vec![0.0; n * n],
            momentum: row(),
            bounds: vec![Bounds::free(); n],
            velocity: row(),
            impulse: row(),
            pieces: vec![Piece::Free; n],
            factors: Factors::new(n),
            target: row(),
            part: row(),
        }
    }

    /// Take the values of a problem.
    pub fn load<T: Real>(&mut self, problem: &Problem<T>) {
        let values = |to: &mut [f64], from: &[T]| to.iter_mut().zip(from).for_each(|(t, f)| *t = f.primal());
        values(&mut self.matrix, problem.matrix);
        values(&mut self.momentum, problem.momentum);
        self.bounds.iter_mut().zip(problem.bounds).for_each(|(t, f)| *t = f.primal());
        self.factors.begin(0..problem.len());
    }

    /// Find the pieces from a guess of the velocities (in `self.velocity`): one sweep over the joints, then block
    /// pivoting, then an active set, which always ends.
    pub fn search(&mut self) -> Found {
        self.sweep();
        let (velocity, factors) = (&self.velocity, &mut self.factors);
        factors.sort_by_confidence(|j| velocity[j].abs());
        for round in 1..=BLOCK_ROUNDS {
            if !self.settle() {
                return Found { settled: true, rounds: round, active_set: false };
            }
        }
        self.active_set()
    }

    pub fn problem(&self) -> Problem<'_, f64> {
        Problem { matrix: &self.matrix, momentum: &self.momentum, bounds: &self.bounds }
    }

    /// One round of coordinate descent on the objective, each joint taking its best velocity with the others as they
    /// are, and the pieces that leaves them on.
    fn sweep(&mut self) {
        let n = self.bounds.len();
        self.impulses();
        let Pivot { matrix, bounds, velocity, part, .. } = self;
        for (j, row) in matrix.chunks_exact(n.max(1)).enumerate() {
            let inertia = row[j];
            let rest = part[j] - inertia * velocity[j];
            let new = best(rest, inertia, &bounds[j]);
            let change = new - velocity[j];
            if change != 0.0 {
                velocity[j] = new;
                rows::add_scaled(part, row, change);
            }
        }
        for j in 0..n {
            self.pieces[j] = self.guess(j);
        }
    }

    /// All impulses of the velocities into `part`, `p = A v − y`, row by row; joints at rest cost nothing.
    fn impulses(&mut self) {
        self.part.iter_mut().zip(&self.momentum).for_each(|(p, y)| *p = -*y);
        for (row, &v) in self.matrix.chunks_exact(self.bounds.len().max(1)).zip(&self.velocity) {
            if v != 0.0 {
                rows::add_scaled(&mut self.part, row, v);
            }
        }
    }

    /// How far `self.velocity` is from the answer: [`super::residual`] by rows.
    pub fn residual(&mut self) -> f64 {
        self.impulses();
        off_by_most(&self.problem(), &self.velocity, |j| self.part[j])
    }

    /// The piece a velocity of the sweeps lies on.
    fn guess(&self, j: usize) -> Piece {
        let (v, bounds) = (self.velocity[j], &self.bounds[j]);
        let friction = bounds.friction.is_some();
        let guess = if friction && v == 0.0 {
            Piece::Stick
        } else if bounds.lower.is_some_and(|l| v <= l) {
            Piece::Lower
        } else if bounds.upper.is_some_and(|u| v >= u) {
            Piece::Upper
        } else if !friction {
            Piece::Free
        } else if v < 0.0 {
            Piece::SlideMinus
        } else {
            Piece::SlidePlus
        };
        Graph::new(bounds).nearest(guess)
    }

    /// Solve the pieces, then move every joint that violates its own by one piece. True when some did.
    fn settle(&mut self) -> bool {
        let Pivot { matrix, momentum, bounds, velocity, impulse, factors, part, .. } = self;
        solve_pieces(&Problem { matrix, momentum, bounds }, &self.pieces, factors, part, velocity, impulse);
        let mut moved = false;
        for j in 0..self.bounds.len() {
            let graph = Graph::new(&self.bounds[j]);
            let piece = self.pieces[j];
            if let Some((amount, way)) = graph.violation(piece, self.velocity[j], self.impulse[j])
                && amount > self.rounding(j, piece.held())
                && let Some(next) = graph.next(piece, way)
            {
                self.pieces[j] = next;
                moved = true;
            }
        }
        moved
    }

    /// What rounding may leave in a joint's impulse (held) or velocity (moving).
    pub fn rounding(&self, j: usize, held: bool) -> f64 {
        let problem = self.problem();
        let row = problem.row(j);
        let size: f64 = row.iter().zip(&self.velocity).map(|(a, v)| (a * v).abs()).sum::<f64>()
            + self.momentum[j].abs()
            + self.bounds[j].friction.unwrap_or(0.0);
        let impulse = 4.0 * f64::EPSILON * size;
        if held { impulse } else { impulse / row[j] }
    }

    /// Primal active set (Nocedal & Wright 2006, section 16.5): from velocities put within their bounds and swept once, solve for the
    /// moving joints, go there as far as every joint stays on its piece, and hold the first that does not; on a full
    /// step release the held joint that gains most. The objective falls strictly, so it ends.
    fn active_set(&mut self) -> Found {
        let n = self.bounds.len();
        for j in 0..n {
            let bounds = &self.bounds[j];
            let v = self.velocity[j];
            let v = bounds.lower.map_or(v, |l| v.max(l));
            self.velocity[j] = bounds.upper.map_or(v, |u| v.min(u));
        }
        self.sweep();
        let cap = 50 + 20 * n as u32;
        for round in 1..=cap {
            self.target.copy_from_slice(&self.velocity);
            let Pivot { matrix, momentum, bounds, target, impulse, factors, part, .. } = self;
            solve_pieces(&Problem { matrix, momentum, bounds }, &self.pieces, factors, part, target, impulse);
            if !self.advance() && !self.release() {
                return Found { settled: true, rounds: BLOCK_ROUNDS + round, active_set: true };
            }
        }
        // Feasible, but not the answer: impulses of these velocities, not of the last target.
        self.impulses();
        self.impulse.copy_from_slice(&self.part);
        Found { settled: false, rounds: BLOCK_ROUNDS + cap, active_set: true }
    }

    /// Go from the velocities to the target until a joint leaves its piece; hold that one. False on a full step.
    fn advance(&mut self) -> bool {
        let mut first: Option<(f64, usize, Piece)> = None;
        for j in 0..self.bounds.len() {
            let piece = self.pieces[j];
            if piece.held() {
                continue;
            }
            let graph = Graph::new(&self.bounds[j]);
            let Some((amount, way)) = graph.violation(piece, self.target[j], 0.0) else { continue };
            if amount <= self.rounding(j, false) {
                continue;
            }
            let Some(hold) = graph.next(piece, way) else { continue };
            let (from, edge) = (self.velocity[j], graph.velocity(hold));
            let share = ((edge - from) / (self.target[j] - from)).clamp(0.0, 1.0);
            if first.is_none_or(|(least, ..)| share < least) {
                first = Some((share, j, hold));
            }
        }
        let Some((share, at, hold)) = first else {
            self.velocity.copy_from_slice(&self.target);
            return false;
        };
        for (v, t) in self.velocity.iter_mut().zip(&self.target) {
            *v += share * (t - *v);
        }
        self.velocity[at] = Graph::new(&self.bounds[at]).velocity(hold);
        self.pieces[at] = hold;
        true
    }

    /// Let the held joint go whose impulse is farthest off its piece, in `A_jj^(−½)`. False when none is.
    fn release(&mut self) -> bool {
        let n = self.bounds.len();
        let mut worst: Option<(f64, usize, Piece)> = None;
        for j in 0..n {
            let piece = self.pieces[j];
            if !piece.held() {
                continue;
            }
            let graph = Graph::new(&self.bounds[j]);
            let Some((amount, way)) = graph.violation(piece, self.velocity[j], self.impulse[j]) else {
                continue;
            };
            let gain = amount / self.matrix[j * n + j].sqrt();
            if amount > self.rounding(j, true)
                && worst.is_none_or(|(most, ..)| gain > most)
                && let Some(next) = graph.next(piece, way)
            {
                worst = Some((gain, j, next));
            }
        }
        let Some((_, at, next)) = worst else { return false };
        self.pieces[at] = next;
        true
    }
}

/// The velocities and impulses of given pieces: held joints' velocities and moving joints' impulses are known, and
/// `A v − p = y` gives the rest, `A_mm v_m = y_m + p_m − A_mh v_h`.
pub(crate) fn solve_pieces<T: Real>(
    problem: &Problem<T>,
    pieces: &[Piece],
    factors: &mut Factors<T>,
    part: &mut [T],
    velocity: &mut [T],
    impulse: &mut [T],
) {
    let moving = factors.arrange(pieces);
    factors.extend(problem.matrix, moving);
    let mut stopped = false;
    for (j, piece) in pieces.iter().enumerate() {
        let graph = Graph::new(&problem.bounds[j]);
        if piece.held() {
            velocity[j] = graph.velocity(*piece);
            stopped |= piece.stops();
        } else {
            velocity[j] = T::zero();
            impulse[j] = graph.impulse(*piece);
        }
    }
    let (order, part) = (&factors.order()[..moving], &mut part[..moving]);
    for (x, &j) in part.iter_mut().zip(order) {
        let whole = problem.momentum[j] + impulse[j];
        *x = if stopped { whole - ldl::dot(problem.row(j), velocity) } else { whole };
    }
    factors.solve(part);
    for (x, &j) in part.iter().zip(order) {
        velocity[j] = *x;
    }
    for (j, piece) in pieces.iter().enumerate() {
        if piece.held() {
            impulse[j] = problem.impulse(j, velocity);
        }
    }
}
