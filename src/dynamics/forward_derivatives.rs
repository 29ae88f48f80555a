//! Derivatives of forward dynamics in closed form, from those of inverse dynamics.

use super::derivatives::inverse_dynamics_derivatives_placed;
use super::kinematics::place_world;
use super::{InverseDynamicsDerivatives, Loads, Workspace};
use crate::model::Model;
use crate::real::Real;

/// Forward dynamics and its derivatives, row by row, and their scratch.
#[derive(Clone, Debug)]
pub struct ForwardDynamicsDerivatives<T> {
    /// `v̇`.
    pub acceleration: Vec<T>,
    /// `∂v̇/∂q, ∂v̇/∂v, ∂v̇/∂τ = M⁻¹` side by side: one row an acceleration, three blocks of columns.
    pub blocks: Vec<T>,
    inverse: InverseDynamicsDerivatives<T>,
}

impl<T: Real> ForwardDynamicsDerivatives<T> {
    /// Room for a model, and for every model of the same shape.
    pub fn new(model: &Model<T>) -> Self {
        let n = model.velocities();
        ForwardDynamicsDerivatives {
            acceleration: vec![T::zero(); n],
            blocks: vec![T::zero(); 3 * n * n],
            inverse: InverseDynamicsDerivatives::new(model),
        }
    }
}

/// [`forward_dynamics`](super::forward_dynamics) and its derivatives by positions, velocities and efforts:
/// `∂v̇ = −M⁻¹ ∂ID(q, v, v̇)`, `∂v̇/∂τ = M⁻¹`.
///
/// Symbols as in [`inverse_dynamics_derivatives`](super::inverse_dynamics_derivatives); `tau` N m; N. Allocates: nothing. Switches: none. A joint that moves no
/// inertia gives results that are not finite.
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
///
/// # Derivative
/// Exact for every scalar.
///
/// # Reference
/// Carpentier & Mansard 2018.
pub fn forward_dynamics_derivatives<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    tau: &[T],
    loads: &Loads<'_, T>,
    out: &mut ForwardDynamicsDerivatives<T>,
) {
    let n = model.velocities();
    let ForwardDynamicsDerivatives { acceleration, blocks, inverse } = out;
    super::forward_dynamics(model, ws, q, v, tau, loads, acceleration);
    place_world(model, ws);
    inverse_dynamics_derivatives_placed(model, ws, v, acceleration, loads, inverse);
    for (i, row) in blocks.chunks_exact_mut((3 * n).max(1)).enumerate() {
        let by = |matrix: &[T], k: usize| -matrix[i * n + k];
        for k in 0..n {
            row[k] = by(&inverse.by_position, k);
            row[n + k] = by(&inverse.by_velocity, k);
            row[2 * n + k] = T::zero();
        }
        row[2 * n + i] = T::one();
    }
    super::ldl::factor(&mut inverse.by_acceleration, n);
    super::ldl::solve_rows(&inverse.by_acceleration, n, blocks, 3 * n);
}
