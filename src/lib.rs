//! Articulated-body dynamics with rigid joint stops and dry friction that sticks.

#[cfg(feature = "cli")]
pub mod cli;
pub mod description;
pub mod dynamics;
pub mod error;
pub mod model;
pub mod real;
pub mod spatial;
pub mod step;
pub mod switch;

pub use error::{Error, Result};
pub use real::{Real, Tangents};
