//! From an experiment to a session that can run.

use super::armature::{Armature, armatures};
use super::chain::{PerJoint, RungName, SegmentSpec};
use super::place::{Named, Place, Placed};
use super::read::Experiment;
use super::settings::{DefaultKind, Profile, Setting, Settings};
use crate::description::{Acknowledged, Acknowledgement, Description, Verdict};
use crate::error::{Error, Result, nearest};
use crate::model::{self, Model, quoted};
use crate::rollout::{Drive, Rung, Segment, Session};
use crate::spatial::Pose;
use crate::step::{DynamicArm, KinematicArm, Solver};
use serde_json::json;
use std::collections::HashSet;

/// A session ready to run, and where everything in it came from.
#[derive(Clone, Debug)]
pub struct Built {
    /// What runs.
    pub session: Session,
    /// The account of each segment, in the session's order.
    pub segments: Vec<SegmentAccount>,
    /// The experiment file as the user named it.
    pub experiment: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Who it is for.
    pub profile: Profile,
    /// Sections of the file that a run does not use.
    pub unused: Vec<&'static str>,
}

/// Where a segment came from.
#[derive(Clone, Debug)]
pub struct SegmentAccount {
    /// The description's path as the experiment names it.
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Elements and attributes without effect here, with their lines; each covers what is inside it.
    pub not_used: Vec<(String, u32)>,
    /// What was acknowledged, with its line.
    pub acknowledged: Vec<(Acknowledgement, u32)>,
    /// The source of each joint's armature, in model order.
    pub armature_sources: Vec<String>,
    /// Every setting as resolved.
    pub settings: Vec<Setting>,
    /// What somebody should know before believing the numbers.
    pub validity: Vec<Validity>,
}

/// Something to know before believing the numbers.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Validity {
    /// What kind of thing.
    pub kind: &'static str,
    /// The joint; none where it is about the segment.
    pub joint: Option<String>,
    /// In words.
    pub text: String,
}

impl Built {
    /// Numerical defaults taken.
    pub fn pending(&self) -> Vec<&str> {
        self.taken_as(DefaultKind::Numerical)
    }

    /// Conventions taken.
    pub fn conventions(&self) -> Vec<&str> {
        self.taken_as(DefaultKind::Convention)
    }

    fn taken_as(&self, kind: DefaultKind) -> Vec<&str> {
        let settings = self.segments.iter().flat_map(|s| &s.settings);
        settings.filter(|s| s.taken_as(kind)).map(|s| s.name.as_str()).collect()
    }
}

impl Experiment {
    /// Reads the robots, resolves every setting, and makes the session.
    ///
    /// # Errors
    /// Whatever the experiment asks for and cannot have, with its place in the file; [`Error::Description`] and
    /// [`Error::Refused`] for what is wrong with a robot file.
    pub fn build(&self) -> Result<Built> {
        let (mut segments, mut accounts) = (Vec::new(), Vec::new());
        for spec in &self.segments {
            let (segment, account) = self.segment(spec)?;
            segments.push(segment);
            accounts.push(account);
        }
        let session = Session::new(self.step, self.steps, segments).map_err(|e| self.time_place.of(e))?;
        Ok(Built {
            session,
            segments: accounts,
            experiment: self.file.clone(),
            sha256: self.sha256.clone(),
            profile: self.profile,
            unused: self.unused.clone(),
        })
    }

    fn segment(&self, spec: &SegmentSpec) -> Result<(Segment, SegmentAccount)> {
        let path = self.folder.join(&spec.description.value);
        let description = Description::read(&path).map_err(|error| match error {
            Error::Io { path, source } => spec.description.place.fault(
                "io",
                format!("description {path}: {source}"),
                "a URDF file, its path beside the experiment file",
                "correct the path",
            ),
            other => other,
        })?;
        let acknowledged = acknowledge(&description, spec)?;
        let model = Model::from_description(&acknowledged)?;
        let (model, armatures) = self.machine(spec, &acknowledged, model)?;
        let settings = self.settings(spec, &armatures)?;
        let q = positions(&model, &spec.initial_positions)?;
        let v = match &spec.initial_velocities {
            Some(given) => velocities(&model, given)?,
            None => vec![0.0; model.joints().len()],
        };
        let drives = self.assign(spec, &model)?;
        let every = spec.rate.map_or(1, |(_, every)| every);
        let dt = self.step * every as f64;
        let rung = match spec.rung.value {
            RungName::Dynamic => {
                if let Some(servo) = &spec.servo {
                    let fix = "take it out, or use the kinematic rung";
                    return Err(servo.place.fault("value", "a servo constant", "none on the dynamic rung", fix));
                }
                let solver = spec.solver.as_ref().map_or(Solver::Exact, |s| s.value);
                Rung::Dynamic(DynamicArm::new(model, dt, solver).map_err(|e| spec.rung.place.of(e))?)
            }
            RungName::Kinematic => {
                let servo = spec.servo.as_ref().map(|s| s.value);
                Rung::Kinematic(KinematicArm::new(model, dt, servo).map_err(|e| spec.rung.place.of(e))?)
            }
        };
        let segment = Segment::new(&spec.name, rung, drives, every, &q, &v)
            .map_err(|error| spec.initial_positions.place.of(error))?;
        let account = SegmentAccount {
            path: spec.description.value.clone(),
            sha256: description.sha256.clone(),
            not_used: not_used(&description),
            acknowledged: acknowledged.acknowledged.clone(),
            armature_sources: armatures.into_iter().map(|a| a.source).collect(),
            settings,
            validity: validity(spec),
        };
        Ok((segment, account))
    }

