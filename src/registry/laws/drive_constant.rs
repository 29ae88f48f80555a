//! A constant drive.

use super::prelude::*;

/// A constant drive.
pub const LAW: Law = Law {
    name: "drive_constant",
    title: "A drive that is the same always",
    summary: "An effort, or on the kinematic rung a position, that does not change.",
    item: item!(articula::rollout::Drive::Constant),
    equations: &["u = c"],
    discretisation: "Evaluated at the start of the step, held over it.",
    symbols: &[
        symbol("c", Parameter, "the constant", "N m; N or rad; m", item!(articula::rollout::Drive::Constant)),
        symbol(
            "u",
            Output,
            "effort, or the commanded position on the kinematic rung",
            "N m; N or rad; m",
            item!(articula::rollout::Drive),
        ),
    ],
    accepts: &[],
    publishes: &[port("u", "N m; N or rad; m")],
    assumptions: &["what is asked for is what acts"],
    limitations: &["limits of effort are watched, not applied"],
    validity: &[check("its formula in a run", &["tests/run.rs::drives_are_their_formulas"])],
    applies_to: &["joint"],
    ..EMPTY
};
