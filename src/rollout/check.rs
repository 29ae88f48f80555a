//! A gradient against differences.

use super::{Adjoint, By, Objective, Plan, RolloutGradient, Rung, Sides, Straddle, Variable};
use crate::error::Result;
use rayon::prelude::*;

/// Differences of an objective by the numbers of a plan and of the machine.
///
/// ```text
/// central      (J(x + h) − J(x − h)) / 2h                        h = 1e-6 max(1, |x|)
/// one side     ±(4 J(x ± h) − J(x ± 2h) − 3 J(x)) / 2h           where the other is no machine, or no start, there is
/// ```
///
/// An entry agrees within `1e-5` of the largest entry of its group, or within what rounding can make of a difference,
/// `r/h` (four times that of one side):
///
/// ```text
/// r = ε (8 + √N) (Σ_terms |J| + Σ_j |∂J/∂q_0j| max(1, |q_0j|) + |∂J/∂v_0j| max(1, |v_0j|))      N steps, ε = 2.2e-16
/// ```
///
/// The sum of `N` rows and `N` states, each rounded, walk `√N` roundings; the second part is what those of the states weigh. At an
/// optimum both are zero, and what is left is what roundings of the number itself make of the slope,
/// `ε (8 + √N) max(1, |x|) |J(x + h) + J(x − h) − 2 J(x)| / h²`.
/// Where an entry does not agree, and all the runs it is of were on the same sides of every switch, shorter steps are tried, a tenth and
/// a hundredth, for a number whose size is far from one; by the first measure alone.
#[derive(Clone, Copy, Debug)]
pub struct Differences<'a> {
    /// The arm.
    pub rung: &'a Rung,
    /// What the rollout is judged by.
    pub objective: &'a Objective,
    /// What it is told.
    pub plan: &'a Plan,
    /// Addresses of the machine that [`Variable::Parameter`] counts.
    pub parameters: &'a [String],
}

/// An entry of a gradient that was held against a difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The difference; none where neither side can be run.
    pub difference: Option<f64>,
    /// Its step.
    pub step: f64,
    /// Whether it agrees.
    pub agrees: bool,
    /// Of an entry that does not: switches on whose sides the runs of the difference are not one, first of all in time.
    pub straddles: Vec<Straddle>,
}

/// An entry to be checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// What it is by.
    pub variable: Variable,
    /// The number there.
    pub value: f64,
    /// The derivative.
    pub gradient: f64,
    /// The size of the largest derivative of its group.
    pub largest: f64,
}

/// A run: the objective, and the sides.
type Run = (f64, Sides);

