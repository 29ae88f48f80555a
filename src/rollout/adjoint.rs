//! The gradient of an objective over a rollout, backwards: its cost does not grow with the number of inputs.
//!
//! ```text
//! forwards    x_{k+1} = step(x_k, u_k)                                      J = Σ_k ℓ_k(x_k, u_{k−1})
//! backwards   λ_N = ∂ℓ_N/∂x,   λ_k = (∂x_{k+1}/∂x_k)ᵀ λ_{k+1} + ∂ℓ_k/∂x     ∂J/∂u_k = (∂x_{k+1}/∂u_k)ᵀ λ_{k+1} + ∂ℓ_{k+1}/∂u
//! ```
//!
//! A step is taken back in closed form ([`DynamicArm::pull_back`](crate::step::DynamicArm::pull_back)); what it gives by
//! parameters is the step in dual numbers at the state it had, eight parameters at a time.

use super::forward::{Forward, undecided};
use super::gradient::not_finite;
use super::objective::{CostWorkspace, Objective, Row};
use super::passes::{Pass, passes};
use super::tape::Tape;
use super::{By, Course, RolloutGradient, Rung};
use crate::error::Result;
use crate::step::group::stops_meet;
use crate::step::impulse::exact::PIECE;
use crate::step::{Inputs, Outcome, Settlement, Solver, State, StepAdjoint, StepWorkspace};
use crate::switch::{Choices, Gradient, Observer, Script};

/// Everything a gradient of one objective over rollouts of one arm needs, allocated once.
///
/// ```
/// use articula::model::{Builder, Inertial, JointKind, JointSpec};
/// use articula::rollout::{Adjoint, By, Course, Objective, Quantity, Rung, Term, When};
/// use articula::step::{DynamicArm, Solver};
/// use articula::switch::Observed;
///
/// let mut slide = Builder::new("slide");
/// slide.link("rail", None).link("cart", Some(Inertial::new(2.0, [0.0; 3], [0.1, 0.0, 0.0, 0.1, 0.0, 0.1])));
/// slide.joint(JointSpec {
///     name: "slide".into(), kind: Some(JointKind::Prismatic), parent: "rail".into(), child: "cart".into(),
///     friction: 0.5, ..JointSpec::default()
/// });
/// let rung = Rung::Dynamic(DynamicArm::new(slide.build()?, 0.01, Solver::Exact)?);
/// let goal = Quantity::JointPosition { joint: 0, goal: 1.0 }; // m
/// let objective = Objective::new(rung.model(), vec![Term { quantity: goal, when: When::End, weight: 1.0 }])?;
/// let mut adjoint = Adjoint::new(&rung, &objective, By::every_input(rung.model()), 100)?;
/// let start = rung.state(&[0.0], &[0.0])?;
/// let gradient = adjoint.gradient(&Course { start: &start, drives: &[], values: &[1.0; 100] })?;
/// let (found, status) = gradient.read();
/// // (1 − 0.5) N on 2 kg: q = ½ (F/m) dt² N(N + 1); the first push acts for N steps, the last for one.
/// let q = 0.5 * 0.25 * 1e-4 * 100.0 * 101.0;
/// let slope = |steps: f64| 2.0 * (q - 1.0) * steps * 1e-4 / 2.0;
/// assert!((found.by_value[0] - slope(100.0)).abs() < 1e-12 && (found.by_value[99] - slope(1.0)).abs() < 1e-12);
/// assert_eq!(status.observed, Observed::Exact);
/// # Ok::<(), articula::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Adjoint<'a> {
    rung: &'a Rung,
    objective: &'a Objective,
    by: By,
    tape: Tape,
    passes: Vec<Pass>,
    observer: Observer,
    back: Back,
}

/// Scratch in plain numbers.
#[derive(Clone, Debug)]
struct Back {
    ws: StepWorkspace<f64>,
    out: Outcome<f64>,
    state: State<f64>,
    after: State<f64>,
    input: Vec<f64>,
    cost: CostWorkspace,
    step: StepAdjoint<f64>,
    /// By positions, velocities and inputs, one a joint.
    joints: [Vec<f64>; 3],
    product: Vec<f64>,
    values: Vec<f64>,
}

