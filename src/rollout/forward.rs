//! Derivatives of a rollout forwards: eight seeds at a time, the whole of it in dual numbers.
//!
//! What settles ties, and what differentiates the sweeps, which are on no piece for the adjoint to stand on. Everything
//! passes through one record of choices, so that every pass is on the same pieces.

use super::gradient::{Seed, seeded};
use super::objective::{Lanes, Objective, Row, WIDTH};
use super::{By, Course, RolloutGradient, Rung};
use crate::error::Result;
use crate::real::{Real, Tangents};
use crate::step::impulse::exact::PIECE;
use crate::step::switches::{COUPLED_HIGH, COUPLED_LOW, LIMIT_LOW};
use crate::step::{Outcome, State, StepWorkspace};
use crate::switch::{Choices, Place, Script};

/// A rollout in dual numbers.
pub(super) struct Forward<'a> {
    pub rung: &'a Rung,
    pub course: &'a Course<'a>,
    pub by: &'a By,
    pub steps: usize,
}

impl Forward<'_> {
    /// One pass, up to a step (`choices` keep or give the sides); `each(k, state, input)` after every step `k − 1 → k`.
    fn pass(
        &self,
        seeds: &[Seed],
        upto: usize,
        choices: &mut Choices,
        mut each: impl FnMut(usize, &Rung<Lanes>, &State<Lanes>, &[Lanes]),
    ) -> Result<()> {
        let lane = |seed: Seed| seeds.iter().position(|s| *s == seed);
        let rung = seeded(self.rung, &self.by.parameters, |i| lane(Seed::Parameter(i)))?;
        let (mut ws, mut out) = (StepWorkspace::new(rung.model()), Outcome::new(rung.model()));
        let lifted = |x: f64, seed: Seed| {
            lane(seed).map_or_else(|| Lanes::from_f64(x), |lane| Tangents::variable(x, lane))
        };
        let start = self.course.start;
        let q = start.q.iter().enumerate().map(|(j, x)| lifted(*x, Seed::Position(j))).collect();
        let v = start.v.iter().enumerate().map(|(j, x)| lifted(*x, Seed::Velocity(j))).collect();
        let mut state = State { q, v, t: 0.0 };
        rung.model().coupling().positions(&mut state.q);
        rung.model().coupling().rates(&mut state.v);
        let mut input = vec![Lanes::from_f64(0.0); state.q.len()];
        for k in 0..upto {
            choices.at_step(k as u64);
            let value = |joint, x| lifted(x, Seed::Value { step: k, joint });
            self.course.tell(&rung, k, &state, value, &mut input);
            let _ = rung.step(&mut ws, &mut state, &input, choices, &mut out);
            state.t = (k + 1) as f64 * rung.dt();
            each(k + 1, &rung, &state, &input);
        }
        Ok(())
    }

    /// The pieces of the rollout, exact ties taken the way of the first seed that leads away from them.
    pub fn settle(&self) -> Result<Script> {
        let mut choices = Choices::record();
        let seeds: Vec<Seed> = self.by.seeds(self.rung.model(), self.steps).collect();
        let is_parameter = |seed: &Seed| matches!(seed, Seed::Parameter(_));
        let (mut from, mut upto) = (0, self.steps);
        // Values of steps after the last open tie have no part in it, and stops of coupled joints meet by parameters alone.
        let (mut only_parameters, counts) =
            (false, |seed: &Seed, upto: usize, only_parameters: bool| match seed {
                Seed::Value { step, .. } => *step < upto && !only_parameters,
                seed => is_parameter(seed) || !only_parameters,
            });
        if seeds.is_empty() {
            // Nothing decides, and what is open is to be known.
            self.pass(&seeds, self.steps, &mut choices, |_, _, _, _| {})?;
        }
        while let Some(skip) = seeds[from..].iter().position(|seed| counts(seed, upto, only_parameters)) {
            from += skip;
            let end = seeds.len().min(from + WIDTH);
            self.pass(&seeds[from..end], upto, &mut choices, |_, _, _, _| {})?;
            from = end;
            let script = choices.into_script();
            let last = |ties: &mut dyn Iterator<Item = Place>| ties.map(|tie| tie.step as usize + 1).max();
            let ties = script.open_ties();
            only_parameters = last(&mut ties.iter().copied().filter(matters)).is_none();
            upto = last(&mut ties.into_iter()).unwrap_or(0);
            choices = Choices::replay(script);
            if upto == 0 {
                break;
            }
        }
        Ok(choices.into_script())
    }

    /// The gradient, through recorded pieces where there are ties.
    pub fn gradient(&self, objective: &Objective, script: Option<Script>) -> Result<RolloutGradient> {
        let model = self.rung.model();
        let n = model.joints().len();
        let mut found =
            RolloutGradient::zero(self.course, n, objective.terms().len(), self.by.parameters.len());
        let mut choices = script.map_or_else(Choices::free, Choices::replay);
        let mut cost = objective.lanes(model);
        let seeds: Vec<Seed> = self.by.seeds(model, self.steps).collect();
        for seeds in seeds.chunks(WIDTH) {
            let mut sum = Lanes::from_f64(0.0);
            self.pass(seeds, self.steps, &mut choices, |k, rung, state, effort| {
                let last = k == self.steps;
                let row = Row { q: &state.q, v: &state.v, effort, dt: rung.dt(), last, t: state.t };
                sum += objective.value_lanes(rung.model(), &mut cost, &row);
            })?;
            for (seed, slope) in seeds.iter().zip(sum.tangents) {
                *match seed {
                    Seed::Position(j) => &mut found.by_start_position[*j],
                    Seed::Velocity(j) => &mut found.by_start_velocity[*j],
                    Seed::Value { step, joint } => &mut found.by_value[step * n + joint],
                    Seed::Parameter(i) => &mut found.by_parameter[*i],
                } = slope;
            }
        }
        Ok(found)
    }
}

/// Whether a tie is one of stops, friction or limits.
fn matters(tie: &Place) -> bool {
    tie.switch != COUPLED_LOW.name && tie.switch != COUPLED_HIGH.name
}

/// Ties that no seed decided, but those between equal stops of coupled joints: the coordinate, and the end of the step, s.
pub(super) fn undecided(script: &Script, rung: &Rung) -> Vec<(usize, f64)> {
    let members = rung.model().coupling().members();
    let coordinate = |tie: &Place| match tie.switch {
        name if name == PIECE.name => Some(tie.instance as usize),
        name if name == LIMIT_LOW.name => Some(members[tie.instance as usize].coordinate),
        _ => None,
    };
    let ties = script.open_ties();
    let end = |tie: &Place| (tie.step + 1) as f64 * rung.dt();
    ties.iter().filter_map(|tie| coordinate(tie).map(|c| (c, end(tie)))).collect()
}
