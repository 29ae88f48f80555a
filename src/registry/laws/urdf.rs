//! Reading of URDF.

use super::prelude::*;

/// Robot files.
pub const LAW: Law = Law {
    name: "urdf",
    title: "Reading a robot file (URDF 1.0)",
    summary: "From text to a machine, with a verdict for every element and attribute: used, not used, noted, refused. What \
              would change the mechanism if dropped stops everything until it is acknowledged with a reason. The file is \
              read twice, by two readers, and a number on which they differ is a fault.",
    item: item!(articula::description::Description, parse),
    equations: &[
        "I = sum_l R_l I_l R_l^T + m_l (|d_l|^2 1 - d_l d_l^T)            a moving body, over the links fixed together",
        "R = Rz(yaw) Ry(pitch) Rx(roll)",
    ],
    discretisation: "",
    symbols: &[
        symbol(
            "account",
            Output,
            "the verdict on everything in the file",
            "1",
            item!(articula::description::Account),
        ),
        symbol("m_l", Output, "mass of a link", "kg", item!(articula::description::Inertial.mass)),
        symbol(
            "I_l",
            Output,
            "its inertia about its centre of mass",
            "kg m^2",
            item!(articula::description::Inertial.inertia),
        ),
        symbol(
            "lo, hi",
            Output,
            "stops of a joint",
            "rad; m",
            item!(articula::description::JointDescription, bounds),
        ),
        symbol(
            "transmissions",
            Output,
            "what the file says of its drives",
            "1",
            item!(articula::description::Transmission),
        ),
        symbol("model", Output, "the machine", "1", item!(articula::model::Model<f64>, from_description)),
    ],
    settings: &["description", "acknowledged", "mimic"],
    assumptions: &["SI units, as URDF has it", "a link without <inertial> has no mass"],
    limitations: &[
        "revolute, continuous, prismatic and fixed joints; floating at the root only",
        "planar joints and elements URDF does not define are refused, mimic joints until they are coupled or acknowledged",
        "visuals, collisions and meshes are recognised and not used",
        "no xacro: expand the file first",
    ],
    validity: &[
        check(
            "every element and attribute has a verdict",
            &["tests/description.rs::the_account_is_complete"],
        ),
        check(
            "every error, by spoiling one thing",
            &[
                "tests/description.rs::each_spoiled_thing_has_its_error",
                "tests/description.rs::the_graph_is_checked",
            ],
        ),
        check(
            "every refusal and every note",
            &["tests/description.rs::each_refusal_is_made", "tests/description.rs::each_note_is_made"],
        ),
        check("two readers agree", &["tests/description.rs::the_second_reader_agrees"]),
    ],
    limits: &["files of at most 64 MiB and a million elements"],
    applies_to: &["robot file"],
    references: &[URDF],
    ..EMPTY
};
