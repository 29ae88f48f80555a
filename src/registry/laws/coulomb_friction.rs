//! Dry friction of a joint.

use super::prelude::*;
use articula::step::switches::{FRICTION_HIGH, FRICTION_LOW};

/// Dry friction.
pub const LAW: Law = Law {
    name: "coulomb_friction",
    title: "Coulomb friction of a joint",
    summary: "A joint with friction sticks, at a velocity of exactly zero, until the effort on it exceeds the friction; \
              then the friction is constant and against the motion. Not for friction that depends on speed or load.",
    item: item!(articula::model::Joint<f64> . friction),
    equations: &["p = -dt mu sign(v)   while it slides", "|p| <= dt mu, v = 0   while it sticks"],
    discretisation: "An impulse over the step, found together with the stops and all other joints.",
    symbols: &[
        symbol("mu", Parameter, "Coulomb friction", "N m; N", item!(articula::model::Joint<f64> . friction)),
        symbol(
            "p",
            Output,
            "impulse of friction",
            "N m s; N s",
            item!(articula::step::Outcome<f64> . friction_impulse),
        ),
        symbol(
            "low",
            Output,
            "indicator of sliding forward",
            "N m; N",
            item!(articula::step::Indicators<f64> . friction_low),
        ),
        symbol(
            "high",
            Output,
            "indicator of sliding back",
            "N m; N",
            item!(articula::step::Indicators<f64> . friction_high),
        ),
    ],
    settings: &["friction"],
    switches: &[&FRICTION_LOW, &FRICTION_HIGH],
    assumptions: &["the same friction at rest and in motion, in both directions, at any load"],
    limitations: &["no Stribeck effect, no dependence on load or temperature"],
    validity: &[
        check(
            "sliding to a stand, and no creep at rest",
            &[
                "tests/closed_form.rs::coasting_hinge_stops_in_finite_time",
                "tests/closed_form.rs::held_friction_does_not_creep",
            ],
        ),
        check(
            "derivatives while it sticks, while it slides and between",
            &[
                "tests/gradient.rs::one_joint_has_the_derivatives_worked_by_hand",
                "tests/gradient.rs::at_the_edge_of_friction_the_first_tangent_decides",
            ],
        ),
    ],
    limits: &["zero or more; a joint of zero friction has none, and evaluates no switch of it"],
    applies_to: &["joint"],
    references: &[MOREAU],
    ..EMPTY
};
