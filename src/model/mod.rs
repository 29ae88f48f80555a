//! The machine: what stays constant during a run.
//!
//! A tree of bodies, each moved against its parent by a joint of one degree of freedom, under a root that is fixed in
//! the world or free. Fixed joints are merged: their links stay as frames, their masses join the body they ride on.
//!
//! | type | holds |
//! |---|---|
//! | [`Model`] | bodies, joints, frames, gravity, placement; built by [`Builder`] only |
//! | [`Joint`] | name, kind, limits, damping, friction, armature |
//! | [`Frame`] | a link of the file: the body it rides on, its pose there, its own inertia |
//! | [`Coupling`] | joints that follow others, and the coordinates that are left |
//! | [`Address`] | the dotted name of one number of the model, with its unit |
//!
//! **Model order** is depth first from the root, children in the order their joints were given; so the bodies below
//! a body are a contiguous range. Inside, every body's frame has its joint's axis along `z`: the rotation from its
//! parent is a constant times `Rz(q)`, and the joint's motion subspace is a unit vector.
//!
//! References: Featherstone 2008, chapter 4; URDF's own description of links and joints.

mod address;
mod assemble;
mod builder;
mod coupling;
mod from_description;
mod graft;
mod joint;
mod tree;

#[cfg(feature = "cli")]
pub(crate) use address::split;
pub use address::{Address, quoted};
pub use builder::{Builder, JointSpec, LinkSpec, MimicSpec};
pub use coupling::{Coupling, Mimic};
pub(crate) use coupling::{Member, project, project_columns, project_square};
pub use joint::{Joint, JointKind};
pub use tree::Inertial;

use crate::error::{Error, Result, nearest};
use crate::real::Real;
use crate::spatial::{Inertia, Pose, Vector, vector};
pub(crate) use tree::Tree;

/// Standard gravity along −z, m/s².
pub const STANDARD_GRAVITY: [f64; 3] = [0.0, 0.0, -9.80665];

/// A tree of rigid bodies, with every number in `T`.
#[derive(Clone, Debug)]
pub struct Model<T> {
    /// The numbers as given, link by link: what addresses name and seeds reach. All below is assembled from it.
    tree: Tree<T>,
    pub(crate) bodies: Vec<Body<T>>,
    joints: Vec<Joint<T>>,
    frames: Vec<Frame<T>>,
    coupling: Coupling<T>,
}

/// A body of the assembled tree. Body 0 is the root; body `j + 1` is moved by joint `j`.
#[derive(Clone, Debug)]
pub(crate) struct Body<T> {
    /// The body it moves against.
    pub parent: usize,
    /// One past the last body of its subtree.
    pub end: usize,
    /// Along its axis, not about it.
    pub slides: bool,
    /// Its frame in its parent's at `q = 0`; the axis is `z`.
    pub placement: Pose<T>,
    /// About its own origin, all merged links included.
    pub inertia: Inertia<T>,
}

/// A link of the file, as a frame of the body it rides on.
#[derive(Clone, Debug)]
pub struct Frame<T> {
    /// The link's name.
    pub name: String,
    /// The joint that moves it; none on the root.
    pub joint: Option<usize>,
    /// Its pose in the body's frame, whose `z` is the joint's axis.
    pub pose: Pose<T>,
    /// Its own inertia, about its origin, in its axes.
    pub inertia: Inertia<T>,
}

impl<T> Frame<T> {
    /// Index of the body it rides on: 0 the root, else one more than the joint.
    pub(crate) fn body(&self) -> usize {
        self.joint.map_or(0, |j| j + 1)
    }
}

impl<T: Real> Model<T> {
    /// The robot's name.
    pub fn name(&self) -> &str {
        &self.tree.name
    }

    /// The joints with a degree of freedom, in model order.
    pub fn joints(&self) -> &[Joint<T>] {
        &self.joints
    }

    /// Which joints follow others. The algorithms of [`crate::dynamics`] take every joint as free; [`crate::dynamics::coupled`]
    /// and the rungs of [`crate::step`] keep the coupling.
    pub fn coupling(&self) -> &Coupling<T> {
        &self.coupling
    }

