//! `[decision]`: what an objective is differentiated by.

use super::build::{Built, spellings};
use super::document::{Table, Value};
use super::objective::{joint, near};
use super::place::{Place, Placed};
use crate::error::{Result, cut};
use crate::model::{Address, quoted, split};
use crate::rollout::{Objective, Plan, Rung, Segment, Variable};

/// The section as the file has it.
#[derive(Clone, Debug)]
pub(crate) struct DecisionSpec {
    inputs: Vec<Placed<String>>,
    knots: Option<Placed<u32>>,
    parameters: Vec<Placed<String>>,
}

/// What an objective is differentiated by: inputs of joints, numbers of the machine and of its start.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Joints whose inputs are decided.
    pub inputs: Vec<usize>,
    /// At how many instants, with straight lines between; else a number a step.
    pub knots: Option<usize>,
    /// Parameters, in the file's order.
    pub parameters: Vec<Parameter>,
    /// The addresses among them of the machine's own numbers, those that [`Variable::Parameter`] counts.
    pub addresses: Vec<String>,
}

/// A number of the machine or of its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its address.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// What it is.
    pub variable: Variable,
    /// The number.
    pub value: f64,
}

/// The decision, where there is such a section.
pub(super) fn decision(root: &Table<'_>) -> Result<Option<Placed<DecisionSpec>>> {
    let Some(section) = root.get("decision") else { return Ok(None) };
    let table = section.table("inputs, knots, parameters")?;
    table.only(&["inputs", "knots", "parameters"])?;
    let names = |key: &str, what: &str| -> Result<Vec<Placed<String>>> {
        let list = table.get(key).map_or(Ok(Vec::new()), |list| list.list(what))?;
        list.iter().map(|value: &Value<'_>| Ok(value.placed(value.text(what)?.to_owned()))).collect()
    };
    let inputs = names("inputs", "joints whose inputs are decided, \"SEGMENT.JOINT\"")?;
    let parameters = names("parameters", "addresses of numbers, \"SEGMENT.JOINT.friction\"")?;
    let knots = "a whole number of knots, 2 or more";
    let knots = table.get("knots").map(|value| Ok::<_, crate::Error>(value.placed(value.count(knots)?)));
    let knots = knots.transpose()?;
    if inputs.is_empty() && parameters.is_empty() {
        let found = "a decision on nothing: no inputs and no parameters";
        let fix = "name joints under `inputs`, or addresses under `parameters`";
        return Err(section.place().fault("missing_key", found, "one of them at least", fix));
    }
    if let (Some(knots), true) = (&knots, inputs.is_empty()) {
        let fix = "take them out, or name joints under `inputs`";
        return Err(knots.place.fault("value", "knots without inputs", "inputs that they are knots of", fix));
    }
    Ok(Some(section.placed(DecisionSpec { inputs, knots, parameters })))
}

impl DecisionSpec {
    /// The decision on a segment that makes so many steps of its own.
    pub(super) fn resolve(&self, segment: &Segment, steps: usize) -> Result<Decision> {
        let mut inputs = Vec::new();
        for name in &self.inputs {
            let j = joint(name, segment)?;
            self.leads(name, j, segment, "an input")?;
            if inputs.contains(&j) {
                return Err(twice(name, &spellings(segment.name(), &segment.model().joints()[j].name)[0]));
            }
            inputs.push(j);
        }
        if let Some(knots) = &self.knots
            && !(2..=steps + 1).contains(&(knots.value as usize))
        {
            let expected =
                format!("from 2 to {}, one more than the steps of `{}`", steps + 1, segment.name());
            return Err(knots.place.fault("value", format!("{} knots", knots.value), expected, "change it"));
        }
        let known = addresses(segment);
        let (mut parameters, mut own): (Vec<Parameter>, Vec<String>) = (Vec::new(), Vec::new());
        for name in &self.parameters {
            let parameter = self.parameter(name, segment, &known, own.len())?;
            if parameters.iter().any(|p| p.name == parameter.name) {
                return Err(twice(name, &parameter.name));
            }
            if let Variable::Parameter(_) = parameter.variable {
                own.push(inside(&parameter.name, segment));
            }
            parameters.push(parameter);
        }
        let knots = self.knots.as_ref().map(|knots| knots.value as usize);
        Ok(Decision { inputs, knots, parameters, addresses: own })
    }

    /// Of joints that move as one, the one that leads is decided on.
    fn leads(&self, name: &Placed<String>, j: usize, segment: &Segment, what: &str) -> Result<()> {
        let coupling = segment.model().coupling();
        if !coupling.follows(j) {
            return Ok(());
        }
        let joints = segment.model().joints();
        let leader = coupling.independent()[coupling.members()[j].coordinate];
        let leader = &spellings(segment.name(), &joints[leader].name)[0];
        let found = format!("{what} of `{}`, which follows `{leader}`", cut(&name.value));
        Err(name.place.fault(
            "value",
            found,
            "a joint that follows none",
            format!("name `{leader}` in its place"),
        ))
    }

    fn parameter(
        &self,
        name: &Placed<String>,
        segment: &Segment,
        known: &[Address],
        count: usize,
    ) -> Result<Parameter> {
        let canonical = canonical(&name.value, segment);
        let Some(address) = known.iter().find(|address| Some(&address.name) == canonical.as_ref()) else {
            let near = near(&name.value, segment, || known.iter().map(|address| address.name.as_str()));
            let found = format!("parameter `{}`", cut(&name.value));
            return Err(name.place.unknown(&found, &format!("`{}` or the world", segment.name()), near));
        };
        let (model, state) = (segment.model(), segment.state());
        let of = |field: &str| {
            let names = model.joints().iter();
            let own = |n: &str| format!("{}.{}.{field}", quoted(segment.name()), quoted(n));
            names.into_iter().position(|joint| own(&joint.name) == address.name)
        };
        let (variable, value) = if let Some(j) = of("initial_position") {
            self.leads(name, j, segment, "the start")?;
            (Variable::StartPosition(j), state.q[j])
        } else if let Some(j) = of("initial_velocity") {
            self.leads(name, j, segment, "the start")?;
            (Variable::StartVelocity(j), state.v[j])
        } else {
            let value = model.value(&inside(&address.name, segment)).map_err(|error| name.place.of(error))?;
            (Variable::Parameter(count), value)
        };
        Ok(Parameter { name: address.name.clone(), unit: address.unit, variable, value })
    }
}

impl Decision {
    /// The plan of a segment's rollout.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn plan(&self, segment: &Segment, steps: usize) -> Result<Plan> {
        Plan::new(segment, steps, &self.inputs, self.knots)
    }

    /// The unit of an input of a segment's joint.
    pub fn input_unit(segment: &Segment, joint: usize) -> &'static str {
        let kind = segment.model().joints()[joint].kind;
        match segment.rung() {
            Rung::Dynamic(_) => kind.effort_unit(),
            Rung::Kinematic(_) => kind.position_unit(),
        }
    }
}

