//! The exact solve of a step.

use super::prelude::*;
use articula::step::switches::{FRICTION_HIGH, FRICTION_LOW, STOP_HIGH, STOP_LOW};

/// The one answer of a step's problem.
pub const LAW: Law = Law {
    name: "exact_solve",
    title: "Stops and friction of a step, solved exactly",
    summary: "The one answer of the whole arm's coupled problem, by pivoting on the pieces of each joint's graph of impulse \
              against velocity; an active set stands behind it. What `solver = \"exact\"` means.",
    item: item!(articula::step::impulse::exact::exact),
    equations: &[
        "v+ = argmin_v 1/2 (v - v*)^T A (v - v*) + dt sum_j mu_j |v_j|    subject to   lo <= q + dt v <= hi",
        "A_mm v_m = y_m + p_m - A_mh v_h,   p_h = (A v - y)_h            m moving joints, h held ones",
        "residual = max_j A_jj |v_j - clamp(soft(v_j - p_j/A_jj, dt mu_j/A_jj), lo_j, hi_j)|",
    ],
    discretisation: "",
    symbols: &[
        symbol(
            "A",
            Input,
            "mass matrix at the end of the step, plus dt D",
            "kg m^2, kg m, kg",
            item!(articula::step::impulse::Problem<f64> . matrix),
        ),
        symbol("y", Input, "A v*", "N m s; N s", item!(articula::step::impulse::Problem<f64> . momentum)),
        symbol(
            "dt mu, lo, hi",
            Input,
            "bounds of each joint over the step",
            "N m s, rad/s; N s, m/s",
            item!(articula::step::impulse::Problem<f64> . bounds),
        ),
        symbol(
            "v+",
            Output,
            "velocities",
            "rad/s; m/s",
            item!(articula::step::impulse::Solution<f64> . velocity),
        ),
        symbol(
            "p",
            Output,
            "impulses",
            "N m s; N s",
            item!(articula::step::impulse::Solution<f64> . impulse),
        ),
        symbol(
            "W_jj",
            Output,
            "diagonal of the inverse of A",
            "1/(kg m^2); 1/kg",
            item!(articula::step::impulse::Solution<f64> . compliance),
        ),
        symbol(
            "piece",
            Output,
            "where on its graph each joint is",
            "1",
            item!(articula::step::impulse::Piece),
        ),
        symbol(
            "residual",
            Output,
            "what the solve left",
            "N m s; N s",
            item!(articula::step::impulse::residual),
        ),
    ],
    settings: &["solver"],
    accepts: &[
        port("A", "kg m^2, kg m, kg"),
        port("y", "N m s; N s"),
        port("bounds", "N m s, rad/s; N s, m/s"),
    ],
    publishes: &[port("v+", "rad/s; m/s"), port("p", "N m s; N s"), port("pieces", "1")],
    switches: &[&STOP_LOW, &STOP_HIGH, &FRICTION_LOW, &FRICTION_HIGH],
    assumptions: &[
        "A is symmetric and positive definite: the problem is then strictly convex and has one answer",
    ],
    limitations: &[
        "ties of coupled joints under several seeds are settled by the first nonzero tangent, not seed by seed",
        "a replayed script whose pieces are not the law's is reported as not settled",
    ],
    validity: &[
        check(
            "random problems, by their residual",
            &["tests/step.rs::exact_solve_settles_ten_thousand_random_problems"],
        ),
        check(
            "ties decided by the first nonzero tangent",
            &[
                "tests/gradient.rs::at_the_edge_of_friction_the_first_tangent_decides",
                "tests/switch.rs::tied_joints_of_an_arm_keep_the_pieces_of_the_first_pass",
            ],
        ),
    ],
    limits: &[
        "20 rounds of block pivoting, then at most 50 + 20 n of the active set; beyond that the step is not settled",
    ],
    applies_to: &["step"],
    flags: &["exact"],
    references: &[MOREAU, JUDICE, NOCEDAL, NESTEROV, KHAN],
    ..EMPTY
};
