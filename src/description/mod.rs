//! What a robot file says, with every element and attribute of it accounted for.
//!
//! No equation stands here: numbers are taken as the file writes them, and only checked. The one calculation is the
//! inertia of a moving body, `I = Σ_l R_l I_l R_lᵀ + m_l (|d_l|² 1 − d_l d_lᵀ)` over the links fixed together, `d_l`
//! from the body's centre of mass, because a link may have an impossible inertia where its body has not.
//!
//! - [`Inspection`]: what reading found, errors and a partial account included; it always exists.
//! - [`Description`]: the robot, when there are no errors.
//! - [`Account`]: one verdict for each element and each attribute of the file.
//! - [`Acknowledged`]: a description with nothing refused that nobody answered for; models are built from it.
//!
//! Reference: the URDF pages of ROS (wiki.ros.org/urdf/XML) and urdfdom's `urdf.xsd`, version 1.0.

mod account;
mod acknowledge;
mod attribute;
mod audit;
mod grammar;
mod inertia;
mod inspection;
pub(crate) mod mimic;
mod parts;
mod second_reading;
mod shape;
mod source;
mod transmission;
mod tree;
mod urdf;

pub use account::{Account, Counts, Entry, Verdict};
pub use acknowledge::{Acknowledged, Acknowledgement};
pub use inspection::Inspection;
pub use parts::{
    Description, Inertial, JointDescription, JointKind, Limit, LinkDescription, Mimic, SecondReading,
};
pub use transmission::Transmission;

#[cfg(feature = "cli")]
pub(crate) use source::sha256;
