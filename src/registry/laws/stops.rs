//! Rigid stops of a joint.

use super::prelude::*;
use articula::step::switches::{STOP_HIGH, STOP_LOW};

/// Rigid stops.
pub const LAW: Law = Law {
    name: "stops",
    title: "Rigid, inelastic stops of a joint",
    summary: "No joint passes its limits, to the last bit. A joint driven past one arrives at it at the end of the step; \
              the stop takes the rest of its speed on the next, through the whole arm. Not for stops that bounce or give.",
    item: item!(articula::step::impulse::Bounds),
    equations: &[
        "lo <= q + dt v+ <= hi",
        "p - friction >= 0 on the lower stop, <= 0 on the upper one, 0 between",
        "q+ = clamp(q + dt v+, lo, hi)",
    ],
    discretisation: "An impulse over the step; arrival takes up to one step, so it is early or late by less than dt.",
    symbols: &[
        symbol("lo", Parameter, "lower stop", "rad; m", item!(articula::model::Joint<f64> . lower)),
        symbol("hi", Parameter, "upper stop", "rad; m", item!(articula::model::Joint<f64> . upper)),
        symbol(
            "p",
            Output,
            "impulse of the stop",
            "N m s; N s",
            item!(articula::step::Outcome<f64> . stop_impulse),
        ),
        symbol(
            "low",
            Output,
            "indicator of the lower stop",
            "rad; m",
            item!(articula::step::Indicators<f64> . stop_low),
        ),
        symbol(
            "high",
            Output,
            "indicator of the upper stop",
            "rad; m",
            item!(articula::step::Indicators<f64> . stop_high),
        ),
    ],
    settings: &["limits"],
    switches: &[&STOP_LOW, &STOP_HIGH],
    assumptions: &["a stop is rigid and keeps no energy"],
    limitations: &["no restitution and no compliance", "a continuous joint has none, whatever its file says"],
    validity: &[
        check(
            "no joint passes its stop, a stop only pushes",
            &[
                "tests/step.rs::no_joint_passes_its_stop_and_impulses_obey_their_law",
                "tests/closed_form.rs::no_speed_passes_a_stop",
                "tests/closed_form.rs::a_stop_never_attracts",
            ],
        ),
        check("derivatives at a stop", &["tests/gradient.rs::at_rest_on_a_stop_the_first_tangent_decides"]),
    ],
    limits: &["a start outside the stops is refused", "lower = upper holds the joint, whatever pushes it"],
    applies_to: &["joint"],
    flags: &["rigid"],
    references: &[MOREAU],
    ..EMPTY
};
