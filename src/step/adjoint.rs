//! One step backwards: from a number's derivatives by what a step left to those by what it started from.
//!
//! With `λ` the derivatives of any number `J` by the state after the step, `A`, `r` and the pieces as in `jacobian.rs`, and
//! `w` zero on held coordinates,
//!
//! ```text
//! A_mm w_m = λ_v + dt λ_q                                        moving coordinates
//! ∂J/∂v = M w − dt wᵀ ∂ID/∂v        ∂J/∂u = dt w
//! ∂J/∂q = λ_q − dt wᵀ ∂ID/∂q        on a stop: (M w − λ_v)/dt − dt wᵀ ∂ID/∂q
//! ```
//!
//! No matrix but `A_mm` is made.

use super::dynamic::{DynamicArm, Solver, mass};
use super::impulse::Piece;
use super::inputs::Inputs;
use super::jacobian::StepJacobian;
use super::state::State;
use super::workspace::StepWorkspace;
use crate::dynamics::{Loads, VirtualPower, assert_len, ldl, place, place_world, virtual_power_placed};
use crate::model::Model;
use crate::real::Real;

/// Derivatives of one number by a state and by efforts, one entry a coordinate (a joint that follows none); and scratch.
#[derive(Clone, Debug)]
pub struct StepAdjoint<T> {
    /// `∂J/∂q`: of the state after the step before the call, of the state before the step after it.
    pub by_position: Vec<T>,
    /// `∂J/∂v`, likewise.
    pub by_velocity: Vec<T>,
    /// `∂J/∂u` of the step's efforts on the coordinates; written.
    pub by_effort: Vec<T>,
    /// `∂J/∂μ` of the step's Coulomb friction on the coordinates; written. Zero but where one slides.
    pub by_friction: Vec<T>,
    power: VirtualPower<T>,
    whole: Vec<T>,
    system: Vec<T>,
    factors: Vec<T>,
    moving: Vec<usize>,
    part: Vec<T>,
    acceleration: Vec<T>,
    virtual_velocity: Vec<T>,
    product: Vec<T>,
    /// For steps with spin momenta or changing inertia, whose products are taken through the matrices.
    matrices: StepJacobian<T>,
}

impl<T: Real> StepAdjoint<T> {
    /// Room for a model, and for every model of its shape and coupling.
    pub fn new(model: &Model<T>) -> Self {
        let (n, r) = (model.joints().len(), model.coupling().independent().len());
        let (row, each) = (|| vec![T::zero(); r], || vec![T::zero(); n]);
        StepAdjoint {
            by_position: row(),
            by_velocity: row(),
            by_effort: row(),
            by_friction: row(),
            power: VirtualPower::new(model),
            whole: vec![T::zero(); if r < n { n * n } else { 0 }],
            system: vec![T::zero(); r * r],
            factors: vec![T::zero(); r * r],
            moving: Vec::with_capacity(r),
            part: row(),
            acceleration: each(),
            virtual_velocity: each(),
            product: row(),
            matrices: StepJacobian::new(model),
        }
    }
}

impl<T: Real> DynamicArm<T> {
    /// Takes derivatives of a number back through the step that led from `before` to `after`, in closed form: what
    /// [`DynamicArm::jacobian`] would give, transposed and multiplied, at a fraction of the cost.
    ///
    /// `pieces` and `turned` are the step's, `Outcome::pieces` and `Outcome::v_turned`; `ws` may have been used since.
    /// Allocates: nothing. Switches: none, the pieces are the step's.
    ///
    /// # Panics
    /// On a slice of the wrong length, and for an arm solved by sweeps: after few sweeps the answer is not on its pieces.
    ///
    /// # Derivative
    /// Exact for every scalar.
    pub fn pull_back(
        &self,
        ws: &mut StepWorkspace<T>,
        (before, after): (&State<T>, &State<T>),
        inputs: &Inputs<T>,
        (pieces, turned): (&[Piece], &[T]),
        adjoint: &mut StepAdjoint<T>,
    ) {
        assert_eq!(self.solver(), Solver::Exact, "closed-form derivatives are those of the exact solve");
        assert_len!(pieces, self.model().joints().len(), "pieces");
        assert_len!(turned, self.model().joints().len(), "turned");
        if inputs.momenta.is_empty() && inputs.carried_end.is_empty() {
            self.pull_back_plain(ws, (before, after), inputs, (pieces, turned), adjoint);
        } else {
            self.pull_back_through_matrices(ws, (before, after), inputs, (pieces, turned), adjoint);
        }
        let each = adjoint.by_friction.iter_mut().zip(&adjoint.by_effort);
        for ((by_friction, by_effort), &j) in each.zip(self.model().coupling().independent()) {
            *by_friction = -(pieces[j].slides::<T>() * *by_effort);
        }
    }

