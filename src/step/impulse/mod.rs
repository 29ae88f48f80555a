//! Stops and Coulomb friction of one step, as impulses through the whole arm.
//!
//! ```text
//! v⁺ = argmin_v ½ (v − v*)ᵀ A (v − v*) + Σ_j dt μ_j |v_j|   subject to   lo_j ≤ v_j ≤ hi_j
//! ```
//!
//! with `y = A v*` given instead of `v*`, and impulses `p = A v⁺ − y` (N m s; N s). Each joint is on a [`Piece`] of its
//! monotone graph of impulse against velocity. The problem is strictly convex: it has one answer.
//!
//! | type | holds |
//! |---|---|
//! | [`Problem`] | `A`, `y`, and each joint's [`Bounds`] |
//! | [`Piece`] | where on its graph a joint is |
//! | [`exact`] | the answer, by pivoting on the pieces |
//! | [`sweeps`] | a fixed count of projected Gauss–Seidel sweeps |
//!
//! References: Moreau 1988; Júdice & Pires 1994; Nocedal & Wright 2006, section 16.5.

pub mod exact;
mod factors;
mod margins;
mod pieces;
mod pivot;
mod problem;
pub mod sweeps;

pub use margins::Margins;
pub use pieces::Piece;
pub use problem::{Bounds, Problem, residual};

use crate::real::Real;

/// What a solve found, and its scratch; sized once.
#[derive(Clone, Debug)]
pub struct Solution<T> {
    /// `v⁺`.
    pub velocity: Vec<T>,
    /// `p = A v⁺ − y`.
    pub impulse: Vec<T>,
    /// Each joint's piece.
    pub pieces: Vec<Piece>,
    /// The velocity each joint would have without its own impulse, the others' as they are: `v⁺ − W_jj p_j`.
    pub free_velocity: Vec<T>,
    /// `W_jj`, the diagonal of `A⁻¹`.
    pub compliance: Vec<T>,
    /// How far each joint is from its next pieces, from its free velocity; with sweeps the nearest over all visits.
    pub margins: Vec<Margins<T>>,
    /// The sweeps' `arm.stick`: what each joint's squared ratio was compared with, less that ratio; `None` where it was not.
    pub stick: Vec<Option<T>>,
    pub(crate) factors: factors::Factors<T>,
    /// The sweeps' `W`.
    pub(crate) square: Vec<T>,
    /// The sweeps' second matrix.
    pub(crate) block: Vec<T>,
    pub(crate) part: Vec<T>,
    pub(crate) index: Vec<usize>,
    /// Joints whose piece a replayed script gives.
    pub(crate) scripted: Vec<bool>,
    pub(crate) pivot: pivot::Pivot,
}

impl<T: Real> Solution<T> {
    /// Room for problems of `n` joints.
    pub fn new(n: usize) -> Self {
        let row = || vec![T::zero(); n];
        Solution {
            velocity: row(),
            impulse: row(),
            pieces: vec![Piece::Free; n],
            free_velocity: row(),
            compliance: row(),
            margins: vec![Margins::none(); n],
            stick: vec![None; n],
            factors: factors::Factors::new(n),
            square: vec![T::zero(); n * n],
            block: vec![T::zero(); n * n],
            part: row(),
            index: Vec::with_capacity(n),
            scripted: vec![false; n],
            pivot: pivot::Pivot::new(n),
        }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Settlement {
    /// Every joint is on its piece.
    Settled,
    /// Some residual is left, N m s or N s: the derivative may be off by O(1).
    Residual(f64),
    /// A number that is not finite, first at this joint: a mass matrix that is not positive, or a state that blew up.
    NotFinite {
        /// The joint's index.
        joint: usize,
    },
}

/// A solve's end, and what it took.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct SolveReport {
    /// How it ended.
    pub settlement: Settlement,
    /// `max_j A_jj |v_j − the best v_j with the others as they are|`, N m s or N s.
    pub residual: f64,
    /// Linear systems solved, or sweeps made.
    pub rounds: u32,
    /// Whether block pivoting gave up and the active set took over.
    pub active_set: bool,
    /// Some joint is exactly between two pieces, and no tangent says which it takes: `pieces` holds the law's convention.
    pub tied: bool,
}
