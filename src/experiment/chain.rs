//! `[chain.X]`: one segment as the file has it.

use super::document::Value;
use super::place::{Named, Place, Placed};
use crate::description::Acknowledgement;
use crate::error::Result;
use crate::step::Solver;

/// How a segment moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RungName {
    Kinematic,
    Dynamic,
}

/// Numbers for joints: by name, or one a joint in model order.
#[derive(Clone, Debug)]
pub(crate) enum PerJoint {
    Map(Vec<Named<f64>>),
    Array(Vec<f64>),
}

/// Stops in place of the description's.
#[derive(Clone, Debug)]
pub(crate) struct Stops {
    pub lower: f64,
    pub upper: f64,
    pub reason: String,
}

/// Friction and damping in place of the description's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Friction {
    pub coulomb: f64,
    pub damping: f64,
}

/// An inertia, and why.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub value: f64,
    pub reason: String,
}

/// A segment as the file has it.
#[derive(Clone, Debug)]
pub(crate) struct SegmentSpec {
    pub name: String,
    pub place: Place,
    pub description: Placed<String>,
    pub rung: Placed<RungName>,
    pub initial_positions: Placed<PerJoint>,
    pub initial_velocities: Option<Placed<PerJoint>>,
    pub at: Option<[f64; 3]>,
    pub orientation: Option<[f64; 4]>,
    pub servo: Option<Placed<f64>>,
    /// Seconds, and base steps.
    pub rate: Option<(f64, usize)>,
    pub solver: Option<Placed<Solver>>,
    pub limits: Vec<Named<Stops>>,
    pub friction: Vec<Named<Friction>>,
    pub armature: Vec<Named<Declared>>,
    pub actuators: Vec<Named<Declared>>,
    pub acknowledged: Vec<Placed<Acknowledgement>>,
    /// Whether mimic joints are coupled to the joints they follow.
    pub coupled: bool,
}

const KEYS: &[&str] = &[
    "description",
    "rung",
    "initial_positions",
    "initial_velocities",
    "at",
    "orientation",
    "mount",
    "servo",
    "rate",
    "solver",
    "limits",
    "friction",
    "armature",
    "actuators",
    "acknowledged",
    "mimic",
];

/// Reads `[chain.X]`; `step` is the base step, s.
pub(super) fn segment(name: &Named<Value<'_>>, step: f64) -> Result<SegmentSpec> {
    let table = name.value.table("a segment, `[chain.NAME]`")?;
    table.only(KEYS)?;
    if let Some(mount) = table.get("mount") {
        return Err(mount.place().not_built(&format!("`{}`", mount.path())));
    }
    let required = |key: &str, expected: &str| table.require(key, expected);
    let description = required("description", "the path of a URDF file, beside this file")?;
    let rung = required("rung", "\"kinematic\" or \"dynamic\"")?;
    let rungs = [("kinematic", RungName::Kinematic), ("dynamic", RungName::Dynamic)];
    let positions = required("initial_positions", "positions by joint name, rad; m")?;
    let optional = |key: &str| table.get(key);
    let path = description.text("the path of a URDF file, beside this file")?.to_owned();
    Ok(SegmentSpec {
        name: name.name.clone(),
        place: name.place.clone(),
        description: description.placed(path),
        rung: rung.placed(rung.choice(&rungs)?),
        initial_positions: positions.placed(per_joint(&positions, "a position, rad; m")?),
        initial_velocities: optional("initial_velocities")
            .map(|v| Ok::<_, crate::Error>(v.placed(per_joint(&v, "a velocity, rad/s; m/s")?)))
            .transpose()?,
        at: optional("at").map(|v| v.numbers("a position x y z, m")).transpose()?,
        orientation: optional("orientation").map(|v| orientation(&v)).transpose()?,
        servo: optional("servo")
            .map(|v| v.number_where("a positive time constant, s", |x| x > 0.0).map(|x| v.placed(x)))
            .transpose()?,
        rate: optional("rate").map(|v| rate(&v, step)).transpose()?,
        solver: optional("solver").map(|v| solver(&v).map(|s| v.placed(s))).transpose()?,
        limits: table.each("limits", "stops by joint name", stops)?,
        friction: table.each("friction", "friction by joint name", friction)?,
        armature: table.each("armature", "reflected inertia by joint name", |v| {
            declared(v, "value", "zero or more, kg m^2 (kg on a slide)")
        })?,
        actuators: table.each("actuators", "rotors by the actuator's name in a transmission", actuator)?,
        coupled: optional("mimic").map(|v| v.choice(&[("coupled", true)])).transpose()?.unwrap_or(false),
        acknowledged: optional("acknowledged").map(|v| acknowledged(&v)).transpose()?.unwrap_or_default(),
    })
}

