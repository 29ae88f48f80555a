//! From what the solve found to the new state, and each joint's part in it.

use super::dynamic::{DynamicArm, Solver};
use super::group::{backwards, magnitude};
use super::impulse::Piece;
use super::outcome::{Indicators, Outcome};
use super::state::State;
use super::switches::{FRICTION_LOW, STOP_LOW};
use super::workspace::StepWorkspace;
use crate::real::Real;
use crate::switch::{self, Choices};

/// Instances of choices made after the solve, apart from those of the sweeps' visits.
const AFTER_THE_SOLVE: u64 = 1 << 48;

impl<T: Real> DynamicArm<T> {
    /// The new state, and what each joint's law made of the step.
    pub(super) fn advance(
        &self,
        ws: &mut StepWorkspace<T>,
        state: &mut State<T>,
        choices: &mut Choices,
        out: &mut Outcome<T>,
    ) {
        let (coupling, exact) = (self.model().coupling(), self.solver() == Solver::Exact);
        for (coordinate, &j) in coupling.independent().iter().enumerate() {
            let (found, group) = (&ws.solution, &ws.groups[coordinate]);
            let (piece, v) = (found.pieces[coordinate], found.velocity[coordinate]);
            let [lower, upper] = [group.lower, group.upper].map(|stop| stop.map(|(position, _)| position));
            let reached = state.q[j] + v.scale(self.dt());
            state.v[j] = v;
            state.q[j] = match piece {
                Piece::Lower if exact => lower.unwrap_or(reached),
                Piece::Upper if exact => upper.unwrap_or(reached),
                // An exact answer is within its limits but for rounding; its derivative stays that of its piece.
                _ if exact => switch::nudged(reached, lower, upper),
                _ if lower.is_some() || upper.is_some() => {
                    let instance = AFTER_THE_SOLVE + j as u64;
                    switch::clamp(reached, lower, upper, choices, &STOP_LOW, instance)
                }
                _ => reached,
            };
        }
        coupling.positions(&mut state.q);
        coupling.rates(&mut state.v);
        for (coordinate, &j) in coupling.independent().iter().enumerate() {
            let friction = self.friction_impulse(ws, coordinate, j, choices);
            self.share(ws, state, coordinate, j, friction, out);
            out.stick[j] = ws.solution.stick[coordinate].filter(|_| !exact);
            if ws.groups[coordinate].shared {
                let piece = ws.solution.pieces[coordinate];
                out.publish_gaps(coupling.joints_of(coordinate), &ws.groups[coordinate], piece);
            }
            for &follower in coupling.followers(coordinate) {
                self.share(ws, state, coordinate, follower, friction, out);
            }
        }
        state.t += self.dt();
    }

    /// The part of a coordinate's impulse that is friction.
    fn friction_impulse(
        &self,
        ws: &StepWorkspace<T>,
        coordinate: usize,
        j: usize,
        choices: &mut Choices,
    ) -> T {
        let (piece, p) = (ws.solution.pieces[coordinate], ws.solution.impulse[coordinate]);
        let exact = self.solver() == Solver::Exact;
        match (ws.bounds[coordinate].friction, piece) {
            (None, _) => T::zero(),
            // On its piece, friction is what the piece says; sweeps need not have got there.
            (Some(most), Piece::Lower | Piece::SlideMinus) if exact => most,
            (Some(most), Piece::Upper | Piece::SlidePlus) if exact => -most,
            (Some(_), _) if exact => p,
            (Some(most), _) => {
                let instance = AFTER_THE_SOLVE + j as u64;
                switch::clamp(p, Some(-most), Some(most), choices, &FRICTION_LOW, instance)
            }
        }
    }

    /// A joint's part in what its coordinate did. Friction is shared as the joints' frictions are; a stop's impulse is
    /// the joint's whose stop it is.
    fn share(
        &self,
        ws: &StepWorkspace<T>,
        state: &mut State<T>,
        coordinate: usize,
        j: usize,
        friction: T,
        out: &mut Outcome<T>,
    ) {
        let (joint, member) = (&self.model().joints()[j], &self.model().coupling().members()[j]);
        let (group, found, rate) = (&ws.groups[coordinate], &ws.solution, 1.0 / self.dt());
        let (margins, piece) = (&found.margins[coordinate], found.pieces[coordinate]);
        let stop = found.impulse[coordinate] - friction;
        let [stop_low, stop_high] = [margins.lower, margins.upper].map(|x| x.map(|x| x.scale(self.dt())));
        let [friction_low, friction_high] =
            [margins.friction_low, margins.friction_high].map(|x| x.map(|x| x.scale(rate)));
        let indicators = Indicators { stop_low, stop_high, friction_low, friction_high };
        if !group.shared {
            out.pieces[j] = piece;
            out.v_free[j] = found.free_velocity[coordinate];
            out.friction_impulse[j] = friction;
            out.stop_impulse[j] = stop;
            out.indicators[j] = indicators;
            return;
        }
        let (size, against) = (magnitude(member), backwards(member));
        out.pieces[j] = if against { piece.mirrored() } else { piece };
        out.v_free[j] = member.multiplier * found.free_velocity[coordinate];
        out.friction_impulse[j] = match ws.friction[j].zip(group.friction) {
            Some((own, all)) if against => -(own / all * friction),
            Some((own, all)) => own / all * friction,
            None => T::zero(),
        };
        let met = match piece {
            Piece::Lower => group.lower,
            Piece::Upper => group.upper,
            // Sweeps that have not settled leave a rest on a joint that is on no stop.
            _ => group.lower.or(group.upper),
        };
        let own = met.map_or(!self.model().coupling().follows(j), |(_, at)| at == j);
        out.stop_impulse[j] = if own { stop / member.multiplier } else { T::zero() };
        out.indicators[j] = indicators.of_follower(size, against);
        if self.model().coupling().follows(j) {
            // The law of the coupling may round to the far side of the joint's own limits.
            state.q[j] = switch::nudged(state.q[j], joint.lower, joint.upper);
        }
    }
}
