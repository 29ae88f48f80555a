//! Gravity.

use super::prelude::*;

/// Gravity.
pub const LAW: Law = Law {
    name: "gravity",
    title: "Gravity, the same everywhere",
    summary: "A uniform field on every mass of the robot, as an upward acceleration of the root.",
    item: item!(articula::model::Model<f64>, gravity),
    equations: &["f = m g", "V = -sum m g^T c"],
    discretisation: "At the start of the step.",
    symbols: &[
        symbol(
            "g",
            Parameter,
            "gravity, world axes",
            "m/s^2",
            item!(articula::model::Model<f64>, with_gravity),
        ),
        symbol(
            "g",
            Parameter,
            "its default, (0, 0, -9.80665)",
            "m/s^2",
            item!(articula::model::STANDARD_GRAVITY),
        ),
        symbol("V", Output, "potential energy", "J", item!(articula::dynamics::potential_energy)),
    ],
    settings: &["gravity"],
    assumptions: &["uniform and constant"],
    validity: &[
        check(
            "power of gravity is the rate of the potential",
            &["tests/identities.rs::power_is_the_rate_of_energy"],
        ),
        check(
            "a pendulum",
            &[
                "tests/closed_form.rs::simple_pendulum",
                "tests/closed_form.rs::a_pendulum_keeps_its_energy_for_100_seconds",
            ],
        ),
    ],
    applies_to: &["experiment", "model"],
    references: &[LUH],
    ..EMPTY
};
