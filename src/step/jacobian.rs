//! Derivatives of a settled exact step in closed form.
//!
//! With `a = (v⁺ − v′)/dt`, moving joints m and held ones e, the step's equation is
//!
//! ```text
//! r = dt (ID(q, v′, a; C0) + D v⁺ − u) + (Me − Ms) v⁺ − p = 0
//! A_mm dv⁺_m = −dr_m + dp_m − A_me dv⁺_e        held: dv⁺ = 0 where it sticks, −dq/dt where it stops
//! ```
//!
//! `dr` by the closed-form derivatives of inverse dynamics, spin momenta through the gyroscopic turn. On a stop `q⁺` does
//! not move; elsewhere `dq⁺ = dq + dt dv⁺`.

use super::dynamic::{DynamicArm, Solver};
use super::frame_terms::FrameTerms;
use super::impulse::Piece;
use super::inputs::Inputs;
use super::outcome::Outcome;
use super::state::State;
use super::workspace::StepWorkspace;
use crate::dynamics::{
    InverseDynamicsDerivatives, Loads, inverse_dynamics_derivatives_placed, ldl, place, place_world,
};
use crate::model::{Model, project_square};
use crate::real::Real;
use crate::switch::StepStatus;

/// Derivatives of a step's velocities and positions.
///
/// Matrices are row by row, a row a coordinate of `v⁺` (a joint that follows none), a column a coordinate of what it is by.
#[derive(Clone, Copy, Debug)]
pub struct StepBlocks<'a, T> {
    /// `∂v⁺/∂q`, 1/s.
    pub by_position: &'a [T],
    /// `∂v⁺/∂v`.
    pub by_velocity: &'a [T],
    /// `∂v⁺/∂u`, of the efforts on the coordinates.
    pub by_effort: &'a [T],
    /// Which way a coordinate slides against friction, −1 or 1; 0 where it does not. `∂v⁺/∂μ` of a coordinate's friction, N m; N, is
    /// `−slides` times its column of `∂v⁺/∂u`: a law whose friction depends on the state multiplies by this.
    pub slides: &'a [T],
    /// Coordinates that a stop holds at the end of the step: their `q⁺` has no derivative by state or effort.
    pub stopped: &'a [bool],
}

/// Derivatives of a step, and their scratch: [`StepJacobian::read`] gives them with what they are worth.
#[derive(Clone, Debug)]
pub struct StepJacobian<T> {
    pub(crate) by_position: Vec<T>,
    pub(crate) by_velocity: Vec<T>,
    pub(crate) by_effort: Vec<T>,
    pub(crate) slides: Vec<T>,
    pub(crate) stopped: Vec<bool>,
    status: StepStatus,
    inverse: InverseDynamicsDerivatives<T>,
    /// `∂r` by position, velocity and effort side by side.
    residual: Vec<T>,
    factors: Vec<T>,
    moving: Vec<usize>,
    acceleration: Vec<T>,
    frames: FrameTerms<T>,
}

impl<T: Real> StepJacobian<T> {
    /// Room for a model, and for every model of its shape and coupling.
    pub fn new(model: &Model<T>) -> Self {
        let (n, r) = (model.joints().len(), model.coupling().independent().len());
        let square = || vec![T::zero(); r * r];
        StepJacobian {
            by_position: square(),
            by_velocity: square(),
            by_effort: square(),
            slides: vec![T::zero(); r],
            stopped: vec![false; r],
            status: StepStatus::unknown(),
            inverse: InverseDynamicsDerivatives::new(model),
            residual: vec![T::zero(); 3 * r * r],
            factors: square(),
            moving: Vec::with_capacity(r),
            acceleration: vec![T::zero(); n],
            frames: FrameTerms::new(model),
        }
    }

    /// The derivatives, and the status of the step they are of ([`DynamicArm::status`]).
    pub fn read(&self) -> (StepBlocks<'_, T>, &StepStatus) {
        let StepJacobian { by_position, by_velocity, by_effort, slides, stopped, status, .. } = self;
        (StepBlocks { by_position, by_velocity, by_effort, slides, stopped }, status)
    }
}

impl<T: Real> DynamicArm<T> {
    /// Derivatives of the step that led from `before` to `after`, in closed form: by positions, velocities and efforts of the
    /// coordinates. Equal to what duals give through the same pieces.
    ///
    /// `out` and `inputs` are the step's; `ws` may have been used since. Allocates: nothing. Switches: none, the pieces
    /// are the step's.
    ///
    /// # Panics
    /// On a slice of the wrong length, and for an arm solved by sweeps: after few sweeps the answer is not on its pieces.
    ///
    /// # Derivative
    /// Exact for every scalar: over duals these are second derivatives on the pieces.
    pub fn jacobian(
        &self,
        ws: &mut StepWorkspace<T>,
        before: &State<T>,
        inputs: &Inputs<T>,
        after: &State<T>,
        out: &Outcome<T>,
        jacobian: &mut StepJacobian<T>,
    ) {
        jacobian.status = self.status(out);
        self.fill_jacobian(ws, (before, after), inputs, (&out.pieces, &out.v_turned), jacobian);
    }

