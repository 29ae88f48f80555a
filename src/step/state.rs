//! What a step starts from and leaves.

use crate::error::{Error, Result};
use crate::model::Model;
use crate::real::Real;

/// Positions, velocities and time.
#[derive(Debug, PartialEq)]
pub struct State<T> {
    /// Joint positions, rad; m.
    pub q: Vec<T>,
    /// Joint velocities, rad/s; m/s.
    pub v: Vec<T>,
    /// Time, s.
    pub t: f64,
}

impl<T: Clone> Clone for State<T> {
    fn clone(&self) -> Self {
        State { q: self.q.clone(), v: self.v.clone(), t: self.t }
    }

    /// Allocates nothing for a state of the same size.
    fn clone_from(&mut self, from: &Self) {
        self.q.clone_from(&from.q);
        self.v.clone_from(&from.v);
        self.t = from.t;
    }
}

impl<T: Real> State<T> {
    /// The same in another scalar.
    pub fn map<U: Real>(&self, mut f: impl FnMut(T) -> U) -> State<U> {
        State {
            q: self.q.iter().map(|x| f(*x)).collect(),
            v: self.v.iter().map(|x| f(*x)).collect(),
            t: self.t,
        }
    }
}

/// A state of a model, or what is wrong with it.
pub(super) fn checked<T: Real>(model: &Model<T>, q: &[T], v: &[T]) -> Result<State<T>> {
    for (what, numbers) in [("initial_positions", q), ("initial_velocities", v)] {
        if numbers.len() != model.joints().len() {
            return Err(Error::Length {
                who: what.into(),
                found: numbers.len(),
                expected: model.joints().len(),
            });
        }
        if let Some(j) = numbers.iter().position(|x| !x.all_finite()) {
            let who = format!("{what}.{}", model.joints()[j].name);
            return Err(Error::value(&who, numbers[j].primal(), "a finite number"));
        }
    }
    for (j, (joint, x)) in model.joints().iter().zip(q).enumerate() {
        let (x, lower, upper) =
            (x.primal(), joint.lower.map(|l| l.primal()), joint.upper.map(|u| u.primal()));
        // Where a joint follows another, rounding is not the user's.
        let rounding = if model.coupling().follows(j) { 1e-12 * (1.0 + x.abs()) } else { 0.0 };
        if lower.is_some_and(|l| x < l - rounding) || upper.is_some_and(|u| x > u + rounding) {
            let unit = joint.kind.position_unit();
            let hint = if !joint.kind.slides() && x.abs() > std::f64::consts::TAU {
                " (are these degrees?)"
            } else {
                ""
            };
            let bound = |b: Option<f64>, none: &str| b.map_or(none.to_owned(), |b| b.to_string());
            let leader = joint.mimic.map(|_| {
                let coupling = model.coupling();
                let leader = coupling.independent()[coupling.members()[j].coordinate];
                format!(" (it follows `{}`: move that one)", model.joints()[leader].name)
            });
            let hint = leader.unwrap_or_else(|| hint.to_owned());
            let range = format!("within [{}, {}] {unit}{hint}", bound(lower, "-inf"), bound(upper, "inf"));
            return Err(Error::value(
                &format!("initial_positions.{}", joint.name),
                format!("{x} {unit}"),
                &range,
            ));
        }
    }
    follows(model, q, v)?;
    let (mut q, mut v) = (q.to_vec(), v.to_vec());
    model.coupling().positions(&mut q);
    model.coupling().rates(&mut v);
    for (j, joint) in model.joints().iter().enumerate().filter(|(j, _)| model.coupling().follows(*j)) {
        q[j] = crate::switch::nudged(q[j], joint.lower, joint.upper);
    }
    Ok(State { q, v, t: 0.0 })
}

/// Joints that follow others are where, and as fast, as those have them, up to rounding.
fn follows<T: Real>(model: &Model<T>, q: &[T], v: &[T]) -> Result<()> {
    let coupling = model.coupling();
    for (j, member) in coupling.members().iter().enumerate().filter(|(j, _)| coupling.follows(*j)) {
        let (joint, leader) = (&model.joints()[j], coupling.independent()[member.coordinate]);
        let laws = [
            ("initial_positions", q, member.offset.primal(), joint.kind.position_unit()),
            ("initial_velocities", v, 0.0, joint.kind.velocity_unit()),
        ];
        for (what, numbers, offset, unit) in laws {
            let law = member.multiplier.primal() * numbers[leader].primal() + offset;
            let found = numbers[j].primal();
            if (found - law).abs() > 1e-9 * (1.0 + law.abs()) {
                let expected = format!(
                    "{law} {unit}, since it follows `{}` (or leave it out)",
                    model.joints()[leader].name
                );
                return Err(Error::value(
                    &format!("{what}.{}", joint.name),
                    format!("{found} {unit}"),
                    &expected,
                ));
            }
        }
    }
    Ok(())
}
