//! What a step made besides the state.

use super::group::Group;
use super::impulse::{Piece, Settlement, SolveReport};
use crate::dynamics::Twist;
use crate::model::Model;
use crate::real::Real;
use crate::spatial::{Pose, Vector, vector};

/// Indicators of a joint's switches, named as the switches are; `None` where the joint does not have the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indicators<T> {
    /// `arm.stop.low`, rad; m (kinematic: `arm.limit.low`).
    pub stop_low: Option<T>,
    /// `arm.stop.high`, rad; m (kinematic: `arm.limit.high`).
    pub stop_high: Option<T>,
    /// `arm.friction.low`, N m; N.
    pub friction_low: Option<T>,
    /// `arm.friction.high`, N m; N.
    pub friction_high: Option<T>,
}

impl<T: Real> Indicators<T> {
    /// Of a joint without any.
    pub fn none() -> Self {
        Indicators { stop_low: None, stop_high: None, friction_low: None, friction_high: None }
    }

    /// Those of a coordinate, as a joint sees them that moves by `size` times it, or `against` it: its positions are so
    /// many times the coordinate's, its efforts that part.
    pub(crate) fn of_follower(self, size: T, against: bool) -> Self {
        let position = |x: Option<T>| x.map(|x| x * size);
        let effort = |x: Option<T>| x.map(|x| x / size);
        let (stops, frictions) = (
            (position(self.stop_low), position(self.stop_high)),
            (effort(self.friction_low), effort(self.friction_high)),
        );
        let turned = |(low, high)| if against { (high, low) } else { (low, high) };
        let ((stop_low, stop_high), (friction_low, friction_high)) = (turned(stops), turned(frictions));
        Indicators { stop_low, stop_high, friction_low, friction_high }
    }
}

/// Per joint and per frame results of a step; allocated once, overwritten by every step.
///
/// A kinematic step has no impulses: it writes pieces (lower, upper, free), indicators and frames only.
#[derive(Clone, Debug)]
pub struct Outcome<T> {
    /// `v′`, the velocity after the gyroscopic turn.
    pub v_turned: Vec<T>,
    /// `v_free`, the velocity each joint would have without its own stop and friction, the others' as they are.
    pub v_free: Vec<T>,
    /// Impulse of friction, N m s; N s.
    pub friction_impulse: Vec<T>,
    /// Impulse of the stop, N m s; N s.
    pub stop_impulse: Vec<T>,
    /// Where each joint is on its graph.
    pub pieces: Vec<Piece>,
    /// Each joint's indicators.
    pub indicators: Vec<Indicators<T>>,
    /// `arm.coupled.low` of joints that move as one, under the joint whose lower stop counts, in a step in which their
    /// coordinate is held on its lower stop; else `None`.
    pub coupled_low: Vec<Option<T>>,
    /// `arm.coupled.high`, likewise.
    pub coupled_high: Vec<Option<T>>,
    /// `arm.stick`, of sweeps, under the joint that stands for a coordinate.
    pub stick: Vec<Option<T>>,
    /// World pose of every frame at the end of the step.
    pub frame_poses: Vec<Pose<T>>,
    /// World velocity of every frame at the end of the step.
    pub frame_twists: Vec<Twist<T>>,
    /// How the solve ended.
    pub(crate) report: StepReport,
}

impl<T: Real> Outcome<T> {
    /// Room for a model's joints and frames.
    pub fn new(model: &Model<T>) -> Self {
        let (n, frames) = (model.joints().len(), model.frames().len());
        let row = || vec![T::zero(); n];
        let zero: Vector<T> = vector([0.0; 3]);
        Outcome {
            v_turned: row(),
            v_free: row(),
            friction_impulse: row(),
            stop_impulse: row(),
            pieces: vec![Piece::Free; n],
            indicators: vec![Indicators::none(); n],
            coupled_low: vec![None; n],
            coupled_high: vec![None; n],
            stick: vec![None; n],
            frame_poses: vec![Pose::identity(); frames],
            frame_twists: vec![Twist { linear: zero, angular: zero }; frames],
            report: StepReport::without_solve(),
        }
    }
}

impl<T: Real> Outcome<T> {
    /// Which stop counts of a coordinate's, where several joints share it; of the one that is met alone: the others choose
    /// nothing in this step.
    pub(super) fn publish_gaps(
        &mut self,
        joints: impl Iterator<Item = usize>,
        group: &Group<T>,
        piece: Piece,
    ) {
        for joint in joints {
            (self.coupled_low[joint], self.coupled_high[joint]) = (None, None);
        }
        if let (Some((_, joint)), Some(gap)) = (group.lower, group.lower_gap) {
            self.coupled_low[joint] = Some(gap).filter(|_| piece == Piece::Lower);
        }
        if let (Some((_, joint)), Some(gap)) = (group.upper, group.upper_gap) {
            self.coupled_high[joint] = Some(gap).filter(|_| piece == Piece::Upper);
        }
    }
}

/// How a step's solve ended. Numbers of a step that did not settle may be read, but not believed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use = "a step may not have settled, and its numbers may not be finite"]
pub struct StepReport {
    /// How the solve ended.
    pub settlement: Settlement,
    /// What it left, N m s or N s.
    pub residual: f64,
    /// Linear systems solved, or sweeps made.
    pub rounds: u32,
    /// Whether block pivoting gave up and the active set took over.
    pub active_set: bool,
    /// Some joint is exactly between two pieces, and no tangent says which it takes.
    pub tied: bool,
}

impl StepReport {
    /// Of a step that solves nothing, as those of the kinematic rung are.
    pub fn without_solve() -> Self {
        StepReport {
            settlement: Settlement::Settled,
            residual: 0.0,
            rounds: 0,
            active_set: false,
            tied: false,
        }
    }

    /// Every joint is on its piece.
    pub fn settled(&self) -> bool {
        self.settlement == Settlement::Settled
    }
}

impl From<SolveReport> for StepReport {
    fn from(r: SolveReport) -> Self {
        StepReport {
            settlement: r.settlement,
            residual: r.residual,
            rounds: r.rounds,
            active_set: r.active_set,
            tied: r.tied,
        }
    }
}
