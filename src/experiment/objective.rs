//! `[objective]`: what a rollout is judged by.

use super::build::spellings;
use super::document::{Table, Value};
use super::place::Placed;
use crate::error::{Result, nearest};
use crate::rollout::{Objective, Quantity, Rung, Segment, Term, When};

/// A term as the file has it.
#[derive(Clone, Debug)]
pub(crate) struct TermSpec {
    what: What,
    /// The frame, joint or segment.
    of: Placed<String>,
    when: When,
    weight: f64,
}

#[derive(Clone, Copy, Debug)]
enum What {
    FramePosition([f64; 3]),
    FrameOrientation([f64; 4]),
    JointPosition(f64),
    JointVelocity(f64),
    EffortSquared,
    KineticEnergy,
}

/// What a term may look at.
const SUBJECTS: [&str; 4] = ["frame", "joint", "effort_squared", "kinetic_energy"];
const KEYS: &[&str] = &[
    "frame",
    "joint",
    "effort_squared",
    "kinetic_energy",
    "position",
    "orientation",
    "velocity",
    "at",
    "weight",
];
const KINDS: &str = "{ frame, position } or { frame, orientation } or { joint, position } or { joint, velocity } or \
                     { effort_squared } or { kinetic_energy }, each with `at` and `weight`";

/// The terms, where there is such a section.
pub(super) fn terms(root: &Table<'_>) -> Result<Option<Placed<Vec<TermSpec>>>> {
    let Some(section) = root.get("objective") else { return Ok(None) };
    let table = section.table("the terms of an objective")?;
    table.only(&["terms"])?;
    let list = table.require("terms", "an array of terms")?;
    let terms = list.list("the terms of an objective")?.iter().map(term).collect::<Result<Vec<_>>>()?;
    if terms.is_empty() {
        return Err(list.wrong("missing_key", format!("at least one term: {KINDS}"), "give one"));
    }
    Ok(Some(section.placed(terms)))
}

fn term(value: &Value<'_>) -> Result<TermSpec> {
    let table = value.table(KINDS)?;
    table.only(KEYS)?;
    let has = |key: &&str| table.get(key).is_some();
    let subjects: Vec<&str> = SUBJECTS.into_iter().filter(has).collect();
    let goals: Vec<&str> = ["position", "orientation", "velocity"].into_iter().filter(has).collect();
    let mixed = |found: &[&str], expected: &str, fix: &str| {
        let found = match found {
            [] => format!("`{}` without any", value.path()),
            keys => format!("`{}` with {}", value.path(), keys.join(" and ")),
        };
        Err(value.place().fault("value", found, expected, fix))
    };
    let [subject] = subjects[..] else {
        let expected = format!("one of {} in a term", SUBJECTS.join(", "));
        return mixed(&subjects, &expected, "make each a term of its own");
    };
    let allowed: &[&str] = match subject {
        "frame" => &["position", "orientation"],
        "joint" => &["position", "velocity"],
        _ => &[],
    };
    let number = |key: &str, expected: &str| table.require(key, expected)?.number(expected);
    let goal_of = |key: &str| table.require(key, KINDS);
    let what = match (subject, &goals[..]) {
        ("frame", ["position"]) => What::FramePosition(goal_of("position")?.numbers("a position x y z, m")?),
        ("frame", ["orientation"]) => {
            What::FrameOrientation(super::chain::orientation(&goal_of("orientation")?)?)
        }
        ("joint", ["position"]) => What::JointPosition(number("position", "a position, rad; m")?),
        ("joint", ["velocity"]) => What::JointVelocity(number("velocity", "a velocity, rad/s; m/s")?),
        ("effort_squared", []) => What::EffortSquared,
        ("kinetic_energy", []) => What::KineticEnergy,
        (_, goals) => {
            let expected = match allowed {
                [] => format!("no goal beside {subject}: it is wanted small"),
                keys => format!("one goal of a {subject}: {}", keys.join(" or ")),
            };
            let keys: Vec<&str> = [subject].iter().chain(goals).copied().collect();
            return mixed(&keys, &expected, "keep one goal a term; several goals are several terms");
        }
    };
    let times = [("end", When::End), ("all", When::All)];
    let when = match (what, table.get("at")) {
        (What::EffortSquared, None) => When::All,
        (What::EffortSquared, Some(at)) => at.choice(&times[1..])?,
        _ => table.require("at", "\"end\" or \"all\"")?.choice(&times)?,
    };
    let of = table.require(subject, KINDS)?;
    let name = of.text(if subject == "frame" || subject == "joint" {
        "its name, SEGMENT.NAME"
    } else {
        "a segment"
    })?;
    Ok(TermSpec {
        what,
        of: of.placed(name.to_owned()),
        when,
        weight: number("weight", "a weight w of the term")?,
    })
}

