//! Acknowledging what is refused, each with a reason.

use super::account::{Entry, Verdict};
use super::mimic;
use super::parts::Description;
use std::collections::{HashMap, HashSet};

use crate::error::{Error, Fault, Result, nearest, quote};

/// Somebody's word for one refused element or attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    /// Its path, as [`Account`](super::Account) writes it.
    pub element: String,
    /// Why it may be passed over in this study.
    pub reason: String,
}

impl Acknowledgement {
    /// Reads `PATH=REASON`, split at the first `=`.
    ///
    /// A name that itself holds `=` cannot be written so; it can in an experiment's `[[chain.X.acknowledged]]`.
    ///
    /// # Errors
    /// [`Error::Value`] without `=`, with an empty path, or with an empty reason.
    pub fn parse(text: &str) -> Result<Acknowledgement> {
        let wrong = |expected: &str| Error::Value {
            who: "--acknowledge".into(),
            found: quote(text),
            expected: expected.into(),
        };
        let (element, reason) = text
            .split_once('=')
            .ok_or_else(|| wrong("`PATH=REASON`, such as `joint[finger]/mimic=held shut`"))?;
        let (element, reason) = (element.trim(), reason.trim());
        if element.is_empty() {
            return Err(wrong("a path before `=`, such as `joint[finger]/mimic`"));
        }
        if reason.is_empty() {
            return Err(wrong("a reason after `=`"));
        }
        Ok(Acknowledgement { element: element.into(), reason: reason.into() })
    }
}

/// A description in which nothing refused is left unanswered.
///
/// What an acknowledgement does:
///
/// | refused | then |
/// |---|---|
/// | mimic | a free joint of its own: `mimic` is gone from the description ([`Description::coupled`] couples it instead) |
/// | an element, attribute or text URDF does not define; a second `<limit>` or the like | passed over |
/// | another version of URDF | read as 1.0 |
/// | negative mass; inertia not positive semidefinite | kept as it is: the mass matrix may not be positive |
/// | no `<mass>`, no `<inertia>`, a number of theirs missing | 0 |
/// | lower above upper | no stops: `build` and `run` then need `[chain.X.limits]` |
///
/// A zero axis, a planar joint, a floating joint below the root and a type of joint URDF does not define cannot be
/// acknowledged: whatever stood in their place would be another mechanism, chosen by nobody. The message says what to
/// change in the file.
#[derive(Clone, Debug)]
pub struct Acknowledged {
    /// The description; a mimic still in it is one to be coupled.
    pub description: Description,
    /// What was acknowledged, in file order, with the line it stands in.
    pub acknowledged: Vec<(Acknowledgement, u32)>,
}

impl Description {
    /// Answers for what is refused; with an empty list, makes sure that nothing is.
    ///
    /// An acknowledgement of an element covers what is inside it. `X` and `X[1]` mean the same element.
    ///
    /// # Errors
    /// [`Error::Value`] for an empty reason, or a path inside an element that is refused as a whole;
    /// [`Error::UnknownName`], with the nearest path, for a path at which nothing is refused; [`Error::Refused`] with
    /// one fault for each refused element left, and for each that cannot be acknowledged.
    pub fn acknowledge(&self, list: &[Acknowledgement]) -> Result<Acknowledged> {
        let mut answers: Vec<(&Entry, &str)> = Vec::new();
        for acknowledgement in list {
            let entry = self.refused_at(&acknowledgement.element)?;
            if acknowledgement.reason.trim().is_empty() {
                return Err(Error::Value {
                    who: format!("acknowledged `{}`", acknowledgement.element),
                    found: "no reason".into(),
                    expected: "the reason why it may be passed over".into(),
                });
            }
            answers.push((entry, &acknowledgement.reason));
        }
        let free = answers.iter().map(|(entry, _)| entry.path.as_str()).collect();
        self.answer(&free, |entry, _| {
            answers.iter().find(|(other, _)| other.path == entry.path).map(|(_, reason)| *reason)
        })
    }

