//! Viscous damping of a joint.

use super::prelude::*;

/// Damping.
pub const LAW: Law = Law {
    name: "viscous_damping",
    title: "Viscous damping of a joint",
    summary: "An effort against the velocity and in proportion to it, taken at the end of the step: a large damping brakes \
              and does not overshoot.",
    item: item!(articula::model::Joint<f64> . damping),
    equations: &["effort = -D v+", "A = M + dt D"],
    discretisation: "Implicit: with the velocity at the end of the step, on the diagonal of the step's matrix.",
    symbols: &[
        symbol(
            "D",
            Parameter,
            "viscous damping",
            "N m s/rad; N s/m",
            item!(articula::model::Joint<f64> . damping),
        ),
        symbol(
            "v+",
            State,
            "velocity at the end of the step",
            "rad/s; m/s",
            item!(articula::step::State<f64> . v),
        ),
        symbol("work", Output, "energy it took so far", "J", item!(articula::step::Work.damping)),
    ],
    settings: &["friction"],
    assumptions: &["each joint damps its own velocity alone"],
    limitations: &["not in `eval`'s dynamics, only in its `step`"],
    validity: &[check(
        "its work in the ledger, and the order of its error",
        &[
            "tests/step.rs::energy_is_accounted_for_and_the_defect_halves_with_dt",
            "tests/order.rs::smooth_runs_are_of_first_order",
        ],
    )],
    limits: &["zero or more"],
    applies_to: &["joint"],
    references: &[FEATHERSTONE],
    ..EMPTY
};
