//! A state of `STATE.json`: read strictly, in model order.

use super::json::Json;
use super::place::{At, Place};
use super::step::StepRequest;
use crate::dynamics::Wrench;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::spatial::vector;

/// Every key of a state.
const KEYS: [&str; 18] = [
    "q", "v", "a", "tau", "gravity", "base", "base_tau", "wrenches", "armature", "dt", "solver", "momenta",
    "carried", "friction", "damping", "lower", "upper", "schema",
];

/// A state, with the machine it is a state of.
pub(super) struct State {
    /// What complaints call it.
    pub name: String,
    /// The robot's machine with this state's gravity, armature and base.
    pub machine: Model<f64>,
    /// Of the base and of the joints that follow none: see [`crate::dynamics::coupled`]; so are the next three.
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub a: Vec<f64>,
    pub tau: Vec<f64>,
    pub wrenches: Vec<Wrench<f64>>,
    /// What `step` needs besides, when `dt` is given.
    pub step: Option<StepRequest>,
}

/// The base of a state: `x y z qw qx qy qz`, and six velocities and accelerations, linear first.
struct Base {
    pose: [f64; 7],
    velocity: [f64; 6],
    acceleration: [f64; 6],
}

impl Base {
    fn still() -> Self {
        Base { pose: [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], velocity: [0.0; 6], acceleration: [0.0; 6] }
    }

    fn read(at: At<'_>) -> Result<Self> {
        const KEYS: [&str; 6] = [
            "position",
            "orientation",
            "linear_velocity",
            "angular_velocity",
            "linear_acceleration",
            "angular_acceleration",
        ];
        let mut base = Base::still();
        at.entries("an object", |key, value| {
            match key {
                "position" => base.pose[..3].copy_from_slice(&value.three()?),
                "orientation" => base.pose[3..].copy_from_slice(&unit_quaternion(&value)?),
                "linear_velocity" => base.velocity[..3].copy_from_slice(&value.three()?),
                "angular_velocity" => base.velocity[3..].copy_from_slice(&value.three()?),
                "linear_acceleration" => base.acceleration[..3].copy_from_slice(&value.three()?),
                "angular_acceleration" => base.acceleration[3..].copy_from_slice(&value.three()?),
                other => return Err(at.unknown("key", other, &KEYS)),
            }
            Ok(())
        })?;
        Ok(base)
    }
}

/// `w x y z`. One whose length is off by more than typed digits explain is a mistake, not a turn.
fn unit_quaternion(at: &At<'_>) -> Result<[f64; 4]> {
    let numbers = at.numbers(4)?;
    let length = numbers.iter().fold(0.0_f64, |l, x| l.hypot(*x));
    if (length - 1.0).abs() > 1e-3 {
        let found = format!("a quaternion of length {length}");
        return Err(Error::value(&at.place.to_string(), found, "a unit quaternion, w x y z"));
    }
    Ok([numbers[0] / length, numbers[1] / length, numbers[2] / length, numbers[3] / length])
}

/// Reads one number a joint: a list in model order, or a map of joint names. `None` where a map has no entry.
pub(super) fn joints(at: &At<'_>, robot: &Model<f64>) -> Result<Vec<Option<f64>>> {
    let n = robot.joints().len();
    if let Json::List(items) = at.json {
        if items.len() != n {
            const FEW: usize = 20;
            let names: Vec<&str> = robot.joints().iter().take(FEW).map(|joint| joint.name.as_str()).collect();
            let more = if n > FEW { ", …" } else { "" };
            let expected = format!(
                "{n}, one a joint in model order ({}{more}), or an object of joint names",
                names.join(", ")
            );
            return Err(Error::value(&at.place.to_string(), format!("{} numbers", items.len()), &expected));
        }
        return Ok(at.numbers(n)?.into_iter().map(Some).collect());
    }
    let mut values = vec![None; n];
    at.entries(&format!("an object of joint names, or a list of {n} numbers"), |name, value| {
        let Some(j) = robot.joints().iter().position(|joint| joint.name == name) else {
            let names: Vec<&str> = robot.joints().iter().map(|joint| joint.name.as_str()).collect();
            return Err(at.unknown("joint", name, &names));
        };
        values[j] = Some(value.number()?);
        Ok(())
    })?;
    Ok(values)
}

/// Reads one number for each joint that follows none, as [`joints`]; the others have theirs from those.
fn independent(at: &At<'_>, robot: &Model<f64>) -> Result<Vec<Option<f64>>> {
    let coupling = robot.coupling();
    if coupling.is_trivial() {
        return joints(at, robot);
    }
    let names = |j: usize| robot.joints()[j].name.as_str();
    if let Json::List(_) = at.json {
        return Ok(at.numbers(coupling.independent().len())?.into_iter().map(Some).collect());
    }
    let given = joints(at, robot)?;
    if let Some(j) = (0..given.len()).find(|&j| given[j].is_some() && coupling.follows(j)) {
        let leader = names(coupling.independent()[coupling.members()[j].coordinate]);
        let expected = format!("`{leader}`, which it follows");
        return Err(Error::value(&at.place.to_string(), format!("`{}`", names(j)), &expected));
    }
    Ok(coupling.independent().iter().map(|&j| given[j]).collect())
}

