//! The only way to a [`Model`].

use super::tree::{Link, Mounting, Tree};
use super::{Inertial, Joint, JointKind, Mimic, Model};
use crate::description::mimic::{Follower, broken};
use crate::error::{Error, Result};
use crate::input::limits::MOVING_JOINTS;
use crate::spatial::{Inertia, Pose, Symmetric, Vector, vector};
use std::collections::HashMap;

/// What a builder needs of a link.
#[derive(Clone, Debug)]
pub struct LinkSpec {
    /// Its name, unique among links.
    pub name: String,
    /// Its mass and inertia; none: massless.
    pub inertial: Option<Inertial<f64>>,
}

/// That a joint follows another: position = `multiplier` × position of `joint` + `offset`.
#[derive(Clone, Debug)]
pub struct MimicSpec {
    /// The joint followed, which may follow another.
    pub joint: String,
    /// Not zero.
    pub multiplier: f64,
    /// rad; m.
    pub offset: f64,
}

/// What a builder needs of a joint. `..JointSpec::default()` fills in what is not given: the `x` axis as in URDF, no
/// limits, damping, friction or armature.
#[derive(Clone, Debug)]
pub struct JointSpec {
    /// Its name, unique among joints.
    pub name: String,
    /// How it moves; none: fixed.
    pub kind: Option<JointKind>,
    /// The link it moves against.
    pub parent: String,
    /// The link it moves.
    pub child: String,
    /// The joint's frame in the parent link's.
    pub origin: Pose<f64>,
    /// Its axis in its own frame, any length but zero.
    pub axis: [f64; 3],
    /// Its lower stop, rad or m.
    pub lower: Option<f64>,
    /// Its upper stop, rad or m.
    pub upper: Option<f64>,
    /// Its effort limit, N m or N.
    pub effort_limit: Option<f64>,
    /// Its speed limit, rad/s or m/s.
    pub speed_limit: Option<f64>,
    /// Its viscous damping, N m s/rad or N s/m.
    pub damping: f64,
    /// Its Coulomb friction, N m or N; 0: none.
    pub friction: f64,
    /// Its armature, kg m² or kg.
    pub armature: f64,
    /// What it follows; none: it moves by itself.
    pub mimic: Option<MimicSpec>,
}

impl Default for JointSpec {
    fn default() -> Self {
        JointSpec {
            name: String::new(),
            kind: None,
            parent: String::new(),
            child: String::new(),
            origin: Pose::identity(),
            axis: [1.0, 0.0, 0.0],
            lower: None,
            upper: None,
            effort_limit: None,
            speed_limit: None,
            damping: 0.0,
            friction: 0.0,
            armature: 0.0,
            mimic: None,
        }
    }
}

/// Collects links and joints, checks them, and assembles the model.
///
/// ```
/// use articula::model::{Builder, Inertial, JointKind, JointSpec};
/// let mut arm = Builder::new("pendulum");
/// arm.link("world", None);
/// arm.link("rod", Some(Inertial::new(1.0, [0.0, 0.0, -0.5], [0.0; 6])));
/// arm.joint(JointSpec {
///     name: "hinge".into(),
///     kind: Some(JointKind::Revolute),
///     parent: "world".into(),
///     child: "rod".into(),
///     axis: [0.0, 1.0, 0.0],
///     friction: 0.1,
///     ..JointSpec::default()
/// });
/// let model = arm.build()?;
/// assert_eq!(model.joints()[0].name, "hinge");
/// # Ok::<(), articula::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    name: String,
    links: Vec<LinkSpec>,
    joints: Vec<JointSpec>,
    /// Masses and inertias that no body has were answered for.
    answered: bool,
}

impl Builder {
    /// A machine of this name, without links.
    pub fn new(name: &str) -> Self {
        Builder { name: name.to_owned(), links: Vec::new(), joints: Vec::new(), answered: false }
    }

    /// Add a link.
    pub fn link(&mut self, name: &str, inertial: Option<Inertial<f64>>) -> &mut Self {
        self.links.push(LinkSpec { name: name.to_owned(), inertial });
        self
    }

    /// Add a joint.
    pub fn joint(&mut self, joint: JointSpec) -> &mut Self {
        self.joints.push(joint);
        self
    }

    /// Take masses and inertias that no body has as they are.
    pub(super) fn answered(mut self) -> Self {
        self.answered = true;
        self
    }

