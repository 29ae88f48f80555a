//! Other machines from one: a body welded onto a link, joints with other laws.

use super::tree::{Link, Mounting};
use super::{Inertial, Joint, Model};
use crate::error::{Error, Result};
use crate::real::Real;
use crate::spatial::{Inertia, Pose, vector};

impl<T: Real> Model<T> {
    /// The machine with one more link, welded to `frame` at `pose`: it rides on that frame's body, is a frame of its
    /// own, and its inertial joins the body's; the link's own inertial is untouched.
    ///
    /// # Errors
    /// [`Error::UnknownName`] for the frame; [`Error::Value`] for a name that is taken or an inertial that is not finite.
    pub fn graft(
        &self,
        frame: &str,
        name: &str,
        pose: Pose<T>,
        inertial: Option<Inertial<T>>,
    ) -> Result<Self> {
        let parent = self.frame_index(frame)?;
        if self.frames().iter().any(|f| f.name == name) {
            return Err(Error::value(name, "a name that a link already has", "a name of its own"));
        }
        if let Some(i) = &inertial {
            let numbers = i.center_of_mass.iter().chain(&i.axes).copied().chain(i.tensor.entries());
            if !(i.mass.primal() >= 0.0 && i.mass.all_finite() && numbers.into_iter().all(|x| x.all_finite()))
            {
                return Err(Error::value(
                    name,
                    "an inertial no body has",
                    "finite numbers, and a mass of zero or more",
                ));
            }
        }
        let mut tree = self.tree().clone();
        let link = Link {
            name: name.to_owned(),
            parent,
            origin: pose,
            turn: vector([0.0; 3]),
            mounting: Mounting::Fixed,
            inertial,
            added: Inertia::zero(),
            offset: vector([0.0; 3]),
        };
        // Last, so that every index and every sum of the machine without it stays as it was.
        tree.links.push(link);
        Ok(Model::assemble(tree))
    }

    /// The machine with its joints' limits, damping, friction or armature changed by `change(index, joint)`; its name,
    /// kind and what it follows stay.
    ///
    /// # Errors
    /// [`Error::Value`] for a law no joint has: a negative or not finite damping, friction or armature, a lower limit
    /// above the upper one.
    pub fn with_joints(&self, mut change: impl FnMut(usize, &mut Joint<T>)) -> Result<Self> {
        let mut tree = self.tree().clone();
        for (j, joint) in tree.joints_mut().enumerate() {
            let (name, kind, mimic) = (joint.name.clone(), joint.kind, joint.mimic);
            change(j, joint);
            (joint.name, joint.kind, joint.mimic) = (name, kind, mimic);
            joint.check()?;
        }
        Ok(Model::assemble(tree))
    }
}