    fn pull_back_plain(
        &self,
        ws: &mut StepWorkspace<T>,
        (before, after): (&State<T>, &State<T>),
        inputs: &Inputs<T>,
        (pieces, turned): (&[Piece], &[T]),
        adjoint: &mut StepAdjoint<T>,
    ) {
        let (model, dt) = (self.model(), self.dt());
        let coupling = model.coupling();
        let r = coupling.independent().len();
        let StepAdjoint { by_position, by_velocity, by_effort, power, system, factors, .. } = adjoint;
        let (moving, part, product) = (&mut adjoint.moving, &mut adjoint.part, &mut adjoint.product);
        let (acceleration, virtual_velocity) = (&mut adjoint.acceleration, &mut adjoint.virtual_velocity);

        place(model, &mut ws.dynamics, &before.q);
        place_world(model, &mut ws.dynamics);
        mass(model, &mut ws.dynamics, inputs.carried_start, &mut adjoint.whole, system);
        for (joint, member) in model.joints().iter().zip(coupling.members()) {
            let damping = joint.damping * member.multiplier * member.multiplier;
            system[member.coordinate * (r + 1)] += damping.scale(dt);
        }
        moving.clear();
        moving.extend((0..r).filter(|&c| !pieces[coupling.independent()[c]].held()));
        let m = moving.len();
        for (k, &i) in moving.iter().enumerate() {
            part[k] = by_velocity[i] + by_position[i].scale(dt);
            let row = &system[i * r..(i + 1) * r];
            factors[k * m..(k + 1) * m].iter_mut().zip(moving.iter()).for_each(|(to, &j)| *to = row[j]);
        }
        ldl::factor(&mut factors[..m * m], m);
        ldl::solve(&factors[..m * m], m, &mut part[..m]);
        by_effort.fill(T::zero());
        moving.iter().zip(part.iter()).for_each(|(&i, w)| by_effort[i] = *w);

        coupling.scatter(by_effort, virtual_velocity);
        for (a, (end, start)) in acceleration.iter_mut().zip(after.v.iter().zip(turned)) {
            *a = (*end - *start).scale(1.0 / dt);
        }
        let loads = Loads { wrenches: inputs.wrenches, carried: inputs.carried_start };
        let motion = (turned, &acceleration[..]);
        virtual_power_placed(model, &ws.dynamics, motion, virtual_velocity, &model.gravity(), &loads, power);

        coupling.project(&power.by_acceleration, part);
        for (c, &j) in coupling.independent().iter().enumerate() {
            if pieces[j].stops() {
                by_position[c] = (part[c] - by_velocity[c]).scale(1.0 / dt);
            }
        }
        coupling.project(&power.by_position, product);
        by_position.iter_mut().zip(product.iter()).for_each(|(x, y)| *x -= y.scale(dt));
        coupling.project(&power.by_velocity, product);
        for (c, x) in by_velocity.iter_mut().enumerate() {
            *x = part[c] - product[c].scale(dt);
        }
        by_effort.iter_mut().for_each(|x| *x = x.scale(dt));
    }

    fn pull_back_through_matrices(
        &self,
        ws: &mut StepWorkspace<T>,
        (before, after): (&State<T>, &State<T>),
        inputs: &Inputs<T>,
        (pieces, turned): (&[Piece], &[T]),
        adjoint: &mut StepAdjoint<T>,
    ) {
        let (dt, r) = (self.dt(), adjoint.by_position.len());
        let StepAdjoint { by_position, by_velocity, by_effort, part, matrices, .. } = adjoint;
        self.fill_jacobian(ws, (before, after), inputs, (pieces, turned), matrices);
        for c in 0..r {
            let stopped = matrices.stopped[c];
            part[c] = if stopped { by_velocity[c] } else { by_velocity[c] + by_position[c].scale(dt) };
            if stopped {
                by_position[c] = T::zero();
            }
        }
        by_velocity.fill(T::zero());
        by_effort.fill(T::zero());
        for (c, w) in part.iter().enumerate() {
            let row = c * r..(c + 1) * r;
            crate::dynamics::rows::add_scaled(by_position, &matrices.by_position[row.clone()], *w);
            crate::dynamics::rows::add_scaled(by_velocity, &matrices.by_velocity[row.clone()], *w);
            crate::dynamics::rows::add_scaled(by_effort, &matrices.by_effort[row], *w);
        }
    }
}
