//! The kinematic rung.

use super::prelude::*;
use articula::step::switches::{COUPLED_HIGH, COUPLED_LOW, LIMIT_HIGH, LIMIT_LOW};

/// Joints that follow a command.
pub const LAW: Law = Law {
    name: "kinematic_arm",
    title: "The kinematic rung: joints that follow a command",
    summary: "An arm whose joint positions are commanded, held within their limits, and followed at once or as a \
              first-order lag. Nothing has mass and no load moves it. Not for what an arm feels: use `dynamic_arm`.",
    item: item!(articula::step::KinematicArm<f64>, step),
    equations: &[
        "c^ = clamp(c, lo, hi)",
        "q+ = c^            or, with a servo constant T,   q+ = c^ + e^(-dt/T) (q - c^)",
        "v+ = (q+ - q)/dt",
    ],
    discretisation: "The command is held over the step; the lag is solved exactly for a held command.",
    symbols: &[
        symbol("c", Input, "commanded positions", "rad; m", item!(articula::step::KinematicArm<f64>, step)),
        symbol("q", State, "positions", "rad; m", item!(articula::step::State<f64> . q)),
        symbol("v", Output, "rates over the step", "rad/s; m/s", item!(articula::step::State<f64> . v)),
        symbol("T", Parameter, "servo constant", "s", item!(articula::step::KinematicArm<f64>, new)),
        symbol("dt", Parameter, "length of the step", "s", item!(articula::step::KinematicArm<f64>, dt)),
        symbol("lo", Parameter, "lower limit", "rad; m", item!(articula::model::Joint<f64> . lower)),
        symbol("hi", Parameter, "upper limit", "rad; m", item!(articula::model::Joint<f64> . upper)),
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
        "servo",
        "rate",
        "limits",
        "friction",
    ],
    accepts: &[port("command", "rad; m")],
    publishes: &[
        port("joint_positions", "rad; m"),
        port("joint_velocities", "rad/s; m/s"),
        port("frame_poses", "m; 1"),
        port("frame_angular_velocities", "rad/s"),
    ],
    switches: &[&LIMIT_LOW, &LIMIT_HIGH, &COUPLED_LOW, &COUPLED_HIGH],
    assumptions: &["the joints follow their command, whatever its speed", "the base is fixed in the world"],
    limitations: &[
        "no mass moves it, and no load",
        "friction, armature and actuators given to it are not used, and the report says so",
        "speed limits are watched and reported, never applied",
    ],
    validity: &[check(
        "commands held within limits, followed at once or with the lag of its formula",
        &["tests/run.rs::the_kinematic_rung_follows_its_command"],
    )],
    applies_to: &["segment"],
    flags: &["rigid"],
    raises: &["SEG.beyond_speed_limit"],
    initial_state: &[port("initial_positions", "rad; m")],
    nodes: &[""],
    references: &[SCIAVICCO],
    ..EMPTY
};