impl<'a> Adjoint<'a> {
    /// Room for rollouts of so many steps, all of them kept.
    ///
    /// # Errors
    /// [`Error::UnknownName`](crate::Error::UnknownName) or [`Error::Value`](crate::Error::Value) for what [`By`] names and the machine has not.
    pub fn new(rung: &'a Rung, objective: &'a Objective, by: By, steps: usize) -> Result<Self> {
        Self::with_checkpoints(rung, objective, by, steps, steps)
    }

    /// Room for rollouts of so many steps, of which `block` at a time are kept: the others are stepped again from the state
    /// their block starts with, which takes one more rollout's time. The numbers are the same, to the bit.
    ///
    /// # Errors
    /// As [`Adjoint::new`].
    pub fn with_checkpoints(
        rung: &'a Rung,
        objective: &'a Objective,
        by: By,
        steps: usize,
        block: usize,
    ) -> Result<Self> {
        let model = rung.model();
        by.check(model)?;
        let (n, r) = (model.joints().len(), model.coupling().independent().len());
        let passes = passes(rung, objective, &by.parameters)?;
        let state = || State { q: vec![0.0; n], v: vec![0.0; n], t: 0.0 };
        let back = Back {
            ws: StepWorkspace::new(model),
            out: Outcome::new(model),
            state: state(),
            after: state(),
            input: vec![0.0; n],
            cost: objective.workspace(model),
            step: StepAdjoint::new(model),
            joints: std::array::from_fn(|_| vec![0.0; n]),
            product: vec![0.0; r],
            values: vec![0.0; objective.terms().len()],
        };
        let observer = by.observer(rung)?;
        Ok(Adjoint { rung, objective, by, tape: Tape::new(n, steps, block), passes, observer, back })
    }

    /// The objective over a course, its derivatives, and what they are worth.
    ///
    /// Exact ties are settled by what it is [`By`], in dual numbers, and cost as many rollouts as it takes to decide them;
    /// without ties, the cost is that of a rollout and of the way back. A solve by sweeps is differentiated forwards, eight
    /// numbers a rollout.
    ///
    /// # Errors
    /// [`Error::Length`](crate::Error::Length) and [`Error::Value`](crate::Error::Value) for a course that does not fit; [`Error::Value`](crate::Error::Value) for a rollout that does not
    /// stay finite, its joint and time named.
    pub fn gradient(&mut self, course: &Course<'_>) -> Result<Gradient<RolloutGradient>> {
        course.check(self.rung, self.tape.steps())?;
        let model = self.rung.model();
        let mut tied = self.forwards(course, &mut Choices::free(), &mut |_, _| {})?;
        // Where stops of coupled joints meet, all passes have to take the same.
        tied |= !self.passes.is_empty() && stops_meet(model);
        let mut script = None;
        if tied {
            let settled = self.in_duals(course).settle()?;
            let mut choices = Choices::replay(settled);
            self.forwards(course, &mut choices, &mut |_, _| {})?;
            script = Some(choices.into_script());
        }
        let open = script.as_ref().map(|script| undecided(script, self.rung)).unwrap_or_default();
        self.observer.settled(&open);
        let sweeps = matches!(self.rung, Rung::Dynamic(arm) if arm.solver() != Solver::Exact);
        let mut found = if sweeps {
            // By everything there is, as on the way back.
            let by = By { start: true, parameters: self.by.parameters.clone(), ..By::every_input(model) };
            Forward { by: &by, ..self.in_duals(course) }.gradient(self.objective, script)?
        } else {
            self.backwards(course, script)?
        };
        found.terms.copy_from_slice(&self.back.values);
        found.objective = found.terms.iter().sum();
        Ok(Gradient::new(found, self.observer.status()))
    }

