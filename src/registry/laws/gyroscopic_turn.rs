//! The gyroscopic turn.

use super::prelude::*;

/// Spin momenta on frames.
pub const LAW: Law = Law {
    name: "gyroscopic_turn",
    title: "The gyroscopic turn by spin momenta on frames",
    summary: "What rotors spinning on the links make of the joints' velocity over a step. It does no work at any step size.",
    item: item!(articula::step::gyroscopic_turn),
    equations: &["(Ms - dt/2 G) v' = (Ms + dt/2 G) v", "G = sum_k S_k^T [H_k]x S_k,   v'^T Ms v' = v^T Ms v"],
    discretisation: "Cayley's formula, first in the step; without spinners v' = v to the last bit.",
    symbols: &[
        symbol(
            "H_k",
            Input,
            "spin momentum on frame k, world axes",
            "N m s",
            item!(articula::step::SpinMomentum<f64> . value),
        ),
        symbol(
            "S_k",
            Parameter,
            "angular Jacobian of frame k",
            "1",
            item!(articula::dynamics::frame_jacobian),
        ),
        symbol(
            "Ms",
            Parameter,
            "mass matrix at the start of the step",
            "kg m^2, kg m, kg",
            item!(articula::dynamics::mass_matrix),
        ),
        symbol(
            "v'",
            Output,
            "velocity after the turn",
            "rad/s; m/s",
            item!(articula::step::Outcome<f64> . v_turned),
        ),
    ],
    accepts: &[port("momenta", "N m s")],
    publishes: &[port("v_turned", "rad/s; m/s")],
    assumptions: &[
        "a spinner's momentum is held over the step",
        "its mass and its inertia across the axis are the link's",
    ],
    limitations: &[
        "first order with the load: a fast spinner needs a small step",
        "in the library and `eval` only",
    ],
    validity: &[
        check("no work over a million turns", &["tests/step.rs::spin_turns_do_no_work_over_a_million_turns"]),
        check(
            "the rate of a gyroscope's precession",
            &[
                "tests/order.rs::a_gyroscope_precesses_at_m_g_l_over_h",
                "tests/order.rs::a_spinner_turns_a_three_joint_arm_by_its_own_jacobian",
            ],
        ),
    ],
    applies_to: &["step"],
    flags: &["workless"],
    references: &[GOLUB],
    ..EMPTY
};
