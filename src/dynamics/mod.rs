//! Smooth rigid-body algorithms, generic over the scalar: a choice on a value does not compile here.
//!
//! With `q` positions, `v` velocities, `M(q)` the mass matrix (each joint's armature on its diagonal) and `h(q, v)` the
//! bias (Coriolis, centrifugal and gravity efforts, less the loads on the frames):
//!
//! ```text
//! inverse_dynamics:  τ = M(q) v̇ + h(q, v)            O(n), recursive Newton–Euler
//! mass_matrix:       M(q)                             O(n · depth), composite rigid bodies
//! forward_dynamics:  v̇ = M(q)⁻¹ (τ − h(q, v))        O(n), articulated bodies
//! ```
//!
//! | type | holds |
//! |---|---|
//! | [`Workspace`] | everything that can be recomputed from the arguments; reused, never read across calls |
//! | [`Loads`] | wrenches on frames, and rotational inertia that frames carry |
//! | [`Twist`] | a frame's linear and angular velocity, world axes |
//!
//! Vectors are in model order; a free base comes first (linear, then angular, world axes, at the base's origin). URDF
//! damping, friction and limits are in none of these: they belong to the step. Joints that follow others are free joints here;
//! [`coupled`] has the same functions on the coordinates that are left.
//!
//! References: Featherstone 2008; Luh, Walker & Paul 1980; Sciavicco & Siciliano 2000.

pub mod coupled;
mod crba;
mod derivatives;
mod energy;
mod forward;
mod forward_derivatives;
mod jacobian;
mod kinematics;
pub mod ldl;
mod loads;
mod pair;
mod regressor;
mod rnea;
pub(crate) mod rows;
mod virtual_power;
mod workspace;

pub use crba::mass_matrix;
pub use derivatives::{InverseDynamicsDerivatives, inverse_dynamics_derivatives};
pub(crate) use derivatives::{inverse_dynamics_derivatives_placed, motion_from_rest};
pub use energy::{Momentum, center_of_mass, kinetic_energy, momentum, potential_energy};
pub use forward::forward_dynamics;
pub use forward_derivatives::{ForwardDynamicsDerivatives, forward_dynamics_derivatives};
pub use jacobian::{frame_jacobian, joint_jacobians};
pub use kinematics::{Twist, frame_poses, frame_twists};
pub use loads::{Carried, Loads, Wrench};
pub use regressor::regressor;
pub use rnea::{bias, inverse_dynamics};
pub use virtual_power::{VirtualPower, virtual_power};
pub use workspace::Workspace;

pub(crate) use crba::mass_matrix_placed;
pub(crate) use energy::{carried_energy_placed, kinetic_energy_placed, potential_energy_placed};
pub(crate) use jacobian::{add_efforts_placed, angular_jacobian_placed, frame_jacobian_placed};
pub(crate) use kinematics::{
    axis, frame_pose_placed, frame_poses_placed, frame_twists_placed, place, place_world,
};
pub(crate) use rnea::newton_euler;
pub(crate) use virtual_power::virtual_power_placed;

/// The length of a slice argument is right, or the caller is told which is not.
macro_rules! assert_len {
    ($slice:expr, $len:expr, $what:literal) => {
        assert_eq!($slice.len(), $len, concat!("length of ", $what));
    };
}
pub(crate) use assert_len;
