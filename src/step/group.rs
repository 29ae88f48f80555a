//! Laws of joints that move as one.
//!
//! A joint and those that follow it (`q_j = m_j y + o_j`) share one coordinate `y`, and with it each other's laws:
//! every stop at `(limit_j − o_j)/m_j`, of which the nearest counts, and friction `Σ |m_j| μ_j`.

use super::switches::{COUPLED_HIGH, COUPLED_LOW};
use crate::error::{Error, Result};
use crate::model::{Member, Model};
use crate::real::Real;
use crate::switch::{self, Choices};

/// The laws of one coordinate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group<T> {
    /// The nearest lower stop, on the coordinate, and the joint whose stop it is.
    pub lower: Option<(T, usize)>,
    /// The nearest upper stop.
    pub upper: Option<(T, usize)>,
    /// How much nearer each is than the next, where several joints have one: `arm.coupled.low` and `.high`.
    pub lower_gap: Option<T>,
    pub upper_gap: Option<T>,
    /// Friction of all its joints, on the coordinate.
    pub friction: Option<T>,
    /// Whether other joints follow.
    pub shared: bool,
}

impl<T: Real> Group<T> {
    pub fn none() -> Self {
        Group { lower: None, upper: None, lower_gap: None, upper_gap: None, friction: None, shared: false }
    }

    /// Of one of a model's independent coordinates.
    pub fn of(model: &Model<T>, coordinate: usize, choices: &mut Choices) -> Self {
        Self::with_friction(model, coordinate, |j| model.joints()[j].friction, choices)
    }

    /// With other friction than the model's.
    pub fn with_friction(
        model: &Model<T>,
        coordinate: usize,
        friction: impl Fn(usize) -> Option<T>,
        choices: &mut Choices,
    ) -> Self {
        let coupling = model.coupling();
        let leader = coupling.independent()[coordinate];
        let own = &model.joints()[leader];
        let mut group = Group {
            lower: own.lower.map(|x| (x, leader)),
            upper: own.upper.map(|x| (x, leader)),
            friction: friction(leader),
            ..Self::none()
        };
        for &j in coupling.followers(coordinate) {
            let (joint, member) = (&model.joints()[j], &coupling.members()[j]);
            group.shared = true;
            let at = |limit: T| ((limit - member.offset) / member.multiplier, j);
            let (lower, upper) = (joint.lower.map(at), joint.upper.map(at));
            let (lower, upper) = if backwards(member) { (upper, lower) } else { (lower, upper) };
            (group.lower, group.lower_gap) = nearest(group.lower, lower, group.lower_gap, |old, new| {
                (switch::exceeds(new, old, choices, &COUPLED_LOW, j as u64), new - old)
            });
            (group.upper, group.upper_gap) = nearest(group.upper, upper, group.upper_gap, |old, new| {
                (switch::exceeds(old, new, choices, &COUPLED_HIGH, j as u64), old - new)
            });
            if let Some(friction) = friction(j) {
                let friction = friction * magnitude(member);
                group.friction = Some(group.friction.map_or(friction, |sum| sum + friction));
            }
        }
        group
    }
}

/// Whether a joint moves against its coordinate. Multipliers are never zero, so their signs are part of the machine.
pub(super) fn backwards<T: Real>(member: &Member<T>) -> bool {
    switch::is_negative(member.multiplier)
}

/// `|m|`.
pub(super) fn magnitude<T: Real>(member: &Member<T>) -> T {
    if backwards(member) { -member.multiplier } else { member.multiplier }
}

/// A stop's position and whose it is, or none.
type Stop<T> = Option<(T, usize)>;

/// The stop that counts of two, either of which may be absent, and by how much. `counts` says whether the new one does, and
/// by how much.
fn nearest<T: Real>(
    old: Stop<T>,
    new: Stop<T>,
    gap: Option<T>,
    counts: impl FnOnce(T, T) -> (bool, T),
) -> (Stop<T>, Option<T>) {
    let (Some(before), Some(after)) = (old, new) else { return (old.or(new), gap) };
    let (counts, by) = counts(before.0, after.0);
    if counts {
        return (new, Some(by));
    }
    (old, Some(gap.map_or(-by, |gap| switch::nearer_zero(gap, -by))))
}

/// Which laws act on each joint, those it shares through a coupling included: lower stop, upper stop, friction.
pub(crate) fn laws<T: Real>(model: &Model<T>) -> Vec<[bool; 3]> {
    let coupling = model.coupling();
    let groups: Vec<Group<T>> = (0..coupling.independent().len())
        .map(|coordinate| Group::of(model, coordinate, &mut Choices::free()))
        .collect();
    let laws = |member: &Member<T>| {
        let group = &groups[member.coordinate];
        let (lower, upper) = (group.lower.is_some(), group.upper.is_some());
        let (lower, upper) = if backwards(member) { (upper, lower) } else { (lower, upper) };
        [lower, upper, group.friction.is_some()]
    };
    coupling.members().iter().map(laws).collect()
}

/// Whether two stops of one side meet in some group, so that it has to be chosen which counts.
pub(crate) fn stops_meet<T: Real>(model: &Model<T>) -> bool {
    let coupling = model.coupling();
    (0..coupling.independent().len()).any(|coordinate| {
        let (mut lower, mut upper) = (0, 0);
        for j in coupling.joints_of(coordinate) {
            let (joint, turned) = (&model.joints()[j], backwards(&coupling.members()[j]));
            let (low, high) = (joint.lower.is_some(), joint.upper.is_some());
            lower += usize::from(if turned { high } else { low });
            upper += usize::from(if turned { low } else { high });
        }
        lower > 1 || upper > 1
    })
}

/// Joints that move as one have some room between their stops, and a friction that is a number.
///
/// # Errors
/// [`Error::Value`] naming the two joints.
pub(super) fn check<T: Real>(model: &Model<T>) -> Result<()> {
    for coordinate in 0..model.coupling().independent().len() {
        let group = Group::of(model, coordinate, &mut Choices::free());
        if let Some(friction) = group.friction.filter(|f| !f.primal().is_finite()) {
            let leader = &model.joints()[model.coupling().independent()[coordinate]].name;
            let found = format!("{} of all joints that move with it", friction.primal());
            return Err(Error::value(&format!("{leader}.friction"), found, "a finite number, N m; N"));
        }
        let (Some((lower, low)), Some((upper, high))) = (group.lower, group.upper) else { continue };
        if lower.primal() > upper.primal() {
            let name = |j: usize| &model.joints()[j].name;
            return Err(Error::value(
                name(model.coupling().independent()[coordinate]),
                format!(
                    "no position between the stops of `{}` and `{}`, which move as one",
                    name(low),
                    name(high)
                ),
                "limits of coupled joints that leave some room",
            ));
        }
    }
    Ok(())
}
