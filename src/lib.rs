//! Articulated-body dynamics with rigid joint stops and dry friction that sticks.

#[cfg(feature = "cli")]
pub mod cli;
pub mod description;
pub mod dynamics;
pub mod error;
#[cfg(feature = "cli")]
pub mod experiment;
pub mod model;
pub mod real;
#[cfg(feature = "cli")]
pub mod report;
pub mod rollout;
pub mod spatial;
pub mod step;
pub mod switch;

pub use error::{Error, Result};
pub use real::{Real, Tangents};