    /// Every link of the file, in model order, the root first.
    pub fn frames(&self) -> &[Frame<T>] {
        &self.frames
    }

    /// The frame of the link that holds a frame's link, by whatever joint; none of the root.
    ///
    /// # Panics
    /// On an index that no frame has.
    pub fn parent_frame(&self, frame: usize) -> Option<usize> {
        let parent = self.tree.links[frame].parent;
        (frame > 0).then_some(parent)
    }

    /// Whether the root moves freely; then six velocity coordinates come first.
    pub fn has_free_base(&self) -> bool {
        self.tree.free_base
    }

    /// Length of a position vector: 7 for a free base (`x y z qw qx qy qz`), then one a joint.
    pub fn positions(&self) -> usize {
        self.joints.len() + if self.has_free_base() { 7 } else { 0 }
    }

    /// Length of a velocity, acceleration or effort vector: 6 for a free base, then one a joint.
    pub fn velocities(&self) -> usize {
        self.joints.len() + self.base_velocities()
    }

    /// Velocity coordinates of the base: 6 when free, else 0.
    pub(crate) fn base_velocities(&self) -> usize {
        if self.has_free_base() { 6 } else { 0 }
    }

    /// Gravity, m/s², world axes.
    pub fn gravity(&self) -> Vector<T> {
        self.tree.gravity
    }

    /// The same machine under another gravity (m/s², world axes).
    pub fn with_gravity(mut self, gravity: Vector<T>) -> Self {
        self.tree.gravity = gravity;
        self
    }

    /// Where a fixed root stands in the world.
    pub fn placement(&self) -> &Pose<T> {
        &self.tree.placement
    }

    /// The same machine with its root placed elsewhere. A free base takes its pose from the positions instead.
    pub fn with_placement(mut self, placement: Pose<T>) -> Self {
        self.tree.placement = placement;
        self
    }

    /// The same machine with its root free, or fixed in the world.
    pub fn with_free_base(mut self, free: bool) -> Self {
        self.tree.free_base = free;
        self
    }

    /// Index of a joint by name.
    ///
    /// # Errors
    /// [`Error::UnknownName`] with the nearest name.
    pub fn joint_index(&self, name: &str) -> Result<usize> {
        find(&self.tree.name, "joint", name, self.joints.iter().map(|j| j.name.as_str()))
    }

    /// Index of a frame (a link of the file) by name.
    ///
    /// # Errors
    /// [`Error::UnknownName`] with the nearest name.
    pub fn frame_index(&self, name: &str) -> Result<usize> {
        find(&self.tree.name, "frame", name, self.frames.iter().map(|f| f.name.as_str()))
    }

    /// Positions with every joint at zero and a free base where the model is placed.
    pub fn zero_positions(&self) -> Vec<T> {
        let mut q = vec![T::zero(); self.positions()];
        if self.has_free_base() {
            q[..7].copy_from_slice(&self.placement().to_row());
        }
        q
    }

    /// The same machine in another scalar: every number through `f`, then assembled by the same arithmetic.
    pub fn map<U: Real>(&self, mut f: impl FnMut(T) -> U) -> Model<U> {
        Model::assemble(self.tree.map(&mut f))
    }

    /// The mass of every link together, kg, the root's included.
    pub fn total_mass(&self) -> T {
        self.bodies.iter().fold(T::zero(), |m, b| m + b.inertia.mass)
    }
}

/// Index of a name, or the error that names the nearest one.
fn find<'a>(
    who: &str,
    what: &'static str,
    name: &str,
    mut names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize> {
    let all = names.clone();
    names.position(|n| n == name).ok_or_else(|| Error::UnknownName {
        who: who.to_owned(),
        what,
        found: name.to_owned(),
        nearest: nearest(name, all),
    })
}

impl Model<f64> {
    /// Standard gravity, for a builder.
    pub(crate) fn standard_gravity() -> Vector<f64> {
        vector(STANDARD_GRAVITY)
    }
}
