//! The switches of the arm's laws, declared once.

use crate::switch::Switch;

const KINKS: &[(&str, i8)] =
    &[("frame_poses", 0), ("frame_angular_velocities", 0), ("joint_positions", 0), ("joint_velocities", 0)];
const POSITION: &str = "rad (m on a prismatic joint)";
const EFFORT: &str = "N m (N on a prismatic joint)";

/// The lower stop of a dynamic joint.
pub const STOP_LOW: Switch = Switch {
    name: "arm.stop.low",
    indicator: "position at the end of the step before its stop, less the lower limit",
    unit: POSITION,
    orders: KINKS,
    route: "none: a rigid, inelastic stop; a compliant one would be another model of the joint",
};

/// The upper stop of a dynamic joint.
pub const STOP_HIGH: Switch = Switch {
    name: "arm.stop.high",
    indicator: "upper limit, less the position at the end of the step before its stop",
    unit: POSITION,
    orders: KINKS,
    route: "none: a rigid, inelastic stop, as at the lower limit",
};

/// Sticking against sliding forward.
pub const FRICTION_LOW: Switch = Switch {
    name: "arm.friction.low",
    indicator: "the effort that would stop the joint over the step, the other joints free and their impulses as the \
                solve leaves them, plus its Coulomb friction",
    unit: EFFORT,
    orders: KINKS,
    route: "none: Coulomb friction is a kink between sticking and sliding; a smooth one would be another law",
};

/// Sticking against sliding back.
pub const FRICTION_HIGH: Switch = Switch {
    name: "arm.friction.high",
    indicator: "the joint's Coulomb friction, less the effort that would stop it over the step",
    unit: EFFORT,
    orders: KINKS,
    route: "none: a kink, as on the other side",
};

/// Where sweeps start; the exact solve does not evaluate it.
pub const STICK: Switch = Switch {
    name: "arm.stick",
    indicator: "largest squared ratio so far (never below one) of the impulse that would hold a joint to its \
                friction's, less the next joint's",
    unit: "1",
    orders: KINKS,
    route: "solver = \"exact\", whose answer does not depend on a start",
};

/// Which lower stop of coupled joints counts.
pub const COUPLED_LOW: Switch = Switch {
    name: "arm.coupled.low",
    indicator: "the lower stop that counts of joints that move as one, on their coordinate, less the next nearest of theirs; \
                where the coordinate is held on it",
    unit: POSITION,
    orders: KINKS,
    route: "none: the nearest stop counts; where two are met together, either one's limit does",
};

/// Which upper stop of coupled joints counts.
pub const COUPLED_HIGH: Switch = Switch {
    name: "arm.coupled.high",
    indicator: "the next nearest upper stop of joints that move as one, on their coordinate, less the one that counts; where \
                the coordinate is held on it",
    unit: POSITION,
    orders: KINKS,
    route: "none: the nearest stop counts, as at the lower one",
};

/// The lower limit of a commanded joint.
pub const LIMIT_LOW: Switch = Switch {
    name: "arm.limit.low",
    indicator: "commanded position less the lower limit",
    unit: POSITION,
    orders: KINKS,
    route: "none: a command below the limit is held at the limit, whose derivative by the command is zero",
};

/// The upper limit of a commanded joint.
pub const LIMIT_HIGH: Switch = Switch {
    name: "arm.limit.high",
    indicator: "upper limit less the commanded position",
    unit: POSITION,
    orders: KINKS,
    route: "none: a command above the limit is held at the limit, as at the lower one",
};

/// The switches of coupled joints, on both rungs.
pub const COUPLED: [&Switch; 2] = [&COUPLED_LOW, &COUPLED_HIGH];

/// All switches of the dynamic rung.
pub const DYNAMIC: [&Switch; 5] = [&STOP_LOW, &STOP_HIGH, &FRICTION_LOW, &FRICTION_HIGH, &STICK];

/// All switches of the kinematic rung.
pub const KINEMATIC: [&Switch; 2] = [&LIMIT_LOW, &LIMIT_HIGH];
