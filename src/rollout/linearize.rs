//! A rollout's steps as matrices.

use super::forward::{Forward, undecided};
use super::gradient::{Seed, not_finite, seeded};
use super::objective::{Lanes, WIDTH};
use super::{By, Course, Rung};
use crate::error::Result;
use crate::model::Model;
use crate::real::{Real, Tangents};
use crate::step::group::stops_meet;
use crate::step::{DynamicArm, Inputs, Outcome, Settlement, Solver, State, StepJacobian, StepWorkspace};
use crate::switch::{Choices, Gradient, Observer};
use ndarray::{Array2, Array3, ArrayViewMut2, Axis};

/// `δx_{k+1} = A_k δx_k + B_k δu_k + P_k δp` of every step of a rollout, `x = (q, v)` of the coordinates: joints that follow
/// none ([`Coupling::independent`](crate::model::Coupling::independent)).
///
/// Drives are in `A`: where one reads the state, it is the closed loop's.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearized {
    /// `x_k`, `[N + 1, 2 r]`.
    pub states: Array2<f64>,
    /// What each joint was told, `[N, n]`.
    pub inputs: Array2<f64>,
    /// `[N, 2 r, 2 r]`.
    pub a: Array3<f64>,
    /// By the values of [`By::inputs`], in their order, `[N, 2 r, inputs]`.
    pub b: Array3<f64>,
    /// By [`By::parameters`], `[N, 2 r, parameters]`.
    pub p: Array3<f64>,
}

impl Linearized {
    fn zero(model: &Model<f64>, by: &By, steps: usize) -> Self {
        let (n, x) = (model.joints().len(), 2 * model.coupling().independent().len());
        Linearized {
            states: Array2::zeros((steps + 1, x)),
            inputs: Array2::zeros((steps, n)),
            a: Array3::zeros((steps, x, x)),
            b: Array3::zeros((steps, x, by.inputs.len())),
            p: Array3::zeros((steps, x, by.parameters.len())),
        }
    }
}

/// Every step of a course as matrices, and what they are worth.
///
/// In closed form where the solve is exact; steps by sweeps, commanded arms and parameters in dual numbers, eight at a time.
/// Exact ties are settled as for [`Adjoint::gradient`](super::Adjoint::gradient).
///
/// # Errors
/// [`Error::Length`](crate::Error::Length), [`Error::Value`](crate::Error::Value) and
/// [`Error::UnknownName`](crate::Error::UnknownName) for a course or names that do not fit; [`Error::Value`](crate::Error::Value)
/// for a rollout that does not stay finite.
pub fn linearize(rung: &Rung, course: &Course<'_>, by: &By) -> Result<Gradient<Linearized>> {
    let model = rung.model();
    let steps = course.values.len() / model.joints().len().max(1);
    course.check(rung, steps)?;
    by.check(model)?;
    let mut steps_taken = Steps::new(rung, by)?;
    let mut observer = by.observer(rung)?;
    let mut found = Linearized::zero(model, by, steps);
    let mut tied = steps_taken.fill(course, &mut Choices::free(), &mut observer, &mut found)?;
    tied |= !by.parameters.is_empty() && stops_meet(model);
    if tied {
        let script = Forward { rung, course, by, steps }.settle()?;
        let mut choices = Choices::replay(script);
        steps_taken.fill(course, &mut choices, &mut observer, &mut found)?;
        observer.settled(&undecided(choices.script(), rung));
    } else {
        observer.settled(&[]);
    }
    Ok(Gradient::new(found, observer.status()))
}

/// What is needed to step and to differentiate, and scratch.
struct Steps<'a> {
    rung: &'a Rung,
    by: &'a By,
    ws: StepWorkspace<f64>,
    out: Outcome<f64>,
    state: State<f64>,
    before: State<f64>,
    input: Vec<f64>,
    jacobian: StepJacobian<f64>,
    /// Passes in dual numbers with the columns they fill, and their scratch.
    passes: Vec<Pass>,
    ws_lanes: StepWorkspace<Lanes>,
    out_lanes: Outcome<Lanes>,
}

/// Up to eight seeds, the matrix and the first of the columns they belong to.
struct Pass {
    seeds: Vec<Seed>,
    block: Block,
    first: usize,
    rung: Rung<Lanes>,
}

