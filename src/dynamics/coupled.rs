//! The dynamics of a machine whose joints follow others, on its independent coordinates.
//!
//! ```text
//! q = J y + o      v = J ẏ      M_y = Jᵀ M J      τ_y = Jᵀ τ      M_y ÿ + Jᵀ b(q, v) = τ_y
//! ```
//!
//! Same names as in [`crate::dynamics`]; positions, velocities, accelerations and efforts are those of the base and of
//! the joints that follow none ([`Coupling::independent`](crate::model::Coupling::independent)), in model order. For a
//! model without followers they are the same functions. Frames are those at [`Workspace::expand`].
//!
//! | symbol | argument | unit | length |
//! |---|---|---|---|
//! | `y, ẏ, ÿ` | `q`, `v`, `a` | rad, rad/s, rad/s²; m, m/s, m/s² | base and independent joints |
//! | `τ_y` | `tau`, `out` | N m; N | [`independent`] |
//! | `M_y` | `out` | kg m², kg m, kg | [`independent`]² |
//!
//! None of them allocates or evaluates a switch, and each is exact for every scalar.

use super::{Carried, Loads, assert_len, ldl};
use crate::model::{Member, Model, project, project_columns, project_square};
use crate::real::Real;

/// Scratch: the vectors of all joints, and what the algorithms on them need.
#[derive(Clone, Debug)]
pub struct Workspace<T> {
    /// For the algorithms on all joints.
    pub dynamics: super::Workspace<T>,
    /// How every velocity coordinate follows, the base's from themselves: the model's of the call.
    members: Vec<Member<T>>,
    q: Vec<T>,
    v: Vec<T>,
    a: Vec<T>,
    matrix: Vec<T>,
    reduced: Vec<T>,
}

impl<T: Real> Workspace<T> {
    /// A workspace for a model, and for every model of the same shape and coupling.
    pub fn new(model: &Model<T>) -> Self {
        let n = model.velocities();
        let own = |coordinate| Member { coordinate, multiplier: T::one(), offset: T::zero() };
        let row = || vec![T::zero(); n];
        let independent = independent(model);
        Workspace {
            dynamics: super::Workspace::new(model),
            members: (0..n).map(own).collect(),
            q: vec![T::zero(); model.positions()],
            v: row(),
            a: row(),
            matrix: vec![T::zero(); n * n.max(6)],
            reduced: vec![T::zero(); independent * independent],
        }
    }

    /// Positions and velocities of the base and of every joint, from independent ones.
    ///
    /// # Panics
    /// On a slice of the wrong length.
    pub fn expand(&mut self, model: &Model<T>, q: &[T], v: &[T]) -> (&[T], &[T]) {
        self.place(model, q);
        move_with(&self.members, v, &mut self.v);
        (&self.q, &self.v)
    }

    fn place(&mut self, model: &Model<T>, q: &[T]) {
        let (base, moving) = (model.positions() - model.joints().len(), model.base_velocities());
        for (own, member) in self.members[moving..].iter_mut().zip(model.coupling().members()) {
            *own = Member { coordinate: moving + member.coordinate, ..*member };
        }
        assert_len!(q, base + model.coupling().independent().len(), "q: base and independent joints");
        self.q[..base].copy_from_slice(&q[..base]);
        for (to, member) in self.q[base..].iter_mut().zip(model.coupling().members()) {
            *to = member.multiplier.mul_add(q[base + member.coordinate], member.offset);
        }
    }
}

fn move_with<T: Real>(members: &[Member<T>], y: &[T], x: &mut [T]) {
    for (to, member) in x.iter_mut().zip(members) {
        *to = member.multiplier * y[member.coordinate];
    }
}

/// Length of a vector of independent velocities: 6 for a free base, then one for each joint that follows none.
pub fn independent<T: Real>(model: &Model<T>) -> usize {
    model.base_velocities() + model.coupling().independent().len()
}

/// `M_y = Jᵀ M J`, row by row: see [`super::mass_matrix`].
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
pub fn mass_matrix<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    carried: &[Carried<T>],
    out: &mut [T],
) {
    let (n, width) = (model.velocities(), independent(model));
    assert_len!(out, width * width, "out: the square of the independent velocities");
    ws.place(model, q);
    super::mass_matrix(model, &mut ws.dynamics, &ws.q, carried, &mut ws.matrix[..n * n]);
    project_square(&ws.members, width, &ws.matrix[..n * n], out);
}

/// `Jᵀ b(q, v)`: see [`super::bias`].
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
pub fn bias<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    loads: &Loads<'_, T>,
    out: &mut [T],
) {
    assert_len!(v, independent(model), "v: independent velocities");
    assert_len!(out, independent(model), "out: independent velocities");
    ws.expand(model, q, v);
    super::bias(model, &mut ws.dynamics, &ws.q, &ws.v, loads, &mut ws.a);
    project(&ws.members, &ws.a, out);
}

/// `M_y ÿ + Jᵀ b`: the efforts on the independent coordinates that produce their accelerations. See
/// [`super::inverse_dynamics`].
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
pub fn inverse_dynamics<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    a: &[T],
    loads: &Loads<'_, T>,
    out: &mut [T],
) {
    let width = independent(model);
    assert_len!(v, width, "v: independent velocities");
    assert_len!(a, width, "a: independent accelerations");
    assert_len!(out, width, "out: independent velocities");
    ws.expand(model, q, v);
    move_with(&ws.members, a, &mut ws.a);
    let n = model.velocities();
    let efforts = &mut ws.matrix[..n];
    super::inverse_dynamics(model, &mut ws.dynamics, &ws.q, &ws.v, &ws.a, loads, efforts);
    project(&ws.members, efforts, out);
}

/// `M_y⁻¹ (τ_y − Jᵀ b)`: see [`super::forward_dynamics`], which it is where no joint follows another.
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
pub fn forward_dynamics<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    v: &[T],
    tau: &[T],
    loads: &Loads<'_, T>,
    out: &mut [T],
) {
    let width = independent(model);
    assert_len!(tau, width, "tau: efforts on the independent coordinates");
    if model.coupling().is_trivial() {
        super::forward_dynamics(model, &mut ws.dynamics, q, v, tau, loads, out);
        return;
    }
    bias(model, ws, q, v, loads, out);
    out.iter_mut().zip(tau).for_each(|(x, tau)| *x = *tau - *x);
    let n = model.velocities();
    super::mass_matrix(model, &mut ws.dynamics, &ws.q, loads.carried, &mut ws.matrix[..n * n]);
    project_square(&ws.members, width, &ws.matrix[..n * n], &mut ws.reduced);
    ldl::factor(&mut ws.reduced, width);
    ldl::solve(&ws.reduced, width, out);
}

/// Jacobian of a frame on the independent coordinates, `6 × independent`, row by row: see [`super::frame_jacobian`].
///
/// # Panics
/// On a slice of the wrong length or an unknown frame.
pub fn frame_jacobian<T: Real>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    q: &[T],
    frame: usize,
    out: &mut [T],
) {
    let (n, width) = (model.velocities(), independent(model));
    assert_len!(out, 6 * width, "out: 6 × independent velocities");
    ws.place(model, q);
    super::frame_jacobian(model, &mut ws.dynamics, &ws.q, frame, &mut ws.matrix[..6 * n]);
    project_columns(&ws.members, width, &ws.matrix[..6 * n], out);
}
