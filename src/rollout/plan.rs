//! What a segment is told where the inputs of some of its joints are decided.

use super::{Course, Drive, Knots, RolloutGradient, Rung, Segment};
use crate::error::{Error, Result};
use crate::step::State;

/// A segment's course with numbers for the inputs of some joints: one a step, or at [`Knots`].
///
/// The numbers start as what the joints' drives say at their times. A proportional-derivative drive stays, since it feeds back: its joint's
/// numbers start as zeros and are added. Other joints keep their drives. A commanded joint without a drive is held where it
/// starts, so that what its start position changes goes two ways; one that is decided starts with commands to stay.
///
/// ```text
/// u_k = Σ_i N_i(t_k) x_i (+ drive)        ∂J/∂x = Nᵀ ∂J/∂u        ∂J/∂q_0 of a held joint:  ∂J/∂q_0 + Σ_k ∂J/∂u_k
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    start: State<f64>,
    drives: Vec<Option<Drive>>,
    /// Commanded joints that are held where they start.
    held: Vec<bool>,
    inputs: Vec<(usize, Vec<f64>)>,
    knots: Option<Knots>,
    dt: f64,
    steps: usize,
    values: Vec<f64>,
}

/// One number that a plan can be changed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A number of a decided input.
    Input {
        /// Which of the decided inputs.
        input: usize,
        /// Which of its numbers.
        at: usize,
    },
    /// The position a joint starts from.
    StartPosition(usize),
    /// The velocity a joint starts with.
    StartVelocity(usize),
    /// One of the parameters of the machine.
    Parameter(usize),
}

impl Plan {
    /// Of a segment that has not run yet, over so many steps of its own.
    ///
    /// # Errors
    /// [`Error::Value`]: a joint the machine does not have, one that follows another, one named twice; fewer than two knots
    /// or more than `steps + 1`.
    pub fn new(segment: &Segment, steps: usize, inputs: &[usize], knots: Option<usize>) -> Result<Self> {
        let model = segment.model();
        let joints = model.joints();
        for (i, &j) in inputs.iter().enumerate() {
            let wrong = |found: String, expected: &str| Err(Error::value("inputs", found, expected));
            if j >= joints.len() {
                return wrong(format!("joint {j}"), &format!("a joint below {}", joints.len()));
            }
            let name = &joints[j].name;
            if model.coupling().follows(j) {
                return wrong(format!("`{name}`, which follows another"), "joints that follow none");
            }
            if inputs[..i].contains(&j) {
                return wrong(format!("`{name}` twice"), "each joint once");
            }
        }
        let line = |count| {
            let expected = format!("from 2 to {}, one more than the steps", steps + 1);
            Knots::new(steps, count).ok_or_else(|| Error::value("knots", count, &expected))
        };
        let knots = knots.map(line).transpose()?;
        let state = segment.state();
        let kinematic = matches!(segment.rung(), Rung::Kinematic(_));
        let mut plan = Plan {
            start: State { q: state.q.clone(), v: state.v.clone(), t: 0.0 },
            drives: segment.drives().to_vec(),
            held: vec![false; joints.len()],
            inputs: Vec::new(),
            knots,
            dt: segment.rung().dt(),
            steps,
            values: vec![0.0; steps * joints.len()],
        };
        for j in (0..joints.len()).filter(|j| kinematic && !model.coupling().follows(*j)) {
            if plan.drives[j].is_none() {
                plan.held[j] = !inputs.contains(&j);
                plan.drives[j] = Some(Drive::Constant(state.q[j]));
            }
        }
        for &j in inputs {
            let told = plan.sampled(j);
            if !matches!(plan.drives[j], Some(Drive::Pd { .. })) {
                plan.drives[j] = None;
            }
            plan.inputs.push((j, told));
            plan.tell(plan.inputs.len() - 1);
        }
        Ok(plan)
    }

