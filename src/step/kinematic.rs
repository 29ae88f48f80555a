//! The kinematic rung: joints that follow a command.

use super::group::{self, Group, backwards, magnitude};
use super::impulse::Piece;
use super::outcome::{Indicators, Outcome, StepReport};
use super::state::State;
use super::switches::LIMIT_LOW;
use crate::dynamics::{Workspace, assert_len, frame_poses, frame_twists_placed};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::real::Real;
use crate::switch::{self, Choices};

/// An arm whose joints follow a command within their limits, at once or as a first-order lag.
///
/// ```text
/// ĉ = clamp(c, lo, hi)      q⁺ = ĉ,   or with a servo constant T   q⁺ = ĉ + e^(−dt/T) (q − ĉ)
/// ```
///
/// No mass moves it and no load: its rates are `(q⁺ − q)/dt`.
#[derive(Clone, Debug)]
pub struct KinematicArm<T> {
    model: Model<T>,
    dt: f64,
    servo: Option<T>,
}

impl<T: Real> KinematicArm<T> {
    /// An arm with a step of `dt` seconds and, if given, a servo constant `T` in seconds.
    ///
    /// # Errors
    /// [`Error::Value`]: a free base, a step or a servo constant that is not positive, coupled joints whose stops leave
    /// no room.
    pub fn new(model: Model<T>, dt: f64, servo: Option<T>) -> Result<Self> {
        if model.has_free_base() {
            return Err(Error::value(
                model.name(),
                "a free base",
                "a root fixed in the world for the kinematic rung",
            ));
        }
        for (who, x) in [("time.step", Some(dt)), ("servo", servo.map(|s| s.primal()))] {
            if let Some(x) = x.filter(|x| !(*x > 0.0 && x.is_finite())) {
                return Err(Error::value(who, x, "a positive number of seconds"));
            }
        }
        group::check(&model)?;
        Ok(KinematicArm { model, dt, servo })
    }

    /// The machine.
    pub fn model(&self) -> &Model<T> {
        &self.model
    }

    /// The step's length, s.
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// The lag's time constant, s.
    pub fn servo(&self) -> Option<T> {
        self.servo
    }

    /// A state to start from.
    ///
    /// # Errors
    /// [`Error::Length`]; [`Error::Value`] for a number that is not finite or a position outside its limits.
    pub fn state(&self, q: &[T], v: &[T]) -> Result<State<T>> {
        super::state::checked(&self.model, q, v)
    }

    /// One step: positions follow the command (rad; m), rates and frames follow the positions. A joint that follows another
    /// has no command of its own: its entry is not read.
    ///
    /// # Panics
    /// On a slice of the wrong length.
    ///
    /// # Derivative
    /// That of the side each command is on; a kink where it is exactly on a limit.
    pub fn step(
        &self,
        ws: &mut Workspace<T>,
        state: &mut State<T>,
        command: &[T],
        choices: &mut Choices,
        out: &mut Outcome<T>,
    ) -> StepReport {
        let mut tied = false;
        assert_len!(command, self.model.joints().len(), "command");
        let coupling = self.model.coupling();
        for (coordinate, &j) in coupling.independent().iter().enumerate() {
            let (c, group) = (command[j], Group::of(&self.model, coordinate, choices));
            let [lower, upper] = [group.lower, group.upper].map(|stop| stop.map(|(position, _)| position));
            out.indicators[j] = Indicators {
                stop_low: lower.map(|lower| c - lower),
                stop_high: upper.map(|upper| upper - c),
                ..Indicators::none()
            };
            let bounded = lower.is_some() || upper.is_some();
            let side = if bounded { switch::side(c, lower, upper, choices, &LIMIT_LOW, j as u64) } else { 0 };
            let (held, piece) = match (side, lower, upper) {
                (-1, Some(lower), _) => (lower, Piece::Lower),
                (1, _, Some(upper)) => (upper, Piece::Upper),
                _ => (c, Piece::Free),
            };
            out.pieces[j] = piece;
            out.publish_gaps(coupling.joints_of(coordinate), &group, piece);
            tied |= piece == Piece::Free
                && [lower, upper].into_iter().flatten().any(|bound| switch::is_tie(c - bound));
            let start = state.q[j];
            let end = match self.remains() {
                Some(share) => share.mul_add(start - held, held),
                None => held,
            };
            state.v[j] = (end - start).scale(1.0 / self.dt);
            state.q[j] = end;
            for &follower in coupling.followers(coordinate) {
                let member = &coupling.members()[follower];
                out.pieces[follower] = if backwards(member) { piece.mirrored() } else { piece };
                out.indicators[follower] =
                    out.indicators[j].of_follower(magnitude(member), backwards(member));
            }
        }
        coupling.positions(&mut state.q);
        coupling.rates(&mut state.v);
        for (j, joint) in self.model.joints().iter().enumerate().filter(|(j, _)| coupling.follows(*j)) {
            // The law of the coupling may round to the far side of the joint's own limits.
            state.q[j] = switch::nudged(state.q[j], joint.lower, joint.upper);
        }
        state.t += self.dt;
        out.report = StepReport { tied, ..StepReport::without_solve() };
        frame_poses(&self.model, ws, &state.q, &mut out.frame_poses);
        frame_twists_placed(&self.model, ws, &state.v, &mut out.frame_twists);
        out.report
    }

    /// What is left over a step of the way to the command, `e^(−dt/T)`; none without a lag.
    fn remains(&self) -> Option<T> {
        self.servo.map(|constant| (-(constant.recip().scale(self.dt))).exp())
    }

    /// Takes derivatives of a number back through a step whose joints were on `pieces`: from those by positions and
    /// velocities after it to those by positions and velocities before it, in place, and by the command, one entry a
    /// coordinate.
    ///
    /// ```text
    /// ∂J/∂ĉ = (1 − e)(λ_q + λ_v/dt)      ∂J/∂q = e (λ_q + λ_v/dt) − λ_v/dt      ∂J/∂v = 0       e = e^(−dt/T), or 0
    /// ```
    ///
    /// # Panics
    /// On a slice of the wrong length.
    ///
    /// # Derivative
    /// Exact for every scalar.
    pub fn pull_back(
        &self,
        pieces: &[Piece],
        by_position: &mut [T],
        by_velocity: &mut [T],
        by_command: &mut [T],
    ) {
        assert_len!(pieces, self.model.joints().len(), "pieces");
        let remains = self.remains().unwrap_or_else(T::zero);
        for (c, &j) in self.model.coupling().independent().iter().enumerate() {
            let rate = by_velocity[c].scale(1.0 / self.dt);
            let end = by_position[c] + rate;
            by_command[c] = if pieces[j].stops() { T::zero() } else { (T::one() - remains) * end };
            by_position[c] = remains * end - rate;
            by_velocity[c] = T::zero();
        }
    }
}
