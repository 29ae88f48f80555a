//! What the derivatives of a rollout are by, and what they are.

use super::{Course, Lanes, Rung};
use crate::error::{Error, Result};
use crate::model::Model;
use crate::real::Tangents;
use crate::switch::Observer;

/// What a rollout is differentiated by, in the order that decides ties: start positions, start velocities, joint by joint;
/// the values of the named joints, step by step; parameters.
///
/// At an exact tie the piece taken is that of the first of these that leads away from it (the lexicographic directional
/// derivative), the same in every entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct By {
    /// The start.
    pub start: bool,
    /// Joints whose values are inputs.
    pub inputs: Vec<usize>,
    /// Addresses of [`Model::addresses`].
    pub parameters: Vec<String>,
}

impl By {
    /// By the values of every joint.
    pub fn every_input(model: &Model<f64>) -> Self {
        By { start: false, inputs: (0..model.joints().len()).collect(), parameters: Vec::new() }
    }

    /// Every joint and address is the machine's, and named once.
    ///
    /// # Errors
    /// [`Error::Value`] for a joint, [`Error::UnknownName`] for an address that it does not have.
    pub(super) fn check(&self, model: &Model<f64>) -> Result<()> {
        let joints = model.joints().len();
        if let Some(j) = self.inputs.iter().find(|j| **j >= joints) {
            return Err(Error::value("inputs", format!("joint {j}"), &format!("a joint below {joints}")));
        }
        if let Some(j) = twice(&self.inputs) {
            return Err(Error::value("inputs", format!("joint {j} twice"), "each joint once"));
        }
        if let Some(address) = twice(&self.parameters) {
            return Err(Error::value("parameters", format!("`{address}` twice"), "each address once"));
        }
        self.parameters.iter().try_for_each(|address| model.value(address).map(|_| ()))
    }

    /// An observer of an arm, whose inputs are these.
    pub(super) fn observer(&self, rung: &Rung) -> Result<Observer> {
        let mut observer = rung.observer();
        if !self.inputs.is_empty() {
            let joints = rung.model().joints();
            let names: Vec<&str> = self.inputs.iter().map(|&j| joints[j].name.as_str()).collect();
            observer.set_inputs(&names)?;
        }
        Ok(observer)
    }

    /// Every seed, in order.
    pub(super) fn seeds(&self, model: &Model<f64>, steps: usize) -> impl Iterator<Item = Seed> {
        let start = if self.start { model.coupling().independent() } else { &[] };
        let positions = start.iter().map(|&j| Seed::Position(j));
        let velocities = start.iter().map(|&j| Seed::Velocity(j));
        let values =
            (0..steps).flat_map(|step| self.inputs.iter().map(move |&joint| Seed::Value { step, joint }));
        let parameters = (0..self.parameters.len()).map(Seed::Parameter);
        { positions }.chain(velocities).chain(values).chain(parameters)
    }
}

/// The first of a list's entries that it has had before.
fn twice<X: PartialEq>(list: &[X]) -> Option<&X> {
    list.iter().enumerate().find(|(i, x)| list[..*i].contains(x)).map(|(_, x)| x)
}

/// One number that a rollout is differentiated by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Seed {
    Position(usize),
    Velocity(usize),
    Value { step: usize, joint: usize },
    Parameter(usize),
}

/// Derivatives of an objective over a rollout.
#[derive(Clone, Debug, PartialEq)]
pub struct RolloutGradient {
    /// The objective's value.
    pub objective: f64,
    /// Its terms' values, in their order.
    pub terms: Vec<f64>,
    /// By every value of a course, step by step, one a joint: also of joints that [`By::inputs`] does not name.
    pub by_value: Vec<f64>,
    /// By the positions it starts from, one a joint; zero for a joint that follows another.
    pub by_start_position: Vec<f64>,
    /// By the velocities it starts from.
    pub by_start_velocity: Vec<f64>,
    /// By the parameters, in their order.
    pub by_parameter: Vec<f64>,
}

/// The machine with the parameters of one pass seeded.
pub(super) fn seeded(
    rung: &Rung,
    parameters: &[String],
    lane: impl Fn(usize) -> Option<usize>,
) -> Result<Rung<Lanes>> {
    let lanes = |i: usize| lane(i).map(|lane| Tangents::variable(0.0, lane));
    let changes: Vec<_> = parameters
        .iter()
        .enumerate()
        .filter_map(|(i, address)| lanes(i).map(|amount| (address.as_str(), amount)))
        .collect();
    rung.with_model(rung.model().map(crate::real::Real::from_f64).vary(&changes)?)
}

impl RolloutGradient {
    pub(super) fn zero(course: &Course<'_>, joints: usize, terms: usize, parameters: usize) -> Self {
        RolloutGradient {
            objective: 0.0,
            terms: vec![0.0; terms],
            by_value: vec![0.0; course.values.len()],
            by_start_position: vec![0.0; joints],
            by_start_velocity: vec![0.0; joints],
            by_parameter: vec![0.0; parameters],
        }
    }
}

/// A rollout that did not stay finite.
pub(super) fn not_finite(model: &Model<f64>, joint: usize, end: f64) -> Error {
    let who = format!("{} in the step that ends at {end} s", model.joints()[joint].name);
    let expected = "a rollout that stays finite: a smaller step, or less effort or gain";
    Error::value(&who, "a number that is not finite", expected)
}
