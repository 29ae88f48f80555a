//! Articulated-body dynamics with rigid joint stops and dry friction that sticks.
//!
//! Per step of `dt` it solves, for the velocities of a tree of rigid bodies,
//!
//! ```text
//! v⁺ = argmin_v ½ (v − v*)ᵀ A (v − v*) + dt Σ_j μ_j |v_j|   subject to   lo ≤ q + dt v ≤ hi
//! A = M(q) + dt D,   A v* = M v + dt (u − h(q, v))
//! ```
//!
//! in any scalar that is a [`Real`]: `f64`, or a number that carries derivatives. Rooms, each using those above it:
//!
//! | room | holds |
//! |---|---|
//! | [`error`] | what was wrong with data from outside |
//! | [`real`] | the scalar: arithmetic without an order; [`Tangents`] |
//! | [`switch`] | the only place that compares scalars; record and replay |
//! | [`spatial`] | vectors, poses, inertias |
//! | [`description`] | what a robot file says, every element accounted for |
//! | [`model`] | the machine |
//! | [`dynamics`] | smooth algorithms |
//! | [`step`] | stops, friction, time |
//! | [`rollout`] | steps one after another |
//! | `experiment`, `registry`, `report`, `cli` | files in, records of the laws, files out, the command (feature `cli`) |
//!
//! ```
//! use articula::description::Description;
//! use articula::dynamics::{Loads, Workspace, inverse_dynamics};
//! use articula::model::Model;
//!
//! let robot = Description::read("tests/robots/pendulum.urdf")?.acknowledge(&[])?;
//! let model = Model::from_description(&robot)?;
//! let (mut ws, mut tau) = (Workspace::new(&model), [0.0]);
//! inverse_dynamics(&model, &mut ws, &[0.3], &[0.0], &[0.0], &Loads::none(), &mut tau);
//! assert!((tau[0] - 1.5 * 0.4 * 9.80665 * 0.3_f64.sin()).abs() < 1e-14); // m g d sin q, N m
//! # Ok::<(), articula::Error>(())
//! ```

// The registry writes the paths of public items as they are from outside.
#[cfg(feature = "cli")]
extern crate self as articula;

#[cfg(feature = "cli")]
pub mod cli;
pub mod description;
pub mod dynamics;
pub mod error;
#[cfg(feature = "cli")]
pub mod experiment;
pub mod input;
pub mod model;
pub mod real;
#[cfg(feature = "cli")]
pub mod registry;
#[cfg(feature = "cli")]
pub mod report;
pub mod rollout;
pub mod spatial;
pub mod step;
pub mod switch;

pub use error::{Error, Result};
pub use real::{Real, Tangents};

/// The code of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
