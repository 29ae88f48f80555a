//! What a rollout is judged by: a sum of terms over the states it goes through and the efforts it takes.
//!
//! ```text
//! J = Σ_terms  w |e(x_N)|²   at the end        or        w dt Σ_{k=1..N} |e(x_k)|²   all along
//! ```
//!
//! | type | holds |
//! |---|---|
//! | [`Quantity`] | what a term looks at, and its goal |
//! | [`Own`], [`Sample`] | a user's closure, and what it is shown |
//! | [`Term`], [`When`] | a quantity with its weight |
//! | [`Objective`] | the terms of one machine: values, derivatives, Gauss–Newton blocks |

mod blocks;
mod own;
mod slopes;
mod term;
mod value;

pub use blocks::CostBlocks;
pub use own::{Own, Sample};
pub use term::{Objective, Quantity, Row, Term, When};
pub use value::{CostWorkspace, LanesWorkspace};

use crate::real::Tangents;

/// Tangents in one pass.
pub(super) const WIDTH: usize = 8;

/// Eight tangents at a time: what closures of users, and derivatives by parameters, are computed in.
pub type Lanes = Tangents<WIDTH>;