fn per_joint(value: &Value<'_>, what: &str) -> Result<PerJoint> {
    if value.is_array() {
        let numbers = value.list(what)?.iter().map(|v| v.number(what)).collect::<Result<_>>()?;
        return Ok(PerJoint::Array(numbers));
    }
    let entries = value.table("numbers by joint name, or an array in model order")?.entries().into_iter();
    let named = entries.map(|e| Ok(Named { value: e.value.number(what)?, name: e.name, place: e.place }));
    Ok(PerJoint::Map(named.collect::<Result<_>>()?))
}

pub(super) fn orientation(value: &Value<'_>) -> Result<[f64; 4]> {
    let q: [f64; 4] = value.numbers("a unit quaternion w x y z")?;
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (length - 1.0).abs() > 1e-6 {
        let expected = format!("a unit quaternion w x y z (this one has length {length})");
        return Err(value.wrong("value", expected, "divide it by its length"));
    }
    Ok(q)
}

fn rate(value: &Value<'_>, step: f64) -> Result<(f64, usize)> {
    let expected = format!("a whole multiple of time.step, {step} s");
    let rate = value.number(&expected)?;
    let multiple = (rate / step).round();
    if !(1.0..1e9).contains(&multiple) || (rate / step - multiple).abs() > 1e-9 * multiple {
        return Err(value.wrong("value", expected, "change it, or time.step"));
    }
    Ok((rate, multiple as usize))
}

fn solver(value: &Value<'_>) -> Result<Solver> {
    if !value.is_table() {
        return value.choice(&[("exact", Solver::Exact)]);
    }
    let table = value.table("{ sweeps = N }")?;
    table.only(&["sweeps"])?;
    let sweeps = table.require("sweeps", "a whole number of sweeps")?;
    Ok(Solver::Sweeps(sweeps.count("a whole number of sweeps, zero or more")?))
}

fn stops(value: &Value<'_>) -> Result<Stops> {
    let table = value.table("{ lower, upper, reason }")?;
    table.only(&["lower", "upper", "reason"])?;
    let number = |key: &str| table.require(key, "a stop, rad; m")?.number("a stop, rad; m");
    let (lower, upper) = (number("lower")?, number("upper")?);
    if lower > upper {
        let found = format!("`{}`: lower {lower} above upper {upper}", table.path());
        return Err(value.place().fault("value", found, "lower at most upper", "change one of them"));
    }
    let reason = table.require("reason", "the reason for other limits than the description's")?;
    Ok(Stops { lower, upper, reason: reason.reason("the reason for other limits than the description's")? })
}

fn friction(value: &Value<'_>) -> Result<Friction> {
    let table = value.table("{ coulomb, damping }")?;
    table.only(&["coulomb", "damping", "model", "parameters"])?;
    if let Some(budget) = table.get("model").or_else(|| table.get("parameters")) {
        return Err(budget.place().not_built(&format!("a friction budget, `{}`", budget.path())));
    }
    let number = |key: &str, expected: &str| {
        table.get(key).map_or(Ok(0.0), |v| v.number_where(expected, |x| x >= 0.0))
    };
    if table.entries().is_empty() {
        return Err(value.wrong(
            "missing_key",
            "coulomb (N m; N), damping (N m s; N s), or both",
            "give one",
        ));
    }
    Ok(Friction {
        coulomb: number("coulomb", "Coulomb friction of zero or more, N m; N")?,
        damping: number("damping", "damping of zero or more, N m s; N s")?,
    })
}

fn declared(value: &Value<'_>, key: &str, expected: &str) -> Result<Declared> {
    let table = value.table(&format!("{{ {key}, reason }}"))?;
    table.only(&[key, "reason"])?;
    let number = table.require(key, expected)?.number_where(expected, |x| x >= 0.0)?;
    let reason =
        table.require("reason", "where the number comes from")?.reason("where the number comes from")?;
    Ok(Declared { value: number, reason })
}

fn actuator(value: &Value<'_>) -> Result<Declared> {
    if value.is_text() {
        let expected = "a registered actuator; none is registered in this version";
        let fix = "give { rotor_inertia = ..., reason = \"...\" } with the number from the datasheet";
        return Err(value.wrong("unknown_name", expected, fix));
    }
    declared(value, "rotor_inertia", "zero or more, kg m^2")
}

fn acknowledged(value: &Value<'_>) -> Result<Vec<Placed<Acknowledgement>>> {
    let what = "[[chain.X.acknowledged]] with element and reason";
    let entries = value.list(what)?.into_iter().map(|entry| {
        let table = entry.table(what)?;
        table.only(&["element", "reason"])?;
        let element = table.require("element", "the path of a refused element")?;
        let reason = table.require("reason", "why it may be passed over in this study")?;
        let given = Acknowledgement {
            element: element.text("the path of a refused element")?.to_owned(),
            reason: reason.reason("why it may be passed over in this study")?,
        };
        Ok(element.placed(given))
    });
    entries.collect()
}