    /// Check everything and assemble, under standard gravity, the root fixed at the world's origin.
    ///
    /// # Errors
    /// [`Error::Value`] and [`Error::UnknownName`]: a name given twice or unknown, no root or several, a loop, a number
    /// that is not finite, a negative mass or armature, an inertia that no body has, an axis of length zero, a lower
    /// limit above the upper one; a joint that follows one that is not there or does not move, itself in the end, or one
    /// of another kind; more joints that move than a matrix has room for.
    pub fn build(&self) -> Result<Model<f64>> {
        let index = unique(&self.name, "link", self.links.iter().map(|l| l.name.as_str()))?;
        unique(&self.name, "joint", self.joints.iter().map(|j| j.name.as_str()))?;
        let moving = self.joints.iter().filter(|joint| joint.kind.is_some()).count();
        if moving > MOVING_JOINTS {
            let expected =
                format!("at most {MOVING_JOINTS}: make joints that need not move fixed, or cut the robot");
            return Err(Error::value(&self.name, format!("{moving} joints that move"), &expected));
        }
        let look_up = |who: &str, name: &str| {
            index.get(name).copied().ok_or_else(|| Error::UnknownName {
                who: who.to_owned(),
                what: "link",
                found: name.to_owned(),
                nearest: crate::error::nearest(name, self.links.iter().map(|l| l.name.as_str())),
            })
        };
        let mut children = vec![Vec::new(); self.links.len()];
        let mut holder = vec![None; self.links.len()];
        for (j, joint) in self.joints.iter().enumerate() {
            let (parent, child) = (look_up(&joint.name, &joint.parent)?, look_up(&joint.name, &joint.child)?);
            if let Some(other) = holder[child].replace(j) {
                let other: &JointSpec = &self.joints[other];
                let found = format!("link {} moved by {} and {}", joint.child, other.name, joint.name);
                return Err(Error::value(&self.name, found, "one joint above each link"));
            }
            children[parent].push(j);
        }
        let roots: Vec<usize> = (0..self.links.len()).filter(|&l| holder[l].is_none()).collect();
        let &[root] = roots.as_slice() else {
            let names: Vec<&str> = roots.iter().map(|&l| self.links[l].name.as_str()).collect();
            return Err(Error::value(
                &self.name,
                format!("root links {names:?}"),
                "exactly one link without a joint above it",
            ));
        };

        // Depth first; the stack holds (joint above, index of the parent in model order).
        let mut links = vec![self.placed_link(root, 0, None)?];
        let mut stack: Vec<(usize, usize)> = children[root].iter().rev().map(|&j| (j, 0)).collect();
        while let Some((j, parent)) = stack.pop() {
            let child = index[self.joints[j].child.as_str()];
            let here = links.len();
            links.push(self.placed_link(child, parent, Some(&self.joints[j]))?);
            stack.extend(children[child].iter().rev().map(|&j| (j, here)));
        }
        if links.len() < self.links.len() {
            let reached: Vec<&str> = links.iter().map(|l| l.name.as_str()).collect();
            let lost: Vec<_> =
                self.links.iter().filter(|l| !reached.contains(&l.name.as_str())).map(|l| &l.name).collect();
            return Err(Error::value(&self.name, format!("links in a loop: {lost:?}"), "a tree"));
        }
        let mut tree = Tree {
            name: self.name.clone(),
            links,
            free_base: false,
            gravity: Model::standard_gravity(),
            placement: Pose::identity(),
            turn: vector([0.0; 3]),
        };
        self.couple(&mut tree)?;
        let model = Model::assemble(tree);
        model.coupling.check(&model.joints)?;
        if !self.answered {
            model.check_inertias()?;
        }
        Ok(model)
    }

    /// Gives every follower the index of its leader.
    fn couple(&self, tree: &mut Tree<f64>) -> Result<()> {
        let followers: Vec<Follower<'_>> = self
            .joints
            .iter()
            .map(|spec| Follower {
                name: &spec.name,
                slides: spec.kind.map(JointKind::slides),
                follows: spec.mimic.as_ref().map(|m| (m.joint.as_str(), m.multiplier, m.offset)),
            })
            .collect();
        if let Some((j, reason)) = broken(&followers).into_iter().next() {
            let who = format!("{}.mimic", self.joints[j].name);
            return Err(Error::value(
                &who,
                reason,
                "a joint that moves, of the same kind, followed without a loop",
            ));
        }
        let order: HashMap<String, usize> =
            tree.joints_mut().enumerate().map(|(j, joint)| (joint.name.clone(), j)).collect();
        let followed: HashMap<&str, &MimicSpec> =
            self.joints.iter().filter_map(|spec| Some((spec.name.as_str(), spec.mimic.as_ref()?))).collect();
        for joint in tree.joints_mut() {
            joint.mimic = followed.get(joint.name.as_str()).map(|m| Mimic {
                leader: order[&m.joint],
                multiplier: m.multiplier,
                offset: m.offset,
            });
        }
        Ok(())
    }

