//! The two ways an arm moves.

use crate::error::Result;
use crate::model::Model;
use crate::real::Real;
use crate::step::group;
use crate::step::{
    DynamicArm, Inputs, KinematicArm, Outcome, Solver, State, StepReport, StepWorkspace, switches,
};
use crate::switch::{Choices, Observer, Switch};

/// How an arm moves.
#[derive(Clone, Debug)]
pub enum Rung<T = f64> {
    /// By efforts.
    Dynamic(DynamicArm<T>),
    /// By commanded positions.
    Kinematic(KinematicArm<T>),
}

impl<T: Real> Rung<T> {
    /// The machine.
    pub fn model(&self) -> &Model<T> {
        match self {
            Rung::Dynamic(arm) => arm.model(),
            Rung::Kinematic(arm) => arm.model(),
        }
    }

    /// The segment's own step, s.
    pub fn dt(&self) -> f64 {
        match self {
            Rung::Dynamic(arm) => arm.dt(),
            Rung::Kinematic(arm) => arm.dt(),
        }
    }

    /// A state to start from.
    ///
    /// # Errors
    /// [`Error::Length`](crate::Error::Length); [`Error::Value`](crate::Error::Value) for a number that is not finite or a
    /// position outside its limits.
    pub fn state(&self, q: &[T], v: &[T]) -> Result<State<T>> {
        match self {
            Rung::Dynamic(arm) => arm.state(q, v),
            Rung::Kinematic(arm) => arm.state(q, v),
        }
    }

    /// An observer of the arm's switches ([`DynamicArm::observer`], [`KinematicArm::observer`]).
    pub fn observer(&self) -> Observer {
        match self {
            Rung::Dynamic(arm) => arm.observer(),
            Rung::Kinematic(arm) => arm.observer(),
        }
    }

    /// Its name in files.
    pub fn name(&self) -> &'static str {
        match self {
            Rung::Dynamic(_) => "dynamic",
            Rung::Kinematic(_) => "kinematic",
        }
    }

    /// The switches that its laws evaluate on this machine: a joint without limits or friction has none of theirs.
    pub fn switches(&self) -> Vec<&'static Switch> {
        let joints = self.model().joints();
        let limits = joints.iter().any(|j| j.lower.is_some() || j.upper.is_some());
        let friction = joints.iter().any(|j| j.friction.is_some());
        let meet = group::stops_meet(self.model());
        let of = |have: bool, list: &[&'static Switch]| if have { list.to_vec() } else { Vec::new() };
        match self {
            Rung::Kinematic(_) => {
                let mut all = of(limits, &switches::KINEMATIC);
                all.extend(of(meet, &switches::COUPLED));
                all
            }
            Rung::Dynamic(arm) => {
                let mut all = of(limits, &[&switches::STOP_LOW, &switches::STOP_HIGH]);
                all.extend(of(meet, &switches::COUPLED));
                all.extend(of(friction, &[&switches::FRICTION_LOW, &switches::FRICTION_HIGH]));
                all.extend(of(friction && arm.solver() != Solver::Exact, &[&switches::STICK]));
                all
            }
        }
    }

    /// The same rung of another machine of its shape: one that carries tangents, or whose numbers were varied.
    ///
    /// # Errors
    /// As the rung's own constructor.
    pub fn with_model<U: Real>(&self, model: Model<U>) -> Result<Rung<U>> {
        Ok(match self {
            Rung::Dynamic(arm) => Rung::Dynamic(DynamicArm::new(model, arm.dt(), arm.solver())?),
            Rung::Kinematic(arm) => {
                let servo = arm.servo().map(|constant| U::from_f64(constant.primal()));
                Rung::Kinematic(KinematicArm::new(model, arm.dt(), servo)?)
            }
        })
    }

    /// One step by efforts or commands, one a joint; of a joint that follows another, its command is not read.
    ///
    /// # Panics
    /// On a slice of the wrong length.
    pub fn step(
        &self,
        ws: &mut StepWorkspace<T>,
        state: &mut State<T>,
        input: &[T],
        choices: &mut Choices,
        out: &mut Outcome<T>,
    ) -> StepReport {
        match self {
            Rung::Dynamic(arm) => arm.step(ws, state, &Inputs::effort(input), choices, out),
            Rung::Kinematic(arm) => arm.step(&mut ws.dynamics, state, input, choices, out),
        }
    }
}