/// The index of the frame that is named here.
pub(super) fn frame(at: &At<'_>, robot: &Model<f64>) -> Result<usize> {
    let name = at.text()?;
    let names: Vec<&str> = robot.frames().iter().map(|frame| frame.name.as_str()).collect();
    names.iter().position(|known| *known == name).ok_or_else(|| at.unknown("frame", name, &names))
}

fn wrench(at: At<'_>, robot: &Model<f64>) -> Result<Wrench<f64>> {
    let (mut on, mut force, mut moment) = (None, [0.0; 3], [0.0; 3]);
    at.entries("an object with `frame`, `force` and `torque`", |key, value| {
        match key {
            "frame" => on = Some(frame(&value, robot)?),
            "force" => force = value.three()?,
            "torque" => moment = value.three()?,
            other => return Err(at.unknown("key", other, &["frame", "force", "torque"])),
        }
        Ok(())
    })?;
    let frame =
        on.ok_or_else(|| Error::value(&at.place.to_string(), "no `frame`", "the frame it acts on"))?;
    Ok(Wrench { frame, force: vector(force), moment: vector(moment) })
}

impl State {
    /// Reads state `k` of a file.
    pub fn read(file: &str, k: usize, json: &Json, robot: &Model<f64>) -> Result<State> {
        let at = At { place: Place::State(file, k), json };
        let name = at.place.to_string();
        let r = robot.coupling().independent().len();
        let mut vectors = [(); 4].map(|()| vec![0.0; r]);
        let mut armature = vec![0.0; robot.joints().len()];
        let (mut gravity, mut base, mut base_tau) = (None, None, None);
        let mut wrenches = Vec::new();
        let mut step = StepRequest::default();
        at.entries("a state: a JSON object such as {\"q\": {..}, \"v\": {..}}", |key, value| {
            let fill = |numbers: &mut [f64], given: Vec<Option<f64>>| {
                numbers.iter_mut().zip(given).for_each(|(x, given)| *x = given.unwrap_or(0.0));
            };
            if let Some(k) = ["q", "v", "a", "tau"].iter().position(|known| *known == key) {
                fill(&mut vectors[k], independent(&value, robot)?);
                return Ok(());
            }
            match key {
                "armature" => fill(&mut armature, joints(&value, robot)?),
                "gravity" => gravity = Some(value.three()?),
                "base" => base = Some(Base::read(value)?),
                "base_tau" => base_tau = Some(value.numbers(6)?),
                "wrenches" => value.each("a list of wrenches", |item| {
                    wrenches.push(wrench(item, robot)?);
                    Ok(())
                })?,
                // The document's own word for what it is.
                "schema" => {
                    value.text()?;
                }
                _ if step.read(key, &value, robot)? => {}
                other => return Err(at.unknown("key", other, &KEYS)),
            }
            Ok(())
        })?;
        let free = base.is_some() || robot.has_free_base();
        if base_tau.is_some() && !free {
            let key = Place::Key(&at.place, "base_tau").to_string();
            return Err(Error::value(&key, "the effort of a base that is fixed", "a `base` beside it"));
        }
        let [q, v, a, tau] = vectors;
        let mut machine = robot.clone().with_free_base(free);
        if let Some(gravity) = gravity {
            machine = machine.with_gravity(vector(gravity));
        }
        if armature.iter().any(|x| *x != 0.0) {
            let armed = machine.with_joints(|j, joint| joint.armature = armature[j]);
            machine = armed.map_err(|error| placed(error, &name))?;
        }
        let base = base.unwrap_or_else(Base::still);
        let with = |part: &[f64], rest: Vec<f64>| -> Vec<f64> {
            part.iter().copied().take(if free { part.len() } else { 0 }).chain(rest).collect()
        };
        Ok(State {
            q: with(&base.pose, q),
            v: with(&base.velocity, v),
            a: with(&base.acceleration, a),
            tau: with(&base_tau.unwrap_or_else(|| vec![0.0; 6]), tau),
            step: step.checked(&at)?,
            name,
            machine,
            wrenches,
        })
    }
}

/// An error of the model or the step, with the state's name before whatever it is about.
pub(super) fn placed(error: Error, state: &str) -> Error {
    match error {
        Error::Value { who, found, expected } => {
            Error::Value { who: format!("{state}: {who}"), found, expected }
        }
        other => other,
    }
}
