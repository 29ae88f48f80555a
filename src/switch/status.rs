//! How far a derivative can be trusted.
//!
//! A derivative is that of the pieces that were taken. [`Observed`] says what that is worth, the least of all switches, and
//! [`GradientStatus`] keeps every fact behind it, whichever wins.

use super::near::{GroupStatus, Near, Undecided, Vanishing, nearer};
use serde::Serializer;
use serde::ser::SerializeMap;
use std::fmt;

/// What a derivative turned out to be; worse is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Observed {
    /// No indicator came within its margin of zero.
    Exact,
    /// The piece's derivative is exact, and another piece is near.
    ExactBranch,
    /// An indicator was exactly zero: an element of the generalized derivative.
    OneSided,
    /// A switch of order −1 came within its margin, or changed side between two steps.
    Jump,
    /// A solve left residual, or its pieces had not settled: the derivative may be off by O(1).
    Unsettled,
}

impl Observed {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Observed::Exact => "exact",
            Observed::ExactBranch => "exact_branch",
            Observed::OneSided => "one_sided",
            Observed::Jump => "jump",
            Observed::Unsettled => "unsettled",
        }
    }
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What the laws declare before anything is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Declared {
    /// No law evaluates a switch.
    Exact,
    /// Some law does.
    PiecewiseKink,
}

impl Declared {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Declared::Exact => "exact",
            Declared::PiecewiseKink => "piecewise_kink",
        }
    }
}

/// The status of a derivative through a run. Written as JSON it is the `status` of every report.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct GradientStatus {
    /// What the laws declare.
    pub declared: Declared,
    /// The worst of the groups.
    pub observed: Observed,
    /// Each output group's.
    #[serde(serialize_with = "groups")]
    pub groups: Vec<GroupStatus>,
    /// The part of the steps in which a joint was held by its friction, joints in model order.
    #[serde(serialize_with = "parts")]
    pub stuck_fraction: Vec<(String, f64)>,
    /// The part of the steps in which a joint was held on a stop or commanded beyond a limit.
    #[serde(serialize_with = "parts")]
    pub stop_fraction: Vec<(String, f64)>,
    /// The largest that a solve left, N m s or N s.
    pub residual: f64,
    /// Whether every step settled.
    pub settled: bool,
    /// Steps observed.
    pub steps: u64,
    /// Steps that did not settle.
    pub unsettled_steps: u64,
    /// End of the first of them, s.
    pub unsettled_time: Option<f64>,
    /// Ties that no tangent decided.
    pub undecided: Vec<Undecided>,
    /// What no input changes.
    pub vanishing: Vec<Vanishing>,
    /// The families of inputs there are, `efforts` or `commands`.
    pub inputs: Vec<&'static str>,
}

impl GradientStatus {
    /// One group's status, by its name.
    pub fn group(&self, name: &str) -> Option<&GroupStatus> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// Whether no input of a family changes a group at the end of the run.
    pub fn vanishes(&self, group: &str, inputs: &str) -> bool {
        self.vanishing.iter().any(|v| v.group == group && v.inputs == inputs)
    }

    /// The same with other names for the joints, for instance with their segment's before them.
    pub fn renamed(mut self, name: impl Fn(&str) -> String) -> Self {
        let near = self.groups.iter_mut().flat_map(|group| group.margin.iter_mut().chain(&mut group.near));
        let near = near.map(|near| &mut near.joint);
        let parts = self.stuck_fraction.iter_mut().chain(&mut self.stop_fraction).map(|(joint, _)| joint);
        let ties = self.undecided.iter_mut().map(|tie| &mut tie.joint);
        for joint in near.chain(parts).chain(ties) {
            *joint = name(joint);
        }
        self
    }

    /// Of two segments of one run: the least of both, every fact of both.
    pub fn join(&mut self, other: GradientStatus) {
        let kept = |v: &Vanishing, theirs: &GradientStatus| {
            let mut same = theirs.vanishing.iter().filter(|w| (w.group, w.inputs) == (v.group, v.inputs));
            if !theirs.inputs.contains(&v.inputs) {
                return Some(*v);
            }
            same.next().map(|w| Vanishing { throughout: v.throughout && w.throughout, ..*v })
        };
        let mut vanishing: Vec<Vanishing> = self.vanishing.iter().filter_map(|v| kept(v, &other)).collect();
        let only_theirs = other.vanishing.iter().filter(|v| !self.inputs.contains(&v.inputs));
        vanishing.extend(only_theirs);
        self.vanishing = vanishing;
        self.inputs.extend(other.inputs.iter().filter(|i| !self.inputs.contains(i)).collect::<Vec<_>>());
        self.declared = self.declared.max(other.declared);
        self.observed = self.observed.max(other.observed);
        for group in other.groups {
            match self.groups.iter_mut().find(|own| own.name == group.name) {
                Some(own) => own.join(group),
                None => self.groups.push(group),
            }
        }
        self.stuck_fraction.extend(other.stuck_fraction);
        self.stop_fraction.extend(other.stop_fraction);
        self.residual = self.residual.max(other.residual);
        self.settled &= other.settled;
        self.steps += other.steps;
        self.unsettled_steps += other.unsettled_steps;
        let times = self.unsettled_time.into_iter().chain(other.unsettled_time);
        self.unsettled_time = times.reduce(f64::min);
        self.undecided.extend(other.undecided);
    }

