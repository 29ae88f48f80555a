//! The smooth dynamics of a tree of rigid bodies.

use super::prelude::*;

/// Mass matrix and bias.
pub const LAW: Law = Law {
    name: "tree_dynamics",
    title: "Rigid bodies in a tree: mass matrix, bias, inverse and forward dynamics",
    summary: "What `eval` computes and every dynamic step starts from. It makes no choice on a value: its derivative is \
              exact in every scalar. Damping, friction and stops are not in it.",
    item: item!(articula::dynamics::inverse_dynamics),
    equations: &["tau = M(q) a + h(q, v)", "T = 1/2 v^T M v,   V = -sum m g^T c"],
    discretisation: "",
    symbols: &[
        symbol("q", Input, "positions", "rad; m", item!(articula::model::Model<f64>, zero_positions)),
        symbol("v", Input, "velocities", "rad/s; m/s", item!(articula::dynamics::bias)),
        symbol("a", Input, "accelerations", "rad/s^2; m/s^2", item!(articula::dynamics::inverse_dynamics)),
        symbol(
            "W_k",
            Input,
            "wrenches on frames, on the robot, world axes",
            "N, N m",
            item!(articula::dynamics::Wrench),
        ),
        symbol(
            "C",
            Input,
            "rotational inertia a frame carries",
            "kg m^2",
            item!(articula::dynamics::Carried),
        ),
        symbol("tau", Output, "efforts", "N m; N", item!(articula::dynamics::inverse_dynamics)),
        symbol(
            "M",
            Output,
            "mass matrix, armatures on its diagonal",
            "kg m^2, kg m, kg",
            item!(articula::dynamics::mass_matrix),
        ),
        symbol("h", Output, "bias", "N m; N", item!(articula::dynamics::bias)),
        symbol("T", Output, "kinetic energy", "J", item!(articula::dynamics::kinetic_energy)),
        symbol(
            "V",
            Output,
            "potential energy, zero at the world origin's height",
            "J",
            item!(articula::dynamics::potential_energy),
        ),
    ],
    accepts: &[
        port("q", "rad; m"),
        port("v", "rad/s; m/s"),
        port("a", "rad/s^2; m/s^2"),
        port("tau", "N m; N"),
    ],
    publishes: &[port("tau", "N m; N"), port("a", "rad/s^2; m/s^2"), port("M", "kg m^2, kg m, kg")],
    assumptions: &[
        "bodies are rigid",
        "joints are revolute, continuous or prismatic; the root is fixed or free",
    ],
    limitations: &[
        "no closed loops",
        "a joint that moves no inertia gives a forward dynamics that is not finite",
    ],
    validity: &[
        check(
            "identities on random trees, each tying two algorithms",
            &[
                "tests/identities.rs::mass_matrix_inverse_and_forward_dynamics_agree",
                "tests/identities.rs::power_is_the_rate_of_energy",
                "tests/identities.rs::regressor_times_parameters_is_inverse_dynamics",
            ],
        ),
        check(
            "closed forms",
            &[
                "tests/closed_form.rs::double_pendulum",
                "tests/closed_form.rs::poses_follow_rodrigues_formula",
                "tests/closed_form.rs::slide_on_a_turning_arm_feels_coriolis",
            ],
        ),
        check(
            "derivatives by every scalar and by differences",
            &[
                "tests/gradient.rs::smooth_algorithms_have_one_derivative",
                "tests/gradient.rs::every_address_has_its_derivative",
            ],
        ),
    ],
    applies_to: &["model"],
    flags: &["rigid", "smooth"],
    // The root may be free.
    moving: true,
    references: &[LUH, FEATHERSTONE],
    ..EMPTY
};
