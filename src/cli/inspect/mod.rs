//! `articula inspect`: what a robot file says, and what becomes of every element of it.

mod account;
mod robot;
mod text;

use super::acknowledge::Acknowledge;
use super::{Failure, output};
use crate::description::{Acknowledged, Inspection};
use crate::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// The account of a robot file: tree, frames, masses, limits, transmissions, and what is refused or not used.
///
/// Exit 2 when the file is not a robot description, with every error; elements that are refused are no error here.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Inspect {
    /// The robot file (URDF).
    #[arg(value_name = "ROBOT.urdf")]
    robot: PathBuf,
    /// Print JSON: every element and attribute with its verdict.
    #[arg(long)]
    json: bool,
    /// List every element that is not used, not only how many of each kind.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    acknowledge: Acknowledge,
}

const EXAMPLE: &str = "Example:
  articula inspect articula-demo/arm.urdf
  articula inspect articula-demo/arm.urdf --json > account.json
  articula inspect hand.urdf --acknowledge 'joint[finger]/mimic=held shut'

Verdicts: used; not_used (recognised, without effect on motion); note
(used, with a remark); refused (without it the mechanism would be another:
eval and run stop until it is acknowledged with a reason).";

impl Inspect {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let inspection = Inspection::read(&self.robot)?;
        let answered = match inspection.clone().description() {
            Ok(description) => Some(self.acknowledge.answer(&description)),
            Err(_) => None,
        };
        // Refused elements that nobody answered for are what this command is to show; a wrong answer is wrong.
        let acknowledged = match answered {
            Some(Ok(acknowledged)) => Some(acknowledged),
            None | Some(Err(Error::Refused { .. })) => None,
            Some(Err(error)) => return Err(error.into()),
        };
        if self.json {
            output::print(&output::json(&inspection.to_json()))?;
        } else {
            output::print(&report(&inspection, acknowledged.as_ref(), self.all))?;
        }
        for fault in &inspection.errors {
            let place = match fault.line {
                0 => inspection.file.clone(),
                line => format!("{}:{line}:{}", inspection.file, fault.column),
            };
            let crate::error::Fault { code, found, expected, fix, .. } = fault;
            output::complain(&format!("{place}: found {found}, expected {expected}; {fix} [{code}]"));
        }
        Ok(ExitCode::from(if inspection.errors.is_empty() { 0 } else { 2 }))
    }
}

/// The account for people.
fn report(inspection: &Inspection, acknowledged: Option<&Acknowledged>, all: bool) -> String {
    let mut text = text::Text::default();
    robot::heading(inspection, &mut text);
    if inspection.errors.is_empty() {
        robot::tree(inspection, &mut text);
        robot::links(inspection, &mut text);
        robot::transmissions(inspection, &mut text);
    }
    if let Some(account) = &inspection.account {
        account::refused(account, acknowledged, &mut text);
        account::notes(account, &mut text);
        account::not_used(account, all, &mut text);
    }
    robot::closing(inspection, acknowledged, &mut text);
    text.finish()
}