    /// The switch that came nearest, in units of its margin, of all groups.
    pub fn nearest(&self) -> Option<&Near> {
        self.groups.iter().filter_map(|group| group.margin.as_ref()).reduce(nearer)
    }

    /// Switches that were near in any group, or crossed, each once; the nearest in units of its margin first.
    pub fn near(&self) -> Vec<&Near> {
        let mut all: Vec<&Near> = Vec::new();
        for near in self.groups.iter().flat_map(|group| &group.near) {
            if !all.iter().any(|known| (known.switch, &known.joint) == (near.switch, &near.joint)) {
                all.push(near);
            }
        }
        all.sort_by(|a, b| a.margins().total_cmp(&b.margins()));
        all
    }
}

/// One sentence, without its full stop.
impl fmt::Display for GradientStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = self.near();
        let first = |is: &dyn Fn(&Near) -> Option<f64>| {
            let times = near.iter().filter_map(|n| is(n).map(|t| (*n, t)));
            times.reduce(|a, b| if b.1 < a.1 { b } else { a })
        };
        match self.observed {
            Observed::Exact if self.declared == Declared::Exact => write!(f, "exact: no law has a switch")?,
            Observed::Exact => {
                write!(f, "exact: no switch came within its margin")?;
                if let Some(nearest) = self.nearest() {
                    write!(f, "; nearest {nearest}")?;
                }
            }
            Observed::ExactBranch => {
                write!(f, "exact_branch: exact on the pieces taken, and another was near")?;
                if let Some(nearest) = near.first() {
                    write!(f, ": {nearest}")?;
                }
            }
            Observed::OneSided => {
                write!(f, "one_sided: a switch stood on its edge")?;
                if let Some((n, t)) = first(&|n| n.zero_time) {
                    write!(f, ": {} of {} exactly zero at {t} s", n.switch, n.joint)?;
                } else if let Some(tie) = self.undecided.first() {
                    write!(f, ": {} of {} undecided at {} s", tie.switch, tie.joint, tie.time)?;
                }
            }
            Observed::Jump => {
                write!(f, "jump: the outputs themselves may jump")?;
                let crossed = first(&|n| n.crossed_time);
                if let Some((n, t)) = crossed {
                    write!(f, ": {} of {} changed side at {t} s", n.switch, n.joint)?;
                } else if let Some(nearest) = near.iter().find(|n| n.jumps) {
                    write!(f, ": {nearest}")?;
                }
            }
            Observed::Unsettled => {
                write!(f, "unsettled: {} of {} steps did not settle", self.unsettled_steps, self.steps)?;
                if let Some(time) = self.unsettled_time {
                    write!(f, ", the first ends at {time} s")?;
                }
                write!(f, "; largest residual {:.1e} N m s or N s", self.residual)?;
            }
        }
        let more = near.len().saturating_sub(1);
        if more > 0 {
            write!(f, ", and {more} more")?;
        }
        for (k, inputs) in self.inputs.iter().enumerate() {
            let of = |v: &&Vanishing| v.inputs == *inputs && !self.inputs[..k].contains(inputs);
            let groups: Vec<&str> = self.vanishing.iter().filter(of).map(|v| v.group).collect();
            if !groups.is_empty() {
                write!(f, "; at the end no {inputs} change {}", groups.join(", "))?;
            }
        }
        Ok(())
    }
}

fn groups<S: Serializer>(groups: &[GroupStatus], s: S) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(Some(groups.len()))?;
    groups.iter().try_for_each(|group| map.serialize_entry(group.name, group))?;
    map.end()
}

fn parts<S: Serializer>(parts: &[(String, f64)], s: S) -> Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(Some(parts.len()))?;
    parts.iter().try_for_each(|(joint, part)| map.serialize_entry(joint, part))?;
    map.end()
}
