//! Experiments: a TOML file that says what is run, read without guessing.
//!
//! Every key is known or refused with the nearest known one; every number has its place in the file, so that what is
//! found wrong later (an unknown joint, a position beyond a limit) still names line and column.
//!
//! | type | holds |
//! |---|---|
//! | [`Experiment`] | the file as typed values; [`Experiment::read`] |
//! | [`Built`] | a [`Session`](crate::rollout::Session) ready to run, and where every number of it came from |
//! | [`Decision`], [`Parameter`] | what `[decision]` names, for an [`Objective`](crate::rollout::Objective) of `[objective]` |
//! | [`Rule`], [`RULES`] | what is known of a setting before a file says anything |
//! | [`Setting`] | one setting as resolved: value, role, source, kind and basis of its default |
//!
//! ```no_run
//! use articula::experiment::Experiment;
//! use std::ops::ControlFlow;
//!
//! let mut built = Experiment::read("arm.toml")?.build()?;
//! let ending = built.session.run(|_done, _of| ControlFlow::Continue(()));
//! println!("{ending:?}: {:?}", built.session.segments()[0].state().q);
//! # Ok::<(), articula::Error>(())
//! ```

mod account;
mod armature;
mod build;
mod chain;
mod decision;
mod document;
mod drive;
mod initial;
mod objective;
mod place;
mod read;
mod resolve;
mod settings;
mod table;

pub use account::{SegmentAccount, Validity};
pub use build::Built;
pub use decision::{Decision, Parameter};
pub use read::Experiment;
pub use settings::{DefaultKind, Profile, RULES, Role, Rule, Setting};
