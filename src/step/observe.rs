//! An arm's switches, watched: which it has, how near counts as near, where a step leaves their indicators.

use super::dynamic::{DynamicArm, Solver};
use super::group::{Group, backwards, magnitude};
use super::impulse::Piece;
use super::kinematic::KinematicArm;
use super::outcome::{Outcome, StepReport};
use super::switches::{
    COUPLED_HIGH, COUPLED_LOW, FRICTION_HIGH, FRICTION_LOW, LIMIT_HIGH, LIMIT_LOW, STICK, STOP_HIGH, STOP_LOW,
};
use crate::model::Model;
use crate::real::Real;
use crate::switch::{
    self, Break, Choices, Coordinate, Family, Motion, Observed, Observer, Seen, Source, StepStatus, Switch,
    Watch, reading,
};

/// The least margin of a position or an effort.
const LEAST: f64 = 1e-9;
/// Of a position, per square of the step: m/s², rad/s².
const ACCELERATION: f64 = 1.0;
/// Of an effort, of the joint's friction.
const PART_OF_FRICTION: f64 = 1e-3;
/// Of what has no dimension.
const DIMENSIONLESS: f64 = 1e-6;

/// Indicators of a joint, as steps leave them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Reading {
    StopLow,
    StopHigh,
    FrictionLow,
    FrictionHigh,
    CoupledLow,
    CoupledHigh,
    Stick,
}

