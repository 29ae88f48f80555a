//! Everything the algorithms can recompute, allocated once.

use super::crba::Block;
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Inertia, Matrix, Pose, Symmetric, Vector, vector};

/// Scratch of the algorithms for models of one size: make one per thread and reuse it.
///
/// Its contents are undefined between calls; nothing is carried from one call to the next.
#[derive(Clone, Debug)]
pub struct Workspace<T> {
    // Depends on positions.
    /// Every body's frame in its parent's; the root's in the world.
    pub(crate) local: Vec<Pose<T>>,
    /// Every body's rotation to world axes, and its origin relative to the root's, world axes.
    pub(crate) world: Vec<Pose<T>>,
    /// Composite inertia of each subtree about its own origin, world axes.
    pub(crate) composite: Vec<Inertia<T>>,
    /// Articulated inertia of each subtree about its own origin, world axes.
    pub(crate) articulated: Vec<Articulated<T>>,
    /// Momentum of each joint's subtree for a unit velocity of it, about the root's origin: moment x, y, z, force x, y,
    /// z, a block of joints at a time.
    pub(crate) momentum: Vec<[Block<T>; 6]>,

    // Depends on velocities and accelerations.
    /// Every body's angular velocity and the linear velocity of its origin, world axes.
    pub(crate) twist: Vec<(Vector<T>, Vector<T>)>,
    /// Every body's motion in its own axes.
    pub(crate) motions: Vec<BodyMotion<T>>,
    /// Force and moment on each body about its own origin; axes as the algorithm says.
    pub(crate) wrench: Vec<(Vector<T>, Vector<T>)>,

    /// Articulated solve: what the joint's own inertia does not explain.
    pub(crate) drive: Vec<T>,
}

/// Motion of a body in its own axes: what Newton and Euler need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyMotion<T> {
    /// `ω`.
    pub angular: Vector<T>,
    /// `ω̇`.
    pub angular_rate: Vector<T>,
    /// `[ω̇]× + [ω]×²`: acceleration of a point by its position.
    pub rate: Matrix<T>,
    /// Acceleration of the origin less gravity.
    pub acceleration: Vector<T>,
}

/// Inertia of a subtree whose joints are free to give: `n = A ω̇ + B a`, `f = Bᵀ ω̇ + C a`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Articulated<T> {
    pub a: Symmetric<T>,
    pub b: Matrix<T>,
    pub c: Symmetric<T>,
    /// Moment and force for a unit acceleration of the joint.
    pub unit: (Vector<T>, Vector<T>),
    /// One over the joint's inertia with everything below it free.
    pub inverse: T,
}

impl<T: Real> Workspace<T> {
    /// A workspace for a model, and for every model with as many joints and the same base.
    pub fn new(model: &Model<T>) -> Self {
        let (bodies, n, zero) = (model.bodies.len(), model.joints().len(), vector([0.0; 3]));
        let articulated = Articulated {
            a: Symmetric::zero(),
            b: Matrix::zeros(),
            c: Symmetric::zero(),
            unit: (zero, zero),
            inverse: T::zero(),
        };
        let still =
            BodyMotion { angular: zero, angular_rate: zero, rate: Matrix::zeros(), acceleration: zero };
        Workspace {
            local: vec![Pose::identity(); bodies],
            world: vec![Pose::identity(); bodies],
            composite: vec![Inertia::zero(); bodies],
            articulated: vec![articulated; bodies],
            momentum: Block::sixes(n),
            twist: vec![(zero, zero); bodies],
            motions: vec![still; bodies],
            wrench: vec![(zero, zero); bodies],
            drive: vec![T::zero(); n],
        }
    }

    /// The workspace fits the model.
    pub(crate) fn assert_fits(&self, model: &Model<T>) {
        assert_eq!(self.local.len(), model.bodies.len(), "workspace made for a model with as many bodies");
    }
}
