//! One law a file.

mod prelude {
    pub(in crate::registry) use crate::registry::record::SymbolKind::{Input, Output, Parameter, State};
    pub(in crate::registry) use crate::registry::record::{EMPTY, Law, check, port, symbol};
    pub(in crate::registry) use crate::registry::references::*;
}

pub mod armature;
pub mod coulomb_friction;
pub mod drive_constant;
pub mod drive_pd;
pub mod drive_sine;
pub mod drive_table;
pub mod dynamic_arm;
pub mod exact_solve;
pub mod gravity;
pub mod gyroscopic_turn;
pub mod kinematic_arm;
pub mod mimic_coupling;
pub mod stops;
pub mod sweeps;
pub mod tree_dynamics;
pub mod urdf;
pub mod viscous_damping;

use super::Law;

/// Every record, in the order of the documentation.
pub const LAWS: &[&Law] = &[
    &dynamic_arm::LAW,
    &kinematic_arm::LAW,
    &tree_dynamics::LAW,
    &exact_solve::LAW,
    &sweeps::LAW,
    &coulomb_friction::LAW,
    &stops::LAW,
    &viscous_damping::LAW,
    &armature::LAW,
    &mimic_coupling::LAW,
    &gyroscopic_turn::LAW,
    &gravity::LAW,
    &drive_constant::LAW,
    &drive_sine::LAW,
    &drive_table::LAW,
    &drive_pd::LAW,
    &urdf::LAW,
];
