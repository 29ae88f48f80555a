//! Where each joint's armature comes from: one source, named.

use super::chain::SegmentSpec;
use super::place::Place;
use crate::description::Transmission;
use crate::error::{Result, nearest};
use crate::model::Model;

/// A joint's armature and its source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Armature {
    /// kg m²; kg.
    pub value: f64,
    /// In words; names the source.
    pub source: String,
}

/// One a joint, in model order: declared with a reason, reflected through a simple transmission, or none.
///
/// A transmission is judged only where a rotor is given for its actuator: reflected inertia is
/// `rotor inertia × reduction²`, kg m² (a slide's reduction is in rad/m, its armature in kg).
pub(super) fn armatures(
    spec: &SegmentSpec,
    model: &Model<f64>,
    transmissions: &[Transmission],
) -> Result<Vec<Armature>> {
    let mut found: Vec<Option<Armature>> = vec![None; model.joints().len()];
    for entry in &spec.armature {
        let joint = model.joint_index(&entry.name).map_err(|error| entry.place.of(error))?;
        let source = format!("declared: {}", entry.value.reason);
        found[joint] = Some(Armature { value: entry.value.value, source });
    }
    for entry in &spec.actuators {
        let (place, name) = (&entry.place, &entry.name);
        let transmission = transmission(place, name, transmissions)?;
        let (joint, reduction) = usable(place, name, transmission, model)?;
        if let Some(other) = &found[joint] {
            let joint = &model.joints()[joint].name;
            let expected = format!("one source; joint `{joint}` already has one, {}", other.source);
            let words = format!("a second source of armature of joint `{joint}`, actuator `{name}`");
            return Err(place.fault("two_sources", words, expected, "take one of them out"));
        }
        let rotor = entry.value.value;
        let source = format!(
            "reflected: actuator {name}, transmission {}, {rotor} kg m^2 x {reduction}^2: {}",
            transmission.name, entry.value.reason
        );
        found[joint] = Some(Armature { value: rotor * reduction * reduction, source });
    }
    let none = || Armature { value: 0.0, source: "none: a rotor not given reflects nothing".into() };
    Ok(found.into_iter().map(|armature| armature.unwrap_or_else(none)).collect())
}

fn transmission<'a>(place: &Place, name: &str, all: &'a [Transmission]) -> Result<&'a Transmission> {
    let with: Vec<&Transmission> = all.iter().filter(|t| t.actuators.iter().any(|a| a == name)).collect();
    match with.as_slice() {
        [one] => Ok(one),
        [] => {
            let names = all.iter().flat_map(|t| t.actuators.iter().map(String::as_str));
            let near = nearest(name, names);
            Err(place.unknown(&format!("actuator `{name}`"), "a transmission of the description", near))
        }
        several => {
            let names: Vec<&str> = several.iter().map(|t| t.name.as_str()).collect();
            let found = format!("actuator `{name}` in the transmissions {}", names.join(", "));
            Err(place.fault("transmission", found, "an actuator of one transmission", declare(name)))
        }
    }
}

/// The joint and the reduction of a transmission that can be used.
fn usable(
    place: &Place,
    name: &str,
    transmission: &Transmission,
    model: &Model<f64>,
) -> Result<(usize, f64)> {
    let mut problems = transmission.problems.clone();
    let joint = transmission.joints.first().and_then(|j| model.joint_index(j).ok());
    if problems.is_empty() && joint.is_none() {
        problems.push("its joint does not move".into());
    }
    match (problems.is_empty(), joint, transmission.reduction) {
        (true, Some(joint), Some(reduction)) if transmission.is_simple() => Ok((joint, reduction)),
        _ => {
            let found = format!(
                "actuator `{name}` of transmission `{}` (line {} of the description): {}",
                transmission.name,
                transmission.line,
                problems.join("; ")
            );
            let expected = "a SimpleTransmission of one joint and one actuator, with its reduction";
            Err(place.fault("transmission", found, expected, declare(name)))
        }
    }
}

fn declare(name: &str) -> String {
    format!(
        "mend the description, or take `{name}` out and declare each joint's reflected inertia under [chain.X.armature]"
    )
}
