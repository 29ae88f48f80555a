//! What `articula gradient` has to say, and its JSON.

use super::check::Check;
use crate::experiment::{Built, Decision, Parameter};
use crate::model::quoted;
use crate::rollout::{Entry, Objective, Plan, Quantity, RolloutGradient, Segment, Term, Variable, When};
use crate::switch::GradientStatus;
use serde_json::{Map, Value, json};

/// An objective, its derivatives, and what they are worth.
pub(super) struct Answer<'a> {
    pub objective: f64,
    /// Each term in words, and its value.
    pub terms: Vec<(String, f64)>,
    pub inputs: Vec<Input>,
    /// Parameters with their derivatives.
    pub parameters: Vec<(&'a Parameter, f64)>,
    pub status: &'a GradientStatus,
    pub times: Vec<f64>,
    pub knots: bool,
    pub check: Option<Check>,
}

/// A decided input: its numbers, and the derivatives by them.
pub(super) struct Input {
    pub name: String,
    pub unit: &'static str,
    pub values: Vec<f64>,
    pub gradient: Vec<f64>,
}

impl<'a> Answer<'a> {
    pub fn new(
        segment: &Segment,
        objective: &Objective,
        decision: &'a Decision,
        plan: &Plan,
        found: &RolloutGradient,
        status: &'a GradientStatus,
    ) -> Self {
        let joints = segment.model().joints();
        let inputs = plan.inputs().enumerate().map(|(i, joint)| Input {
            name: format!("{}.{}", quoted(segment.name()), quoted(&joints[joint].name)),
            unit: Decision::input_unit(segment, joint),
            values: plan.numbers(i).to_vec(),
            gradient: plan.by_input(found, i),
        });
        let slope = |parameter: &Parameter| match parameter.variable {
            Variable::StartPosition(joint) => plan.by_start_position(found, joint),
            Variable::StartVelocity(joint) => found.by_start_velocity[joint],
            Variable::Parameter(i) => found.by_parameter[i],
            Variable::Input { input, at } => plan.by_input(found, input)[at],
        };
        let terms = objective.terms().iter().zip(&found.terms);
        Answer {
            objective: found.objective,
            terms: terms.map(|(term, value)| (words(term, segment), *value)).collect(),
            inputs: inputs.collect(),
            parameters: decision.parameters.iter().map(|p| (p, slope(p))).collect(),
            status,
            times: plan.times(),
            knots: plan.knots().is_some(),
            check: None,
        }
    }

    /// The first number that is not finite: squares overflow where what is squared does not.
    pub fn not_finite(&self) -> Option<String> {
        let terms = self.terms.iter().map(|(words, value)| (words.clone(), *value));
        let slope = |name: &str| format!("the derivative by {name}");
        let inputs = self.inputs.iter().flat_map(|i| i.gradient.iter().map(|x| (slope(&i.name), *x)));
        let parameters = self.parameters.iter().map(|(p, x)| (slope(&p.name), *x));
        let all = terms.chain([("the objective".into(), self.objective)]).chain(inputs).chain(parameters);
        { all }.find(|(_, x)| !x.is_finite()).map(|(name, _)| name)
    }

    /// Every derivative, to be checked: inputs one after the other, then parameters.
    pub fn entries(&self) -> Vec<Entry> {
        let size = |slopes: &mut dyn Iterator<Item = f64>| slopes.map(f64::abs).fold(0.0, f64::max);
        let mut entries = Vec::new();
        for (input, given) in self.inputs.iter().enumerate() {
            let largest = size(&mut given.gradient.iter().copied());
            let each = given.values.iter().zip(&given.gradient).enumerate();
            entries.extend(each.map(|(at, (&value, &gradient))| Entry {
                variable: Variable::Input { input, at },
                value,
                gradient,
                largest,
            }));
        }
        // Numbers of one unit are a group.
        for (parameter, gradient) in &self.parameters {
            let same = self.parameters.iter().filter(|(other, _)| other.unit == parameter.unit);
            let largest = size(&mut same.map(|(_, gradient)| *gradient));
            entries.push(Entry {
                variable: parameter.variable,
                value: parameter.value,
                gradient: *gradient,
                largest,
            });
        }
        entries
    }

    /// What each of the entries is by, with its index among the input's numbers and its time.
    pub fn names(&self) -> Vec<(String, Option<(usize, f64)>)> {
        let each = |input: &'_ Input| {
            let name = input.name.clone();
            self.times.iter().copied().enumerate().map(move |at| (name.clone(), Some(at))).collect::<Vec<_>>()
        };
        let parameters = self.parameters.iter().map(|(parameter, _)| (parameter.name.clone(), None));
        self.inputs.iter().flat_map(each).chain(parameters).collect()
    }

    /// Schema `articula/gradient/1`.
    pub fn document(&self, built: &Built) -> Value {
        let terms: Vec<Value> = self
            .terms
            .iter()
            .enumerate()
            .map(|(index, (words, value))| json!({"index": index, "value": value, "words": words}))
            .collect();
        let inputs: Map<String, Value> = self
            .inputs
            .iter()
            .map(|input| {
                let numbers = json!({"unit": input.unit, "times": self.times, "values": input.values, "gradient": input.gradient});
                (input.name.clone(), numbers)
            })
            .collect();
        let parameters: Map<String, Value> = self
            .parameters
            .iter()
            .map(|(p, gradient)| {
                (p.name.clone(), json!({"unit": p.unit, "value": p.value, "gradient": gradient}))
            })
            .collect();
        json!({
            "schema": "articula/gradient/1",
            "articula": env!("CARGO_PKG_VERSION"),
            "experiment": built.experiment,
            "experiment_sha256": built.sha256,
            "objective": self.objective,
            "terms": terms,
            "knots": self.knots.then_some(self.times.len()),
            "inputs": inputs,
            "parameters": parameters,
            "status": self.status,
            "check": self.check.as_ref().map(Check::document),
        })
    }
}

/// A term for people.
fn words(term: &Term, segment: &Segment) -> String {
    let model = segment.model();
    let own = quoted(segment.name());
    let frame = |i: usize| format!("{own}.{}", quoted(&model.frames()[i].name));
    let joint = |i: usize| format!("{own}.{}", quoted(&model.joints()[i].name));
    let what = match &term.quantity {
        Quantity::FramePosition { frame: i, .. } => format!("position of {}", frame(*i)),
        Quantity::FrameOrientation { frame: i, .. } => format!("orientation of {}", frame(*i)),
        Quantity::JointPosition { joint: i, .. } => format!("position of {}", joint(*i)),
        Quantity::JointVelocity { joint: i, .. } => format!("velocity of {}", joint(*i)),
        Quantity::EffortSquared => format!("efforts of {own}, squared"),
        Quantity::KineticEnergy => format!("kinetic energy of {own}"),
        Quantity::Own(_) => "a closure".into(),
    };
    let when = match term.when {
        When::End => "at the end",
        When::All => "all along",
    };
    format!("{what}, {when}, weight {}", term.weight)
}
