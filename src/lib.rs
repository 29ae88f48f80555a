//! Articulated-body dynamics with rigid joint stops and dry friction that sticks.

pub mod description;
pub mod error;

pub use error::{Error, Result};
