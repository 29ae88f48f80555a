//! From an experiment to a session that can run.

use super::account::{SegmentAccount, acknowledge, freed, not_used, validity};
use super::armature::{Armature, armatures};
use super::chain::{RungName, SegmentSpec};
use super::decision::Decision;
use super::initial::{at_fault, positions, velocities};
use super::objective;
use super::place::Place;
use super::read::Experiment;
use super::settings::{DefaultKind, Profile};
use crate::description::{Acknowledged, Description};
use crate::error::{Error, Result, nearest};
use crate::model::{self, Model, quoted};
use crate::rollout::{Drive, Objective, Rung, Segment, Session};
use crate::spatial::Pose;
use crate::step::{DynamicArm, KinematicArm, Solver};

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
    /// What a rollout of the segment is judged by, where the file says so.
    pub objective: Option<Objective>,
    /// What that is differentiated by.
    pub decision: Option<Decision>,
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
        let (objective, decision) = self.asked(&session)?;
        Ok(Built {
            session,
            segments: accounts,
            experiment: self.file.clone(),
            sha256: self.sha256.clone(),
            profile: self.profile,
            unused: self.unused.clone(),
            objective,
            decision,
        })
    }

    /// The objective and the decision; both are of the one segment there is.
    fn asked(&self, session: &Session) -> Result<(Option<Objective>, Option<Decision>)> {
        let places = [self.objective.as_ref().map(|o| &o.place), self.decision.as_ref().map(|d| &d.place)];
        let Some(place) = places.into_iter().flatten().next() else { return Ok((None, None)) };
        let [segment] = session.segments() else {
            return Err(place.not_built("an objective or a decision of several segments"));
        };
        let steps = session.steps() / segment.every();
        if steps == 0 {
            let found = format!("a run of {} s, in which `{}` makes no step", self.duration, segment.name());
            let fix = "make time.duration longer, or the rate shorter";
            return Err(place.fault("value", found, "a step to judge and to decide on", fix));
        }
        let terms = self.objective.as_ref().map(|terms| objective::resolve(terms, segment)).transpose()?;
        let decision = self.decision.as_ref().map(|d| d.value.resolve(segment, steps)).transpose()?;
        Ok((terms, decision))
    }

    fn segment(&self, spec: &SegmentSpec) -> Result<(Segment, SegmentAccount)> {
        let path = self.folder.join(&spec.description.value);
        let description =
            Description::read(&path).map_err(|error| spec.description.place.of_file("description", error))?;
        let acknowledged = acknowledge(&description, spec)?;
        let model = Model::from_description(&acknowledged)?;
        let (model, armatures) = self.machine(spec, &acknowledged, model)?;
        let settings = self.settings(spec)?;
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
                    return Err(servo.place.fault(
                        "value",
                        "a servo constant",
                        "none on the dynamic rung",
                        fix,
                    ));
                }
                let solver = spec.solver.as_ref().map_or(Solver::Exact, |s| s.value);
                let place = |error: &Error| match (error, &spec.solver) {
                    (Error::Value { who, .. }, Some(solver)) if who.starts_with("solver") => &solver.place,
                    _ => &spec.rung.place,
                };
                Rung::Dynamic(DynamicArm::new(model, dt, solver).map_err(|e| place(&e).of(e))?)
            }
            RungName::Kinematic => {
                let servo = spec.servo.as_ref().map(|s| s.value);
                Rung::Kinematic(KinematicArm::new(model, dt, servo).map_err(|e| spec.rung.place.of(e))?)
            }
        };
        let segment = Segment::new(&spec.name, rung, drives, every, &q, &v)
            .map_err(|error| at_fault(spec, &error).of(error))?;
        let account = SegmentAccount {
            path: spec.description.value.clone(),
            sha256: description.sha256.clone(),
            not_used: not_used(&description),
            acknowledged: acknowledged.acknowledged.clone(),
            armature_sources: armatures.into_iter().map(|a| a.source).collect(),
            settings,
            validity: validity(spec).into_iter().chain(freed(spec, &acknowledged)).collect(),
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
        // A joint that moves with others has their stops.
        let coupling = model.coupling();
        let stops = |j: &usize| joints[*j].lower.is_some() || joints[*j].upper.is_some();
        let unbounded = |&(coordinate, j): &(usize, &usize)| {
            joints[*j].kind != model::JointKind::Continuous
                && !stops(j)
                && !coupling.followers(coordinate).iter().any(stops)
        };
        let independent = coupling.independent().iter().enumerate();
        let without: Vec<&str> =
            independent.filter(unbounded).map(|(_, &j)| joints[j].name.as_str()).collect();
        if !without.is_empty() {
            let found = format!("no limits of {}, which the description does not limit", without.join(", "));
            let expected = "limits of every revolute and prismatic joint";
            let fix = format!("give them under [chain.{}.limits], with a reason each", quoted(&spec.name));
            return Err(spec.place.fault("missing_limits", found, expected, fix));
        }
        let mut model =
            model.with_joints(|j, joint| *joint = joints[j].clone()).map_err(|e| spec.place.of(e))?;
        if let Some(gravity) = self.gravity {
            model = model.with_gravity(gravity.into());
        }
        if spec.at.is_some() || spec.orientation.is_some() {
            let (at, turn) = (spec.at.unwrap_or_default(), spec.orientation.unwrap_or([1.0, 0.0, 0.0, 0.0]));
            model = model
                .with_placement(Pose::from_row(&[at[0], at[1], at[2], turn[0], turn[1], turn[2], turn[3]]));
        }
        Ok((model, armatures))
    }

    /// The drives of one segment's joints.
    fn assign(&self, spec: &SegmentSpec, model: &Model<f64>) -> Result<Vec<Option<Drive>>> {
        let mut drives = vec![None; model.joints().len()];
        let addresses: Vec<[String; 3]> =
            model.joints().iter().map(|j| spellings(&spec.name, &j.name)).collect();
        for entry in &self.drives {
            let Some(j) = addresses.iter().position(|address| address.contains(&entry.name)) else {
                let near = nearest(&entry.name, addresses.iter().map(|a| a[0].as_str()));
                return Err(entry.place.unknown(
                    &format!("drive of `{}`", entry.name),
                    "a joint of the chain",
                    near,
                ));
            };
            if drives[j].is_some() {
                let found = format!("a second drive of `{}`", addresses[j][0]);
                return Err(entry.place.fault("two_sources", found, "one drive a joint", "take one out"));
            }
            if let (RungName::Kinematic, Some(mimic)) = (spec.rung.value, &model.joints()[j].mimic) {
                let leader = &addresses[mimic.leader][0];
                let found = format!("a drive of `{}`, which follows `{leader}`", addresses[j][0]);
                let expected = "positions of the joints that follow none";
                let fix = format!("drive `{leader}`, or use the dynamic rung, where efforts add up");
                return Err(entry.place.fault("value", found, expected, fix));
            }
            if let (RungName::Kinematic, Drive::Pd { .. }) = (spec.rung.value, &entry.value) {
                let found = format!("a pd drive of `{}`, which is an effort", addresses[j][0]);
                let expected = "a position on the kinematic rung: constant, sine or table";
                return Err(entry.place.fault(
                    "value",
                    found,
                    expected,
                    "change it, or use the dynamic rung",
                ));
            }
            drives[j] = Some(entry.value.clone());
        }
        Ok(drives)
    }
}

/// How a joint may be addressed: as columns write it, with its name in quotes, and plainly.
pub(super) fn spellings(segment: &str, joint: &str) -> [String; 3] {
    let segment = quoted(segment);
    [
        format!("{segment}.{}", quoted(joint)),
        format!("{segment}.\"{}\"", joint.replace('"', "\\\"")),
        format!("{segment}.{joint}"),
    ]
}
