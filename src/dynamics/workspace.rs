//! Everything the algorithms can recompute, allocated once.

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
    /// Joint columns: motion of the root's origin for a unit joint velocity, by component.
    pub(crate) motion: Columns<T>,
    /// Joint columns: momentum about the root's origin of the subtree for a unit joint velocity, by component.
    pub(crate) momentum: Columns<T>,

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

/// Six-vectors of all joints, one array a component: rows of the mass matrix are sums over contiguous data.
#[derive(Clone, Debug)]
pub(crate) struct Columns<T> {
    /// Angular (or moment) x, y, z, then linear (or force) x, y, z.
    pub rows: [Vec<T>; 6],
}

impl<T: Real> Columns<T> {
    fn new(n: usize) -> Self {
        Columns { rows: std::array::from_fn(|_| vec![T::zero(); n]) }
    }

    #[inline(always)]
    pub fn set(&mut self, j: usize, angular: &Vector<T>, linear: &Vector<T>) {
        for k in 0..3 {
            self.rows[k][j] = angular[k];
            self.rows[k + 3][j] = linear[k];
        }
    }

    #[inline(always)]
    pub fn get(&self, j: usize) -> (Vector<T>, Vector<T>) {
        let r = &self.rows;
        (Vector::new(r[0][j], r[1][j], r[2][j]), Vector::new(r[3][j], r[4][j], r[5][j]))
    }
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
            motion: Columns::new(n),
            momentum: Columns::new(n),
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