    fn in_duals<'b>(&'b self, course: &'b Course<'b>) -> Forward<'b> {
        Forward { rung: self.rung, course, by: &self.by, steps: self.tape.steps() }
    }

    /// The objective alone, and whether its derivative would be worth something.
    ///
    /// # Errors
    /// As [`Adjoint::gradient`].
    pub fn value(&mut self, course: &Course<'_>) -> Result<Gradient<f64>> {
        self.value_with(course, |_, _| {})
    }

    /// The same; `each(k, outcome)` sees what step `k` made.
    ///
    /// # Errors
    /// As [`Adjoint::gradient`].
    pub fn value_with(
        &mut self,
        course: &Course<'_>,
        mut each: impl FnMut(usize, &Outcome<f64>),
    ) -> Result<Gradient<f64>> {
        course.check(self.rung, self.tape.steps())?;
        self.forwards(course, &mut Choices::free(), &mut each)?;
        Ok(Gradient::new(self.back.values.iter().sum(), self.observer.status()))
    }

    /// Runs the course: fills the tape, the terms' values and the observer. Whether some joint was exactly between two pieces.
    fn forwards(
        &mut self,
        course: &Course<'_>,
        choices: &mut Choices,
        each: &mut dyn FnMut(usize, &Outcome<f64>),
    ) -> Result<bool> {
        let Adjoint { rung, objective, tape, observer, back, .. } = self;
        let (dt, steps) = (rung.dt(), tape.steps());
        back.state.clone_from(course.start);
        back.state.t = 0.0;
        rung.model().coupling().positions(&mut back.state.q);
        rung.model().coupling().rates(&mut back.state.v);
        back.values.fill(0.0);
        observer.clear();
        let mut tied = false;
        for block in 0..tape.blocks() {
            for k in tape.of_block(block) {
                if k == tape.of_block(block).start {
                    tape.open(k, &back.state);
                }
                choices.at_step(k as u64);
                course.tell(rung, k, &back.state, |_, x| x, &mut back.input);
                let report = rung.step(&mut back.ws, &mut back.state, &back.input, choices, &mut back.out);
                back.state.t = (k + 1) as f64 * dt;
                if let Settlement::NotFinite { joint } = report.settlement {
                    return Err(not_finite(rung.model(), joint, back.state.t));
                }
                tied |= report.tied;
                each(k, &back.out);
                observer.observe(&back.out, &report, back.state.t);
                tape.keep(k, &back.input, &back.state, &back.out.pieces);
                let row = Row {
                    q: &back.state.q,
                    v: &back.state.v,
                    effort: &back.input,
                    dt,
                    last: k + 1 == steps,
                    t: back.state.t,
                };
                objective.add_value(rung.model(), &mut back.cost, &row, &mut back.values);
            }
        }
        Ok(tied)
    }

    /// The last block is on the tape; the others are stepped again.
    fn backwards(&mut self, course: &Course<'_>, script: Option<Script>) -> Result<RolloutGradient> {
        let (rung, steps) = (self.rung, self.tape.steps());
        let coupling = rung.model().coupling();
        let n = rung.model().joints().len();
        let mut found =
            RolloutGradient::zero(course, n, self.objective.terms().len(), self.by.parameters.len());
        let settled = script.is_some();
        let mut choices = script.map_or_else(Choices::free, Choices::replay);
        let mut held = Choices::replay(Script::default());
        self.back.step.by_position.fill(0.0);
        self.back.step.by_velocity.fill(0.0);
        for block in (0..self.tape.blocks()).rev() {
            if block + 1 < self.tape.blocks() {
                self.again(course, block, &mut choices);
            }
            for k in self.tape.of_block(block).rev() {
                self.add_costs(k, steps);
                if !settled {
                    // The passes are on the rollout's pieces, whatever their seeds would choose at its states.
                    let pieces = self.tape.pieces(k);
                    held.hold(&PIECE, coupling.independent().iter().map(|&j| pieces[j].code()));
                }
                let choices = if settled { &mut choices } else { &mut held };
                choices.at_step(if settled { k as u64 } else { 0 });
                let Adjoint { tape, passes, objective, back, .. } = &mut *self;
                let costate = (&back.step.by_position[..], &back.step.by_velocity[..]);
                for pass in passes {
                    pass.add(course, objective, (tape, k), costate, choices, &mut found.by_parameter);
                }
                self.step_back(course, k, &mut found);
            }
        }
        let step = &self.back.step;
        for (c, &j) in coupling.independent().iter().enumerate() {
            found.by_start_position[j] = step.by_position[c];
            found.by_start_velocity[j] = step.by_velocity[c];
        }
        Ok(found)
    }

    /// Steps a block once more, onto the tape.
    fn again(&mut self, course: &Course<'_>, block: usize, choices: &mut Choices) {
        let Adjoint { rung, tape, back, .. } = self;
        let range = tape.of_block(block);
        tape.start(range.start, &mut back.state);
        let start = back.state.clone();
        tape.open(range.start, &start);
        for k in range {
            choices.at_step(k as u64);
            course.tell(rung, k, &back.state, |_, x| x, &mut back.input);
            let _ = rung.step(&mut back.ws, &mut back.state, &back.input, choices, &mut back.out);
            tape.keep(k, &back.input, &back.state, &back.out.pieces);
        }
    }

    /// Adds the objective's derivatives by the state after step `k` to those of what comes later, and fills those by its
    /// inputs.
    fn add_costs(&mut self, k: usize, steps: usize) {
        let Adjoint { rung, objective, tape, back, .. } = self;
        let coupling = rung.model().coupling();
        let [by_q, by_v, by_input] = &mut back.joints;
        [&mut *by_q, &mut *by_v, &mut *by_input].into_iter().for_each(|x| x.fill(0.0));
        let (dt, last) = (rung.dt(), k + 1 == steps);
        let t = (k + 1) as f64 * dt;
        let row = Row { q: tape.q(k + 1), v: tape.v(k + 1), effort: tape.input(k), dt, last, t };
        objective.add_gradient(rung.model(), &mut back.cost, &row, by_q, by_v, by_input);
        for (joints, sum) in [(by_q, &mut back.step.by_position), (by_v, &mut back.step.by_velocity)] {
            coupling.project(joints, &mut back.product);
            sum.iter_mut().zip(&back.product).for_each(|(x, y)| *x += y);
        }
    }

    /// Takes the derivatives back through step `k`.
    fn step_back(&mut self, course: &Course<'_>, k: usize, found: &mut RolloutGradient) {
        let Adjoint { rung, tape, back, .. } = self;
        let coupling = rung.model().coupling();
        let n = rung.model().joints().len();
        let by_input = &mut back.joints[2];
        tape.state(k, rung.dt(), &mut back.state);
        match rung {
            Rung::Dynamic(arm) => {
                tape.state(k + 1, rung.dt(), &mut back.after);
                // Without spin momenta the velocity is not turned.
                let states = (&back.state, &back.after);
                let step = (tape.pieces(k), &back.state.v[..]);
                arm.pull_back(&mut back.ws, states, &Inputs::effort(tape.input(k)), step, &mut back.step);
                coupling.scatter(&back.step.by_effort, &mut back.input);
                by_input.iter_mut().zip(&back.input).for_each(|(x, y)| *x += y);
            }
            Rung::Kinematic(arm) => {
                let StepAdjoint { by_position, by_velocity, by_effort, .. } = &mut back.step;
                arm.pull_back(tape.pieces(k), by_position, by_velocity, by_effort);
                // What a follower is told is its leader's: all of it is the leader's.
                coupling.project(by_input, &mut back.product);
                by_input.fill(0.0);
                for (c, &j) in coupling.independent().iter().enumerate() {
                    by_input[j] = back.product[c] + by_effort[c];
                }
            }
        }
        found.by_value[k * n..(k + 1) * n].copy_from_slice(by_input);
        if course.drives.is_empty() {
            return;
        }
        let [by_q, by_v, by_input] = &mut back.joints;
        by_q.fill(0.0);
        by_v.fill(0.0);
        for j in 0..n {
            if let Some([stiffness, damping]) = course.slopes(k, rung.dt(), j, &back.state) {
                (by_q[j], by_v[j]) = (by_input[j] * stiffness, by_input[j] * damping);
            }
        }
        for (joints, sum) in [(by_q, &mut back.step.by_position), (by_v, &mut back.step.by_velocity)] {
            coupling.project(joints, &mut back.product);
            sum.iter_mut().zip(&back.product).for_each(|(x, y)| *x += y);
        }
    }
}
