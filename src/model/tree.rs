//! The machine link by link, in the numbers that were given.

use super::Joint;
use crate::error::Result;
use crate::real::Real;
use crate::spatial::{Inertia, Matrix, Pose, Symmetric, Vector, product, vector};

/// The inertial of a link as URDF writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertial<T> {
    /// kg.
    pub mass: T,
    /// Centre of mass in the link's frame, m.
    pub center_of_mass: Vector<T>,
    /// Rotation from the inertia tensor's axes to the link's.
    pub axes: Matrix<T>,
    /// Inertia tensor about the centre of mass, kg m².
    pub tensor: Symmetric<T>,
}

impl Inertial<f64> {
    /// A body by its mass (kg), centre of mass (m) and inertia tensor `xx xy xz yy yz zz` about it (kg m²), link axes.
    pub fn new(mass: f64, center_of_mass: [f64; 3], tensor: [f64; 6]) -> Self {
        Inertial {
            mass,
            center_of_mass: center_of_mass.into(),
            axes: Matrix::identity(),
            tensor: Symmetric::from_entries(tensor),
        }
    }
}

impl<T: Real> Inertial<T> {
    /// The ten parameters about the link's origin.
    pub fn inertia(&self) -> Inertia<T> {
        Inertia::about_center(self.mass, &self.center_of_mass, &self.tensor.rotated(&self.axes))
    }

    fn map<U: Real>(&self, f: &mut impl FnMut(T) -> U) -> Inertial<U> {
        Inertial {
            mass: f(self.mass),
            center_of_mass: self.center_of_mass.map(&mut *f),
            axes: self.axes.map(&mut *f),
            tensor: self.tensor.map(f),
        }
    }
}

/// How a link is held by its parent.
#[derive(Clone, Debug)]
pub(crate) enum Mounting<T> {
    /// Welded.
    Fixed,
    /// By a joint, about or along an axis in the joint's frame; any length but zero.
    Moving { joint: Joint<T>, axis: Vector<T> },
}

/// A link with what holds it.
#[derive(Clone, Debug)]
pub(crate) struct Link<T> {
    pub name: String,
    /// Index of the parent link; the root names itself.
    pub parent: usize,
    /// The joint's frame in the parent link's.
    pub origin: Pose<T>,
    /// Turns the origin by a rotation vector, parent's axes; zero but while numbers are varied.
    pub turn: Vector<T>,
    pub mounting: Mounting<T>,
    pub inertial: Option<Inertial<T>>,
    /// Added to the inertial's, about the link's origin: where the ten linear parameters are varied.
    pub added: Inertia<T>,
    /// Moves the link's frame, in its own axes, and nothing that hangs on it: where a frame's offset is varied.
    pub offset: Vector<T>,
}

/// All links in model order, the root first, with what is common to them.
#[derive(Clone, Debug)]
pub(crate) struct Tree<T> {
    pub name: String,
    pub links: Vec<Link<T>>,
    pub free_base: bool,
    pub gravity: Vector<T>,
    pub placement: Pose<T>,
    /// Turns the placement, as a link's origin is turned.
    pub turn: Vector<T>,
}

impl<T: Real> Tree<T> {
    /// Every joint's laws are ones a joint can have.
    pub fn check_joints(&self) -> Result<()> {
        self.links.iter().try_for_each(|link| match &link.mounting {
            Mounting::Moving { joint, .. } => joint.check(),
            Mounting::Fixed => Ok(()),
        })
    }

    /// Make the turns part of what they turn.
    pub fn settle_turns(&mut self) {
        let none = vector([0.0; 3]);
        let settle = |pose: &mut Pose<T>, turn: &mut Vector<T>| {
            pose.rotation = product(&Pose::turned(turn).rotation, &pose.rotation);
            *turn = none;
        };
        settle(&mut self.placement, &mut self.turn);
        self.links.iter_mut().for_each(|link| settle(&mut link.origin, &mut link.turn));
    }

    pub fn map<U: Real>(&self, f: &mut impl FnMut(T) -> U) -> Tree<U> {
        let links = self.links.iter().map(|l| Link {
            name: l.name.clone(),
            parent: l.parent,
            origin: l.origin.map(f),
            turn: l.turn.map(&mut *f),
            mounting: match &l.mounting {
                Mounting::Fixed => Mounting::Fixed,
                Mounting::Moving { joint, axis } => {
                    Mounting::Moving { joint: joint.map(f), axis: axis.map(&mut *f) }
                }
            },
            inertial: l.inertial.as_ref().map(|i| i.map(f)),
            added: l.added.map(f),
            offset: l.offset.map(&mut *f),
        });
        Tree {
            name: self.name.clone(),
            links: links.collect(),
            free_base: self.free_base,
            gravity: self.gravity.map(&mut *f),
            placement: self.placement.map(f),
            turn: self.turn.map(f),
        }
    }
}
