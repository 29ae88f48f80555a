//! Every setting of a segment, given or taken by default.

use super::chain::{Declared, PerJoint, RungName, SegmentSpec};
use super::place::Named;
use super::read::Experiment;
use super::settings::{Setting, Settings};
use crate::error::Result;
use serde_json::{Value, json};

impl Experiment {
    /// The settings of a segment, in the order of the documentation.
    pub(super) fn settings(&self, spec: &SegmentSpec) -> Result<Vec<Setting>> {
        let mut settings = Settings::new(self.profile, &spec.name, &spec.place);
        let map = |given: &[(String, Value)]| {
            (!given.is_empty()).then(|| Value::Object(given.iter().cloned().collect()))
        };
        let numbers = |given: &PerJoint| match given {
            PerJoint::Array(numbers) => json!(numbers),
            PerJoint::Map(entries) => {
                Value::Object(entries.iter().map(|e| (e.name.clone(), json!(e.value))).collect())
            }
        };
        let of = |entries: &[Named<Declared>], key: &str| {
            let each = entries.iter();
            map(&each
                .map(|e| (e.name.clone(), json!({key: e.value.value, "reason": e.value.reason})))
                .collect::<Vec<_>>())
        };
        let limits = spec.limits.iter().map(|e| {
            (
                e.name.clone(),
                json!({"lower": e.value.lower, "upper": e.value.upper, "reason": e.value.reason}),
            )
        });
        let friction = spec
            .friction
            .iter()
            .map(|e| (e.name.clone(), json!({"coulomb": e.value.coulomb, "damping": e.value.damping})));
        let acknowledged: Vec<_> = spec
            .acknowledged
            .iter()
            .map(|a| json!({"element": a.value.element, "reason": a.value.reason}))
            .collect();
        let rung = match spec.rung.value {
            RungName::Dynamic => "dynamic",
            RungName::Kinematic => "kinematic",
        };
        settings.enter("time.step", Some(json!(self.step)))?;
        settings.enter("time.duration", Some(json!(self.duration)))?;
        settings.enter("gravity", self.gravity.map(|g| json!(g)))?;
        settings.enter("description", Some(json!(spec.description.value)))?;
        settings.enter("rung", Some(json!(rung)))?;
        settings.enter("initial_positions", Some(numbers(&spec.initial_positions.value)))?;
        settings.enter("initial_velocities", spec.initial_velocities.as_ref().map(|v| numbers(&v.value)))?;
        settings.enter("acknowledged", (!acknowledged.is_empty()).then(|| json!(acknowledged)))?;
        settings.enter("mimic", spec.coupled.then(|| json!("coupled")))?;
        settings.enter("actuators", of(&spec.actuators, "rotor_inertia"))?;
        settings.enter("armature", of(&spec.armature, "value"))?;
        settings.enter("at", spec.at.map(|at| json!(at)))?;
        settings.enter("orientation", spec.orientation.map(|q| json!(q)))?;
        settings.enter("mount", None)?;
        if spec.rung.value == RungName::Kinematic {
            settings.enter("servo", spec.servo.as_ref().map(|s| json!(s.value)))?;
        } else {
            settings.enter("solver", spec.solver.as_ref().map(|s| json!(s.value)))?;
        }
        settings.enter("rate", spec.rate.map(|(rate, _)| json!(rate)))?;
        settings.enter("limits", map(&limits.collect::<Vec<_>>()))?;
        settings.enter("friction", map(&friction.collect::<Vec<_>>()))?;
        Ok(settings.list)
    }
}
