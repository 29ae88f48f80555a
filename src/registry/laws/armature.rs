//! Reflected inertia of a joint's drive.

use super::prelude::*;

/// Armature.
pub const LAW: Law = Law {
    name: "armature",
    title: "Armature: a rotor's inertia reflected onto its joint",
    summary: "A geared drive makes its joint heavier by the rotor's inertia times the square of the reduction. Robot files \
              have no word for it: it is declared with a reason, or reflected through a simple transmission of the file \
              from a rotor given with a reason.",
    item: item!(articula::model::Joint<f64> . armature),
    equations: &["M_jj <- M_jj + armature_j", "armature = rotor inertia x reduction^2"],
    discretisation: "",
    symbols: &[
        symbol(
            "armature",
            Parameter,
            "reflected inertia",
            "kg m^2; kg",
            item!(articula::model::Joint<f64> . armature),
        ),
        symbol(
            "reduction",
            Parameter,
            "turns of the rotor a turn of the joint",
            "1; rad/m",
            item!(articula::description::Transmission.reduction),
        ),
        symbol(
            "M",
            Output,
            "mass matrix with it",
            "kg m^2, kg m, kg",
            item!(articula::dynamics::mass_matrix),
        ),
    ],
    settings: &["armature", "actuators"],
    assumptions: &[
        "the rotor turns with its joint alone",
        "its own gyroscopic effect on the link that carries it is left out",
    ],
    limitations: &[
        "a transmission that couples joints is recognised and not read: no diagonal holds it",
        "rotors reflected so have no place of their own in the momentum",
    ],
    validity: &[
        check(
            "in the mass matrix, inverse and forward dynamics and the kinetic energy alike",
            &[
                "tests/identities.rs::mass_matrix_inverse_and_forward_dynamics_agree",
                "tests/identities.rs::power_is_the_rate_of_energy",
            ],
        ),
        check(
            "reflected through transmissions, and what is refused",
            &["tests/experiment.rs::armature_is_reflected", "tests/experiment.rs::armature_refusals"],
        ),
    ],
    limits: &["zero or more", "one source a joint: two are refused"],
    applies_to: &["joint"],
    references: &[FEATHERSTONE],
    ..EMPTY
};
