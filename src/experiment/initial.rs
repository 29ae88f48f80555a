//! Where joints start.

use super::chain::PerJoint;
use super::place::{Named, Placed};
use crate::error::Result;
use crate::model::{Model, quoted};

/// One position a joint; missing joints are named.
pub(super) fn positions(model: &Model<f64>, given: &Placed<PerJoint>) -> Result<Vec<f64>> {
    let found = numbers(model, given)?;
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
    Ok(numbers(model, given)?.into_iter().map(Option::unwrap_or_default).collect())
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
