//! A proportional-derivative drive.

use super::prelude::*;

/// A proportional-derivative drive.
pub const LAW: Law = Law {
    name: "drive_pd",
    title: "A drive towards a position",
    summary: "An effort towards a target, with a brake on the velocity. On the dynamic rung only.",
    item: item!(articula::rollout::Drive::Pd),
    equations: &["u = kp (target - q) - kd v"],
    discretisation: "Evaluated at the start of the step, held over it.",
    symbols: &[
        symbol("target", Parameter, "position aimed at", "rad; m", item!(articula::rollout::Drive::Pd)),
        symbol("kp", Parameter, "gain on the position", "N m/rad; N/m", item!(articula::rollout::Drive::Pd)),
        symbol(
            "kd",
            Parameter,
            "gain on the velocity",
            "N m s/rad; N s/m",
            item!(articula::rollout::Drive::Pd),
        ),
        symbol(
            "q",
            Input,
            "position at the start of the step",
            "rad; m",
            item!(articula::step::State<f64> . q),
        ),
        symbol(
            "v",
            Input,
            "velocity at the start of the step",
            "rad/s; m/s",
            item!(articula::step::State<f64> . v),
        ),
        symbol(
            "u",
            Output,
            "effort, or the commanded position on the kinematic rung",
            "N m; N or rad; m",
            item!(articula::rollout::Drive),
        ),
    ],
    accepts: &[port("q", "rad; m"), port("v", "rad/s; m/s")],
    publishes: &[port("u", "N m; N or rad; m")],
    assumptions: &["what is asked for is what acts, without saturation"],
    limitations: &[
        "explicit: a gain too large for the step makes it unstable",
        "refused on the kinematic rung",
    ],
    validity: &[check("its formula in a run", &["tests/run.rs::drives_are_their_formulas"])],
    applies_to: &["joint"],
    ..EMPTY
};
