//! What steps give by parameters, on the way back: each step in dual numbers at the state it had, eight parameters at a time.

use super::gradient::seeded;
use super::objective::{Lanes, LanesWorkspace, Objective, Row, WIDTH};
use super::tape::Tape;
use super::{Course, Rung};
use crate::error::Result;
use crate::real::Real;
use crate::step::{Outcome, State, StepWorkspace};
use crate::switch::Choices;

/// Up to eight parameters, and the arm that carries them.
#[derive(Clone, Debug)]
pub(super) struct Pass {
    first: usize,
    count: usize,
    rung: Rung<Lanes>,
    ws: StepWorkspace<Lanes>,
    out: Outcome<Lanes>,
    state: State<Lanes>,
    input: Vec<Lanes>,
    cost: LanesWorkspace,
}

/// Passes for all of an arm's parameters.
pub(super) fn passes(rung: &Rung, objective: &Objective, parameters: &[String]) -> Result<Vec<Pass>> {
    let (model, mut passes) = (rung.model(), Vec::new());
    for first in (0..parameters.len()).step_by(WIDTH) {
        let count = WIDTH.min(parameters.len() - first);
        let lane = |i: usize| i.checked_sub(first).filter(|lane| *lane < count);
        let rung = seeded(rung, parameters, lane)?;
        let row = || vec![Lanes::from_f64(0.0); model.joints().len()];
        passes.push(Pass {
            first,
            count,
            ws: StepWorkspace::new(rung.model()),
            out: Outcome::new(rung.model()),
            state: State { q: row(), v: row(), t: 0.0 },
            input: row(),
            cost: objective.lanes(model),
            rung,
        });
    }
    Ok(passes)
}

impl Pass {
    /// Adds what step `k` and the row after it give, where `costate` is by the positions and velocities of the coordinates after
    /// the step. `choices` give the step's pieces.
    pub fn add(
        &mut self,
        course: &Course<'_>,
        objective: &Objective,
        (tape, k): (&Tape, usize),
        (by_position, by_velocity): (&[f64], &[f64]),
        choices: &mut Choices,
        by_parameter: &mut [f64],
    ) {
        self.stand(tape, k);
        let Pass { first, count, rung, ws, out, state, input, .. } = self;
        course.tell(rung, k, state, |_, x| Lanes::from_f64(x), input);
        let _ = rung.step(ws, state, input, choices, out);
        let mut sum = Lanes::from_f64(0.0);
        for (c, &j) in rung.model().coupling().independent().iter().enumerate() {
            sum += state.q[j].scale(by_position[c]) + state.v[j].scale(by_velocity[c]);
        }
        let own = *first..*first + *count;
        // What the row is by parameters at the state it has; followers' places depend on their law.
        self.stand(tape, k + 1);
        let Pass { rung, state, input, cost, .. } = self;
        let (dt, last, t) = (rung.dt(), k + 1 == tape.steps(), (k + 1) as f64 * rung.dt());
        let row = Row { q: &state.q, v: &state.v, effort: input, dt, last, t };
        sum += objective.value_lanes(rung.model(), cost, &row);
        by_parameter[own].iter_mut().zip(sum.tangents).for_each(|(x, slope)| *x += slope);
    }

    /// The state of row `k`, of which only followers depend on parameters.
    fn stand(&mut self, tape: &Tape, k: usize) {
        let lift = |to: &mut [Lanes], from: &[f64]| {
            to.iter_mut().zip(from).for_each(|(to, x)| *to = Lanes::from_f64(*x));
        };
        lift(&mut self.state.q, tape.q(k));
        lift(&mut self.state.v, tape.v(k));
        let coupling = self.rung.model().coupling();
        coupling.positions(&mut self.state.q);
        coupling.rates(&mut self.state.v);
    }
}
