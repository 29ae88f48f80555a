//! The quantity `step`: one step of the dynamic rung from a state.

use super::answer::row;
use super::place::At;
use super::state::{State, frame, joints, placed};
use crate::dynamics::Carried;
use crate::error::{Error, Result};
use crate::model::Model;
use crate::spatial::{Matrix, Symmetric, vector};
use crate::step::switches::{FRICTION_HIGH, FRICTION_LOW, STOP_HIGH, STOP_LOW};
use crate::step::{DynamicArm, Indicators, Inputs, Outcome, Settlement, Solver, SpinMomentum, StepWorkspace};
use crate::switch::Choices;
use serde_json::{Map, Value, json};

/// The keys of a state that only the step reads.
#[derive(Default)]
pub(super) struct StepRequest {
    dt: Option<f64>,
    solver: Option<Solver>,
    momenta: Vec<SpinMomentum<f64>>,
    carried_start: Vec<Carried<f64>>,
    carried_end: Vec<Carried<f64>>,
    /// Friction, damping, lower, upper: by joint, where they replace the file's.
    laws: [Vec<Option<f64>>; 4],
    /// The first key given, `dt` aside.
    needs_dt: Option<String>,
}

const LAWS: [&str; 4] = ["friction", "damping", "lower", "upper"];

impl StepRequest {
    /// Takes a key of a state, if it is one of the step's.
    pub fn read(&mut self, key: &str, value: &At<'_>, robot: &Model<f64>) -> Result<bool> {
        match key {
            "dt" => {
                let dt = value.number()?;
                if dt <= 0.0 {
                    return Err(value.wrong("a positive number of seconds"));
                }
                self.dt = Some(dt);
                return Ok(true);
            }
            "solver" => self.solver = Some(solver(value)?),
            "momenta" => value.each("a list of spin momenta", |item| {
                self.momenta.push(momentum(&item, robot)?);
                Ok(())
            })?,
            "carried" => value.each("a list of carried inertias", |item| {
                let (start, end) = carried(&item, robot)?;
                self.carried_start.push(start);
                self.carried_end.push(end);
                Ok(())
            })?,
            law => match LAWS.iter().position(|known| *known == law) {
                Some(k) => self.laws[k] = joints(value, robot)?,
                None => return Ok(false),
            },
        }
        self.needs_dt.get_or_insert_with(|| key.to_owned());
        Ok(true)
    }

    /// The request, if there is one.
    pub fn checked(self, at: &At<'_>) -> Result<Option<Self>> {
        match (self.dt, &self.needs_dt) {
            (Some(_), _) => Ok(Some(self)),
            (None, None) => Ok(None),
            (None, Some(key)) => Err(Error::value(
                &format!("{}: {key}", at.place),
                "no `dt` beside it",
                "\"dt\": the step's length in seconds, because only the quantity `step` reads this",
            )),
        }
    }

    /// The machine with the laws given here in place of the file's.
    fn apply(&self, machine: &Model<f64>) -> Result<Model<f64>> {
        if self.laws.iter().all(Vec::is_empty) {
            return Ok(machine.clone());
        }
        let given = |law: usize, j: usize| self.laws[law].get(j).copied().flatten();
        machine.with_joints(|j, joint| {
            if let Some(friction) = given(0, j) {
                // As in a file: a friction of zero is no friction.
                joint.friction = (friction != 0.0).then_some(friction);
            }
            joint.damping = given(1, j).unwrap_or(joint.damping);
            joint.lower = given(2, j).or(joint.lower);
            joint.upper = given(3, j).or(joint.upper);
        })
    }
}

fn solver(at: &At<'_>) -> Result<Solver> {
    let expected = "\"exact\", or {\"sweeps\": a whole number}";
    if at.text().is_ok_and(|word| word == "exact") {
        return Ok(Solver::Exact);
    }
    let mut count = None;
    at.entries(expected, |key, value| {
        if key != "sweeps" {
            return Err(at.unknown("key", key, &["sweeps"]));
        }
        let sweeps = value.number()?;
        if sweeps.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&sweeps) {
            return Err(value.wrong("a whole number of zero or more"));
        }
        count = Some(sweeps as u32);
        Ok(())
    })?;
    count.map(Solver::Sweeps).ok_or_else(|| at.wrong(expected))
}

fn momentum(at: &At<'_>, robot: &Model<f64>) -> Result<SpinMomentum<f64>> {
    let (mut on, mut spin) = (None, None);
    at.entries("an object with `frame` and `value`", |key, value| {
        match key {
            "frame" => on = Some(frame(&value, robot)?),
            "value" => spin = Some(value.three()?),
            other => return Err(at.unknown("key", other, &["frame", "value"])),
        }
        Ok(())
    })?;
    match (on, spin) {
        (Some(frame), Some(value)) => Ok(SpinMomentum { frame, value: vector(value) }),
        _ => Err(at.wrong("both `frame` and `value` (N m s, world axes)")),
    }
}

