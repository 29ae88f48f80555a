//! `articula gradient`.

mod answer;
mod check;
mod text;

use super::output::{complain, json, print};
use super::run::{interrupt_flag, progress};
use super::{Failure, output};
use crate::experiment::{Decision, Experiment};
use crate::rollout::{Adjoint, By, Variable};
use answer::Answer;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Differentiate an experiment's objective, and say what the derivatives are worth.
///
/// The experiment says in `[objective]` what a run is judged by, and in `[decision]` by what that is differentiated: inputs of joints, step by
/// step or at knots, and parameters. The gradient is exact on the pieces taken; its status says how near others were.
///
/// Exit 1 where the run does not stay finite, or with --check where an entry disagrees with its difference and no switch is between.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Gradient {
    /// The experiment file, TOML, with `[objective]` and `[decision]`.
    experiment: PathBuf,
    /// Check every entry against a difference of runs, on all cores. Ctrl-C keeps what is checked so far.
    #[arg(long)]
    check: bool,
    /// Print one JSON object on stdout, every entry in it.
    #[arg(long)]
    json: bool,
}

const EXAMPLE: &str = "Examples:
  articula gradient articula-demo/demo.toml
  articula gradient articula-demo/demo.toml --check --json

`articula demo` writes demo.toml and the other files of these examples.";

impl Gradient {
    pub(super) fn run(self, quiet: bool) -> Result<ExitCode, Failure> {
        // From the start: what is interrupted before the check still ends with the gradient.
        let interrupted = self.check.then(interrupt_flag);
        let built = Experiment::read(&self.experiment)?.build()?;
        let (segment, objective, decision) = built.question()?;
        let steps = built.session.steps() / segment.every();
        let plan = decision.plan(segment, steps)?;
        let mut adjoint = Adjoint::new(segment.rung(), objective, by(decision), steps)?;
        if let (Some(knots), false) = (plan.knots(), quiet) {
            complain(&format!(
                "note: inputs are told at {} knots with straight lines between; `articula run` tells what the drives say at \
                 every step",
                knots.count()
            ));
        }
        // The start and the drives were taken when the segment was made: what is wrong now is the rollout.
        let failed = |error| Failure::Run(format!("no gradient: {}", output::coded(&error)));
        let gradient = adjoint.gradient(&plan.course()).map_err(failed)?;
        let (found, status) = gradient.read();
        let mut answer = Answer::new(segment, objective, decision, &plan, found, status);
        if let Some(number) = answer.not_finite() {
            return Err(Failure::Run(format!(
                "no gradient: {number} is not finite, though the rollout is; a smaller weight, effort or gain may help"
            )));
        }
        if let Some(interrupted) = interrupted {
            let entries = answer.entries();
            let bar = progress(entries.len(), "entries", quiet);
            let go_on = || {
                bar.inc(1);
                !interrupted.load(Ordering::Relaxed)
            };
            let differences = crate::rollout::Differences {
                rung: segment.rung(),
                objective,
                plan: &plan,
                parameters: &decision.addresses,
            };
            let checked = differences.check(found, &entries, go_on).map_err(failed)?;
            bar.finish_and_clear();
            answer.check = Some(check::Check::new(&answer.names(), &entries, checked));
        }
        print(&if self.json { json(&answer.document(&built)) } else { text::text(&answer) })?;
        match &answer.check {
            Some(check) => check.exit(quiet),
            None => Ok(ExitCode::SUCCESS),
        }
    }
}

/// What a decision differentiates by.
fn by(decision: &Decision) -> By {
    let start = |variable| matches!(variable, Variable::StartPosition(_) | Variable::StartVelocity(_));
    By {
        start: decision.parameters.iter().any(|parameter| start(parameter.variable)),
        inputs: decision.inputs.clone(),
        parameters: decision.addresses.clone(),
    }
}