    pub(crate) fn fill_jacobian(
        &self,
        ws: &mut StepWorkspace<T>,
        (before, after): (&State<T>, &State<T>),
        inputs: &Inputs<T>,
        (pieces, turned): (&[Piece], &[T]),
        jacobian: &mut StepJacobian<T>,
    ) {
        assert_eq!(self.solver(), Solver::Exact, "closed-form derivatives are those of the exact solve");
        let (model, dt) = (self.model(), self.dt());
        let coupling = model.coupling();
        let (members, r) = (coupling.members(), coupling.independent().len());
        let StepJacobian {
            by_position,
            by_velocity,
            by_effort,
            slides,
            stopped,
            inverse,
            residual,
            factors,
            moving,
            acceleration,
            frames,
            ..
        } = jacobian;
        for (a, (end, start)) in acceleration.iter_mut().zip(after.v.iter().zip(turned)) {
            *a = (*end - *start).scale(1.0 / dt);
        }
        place(model, &mut ws.dynamics, &before.q);
        place_world(model, &mut ws.dynamics);
        let loads = Loads { wrenches: inputs.wrenches, carried: inputs.carried_start };
        inverse_dynamics_derivatives_placed(model, &ws.dynamics, turned, acceleration, &loads, inverse);

        let (by_q, by_v) = if coupling.is_trivial() {
            factors.copy_from_slice(&inverse.by_acceleration);
            (&inverse.by_position, &inverse.by_velocity)
        } else {
            project_square(members, r, &inverse.by_position, by_position);
            project_square(members, r, &inverse.by_velocity, by_velocity);
            project_square(members, r, &inverse.by_acceleration, factors);
            (&*by_position, &*by_velocity)
        };
        for (i, row) in residual.chunks_exact_mut((3 * r).max(1)).enumerate() {
            let (of_q, rest) = row.split_at_mut(r);
            let (of_v, of_u) = rest.split_at_mut(r);
            let own = i * r..(i + 1) * r;
            of_q.iter_mut().zip(&by_q[own.clone()]).for_each(|(to, x)| *to = x.scale(dt));
            let turned = by_v[own.clone()].iter().zip(&factors[own]);
            of_v.iter_mut().zip(turned).for_each(|(to, (x, m))| *to = x.scale(dt) - *m);
            of_u.fill(T::zero());
            of_u[i] = -T::from_f64(dt);
        }
        if !inputs.momenta.is_empty() {
            let velocities = (&before.v[..], turned);
            frames.pass_turn(model, ws, (dt, inputs), velocities, factors, residual);
        }
        for (start, end) in inputs.carried_start.iter().zip(inputs.carried_end) {
            let change = end.tensor.to_matrix() - start.tensor.to_matrix();
            frames.add_change(model, &ws.dynamics, (start.frame, &change), &after.v, factors, residual);
        }
        for (joint, member) in model.joints().iter().zip(members) {
            let damping = joint.damping * member.multiplier * member.multiplier;
            factors[member.coordinate * (r + 1)] += damping.scale(dt);
        }

        moving.clear();
        for (coordinate, &j) in coupling.independent().iter().enumerate() {
            let piece = pieces[j];
            slides[coordinate] = piece.slides();
            stopped[coordinate] = matches!(piece, Piece::Lower | Piece::Upper);
            if !piece.held() {
                moving.push(coordinate);
            }
        }
        // What held joints take with them: −A_me dv⁺_e, and only stops move at all.
        let rate = T::from_f64(1.0 / dt);
        for (e, _) in stopped.iter().enumerate().filter(|(_, stopped)| **stopped) {
            for &i in moving.iter() {
                let entry = factors[i * r + e];
                residual[i * 3 * r + e] -= entry * rate;
            }
        }
        // Moving rows and columns together at the front: they never overtake what is still to be read.
        let (m, width) = (moving.len(), 3 * r);
        for (k, &i) in moving.iter().enumerate() {
            residual.copy_within(i * width..(i + 1) * width, k * width);
            for (l, &j) in moving.iter().enumerate() {
                factors[k * m + l] = factors[i * r + j];
            }
        }
        ldl::factor(&mut factors[..m * m], m);
        ldl::solve_rows(&factors[..m * m], m, &mut residual[..m * width], width);
        for (block, matrix) in [by_position, by_velocity, by_effort].into_iter().enumerate() {
            matrix.fill(T::zero());
            for (k, &i) in moving.iter().enumerate() {
                let from = &residual[k * width + block * r..][..r];
                matrix[i * r..(i + 1) * r].iter_mut().zip(from).for_each(|(to, x)| *to = -*x);
            }
            if block == 0 {
                (0..r).filter(|&e| stopped[e]).for_each(|e| matrix[e * (r + 1)] = -rate);
            }
        }
    }
}