    /// The model with the experiment's limits, friction, armature, gravity and placement.
    fn machine(
        &self,
        spec: &SegmentSpec,
        acknowledged: &Acknowledged,
        model: Model<f64>,
    ) -> Result<(Model<f64>, Vec<Armature>)> {
        let index = |name: &str, place: &Place| model.joint_index(name).map_err(|error| place.of(error));
        let mut joints = model.joints().to_vec();
        for entry in &spec.limits {
            let joint = &mut joints[index(&entry.name, &entry.place)?];
            if joint.kind == model::JointKind::Continuous {
                let found = format!("limits on the continuous joint `{}`", entry.name);
                let fix = "make it revolute in the description, or take the limits out";
                return Err(entry.place.fault("value", found, "a revolute or prismatic joint", fix));
            }
            (joint.lower, joint.upper) = (Some(entry.value.lower), Some(entry.value.upper));
        }
        for entry in &spec.friction {
            let joint = &mut joints[index(&entry.name, &entry.place)?];
            joint.friction = Some(entry.value.coulomb).filter(|mu| *mu > 0.0);
            joint.damping = entry.value.damping;
        }
        let armatures = armatures(spec, &model, &acknowledged.description.transmissions)?;
        for (joint, armature) in joints.iter_mut().zip(&armatures) {
            joint.armature = armature.value;
        }
        let unbounded = |joint: &&model::Joint<f64>| {
            joint.kind != model::JointKind::Continuous && joint.lower.is_none() && joint.upper.is_none()
        };
        let without: Vec<&str> = joints.iter().filter(unbounded).map(|j| j.name.as_str()).collect();
        if !without.is_empty() {
            let found = format!("no limits of {}, which the description does not limit", without.join(", "));
            let expected = "limits of every revolute and prismatic joint";
            let fix = format!("give them under [chain.{}.limits], with a reason each", quoted(&spec.name));
            return Err(spec.place.fault("missing_limits", found, expected, fix));
        }
        let mut model = model.with_joints(|j, joint| *joint = joints[j].clone()).map_err(|e| spec.place.of(e))?;
        if let Some(gravity) = self.gravity {
            model = model.with_gravity(gravity.into());
        }
        if spec.at.is_some() || spec.orientation.is_some() {
            let (at, turn) = (spec.at.unwrap_or_default(), spec.orientation.unwrap_or([1.0, 0.0, 0.0, 0.0]));
            model = model.with_placement(Pose::from_row(&[at[0], at[1], at[2], turn[0], turn[1], turn[2], turn[3]]));
        }
        Ok((model, armatures))
    }

    /// The drives of one segment's joints.
    fn assign(&self, spec: &SegmentSpec, model: &Model<f64>) -> Result<Vec<Option<Drive>>> {
        let mut drives = vec![None; model.joints().len()];
        let addresses: Vec<[String; 3]> = model.joints().iter().map(|j| spellings(&spec.name, &j.name)).collect();
        for entry in &self.drives {
            let Some(j) = addresses.iter().position(|address| address.contains(&entry.name)) else {
                let near = nearest(&entry.name, addresses.iter().map(|a| a[0].as_str()));
                return Err(entry.place.unknown(&format!("drive of `{}`", entry.name), "a joint of the chain", near));
            };
            if drives[j].is_some() {
                let found = format!("a second drive of `{}`", addresses[j][0]);
                return Err(entry.place.fault("two_sources", found, "one drive a joint", "take one out"));
            }
            if let (RungName::Kinematic, Drive::Pd { .. }) = (spec.rung.value, &entry.value) {
                let found = format!("a pd drive of `{}`, which is an effort", addresses[j][0]);
                let expected = "a position on the kinematic rung: constant, sine or table";
                return Err(entry.place.fault("value", found, expected, "change it, or use the dynamic rung"));
            }
            drives[j] = Some(entry.value.clone());
        }
        Ok(drives)
    }

