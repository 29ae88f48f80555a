//! Runs: segments stepped on one clock, what they did kept row by row.
//!
//! ```text
//! t_k = k dt      u_k = drive(t_k, q_k, v_k), held over the step      (q, v)_{k+1} = step((q, v)_k, u_k)
//! ```
//!
//! | type | holds |
//! |---|---|
//! | [`Drive`] | what a joint is told, as a function of time and its own state |
//! | [`Rung`] | an arm that is driven by efforts, or follows commands |
//! | [`Segment`] | an arm with its rung, drives and rate |
//! | [`Session`] | the clock and the segments; [`Session::run`] steps them |
//! | [`Trajectory`] | rows of one segment, allocated before the run |
//! | [`Course`], [`Plan`] | what a rollout starts from and is told; the same with numbers that are decided |
//! | [`Objective`], [`Adjoint`] | what a rollout is judged by; its gradient |
//! | [`Differences`] | that gradient against differences |
//!
//! A segment whose rate is `m` base steps is stepped once for every `m` of them, with `m dt`: the step over
//! `[t_k, t_{k+m}]` shows in row `k + m`, and rows between repeat the last one. Nothing of the command line is needed here.

mod adjoint;
mod batch;
mod check;
mod course;
mod drive;
mod forward;
mod gradient;
mod knots;
mod linearize;
pub mod objective;
mod passes;
mod plan;
mod rung;
mod segment;
mod session;
mod sides;
mod tape;
mod trajectory;
mod watch;

pub use adjoint::Adjoint;
pub use batch::gradients;
pub use check::{Checked, Differences, Entry};
pub use course::Course;
pub use drive::{Drive, Hold, Table};
pub use gradient::{By, RolloutGradient};
pub use knots::Knots;
pub use linearize::{Linearized, linearize};
pub use objective::{
    CostBlocks, CostWorkspace, Lanes, LanesWorkspace, Objective, Own, Quantity, Row, Sample, Term, When,
};
pub use plan::{Plan, Variable};
pub use rung::Rung;
pub use segment::Segment;
pub use session::{Ending, Session};
pub use sides::{Sides, Straddle};
pub use trajectory::Trajectory;
pub use watch::{Watch, beyond_effort, beyond_speed};
