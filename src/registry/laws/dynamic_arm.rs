//! The dynamic rung.

use super::prelude::*;
use articula::step::switches::{
    COUPLED_HIGH, COUPLED_LOW, FRICTION_HIGH, FRICTION_LOW, STICK, STOP_HIGH, STOP_LOW,
};

/// Joints driven by efforts.
pub const LAW: Law = Law {
    name: "dynamic_arm",
    title: "The dynamic rung: joints driven by efforts",
    summary: "An arm on a base fixed in the world, moved by joint efforts against its inertia, gravity, damping, dry \
              friction, rigid stops and the loads on its frames. An arm whose friction can hold it stays still to the \
              last bit. Not for prescribed motion (`kinematic_arm`), and not for bodies without mass.",
    item: item!(articula::step::DynamicArm<f64>, step),
    equations: &[
        "(Ms - dt/2 G) v' = (Ms + dt/2 G) v            Ms = M(q; C0),  G = sum_k S_k^T [H_k]x S_k",
        "A = Me + dt D,   A v* = Ms v' + dt (u - h(q, v'; W, C0))            Me = M(q; C1)",
        "v+ = argmin_v 1/2 (v - v*)^T A (v - v*) + dt sum_j mu_j |v_j|    subject to   lo <= q + dt v <= hi",
        "q+ = clamp(q + dt v+, lo, hi)",
        "p = p_f + p_s = A v+ - y,   y = A v*",
    ],
    discretisation: "Semi-implicit Euler, first order: the velocity from what acts at the start of the step, damping at \
                     its end, stops and friction as impulses through the whole arm; then the position from the new \
                     velocity. The gyroscopic turn comes first, by Cayley's formula, and does no work.",
    symbols: &[
        symbol("u", Input, "joint efforts", "N m; N", item!(articula::step::Inputs<f64> . effort)),
        symbol("W_k", Input, "wrenches on frames", "N, N m", item!(articula::step::Inputs<f64> . wrenches)),
        symbol("H_k", Input, "spin momenta on frames", "N m s", item!(articula::step::Inputs<f64> . momenta)),
        symbol(
            "C0",
            Input,
            "inertia frames carry at the start",
            "kg m^2",
            item!(articula::step::Inputs<f64> . carried_start),
        ),
        symbol(
            "C1",
            Input,
            "inertia frames carry at the end",
            "kg m^2",
            item!(articula::step::Inputs<f64> . carried_end),
        ),
        symbol("q", State, "positions", "rad; m", item!(articula::step::State<f64> . q)),
        symbol("v", State, "velocities", "rad/s; m/s", item!(articula::step::State<f64> . v)),
        symbol("dt", Parameter, "length of the step", "s", item!(articula::step::DynamicArm<f64>, dt)),
        symbol(
            "D",
            Parameter,
            "viscous damping",
            "N m s/rad; N s/m",
            item!(articula::model::Joint<f64> . damping),
        ),
        symbol("mu", Parameter, "Coulomb friction", "N m; N", item!(articula::model::Joint<f64> . friction)),
        symbol("lo", Parameter, "lower stop", "rad; m", item!(articula::model::Joint<f64> . lower)),
        symbol("hi", Parameter, "upper stop", "rad; m", item!(articula::model::Joint<f64> . upper)),
        symbol(
            "M",
            Parameter,
            "mass matrix, armatures on its diagonal",
            "kg m^2, kg m, kg",
            item!(articula::dynamics::mass_matrix),
        ),
        symbol(
            "h",
            Parameter,
            "bias: Coriolis, centrifugal, gravity, less the loads",
            "N m; N",
            item!(articula::dynamics::bias),
        ),
        symbol(
            "v'",
            Output,
            "velocity after the gyroscopic turn",
            "rad/s; m/s",
            item!(articula::step::Outcome<f64> . v_turned),
        ),
        symbol(
            "p_f",
            Output,
            "impulse of friction",
            "N m s; N s",
            item!(articula::step::Outcome<f64> . friction_impulse),
        ),
        symbol(
            "p_s",
            Output,
            "impulse of the stop",
            "N m s; N s",
            item!(articula::step::Outcome<f64> . stop_impulse),
        ),
        symbol(
            "P_k",
            Output,
            "world poses of frames",
            "m; 1",
            item!(articula::step::Outcome<f64> . frame_poses),
        ),
        symbol(
            "Omega_k",
            Output,
            "world velocities of frames",
            "m/s; rad/s",
            item!(articula::step::Outcome<f64> . frame_twists),
        ),
    ],
    settings: &[
        "description",
        "rung",
        "initial_positions",
        "initial_velocities",
        "acknowledged",
        "actuators",
        "armature",
        "at",
        "orientation",
        "mount",
        "mimic",
        "rate",
        "solver",
        "limits",
        "friction",
    ],
    accepts: &[
        port("effort", "N m; N"),
        port("wrenches", "N, N m"),
        port("momenta", "N m s"),
        port("carried_start", "kg m^2"),
        port("carried_end", "kg m^2"),
    ],
    publishes: &[
        port("joint_positions", "rad; m"),
        port("joint_velocities", "rad/s; m/s"),
        port("frame_poses", "m; 1"),
        port("frame_angular_velocities", "rad/s"),
    ],
    switches: &[&STOP_LOW, &STOP_HIGH, &FRICTION_LOW, &FRICTION_HIGH, &STICK, &COUPLED_LOW, &COUPLED_HIGH],
    assumptions: &[
        "joints and links are rigid",
        "the base is fixed in the world",
        "a stop is rigid and inelastic: a joint driven past it arrives at it at the end of the step and loses the rest of \
         its speed on the next",
        "inputs are held over the step",
    ],
    limitations: &[
        "no free base, no closed loops, no contact with the world",
        "a moving body without mass is refused, and so is a start outside the stops",
        "speed and effort limits of the robot file are watched and reported, never applied",
        "a fast spinner needs a small step: a gyroscope under a load sinks before it precesses",
    ],
    validity: &[
        check(
            "closed forms of one joint",
            &[
                "tests/closed_form.rs::coasting_hinge_stops_in_finite_time",
                "tests/closed_form.rs::no_speed_passes_a_stop",
                "tests/step.rs::one_joint_is_exact",
            ],
        ),
        check(
            "energy balance of every step to rounding, its defect halved with dt",
            &["tests/step.rs::energy_is_accounted_for_and_the_defect_halves_with_dt"],
        ),
        check(
            "first order in dt",
            &[
                "tests/order.rs::smooth_runs_are_of_first_order",
                "tests/order.rs::runs_through_stops_and_friction_are_of_about_first_order",
            ],
        ),
        check(
            "one derivative by every scalar, in every mix of pieces, by hand for one joint",
            &[
                "tests/gradient.rs::exact_steps_have_one_derivative_in_every_mix_of_pieces",
                "tests/gradient.rs::one_joint_has_the_derivatives_worked_by_hand",
            ],
        ),
    ],
    limits: &["the mass matrix must be positive definite; else the step reports which joint is not finite"],
    applies_to: &["segment"],
    flags: &["rigid"],
    raises: &["SEG.beyond_speed_limit", "SEG.beyond_effort_limit"],
    initial_state: &[port("initial_positions", "rad; m"), port("initial_velocities", "rad/s; m/s")],
    nodes: &[""],
    references: &[FEATHERSTONE, MOREAU, SCIAVICCO],
    ..EMPTY
};
