//! From links to bodies: merging what is welded, and turning every body's frame so that its axis is `z`.

use super::tree::{Mounting, Tree};
use super::{Body, Coupling, Frame, Model};
use crate::real::Real;
use crate::spatial::{Inertia, Matrix, Pose, Vector, dot, scaled, vector};
use crate::switch;

impl<T: Real> Model<T> {
    /// Assemble the bodies of a tree that is already checked.
    ///
    /// # Derivative
    /// Exact by every number of the tree: each enters through arithmetic alone.
    pub(crate) fn assemble(mut tree: Tree<T>) -> Self {
        tree.settle_turns();
        let root =
            Body { parent: 0, end: 1, slides: false, placement: Pose::identity(), inertia: Inertia::zero() };
        let mut bodies = vec![root];
        let mut joints = Vec::new();
        let mut frames: Vec<Frame<T>> = Vec::with_capacity(tree.links.len());
        for (i, link) in tree.links.iter().enumerate() {
            let above = (i > 0).then(|| &frames[link.parent]);
            let held = above.map_or(Pose::identity(), |f| f.pose.then(&link.origin));
            let parent = above.map_or(0, Frame::body);
            let (joint, pose) = match &link.mounting {
                Mounting::Fixed => (above.and_then(|f| f.joint), held),
                Mounting::Moving { joint, axis } => {
                    let turn = rotation_with_z_along(axis);
                    let placement = held.then(&Pose { rotation: turn, position: vector([0.0; 3]) });
                    let slides = joint.kind.slides();
                    bodies.push(Body { parent, end: 0, slides, placement, inertia: Inertia::zero() });
                    joints.push(joint.clone());
                    (Some(joints.len() - 1), Pose { rotation: turn.transpose(), position: vector([0.0; 3]) })
                }
            };
            let inertia = link.inertial.as_ref().map_or_else(Inertia::zero, |l| l.inertia()) + link.added;
            let frame = Frame { name: link.name.clone(), joint, pose, inertia };
            bodies[frame.body()].inertia += inertia.placed(&pose);
            frames.push(frame);
        }
        for (frame, link) in frames.iter_mut().zip(&tree.links) {
            frame.pose.position = frame.pose.point(&link.offset);
        }
        let count = bodies.len();
        for i in (0..count).rev() {
            let end = (i + 1..count).find(|&k| bodies[k].parent < i).unwrap_or(count);
            bodies[i].end = end;
        }
        let coupling = Coupling::of(&joints);
        Model { tree, bodies, joints, frames, coupling }
    }

    pub(crate) fn tree(&self) -> &Tree<T> {
        &self.tree
    }
}

/// A rotation whose third column is `a/|a|` (Duff et al. 2017); the identity for the `z` axis itself.
///
/// Which of the two formulas is used only turns the body's frame about the axis: no result depends on it.
fn rotation_with_z_along<T: Real>(axis: &Vector<T>) -> Matrix<T> {
    let a = scaled(axis, dot(axis, axis).sqrt().recip());
    let sign = if switch::is_negative(a.z) { -1.0 } else { 1.0 };
    let one = T::one();
    let k = -(a.z + T::from_f64(sign)).recip();
    let b = a.x * a.y * k;
    let first = Vector::new(one + (a.x * a.x * k).scale(sign), b.scale(sign), (-a.x).scale(sign));
    let second = Vector::new(b, T::from_f64(sign) + a.y * a.y * k, -a.y);
    Matrix::from_columns(&[first, second, a])
}