impl Differences<'_> {
    /// Checks entries on all cores, in no order; `each` is asked before each, and where it says no, that entry is left out.
    ///
    /// The result of an entry does not depend on how many cores there are.
    ///
    /// # Errors
    /// As [`Adjoint::value`], of the plan as it is.
    pub fn check(
        &self,
        found: &RolloutGradient,
        entries: &[Entry],
        each: impl Fn() -> bool + Sync,
    ) -> Result<Vec<Option<Checked>>> {
        let mut adjoint = self.adjoint(self.rung)?;
        let (base, rounding) = (run(&mut adjoint, self.plan)?, self.rounding(found));
        let one = |adjoint: &mut Adjoint<'_>, entry: &Entry| {
            each().then(|| self.entry(adjoint, entry, &base, rounding))
        };
        Ok(entries.par_iter().map_init(|| adjoint.clone(), one).collect())
    }

    fn adjoint<'b>(&'b self, rung: &'b Rung) -> Result<Adjoint<'b>> {
        // Nothing is walked back: one step of tape is enough.
        Adjoint::with_checkpoints(rung, self.objective, By::default(), self.plan.steps(), 1)
    }

    /// What rounding may change the objective by.
    fn rounding(&self, found: &RolloutGradient) -> f64 {
        let start = self.plan.start();
        let weigh = |slopes: &[f64], numbers: &[f64]| {
            slopes.iter().zip(numbers).map(|(slope, x)| slope.abs() * x.abs().max(1.0)).sum::<f64>()
        };
        let terms: f64 = found.terms.iter().map(|x| x.abs()).sum();
        let states = weigh(&found.by_start_position, &start.q) + weigh(&found.by_start_velocity, &start.v);
        self.roundings() * (terms + states)
    }

    /// Those of a sum over the steps, for a number of size one.
    fn roundings(&self) -> f64 {
        f64::EPSILON * (8.0 + (self.plan.steps() as f64).sqrt())
    }

    fn entry(&self, adjoint: &mut Adjoint<'_>, entry: &Entry, base: &Run, rounding: f64) -> Checked {
        let relative = 1e-5 * entry.largest;
        let step = 1e-6 * entry.value.abs().max(1.0);
        let first = self.at(adjoint, entry, base, step, |of| relative.max(rounding * of));
        let open = |checked: &Checked| !checked.agrees && checked.straddles.is_empty();
        if !open(&first) || first.difference.is_none() {
            return first;
        }
        let shorter = |part: f64| self.at(adjoint, entry, base, part * step, |_| relative);
        [0.1, 0.01].map(shorter).into_iter().find(|checked| !open(checked)).unwrap_or(first)
    }

    /// With one step; `allowed(w)` is how far the two may be apart, where rounding counts `w` times.
    fn at(
        &self,
        adjoint: &mut Adjoint<'_>,
        entry: &Entry,
        base: &Run,
        step: f64,
        allowed: impl Fn(f64) -> f64,
    ) -> Checked {
        let mut beside = |amount: f64| self.beside(adjoint, entry.variable, amount);
        let mut bent = 0.0;
        let (runs, difference, weight) = match (beside(step), beside(-step)) {
            (Some(up), Some(down)) => {
                let difference = (up.0 - down.0) / (2.0 * step);
                let curvature = (up.0 + down.0 - 2.0 * base.0).abs() / (step * step);
                bent = self.roundings() * entry.value.abs().max(1.0) * curvature;
                (vec![up, down], Some(difference), 1.0 / step)
            }
            (None, None) => (Vec::new(), None, 0.0),
            (up, down) => {
                let sign = if up.is_some() { 1.0 } else { -1.0 };
                let near = up.or(down).into_iter();
                let runs: Vec<Run> = near.chain(beside(2.0 * sign * step)).collect();
                let difference = match &runs[..] {
                    [near, far] => Some(sign * (4.0 * near.0 - far.0 - 3.0 * base.0) / (2.0 * step)),
                    _ => None,
                };
                (runs, difference, 4.0 / step)
            }
        };
        let agrees = difference.is_some_and(|d| (d - entry.gradient).abs() <= allowed(weight).max(bent));
        let mut straddles: Vec<Straddle> = Vec::new();
        if !agrees {
            let all: Vec<&Sides> = runs.iter().chain([base]).map(|run| &run.1).collect();
            for (i, sides) in all.iter().enumerate() {
                for straddle in all[..i].iter().flat_map(|other| sides.straddled(other, self.rung)) {
                    match straddles
                        .iter_mut()
                        .find(|s| (s.switch, &s.joint) == (straddle.switch, &straddle.joint))
                    {
                        Some(known) => known.time = known.time.min(straddle.time),
                        None => straddles.push(straddle),
                    }
                }
            }
            straddles.sort_by(|a, b| a.time.total_cmp(&b.time));
        }
        Checked { difference, step, agrees, straddles }
    }

    /// The run with an amount added to one number; none where no such machine, start or finite run is.
    fn beside(&self, adjoint: &mut Adjoint<'_>, variable: Variable, amount: f64) -> Option<Run> {
        let mut plan = self.plan.clone();
        plan.add(variable, amount);
        let Variable::Parameter(i) = variable else {
            plan.follow(self.rung);
            return run(adjoint, &plan).ok();
        };
        let model = self.rung.model().vary(&[(self.parameters[i].as_str(), amount)]).ok()?;
        let rung = self.rung.with_model(model).ok()?;
        plan.follow(&rung);
        run(&mut self.adjoint(&rung).ok()?, &plan).ok()
    }
}

fn run(adjoint: &mut Adjoint<'_>, plan: &Plan) -> Result<Run> {
    let mut sides = Sides::default();
    let value = adjoint.value_with(&plan.course(), |_, out| sides.keep(out))?;
    Ok((*value.read().0, sides))
}