/// The objective over a segment.
pub(super) fn resolve(terms: &Placed<Vec<TermSpec>>, segment: &Segment) -> Result<Objective> {
    let model = segment.model();
    let resolved = terms.value.iter().map(|term| {
        let quantity = match term.what {
            What::FramePosition(goal) => Quantity::FramePosition { frame: frame(term, segment)?, goal },
            What::FrameOrientation(goal) => Quantity::FrameOrientation { frame: frame(term, segment)?, goal },
            What::JointPosition(goal) => Quantity::JointPosition { joint: joint(&term.of, segment)?, goal },
            What::JointVelocity(goal) => Quantity::JointVelocity { joint: joint(&term.of, segment)?, goal },
            What::EffortSquared => {
                whole(&term.of, segment)?;
                if let Rung::Kinematic(_) = segment.rung() {
                    let found =
                        format!("the efforts of `{}`, which is kinematic and has none", term.of.value);
                    let expected = "a dynamic segment";
                    return Err(term.of.place.fault(
                        "value",
                        found,
                        expected,
                        "take the term out, or use the dynamic rung",
                    ));
                }
                Quantity::EffortSquared
            }
            What::KineticEnergy => {
                whole(&term.of, segment)?;
                Quantity::KineticEnergy
            }
        };
        Ok(Term { quantity, when: term.when, weight: term.weight })
    });
    let resolved = resolved.collect::<Result<Vec<_>>>()?;
    Objective::new(model, resolved).map_err(|error| terms.place.of(error))
}

fn frame(term: &TermSpec, segment: &Segment) -> Result<usize> {
    let names = segment.model().frames().iter().map(|frame| frame.name.as_str());
    index(&term.of, segment, names, "frame")
}

/// The index of a joint by its address.
pub(super) fn joint(name: &Placed<String>, segment: &Segment) -> Result<usize> {
    index(name, segment, segment.model().joints().iter().map(|joint| joint.name.as_str()), "joint")
}

fn index<'a>(
    name: &Placed<String>,
    segment: &Segment,
    names: impl Iterator<Item = &'a str>,
    what: &str,
) -> Result<usize> {
    let addresses: Vec<[String; 3]> = names.map(|n| spellings(segment.name(), n)).collect();
    addresses.iter().position(|address| address.contains(&name.value)).ok_or_else(|| {
        let near = near(&name.value, segment, || addresses.iter().map(|a| a[0].as_str()));
        let who = format!("`{}`, written {}.NAME,", segment.name(), crate::model::quoted(segment.name()));
        name.place.unknown(&format!("{what} `{}`", crate::error::cut(&name.value)), &who, near)
    })
}

/// The address that was meant, or that lacks its segment.
pub(super) fn near<'a, I: Iterator<Item = &'a str>>(
    name: &str,
    segment: &Segment,
    addresses: impl Fn() -> I,
) -> Option<String> {
    let own = crate::model::quoted(segment.name());
    let with = format!("{own}.{name}");
    let lacks = || addresses().find(|address| *address == with).map(str::to_owned);
    lacks().or_else(|| nearest(name, addresses()))
}

/// The segment's own name.
fn whole(name: &Placed<String>, segment: &Segment) -> Result<()> {
    let own = crate::model::quoted(segment.name());
    if name.value == segment.name() || name.value == own {
        return Ok(());
    }
    let found = format!("segment `{}`", crate::error::cut(&name.value));
    Err(name.place.unknown(
        &found,
        "the chain",
        nearest(&name.value, [own.as_str()].into_iter()).or(Some(own)),
    ))
}
