//! What spin momenta and changing inertias on frames add to the derivatives of a step.

use super::inputs::{Inputs, SpinMomentum};
use super::spin::{eliminate, gyroscopic};
use super::workspace::StepWorkspace;
use crate::dynamics::{InverseDynamicsDerivatives, Loads, Workspace, axis, motion_from_rest};
use crate::model::{Model, project_square};
use crate::real::Real;
use crate::spatial::{Matrix, Vector, cross, dot, mul, scaled, skew, vector};

/// Scratch.
#[derive(Clone, Debug)]
pub(super) struct FrameTerms<T> {
    inverse: InverseDynamicsDerivatives<T>,
    still: Vec<T>,
    change: Vec<T>,
    sum: Vec<T>,
    /// One row and column a joint.
    whole: Vec<T>,
    /// The same by coordinate.
    part: Vec<T>,
    left: Vec<T>,
    /// `∂v′` by position and velocity, side by side.
    turned: Vec<T>,
    product: Vec<T>,
    /// Axes of the hinges from the root to a frame, with the angular velocity of what each moves.
    path: Vec<(usize, Vector<T>, Vector<T>)>,
}

impl<T: Real> FrameTerms<T> {
    pub fn new(model: &Model<T>) -> Self {
        let (n, r) = (model.joints().len(), model.coupling().independent().len());
        let row = || vec![T::zero(); n];
        FrameTerms {
            inverse: InverseDynamicsDerivatives::new(model),
            still: row(),
            change: row(),
            sum: row(),
            whole: vec![T::zero(); n * n],
            part: vec![T::zero(); r * r],
            left: vec![T::zero(); r * r],
            turned: vec![T::zero(); 2 * r * r],
            product: vec![T::zero(); 2 * r],
            path: Vec::with_capacity(n),
        }
    }

    /// `∂(Sᵀ L S x)/∂q` of one frame into `whole`, `L` fixed in world axes: with `w = S x` of the frame and `ω_i` of the body
    /// that joint `i` moves, `a_jᵀ L (a_i × (w − ω_i))`, and `(a_i × a_j)ᵀ L w` for `i` above `j`.
    fn turn_frame(&mut self, model: &Model<T>, ws: &Workspace<T>, frame: usize, l: &Matrix<T>, x: &[T]) {
        self.path.clear();
        let mut body = model.frames()[frame].body();
        while body > 0 {
            if !model.bodies[body].slides {
                self.path.push((body - 1, axis(&ws.world[body]), vector([0.0; 3])));
            }
            body = model.bodies[body].parent;
        }
        self.path.reverse();
        let mut w = vector([0.0; 3]);
        for (j, a, moved) in &mut self.path {
            w += scaled(a, x[*j]);
            *moved = w;
        }
        let (n, lw) = (model.joints().len(), mul(l, &w));
        for (above, (i, a_i, w_i)) in self.path.iter().enumerate() {
            let turned = mul(l, &cross(a_i, &(w - w_i)));
            for (below, (j, a_j, _)) in self.path.iter().enumerate() {
                let entry = &mut self.whole[j * n + i];
                *entry += dot(a_j, &turned);
                if above < below {
                    *entry += dot(&cross(a_i, a_j), &lw);
                }
            }
        }
    }

    /// Passes the gyroscopic turn `L v′ = (2 Ms − L) v`, `L = Ms − ½dt G`, through the residual's blocks by position and by
    /// velocity, which hold the latter by `v′`: `∂v′/∂v = L⁻¹ (Ms + ½dt G)` and
    /// `∂v′/∂q = −L⁻¹ (∂(Ms x)/∂q − ½dt ∂(G s)/∂q)` at `x = v′ − v`, `s = v′ + v`.
    pub fn pass_turn(
        &mut self,
        model: &Model<T>,
        ws: &mut StepWorkspace<T>,
        (dt, inputs): (f64, &Inputs<'_, T>),
        (v, turned): (&[T], &[T]),
        mass: &[T],
        residual: &mut [T],
    ) {
        let (members, r) = (model.coupling().members(), model.coupling().independent().len());
        for (j, (v, turned)) in v.iter().zip(turned).enumerate() {
            self.change[j] = *turned - *v;
            self.sum[j] = *turned + *v;
        }
        let loads = Loads { wrenches: &[], carried: inputs.carried_start };
        let FrameTerms { inverse, still, change, .. } = self;
        motion_from_rest(model, &ws.dynamics, still, change, &loads, inverse);
        self.whole.fill(T::zero());
        for SpinMomentum { frame, value } in inputs.momenta {
            let sum = std::mem::take(&mut self.sum);
            self.turn_frame(model, &ws.dynamics, *frame, &skew(value), &sum);
            self.sum = sum;
        }
        for (by_position, gyroscopic) in self.inverse.by_position.iter().zip(&mut self.whole) {
            *gyroscopic = *by_position - gyroscopic.scale(0.5 * dt);
        }
        project_square(members, r, &self.whole, &mut self.part);
        gyroscopic(model, ws, inputs.momenta);
        for i in 0..r {
            for j in 0..r {
                let (m, g) = (mass[i * r + j], ws.gyroscopic[i * r + j].scale(0.5 * dt));
                self.left[i * r + j] = m - g;
                self.turned[i * 2 * r + j] = -self.part[i * r + j];
                self.turned[i * 2 * r + r + j] = m + g;
            }
        }
        eliminate(&mut self.left, r, &mut self.turned, 2 * r);
        for row in residual.chunks_exact_mut((3 * r).max(1)) {
            self.product.fill(T::zero());
            for (k, turned) in self.turned.chunks_exact(2 * r).enumerate() {
                crate::dynamics::rows::add_scaled(&mut self.product, turned, row[r + k]);
            }
            let (by_position, by_velocity) = self.product.split_at(r);
            row.iter_mut().zip(by_position).for_each(|(x, y)| *x += *y);
            row[r..2 * r].copy_from_slice(by_velocity);
        }
    }

    /// An inertia that changes by `change` over the step: `Sᵀ change S` into the end's mass matrix, and what that makes of
    /// `v⁺` by position into the residual.
    pub fn add_change(
        &mut self,
        model: &Model<T>,
        ws: &Workspace<T>,
        (frame, change): (usize, &Matrix<T>),
        v: &[T],
        mass: &mut [T],
        residual: &mut [T],
    ) {
        let (members, r, n) =
            (model.coupling().members(), model.coupling().independent().len(), model.joints().len());
        self.whole.fill(T::zero());
        self.turn_frame(model, ws, frame, change, v);
        project_square(members, r, &self.whole, &mut self.part);
        for (row, part) in residual.chunks_exact_mut((3 * r).max(1)).zip(self.part.chunks_exact(r.max(1))) {
            row.iter_mut().zip(part).for_each(|(x, y)| *x += *y);
        }
        self.whole.fill(T::zero());
        for (i, a_i, _) in &self.path {
            let turned = mul(change, a_i);
            for (j, a_j, _) in &self.path {
                self.whole[j * n + i] = dot(a_j, &turned);
            }
        }
        project_square(members, r, &self.whole, &mut self.part);
        mass.iter_mut().zip(&self.part).for_each(|(m, x)| *m += *x);
    }
}