impl Reading {
    #[inline]
    fn of<T: Real>(self, joint: usize, out: &Outcome<T>) -> Option<T> {
        let indicators = &out.indicators[joint];
        match self {
            Reading::StopLow => indicators.stop_low,
            Reading::StopHigh => indicators.stop_high,
            Reading::FrictionLow => indicators.friction_low,
            Reading::FrictionHigh => indicators.friction_high,
            Reading::CoupledLow => out.coupled_low[joint],
            Reading::CoupledHigh => out.coupled_high[joint],
            Reading::Stick => out.stick[joint],
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// One switch of one coordinate, under the joint whose law it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law {
    switch: &'static Switch,
    coordinate: usize,
    joint: usize,
    reading: Reading,
    margin: f64,
    unit: &'static str,
}

/// Every switch the arm evaluates, a coordinate after another. `solver`: of the dynamic rung.
pub(super) fn laws<T: Real>(model: &Model<T>, dt: f64, solver: Option<Solver>) -> Vec<Law> {
    let mut all = Vec::new();
    let mut each = |law: Law| all.push(law);
    let position = (dt * dt * ACCELERATION).max(LEAST);
    let coupling = model.coupling();
    for (coordinate, &leader) in coupling.independent().iter().enumerate() {
        let group = Group::of(model, coordinate, &mut Choices::free());
        let (low, high) = match solver {
            Some(_) => (&STOP_LOW, &STOP_HIGH),
            None => (&LIMIT_LOW, &LIMIT_HIGH),
        };
        for (stop, gap, lower) in
            [(group.lower, group.lower_gap, true), (group.upper, group.upper_gap, false)]
        {
            let Some((_, joint)) = stop else { continue };
            // The stop of a joint that moves against its coordinate is on that one's other side.
            let own_lower = lower != backwards(&coupling.members()[joint]);
            let unit = model.joints()[joint].kind.position_unit();
            let (switch, reading) =
                if own_lower { (low, Reading::StopLow) } else { (high, Reading::StopHigh) };
            each(Law { switch, coordinate, joint, reading, margin: position, unit });
            if gap.is_some() {
                let (switch, reading) = if lower {
                    (&COUPLED_LOW, Reading::CoupledLow)
                } else {
                    (&COUPLED_HIGH, Reading::CoupledHigh)
                };
                let unit = model.joints()[leader].kind.position_unit();
                // Which of them counts may differ from step to step, where a script says so.
                for joint in coupling.joints_of(coordinate) {
                    each(Law { switch, coordinate, joint, reading, margin: position, unit });
                }
            }
        }
        let (Some(friction), Some(solver)) = (group.friction, solver) else { continue };
        let rubs = |j: &usize| model.joints()[*j].friction.is_some();
        let joint = coupling.joints_of(coordinate).find(rubs).unwrap_or(leader);
        let (bound, _) = reading(&(friction / magnitude(&coupling.members()[joint])));
        let margin = (PART_OF_FRICTION * bound).max(LEAST);
        let unit = model.joints()[joint].kind.effort_unit();
        for (switch, reading) in
            [(&FRICTION_LOW, Reading::FrictionLow), (&FRICTION_HIGH, Reading::FrictionHigh)]
        {
            each(Law { switch, coordinate, joint, reading, margin, unit });
        }
        if solver != Solver::Exact {
            let (reading, margin) = (Reading::Stick, DIMENSIONLESS);
            each(Law { switch: &STICK, coordinate, joint: leader, reading, margin, unit: "1" });
        }
    }
    all
}

fn observer<T: Real>(model: &Model<T>, family: Family, laws: &[Law]) -> Observer {
    let (joints, coupling) = (model.joints(), model.coupling());
    let coordinates = coupling.independent().iter().enumerate().map(|(c, &leader)| {
        let turns = coupling.joints_of(c).any(|j| !joints[j].kind.slides());
        let group = Group::of(model, c, &mut Choices::free());
        let room = group.lower.zip(group.upper).map(|(lower, upper)| upper.0 - lower.0);
        Coordinate::new(leader, turns, room.is_some_and(|room| switch::lexicographic_sign(room) == 0))
    });
    let names = joints.iter().zip(coupling.members()).map(|(joint, m)| (joint.name.clone(), m.coordinate));
    let mut observer = Observer::of(family, coordinates.collect(), names.collect());
    for &Law { switch, coordinate, joint, reading, margin, unit } in laws {
        let Watch(at) = observer.watch_in(switch, unit, &joints[joint].name, margin);
        // Watches of one joint whose readings rise share a source.
        match observer.sources.last_mut() {
            Some(last) if last.joint == joint && last.kinds < reading.bit() => last.kinds |= reading.bit(),
            _ => observer.sources.push(Source { joint, coordinate, first: at, kinds: reading.bit() }),
        }
    }
    observer
}

impl<T: Real> DynamicArm<T> {
    /// An observer of this arm's switches, for its steps in any scalar; joints that move as one share theirs.
    ///
    /// Margins: `dt² · 1 rad/s²` (m/s²) of positions, 1e-3 of the joint's friction of efforts, 1e-9 at least of both, 1e-6 of
    /// what has no dimension; [`Observer::set_margin`] sets others.
    pub fn observer(&self) -> Observer {
        observer(self.model(), Family::Efforts, &self.laws)
    }

    /// What a derivative through one step is worth, by itself and with the margins of [`DynamicArm::observer`].
    /// Allocates: nothing.
    pub fn status(&self, out: &Outcome<T>) -> StepStatus {
        let mut seen = Seen::NOTHING;
        for (at, law) in self.laws.iter().enumerate() {
            let Some(indicator) = law.reading.of(law.joint, out) else { continue };
            let value = reading(&indicator).0;
            let margins = value.abs() * law.margin.recip();
            seen.note(at, value, margins);
            if margins <= 1.0 {
                seen.near(value, Break::worst(law.switch));
            }
        }
        if out.report.tied {
            // Whatever rounding made of the indicator.
            seen.near(0.0, Break::Kink);
        }
        seen.status(out.report.settled(), out.report.residual, |at| {
            let Law { switch, joint, margin, .. } = self.laws[at];
            (switch.name, joint, margin)
        })
    }
}

impl<T: Real> KinematicArm<T> {
    /// An observer of this arm's switches, for its steps in any scalar. Margins are those of [`DynamicArm::observer`].
    pub fn observer(&self) -> Observer {
        let lag = self.servo().is_some();
        observer(self.model(), Family::Commands { lag }, &laws(self.model(), self.dt(), None))
    }
}

impl Observer {
    /// A step of the arm that this observer is of, and what a derivative through it is worth. Call it for every step; `end` is
    /// its time, s. In any scalar; allocates nothing.
    ///
    /// # Panics
    /// On an outcome of another arm's size.
    pub fn observe<T: Real>(&mut self, out: &Outcome<T>, report: &StepReport, end: f64) -> Observed {
        self.observe_step(out, report, end).observed
    }

    /// The same, with what the step came nearest to.
    pub fn observe_step<T: Real>(&mut self, out: &Outcome<T>, report: &StepReport, end: f64) -> StepStatus {
        let settled = report.settled();
        self.reach.step(settled, |j| match out.pieces[j] {
            Piece::Stick => Motion::Sticks,
            Piece::Lower | Piece::Upper => Motion::Stops,
            _ => Motion::Moves,
        });
        let Observer { sources, marks, seen, reach, .. } = self;
        for &Source { joint, coordinate, first, kinds } in &*sources {
            // Where friction holds a joint on the stop that put it there, no choice is left in that stop.
            let rests = reach.coordinates[coordinate].rests;
            let chosen = |x: &T| !(rests && reading(x).0 == 0.0);
            let indicators = &out.indicators[joint];
            let mut marks = marks[first..].iter_mut();
            let mut note = |kind: Reading, indicator: Option<T>| {
                if kinds & kind.bit() != 0
                    && let (Some(mark), Some(indicator)) = (marks.next(), indicator)
                {
                    mark.note(indicator, end, seen);
                }
            };
            note(Reading::StopLow, indicators.stop_low.filter(chosen));
            note(Reading::StopHigh, indicators.stop_high.filter(chosen));
            note(Reading::FrictionLow, indicators.friction_low);
            note(Reading::FrictionHigh, indicators.friction_high);
            if kinds >= Reading::CoupledLow.bit() {
                note(Reading::CoupledLow, out.coupled_low[joint]);
                note(Reading::CoupledHigh, out.coupled_high[joint]);
                note(Reading::Stick, out.stick[joint]);
            }
        }
        if report.tied {
            self.tied(end);
        }
        self.close(settled, report.residual, end)
    }
}
