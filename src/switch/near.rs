//! The facts behind a status: what came near, what was undecided, what no input changes.

use super::status::Observed;
use std::fmt;

/// One switch of one joint, at its nearest over a run.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Near {
    /// The switch's name.
    pub switch: &'static str,
    /// The joint whose law it is.
    pub joint: String,
    /// End of the step in which it was nearest, s.
    pub time: f64,
    /// The indicator there.
    pub value: f64,
    /// Nearer to zero than this counts as near.
    pub margin: f64,
    /// Of the value and the margin.
    pub unit: &'static str,
    /// Whether an output jumps there, order −1.
    pub jumps: bool,
    /// End of the first step in which the indicator was exactly zero, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero_time: Option<f64>,
    /// End of the first step that left it on the other side, s; of switches of order −1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossed_time: Option<f64>,
}

impl Near {
    /// How far it was from zero, in margins.
    pub fn margins(&self) -> f64 {
        self.value.abs() / self.margin
    }

    /// Within its margin.
    pub fn within(&self) -> bool {
        self.value.abs() <= self.margin
    }
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Near { switch, joint, time, value, margin, unit, .. } = self;
        write!(f, "{switch} of {joint}, {} {unit} from its edge at {time} s", short(value.abs()))?;
        write!(f, " (margin {} {unit})", short(*margin))
    }
}

/// Three digits.
fn short(x: f64) -> String {
    if x == 0.0 || (1e-3..1e4).contains(&x) {
        let digits = if x == 0.0 { 0 } else { (2 - x.log10().floor() as i32).max(0) as usize };
        format!("{x:.digits$}")
    } else {
        let rounded: f64 = format!("{x:.2e}").parse().unwrap_or(x);
        format!("{rounded:e}")
    }
}

/// The nearer of two, in margins.
pub(super) fn nearer<'a>(a: &'a Near, b: &'a Near) -> &'a Near {
    if b.margins() < a.margins() { b } else { a }
}

/// The status of one output group, for instance `joint_positions`.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct GroupStatus {
    /// The group.
    #[serde(skip)]
    pub name: &'static str,
    /// The worst of its switches.
    pub status: Observed,
    /// Of its switches the nearest in units of its margin, near or not.
    pub margin: Option<Near>,
    /// Its switches that came within their margins, or crossed.
    pub near: Vec<Near>,
}

impl GroupStatus {
    pub(super) fn join(&mut self, other: GroupStatus) {
        self.status = self.status.max(other.status);
        self.margin = match (self.margin.take(), other.margin) {
            (Some(own), Some(theirs)) => Some(nearer(&own, &theirs).clone()),
            (own, theirs) => own.or(theirs),
        };
        self.near.extend(other.near);
    }
}

/// A tie that no tangent decided: the law's convention held.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Undecided {
    /// The switch's name.
    pub switch: &'static str,
    /// The joint whose law it is.
    pub joint: String,
    /// End of the first step with such a tie, s.
    pub time: f64,
    /// How often.
    pub times: u64,
}

/// Joints are held so that no input of a family changes anything in an output group: its derivative is zero, and says nothing
/// of what a larger input would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Vanishing {
    /// The output group.
    pub group: &'static str,
    /// The family of inputs, `efforts` or `commands`.
    pub inputs: &'static str,
    /// At the end of every step, not of the last one alone.
    pub throughout: bool,
}