    fn settings(&self, spec: &SegmentSpec, armatures: &[Armature]) -> Result<Vec<Setting>> {
        let mut settings = Settings::new(self.profile, &spec.name, &spec.place);
        let map = |given: &[(String, serde_json::Value)]| {
            (!given.is_empty()).then(|| serde_json::Value::Object(given.iter().cloned().collect()))
        };
        let numbers = |given: &PerJoint| match given {
            PerJoint::Array(numbers) => json!(numbers),
            PerJoint::Map(entries) => {
                serde_json::Value::Object(entries.iter().map(|e| (e.name.clone(), json!(e.value))).collect())
            }
        };
        let of = |entries: &[Named<super::chain::Declared>], key: &str| {
            let each = entries.iter();
            map(&each.map(|e| (e.name.clone(), json!({key: e.value.value, "reason": e.value.reason}))).collect::<Vec<_>>())
        };
        let limits = spec.limits.iter().map(|e| {
            (e.name.clone(), json!({"lower": e.value.lower, "upper": e.value.upper, "reason": e.value.reason}))
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
        settings.enter("actuators", of(&spec.actuators, "rotor_inertia"))?;
        settings.enter("armature", of(&spec.armature, "value"))?;
        debug_assert!(armatures.len() >= spec.armature.len());
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

/// How a joint may be addressed: as columns write it, with its name in quotes, and plainly.
fn spellings(segment: &str, joint: &str) -> [String; 3] {
    let segment = quoted(segment);
    [
        format!("{segment}.{}", quoted(joint)),
        format!("{segment}.\"{}\"", joint.replace('"', "\\\"")),
        format!("{segment}.{joint}"),
    ]
}

fn acknowledge(description: &Description, spec: &SegmentSpec) -> Result<Acknowledged> {
    let list: Vec<Acknowledgement> = spec.acknowledged.iter().map(|a| a.value.clone()).collect();
    description.acknowledge(&list).map_err(|error| {
        let named = |path: &str| spec.acknowledged.iter().find(|a| path.contains(&a.value.element));
        let at = match &error {
            Error::UnknownName { found, .. } | Error::Value { found, .. } => named(found),
            _ => None,
        };
        at.map_or(&spec.place, |a| &a.place).of(error)
    })
}

/// One position a joint; missing joints are named.
fn positions(model: &Model<f64>, given: &Placed<PerJoint>) -> Result<Vec<f64>> {
    let found = numbers(model, given)?;
    let missing: Vec<String> =
        model.joints().iter().zip(&found).filter(|(_, x)| x.is_none()).map(|(j, _)| quoted(&j.name)).collect();
    if !missing.is_empty() {
        let found = format!("no initial position of {}", missing.join(", "));
        return Err(given.place.fault("missing_key", found, "one of every joint, rad; m", "add them"));
    }
    Ok(found.into_iter().flatten().collect())
}

/// One velocity a joint; missing ones are at rest.
fn velocities(model: &Model<f64>, given: &Placed<PerJoint>) -> Result<Vec<f64>> {
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

/// What the file says without effect here: elements, then attributes, without what is inside another of them.
fn not_used(description: &Description) -> Vec<(String, u32)> {
    let unused = |entry: &&crate::description::Entry| entry.verdict == Verdict::NotUsed;
    let account = &description.account;
    let elements: HashSet<&str> = account.elements.iter().filter(unused).map(|e| e.path.as_str()).collect();
    let covered = |path: &str| path.match_indices(['/', '@']).any(|(at, _)| elements.contains(&path[..at]));
    account.entries().filter(unused).filter(|e| !covered(&e.path)).map(|e| (e.path.clone(), e.line)).collect()
}

/// What the kinematic rung has no use for.
fn validity(spec: &SegmentSpec) -> Vec<Validity> {
    if spec.rung.value == RungName::Dynamic {
        return Vec::new();
    }
    let line = |what: &str, joint: Option<&str>| Validity {
        kind: "not_used",
        joint: joint.map(str::to_owned),
        text: format!("{what}: given and not used, the kinematic rung has no efforts and no masses"),
    };
    let mut lines: Vec<Validity> = spec.friction.iter().map(|e| line("friction", Some(&e.name))).collect();
    lines.extend(spec.armature.iter().map(|e| line("armature", Some(&e.name))));
    lines.extend(spec.actuators.iter().map(|e| line(&format!("actuator {}", e.name), None)));
    lines.extend(spec.solver.iter().map(|_| line("solver", None)));
    lines
}

