//! Time: one step of an arm, with stops that are rigid and friction that sticks.
//!
//! With `Ms`, `Me` the mass matrix at the start and end of the step, `G` the gyroscopic matrix of the spin momenta on
//! the frames, `D` damping, `h` the bias and `u` the joint efforts:
//!
//! ```text
//! (Ms − ½dt G) v′ = (Ms + ½dt G) v                              gyroscopic turn, which does no work
//! A = Me + dt D,   A v* = Ms v′ + dt (u − h(q, v′))
//! v⁺ = argmin_v ½ (v − v*)ᵀ A (v − v*) + dt Σ_j μ_j |v_j|   subject to   lo ≤ q + dt v ≤ hi
//! q⁺ = clamp(q + dt v⁺, lo, hi)
//! ```
//!
//! | type | holds |
//! |---|---|
//! | [`DynamicArm`], [`KinematicArm`] | a checked model with its step |
//! | [`State`] | `q`, `v`, `t` |
//! | [`Inputs`] | efforts, wrenches, spin momenta, carried inertia |
//! | [`Outcome`] | what a step made besides the state: pieces, impulses, indicators, frames |
//! | [`StepReport`] | how the solve ended: read it before the numbers |
//! | [`Ledger`] | where the energy went |
//!
//! References: the step and its promises are in `docs/equations.md`; Moreau 1988 for the impulses.

mod adjoint;
mod advance;
mod dynamic;
mod frame_terms;
pub(crate) mod group;
pub mod impulse;
mod inputs;
mod jacobian;
mod kinematic;
mod ledger;
mod observe;
mod outcome;
mod spin;
mod state;
pub mod switches;
mod workspace;

pub use adjoint::StepAdjoint;
pub use dynamic::{DynamicArm, Solver};
pub use impulse::{Piece, Settlement};
pub use inputs::{Inputs, SpinMomentum};
pub use jacobian::{StepBlocks, StepJacobian};
pub use kinematic::KinematicArm;
pub use ledger::{Ledger, Work};
pub use outcome::{Indicators, Outcome, StepReport};
pub use spin::gyroscopic_turn;
pub use state::State;
pub use workspace::StepWorkspace;