    fn placed_link(&self, link: usize, parent: usize, joint: Option<&JointSpec>) -> Result<Link<f64>> {
        let spec = &self.links[link];
        if let Some(i) = &spec.inertial {
            finite(
                &spec.name,
                "inertial",
                i.center_of_mass.iter().chain(&i.tensor.entries()).chain(&i.axes),
            )?;
            if !(i.mass.is_finite() && (i.mass >= 0.0 || self.answered)) {
                return Err(Error::value(
                    &format!("{}.mass", spec.name),
                    i.mass,
                    "a mass of zero or more, kg",
                ));
            }
        }
        let origin = joint.map_or(Pose::identity(), |j| j.origin);
        Ok(Link {
            name: spec.name.clone(),
            parent,
            origin,
            turn: vector([0.0; 3]),
            mounting: joint.map_or(Ok(Mounting::Fixed), mounting)?,
            inertial: spec.inertial,
            added: Inertia::zero(),
            offset: vector([0.0; 3]),
        })
    }
}

/// The checked joint of a spec.
fn mounting(spec: &JointSpec) -> Result<Mounting<f64>> {
    let who = &spec.name;
    finite(who, "origin", spec.origin.position.iter().chain(&spec.origin.rotation))?;
    let Some(kind) = spec.kind else { return Ok(Mounting::Fixed) };
    finite(who, "axis", &spec.axis)?;
    let axis = Vector::from(spec.axis);
    let length = axis.norm();
    if !(length > 0.0 && length.is_finite()) {
        return Err(Error::value(
            &format!("{who}.axis"),
            format!("{:?}", spec.axis),
            "an axis of nonzero, finite length",
        ));
    }
    let bounded = kind != JointKind::Continuous;
    let joint = Joint {
        name: who.clone(),
        kind,
        lower: spec.lower.filter(|_| bounded),
        upper: spec.upper.filter(|_| bounded),
        effort_limit: spec.effort_limit,
        speed_limit: spec.speed_limit,
        damping: spec.damping,
        friction: (spec.friction != 0.0).then_some(spec.friction),
        armature: spec.armature,
        mimic: None,
    };
    joint.check()?;
    Ok(Mounting::Moving { joint, axis: axis / length })
}

/// Where each name stands; a name given twice is an error.
fn unique<'a>(
    who: &str,
    what: &str,
    names: impl Iterator<Item = &'a str>,
) -> Result<HashMap<&'a str, usize>> {
    let mut index = HashMap::new();
    for (i, name) in names.enumerate() {
        if index.insert(name, i).is_some() {
            return Err(Error::value(who, format!("two {what}s named `{name}`"), "names used once"));
        }
    }
    Ok(index)
}

fn finite<'a>(who: &str, what: &str, numbers: impl IntoIterator<Item = &'a f64>) -> Result<()> {
    match numbers.into_iter().find(|x| !x.is_finite()) {
        Some(x) => Err(Error::value(&format!("{who}.{what}"), x, "a finite number")),
        None => Ok(()),
    }
}

impl Model<f64> {
    /// Every merged body has a tensor about its centre of mass that some distribution of mass could have, up to
    /// rounding: positive semidefinite to 1e-9 of its trace.
    pub(crate) fn check_inertias(&self) -> Result<()> {
        for (b, body) in self.bodies.iter().enumerate() {
            let Inertia { mass, first_moment, second_moment } = body.inertia;
            let scale = if mass > 0.0 { -0.5 / mass } else { 0.0 };
            let central = second_moment + Symmetric::outer_sum(&first_moment, &(first_moment * scale));
            let tensor = central.tensor().to_matrix();
            let least = tensor.symmetric_eigenvalues().min();
            let allowed = -1e-9 * body.inertia.second_moment.tensor().trace().abs();
            if least < allowed {
                let link = &self.frames.iter().find(|f| f.body() == b).map_or("", |f| f.name.as_str());
                return Err(Error::value(
                    &format!("{link}.inertia"),
                    format!("a least principal moment of {least:e} kg m^2 (fixed links merged)"),
                    "a positive semidefinite inertia about the centre of mass",
                ));
            }
        }
        Ok(())
    }
}
