//! Whether a draft runs, found out by running it.

use super::draft::{Answers, Draft};
use crate::error::{Error, Fault, Result};
use crate::experiment::Experiment;
use crate::rollout::Ending;
use std::ops::ControlFlow;
use std::path::Path;

/// A robot with more joints is not tried: a step keeps matrices of their square.
const MOST_JOINTS: usize = 500;

/// What became of a draft.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    /// What the robot file has refused: each is to be decided.
    pub to_decide: Vec<Fault>,
    /// How it fails with all that can be acknowledged acknowledged; none where it then runs to its end.
    pub then: Option<String>,
    /// It was run to its end, not only read.
    pub tried: bool,
}

impl Verdict {
    /// Whether the file runs as it is.
    pub fn runs(&self) -> bool {
        self.to_decide.is_empty() && self.then.is_none()
    }

    /// In a few words.
    pub fn in_short(&self) -> String {
        match (self.to_decide.len(), &self.then) {
            (0, None) if self.tried => "runs as it is; see its comments".into(),
            (0, None) => "not tried, the robot has too many joints; see its comments".into(),
            (0, Some(then)) => format!("does not run yet: {then}"),
            (count, _) => {
                format!("does not run before you have decided on {count} refused elements, see its top")
            }
        }
    }
}

/// Runs the draft twice: as it is, and with everything acknowledged that can be.
pub(super) fn verdict(draft: &Draft<'_>, folder: &Path) -> Result<Verdict> {
    let to_decide = match draft.description.acknowledge(&[]) {
        Err(Error::Refused { faults, .. }) => faults,
        other => other.map(|_| Vec::new())?,
    };
    if draft.joints.len() > MOST_JOINTS {
        return Ok(Verdict { to_decide, then: None, tried: false });
    }
    let then = failure(&draft.body(Answers::Tried), draft.name, folder)?;
    Ok(Verdict { to_decide, then, tried: true })
}

/// How an experiment fails; none where it runs to its end.
fn failure(text: &str, name: &str, folder: &Path) -> Result<Option<String>> {
    let built = Experiment::parse(name, folder, text.as_bytes()).and_then(|experiment| experiment.build());
    let mut built = match built {
        Ok(built) => built,
        // Its place is one of the trial's text, which is not the file's.
        Err(Error::Experiment { fault, .. }) => return Ok(Some(Fault { line: 0, ..fault }.to_string())),
        Err(Error::Refused { faults, .. }) => {
            return Ok(Some(format!("{} of them cannot be acknowledged [refused]", faults.len())));
        }
        Err(other) => return Err(other),
    };
    Ok(match built.session.run(|_, _| ControlFlow::Continue(())) {
        Ending::NotFinite { joint, time, .. } => {
            Some(format!("not finite: joint `{joint}` in the step that ends at {time} s"))
        }
        Ending::Done | Ending::Interrupted => None,
    })
}
