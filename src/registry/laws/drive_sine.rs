//! A sine drive.

use super::prelude::*;

/// A sine drive.
pub const LAW: Law = Law {
    name: "drive_sine",
    title: "A drive that swings",
    summary: "An effort or a position that follows a sine of time.",
    item: item!(articula::rollout::Drive::Sine),
    equations: &["u = offset + amplitude sin(2 pi f t + phase)"],
    discretisation: "Evaluated at the start of the step, held over it.",
    symbols: &[
        symbol(
            "amplitude",
            Parameter,
            "amplitude",
            "N m; N or rad; m",
            item!(articula::rollout::Drive::Sine),
        ),
        symbol("f", Parameter, "frequency", "Hz", item!(articula::rollout::Drive::Sine)),
        symbol("phase", Parameter, "phase", "rad", item!(articula::rollout::Drive::Sine)),
        symbol("offset", Parameter, "offset", "N m; N or rad; m", item!(articula::rollout::Drive::Sine)),
        symbol(
            "u",
            Output,
            "effort, or the commanded position on the kinematic rung",
            "N m; N or rad; m",
            item!(articula::rollout::Drive),
        ),
    ],
    accepts: &[port("t", "s")],
    publishes: &[port("u", "N m; N or rad; m")],
    assumptions: &["what is asked for is what acts"],
    limitations: &["held over the step: late by half a step in the mean"],
    validity: &[check("its formula in a run", &["tests/run.rs::drives_are_their_formulas"])],
    applies_to: &["joint"],
    ..EMPTY
};
