//! Joints that follow others.

use super::prelude::*;
use articula::step::switches::COUPLED;

/// Mimic joints, coupled.
pub const LAW: Law = Law {
    name: "mimic_coupling",
    title: "Mimic joints, coupled to the joints they follow",
    summary: "A mimic joint's position is a linear function of its leader's; chains compose. Both share one coordinate, and \
              with it each other's inertia, stops and friction. Asked for with `mimic = \"coupled\"`; until then a mimic \
              joint is refused, or acknowledged as a free joint.",
    item: item!(articula::model::Model<f64>, coupling),
    equations: &[
        "q_j = m_j y + o_j,   v = J y',   M_y = J^T M J,   tau_y = J^T tau",
        "stops on y: the nearest of (lo_j - o_j)/m_j and of (hi_j - o_j)/m_j, ends exchanged where m_j < 0",
        "friction on y: sum_j |m_j| mu_j",
    ],
    discretisation: "The step solves for the coordinates that follow none; followers are where their leaders have them.",
    symbols: &[
        symbol(
            "m_j",
            Parameter,
            "velocity over the leader's",
            "1",
            item!(articula::model::Mimic<f64> . multiplier),
        ),
        symbol(
            "o_j",
            Parameter,
            "position where the leader's is zero",
            "rad; m",
            item!(articula::model::Mimic<f64> . offset),
        ),
        symbol("leader", Parameter, "the joint it follows", "1", item!(articula::model::Mimic<f64> . leader)),
        symbol(
            "J",
            Parameter,
            "which coordinates are left, and who follows",
            "1",
            item!(articula::model::Coupling),
        ),
    ],
    settings: &["mimic"],
    switches: &COUPLED,
    assumptions: &["the coupling is rigid and does no work"],
    limitations: &[
        "a hinge follows hinges and a slide slides; no loops, no multiplier of zero",
        "on the kinematic rung a follower takes no drive of its own",
    ],
    validity: &[
        check(
            "the machine held by constraints",
            &[
                "tests/coupled.rs::dynamics_are_those_of_the_held_machine",
                "tests/coupled.rs::steps_are_those_of_the_held_machine",
            ],
        ),
        check(
            "two slides by hand, chains, stops under sweeps",
            &[
                "tests/coupled.rs::two_slides_by_hand",
                "tests/coupled.rs::a_chain_of_followers_composes",
                "tests/coupled.rs::sweeps_keep_coupled_joints_within_their_stops",
            ],
        ),
        check("derivatives", &["tests/coupled.rs::duals_pass_through_the_coupling"]),
    ],
    limits: &["stops that leave no room are refused"],
    applies_to: &["joint"],
    flags: &["rigid", "workless"],
    references: &[URDF],
    ..EMPTY
};