#[derive(Clone, Copy, PartialEq)]
enum Block {
    State,
    Input,
    Parameter,
}

impl<'a> Steps<'a> {
    fn new(rung: &'a Rung, by: &'a By) -> Result<Self> {
        let model = rung.model();
        let n = model.joints().len();
        let mut passes = Vec::new();
        let mut add = |seeds: Vec<Seed>, block: Block| -> Result<()> {
            for (chunk, seeds) in seeds.chunks(WIDTH).enumerate() {
                let lane = |i: usize| seeds.iter().position(|s| *s == Seed::Parameter(i));
                let rung = seeded(rung, &by.parameters, lane)?;
                passes.push(Pass { seeds: seeds.to_vec(), block, first: chunk * WIDTH, rung });
            }
            Ok(())
        };
        if exact(rung).is_none() {
            let independent = model.coupling().independent();
            let positions = independent.iter().map(|&j| Seed::Position(j));
            add(positions.chain(independent.iter().map(|&j| Seed::Velocity(j))).collect(), Block::State)?;
            add(by.inputs.iter().map(|&joint| Seed::Value { step: 0, joint }).collect(), Block::Input)?;
        }
        add((0..by.parameters.len()).map(Seed::Parameter).collect(), Block::Parameter)?;
        let lanes = model.map(Lanes::from_f64);
        let state = State { q: vec![0.0; n], v: vec![0.0; n], t: 0.0 };
        Ok(Steps {
            ws: StepWorkspace::new(model),
            out: Outcome::new(model),
            before: state.clone(),
            state,
            input: vec![0.0; n],
            jacobian: StepJacobian::new(model),
            passes,
            ws_lanes: StepWorkspace::new(&lanes),
            out_lanes: Outcome::new(&lanes),
            rung,
            by,
        })
    }

