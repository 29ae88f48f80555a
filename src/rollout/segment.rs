//! One segment of a run.

use super::{Drive, Rung, Trajectory};
use crate::dynamics::{Workspace, kinetic_energy, potential_energy};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::spatial::Pose;
use crate::step::group;
use crate::step::{Indicators, Inputs, Ledger, Outcome, Piece, Settlement, State, StepWorkspace};
use crate::switch::{Choices, Declared, GradientStatus, Observer};

/// An arm in a run: where it is, what drives it, what it did.
#[derive(Clone, Debug)]
pub struct Segment {
    name: String,
    rung: Rung,
    drives: Vec<Option<Drive>>,
    /// Base steps for each of its own.
    every: usize,
    state: State<f64>,
    before: State<f64>,
    input: Vec<f64>,
    initial: Vec<f64>,
    ws: StepWorkspace<f64>,
    choices: Choices,
    out: Outcome<f64>,
    observer: Observer,
    ledger: Option<Ledger>,
    energy: (f64, f64),
    trajectory: Trajectory,
}

impl Segment {
    /// A segment stepped once for every `every` base steps, with one drive (or none) a joint.
    ///
    /// A joint that is not driven has effort 0; on the kinematic rung it holds its initial position, or what it follows
    /// holds it.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::Value`]: an initial state the rung refuses, a drive by effort on the kinematic rung or
    /// of a joint that follows another there.
    pub fn new(
        name: &str,
        rung: Rung,
        drives: Vec<Option<Drive>>,
        every: usize,
        q: &[f64],
        v: &[f64],
    ) -> Result<Self> {
        let state = rung.state(q, v)?;
        let model = rung.model();
        if drives.len() != model.joints().len() {
            let (found, expected) = (drives.len(), model.joints().len());
            return Err(Error::Length { who: format!("drives of {name}"), found, expected });
        }
        for (joint, drive) in model.joints().iter().zip(&drives) {
            let who = format!("{name}.{}", joint.name);
            if let (Rung::Kinematic(_), Some(mimic), Some(_)) = (&rung, &joint.mimic, drive) {
                let leader = &model.joints()[mimic.leader].name;
                let found = format!("a position of a joint that follows `{leader}`");
                return Err(Error::value(&who, found, &format!("a drive of `{leader}`")));
            }
            if let (Rung::Kinematic(_), Some(Drive::Pd { .. })) = (&rung, drive) {
                let expected = "a position on the kinematic rung (constant, sine, table)";
                return Err(Error::value(&who, "a pd drive, which is an effort", expected));
            }
        }
        let (ws, out) = (StepWorkspace::new(model), Outcome::new(model));
        let trajectory = Trajectory::new(0, model.joints().len(), model.frames().len());
        Ok(Segment {
            name: name.to_owned(),
            drives,
            every: every.max(1),
            before: state.clone(),
            input: vec![0.0; q.len()],
            initial: q.to_vec(),
            state,
            ws,
            choices: Choices::free(),
            out,
            observer: rung.observer(),
            ledger: None,
            energy: (0.0, 0.0),
            trajectory,
            rung,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it moves.
    pub fn rung(&self) -> &Rung {
        &self.rung
    }

    /// Its machine.
    pub fn model(&self) -> &Model<f64> {
        self.rung.model()
    }

    /// What drives each joint.
    pub fn drives(&self) -> &[Option<Drive>] {
        &self.drives
    }

    /// Base steps for each of its own.
    pub fn every(&self) -> usize {
        self.every
    }

    /// Where it is now.
    pub fn state(&self) -> &State<f64> {
        &self.state
    }

    /// Where its energy went; the dynamic rung's, once it runs.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_ref()
    }

    /// What a derivative through its steps so far is worth.
    pub fn status(&self) -> GradientStatus {
        let mut status = self.observer.status();
        if self.drives.iter().flatten().any(|drive| !drive.switches().is_empty()) {
            status.declared = Declared::PiecewiseKink;
        }
        status
    }

    /// What watched its switches.
    pub fn observer(&self) -> &Observer {
        &self.observer
    }

    /// What it did.
    pub fn trajectory(&self) -> &Trajectory {
        &self.trajectory
    }

    /// Opens the rows and the ledger at the start of a run.
    pub(super) fn open(&mut self, rows: usize) {
        self.observer.clear();
        let Segment { rung, state, ws, out, .. } = self;
        self.ledger = match &*rung {
            Rung::Dynamic(arm) => Some(Ledger::open(arm, ws, state, &[])),
            Rung::Kinematic(_) => None,
        };
        let model = rung.model();
        self.trajectory = Trajectory::new(rows, model.joints().len(), model.frames().len());
        self.energy = energy(model, &mut ws.dynamics, state);
        crate::dynamics::frame_poses(model, &mut ws.dynamics, &state.q, &mut out.frame_poses);
        crate::dynamics::frame_twists(model, &mut ws.dynamics, &state.q, &state.v, &mut out.frame_twists);
        let kinematic = matches!(rung, Rung::Kinematic(_));
        for (j, [lower, upper, friction]) in group::laws(model).into_iter().enumerate() {
            out.pieces[j] = if friction { Piece::Stick } else { Piece::Free };
            let zero = |has: bool| has.then_some(0.0);
            let friction = zero(friction && !kinematic);
            out.indicators[j] = Indicators {
                stop_low: zero(lower),
                stop_high: zero(upper),
                friction_low: friction,
                friction_high: friction,
            };
        }
        self.push(0.0, true);
    }

    /// One of its own steps, from `t` to `end`; the joint at which a number is not finite, if any.
    pub(super) fn step(&mut self, t: f64, end: f64) -> std::result::Result<(), usize> {
        let Segment { rung, drives, state, before, input, initial, ws, choices, out, .. } = self;
        for (j, drive) in drives.iter().enumerate() {
            input[j] = match (drive, &*rung) {
                (Some(drive), _) => drive.value(t, state.q[j], state.v[j]),
                (None, Rung::Dynamic(_)) => 0.0,
                (None, Rung::Kinematic(_)) => initial[j],
            };
        }
        if let Rung::Kinematic(arm) = &*rung {
            // What a joint that follows another is told is what its leader is told.
            arm.model().coupling().positions(input);
        }
        before.clone_from(state);
        let report = match &*rung {
            Rung::Dynamic(arm) => {
                let inputs = Inputs::effort(input);
                let report = arm.step(ws, state, &inputs, choices, out);
                // A step that is not finite is no row, and no entry either.
                let finite = !matches!(report.settlement, Settlement::NotFinite { .. });
                if let Some(ledger) = self.ledger.as_mut().filter(|_| finite) {
                    ledger.enter(arm, ws, before, state, &inputs, out);
                    self.energy = (ledger.kinetic_end, ledger.potential_end);
                }
                report
            }
            Rung::Kinematic(arm) => {
                let report = arm.step(&mut ws.dynamics, state, input, choices, out);
                self.energy = energy(arm.model(), &mut ws.dynamics, state);
                report
            }
        };
        state.t = end;
        let finite = |j: &usize| state.q[*j].is_finite() && state.v[*j].is_finite() && input[*j].is_finite();
        let bad = match report.settlement {
            Settlement::NotFinite { joint } => Some(joint),
            _ => (0..input.len()).find(|j| !finite(j)),
        };
        if let Some(joint) = bad {
            let _ = self.observer.close(false, 0.0, end);
            return Err(joint);
        }
        self.observer.observe(out, &report, end);
        self.push(report.residual, report.settled());
        Ok(())
    }

    /// The last row once more.
    pub(super) fn hold(&mut self) {
        self.trajectory.repeat();
    }

    fn push(&mut self, residual: f64, settled: bool) {
        let (rows, out) = (&mut self.trajectory, &self.out);
        rows.q.extend_from_slice(&self.state.q);
        rows.v.extend_from_slice(&self.state.v);
        rows.input.extend_from_slice(&self.input);
        rows.friction_impulse.extend_from_slice(&out.friction_impulse);
        rows.stop_impulse.extend_from_slice(&out.stop_impulse);
        rows.pieces.extend_from_slice(&out.pieces);
        rows.indicators.extend_from_slice(&out.indicators);
        // Links welded together without a turn share a rotation, and so a quaternion.
        let mut before: Option<(&Pose<f64>, [f64; 7])> = None;
        for pose in &out.frame_poses {
            let row = match before {
                Some((other, row)) if other.rotation == pose.rotation => {
                    let p = &pose.position;
                    [p.x, p.y, p.z, row[3], row[4], row[5], row[6]]
                }
                _ => pose.to_row(),
            };
            before = Some((pose, row));
            rows.push_pose(row);
        }
        rows.angular.extend(out.frame_twists.iter().map(|twist| <[f64; 3]>::from(twist.angular)));
        rows.kinetic.push(self.energy.0);
        rows.potential.push(self.energy.1);
        rows.residual.push(residual);
        rows.settled.push(settled);
        rows.rows += 1;
    }
}

/// Kinetic and potential energy, J.
fn energy(model: &Model<f64>, ws: &mut Workspace<f64>, state: &State<f64>) -> (f64, f64) {
    (kinetic_energy(model, ws, &state.q, &state.v), potential_energy(model, ws, &state.q))
}
