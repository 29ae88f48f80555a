//! Settings as resolved: what each is, where it came from, and why its default is what it is.

use crate::error::Result;
use crate::experiment::place::Place;
use serde_json::Value as Json;

/// Who an experiment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Refuses numerical defaults, lists every convention taken.
    Research,
    /// Takes numerical defaults and lists them as pending.
    Exploratory,
}

/// What a setting is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The machine or the world.
    Physical,
    /// What somebody chose to do with it.
    Design,
    /// How it is computed.
    Numerical,
}

/// Why a default is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DefaultKind {
    /// There is none.
    Required,
    /// There is one right answer.
    Determined,
    /// A custom, stated.
    Convention,
    /// A number somebody has to answer for.
    Numerical,
}

/// A setting as resolved.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Setting {
    /// Its name, for instance `arm.solver`.
    pub name: String,
    /// Its value; of a default in words, the words.
    pub value: Json,
    /// Its unit; empty for what has none.
    pub unit: &'static str,
    /// What kind of quantity it is.
    pub dimension: &'static str,
    /// What it is about.
    pub role: Role,
    /// `experiment` or `default`.
    pub source: &'static str,
    /// Why its default is what it is.
    pub default_kind: DefaultKind,
    /// On what the default rests; empty where there is none.
    pub basis: &'static str,
}

/// What is known of a setting before an experiment says anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Rule {
    /// Its name, without the segment's.
    pub key: &'static str,
    /// Its unit; empty for what has none.
    pub unit: &'static str,
    /// What kind of quantity it is.
    pub dimension: &'static str,
    /// What it is about.
    pub role: Role,
    /// Its default, in words; empty where there is none.
    pub default: &'static str,
    /// Why its default is what it is.
    #[serde(rename = "default_kind")]
    pub kind: DefaultKind,
    /// On what the default rests; empty where there is none.
    pub basis: &'static str,
}

const fn rule(
    key: &'static str,
    (unit, dimension): (&'static str, &'static str),
    role: Role,
    (default, kind, basis): (&'static str, DefaultKind, &'static str),
) -> Rule {
    Rule { key, unit, dimension, role, default, kind, basis }
}

const NONE: (&str, &str) = ("", "none");
const SECONDS: (&str, &str) = ("s", "time");
const REQUIRED: (&str, DefaultKind, &str) = ("", DefaultKind::Required, "");

use DefaultKind::{Convention, Determined, Required};
use Role::{Design, Numerical, Physical};

/// Every setting.
pub const RULES: &[Rule] = &[
    rule("time.step", SECONDS, Numerical, REQUIRED),
    rule("time.duration", SECONDS, Design, REQUIRED),
    rule(
        "gravity",
        ("m/s^2", "acceleration"),
        Physical,
        ("standard", Convention, "standard gravity, along -z"),
    ),
    rule("description", NONE, Physical, REQUIRED),
    rule("rung", NONE, Design, REQUIRED),
    rule("initial_positions", ("rad; m", "angle; length"), Design, REQUIRED),
    rule(
        "initial_velocities",
        ("rad/s; m/s", "angular velocity; velocity"),
        Design,
        ("rest", Convention, "joints start at rest unless given"),
    ),
    rule("acknowledged", NONE, Design, ("none", Convention, "nothing is read past unacknowledged")),
    rule(
        "actuators",
        ("kg m^2", "rotational inertia"),
        Physical,
        ("none", Convention, "a rotor not given reflects nothing"),
    ),
    rule(
        "armature",
        ("kg m^2; kg", "rotational inertia; mass"),
        Physical,
        ("none", Convention, "a rotor not given reflects nothing"),
    ),
    rule(
        "mimic",
        NONE,
        Physical,
        ("none", Convention, "a mimic joint is refused until it is coupled or acknowledged"),
    ),
    rule("at", ("m", "length"), Physical, ("none", Convention, "at the frame's origin, not turned")),
    rule(
        "orientation",
        ("1", "rotation"),
        Physical,
        ("none", Convention, "at the frame's origin, not turned"),
    ),
    rule("mount", NONE, Physical, ("world", Convention, "the frame before it, else the world")),
    rule("servo", SECONDS, Physical, ("none", Convention, "joints take the held command at once")),
    rule("rate", SECONDS, Numerical, ("time.step", Convention, "the base step")),
    rule("solver", NONE, Numerical, ("exact", Determined, "the problem has one answer")),
    rule(
        "limits",
        ("rad; m", "angle; length"),
        Physical,
        ("the description's", Convention, "the description is believed"),
    ),
    rule(
        "friction",
        ("N m, N m s/rad; N, N s/m", "torque, damping; force, damping"),
        Physical,
        ("the description's", Convention, "the description is believed"),
    ),
];

