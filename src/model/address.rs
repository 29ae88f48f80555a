//! Every number of a model by name: what a seed, a fit or a finite difference varies.
//!
//! `joint_1.friction`, `link_3.mass`, `gravity.z`. A name that holds a dot, a space or a quote is written in double
//! quotes. An address is varied by **adding** to its number, so that one road serves duals, fits and differences.

use super::Model;
use super::tree::{Link, Mounting, Tree};
use crate::error::{Error, Result};
use crate::real::Real;
use crate::spatial::{Inertia, Pose, Symmetric, Vector};

/// The dotted name of one number of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Its name within the model.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
}

const AXES: [&str; 3] = ["x", "y", "z"];
const TURNS: [&str; 3] = ["rx", "ry", "rz"];
const TENSOR: [&str; 6] = ["xx", "xy", "xz", "yy", "yz", "zz"];
const LINEAR: [&str; 10] = ["m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz"];

/// Words that stand for the model itself where they are not quoted.
const RESERVED: [&str; 2] = ["gravity", "placement"];

/// A name as addresses and columns write it: in double quotes where it holds a dot, a space, a quote or a backslash, is
/// empty, or is a word with a meaning of its own; quotes and backslashes inside are escaped by a backslash.
pub fn quoted(name: &str) -> String {
    if name.is_empty() || name.contains(['.', ' ', '"', '\\']) || RESERVED.contains(&name) {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        name.to_owned()
    }
}

impl<T: Real> Model<T> {
    /// Every address the model has, in model order.
    pub fn addresses(&self) -> Vec<Address> {
        let mut all = Vec::new();
        let mut list = |stem: String, parts: &[&str], unit: &'static str| {
            for part in parts {
                let name = if part.is_empty() { stem.clone() } else { format!("{stem}.{part}") };
                all.push(Address { name, unit });
            }
        };
        list("gravity".into(), &AXES, "m/s^2");
        list("placement".into(), &AXES, "m");
        list("placement".into(), &TURNS, "rad");
        let mut add = |owner: &str, field: &str, parts: &[&str], unit: &'static str| {
            list(format!("{}.{field}", quoted(owner)), parts, unit);
        };
        for link in &self.tree().links {
            if let Mounting::Moving { joint, .. } = &link.mounting {
                let kind = joint.kind;
                for (field, unit) in [
                    ("friction", joint.friction.map(|_| kind.effort_unit())),
                    ("damping", Some(kind.damping_unit())),
                    ("armature", Some(kind.armature_unit())),
                    ("lower", joint.lower.map(|_| kind.position_unit())),
                    ("upper", joint.upper.map(|_| kind.position_unit())),
                ] {
                    unit.into_iter().for_each(|unit| add(&joint.name, field, &[""], unit));
                }
                if joint.mimic.is_some() {
                    add(&joint.name, "mimic.multiplier", &[""], "1");
                    add(&joint.name, "mimic.offset", &[""], kind.position_unit());
                }
                add(&joint.name, "origin", &AXES, "m");
                add(&joint.name, "origin", &TURNS, "rad");
                add(&joint.name, "axis", &AXES, "1");
            }
            if link.inertial.is_some() {
                add(&link.name, "mass", &[""], "kg");
                add(&link.name, "center_of_mass", &AXES, "m");
                add(&link.name, "inertia", &TENSOR, "kg m^2");
            }
            add(&link.name, "linear", &LINEAR[..1], "kg");
            add(&link.name, "linear", &LINEAR[1..4], "kg m");
            add(&link.name, "linear", &LINEAR[4..], "kg m^2");
            add(&link.name, "offset", &AXES, "m");
        }
        all
    }

    /// The number an address names. A rotation (`rx`, `ry`, `rz`) is counted from where it is: 0.
    ///
    /// # Errors
    /// [`Error::UnknownName`] where the model has no such address.
    pub fn value(&self, address: &str) -> Result<T> {
        let mut found = T::zero();
        edit(&mut self.tree().clone(), address, &mut |x| found = *x)?;
        Ok(found)
    }

    /// The machine with amounts added to some of its numbers; seeds are amounts of value zero.
    ///
    /// A rotation turns by the rotation vector, parent's axes, applied on the left (exact to second order at zero;
    /// amounts given together make one vector). An axis varies as the components of the unit axis. Linear parameters vary about the link's origin, in its axes.
    ///
    /// ```
    /// # use articula::{Real, Tangents, model::{Builder, Inertial, JointKind, JointSpec}};
    /// # let mut arm = Builder::new("pendulum");
    /// # arm.link("world", None).link("rod", Some(Inertial::new(1.0, [0.0, 0.0, -0.5], [0.0; 6])));
    /// # arm.joint(JointSpec { name: "hinge".into(), kind: Some(JointKind::Revolute), parent: "world".into(),
    /// #     child: "rod".into(), axis: [0.0, 1.0, 0.0], friction: 0.1, ..JointSpec::default() });
    /// # let model = arm.build()?;
    /// let seeded = model.map(Tangents::<1>::from_f64).vary(&[("hinge.friction", Tangents::variable(0.0, 0))])?;
    /// assert_eq!(seeded.value("hinge.friction")?, Tangents::variable(0.1, 0));
    /// # Ok::<(), articula::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownName`] where the model has no such address; [`Error::Value`] where a joint's law would become none,
    /// such as a negative friction or a multiplier of zero.
    pub fn vary(&self, changes: &[(&str, T)]) -> Result<Self> {
        let mut tree = self.tree().clone();
        for (address, amount) in changes {
            edit(&mut tree, address, &mut |x| *x += *amount)?;
        }
        tree.check_joints()?;
        let model = Model::assemble(tree);
        model.coupling.check(&model.joints)?;
        Ok(model)
    }
}

