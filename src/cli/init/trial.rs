//! Whether a draft runs, found out by running it.

use super::draft::{Answers, Draft};
use crate::error::{Error, Fault, Result};
use crate::experiment::Experiment;
use crate::rollout::Ending;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

/// A robot with more joints is not tried: a step keeps matrices of their square.
const MOST_JOINTS: usize = 500;

/// A trial ends at its end, or once it has taken this long and this many steps.
const ENOUGH: Duration = Duration::from_secs(2);
const FEWEST_STEPS: usize = 10;

/// How far a trial went: steps of it, and of the experiment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    pub steps: usize,
    pub of: usize,
}

/// What became of a draft.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    /// What the robot file has refused: each is to be decided.
    pub to_decide: Vec<Fault>,
    /// How it fails with all that can be acknowledged acknowledged; none where it then runs as far as it was tried.
    pub then: Option<String>,
    /// How far it ran; none where it was not run, or failed.
    pub tried: Option<Tried>,
}

impl Verdict {
    /// Whether the file runs as it is.
    pub fn runs(&self) -> bool {
        self.to_decide.is_empty() && self.then.is_none()
    }

    /// In a few words.
    pub fn in_short(&self) -> String {
        match (self.to_decide.len(), &self.then) {
            (0, None) => match self.tried {
                Some(Tried { steps, of }) if steps < of => {
                    format!("runs as it is, tried for {steps} of {of} steps; see its comments")
                }
                Some(_) => "runs as it is; see its comments".into(),
                None => "not tried, the robot has too many joints; see its comments".into(),
            },
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
        return Ok(Verdict { to_decide, then: None, tried: None });
    }
    Ok(match attempt(&draft.body(Answers::Tried), draft.name, folder)? {
        Ok(tried) => Verdict { to_decide, then: None, tried: Some(tried) },
        Err(then) => Verdict { to_decide, then: Some(then), tried: None },
    })
}

/// How far an experiment runs, or how it fails.
fn attempt(text: &str, name: &str, folder: &Path) -> Result<std::result::Result<Tried, String>> {
    let built = Experiment::parse(name, folder, text.as_bytes()).and_then(|experiment| experiment.build());
    let mut built = match built {
        Ok(built) => built,
        // Its place is one of the trial's text, which is not the file's.
        Err(Error::Experiment { fault, .. }) => return Ok(Err(Fault { line: 0, ..fault }.to_string())),
        Err(Error::Refused { faults, .. }) => {
            return Ok(Err(format!("{} of them cannot be acknowledged [refused]", faults.len())));
        }
        Err(other) => return Err(other),
    };
    let start = Instant::now();
    let ending = built.session.run(|done, _| match done >= FEWEST_STEPS && start.elapsed() >= ENOUGH {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    Ok(match ending {
        Ending::NotFinite { joint, time, .. } => {
            Err(format!("not finite: joint `{joint}` in the step that ends at {time} s"))
        }
        Ending::Done | Ending::Interrupted => {
            Ok(Tried { steps: built.session.rows().saturating_sub(1), of: built.session.steps() })
        }
    })
}