/// Collects settings as they are resolved.
pub(super) struct Settings<'a> {
    profile: Profile,
    segment: &'a str,
    /// Where a refused default is reported.
    place: &'a Place,
    pub list: Vec<Setting>,
}

impl<'a> Settings<'a> {
    pub fn new(profile: Profile, segment: &'a str, place: &'a Place) -> Self {
        Settings { profile, segment, place, list: Vec::new() }
    }

    /// Enters a setting that was given, or the default in its place.
    ///
    /// # Errors
    /// A numerical default in a research experiment.
    pub fn enter(&mut self, key: &str, given: Option<Json>) -> Result<()> {
        match RULES.iter().find(|rule| rule.key == key) {
            Some(rule) => self.enter_rule(rule, given),
            None => Ok(()),
        }
    }

    fn enter_rule(&mut self, rule: &Rule, given: Option<Json>) -> Result<()> {
        let common = rule.key.starts_with("time.") || rule.key == "gravity";
        let name = if common { rule.key.to_owned() } else { format!("{}.{}", self.segment, rule.key) };
        if given.is_none() && rule.kind == DefaultKind::Numerical && self.profile == Profile::Research {
            return Err(self.place.fault(
                "numerical_default",
                format!("no `{name}`"),
                "every number of the method given in a research experiment",
                format!("give it (exploratory experiments take {} {})", rule.default, rule.unit),
            ));
        }
        let source = if given.is_some() { "experiment" } else { "default" };
        let value =
            given.unwrap_or_else(|| if rule.kind == Required { Json::Null } else { rule.default.into() });
        self.list.push(Setting {
            name,
            value,
            unit: rule.unit,
            dimension: rule.dimension,
            role: rule.role,
            source,
            default_kind: rule.kind,
            basis: rule.basis,
        });
        Ok(())
    }
}

impl Setting {
    /// Taken by default, for that reason.
    pub(super) fn taken_as(&self, kind: DefaultKind) -> bool {
        self.source == "default" && self.default_kind == kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A default that rests on nothing but a number: refused in research, taken and marked in exploratory.
    #[test]
    fn numerical_defaults_are_refused_in_research() {
        let made_up = rule("tolerance", ("1", "ratio"), Numerical, ("1e-6", DefaultKind::Numerical, "habit"));
        let place = Place::file("x.toml");
        let enter = |profile, given: Option<Json>| {
            let mut settings = Settings::new(profile, "arm", &place);
            settings.enter_rule(&made_up, given).map(|()| settings.list.remove(0))
        };
        let taken = enter(Profile::Exploratory, None).expect("taken");
        assert!(taken.taken_as(DefaultKind::Numerical) && taken.value == "1e-6");
        let refused = enter(Profile::Research, None).expect_err("refused").to_string();
        assert!(refused.contains("arm.tolerance") && refused.contains("numerical_default"), "{refused}");
        let given = enter(Profile::Research, Some(1e-9.into())).expect("given");
        assert_eq!((given.source, given.value), ("experiment", 1e-9.into()));
    }
}
