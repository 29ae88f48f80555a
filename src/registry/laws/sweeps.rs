//! The sweeps of a step.

use super::prelude::*;
use articula::step::switches::DYNAMIC;

/// A fixed count of sweeps.
pub const LAW: Law = Law {
    name: "sweeps",
    title: "Stops and friction of a step, by a fixed count of sweeps",
    summary: "Projected Gauss-Seidel over impulses, as many sweeps as asked for: `solver = { sweeps = N }`. Costs the same \
              every step. With any count no joint passes its stop, energy does not rise, and an arm whose friction can \
              hold every joint is still. For the answer itself use `exact_solve`.",
    item: item!(articula::step::impulse::sweeps::sweeps),
    equations: &[
        "v = v* + W p,   W = A^-1",
        "v_free = v_j - W_jj p_j",
        "v_new = clamp(soft(v_free, W_jj dt mu_j), (lo_j - q_j)/dt, (hi_j - q_j)/dt)",
        "d = (v_new - v_j)/W_jj;   p_j <- p_j + d;   v <- v + W_.j d",
        "start: W_FF p_hold = -v*_F over joints with friction;  r^2 = max(1, max_j (p_hold,j/(dt mu_j))^2);  p = p_hold/r^2",
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
        symbol("N", Parameter, "count of sweeps", "1", item!(articula::step::Solver::Sweeps)),
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
            "residual",
            Output,
            "what the sweeps left",
            "N m s; N s",
            item!(articula::step::StepReport.residual),
        ),
    ],
    settings: &["solver"],
    accepts: &[
        port("A", "kg m^2, kg m, kg"),
        port("y", "N m s; N s"),
        port("bounds", "N m s, rad/s; N s, m/s"),
    ],
    publishes: &[port("v+", "rad/s; m/s"), port("p", "N m s; N s"), port("pieces", "1")],
    switches: &DYNAMIC,
    assumptions: &["A is symmetric and positive definite"],
    limitations: &[
        "exact for one joint and wherever every joint with friction sticks; on coupled joints a change is left, which the \
         residual tells",
        "its derivative is that of the sweeps as made",
    ],
    validity: &[
        check(
            "no energy added, and the exact answer in the end",
            &["tests/step.rs::sweeps_add_no_energy_and_converge_to_the_exact_answer"],
        ),
        check(
            "a held arm is still, one joint is exact",
            &[
                "tests/step.rs::held_arm_is_still_bit_for_bit_for_ten_seconds",
                "tests/step.rs::one_joint_is_exact",
            ],
        ),
        check("derivatives of the sweeps as made", &["tests/gradient.rs::sweeps_are_differentiated_as_made"]),
    ],
    limits: &["settled when the residual is at most 1e-12 of the largest |y_j|"],
    applies_to: &["step"],
    references: &[MOREAU],
    ..EMPTY
};