impl Built {
    /// The segment, its objective and what that is differentiated by.
    ///
    /// # Errors
    /// [`Error::Experiment`](crate::Error::Experiment): the file has no objective, or no decision; the message says what to add.
    pub fn question(&self) -> Result<(&Segment, &Objective, &Decision)> {
        // Either section is refused where there are several segments.
        let segment = &self.session.segments()[0];
        let joint = segment.model().joints().first().map_or("JOINT", |joint| &joint.name);
        let address = &spellings(segment.name(), joint)[0];
        let missing = |section: &str, expected: &str, example: String| {
            let fix = format!("add `[{section}]` with, for instance, {example}");
            Place::file(&self.experiment).fault("missing_key", format!("no `[{section}]`"), expected, fix)
        };
        let objective = self.objective.as_ref().ok_or_else(|| {
            let term =
                format!("terms = [{{ joint = {address:?}, position = 0.0, at = \"end\", weight = 1.0 }}]");
            missing("objective", "what the rollout is judged by", term)
        })?;
        let decision = self.decision.as_ref().ok_or_else(|| {
            missing("decision", "what the objective is differentiated by", format!("inputs = [{address:?}]"))
        })?;
        Ok((segment, objective, decision))
    }
}

fn twice(name: &Placed<String>, canonical: &str) -> crate::Error {
    name.place.fault("value", format!("`{canonical}` a second time"), "each name once", "take one out")
}

/// Every address of a segment and of the world as experiments write them, the start's among them.
fn addresses(segment: &Segment) -> Vec<Address> {
    let own = quoted(segment.name());
    let mut all = segment.model().addresses();
    for address in all.iter_mut().filter(|address| !address.name.starts_with("gravity.")) {
        address.name = format!("{own}.{}", address.name);
    }
    for joint in segment.model().joints() {
        let stem = format!("{own}.{}", quoted(&joint.name));
        let fields = [
            ("initial_position", joint.kind.position_unit()),
            ("initial_velocity", joint.kind.velocity_unit()),
        ];
        all.extend(fields.map(|(field, unit)| Address { name: format!("{stem}.{field}"), unit }));
    }
    all
}

/// An address as the machine itself has it.
fn inside(address: &str, segment: &Segment) -> String {
    let own = format!("{}.", quoted(segment.name()));
    address.strip_prefix(&own).unwrap_or(address).to_owned()
}

/// An address with every name in quotes that needs them, and no other.
fn canonical(given: &str, segment: &Segment) -> Option<String> {
    let own = quoted(segment.name());
    let rest = spellings(segment.name(), "").iter().find_map(|stem| {
        // Without the empty name, and its quotes.
        given.strip_prefix(stem.trim_end_matches("\"\""))
    });
    let Some(rest) = rest.filter(|_| !given.starts_with("gravity.")) else { return Some(given.to_owned()) };
    if !rest.starts_with('"') {
        return Some(format!("{own}.{rest}"));
    }
    let (owner, field) = split(rest)?;
    Some(format!("{own}.{}.{field}", quoted(&owner)))
}