    /// Answers for all that can be acknowledged with one reason.
    ///
    /// # Errors
    /// [`Error::Value`] for an empty reason; [`Error::Refused`] for what cannot be acknowledged.
    pub fn acknowledge_all(&self, reason: &str) -> Result<Acknowledged> {
        if reason.trim().is_empty() {
            return Err(Error::Value {
                who: "--acknowledge-all".into(),
                found: "no reason".into(),
                expected: "the reason why all of it may be passed over".into(),
            });
        }
        self.answer(&HashSet::new(), |_, coupled| (!coupled).then_some(reason))
    }

    /// Answers for what is refused, by the reason of an entry, which is also told whether it will be coupled anyway; mimics at
    /// `free` will not be.
    fn answer<'a>(
        &self,
        free: &HashSet<&str>,
        reason: impl Fn(&Entry, bool) -> Option<&'a str>,
    ) -> Result<Acknowledged> {
        let mut faults = Vec::new();
        let mut acknowledged = Vec::new();
        let mimics = if self.couples_mimics { self.mimics(free) } else { HashMap::new() };
        for entry in self.account.refused() {
            let mimic = mimics.get(&entry.path);
            let coupled = mimic.is_some_and(Option::is_none);
            match (entry.remedy, reason(entry, coupled)) {
                (_, None) if coupled => {}
                (None, Some(reason)) => {
                    let given = Acknowledgement { element: entry.path.clone(), reason: reason.trim().into() };
                    acknowledged.push((given, entry.line));
                }
                (remedy, _) => faults.push(match mimic.and_then(Option::as_ref) {
                    Some(odd) => mimic::fault(&entry.path, odd, entry.line, entry.column),
                    None => refusal(entry, remedy),
                }),
            }
        }
        if !faults.is_empty() {
            return Err(Error::Refused { file: self.file.clone(), faults });
        }
        let mut description = self.clone();
        let free: HashSet<&str> = acknowledged.iter().map(|(a, _)| a.element.as_str()).collect();
        for joint in &mut description.joints {
            let path = mimic::path(joint);
            let free = !self.couples_mimics || free.contains(path.as_str());
            joint.mimic = joint.mimic.take().filter(|_| !free);
        }
        Ok(Acknowledged { description, acknowledged })
    }

    fn refused_at(&self, path: &str) -> Result<&Entry> {
        let first = format!("{path}[1]");
        let plain = path.strip_suffix("[1]").unwrap_or(path);
        let spellings = [path, first.as_str(), plain];
        let at = spellings.iter().find_map(|spelling| {
            self.account.entries().find(|entry| entry.path == *spelling && entry.verdict == Verdict::Refused)
        });
        let Some(entry) = at else {
            return Err(Error::UnknownName {
                who: format!("acknowledged in {}", self.file),
                what: "refused element",
                found: path.into(),
                nearest: nearest(path, self.account.refused().map(|entry| entry.path.as_str())),
            });
        };
        match entry.holder {
            None => Ok(entry),
            Some(holder) => Err(Error::Value {
                who: "acknowledged".into(),
                found: format!("`{path}`, which is refused together with what holds it"),
                expected: format!("`{}`", self.account.elements[holder].path),
            }),
        }
    }
}

fn refusal(entry: &Entry, remedy: Option<&str>) -> Fault {
    let fix = match remedy {
        Some(remedy) => format!("{remedy}; it cannot be acknowledged"),
        None => format!(
            "change it, or acknowledge it with `--acknowledge '{}=REASON'` or under `[[chain.X.acknowledged]]` of the \
             experiment",
            entry.path
        ),
    };
    Fault {
        code: "refused",
        line: entry.line,
        column: entry.column,
        found: format!("{}: {}", entry.path, entry.reason),
        expected: "nothing that is refused".into(),
        fix,
    }
}