    /// What a joint's drive says at the times of the numbers.
    fn sampled(&self, joint: usize) -> Vec<f64> {
        let says = |t: f64| match &self.drives[joint] {
            // It feeds back, and stays beside the numbers.
            None | Some(Drive::Pd { .. }) => 0.0,
            Some(drive) => drive.value(t, self.start.q[joint], self.start.v[joint]),
        };
        self.times().into_iter().map(says).collect()
    }

    /// Spreads the numbers of an input over the steps.
    fn tell(&mut self, input: usize) {
        let n = self.drives.len();
        let (joint, numbers) = &self.inputs[input];
        let spread = self.knots.map(|knots| knots.spread(numbers));
        let values = self.values.iter_mut().skip(*joint).step_by(n);
        values.zip(spread.as_ref().unwrap_or(numbers)).for_each(|(value, x)| *value = *x);
    }

    /// What a rollout takes.
    pub fn course(&self) -> Course<'_> {
        Course { start: &self.start, drives: &self.drives, values: &self.values }
    }

    /// Its steps.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Where inputs are given at knots.
    pub fn knots(&self) -> Option<Knots> {
        self.knots
    }

    /// The decided joints.
    pub fn inputs(&self) -> impl Iterator<Item = usize> {
        self.inputs.iter().map(|(joint, _)| *joint)
    }

    /// The numbers of a decided input.
    ///
    /// # Panics
    /// There are not so many.
    pub fn numbers(&self, input: usize) -> &[f64] {
        &self.inputs[input].1
    }

    /// The times of an input's numbers, s.
    pub fn times(&self) -> Vec<f64> {
        match self.knots {
            Some(knots) => (0..knots.count()).map(|i| knots.at(i) * self.dt).collect(),
            None => (0..self.steps).map(|k| k as f64 * self.dt).collect(),
        }
    }

    /// Where it starts.
    pub fn start(&self) -> &State<f64> {
        &self.start
    }

    /// Adds an amount to one of its numbers; to none where a parameter is named, which is the machine's. Joints that follow
    /// others start as before: see [`Plan::follow`].
    ///
    /// # Panics
    /// There is no such number.
    pub fn add(&mut self, variable: Variable, amount: f64) {
        match variable {
            Variable::Input { input, at } => {
                self.inputs[input].1[at] += amount;
                self.tell(input);
            }
            Variable::StartPosition(j) => {
                self.start.q[j] += amount;
                if self.held[j] {
                    self.drives[j] = Some(Drive::Constant(self.start.q[j]));
                }
            }
            Variable::StartVelocity(j) => self.start.v[j] += amount,
            Variable::Parameter(_) => {}
        }
    }

    /// Puts joints that follow others where a machine has them.
    pub fn follow(&mut self, rung: &Rung) {
        rung.model().coupling().positions(&mut self.start.q);
        rung.model().coupling().rates(&mut self.start.v);
    }

    /// Derivatives by the numbers of a decided input.
    ///
    /// # Panics
    /// There are not so many inputs, or the gradient is of another course.
    pub fn by_input(&self, found: &RolloutGradient, input: usize) -> Vec<f64> {
        let steps = self.by_steps(found, self.inputs[input].0);
        match self.knots {
            Some(knots) => knots.gather(&steps),
            None => steps,
        }
    }

    /// The derivative by the position a joint starts from; what it is held at moves along.
    ///
    /// # Panics
    /// As [`Plan::by_input`].
    pub fn by_start_position(&self, found: &RolloutGradient, joint: usize) -> f64 {
        let held = if self.held[joint] { self.by_steps(found, joint).iter().sum() } else { 0.0 };
        found.by_start_position[joint] + held
    }

    fn by_steps(&self, found: &RolloutGradient, joint: usize) -> Vec<f64> {
        assert_eq!(found.by_value.len(), self.values.len(), "length of by_value");
        found.by_value.iter().skip(joint).step_by(self.drives.len()).copied().collect()
    }
}
