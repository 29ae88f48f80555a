//! Where joints start.

use super::chain::{PerJoint, SegmentSpec};
use super::place::{Named, Place, Placed};
use crate::error::{Error, Result};
use crate::model::{Member, Model, quoted};

/// One position a joint; missing joints are named.
pub(super) fn positions(model: &Model<f64>, given: &Placed<PerJoint>) -> Result<Vec<f64>> {
    let mut found = numbers(model, given)?;
    follow(model, &mut found, |member, leader| member.multiplier * leader + member.offset);
    let missing: Vec<String> = model
        .joints()
        .iter()
        .zip(&found)
        .filter(|(_, x)| x.is_none())
        .map(|(j, _)| quoted(&j.name))
        .collect();
    if !missing.is_empty() {
        let found = format!("no initial position of {}", missing.join(", "));
        return Err(given.place.fault("missing_key", found, "one of every joint, rad; m", "add them"));
    }
    Ok(found.into_iter().flatten().collect())
}

/// One velocity a joint; missing ones are at rest.
pub(super) fn velocities(model: &Model<f64>, given: &Placed<PerJoint>) -> Result<Vec<f64>> {
    let mut found = numbers(model, given)?;
    follow(model, &mut found, |member, leader| member.multiplier * leader);
    Ok(found.into_iter().map(Option::unwrap_or_default).collect())
}

/// Joints that follow others and are not given are where those have them.
fn follow(model: &Model<f64>, found: &mut [Option<f64>], law: impl Fn(&Member<f64>, f64) -> f64) {
    let coupling = model.coupling();
    for (j, member) in coupling.members().iter().enumerate() {
        let leader = found[coupling.independent()[member.coordinate]];
        found[j] = found[j].or_else(|| leader.map(|leader| law(member, leader)));
    }
}

fn numbers(model: &Model<f64>, given: &Placed<PerJoint>) -> Result<Vec<Option<f64>>> {
    let n = model.joints().len();
    match &given.value {
        PerJoint::Array(list) if list.len() == n => Ok(list.iter().copied().map(Some).collect()),
        PerJoint::Array(list) => {
            let names: Vec<String> = model.joints().iter().map(|j| quoted(&j.name)).collect();
            let expected = format!("{n}, in model order: {}", names.join(", "));
            Err(given.place.fault("length", format!("{} numbers", list.len()), expected, "give one a joint"))
        }
        PerJoint::Map(entries) => {
            let mut found = vec![None; n];
            for Named { name, place, value } in entries {
                found[model.joint_index(name).map_err(|error| place.of(error))?] = Some(*value);
            }
            Ok(found)
        }
    }
}

/// The place of the number that a refused initial state is about: its own where it was given by name.
pub(super) fn at_fault<'a>(spec: &'a SegmentSpec, error: &Error) -> &'a Place {
    let Error::Value { who, .. } = error else { return &spec.initial_positions.place };
    let given = [
        ("initial_positions", Some(&spec.initial_positions)),
        ("initial_velocities", spec.initial_velocities.as_ref()),
    ];
    let found = given.into_iter().find_map(|(key, numbers)| {
        let joint = who.strip_prefix(key)?.strip_prefix('.')?;
        let numbers = numbers?;
        let PerJoint::Map(entries) = &numbers.value else { return Some(&numbers.place) };
        Some(entries.iter().find(|e| e.name == joint).map_or(&numbers.place, |e| &e.place))
    });
    found.unwrap_or(&spec.initial_positions.place)
}