/// Apply `change` to the number an address names.
fn edit<T: Real>(tree: &mut Tree<T>, address: &str, change: &mut dyn FnMut(&mut T)) -> Result<()> {
    let unknown = |who: &str| Error::UnknownName {
        who: who.to_owned(),
        what: "address",
        found: address.to_owned(),
        nearest: None,
    };
    let (owner, field) = split(address).ok_or_else(|| unknown(&tree.name))?;
    let known = match owner.as_str() {
        "gravity" if !address.starts_with('"') => {
            component(&field, &AXES).map(|k| change(&mut tree.gravity[k]))
        }
        "placement" if !address.starts_with('"') => {
            edit_pose(&mut tree.placement, &mut tree.turn, &field, change)
        }
        _ => tree.links.iter_mut().find_map(|link| {
            edit_joint(link, &owner, &field, change)
                .or_else(|| if link.name == owner { edit_link(link, &field, change) } else { None })
        }),
    };
    known.ok_or_else(|| unknown(&tree.name))
}

/// Change a number that exists.
fn apply<T>(change: &mut dyn FnMut(&mut T), number: &mut T) -> Option<()> {
    change(number);
    Some(())
}

fn edit_joint<T: Real>(
    link: &mut Link<T>,
    owner: &str,
    field: &str,
    change: &mut dyn FnMut(&mut T),
) -> Option<()> {
    let Mounting::Moving { joint, axis } = &mut link.mounting else { return None };
    if joint.name != owner {
        return None;
    }
    match field {
        "friction" => joint.friction.as_mut().map(change),
        "damping" => apply(change, &mut joint.damping),
        "armature" => apply(change, &mut joint.armature),
        "lower" => joint.lower.as_mut().map(change),
        "upper" => joint.upper.as_mut().map(change),
        "mimic.multiplier" => joint.mimic.as_mut().map(|m| change(&mut m.multiplier)),
        "mimic.offset" => joint.mimic.as_mut().map(|m| change(&mut m.offset)),
        _ => match field.strip_prefix("origin.") {
            Some(rest) => edit_pose(&mut link.origin, &mut link.turn, rest, change),
            None => component(field.strip_prefix("axis.")?, &AXES).and_then(|k| apply(change, &mut axis[k])),
        },
    }
}

fn edit_link<T: Real>(link: &mut Link<T>, field: &str, change: &mut dyn FnMut(&mut T)) -> Option<()> {
    if let Some(rest) = field.strip_prefix("linear.") {
        let k = component(rest, &LINEAR)?;
        let own = link.inertial.as_ref().map_or_else(Inertia::zero, |i| i.inertia()) + link.added;
        // The change is made on the whole number, and only the difference is added.
        let mut number = own.linear()[k];
        change(&mut number);
        let mut amount = [T::zero(); 10];
        amount[k] = number - own.linear()[k];
        let [m, x, y, z, tensor @ ..] = amount;
        link.added += Inertia {
            mass: m,
            first_moment: Vector::new(x, y, z),
            second_moment: Symmetric::from_entries(tensor).second_moment(),
        };
        return Some(());
    }
    if let Some(rest) = field.strip_prefix("offset.") {
        return component(rest, &AXES).map(|k| change(&mut link.offset[k]));
    }
    let inertial = link.inertial.as_mut()?;
    if field == "mass" {
        return apply(change, &mut inertial.mass);
    }
    if let Some(rest) = field.strip_prefix("center_of_mass.") {
        return component(rest, &AXES).map(|k| change(&mut inertial.center_of_mass[k]));
    }
    let k = component(field.strip_prefix("inertia.")?, &TENSOR)?;
    let mut entries = inertial.tensor.entries();
    change(&mut entries[k]);
    inertial.tensor = Symmetric::from_entries(entries);
    Some(())
}

fn edit_pose<T: Real>(
    pose: &mut Pose<T>,
    turn: &mut Vector<T>,
    field: &str,
    change: &mut dyn FnMut(&mut T),
) -> Option<()> {
    let number = match component(field, &AXES) {
        Some(k) => &mut pose.position[k],
        None => &mut turn[component(field, &TURNS)?],
    };
    apply(change, number)
}

fn component(name: &str, of: &[&str]) -> Option<usize> {
    of.iter().position(|n| *n == name)
}

/// Owner and field of a dotted address; the owner may stand in double quotes.
pub(crate) fn split(address: &str) -> Option<(String, String)> {
    let Some(rest) = address.strip_prefix('"') else {
        return address.split_once('.').map(|(o, f)| (o.to_owned(), f.to_owned()));
    };
    let mut owner = String::new();
    let mut letters = rest.char_indices();
    while let Some((i, c)) = letters.next() {
        match c {
            '\\' => owner.push(letters.next()?.1),
            '"' => return rest[i + 1..].strip_prefix('.').map(|f| (owner, f.to_owned())),
            _ => owner.push(c),
        }
    }
    None
}