fn carried(at: &At<'_>, robot: &Model<f64>) -> Result<(Carried<f64>, Carried<f64>)> {
    let (mut on, mut start, mut end) = (None, None, None);
    at.entries("an object with `frame`, `start` and `end`", |key, value| {
        match key {
            "frame" => on = Some(frame(&value, robot)?),
            "start" => start = Some(tensor(&value)?),
            "end" => end = Some(tensor(&value)?),
            other => return Err(at.unknown("key", other, &["frame", "start", "end"])),
        }
        Ok(())
    })?;
    match (on, start, end) {
        (Some(frame), Some(start), Some(end)) => {
            Ok((Carried { frame, tensor: start }, Carried { frame, tensor: end }))
        }
        _ => Err(at.wrong("`frame`, `start` and `end` (kg m^2, world axes)")),
    }
}

/// Three rows of three, symmetric up to rounding.
fn tensor(at: &At<'_>) -> Result<Symmetric<f64>> {
    let mut rows = Vec::new();
    at.each("three rows of three numbers", |row| {
        rows.push(row.three()?);
        Ok(())
    })?;
    let [a, b, c]: [[f64; 3]; 3] = rows.try_into().map_err(|_| at.wrong("three rows of three numbers"))?;
    let matrix = Matrix::from_rows(&[a.into(), b.into(), c.into()]);
    let skew = (matrix - matrix.transpose()).amax();
    if skew > 1e-9 * matrix.amax() {
        let found = format!("a matrix that differs by {skew:e} from its transpose");
        return Err(Error::value(&at.place.to_string(), found, "a symmetric matrix"));
    }
    Ok(Symmetric::from_matrix(&matrix))
}

/// The answer's `step`, and the joint at which it stopped being finite, if it did.
///
/// From positions and velocities of all joints; the effort on a joint that follows none acts there.
pub(super) fn step(state: &State, q: &[f64], v: &[f64]) -> Result<(Value, Option<usize>)> {
    let Some((request, dt)) = state.step.as_ref().and_then(|request| Some((request, request.dt?))) else {
        return Err(Error::value(&state.name, "no `dt`", "\"dt\": the step's length in seconds, for `step`"));
    };
    if state.machine.has_free_base() {
        return Err(Error::value(
            &format!("{}: base", state.name),
            "a free base beside `dt`",
            "a root fixed in the world for `step`; leave out one of both, or choose `--quantities` without step",
        ));
    }
    let here = |error| placed(error, &state.name);
    let machine = request.apply(&state.machine).map_err(here)?;
    let arm = DynamicArm::new(machine, dt, request.solver.unwrap_or(Solver::Exact)).map_err(here)?;
    let mut now = arm.state(q, v).map_err(|error| match error {
        Error::Value { who, found, expected } => {
            let who = who.replacen("initial_positions", "q", 1).replacen("initial_velocities", "v", 1);
            here(Error::Value { who, found, expected })
        }
        other => other,
    })?;
    let (mut ws, mut out) = (StepWorkspace::new(arm.model()), Outcome::new(arm.model()));
    let mut effort = vec![0.0; q.len()];
    for (&j, tau) in arm.model().coupling().independent().iter().zip(&state.tau) {
        effort[j] = *tau;
    }
    let inputs = Inputs {
        effort: &effort,
        friction: &[],
        wrenches: &state.wrenches,
        momenta: &request.momenta,
        carried_start: &request.carried_start,
        carried_end: &request.carried_end,
    };
    let report = arm.step(&mut ws, &mut now, &inputs, &mut Choices::free(), &mut out);
    let indicator = |of: fn(&Indicators<f64>) -> Option<f64>| -> Value {
        out.indicators.iter().map(|all| of(all).map(Value::from)).collect()
    };
    let mut indicators = Map::new();
    indicators.insert(STOP_LOW.name.into(), indicator(|all| all.stop_low));
    indicators.insert(STOP_HIGH.name.into(), indicator(|all| all.stop_high));
    indicators.insert(FRICTION_LOW.name.into(), indicator(|all| all.friction_low));
    indicators.insert(FRICTION_HIGH.name.into(), indicator(|all| all.friction_high));
    let mut answer = json!({
        "q": row(&now.q),
        "v": row(&now.v),
        "v_turned": row(&out.v_turned),
        "v_free": row(&out.v_free),
        "friction_impulse": row(&out.friction_impulse),
        "stop_impulse": row(&out.stop_impulse),
        "piece": out.pieces,
        "residual": report.residual,
        "settled": report.settled(),
        "indicators": indicators,
    });
    if !arm.model().coupling().is_trivial() {
        answer["joints"] = arm.model().joints().iter().map(|joint| joint.name.as_str()).collect();
    }
    let joint = match report.settlement {
        Settlement::NotFinite { joint } => Some(joint),
        Settlement::Settled | Settlement::Residual(_) => None,
    };
    Ok((answer, joint))
}