    /// Steps the course, matrix by matrix. Whether some joint was exactly between two pieces.
    fn fill(
        &mut self,
        course: &Course<'_>,
        choices: &mut Choices,
        observer: &mut Observer,
        found: &mut Linearized,
    ) -> Result<bool> {
        let (rung, coupling) = (self.rung, self.rung.model().coupling());
        self.state.clone_from(course.start);
        self.state.t = 0.0;
        coupling.positions(&mut self.state.q);
        coupling.rates(&mut self.state.v);
        observer.clear();
        let mut tied = false;
        let keep = |state: &State<f64>, mut row: ndarray::ArrayViewMut1<'_, f64>| {
            let both = coupling.independent().iter().map(|&j| state.q[j]);
            let both = both.chain(coupling.independent().iter().map(|&j| state.v[j]));
            row.iter_mut().zip(both).for_each(|(to, x)| *to = x);
        };
        keep(&self.state, found.states.row_mut(0));
        for k in 0..found.inputs.nrows() {
            // Passes in dual numbers are on the sides of the plain step, whatever their seeds would choose at its state.
            let mut own = (choices.is_free() && !self.passes.is_empty()).then(Choices::record);
            let sides = own.as_mut().unwrap_or(choices);
            sides.at_step(k as u64);
            self.before.clone_from(&self.state);
            course.tell(rung, k, &self.state, |_, x| x, &mut self.input);
            let report = rung.step(&mut self.ws, &mut self.state, &self.input, sides, &mut self.out);
            self.state.t = (k + 1) as f64 * rung.dt();
            if let Settlement::NotFinite { joint } = report.settlement {
                return Err(not_finite(rung.model(), joint, self.state.t));
            }
            tied |= report.tied;
            observer.observe(&self.out, &report, self.state.t);
            keep(&self.state, found.states.row_mut(k + 1));
            found.inputs.row_mut(k).iter_mut().zip(&self.input).for_each(|(to, x)| *to = *x);
            let mut own = own.map(|own| Choices::replay(own.into_script()));
            let choices = own.as_mut().unwrap_or(choices);
            choices.at_step(k as u64);
            let [a, b, p] = [&mut found.a, &mut found.b, &mut found.p].map(|m| m.index_axis_mut(Axis(0), k));
            if let Some(arm) = exact(rung) {
                self.closed_form(arm, course, k, a, b);
                self.in_duals(course, k, choices, [None, None, Some(p)]);
            } else {
                self.in_duals(course, k, choices, [Some(a), Some(b), Some(p)]);
            }
        }
        Ok(tied)
    }

    /// `A` and `B` of a step.
    fn closed_form(
        &mut self,
        arm: &DynamicArm<f64>,
        course: &Course<'_>,
        k: usize,
        mut a: ArrayViewMut2<'_, f64>,
        mut b: ArrayViewMut2<'_, f64>,
    ) {
        let Steps { ws, out, state, before, input, jacobian, by, .. } = self;
        let coupling = arm.model().coupling();
        let (dt, r, members) = (arm.dt(), coupling.independent().len(), coupling.members());
        let states = (&*before, &*state);
        arm.fill_jacobian(ws, states, &Inputs::effort(input), (&out.pieces, &before.v), jacobian);
        let (mut by_q, mut by_v) = (jacobian.by_position.clone(), jacobian.by_velocity.clone());
        for (j, member) in members.iter().enumerate() {
            let Some([stiffness, damping]) = course.slopes(k, arm.dt(), j, before) else { continue };
            for i in 0..r {
                let at = i * r + member.coordinate;
                let effort = jacobian.by_effort[at] * member.multiplier * member.multiplier;
                by_q[at] += effort * stiffness;
                by_v[at] += effort * damping;
            }
        }
        for i in 0..r {
            let moves = if jacobian.stopped[i] { 0.0 } else { dt };
            for c in 0..r {
                let own = if i == c && !jacobian.stopped[i] { 1.0 } else { 0.0 };
                (a[[i, c]], a[[i, r + c]]) = (own + moves * by_q[i * r + c], moves * by_v[i * r + c]);
                (a[[r + i, c]], a[[r + i, r + c]]) = (by_q[i * r + c], by_v[i * r + c]);
            }
            for (column, &j) in by.inputs.iter().enumerate() {
                let by_effort = jacobian.by_effort[i * r + members[j].coordinate] * members[j].multiplier;
                (b[[i, column]], b[[r + i, column]]) = (moves * by_effort, by_effort);
            }
        }
    }

    /// Columns of a step in dual numbers, from the state and pieces it had.
    fn in_duals(
        &mut self,
        course: &Course<'_>,
        k: usize,
        choices: &mut Choices,
        mut blocks: [Option<ArrayViewMut2<'_, f64>>; 3],
    ) {
        let Steps { passes, before, ws_lanes, out_lanes, .. } = self;
        for Pass { seeds, block, first, rung } in passes {
            let Some(matrix) = &mut blocks[*block as usize] else { continue };
            let lane = |x: f64, seed: Seed| {
                let lane = seeds.iter().position(|s| *s == seed);
                lane.map_or_else(|| Lanes::from_f64(x), |lane| Tangents::variable(x, lane))
            };
            let q = before.q.iter().enumerate().map(|(j, x)| lane(*x, Seed::Position(j))).collect();
            let v = before.v.iter().enumerate().map(|(j, x)| lane(*x, Seed::Velocity(j))).collect();
            let mut state = State { q, v, t: before.t };
            let coupling = rung.model().coupling();
            coupling.positions(&mut state.q);
            coupling.rates(&mut state.v);
            let mut input = vec![Lanes::from_f64(0.0); state.q.len()];
            let value = |joint, x| lane(x, Seed::Value { step: 0, joint });
            course.tell(rung, k, &state, value, &mut input);
            let _ = rung.step(ws_lanes, &mut state, &input, choices, out_lanes);
            let r = coupling.independent().len();
            for (c, &j) in coupling.independent().iter().enumerate() {
                for column in 0..seeds.len() {
                    matrix[[c, *first + column]] = state.q[j].tangents[column];
                    matrix[[r + c, *first + column]] = state.v[j].tangents[column];
                }
            }
        }
    }
}

/// The arm, where its steps have closed-form derivatives.
fn exact(rung: &Rung) -> Option<&DynamicArm<f64>> {
    match rung {
        Rung::Dynamic(arm) if arm.solver() == Solver::Exact => Some(arm),
        _ => None,
    }
}
